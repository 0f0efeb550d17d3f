// What a player does seldom: the Director, claims, attention, corrections.

import { button, h, set } from "./dom.js";
import { isLocked } from "./keys.js";
import { SEATS, t } from "./texts.js";

const COUNT = (last, first = 0) => Array.from({ length: last - first + 1 }, (_, i) => i + first);

/** A dialogue with a heading, that Escape and its button close. */
export function dialogue(title, ...content) {
  const heading = h("h2", {}, title);
  const element = h("dialog", { "aria-label": title }, h("form", { method: "dialog" },
    h("header", {}, heading,
      h("button", { class: "quiet", value: "", "aria-label": t("close") }, "✕"))), content);
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/** A choice of one among buttons; `pick` is told the value. */
function choices(label, values, pick, shown = String) {
  const keys = values.map((value) => button({
    class: "key", "data-value": value, "aria-pressed": "false",
    onclick: () => {
      for (const key of keys) set(key, { "aria-pressed": "false" });
      set(keys[values.indexOf(value)], { "aria-pressed": "true" });
      pick(value);
    },
  }, shown(value)));
  return h("div", { class: "choices", role: "group", "aria-label": label },
    h("span", { class: "label" }, label), h("div", { class: "keys" }, keys));
}

/** A button that sends, once what it needs has been chosen. */
function sender(text, ready, send, style = "primary") {
  const element = button({ class: style, disabled: !ready() }, text);
  element.addEventListener("click", () => {
    if (ready()) {
      element.closest("dialog").close();
      send();
    }
  });
  return { element, update: () => set(element, { disabled: !ready() }) };
}

/** Ask for the Director (silently, with a reason). */
export function callDirector(send) {
  const silent = h("input", { type: "checkbox", id: "silent" });
  const reason = h("input", { type: "text", id: "reason", maxlength: 120, autocomplete: "off" });
  const call = sender(t("director.call"), () => true, () => {
    const said = reason.value.trim();
    const data = silent.checked || said ? [silent.checked] : [];
    if (said) data.push(said);
    send({ kind: "director", hand: null, data });
  }, "director");
  dialogue(t("director"), h("label", { class: "check", for: "silent" }, silent, t("director.silent")),
    h("label", { for: "reason" }, t("director.reason")), reason, call.element);
}

function ofTricks(kind, send) {
  let tricks = null;
  const ok = sender(t("send"), () => tricks !== null,
    () => send({ kind, hand: null, data: [tricks] }));
  dialogue(t(`more.${kind}`), choices(t("more.tricks"), COUNT(13), (value) => {
    tricks = value;
    ok.update();
  }), ok.element);
}

function ofRevoke(seat, send) {
  let accused = null;
  let trick = null;
  const ok = sender(t("send"), () => accused !== null && trick !== null,
    () => send({ kind: "attention-revoke", hand: null, data: [accused, trick] }));
  dialogue(t("more.attention-revoke"),
    choices(t("more.accused"), SEATS.filter((each) => each !== seat), (value) => {
      accused = value;
      ok.update();
    }, (each) => t(`seat.${each}`)),
    choices(t("more.trick"), COUNT(13, 1), (value) => {
      trick = value;
      ok.update();
    }), ok.element);
}

function ofBoard(display, send) {
  const number = h("input", { type: "number", id: "board", min: 1, max: 65535, inputmode: "numeric",
    value: display?.board ? display.board + 1 : "" });
  const value = () => Number(number.value);
  const ready = () => Number.isInteger(value()) && value() >= 1 && value() <= 65535;
  const ok = sender(t("send"), ready, () => send({ kind: "board", hand: null, data: [value()] }));
  number.addEventListener("input", () => ok.update());
  dialogue(t("more.board"), h("label", { for: "board" }, t("more.number")), number, ok.element);
}

/** Keys with no data: each is sent after it has been confirmed. */
function ofNothing(kind, send) {
  const ok = sender(t("send"), () => true, () => send({ kind, hand: null, data: [] }));
  dialogue(t(`more.${kind}`), h("p", {}, t(`more.${kind}.about`)), ok.element);
}

const KINDS = ["claim", "concede", "attention", "attention-revoke", "undo", "board", "play-on",
  "spread", "face-down"];
export const MODES = { call: ["call", "change", "replace"],
  card: ["card", "named", "exposed", "moved", "change", "replace"] };

/** The menu of what is done seldom. */
export function moreMenu({ seat, display, send, say }) {
  const open = { claim: ofTricks, concede: ofTricks };
  const keys = KINDS.map((kind) => {
    const data = { "attention-revoke": ["N", 1], board: [1] }[kind] ?? [];
    const locked = isLocked(display, { kind, data });
    return button({
      class: "key wide", "data-kind": kind, "aria-disabled": locked ? "true" : null,
      onclick: (event) => {
        if (locked) {
          say(t("locked.key", { key: t(`more.${kind}`) }));
          return;
        }
        event.target.closest("dialog").close();
        if (open[kind]) open[kind](kind, send);
        else if (kind === "attention-revoke") ofRevoke(seat, send);
        else if (kind === "board") ofBoard(display, send);
        else ofNothing(kind, send);
      },
    }, t(`more.${kind}`));
  });
  dialogue(t("more"), h("div", { class: "menu" }, keys));
}

/** What to try, for someone who has never seen a bidding box with a referee behind it. */
export function help(isDemo) {
  const topics = isDemo ? ["out-of-turn", "insufficient", "revoke", "director", "offline"]
    : ["call", "card", "more", "director", "offline"];
  dialogue(t(isDemo ? "help.try" : "help"), h("dl", {}, topics.flatMap((topic) => [
    h("dt", {}, t(`help.${topic}`)), h("dd", {}, t(`help.${topic}.text`))])));
}
