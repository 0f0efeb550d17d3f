// The page's texts, in the terminal's language: one catalogue per language in texts/.

const LANGUAGES = ["en", "es"];
let texts = {};

/** Load the catalogue of a language; English for one that there is none of. */
export async function speak(language) {
  const known = LANGUAGES.includes(language) ? language : LANGUAGES[0];
  const answer = await fetch(`texts/${known}.json`);
  if (!answer.ok) throw new Error(`texts/${known}.json: ${answer.status}`);
  texts = await answer.json();
  document.documentElement.lang = known;
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
