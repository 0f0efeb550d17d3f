// The keys of the seat in front: bidding box or cards, what they do, and what is picked.

import { BiddingBox } from "./bidding.js";
import { CardPad } from "./cards.js";
import { button, fill, h, set } from "./dom.js";
import { holding } from "./faces.js";
import { isLocked } from "./keys.js";
import { MODES, moreMenu } from "./more.js";
import { t } from "./texts.js";

const FIRST_MODES = { call: "call", card: "card" };
const opposite = (seat) => "NESW"[("NESW".indexOf(seat) + 2) % 4];

export class Pads {
  #pad = "call";

  #modes = { ...FIRST_MODES };

  #hand = null; // that cards come from, when a person has chosen it

  #pending = null;

  /**
   * @param page has seat, display, table, hands, played; is told send(key), say(text),
   *   stop(ms), update()
   */
  constructor(page) {
    this.page = page;
    const user = {
      pending: () => this.#pending,
      mode: () => this.#modes[this.#pad],
      pick: (picked) => this.#pick(picked),
      changed: () => page.update(),
      say: (text) => page.say(text),
      stop: (ms) => page.stop(ms),
    };
    this.bidding = new BiddingBox(user);
    this.cards = new CardPad(user);
    this.tabs = h("div", { class: "tabs", role: "group", "aria-label": t("pads") },
      ["call", "card"].map((pad) => button({
        class: "tab", "data-pad": pad, onclick: () => this.#show(pad),
      }, t(pad === "call" ? "pad.bid" : "pad.cards"))),
      button({ class: "tab", "data-pad": "more", onclick: () => moreMenu({
        seat: page.seat, display: page.display, send: (key) => page.sendSeldom(key),
        say: (text) => page.say(text),
      }) }, t("more")));
    this.modeKeys = h("div", { class: "modes", role: "group", "aria-label": t("modes") });
    this.holding = h("div", { class: "held", role: "group", "aria-label": t("hand.own") });
    this.element = h("section", { class: "pad", "aria-label": t("pads") },
      this.tabs, this.modeKeys, this.holding, this.bidding.element, this.cards.element);
    this.confirm = button({ class: "primary confirm", onclick: () => this.#send() });
    this.cancel = button({ class: "quiet cancel", onclick: () => {
      this.#pending = null;
      page.update();
    } }, t("cancel"));
    this.bar = h("div", { class: "bar", hidden: true }, this.cancel, this.confirm);
  }

  /** Whether a call or a card is picked and not yet sent. */
  get isPicked() {
    return this.#pending !== null;
  }

  /** Begin anew, for another seat or after a key. */
  reset() {
    this.#pending = null;
    this.#hand = null;
    this.#modes = { ...FIRST_MODES };
    this.bidding.reset();
  }

  /** Show the keys that the seat's display asks for. */
  follow() {
    this.#hand = null;
    const ask = this.page.display?.ask;
    if (!this.#pending && (ask === "call" || ask === "card")) this.#pad = ask;
  }

  update() {
    const { display, seat, table } = this.page;
    const pad = this.#pad;
    const mode = this.#modes[pad];
    const pending = this.#pending;
    for (const tab of this.tabs.children) {
      const isPad = tab.dataset.pad !== "more";
      set(tab, { "aria-pressed": isPad ? `${tab.dataset.pad === pad}` : null });
    }
    this.bidding.element.hidden = pad !== "call";
    this.cards.element.hidden = pad !== "card";
    this.bidding.update({ display, mode, pending });
    const hand = this.#handShown();
    const gone = this.page.played.of(hand);
    this.cards.update({ display, mode, pending, hand, held: this.#heldBy(hand), gone });
    const own = pad === "call" ? this.#knownOf(seat) : null;
    this.holding.hidden = !own;
    fill(this.holding, own ? holding(own) : []);
    this.#updateModes(pad, mode, hand, table);
    this.bar.hidden = !pending;
    if (pending) {
      const { face, name, key } = pending;
      fill(this.confirm, `${t(`mode.${mode}`)} `, face.cloneNode?.(true) ?? face,
        h("span", { class: "unseen" }, name),
        key.data[1] === true ? ` ${t("alerted")}` : "");
    }
  }

  #updateModes(pad, mode, hand) {
    const chip = (attributes, isOn, change) => button({
      class: "chip", ...attributes, "aria-pressed": `${isOn}`,
      onclick: () => {
        change();
        this.#pending = null;
        this.page.update();
      },
    }, t(attributes["data-mode"] ? `mode.${attributes["data-mode"]}`
      : `hand.${attributes["data-hand"] === this.page.seat ? "own" : "dummy"}`));
    const keys = MODES[pad].map((each) => chip({ "data-mode": each }, mode === each, () => {
      this.#modes[pad] = each;
    }));
    const dummy = pad === "card" ? this.#dummy() : null;
    if (dummy) {
      keys.unshift(...[this.page.seat, dummy].map((each) =>
        chip({ "data-hand": each }, hand === each, () => {
          this.#hand = each;
        })));
    }
    // Only what has changed: a key that has the focus keeps it.
    if (keys.length !== this.modeKeys.children.length
      || keys.some((key, i) => key.outerHTML !== this.modeKeys.children[i].outerHTML)) {
      const at = [...this.modeKeys.children].indexOf(document.activeElement);
      this.modeKeys.replaceChildren(...keys);
      if (at >= 0) keys[Math.min(at, keys.length - 1)].focus();
    }
  }

  #show(pad) {
    this.#pad = pad;
    this.#pending = null;
    this.page.update();
  }

  /** A call or a card is picked; the second time it is sent. */
  #pick(picked) {
    if (isLocked(this.page.display, picked.key)) {
      this.page.say(t("locked.key", { key: picked.name }));
      return;
    }
    const before = JSON.stringify(this.#pending?.key ?? null);
    this.#pending = picked;
    if (before === JSON.stringify(picked.key)) this.#send();
    else this.page.update();
  }

  #send() {
    const { key, name } = this.#pending;
    this.reset();
    if (this.page.send(key)) this.page.sayPressed(name);
    this.page.update();
  }

  /** The dummy whose cards this seat plays, null when it plays none. */
  #dummy() {
    const { display, seat, table } = this.page;
    if (display?.ask === "card" && display.hand !== seat) return display.hand;
    return table?.contract?.declarer === seat ? opposite(seat) : null;
  }

  /** The hand whose cards are shown: that which is asked for, unless one was chosen. */
  #handShown() {
    const { display, seat } = this.page;
    if (this.#modes.card === "named" || this.#modes.card === "moved") {
      return this.#modes.card === "moved" ? seat : this.#dummy() ?? seat;
    }
    return this.#hand ?? (display?.ask === "card" ? display.hand : null) ?? seat;
  }

  /** What a hand was dealt, as far as the page knows: in a demo. */
  #knownOf(hand) {
    const board = this.page.display?.board || this.page.table?.board;
    return this.page.hands.get(`${board} ${hand}`) ?? null;
  }

  /** The cards that lie in a hand, null when it may be any. */
  #heldBy(hand) {
    const known = this.#knownOf(hand);
    if (known) return known.filter((card) => !this.page.played.of(hand).has(card));
    const { table } = this.page;
    const dummy = table?.contract && opposite(table.contract.declarer);
    return hand === dummy && table.dummy.length ? table.dummy : null;
  }
}
