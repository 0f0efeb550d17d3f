// The terminal's end of a link: answers, logs events, sends them until acknowledged.
//
// Clauses O, S, E, R and D of protocol/README.md. No input or output: a shell says what
// happens and when (`now` in seconds of a clock that never goes back), and asks for
// `dataToSend`, `occurrences` and `deadline` after every call.

import { decode, encode, Reassembler, Rejected, sameBytes } from "./codec.js";
import { FrameDecoder, frameOf } from "./frames.js";
import { daemonProof, terminalProof } from "./pairing.js";
import { after, isAfter, outgoing, UNKNOWN_AGE } from "./log.js";

const VERSION = 1;
const OPENING_S = 2;
const REFUSED_S = 30;
const SILENCE_S = 2;
const DOWN_S = 6;
const VITALS_S = 10;
const REPEAT_S = [1, 2, 4, 8, 16, 30];
const AGAIN_S = 0.2;
const WINDOW = 16;
const OUTBOX_MAX = 16384;
const EMPTY = new Uint8Array();

/** A timer for repeats (R1). */
class Repeat {
  due = null;

  #step = 0;

  start(now) {
    this.#step = 0;
    this.due = now + REPEAT_S[0];
  }

  again(now) {
    this.#step = Math.min(this.#step + 1, REPEAT_S.length - 1);
    this.due = now + REPEAT_S[this.#step];
  }

  hasten(due) {
    this.due = this.due === null ? due : Math.min(this.due, due);
  }

  stop() {
    this.due = null;
  }

  isDue(now) {
    return this.due !== null && now >= this.due;
  }
}

const nameOf = ({ boot, n }) => `${boot} ${n}`;

export class TerminalLink {
  state = "closed"; // or "opening", "up", "refused"

  /** What PING says: battery, signal, uptime in s, why it restarted. */
  vitals = [null, null, 0, ""];

  /** By seat what it shows. */
  displays = new Map();

  #decoder = new FrameDecoder();

  #parts = new Reassembler();

  #outbox = [];

  #occurrences = [];

  #partId = 0;

  #announceDue = null;

  #heard = 0;

  #pinged = 0;

  #daemonNonce = EMPTY;

  #nonce = EMPTY;

  #numbered = new Map();

  #acked = null;

  #ackedHere = false;

  #sent = new Map(); // what is in flight, by place, since when

  #resend = new Repeat();

  /**
   * @param identity what HELLO says: serial, firmware, seats, columns, rows, encoding, profile
   * @param log of its events, as in log.js
   * @param nonce gives 16 fresh random bytes at each call
   * @param key where the link is paired, else null
   */
  constructor(identity, log, nonce, key = null) {
    this.identity = identity;
    this.log = log;
    this.freshNonce = nonce;
    this.key = key;
  }

  // -- the shell's side -------------------------------------------------------------

  /** The carrier is open. */
  opened(now) {
    this.#decoder.reset();
    this.#beginOpening(now);
  }

  /** The carrier is closed or lost; what was to be sent on it is dropped. */
  closed() {
    this.#leaveUp("carrier");
    this.state = "closed";
    this.#outbox = [];
    this.#announceDue = null;
  }

