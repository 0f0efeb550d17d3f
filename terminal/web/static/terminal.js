// The page: a table terminal around `link.js`, for one seat or all four.

import { Rejected } from "./codec.js";
import { button, fill, h, set } from "./dom.js";
import { aboutOf, joinForm, memoryOf, randomBytes, readAddress, tabStorage } from "./joining.js";
import { isLocked } from "./keys.js";
import { TerminalLink } from "./link.js";
import { LogTakenError, StorageFailedError } from "./log.js";
import { callDirector, help } from "./more.js";
import { Pads } from "./pads.js";
import { keyOfCode } from "./pairing.js";
import { isAsked, SeatDisplay } from "./seat.js";
import { Carrier } from "./socket.js";
import { Played, tableView } from "./table.js";
import { speak, t } from "./texts.js";

const FIRMWARE = "web 1";
const COLUMNS = 32;
const ROWS = 12;
const LATE_S = 2;
const GONE_S = 10; // without a byte, after which a connection is taken for dead
const SAID_MS = 4000;
const MOVES = ["card", "cards", "exposed", "moved"];
const now = () => performance.now() / 1000;
const app = document.getElementById("app");

class Page {
  #timer = null;

  #late = null;

  #saying = null;

  #heard = 0; // when something came last on this connection

  #asked = new Map();

  #due = null; // a seat that has begun to be asked, to come to the front

