// MessagePack as far as the wire needs it (protocol/README.md, M3).

const NESTING_MAX = 8;
const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What is skipped and fits no field: a map, a floating point number, no UTF-8. */
export const FOREIGN = Symbol("foreign");

function head(out, count, fixed, below, one, two) {
  if (count < below) out.push(fixed + count);
  else if (one && count < 256) out.push(one, count);
  else out.push(two, count >> 8, count & 255);
}

function packInto(out, value) {
  if (value === null) out.push(0xc0);
  else if (typeof value === "boolean") out.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number") packNumber(out, value);
  else if (typeof value === "string") {
    const bytes = utf8.encode(value);
    head(out, bytes.length, 0xa0, 32, 0xd9, 0xda);
    out.push(...bytes);
  } else if (value instanceof Uint8Array) {
    head(out, value.length, 0, 0, 0xc4, 0xc5);
    out.push(...value);
  } else {
    head(out, value.length, 0x90, 16, 0, 0xdc);
    for (const item of value) packInto(out, item);
  }
}

function packNumber(out, value) {
  if (value >= -32 && value < 128) out.push(value & 255);
  else if (value >= 0) {
    if (value < 0x100) out.push(0xcc, value);
    else if (value < 0x10000) out.push(0xcd, value >> 8, value & 255);
    else out.push(0xce, value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  } else if (value >= -128) out.push(0xd0, value & 255);
  else out.push(0xd1, (value >> 8) & 255, value & 255);
}

/** A value as the shortest MessagePack: null, boolean, integer, string, bytes, array. */
export function pack(value) {
  const out = [];
  packInto(out, value);
  return Uint8Array.from(out);
}

const SIZES = [1, 2, 4, 8];

class Reader {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  take(count) {
    this.at += count;
    if (this.at > this.bytes.length) throw new Error("cut short");
    return this.bytes.subarray(this.at - count, this.at);
  }

  unsigned(size) {
    return this.take(size).reduce((number, byte) => number * 256 + byte, 0);
  }

  value(depth = 1) {
    const [code] = this.take(1);
    if (code < 0x80) return code;
    if (code < 0x90) return this.map(code & 15, depth);
    if (code < 0xa0) return this.array(code & 15, depth);
    if (code < 0xc0) return this.string(code & 31);
    if (code >= 0xe0) return code - 256;
    switch (code) {
      case 0xc0:
        return null;
      case 0xc1:
        throw new Error("a byte that means nothing");
      case 0xc2:
      case 0xc3:
        return code === 0xc3;
      case 0xca:
      case 0xcb:
        this.take(code === 0xca ? 4 : 8);
        return FOREIGN;
      case 0xdc:
      case 0xdd:
        return this.array(this.unsigned(code === 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return this.map(this.unsigned(code === 0xde ? 2 : 4), depth);
      default:
        return this.sized(code);
    }
  }

  sized(code) {
    if (code <= 0xc6) return this.take(this.unsigned(SIZES[code - 0xc4])).slice();
    if (code <= 0xc9) {
      this.take(this.unsigned(SIZES[code - 0xc7]) + 1);
      return FOREIGN;
    }
    if (code <= 0xcf) return this.unsigned(SIZES[code - 0xcc]);
    if (code <= 0xd3) {
      const size = SIZES[code - 0xd0];
      const number = this.unsigned(size);
      return number >= 2 ** (8 * size - 1) ? number - 2 ** (8 * size) : number;
    }
    if (code <= 0xd8) {
      this.take(2 ** (code - 0xd4) + 1);
      return FOREIGN;
    }
    return this.string(this.unsigned(SIZES[code - 0xd9]));
  }

  string(length) {
    try {
      return strict.decode(this.take(length));
    } catch (error) {
      if (error instanceof TypeError) return FOREIGN;
      throw error;
    }
  }

  array(count, depth) {
    return this.items(count, depth);
  }

  map(count, depth) {
    this.items(count * 2, depth);
    return FOREIGN;
  }

  items(count, depth) {
    if (depth > NESTING_MAX) throw new Error("nested too deep");
    const items = [];
    for (let i = 0; i < count; i += 1) items.push(this.value(depth + 1));
    return items;
  }
}

/** The one value that these bytes hold; throws an Error for what is none (M3). */
export function unpack(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value();
  if (reader.at < bytes.length) throw new Error("bytes after the value");
  return value;
}