  /** Take bytes from the carrier; any bytes whatever. */
  receiveData(bytes, now) {
    if (this.state === "closed") return;
    for (const body of this.#decoder.receive(bytes)) this.#take(body, now, false);
  }

  /** Bytes for the carrier, each once. */
  dataToSend() {
    const data = Uint8Array.from(this.#outbox);
    this.#outbox = [];
    return data;
  }

  /** What the shell must act on, each once, in order. */
  occurrences() {
    const occurrences = this.#occurrences;
    this.#occurrences = [];
    return occurrences;
  }

  /** The time at which `tick` wants to be called, null for never. */
  deadline() {
    const due = [this.#announceDue];
    if (this.state === "up") due.push(this.#heard + DOWN_S, this.#pingDue(), this.#resend.due);
    const times = due.filter((time) => time !== null);
    return times.length ? Math.min(...times) : null;
  }

  /** Do what is due. */
  tick(now) {
    if (this.state === "up" && now >= this.#heard + DOWN_S) {
      this.#leaveUp("silence");
      this.#beginOpening(now);
    }
    if (this.#announceDue !== null && now >= this.#announceDue) this.#hello(now);
    if (this.state !== "up") return;
    if (now >= this.#pingDue()) {
      this.#pinged = now;
      this.#send({ message: "PING", token: 0, vitals: this.vitals });
    }
    if (this.#resend.isDue(now)) {
      this.#resend.again(now);
      this.#sent.clear();
      this.#fill(now);
    }
  }

  /**
   * Log what a user does now, as an answer to what his seat shows (E2, E7).
   * Throws Rejected for what breaks a rule of the wire, and what the log throws.
   */
  press({ seat, kind, hand, data }, now) {
    const { play = 0, rev = 0 } = this.displays.get(seat) ?? {};
    const { boot, next } = this.log;
    const event = { message: "EVENT", boot, n: next, seat, play, rev, age_ms: 0, kind, hand, data };
    encode(event); // before it is kept: what cannot be sent must not block the log
    this.log.append(event, now);
    if (this.state === "up") this.#fill(now);
    return event;
  }

  /** How many events wait for their ACK. */
  get unacknowledged() {
    return this.log.entries.length;
  }

  // -- opening ----------------------------------------------------------------------

  #beginOpening(now) {
    this.state = "opening";
    this.#daemonNonce = EMPTY;
    this.#nonce = this.freshNonce();
    this.#parts.reset();
    this.#hello(now);
  }

  #hello(now) {
    const { log, identity } = this;
    const isProved = this.key !== null && this.#daemonNonce.length > 0;
    this.#send({
      message: "HELLO",
      version: VERSION,
      ...identity,
      boot: log.boot,
      volatile: log.isVolatile,
      held: log.held(),
      nonce: this.#nonce,
      asked: this.#daemonNonce,
      proof: isProved
        ? terminalProof(this.key, this.#daemonNonce, this.#nonce, identity.serial)
        : EMPTY,
    });
    this.#announceDue = now + (this.state === "refused" ? REFUSED_S : OPENING_S);
  }

  #takeAsk({ nonce }, now) {
    this.#leaveUp("asked");
    this.state = "opening";
    this.#parts.reset();
    if (!sameBytes(nonce, this.#daemonNonce)) {
      this.#daemonNonce = nonce;
      this.#nonce = this.freshNonce();
    }
    this.#hello(now);
  }

  #takeWelcome(welcome, now) {
    if (this.state === "up" || !this.#isValid(welcome)) return;
    this.#numbered.clear(); // D4
    this.#ackedHere = false;
    this.#sent.clear();
    this.#resend.stop();
    this.#parts.reset();
    this.state = "up";
    this.#announceDue = null;
    this.#heard = now;
    this.#pinged = now;
    this.#occurrences.push({ event: "up" });
    this.#fill(now);
  }

  #isValid({ version, proof }) {
    if (version !== VERSION || !this.#daemonNonce.length) return false; // O4
    if (this.key === null) return true;
    const { serial } = this.identity;
    return sameBytes(proof, daemonProof(this.key, this.#daemonNonce, this.#nonce, serial));
  }

  #takeRefused({ reason, text }, now) {
    this.#leaveUp("refused");
    this.state = "refused";
    this.#announceDue = now + REFUSED_S;
    this.#occurrences.push({ event: "refused", reason, text });
  }

  #leaveUp(reason) {
    if (this.state === "up") this.#occurrences.push({ event: "down", reason });
  }

  // -- what comes -------------------------------------------------------------------

  #take(body, now, isWhole) {
    let message;
    try {
      message = decode(body);
      if (isWhole && message?.message === "PART") throw new Rejected("a part of a part");
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      this.#occurrences.push({ event: "rejected", reason: error.message });
      return;
    }
    this.#heard = now;
    if (message?.message === "PART") {
      const whole = this.#parts.receive(message);
      if (whole) this.#take(whole, now, true);
    } else if (message) {
      this.#handle(message, now);
    }
  }

  #handle(message, now) {
    const { message: name } = message;
    if (name === "ASK") this.#takeAsk(message, now);
    else if (name === "WELCOME") this.#takeWelcome(message, now);
    else if (name === "REFUSED") this.#takeRefused(message, now);
    else if (this.state !== "up") return;
    else if (name === "PING") {
      const { boot, next } = this.log;
      this.#send({ message: "PONG", token: message.token, boot, next });
    } else if (name === "ACK") this.#takeAck(message, now);
    else if (name === "DISPLAY") this.#takeDisplay(message);
  }

