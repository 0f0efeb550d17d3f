// Proofs of the key at both ends, and the key of a join code (protocol/README.md, X).

import { hmac, pbkdf2 } from "./hash.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHARACTERS = 10;
const ITERATIONS = 20000;
const utf8 = new TextEncoder();

const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

function proof(context, key, daemonNonce, terminalNonce, serial) {
  const zero = [0];
  const content = [utf8.encode(context), zero, utf8.encode(serial), zero];
  return hmac(key, joined(...content, daemonNonce, terminalNonce));
}

/** The proof in HELLO (X2). */
export const terminalProof = (...args) => proof("bidwire 1 terminal", ...args);

/** The proof in WELCOME (X3). */
export const daemonProof = (...args) => proof("bidwire 1 daemon", ...args);

/** A join code as it was made, however it was typed in; null for what is none (X8). */
export function readCode(typed) {
  const code = typed.toUpperCase().replace(/[ -]/g, "").replace(/[IL]/g, "1").replace(/O/g, "0");
  const fits = code.length === CHARACTERS && [...code].every((c) => ALPHABET.includes(c));
  return fits ? code : null;
}

/** The key that a web terminal proves, made from its join code (X8). */
export function keyOfCode(code, terminal) {
  const salt = joined(utf8.encode("bidwire 1 code"), [0], utf8.encode(terminal));
  return pbkdf2(utf8.encode(code), salt, ITERATIONS);
}
