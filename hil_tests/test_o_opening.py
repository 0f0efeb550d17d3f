"""Clauses O: how the link opens, and what is not heard before it is up."""

import itertools

import msgspec

from hil_tests.bench import Bench
from hil_tests.bodies import body
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from protocol.limits import NONCE_BYTES, OPENING_S, REFUSED_S, VERSION
from protocol.messages import (
    Ack,
    Ask,
    Hello,
    Ping,
    Pong,
    Profile,
    RefusalReason,
    Refused,
    Shown,
    Welcome,
    tag_of,
)

REPEATED_S = 4.6
"""Seconds in which HELLO must have been repeated twice."""
REFUSED = Refused(RefusalReason.BUSY, "conformance test: refused for half a minute")


@check("O3")
async def test_ask_is_answered_at_once(bench: Bench) -> None:
    """Every ASK is answered by HELLO at once, with the nonce of ASK as asked."""
    await bench.ask()
    for nonce in (bytes(range(NONCE_BYTES)), bytes(NONCE_BYTES)):
        bench.wire.send(Ask(VERSION, nonce))
        await bench.expect(
            Hello,
            f"HELLO with asked {nonce.hex()}",
            lambda hello, nonce=nonce: hello.asked == nonce,  # type: ignore[misc]
        )


@check("O3")
async def test_a_nonce_is_fresh_for_every_opening(bench: Bench) -> None:
    """The terminal's nonce changes when asked changes, and only then (X1)."""
    first = await bench.ask()
    bench.forget()
    again = await bench.ask(first.asked)
    other = await bench.ask()
    if bench.key is None and not first.nonce:
        return  # X1: on an open link it may be empty
    bench.require(len(first.nonce) == NONCE_BYTES, "a nonce of 16 bytes")
    bench.require(first.nonce == again.nonce, "the same nonce to the same ASK")
    bench.require(first.nonce != other.nonce, "a fresh nonce to a new ASK")


@check("O3", slow=True)
async def test_hello_is_repeated_until_it_is_answered(bench: Bench) -> None:
    """HELLO is repeated 2 s after the last one until WELCOME."""
    hello = await bench.ask()
    since, start = bench.mark(), bench.now()
    await bench.sleep_until(start + REPEATED_S)
    times = [start, *(t for t, h in bench.heard(Hello, since) if h == hello)]
    gaps = [b - a for a, b in itertools.pairwise(times)]
    bench.require(
        len(gaps) == 2 and all(abs(gap - OPENING_S) <= bench.tolerance for gap in gaps),
        f"the same HELLO twice, after {OPENING_S} s each",
        f"it came after {', '.join(f'{gap:.2f} s' for gap in gaps) or 'no time'}",
    )


@check("O3", slow=True)
async def test_hello_ends_with_welcome(bench: Bench) -> None:
    """After WELCOME no HELLO comes while the link is up."""
    await bench.up()
    since, start = bench.mark(), bench.now()
    await bench.sleep_until(start + OPENING_S + bench.tolerance)
    bench.expect_none_since(Hello, "no HELLO while the link is up", since)


@check("O4")
async def test_welcome_of_another_version_is_ignored(bench: Bench) -> None:
    """A WELCOME of version 2 does not bring the link up; one of version 1 does."""
    await bench.ask()
    bench.wire.send(Welcome(2, bench.proof()))
    await bench.expect_down("no PONG after WELCOME of another version")
    bench.welcome()
    await bench.poll()


@check("O4")
async def test_welcome_needs_no_fields(bench: Bench) -> None:
    """On an open link the defaults of WELCOME may be left out (M4)."""
    if bench.key is not None:
        raise CannotCauseError("the link is paired")
    await bench.ask()
    bench.welcome(body(tag_of(Welcome)))
    await bench.poll()


@check("O4")
async def test_welcome_on_a_link_that_is_up_is_ignored(bench: Bench) -> None:
    """A second WELCOME changes nothing: a lower display is still not shown (D4)."""
    await bench.up()
    low, high = bench.display(bench.seat), bench.display(bench.seat)
    await bench.show(high)
    bench.welcome()
    bench.wire.send(low)
    await bench.expect_display_shown(high, "what was shown before a second WELCOME")


@check("O4")
async def test_welcome_before_ask_is_ignored(bench: Bench) -> None:
    """A WELCOME that comes while asked is empty, as after a restart, is ignored."""
    await bench.up()
    await bench.restarted()
    bench.wire.send(Welcome(VERSION, bench.proof()))
    token, since = bench.token(), bench.mark()
    bench.wire.send(Ping(token))
    await bench.ask()
    bench.expect_none_since(Pong, "no PONG before the terminal was asked", since)


@check("O5")
async def test_a_link_that_is_up_can_be_asked_anew(bench: Bench) -> None:
    """Asked while up, the terminal goes back to opening, and up with WELCOME."""
    await bench.up()
    await bench.ask()
    await bench.expect_down("no PONG between ASK and WELCOME")
    bench.welcome()
    await bench.poll()


@check("O7")
async def test_a_refused_terminal_answers_when_asked(bench: Bench) -> None:
    """REFUSED takes the link down, also later; HELLO comes at once when asked."""
    await bench.up()
    bench.wire.send(REFUSED)
    token, since = bench.token(), bench.mark()
    bench.wire.send(Ping(token))
    await bench.ask()
    bench.expect_none_since(
        Pong, "no PONG after REFUSED", since, lambda pong: pong.token == token
    )
    bench.welcome()
    await bench.poll()


@check("O7", slow=True)
async def test_a_refused_terminal_says_hello_after_30_s(bench: Bench) -> None:
    """After REFUSED no HELLO comes for 30 s, then one."""
    await bench.ask()
    bench.wire.send(REFUSED)
    since, start = bench.mark(), bench.now()
    await bench.sleep_until(start + REFUSED_S + bench.tolerance)
    times = [t - start for t, _ in bench.heard(Hello, since)]
    bench.require(
        len(times) == 1 and abs(times[0] - REFUSED_S) <= bench.tolerance,
        f"HELLO {REFUSED_S} s after REFUSED, and none before",
        f"it came after {', '.join(f'{t:.1f} s' for t in times) or 'no time'}",
    )
    await bench.ask()


@check("O8")
async def test_nothing_but_the_opening_is_heard_before_it(bench: Bench) -> None:
    """PING, ACK and DISPLAY before WELCOME are ignored."""
    await bench.up()
    hello = await bench.ask()
    since = bench.mark()
    bench.wire.send(Ack(hello.boot, -1))
    bench.wire.send(bench.display(bench.seat))
    await bench.expect_down("no PONG before WELCOME")
    bench.expect_none_since(Shown, "no SHOWN before WELCOME", since)


@check("O3")
async def test_hello_says_what_a_terminal_is(bench: Bench) -> None:
    """HELLO has version 1, each seat once, and four seats where its profile says so."""
    hello = await bench.ask()
    bench.require(hello.version == VERSION, "version 1", f"it says {hello.version}")
    bench.require(
        len(set(hello.seats)) == len(hello.seats), "each seat once", f"{hello.seats}"
    )
    bench.require(
        hello.profile is not Profile.FOUR_SEATS or len(hello.seats) == 4,
        "four seats of a terminal whose profile is four-seats",
        f"it has {len(hello.seats)}",
    )
    other = await bench.ask()
    same = {"nonce": b"", "asked": b"", "proof": b""}
    bench.require(
        msgspec.structs.replace(hello, **same)
        == msgspec.structs.replace(other, **same),
        "the same HELLO in each opening, but for nonces and proof",
    )
