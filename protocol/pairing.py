"""Proof that both ends know the terminal's key: HMAC-SHA-256 over both nonces.

Clauses X of ``protocol/README.md``. Nonces come from the caller, since chance is no
business of this package.
"""

import functools
import hashlib
import hmac

from protocol.limits import CODE_CHARACTERS, CODE_ITERATIONS

TERMINAL_CONTEXT = b"bidwire 1 terminal"
DAEMON_CONTEXT = b"bidwire 1 daemon"
CODE_CONTEXT = b"bidwire 1 code"

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U."""

_MISREAD = str.maketrans("ILO", "110", " -")


def terminal_proof(
    key: bytes, daemon_nonce: bytes, terminal_nonce: bytes, serial: str
) -> bytes:
    """The proof in HELLO (X2): the terminal of this serial number knows the key."""
    return _proof(TERMINAL_CONTEXT, key, daemon_nonce, terminal_nonce, serial)


def daemon_proof(
    key: bytes, daemon_nonce: bytes, terminal_nonce: bytes, serial: str
) -> bytes:
    """The proof in WELCOME (X3): the daemon knows the key of this terminal."""
    return _proof(DAEMON_CONTEXT, key, daemon_nonce, terminal_nonce, serial)


def verify(expected: bytes, proof: bytes) -> bool:
    """Whether a proof is the expected one, compared in constant time (X4)."""
    return hmac.compare_digest(expected, proof)


def read_code(text: str) -> str:
    """A join code as it was made, however it was typed in (X8).

    Raises:
        ValueError: it is none.
    """
    code = text.upper().translate(_MISREAD)
    if len(code) != CODE_CHARACTERS or not set(code) <= set(CODE_ALPHABET):
        raise ValueError(
            f"expected a join code of {CODE_CHARACTERS} digits and letters (no U)"
        )
    return code


@functools.lru_cache
def key_of_code(code: str, terminal: str) -> bytes:
    """The key that a web terminal proves, made from its join code (X8).

    Args:
        code: the code, as it was made.
        terminal: the terminal's id.
    """
    salt = CODE_CONTEXT + b"\0" + terminal.encode()
    return hashlib.pbkdf2_hmac("sha256", code.encode(), salt, CODE_ITERATIONS)


def _proof(
    context: bytes, key: bytes, daemon_nonce: bytes, terminal_nonce: bytes, serial: str
) -> bytes:
    content = b"\0".join((context, serial.encode())) + b"\0"
    return hmac.new(
        key, content + daemon_nonce + terminal_nonce, hashlib.sha256
    ).digest()
