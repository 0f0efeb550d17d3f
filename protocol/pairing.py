"""Proof that both ends know the terminal's key: HMAC-SHA-256 over both nonces.

Clauses X of ``protocol/README.md``. Nonces come from the caller, since chance is no
business of this package.
"""

import hashlib
import hmac

TERMINAL_CONTEXT = b"bidwire 1 terminal"
DAEMON_CONTEXT = b"bidwire 1 daemon"


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


def _proof(
    context: bytes, key: bytes, daemon_nonce: bytes, terminal_nonce: bytes, serial: str
) -> bytes:
    content = b"\0".join((context, serial.encode())) + b"\0"
    return hmac.new(
        key, content + daemon_nonce + terminal_nonce, hashlib.sha256
    ).digest()
