// The cards: thirteen by four, or those of a hand that the page knows.

import { button, h, set } from "./dom.js";
import { cardFace, suitFace } from "./faces.js";
import { isLocked } from "./keys.js";
import { cardName, rankShown, RANKS, SUITS, t } from "./texts.js";

const MOVES = ["card", "exposed", "moved"];
const NAMED = ["low", "high", "win", "any"];

export class CardPad {
  #keys = new Map();

  #words = new Map();

  #suits = new Map();

  constructor(user) {
    this.user = user;
    const rows = SUITS.map((suit) => {
      const row = h("div", { class: "cards", role: "group", "aria-label": t(`suit.${suit}`) },
        h("span", { class: "suit-name" }, suitFace(suit, { letter: true })),
        RANKS.map((rank) => this.#key(suit + rank)));
      this.#suits.set(suit, row);
      return row;
    });
    this.named = h("div", { class: "named", hidden: true },
      NAMED.map((word) => this.#word(word, t(`named.${word}`), t(`named.${word}`))),
      SUITS.map((suit) => this.#word(suit, suitFace(suit, { letter: true }), t(`suit.${suit}`))));
    this.empty = h("p", { class: "empty", hidden: true }, t("cards.none"));
    this.element = h("div", { class: "card-pad", role: "group", "aria-label": t("pad.cards") },
      rows, this.named, this.empty);
  }

  /**
   * Show the cards that may lie in a hand.
   * @param view display, mode, pending, hand that a card comes from, and if they are known
   *   the cards that it holds, and those that were played
   */
  update({ display, mode, pending, hand, held, gone }) {
    this.hand = hand;
    for (const [card, element] of this.#keys) {
      const isHere = !held || held.includes(card);
      const locked = isLocked(display, this.#keyOf(card, mode));
      set(element, {
        hidden: !isHere,
        class: `key card${gone.has(card) ? " gone" : ""}`,
        "aria-disabled": locked ? "true" : null,
        "aria-label": locked ? t("locked.key", { key: cardName(card) })
          : cardName(card) + (gone.has(card) ? `, ${t("cards.gone")}` : ""),
        "aria-pressed": pending?.card === card ? "true" : "false",
      });
    }
    for (const [suit, row] of this.#suits) {
      set(row, { hidden: Boolean(held) && !held.some((card) => card[0] === suit) });
    }
    set(this.element, { "data-few": held ? true : null });
    this.empty.hidden = !held || held.length > 0;
    this.named.hidden = mode !== "named";
    for (const [word, element] of this.#words) {
      set(element, { "aria-pressed": pending?.card === word ? "true" : "false" });
    }
  }

  #key(card) {
    const element = button({ "data-card": card, onclick: () => this.#pick(card, cardFace(card)) },
      h("span", { class: `face suit-${card[0]}`, "aria-hidden": "true" }, rankShown(card[1])));
    this.#keys.set(card, element);
    return element;
  }

  #word(word, face, name) {
    const element = button({ class: "key word", "data-named": word, "aria-label": name,
      onclick: () => this.#pick(word, face.cloneNode?.(true) ?? face, name) }, face);
    this.#words.set(word, element);
    return element;
  }

  #keyOf(card, mode) {
    return { kind: mode, hand: MOVES.includes(mode) ? this.hand : null, data: [card] };
  }

  #pick(card, face, name = cardName(card)) {
    const key = this.#keyOf(card, this.user.mode());
    this.user.pick({ key, card, face, name });
  }
}
