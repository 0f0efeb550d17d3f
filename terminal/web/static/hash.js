// SHA-256, HMAC and PBKDF2 in plain JavaScript: crypto.subtle is missing on pages that
// came over plain HTTP, which is how a tablet reaches a daemon in its own network.

const PRIMES = (() => {
  const found = [];
  for (let n = 2; found.length < 64; n += 1) {
    if (found.every((prime) => n % prime)) found.push(n);
  }
  return found;
})();
const fraction = (x) => ((x - Math.floor(x)) * 0x100000000) | 0;
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const schedule = new Int32Array(64);

/** Work the 16 words at `words[at]` into a state of 8 words. */
function compress(state, words, at) {
  const w = schedule;
  for (let i = 0; i < 16; i += 1) w[i] = words[at + i];
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** The message as words, padded, when `before` bytes have been hashed already. */
function padded(bytes, before) {
  const words = new Int32Array(((bytes.length + 8) >> 6) * 16 + 16);
  for (let i = 0; i < bytes.length; i += 1) words[i >> 2] |= bytes[i] << (24 - 8 * (i & 3));
  words[bytes.length >> 2] |= 0x80 << (24 - 8 * (bytes.length & 3));
  words[words.length - 1] = (bytes.length + before) * 8;
  return words;
}

function bytesOf(words) {
  const bytes = new Uint8Array(words.length * 4);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = words[i >> 2] >>> (24 - 8 * (i & 3));
  return bytes;
}

function finished(state, bytes, before) {
  const words = padded(bytes, before);
  for (let at = 0; at < words.length; at += 16) compress(state, words, at);
  return state;
}

/** SHA-256 of bytes. */
export function sha256(bytes) {
  return bytesOf(finished(INITIAL.slice(), bytes, 0));
}

/** The states after the inner and the outer pad of an HMAC key. */
function pads(key) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return [0x36, 0x5c].map((pad) => {
    const state = INITIAL.slice();
    compress(state, padded(block.map((byte) => byte ^ pad), 0), 0);
    return state;
  });
}

/** HMAC-SHA-256 of bytes. */
export function hmac(key, bytes) {
  const [inner, outer] = pads(key);
  const digest = bytesOf(finished(inner, bytes, 64));
  return bytesOf(finished(outer, digest, 64));
}

/** 32 bytes of PBKDF2 with HMAC-SHA-256. */
export function pbkdf2(password, salt, iterations) {
  const [inner, outer] = pads(password);
  const first = new Uint8Array(salt.length + 4);
  first.set(salt);
  first[first.length - 1] = 1;
  // Each round hashes one block, a digest with its padding; only the digest changes.
  const block = padded(new Uint8Array(32), 64);
  const round = (state, digest) => {
    block.set(digest);
    const next = state.slice();
    compress(next, block, 0);
    return next;
  };
  let digest = round(outer, finished(inner.slice(), first, 64));
  const result = digest.slice();
  for (let i = 1; i < iterations; i += 1) {
    digest = round(outer, round(inner, digest));
    for (let word = 0; word < 8; word += 1) result[word] ^= digest[word];
  }
  return bytesOf(result);
}