  #pingDue() {
    return Math.min(Math.max(this.#heard, this.#pinged) + SILENCE_S, this.#pinged + VITALS_S);
  }

  #takeDisplay(display) {
    const { seat, epoch, rev } = display;
    if (!this.identity.seats.includes(seat)) return;
    let shown = this.#numbered.get(seat);
    if (!shown || epoch > shown.epoch || (epoch === shown.epoch && rev > shown.rev)) {
      shown = { epoch, rev };
      this.#numbered.set(seat, shown);
      this.displays.set(seat, display);
      this.#occurrences.push({ event: "received", ...display });
    }
    this.#send({ message: "SHOWN", ...shown, seat });
  }

  // -- the log ----------------------------------------------------------------------

  #takeAck(ack, now) {
    const place = { boot: ack.boot, n: ack.n };
    if (!this.#mayName(place)) return;
    const before = this.#acked;
    const isRepeated = this.#ackedHere;
    this.#acked = place;
    this.#ackedHere = true;
    if (before === null || isAfter(place, before)) {
      this.log.forget(place);
      for (const [name, { item }] of this.#sent) {
        if (!isAfter(item, place)) this.#sent.delete(name);
      }
      this.#resend.stop();
      this.#fill(now);
      this.#occurrences.push({ event: "received", ...ack });
    } else if (isAfter(before, place) || isRepeated) {
      this.#goBack(now);
    }
  }

  /** Whether an ACK can name this place: it has been, or was before us (R7). */
  #mayName({ boot, n }) {
    if (boot === this.log.boot) return n < this.log.next;
    return boot < this.log.boot && !this.log.isVolatile;
  }

  /** The referee waits for the event after its last (R4). */
  #goBack(now) {
    const [first] = this.#window();
    if (!first) return;
    const sent = this.#sent.get(nameOf(first));
    if (!sent || now >= sent.at + AGAIN_S) {
      this.#sent.clear();
      this.#fill(now);
    } else {
      this.#resend.hasten(sent.at + AGAIN_S);
    }
  }

  #window() {
    return outgoing(this.log.held(), this.log.entries, this.#acked).slice(0, WINDOW);
  }

  /** Send what of the window is not on its way (R1, R2, R6). */
  #fill(now) {
    const window = this.#window();
    if (window.length && !this.#sent.has(nameOf(window[0]))) this.#sent.clear();
    for (const item of window) {
      if (this.#sent.has(nameOf(item))) continue;
      if (!this.#send(messageOf(item, now))) break;
      this.#sent.set(nameOf(item), { item, at: now });
    }
    if (!window.length) this.#resend.stop();
    else if (this.#resend.due === null) this.#resend.start(now);
  }

  /** Queue a message for the carrier, whole or not at all. */
  #send(message) {
    const bodies = encode(message, this.#partId);
    if (bodies.length > 1) this.#partId = (this.#partId + 1) % 256;
    const frames = bodies.flatMap((body) => [...frameOf(body)]);
    if (this.#outbox.length + frames.length > OUTBOX_MAX) return false;
    this.#outbox.push(...frames);
    return true;
  }
}

/** The EVENT with its age now (E5), or the LOST in its place (R6). */
function messageOf(item, now) {
  if (item.event === null) {
    return { message: "LOST", boot: item.boot, first: item.first, last: item.n };
  }
  const age = item.pressed === null ? UNKNOWN_AGE : after(item.pressed, now);
  return { ...item.event, age_ms: age };
}
