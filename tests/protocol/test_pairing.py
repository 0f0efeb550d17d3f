"""Clauses X: the proofs, computed once more by the specification's formula."""

import hashlib
import hmac

from protocol.pairing import daemon_proof, terminal_proof, verify

KEY = bytes(range(32))
DAEMON = b"d" * 16
TERMINAL = b"t" * 16


def test_the_proofs_are_hmac_sha_256_over_context_serial_and_both_nonces() -> None:
    content = b"bidwire 1 terminal\0SN-1\0" + DAEMON + TERMINAL
    expected = hmac.new(KEY, content, hashlib.sha256).digest()
    assert terminal_proof(KEY, DAEMON, TERMINAL, "SN-1") == expected
    content = b"bidwire 1 daemon\0SN-1\0" + DAEMON + TERMINAL
    expected = hmac.new(KEY, content, hashlib.sha256).digest()
    assert daemon_proof(KEY, DAEMON, TERMINAL, "SN-1") == expected


def test_a_proof_holds_for_its_key_nonces_and_serial_number_only() -> None:
    proof = terminal_proof(KEY, DAEMON, TERMINAL, "SN-1")
    assert verify(proof, terminal_proof(KEY, DAEMON, TERMINAL, "SN-1"))
    for other in (
        terminal_proof(b"other", DAEMON, TERMINAL, "SN-1"),
        terminal_proof(KEY, TERMINAL, DAEMON, "SN-1"),
        terminal_proof(KEY, DAEMON, TERMINAL, "SN-2"),
        daemon_proof(KEY, DAEMON, TERMINAL, "SN-1"),
        b"",
    ):
        assert not verify(proof, other)
