// The bidding box: seven rows of five, pass, double, redouble, alert and stop.

import { button, h, set } from "./dom.js";
import { callFace } from "./faces.js";
import { isLocked } from "./keys.js";
import { callName, t } from "./texts.js";

const DENOMINATIONS = ["C", "D", "H", "S", "NT"];
const STOP_MS = 10000;

export class BiddingBox {
  #keys = new Map();

  /** @param user is asked pending(), pick(key, face), stop(ms) */
  constructor(user) {
    this.user = user;
    const bids = [1, 2, 3, 4, 5, 6, 7].map((level) =>
      DENOMINATIONS.map((denomination) => this.#key(`${level}${denomination}`)));
    this.alert = button({
      class: "alert", "aria-pressed": "false", onclick: () => this.#toggle(),
    }, t("alert"));
    this.stop = button({ class: "stop", onclick: () => user.stop(STOP_MS) }, t("stop"));
    this.explanation = h("input", {
      type: "text", maxlength: 120, "aria-label": t("explanation"),
      placeholder: t("explanation"), autocomplete: "off", oninput: () => this.#repick(),
    });
    this.note = h("div", { class: "explanation", hidden: true }, this.explanation);
    this.element = h("div", { class: "bidding", role: "group", "aria-label": t("pad.bid") },
      h("div", { class: "plain" }, ["P", "X", "XX"].map((call) => this.#key(call))),
      h("div", { class: "bids" }, bids),
      h("div", { class: "marks" }, this.alert, this.stop),
      this.note);
  }

  get isAlerted() {
    return this.alert.getAttribute("aria-pressed") === "true";
  }

  /** Show which keys the seat's display locks, and which one is picked. */
  update({ display, mode, pending }) {
    for (const [call, element] of this.#keys) {
      const locked = isLocked(display, this.#keyOf(call, mode));
      set(element, {
        "aria-disabled": locked ? "true" : null,
        "aria-label": locked ? t("locked.key", { key: callName(call) }) : callName(call),
        "aria-pressed": pending?.call === call ? "true" : "false",
      });
    }
    const noAlert = mode !== "call" || display?.locks.includes("alert");
    set(this.alert, { "aria-disabled": noAlert ? "true" : null });
    if (noAlert && this.isAlerted) this.reset();
  }

  /** Take the alert away, after a call or for another seat. */
  reset() {
    set(this.alert, { "aria-pressed": "false" });
    this.explanation.value = "";
    this.note.hidden = true;
  }

  #key(call) {
    const face = callFace(call, { letter: true });
    const element = button({ class: `key call${call.length > 1 && call !== "XX" ? " bid" : ""}`,
      "data-call": call, onclick: () => this.#pick(call) }, face);
    this.#keys.set(call, element);
    return element;
  }

  #keyOf(call, mode) {
    if (mode !== "call") return { kind: mode, hand: null, data: [call] };
    const data = [call];
    if (this.isAlerted) data.push(true);
    const said = this.explanation.value.trim();
    if (this.isAlerted && said) data.push(said);
    return { kind: "call", hand: null, data };
  }

  #pick(call) {
    const key = this.#keyOf(call, this.user.mode());
    this.user.pick({ key, call, face: callFace(call), name: callName(call) });
  }

  /** The alert or its explanation has changed while a call was picked. */
  #repick() {
    const pending = this.user.pending();
    if (pending?.call) {
      pending.key = this.#keyOf(pending.call, this.user.mode());
      this.user.changed();
    }
  }

  #toggle() {
    if (this.alert.getAttribute("aria-disabled")) {
      this.user.say(t("locked.key", { key: t("alert") }));
      return;
    }
    const on = !this.isAlerted;
    set(this.alert, { "aria-pressed": `${on}` });
    this.note.hidden = !on;
    if (!on) this.explanation.value = "";
    this.#repick();
  }
}
