// Frames: CRC-32, COBS and delimiters (protocol/README.md, F).

const BLOCK_MAX = 243;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 as zlib computes it (F3). */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The frame of a body (F1 to F6). */
export function frameOf(body) {
  const crc = crc32(body);
  const content = [...body, crc & 255, (crc >>> 8) & 255, (crc >>> 16) & 255, crc >>> 24];
  const out = [];
  let length = 0; // where the length of the running chunk stands
  out.push(1);
  for (const byte of content) {
    if (byte) {
      out.push(byte);
      out[length] += 1;
    } else {
      length = out.length;
      out.push(1);
    }
  }
  out.push(0);
  if (out.length <= BLOCK_MAX) out.unshift(0);
  return Uint8Array.from(out);
}

/** Undo COBS; null for what is none. */
function unstuffed(block) {
  const out = [];
  let at = 0;
  while (at < block.length) {
    const end = at + block[at];
    if (end > block.length) return null;
    for (let i = at + 1; i < end; i += 1) out.push(block[i]);
    if (end < block.length && block[at] < 255) out.push(0);
    at = end;
  }
  return Uint8Array.from(out);
}

/** Cuts a stream of bytes into bodies; any bytes whatever are welcome (F7). */
export class FrameDecoder {
  #block = [];

  #skipping = false;

  counters = { crc_errors: 0, cobs_errors: 0, oversize: 0, noise_bytes: 0 };

  /** Forget an unfinished block: the carrier was opened anew. */
  reset() {
    this.counters.noise_bytes += this.#block.length;
    this.#block = [];
    this.#skipping = false;
  }

  /** The bodies that these bytes complete. */
  receive(bytes) {
    const bodies = [];
    for (const byte of bytes) {
      if (byte) {
        this.#extend(byte);
      } else {
        const body = this.#finish();
        if (body) bodies.push(body);
      }
    }
    return bodies;
  }

  #extend(byte) {
    if (!this.#skipping && this.#block.length === BLOCK_MAX) {
      this.counters.oversize += 1;
      this.counters.noise_bytes += BLOCK_MAX;
      this.#block = [];
      this.#skipping = true;
    }
    if (this.#skipping) this.counters.noise_bytes += 1;
    else this.#block.push(byte);
  }

  #finish() {
    const block = this.#block;
    this.#block = [];
    if (this.#skipping || !block.length) {
      this.#skipping = false;
      return null;
    }
    const body = this.#check(block);
    if (!body) this.counters.noise_bytes += block.length;
    return body;
  }

  #check(block) {
    const content = unstuffed(block);
    if (!content) {
      this.counters.cobs_errors += 1;
      return null;
    }
    const body = content.slice(0, -4);
    const [a, b, c, d] = content.slice(-4);
    if (!body.length || crc32(body) !== (a | (b << 8) | (c << 16) | (d << 24)) >>> 0) {
      this.counters.crc_errors += 1;
      return null;
    }
    return body;
  }
}
