// The table as everyone sees it: auction, trick, dummy. It comes beside the stream (F17).

import { h } from "./dom.js";
import { callFace, cardFace, holding } from "./faces.js";
import { callName, cardName, SEATS, t } from "./texts.js";

const COLUMNS = ["W", "N", "E", "S"];
const next = (seat) => SEATS[(SEATS.indexOf(seat) + 1) % 4];
const said = (text) => h("span", { class: "unseen" }, text);

/** The view of a table's public facts, as elements. */
export function tableView(state) {
  if (!state || !state.board) return [];
  const parts = [heading(state)];
  if (state.contract) {
    parts.push(contract(state), trick(state));
    if (state.dummy.length) parts.push(dummy(state));
  }
  if (state.phase === "auction" || !state.contract) parts.push(auction(state));
  else if (state.auction.length) {
    parts.push(h("details", {}, h("summary", {}, t("table.auction")), auction(state)));
  }
  return parts;
}

function heading({ board, dealer, vulnerable }) {
  const sides = vulnerable.length === 2 ? t("table.both")
    : vulnerable.map((side) => t(`side.${side}`)).join() || t("table.none");
  return h("p", { class: "board-line" },
    h("strong", {}, t("table.board", { board })),
    dealer ? ` · ${t("table.dealer", { seat: t(`seat.${dealer}`) })}` : "",
    ` · ${t("table.vulnerable", { sides })}`);
}

function auction({ auction: calls, dealer, vulnerable, turn, phase }) {
  const isRed = (seat) => vulnerable.includes("NS".includes(seat) ? "NS" : "EW");
  const cells = [];
  const first = calls[0]?.seat ?? dealer ?? "W";
  for (const seat of COLUMNS) {
    if (seat === first) break;
    cells.push(h("td", {}));
  }
  let at = first;
  for (const { seat, call, alerted, explanation } of calls) {
    for (; at !== seat; at = next(at)) cells.push(h("td", {}, "–")); // he lost his turn
    cells.push(h("td", { class: alerted ? "alerted" : null, title: explanation || null },
      callFace(call), said(callName(call)),
      alerted ? h("span", { class: "mark" }, "!", said(t("alerted"))) : null,
      explanation ? h("small", {}, explanation) : null));
    at = next(seat);
  }
  if (phase === "auction" && turn) cells.push(h("td", { class: "to-act" }, "?"));
  const rows = [];
  for (let i = 0; i < cells.length; i += 4) rows.push(h("tr", {}, cells.slice(i, i + 4)));
  return h("table", { class: "auction" },
    h("caption", { class: "unseen" }, t("table.auction")),
    h("thead", {}, h("tr", {}, COLUMNS.map((seat) =>
      h("th", { scope: "col", class: isRed(seat) ? "vulnerable" : null },
        t(`seat.${seat}`))))),
    h("tbody", {}, rows));
}

function contract({ contract: { level, denomination, risk, declarer }, tricks }) {
  return h("p", { class: "contract" },
    callFace(`${level}${denomination}`), said(callName(`${level}${denomination}`)), risk,
    ` ${t("table.by", { seat: t(`seat.${declarer}`) })}`,
    h("span", { class: "tricks" }, t("table.tricks", { ns: tricks.NS ?? 0, ew: tricks.EW ?? 0 })));
}

function trick({ trick: now, last_trick: last, turn }) {
  const shown = now.length ? now : last;
  const places = SEATS.map((seat) => {
    const played = shown.find((each) => each.hand === seat);
    const acts = turn === seat ? " to-act" : "";
    return h("div", { class: `place place-${seat}${acts}` },
      h("span", { class: "of" }, t(`short.${seat}`)),
      played ? [cardFace(played.card), said(cardName(played.card))] : "");
  });
  return h("div", { class: `trick${now.length ? "" : " old"}`, role: "group",
    "aria-label": now.length ? t("table.trick") : t("table.last") }, places);
}

function dummy({ dummy: cards, contract: { declarer } }) {
  const seat = next(next(declarer));
  return h("div", { class: "dummy", role: "group", "aria-label": t("table.dummy") },
    h("span", { class: "of" }, `${t("table.dummy")} (${t(`seat.${seat}`)})`),
    holding(cards));
}

/** Which cards have been seen to leave each hand, trick by trick of the running play. */
export class Played {
  #play = 0;

  #tricks = new Map();

  #now = [];

  /** @param storage as sessionStorage, null for none: it is a convenience */
  constructor(storage) {
    this.storage = storage;
    try {
      const { play, tricks } = JSON.parse(storage.getItem("bidwire.played")) ?? {};
      this.#play = play ?? 0;
      this.#tricks = new Map(tricks ?? []);
    } catch {
      this.#play = 0;
    }
  }

  /** Take in what the table shows now. */
  see({ play, trick, last_trick: last, tricks }) {
    if (play !== this.#play) {
      this.#play = play;
      this.#tricks.clear();
    }
    const count = (tricks.NS ?? 0) + (tricks.EW ?? 0);
    for (const number of this.#tricks.keys()) {
      if (number >= count) this.#tricks.delete(number); // taken back
    }
    if (last.length) this.#tricks.set(count, last);
    this.#now = trick;
    try {
      this.storage.setItem("bidwire.played",
        JSON.stringify({ play, tricks: [...this.#tricks] }));
    } catch { /* it is a convenience */ }
  }

  /** The cards that have left a hand. */
  of(hand) {
    const all = [...this.#tricks.values(), this.#now].flat();
    return new Set(all.filter((each) => each.hand === hand).map(({ card }) => card));
  }
}
