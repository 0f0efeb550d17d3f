"""Clauses S: signs of life, what counts as one, and polls."""

from hil_tests.bench import Bench
from hil_tests.bodies import body, ping
from hil_tests.checks import check
from protocol.frame import encode_frame
from protocol.limits import DOWN_S, SILENCE_S, UINT32_MAX, VITALS_S
from protocol.messages import Event, Hello, Ping, Pong

WATCH_S = 0.5
"""Seconds between two signs of ours that the terminal hears, or does not."""


def spoken(times: list[float]) -> str:
    return f"it came after {', '.join(f'{t:.1f} s' for t in times) or 'no time'}"


async def silence(bench: Bench, noise: bytes = b"") -> tuple[list[float], list[float]]:
    """Say nothing, or noise, until the terminal must have taken the link for down.

    Returns:
        When its PING and its HELLO came.
    """
    await bench.up()
    bench.wire.answers_pings = False
    since, start = bench.mark(), bench.now()
    end = start + DOWN_S + bench.tolerance
    while bench.now() < end:
        if noise:
            bench.wire.send_bytes(noise)
        await bench.sleep_until(min(end, bench.now() + WATCH_S))
    return (
        [t - start for t, _ in bench.heard(Ping, since)],
        [t - start for t, _ in bench.heard(Hello, since)],
    )


def is_about(bench: Bench, times: list[float], expected: list[float]) -> bool:
    return len(times) >= len(expected) and all(
        abs(t - due) <= bench.tolerance for t, due in zip(times, expected, strict=False)
    )


@check("S1", slow=True)
async def test_silence_is_answered_by_ping(bench: Bench) -> None:
    """A terminal that has heard nothing for 2 s sends PING, and again every 2 s."""
    pings, _ = await silence(bench)
    bench.require(
        is_about(bench, pings, [SILENCE_S, 2 * SILENCE_S]),
        "PING after 2 s and 4 s of silence",
        spoken(pings),
    )


@check("S1", slow=True)
async def test_noise_is_no_sign_of_life(bench: Bench) -> None:
    """Noise is not heard: the terminal sends PING and takes the link for down."""
    bad = bytearray(encode_frame(ping(1)))
    bad[4] ^= 1
    pings, hellos = await silence(bench, b"AT\r\n" + bytes(bad))
    bench.require(
        is_about(bench, pings, [SILENCE_S]), "PING after 2 s of noise", spoken(pings)
    )
    bench.require(
        is_about(bench, hellos, [DOWN_S]), "HELLO after 6 s of noise", spoken(hellos)
    )


@check("S1", slow=True)
async def test_rejected_messages_are_no_sign_of_life(bench: Bench) -> None:
    """Rejected messages are not heard: the link is down after 6 s."""
    _, hellos = await silence(bench, encode_frame(ping(True)))
    bench.require(
        is_about(bench, hellos, [DOWN_S]),
        "HELLO after 6 s of rejected messages",
        spoken(hellos),
    )


@check("S1", slow=True)
async def test_any_message_is_a_sign_of_life(bench: Bench) -> None:
    """Unknown messages are heard: no PING, and the link stays up."""
    pings, hellos = await silence(bench, encode_frame(body(99)))
    bench.require(not pings, "no PING while unknown messages come", spoken(pings))
    bench.require(
        not hellos, "the link to stay up while unknown messages come", spoken(hellos)
    )


@check("S2", slow=True)
async def test_after_6_s_of_silence_the_link_is_down(bench: Bench) -> None:
    """After 6 s of silence HELLO comes, with a new nonce and asked empty."""
    _, hellos = await silence(bench)
    bench.require(
        is_about(bench, hellos, [DOWN_S]), "HELLO after 6 s of silence", spoken(hellos)
    )
    last = bench.heard(Hello)[-1][1]
    before = bench.hello
    bench.require(not last.asked, "asked empty after silence", f"{last.asked.hex()}")
    bench.require(
        last.nonce != before.nonce or not before.nonce, "a new nonce after silence"
    )
    bench.require(last.boot == before.boot, "the same boot after silence")


@check("S3", slow=True)
async def test_vitals_come_every_10_s(bench: Bench) -> None:
    """PING with vitals comes 10 s after the link came up, and 10 s after that."""
    await bench.up()
    since, start = bench.mark(), bench.now()
    while bench.now() < start + 2 * VITALS_S + bench.tolerance:
        bench.wire.send(Ping(0))
        await bench.sleep_until(bench.now() + WATCH_S)
    pings = [(t - start, message) for t, message in bench.heard(Ping, since)]
    times = [t for t, _ in pings]
    bench.require(
        len(times) == 2 and is_about(bench, times, [VITALS_S, 2 * VITALS_S]),
        "PING after 10 s and 20 s on a link that is not silent",
        spoken(times),
    )
    vitals = [message.vitals for _, message in pings]
    bench.require(None not in vitals, "vitals in each PING", "they are nil")
    uptimes = [v.uptime_s for v in vitals if v is not None]
    bench.require(
        abs(uptimes[1] - uptimes[0] - VITALS_S) <= 1 + bench.tolerance,
        "an uptime that grows by 10 s",
        f"it grew from {uptimes[0]} to {uptimes[1]}",
    )


@check("S4")
async def test_ping_is_answered_by_pong(bench: Bench) -> None:
    """PING is answered at once by PONG with its token, the running boot and next."""
    hello = await bench.up()
    for token in (0, 1, 127, 128, 65536, UINT32_MAX):
        bench.wire.send(Ping(token))
        pong = await bench.expect(
            Pong,
            f"PONG with token {token}",
            lambda pong, token=token: pong.token == token,  # type: ignore[misc]
        )
        told, known = (pong.boot, pong.next), (hello.boot, hello.held[-1].next)
        bench.require(
            told == known, f"boot and next {known} in PONG", f"it says {told}"
        )


@check("S4")
async def test_pong_does_not_overtake_an_event(bench: Bench) -> None:
    """PONG comes after the events that were sent before, and counts them in next."""
    await bench.ready()
    await bench.press()
    token, since = bench.token(), bench.mark()
    bench.wire.send(Ping(token))
    pong = await bench.expect(
        Pong, f"PONG with token {token}", lambda pong: pong.token == token
    )
    events = [event for _, event in bench.heard(Event)]
    bench.require(events, "EVENT before the PONG of a later PING", "none came")
    bench.require(
        pong.next == events[-1].n + 1,
        f"next {events[-1].n + 1} in PONG",
        f"it says {pong.next}",
    )
    bench.expect_none_since(Hello, "the link to stay up", since)
