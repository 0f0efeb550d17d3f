// The messages of the wire as objects, and bodies of them (protocol/README.md, M and P).

import { pack, unpack } from "./msgpack.js";

export const BODY_MAX = 238;
const PART_BYTES = 229;
const PART_MAX = 8;
const UINT32_MAX = 0xffffffff;

/** A body that is no message; `event` is its place when it is a malformed EVENT (M6). */
export class Rejected extends Error {
  event = null;
}

const whole = (low, high) => (value) => Number.isInteger(value) && value >= low && value <= high;
const uint32 = whole(0, UINT32_MAX);
const uint16 = whole(0, 0xffff);
const truth = (value) => typeof value === "boolean";
const characters = (value) => [...value].length;
const text = (most, least = 0) => (value) =>
  typeof value === "string" && characters(value) <= most && value.length >= least;
const anyText = (value) => typeof value === "string";
const binary = (most, least = 0) => (value) =>
  value instanceof Uint8Array && value.length <= most && value.length >= least;
const oneOf = (...values) => (value) => values.includes(value);
const match = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const orNil = (fits) => (value) => value === null || fits(value);
const list = (fits, most, least = 0) => (value) =>
  Array.isArray(value) && value.length <= most && value.length >= least && value.every(fits);
const fixed = (...patterns) => (value) =>
  Array.isArray(value) && value.length >= patterns.length
  && patterns.every((fits, i) => fits(value[i]));

const seat = oneOf("N", "E", "S", "W");
const kind = match(/^[a-z][a-z-]{0,23}$/);
const key = match(/^[A-Za-z0-9][A-Za-z0-9-]{0,23}$/);
const datum = (value) => truth(value) || uint32(value) || text(120)(value);
const data = list(datum, 8);
const nonce = binary(16);
const proof = binary(32);
const held = fixed(uint32, uint32, uint32);
const vitals = fixed(orNil(whole(0, 100)), orNil(whole(-200, 50)), uint32, text(16));
const choice = fixed(kind, data, text(40));
const NOTHING = () => new Uint8Array();
const NONE = () => [];
const NIL = () => null;

/** By name: its tag, and its fields as [name, test, default maker if it may be left out]. */
const MESSAGES = {
  ASK: [["version", uint16, () => 1], ["nonce", nonce, NOTHING]],
  HELLO: [
    ["version", uint16], ["serial", text(32, 1)], ["boot", uint32], ["volatile", truth],
    ["held", list(held, 8)], ["firmware", text(24)], ["seats", list(seat, 4, 1)],
    ["columns", whole(1, 255)], ["rows", whole(1, 255)],
    ["encoding", oneOf("ascii", "latin-1", "utf-8")],
    ["profile", oneOf("calls", "calls-and-cards", "four-seats")],
    ["nonce", nonce, NOTHING], ["asked", nonce, NOTHING], ["proof", proof, NOTHING],
  ],
  WELCOME: [["version", uint16, () => 1], ["proof", proof, NOTHING]],
  REFUSED: [
    ["reason", oneOf("version", "serial", "proof", "seats", "profile", "busy", "malformed")],
    ["text", text(120), () => ""],
  ],
  PING: [["token", uint32], ["vitals", orNil(vitals), NIL]],
  PONG: [["token", uint32], ["boot", uint32], ["next", uint32]],
  EVENT: [
    ["boot", uint32], ["n", uint32], ["seat", seat], ["play", uint32], ["rev", uint32],
    ["age_ms", uint32], ["kind", kind], ["hand", orNil(seat), NIL], ["data", data, NONE],
  ],
  ACK: [["boot", uint32], ["n", whole(-1, UINT32_MAX)]],
  LOST: [["boot", uint32], ["first", uint32], ["last", uint32]],
  DISPLAY: [
    ["epoch", uint32], ["rev", uint32], ["seat", seat], ["play", uint32],
    ["board", uint16], ["at", uint32], ["ask", oneOf("none", "call", "card", "choice", "wait")],
    ["hand", orNil(seat)], ["pages", list(list(anyText, 64), 16)],
    ["choices", list(choice, 16), NONE], ["locks", list(key, 64), NONE],
  ],
  SHOWN: [["epoch", uint32], ["rev", uint32], ["seat", seat]],
  PART: [
    ["id", whole(0, 255)], ["index", whole(1, PART_MAX)], ["count", whole(2, PART_MAX)],
    ["content", binary(PART_BYTES, 1)],
  ],
};
const NAMES = Object.keys(MESSAGES);

