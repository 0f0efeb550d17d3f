"""Clauses X: both ends prove that they know the terminal's key."""

import secrets

from hil_tests.bench import Bench
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from protocol.limits import NONCE_BYTES, PROOF_BYTES, VERSION
from protocol.messages import Welcome
from protocol.pairing import terminal_proof


@check("X2")
async def test_an_open_link_has_no_proof(bench: Bench) -> None:
    """On an open link proof is empty in HELLO."""
    if bench.key is not None:
        raise CannotCauseError("the link is paired")
    hello = await bench.ask()
    bench.require(not hello.proof, "an empty proof", hello.proof.hex())


@check("X1")
async def test_a_paired_terminal_has_a_nonce(bench: Bench) -> None:
    """On a paired link the terminal's nonce has 16 bytes, fresh for each opening."""
    bench.need_key()
    nonces = [(await bench.ask()).nonce for _ in range(4)]
    bench.require(
        all(len(nonce) == NONCE_BYTES for nonce in nonces), "nonces of 16 bytes"
    )
    bench.require(len(set(nonces)) == len(nonces), "a fresh nonce for each opening")


@check("X2")
async def test_hello_proves_the_key(bench: Bench) -> None:
    """The proof in HELLO is the HMAC over both nonces, by the terminal's key."""
    key = bench.need_key()
    hello = await bench.ask()
    proof = terminal_proof(key, hello.asked, hello.nonce, hello.serial)
    bench.require(
        hello.proof == proof,
        f"proof {proof.hex()}",
        f"it is {hello.proof.hex() or 'empty'}",
    )


@check("X3", cases=["none", "wrong", "of-hello", "of-before"])
async def test_welcome_without_the_proof_is_ignored(bench: Bench, case: str) -> None:
    """A WELCOME without the right proof does not bring the link up."""
    bench.need_key()
    await bench.ask()
    before = bench.proof()
    hello = await bench.ask()
    wrong = {
        "none": b"",
        "wrong": secrets.token_bytes(PROOF_BYTES),
        "of-hello": hello.proof,
        "of-before": before,
    }
    bench.wire.send(Welcome(VERSION, wrong[case]))
    await bench.expect_down("no PONG after a WELCOME without the right proof")
    bench.welcome()
    await bench.poll()
