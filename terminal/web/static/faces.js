// Calls and cards as people see them: a symbol in the suit's colour, never colour alone.

import { h } from "./dom.js";
import { cardName, rankShown, RANKS, SUITS, SYMBOLS, t } from "./texts.js";

/** The symbol of a suit, with its letter beside it where there is room. */
export function suitFace(suit, { letter = false } = {}) {
  const shown = [h("span", { class: "symbol" }, `${SYMBOLS[suit]}\u{FE0E}`)];
  if (letter) shown.push(h("span", { class: "letter" }, t(`letter.${suit}`)));
  return h("span", { class: `suit suit-${suit}`, "aria-hidden": "true" }, shown);
}

/** A call: pass, double, redouble or a bid. */
export function callFace(call, options) {
  const face = h("span", { class: "face", "aria-hidden": "true" });
  if (call === "P" || call === "X" || call === "XX") {
    face.append(h("span", { class: `call-${call}` }, call === "P" ? t("call.P") : call));
  } else {
    const [level, denomination] = [call[0], call.slice(1)];
    face.append(level);
    face.append(denomination === "NT"
      ? h("span", { class: "suit suit-NT" }, t("letter.NT"))
      : suitFace(denomination, options));
  }
  return face;
}

/** A card. */
export function cardFace(card) {
  return h("span", { class: "face", "aria-hidden": "true" },
    suitFace(card[0]), rankShown(card[1]));
}

/** The cards of a hand, suit by suit. */
export function holding(cards) {
  return SUITS.map((suit) => {
    const ranks = RANKS.filter((rank) => cards.includes(suit + rank));
    const names = ranks.map((rank) => cardName(suit + rank)).join(", ");
    return h("span", { class: "holding" }, suitFace(suit),
      h("span", { class: `suit-${suit}`, "aria-hidden": "true" },
        ranks.map(rankShown).join(" ") || "–"),
      h("span", { class: "unseen" }, names));
  });
}

/** Text of the referee's, in which symbols of suits get their colours. */
export function prompt(line) {
  const names = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  return line.split(/([♠♥♦♣])/).map((part) =>
    names[part] ? h("span", { class: `suit-${names[part]}` }, `${part}\u{FE0E}`) : part);
}
