// Who this page is: from its address, or typed in.

import { button, h } from "./dom.js";
import { crc32 } from "./frames.js";
import { MemoryLog, StoredLog } from "./log.js";
import { readCode } from "./pairing.js";
import { SEATS, t } from "./texts.js";

const utf8 = new TextEncoder();

/**
 * What stands after the # of the address: `<terminal>-<code>`, and of a demo the hands
 * that the person holds, `&hands=1S:AKQ.J2.…;2S:…` by board and seat in PBN's order of
 * suits. Null when it names no terminal.
 */
export function readAddress(fragment) {
  let text;
  try {
    text = decodeURIComponent(fragment.replace(/^#/, ""));
  } catch {
    return null;
  }
  const [who, ...rest] = text.split("&");
  const match = /^([a-z0-9_-]{1,32})-([0-9A-Za-z]{10})$/.exec(who);
  const code = match && readCode(match[2]);
  if (!code) return null;
  const more = new URLSearchParams(rest.join("&"));
  return { terminal: match[1], code, hands: readHands(more.get("hands") ?? "") };
}

/** By `board seat` the cards of a hand. */
function readHands(text) {
  const hands = new Map();
  for (const [, board, seat, held] of text.matchAll(/(\d+)([NESW]):([^;]*)/g)) {
    const suits = held.split(".");
    const cards = suits.flatMap((ranks, i) => [...ranks].map((rank) => "SHDC"[i] + rank));
    hands.set(`${board} ${seat}`, cards);
  }
  return hands;
}

export function randomBytes(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** A random number below another, which is at most 2³². */
function below(limit) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return Math.floor((number / 2 ** 32) * limit);
}

/** The log and the serial number that this browser has as a terminal of this code. */
export function memoryOf({ terminal, code }) {
  const name = `bidwire.${terminal}.${crc32(utf8.encode(code)).toString(16)}`;
  const hex = () => [...randomBytes(4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const serial = localStorage.getItem(`${name}.serial`) ?? `web-${hex()}`;
    localStorage.setItem(`${name}.serial`, serial);
    return { serial, log: new StoredLog(localStorage, name, below) };
  } catch {
    // No storage here, or what stands in it is none of ours: nothing outlives the page.
    return { serial: `web-${hex()}`, log: new MemoryLog(below(2 ** 32)) };
  }
}

/** What lasts as long as the tab; null where the browser keeps nothing. */
export function tabStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** What the daemon says of a terminal: its seats, its language; null if there is none. */
export async function aboutOf(terminal) {
  const answer = await fetch(`terminals/${encodeURIComponent(terminal)}`);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${answer.status}`);
  const about = await answer.json();
  return { ...about, seats: SEATS.filter((seat) => about.seats.includes(seat)) };
}

/** The form in which terminal and code are typed in. */
export function joinForm(why) {
  const terminal = h("input", { id: "terminal", autocomplete: "off", autocapitalize: "none",
    spellcheck: "false" });
  const code = h("input", { id: "code", autocomplete: "off", autocapitalize: "characters",
    spellcheck: "false" });
  const wrong = h("p", { class: "notice", role: "alert" }, why);
  const go = (event) => {
    event.preventDefault();
    const read = readCode(code.value);
    const id = terminal.value.trim().toLowerCase();
    if (!read || !/^[a-z0-9_-]{1,32}$/.test(id)) {
      wrong.textContent = t("join.malformed");
      return;
    }
    location.hash = `${id}-${read}`;
    location.reload();
  };
  return h("section", { class: "join" }, h("h1", {}, t("join")), wrong,
    h("p", {}, t("join.about")),
    h("form", { onsubmit: go }, h("label", { for: "terminal" }, t("join.terminal")), terminal,
      h("label", { for: "code" }, t("join.code")), code,
      h("button", { class: "primary", type: "submit" }, t("join.go"))),
    button({ class: "quiet", onclick: () => location.reload() }, t("again")));
}
