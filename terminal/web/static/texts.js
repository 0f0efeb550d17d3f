// The page's texts, in the terminal's language, from the catalogues of the daemon.

let texts = {};

/** Load the texts of a language; the daemon gives English for one that it has not. */
export async function speak(language) {
  const address = `texts/${encodeURIComponent(language)}.json`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  texts = await answer.json();
  document.documentElement.lang = answer.headers.get("Content-Language");
}

/** A text by its name, with values in place of {names}. */
export function t(name, values = {}) {
  return (texts[name] ?? name).replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
}

export const SUITS = ["S", "H", "D", "C"];
export const RANKS = [..."AKQJT98765432"];
export const SEATS = ["N", "E", "S", "W"];
export const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** A rank as it is shown: the wire's T is a ten. */
export const rankShown = (rank) => (rank === "T" ? "10" : rank);

/** The name of a call, for a reader of the screen. */
export function callName(call) {
  if (call === "P" || call === "X" || call === "XX") return t(`call.${call}`);
  return `${call[0]} ${t(`${call[0] === "1" ? "one" : "suit"}.${call.slice(1)}`)}`;
}

/** The name of a card, for a reader of the screen. */
export const cardName = (card) =>
  t("card.name", { rank: t(`rank.${card[1]}`), suit: t(`suit.${card[0]}`) });
