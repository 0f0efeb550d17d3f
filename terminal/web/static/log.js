// The log that a terminal keeps until it is acknowledged (protocol/README.md, E and R).
//
// In the browser's local storage, which is written before a key counts as pressed and
// outlives a reload; where there is none, in memory, and the terminal is volatile (E3).

const HELD_MAX = 8;
const FIRST_BOOT_MAX = 0x7fffffff;
const CAPACITY = 500;
export const UNKNOWN_AGE = 0xffffffff;

/** Nothing more can be kept: the key must be refused, nothing is lost. */
export class LogFullError extends Error {}

/** The browser's storage takes nothing more: the key must be refused. */
export class StorageFailedError extends Error {}

/** Another page of this browser has become the terminal. */
export class LogTakenError extends Error {}

/** Whether one place of a log comes after another; later boots come after earlier ones. */
export const isAfter = (one, other) =>
  one.boot > other.boot || (one.boot === other.boot && one.n > other.n);

/** Milliseconds since a key was pressed (E5). */
export const after = (pressed, now) =>
  Math.min(Math.max(Math.round((now - pressed) * 1000), 0), UNKNOWN_AGE - 1);

/**
 * What is to be sent after an acknowledged place, in the order of the log (R6): the
 * entries, and in place of numbers that are no longer kept {boot, first, n, event: null}.
 */
export function outgoing(held, entries, acked) {
  const out = [];
  for (const [boot, first, next] of held) {
    let due = 0;
    if (acked === null) due = first;
    else if (acked.boot === boot) due = acked.n + 1;
    else if (acked.boot > boot) due = next;
    for (const entry of entries) {
      if (entry.boot !== boot || entry.n < due) continue;
      if (entry.n > due) out.push({ boot, first: due, n: entry.n - 1, event: null });
      out.push(entry);
      due = entry.n + 1;
    }
    if (due < next) out.push({ boot, first: due, n: next - 1, event: null });
  }
  return out;
}

/** A log in memory. */
export class MemoryLog {
  entries = []; // {boot, n, event, pressed}

  numbered = new Map(); // by boot one more than the last number given

  acked = { boot: -1, n: -1 };

  constructor(boot, { isVolatile = true, capacity = CAPACITY } = {}) {
    this.boot = boot;
    this.isVolatile = isVolatile;
    this.capacity = capacity;
    this.numbered.set(boot, 0);
  }

  /** The number that the next event gets. */
  get next() {
    return this.numbered.get(this.boot);
  }

  /** Whether no key can be taken now (E2). */
  get isFull() {
    return this.entries.length >= this.capacity;
  }

  /** Keep an event numbered (boot, next); throws LogFullError. */
  append(event, pressed) {
    if (this.isFull) throw new LogFullError();
    this.entries.push({ boot: event.boot, n: event.n, event, pressed });
    this.numbered.set(event.boot, event.n + 1);
  }

  /** Each boot of which something is to be acknowledged, and the running one (E4). */
  held() {
    return [...this.unfinished(), this.boot]
      .filter((boot, i, all) => all.indexOf(boot) === i)
      .sort((one, other) => one - other)
      .map((boot) => {
        const next = this.numbered.get(boot);
        const kept = this.entries.find((entry) => entry.boot === boot);
        return [boot, kept ? kept.n : next, next];
      });
  }

  /** What is acknowledged up to here may go. */
  forget(place) {
    if (isAfter(place, this.acked)) this.acked = place;
    this.entries = this.entries.filter((entry) => isAfter(entry, place));
    const kept = new Set([...this.unfinished(), this.boot]);
    for (const boot of this.numbered.keys()) if (!kept.has(boot)) this.numbered.delete(boot);
  }

  unfinished() {
    return [...this.numbered]
      .filter(([boot, next]) => next > 0 && isAfter({ boot, n: next - 1 }, this.acked))
      .map(([boot]) => boot);
  }
}

/** A log in the browser's storage; opening it is a start of the terminal. */
export class StoredLog extends MemoryLog {
  #storage;

  #name;

  #owner;

  /**
   * @param storage as localStorage
   * @param name of its entry
   * @param random gives a random number below the one that it is given
   */
  constructor(storage, name, random, options = {}) {
    super(0, { ...options, isVolatile: false });
    this.#storage = storage;
    this.#name = name;
    this.#owner = `${random(2 ** 32)}`;
    const text = storage.getItem(name);
    this.numbered.clear();
    if (text === null) this.boot = 1 + random(FIRST_BOOT_MAX); // E3
    else this.#read(JSON.parse(text));
    if (!this.numbered.has(this.boot)) this.numbered.set(this.boot, 0);
    storage.setItem(this.ownerName, this.#owner);
    this.#write();
  }

  /** Under this name stands which page is the terminal; the last that was opened. */
  get ownerName() {
    return `${this.#name}.owner`;
  }

  /** Whether another page of this browser has opened the log since. */
  get isTaken() {
    return this.#storage.getItem(this.ownerName) !== this.#owner;
  }

  append(event, pressed) {
    if (this.isTaken) throw new LogTakenError();
    super.append(event, pressed);
    try {
      this.#write();
    } catch {
      this.entries.pop();
      this.numbered.set(event.boot, event.n);
      throw new StorageFailedError();
    }
  }

  forget(place) {
    super.forget(place);
    try {
      if (!this.isTaken) this.#write();
    } catch { /* forgotten twice does no harm */ }
  }

  #read({ boot, acked, numbered, events }) {
    this.acked = acked;
    this.entries = events.map((event) => ({
      boot: event.boot, n: event.n, event: { message: "EVENT", age_ms: 0, ...event }, pressed: null,
    }));
    this.numbered = new Map(numbered);
    const unfinished = this.unfinished();
    for (const each of this.numbered.keys()) {
      if (!unfinished.includes(each)) this.numbered.delete(each);
    }
    this.boot = unfinished.length < HELD_MAX ? boot + 1 : boot; // E4
  }

  #write() {
    const events = this.entries.map(({ event }) => {
      const { message, age_ms: _, ...kept } = event;
      return kept;
    });
    const { boot, acked } = this;
    const kept = { boot, acked, numbered: [...this.numbered], events };
    this.#storage.setItem(this.#name, JSON.stringify(kept));
  }
}