  constructor(address, about) {
    const { serial, log } = memoryOf(address);
    const { seats } = about;
    const identity = {
      serial, firmware: FIRMWARE, seats, columns: COLUMNS, rows: ROWS, encoding: "utf-8",
      profile: seats.length === 4 ? "four-seats" : "calls-and-cards",
    };
    const key = keyOfCode(address.code, address.terminal);
    this.link = new TerminalLink(identity, log, () => randomBytes(16), key);
    this.log = log;
    this.about = about;
    this.hands = address.hands;
    this.seat = seats[0];
    this.table = null;
    this.played = new Played(tabStorage());
    this.ended = "";
    this.refusal = "";
    this.#build();
    const query = new URLSearchParams({ terminal: address.terminal });
    const url = new URL(`terminal?${query}`, location.href.replace(/#.*/, ""));
    url.protocol = url.protocol.replace("http", "ws");
    this.carrier = new Carrier(url.href, this);
  }

  /** Begin to speak as the terminal. */
  join() {
    addEventListener("storage", () => this.#lookForOthers());
    setInterval(() => this.#keepAwake(), 30000);
    this.carrier.open();
    this.update();
  }

  // -- the carrier tells us ---------------------------------------------------------

  opened() {
    this.ended = "";
    this.#heard = now();
    this.link.opened(now());
    this.#flush();
  }

  received(bytes) {
    this.#heard = now();
    this.link.receiveData(bytes, now());
    this.#flush();
  }

  told(text) {
    const state = JSON.parse(text);
    if (state.schema !== "bidwire.table/1") return;
    // Fields with a default may be left out (J1).
    const absent = { trick: [], last_trick: [], tricks: {}, dummy: [], auction: [],
      vulnerable: [], contract: null, board: 0, play: 0, dealer: null, turn: null };
    this.table = { ...absent, ...state };
    this.played.see(this.table);
    this.update();
  }

  lost() {
    if (this.link.state !== "closed") this.link.closed();
    this.#flush();
  }

  endedBy(why) {
    this.ended = why;
    this.update();
  }

  // -- keys -------------------------------------------------------------------------

  /** Press a key of the selected seat, or of another. */
  send(key, seat = this.seat) {
    const display = this.link.displays.get(seat);
    if (isLocked(display, key)) {
      this.say(display ? t("locked") : t("display.none"));
      return false;
    }
    try {
      this.link.press({ ...key, seat }, now());
    } catch (error) {
      if (error instanceof Rejected) this.say(t("too-long"));
      else if (error instanceof LogTakenError) this.#lookForOthers();
      else if (error instanceof StorageFailedError) this.say(t("storage"));
      else this.say(t("full"));
      this.update();
      return false;
    }
    navigator.vibrate?.(15);
    this.#flush();
    return true;
  }

  choose(seat, [kind, data]) {
    const hand = MOVES.includes(kind) ? this.link.displays.get(seat).hand : null;
    if (this.send({ kind, hand, data }, seat)) this.sayPressed();
  }

  /** Say that a key is on its way, or kept until the connection is back. */
  sayPressed(what = "") {
    const isUp = this.link.state === "up";
    if (what) this.say(t(isUp ? "made" : "made-kept", { what }));
    else this.say(t(isUp ? "sent" : "kept"));
  }

  /** Say something that passes. */
  say(text) {
    clearTimeout(this.#saying);
    this.toast.textContent = text;
    set(this.toast, { "data-shown": true });
    this.#saying = setTimeout(() => set(this.toast, { "data-shown": null }), SAID_MS);
  }

  /** Show the stop card for a while, or until it is touched. */
  stop(ms) {
    this.stopCard.hidden = false;
    setTimeout(() => {
      this.stopCard.hidden = true;
    }, ms);
  }

  select(seat) {
    this.#due = null;
    if (seat === this.seat) return;
    this.seat = seat;
    this.pads.reset();
    this.pads.follow();
    this.update();
  }

  // -- what is shown ----------------------------------------------------------------

  get display() {
    return this.link.displays.get(this.seat);
  }

  /** The terminal's own message (E8). */
  get notice() {
    if (this.ended) return t(`ended.${this.ended}`);
    if (this.link.state === "refused") return t("refused", { reason: this.refusal });
    if (this.log.isFull) return t("full");
    const waiting = this.log.entries;
    const late = waiting.length && (this.link.state !== "up" || waiting[0].pressed === null
      || now() - waiting[0].pressed >= LATE_S);
    return late ? t("unsent", { count: waiting.length }) : "";
  }

  #build() {
    const { seats } = this.about;
    const user = {
      select: (seat) => this.select(seat),
      choose: (seat, choice) => this.choose(seat, choice),
    };
    this.pads = new Pads(this);
    this.displays = new Map(seats.map((seat) => [seat, new SeatDisplay(seat, user)]));
    this.linkState = h("span", { class: "link", role: "status" });
    this.view = h("section", { class: "table", "aria-label": t("table") });
    this.tabs = h("div", { class: "tabs", role: "group", "aria-label": t("seats") },
      seats.length > 1 ? seats.map((seat) => button({
        class: "tab", "data-seat": seat, onclick: () => this.select(seat),
      }, h("span", { "aria-hidden": "true" }, t(`short.${seat}`)),
      h("span", { class: "unseen" }, t(`seat.${seat}`)))) : []);
    this.toast = h("p", { class: "toast", role: "status", "aria-live": "polite" });
    this.stopCard = button({ class: "stop-card", hidden: true, onclick: (event) => {
      event.currentTarget.hidden = true;
    } }, t("stop"));
    this.rejoin = button({ class: "primary", hidden: true, onclick: () => location.reload() },
      t("ended.again"));
    const isDemo = this.hands.size > 0;
    app.replaceChildren(
      h("header", { class: "top" }, h("h1", {}, t("title", { table: this.about.table })),
        this.linkState,
        button({ class: "quiet help", onclick: () => help(isDemo) },
          isDemo ? t("help.try") : "?", h("span", { class: "unseen" }, t("help"))),
        button({ class: "director", onclick: () => callDirector((key) => this.sendSeldom(key)) },
          t("director"))),
      this.tabs,
      h("div", { class: `room seats-${seats.length}` },
        h("div", { class: "seats" }, [...this.displays.values()].map((each) => each.element),
          this.view),
        h("div", { class: "keys-of-seat" }, this.rejoin, this.pads.element)),
      this.pads.bar, this.toast, this.stopCard);
    set(app, { "aria-busy": null });
  }

  /** Press a key that is not on the pads. */
  sendSeldom(key) {
    if (this.send(key)) this.sayPressed();
  }

  /** A display that has begun to ask brings its seat and its pad to the front. */
  #follow() {
    const begun = this.about.seats.filter((seat) => {
      const display = this.link.displays.get(seat);
      const asks = isAsked(display) ? `${display.ask} ${display.hand} ${display.at}` : "";
      const before = this.#asked.get(seat);
      this.#asked.set(seat, asks);
      return asks && asks !== before;
    });
    const others = begun.filter((seat) => seat !== this.seat);
    if (others.length) [this.#due] = others;
    if (begun.includes(this.seat)) {
      this.#due = null;
      this.pads.follow();
    }
    // The seat in front may still be shown as asked, until its next display has come.
    if (this.#due && !isAsked(this.display) && !this.pads.isPicked) {
      if (isAsked(this.link.displays.get(this.#due))) this.select(this.#due);
      this.#due = null;
    }
  }

  update() {
    const { notice } = this;
    for (const [seat, shown] of this.displays) {
      shown.update({
        display: this.link.displays.get(seat), isSelected: seat === this.seat,
        notice: seat === this.seat ? notice : "",
      });
      set(shown.element, { "data-selected": seat === this.seat ? true : null });
    }
    for (const tab of this.tabs.children) {
      const { seat } = tab.dataset;
      const asked = isAsked(this.link.displays.get(seat));
      set(tab, { "aria-pressed": `${seat === this.seat}`, class: `tab${asked ? " asked" : ""}` });
    }
    const isUp = this.link.state === "up";
    set(this.linkState, { "data-state": isUp ? "up" : "down" });
    this.linkState.textContent = isUp ? t("link.up") : t("link.down");
    fill(this.view, tableView(this.table));
    this.rejoin.hidden = !["replaced", "taken", "refused", "unknown"].includes(this.ended);
    this.pads.element.hidden = !this.rejoin.hidden;
    if (!this.rejoin.hidden) this.pads.reset();
    this.pads.update();
    this.#armLate();
  }

  #armLate() {
    clearTimeout(this.#late);
    const [first] = this.log.entries;
    if (!first || first.pressed === null || this.link.state !== "up") return;
    const wait = first.pressed + LATE_S - now();
    if (wait > 0) this.#late = setTimeout(() => this.update(), wait * 1000 + 20);
  }

  // -- the link ---------------------------------------------------------------------

  /** Act on what the link brought, send what it has, set its timer. */
  #flush() {
    for (const { event, reason, text } of this.link.occurrences()) {
      if (event === "refused") this.refusal = text || reason;
    }
    this.carrier.send(this.link.dataToSend());
    clearTimeout(this.#timer);
    const due = this.link.deadline();
    if (due !== null) {
      this.#timer = setTimeout(() => this.#tick(), Math.max(0, (due - now()) * 1000));
    }
    this.#follow();
    this.update();
  }

  #tick() {
    this.link.vitals = [null, null, Math.floor(now()), "power"];
    this.link.tick(now());
    this.#flush();
    if (this.link.state !== "closed" && now() - this.#heard > GONE_S) this.carrier.again();
  }

  /** Give way when another page of this browser has become the terminal. */
  #lookForOthers() {
    if (!this.log.isTaken || this.ended === "taken") return;
    this.carrier.stop();
    this.ended = "taken";
    this.update();
  }

  async #keepAwake() {
    if (document.hidden || this.wakeLock?.released === false) return;
    try {
      this.wakeLock = await navigator.wakeLock?.request("screen");
    } catch { /* the device decides */ }
  }
}

/** Show the page of the terminal that the address names, or ask which one it is. */
async function start() {
  const address = readAddress(location.hash);
  const known = (navigator.language ?? "en").slice(0, 2);
  try {
    const about = address && await aboutOf(address.terminal);
    await speak(about?.language ?? known);
    if (!about) {
      app.replaceChildren(joinForm(address ? t("ended.unknown") : ""));
      set(app, { "aria-busy": null });
      return;
    }
    document.title = `${about.seats.map((seat) => t(`seat.${seat}`)).join(" ")} · Bidwire`;
    new Page(address, about).join();
  } catch (error) {
    setTimeout(start, 3000); // the daemon restarts, or the network is not there yet
    if (!(error instanceof TypeError)) throw error;
  }
}

addEventListener("hashchange", () => location.reload());
start();