/** What the fields together must keep, beyond each by itself. */
function isSound(message) {
  if (message.message === "LOST") return message.first <= message.last;
  if (message.message !== "HELLO") return true;
  const boots = message.held.map(([boot]) => boot);
  return (
    boots.at(-1) === message.boot
    && boots.every((boot, i) => i === 0 || boot > boots[i - 1])
    && message.held.every(([, first, next]) => first <= next)
    && (!message.volatile || boots.length === 1)
    && new Set(message.seats).size === message.seats.length
  );
}

/** The message as the array that stands in a body; throws Rejected if a rule is broken. */
function arrayOf(message) {
  const fields = MESSAGES[message.message];
  const values = fields.map(([name, fits]) => {
    if (!fits(message[name])) throw new Rejected(`${message.message}: ${name}`);
    return message[name];
  });
  if (!isSound(message)) throw new Rejected(`${message.message}: its fields do not agree`);
  return [NAMES.indexOf(message.message) + 1, ...values];
}

/** The bodies of a message: one, or parts with this id when it is long (P1). */
export function encode(message, partId = 0) {
  const body = pack(arrayOf(message));
  if (body.length <= BODY_MAX) return [body];
  const count = Math.ceil(body.length / PART_BYTES);
  if (count > PART_MAX) throw new Rejected(`${message.message}: too long`);
  return Array.from({ length: count }, (_, i) => {
    const content = body.slice(i * PART_BYTES, (i + 1) * PART_BYTES);
    return pack([NAMES.indexOf("PART") + 1, partId, i + 1, count, content]);
  });
}

/** The message that a body holds, null for one of an unknown tag; throws Rejected (M2). */
export function decode(body) {
  let values;
  try {
    values = unpack(body);
  } catch (error) {
    throw new Rejected(error.message);
  }
  const tag = Array.isArray(values) ? values[0] : null;
  if (!Number.isInteger(tag) || tag < 0) throw new Rejected("no array with a tag");
  const name = NAMES[tag - 1];
  if (name === undefined) return null;
  const message = { message: name };
  for (const [i, [field, fits, absent]] of MESSAGES[name].entries()) {
    const value = i + 1 < values.length ? values[i + 1] : absent?.();
    if (value === undefined || !fits(value)) throw rejected(name, field, values);
    message[field] = value;
  }
  if (!isSound(message)) throw rejected(name, "its fields do not agree", values);
  return trimmed(message);
}

function rejected(name, field, values) {
  const error = new Rejected(`${name}: ${field}`);
  if (name === "EVENT" && uint32(values[1]) && uint32(values[2])) {
    error.event = { boot: values[1], n: values[2] };
  }
  return error;
}

/** Without the elements that a later version may add within a field (M2). */
function trimmed(message) {
  if (message.held) message.held = message.held.map((each) => each.slice(0, 3));
  if (message.choices) message.choices = message.choices.map((each) => each.slice(0, 3));
  if (message.vitals) message.vitals = message.vitals.slice(0, 4);
  return message;
}

/** Puts the parts of a long message together: complete or not at all (P3). */
export class Reassembler {
  #last = null;

  #content = [];

  /** Drop what was collected. */
  reset() {
    this.#last = null;
    this.#content = [];
  }

  /** Take a PART; the whole body when it was the last one, else null. */
  receive(part) {
    const last = this.#last;
    if (last && sameBytes(pack(arrayOf(part)), pack(arrayOf(last)))) return null;
    const begins = part.index === 1;
    const continues = last !== null && part.id === last.id
      && part.count === last.count && part.index === last.index + 1;
    if (!continues) this.reset();
    if (!(begins || continues) || part.index > part.count) return null;
    this.#content.push(...part.content);
    this.#last = part;
    if (part.index < part.count) return null;
    const body = Uint8Array.from(this.#content);
    this.reset();
    return body;
  }
}

/** Whether two arrays of bytes are equal; it takes as long whatever they hold (X4). */
export function sameBytes(one, other) {
  if (one.length !== other.length) return false;
  return one.reduce((differences, byte, i) => differences | (byte ^ other[i]), 0) === 0;
}
