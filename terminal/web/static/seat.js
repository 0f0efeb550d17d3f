// A seat's display: what the referee tells it, its pages, and the answers it offers.

import { button, fill, h, set } from "./dom.js";
import { prompt } from "./faces.js";
import { t } from "./texts.js";

/** Whether a display wants something of its seat now. */
export const isAsked = (display) => ["call", "card", "choice"].includes(display?.ask);

export class SeatDisplay {
  #page = 0;

  #shown = null;

  /** @param user is told choose(seat, choice) and select(seat) */
  constructor(seat, user) {
    this.seat = seat;
    this.user = user;
    this.name = h("h2", {}, t(`seat.${seat}`));
    this.badge = h("span", { class: "badge" });
    this.text = h("div", { class: "text", role: "status", "aria-live": "polite" });
    this.pages = h("div", { class: "pages" });
    this.answers = h("div", { class: "answers", role: "group", "aria-label": t("answers") });
    this.notice = h("p", { class: "notice", role: "status", hidden: true });
    this.element = h("section", {
      class: "display", "data-seat": seat, "aria-label": t(`seat.${seat}`),
      onclick: (event) => {
        if (!event.target.closest("button")) user.select(seat);
      },
    }, h("header", {}, this.name, this.badge), this.text, this.notice, this.pages, this.answers);
  }

  /** Show a display, and in place of a line the terminal's own notice (E8). */
  update({ display, notice, isSelected }) {
    if (display !== this.#shown) {
      this.#shown = display;
      this.#page = 0;
    }
    const asked = isAsked(display);
    set(this.element, {
      class: `display${asked ? " asked" : ""}${isSelected ? " selected" : ""}`,
    });
    this.badge.textContent = asked ? t(`ask.${display.ask}`)
      : display?.ask === "wait" ? t("ask.wait") : "";
    this.#showPage();
    this.notice.hidden = !notice;
    if (this.notice.textContent !== notice) this.notice.textContent = notice;
    fill(this.answers);
    this.answers.replaceChildren(...(display?.choices ?? []).map((choice, i) => button({
      class: "answer", "data-kind": choice[0], "data-choice": i,
      onclick: () => this.user.choose(this.seat, choice),
    }, choice[2])));
    this.answers.hidden = !display?.choices.length;
  }

  #showPage() {
    const pages = this.#shown?.pages ?? [];
    const lines = this.#shown ? pages[this.#page] ?? [] : [t("display.none")];
    fill(this.text, lines.map((line) => h("div", { class: "line" }, prompt(line))));
    this.pages.hidden = pages.length < 2;
    if (pages.length < 2) return;
    const turn = (by) => () => {
      this.#page = (this.#page + by + pages.length) % pages.length;
      this.#showPage();
    };
    this.pages.replaceChildren(
      button({ class: "quiet", "aria-label": t("page.back"), onclick: turn(-1) }, "‹"),
      h("span", {}, t("page", { page: this.#page + 1, pages: pages.length })),
      button({ class: "quiet", "aria-label": t("page.next"), onclick: turn(1) }, "›"));
  }
}
