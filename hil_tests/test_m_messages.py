"""Clauses M: what is a message is taken, what is none changes nothing."""

from hil_tests.bench import Bench
from hil_tests.bodies import PING, body, elements_of, ping, whole
from hil_tests.checks import check
from protocol.decoding import Rejected
from protocol.messages import (
    Choice,
    Event,
    Hello,
    Lost,
    Pong,
    Shown,
)

UNKNOWN_TAGS = (0, 13, 99, 4_000_000_000)


async def expect_unmoved(bench: Bench, since: int, polls: int, expected: str) -> None:
    """No PONG may come but to polls of the bench, no SHOWN; the link must stay up."""
    await bench.poll()
    came = len(bench.heard(Pong, since)) - 1
    bench.require(came == polls, f"no PONG to {expected}", f"{came - polls} came")
    bench.expect_none_since(Shown, f"no SHOWN to {expected}", since)
    bench.expect_none_since(Hello, f"the link to stay up after {expected}", since)


@check("M2")
async def test_unknown_tags_are_ignored(bench: Bench) -> None:
    """A message of an unknown tag is ignored, and the link stays as it is."""
    await bench.up()
    since = bench.mark()
    for tag in UNKNOWN_TAGS:
        bench.wire.send_body(body(tag, "later", 1.5, {"a": [1]}))
    await expect_unmoved(bench, since, 0, "unknown tags")


@check("M2")
async def test_types_are_not_converted(bench: Bench) -> None:
    """A PING whose token is true, 1.0, text, nil, negative or too large is rejected."""
    await bench.up()
    since = bench.mark()
    for token in (True, 1.0, "1", None, -1, 1 << 32, b"\1"):
        bench.wire.send_body(ping(token))
    await expect_unmoved(bench, since, 0, "a PING whose token is no uint32")


@check("M2")
async def test_a_body_that_is_no_whole_array_is_rejected(bench: Bench) -> None:
    """A body that is no array, is cut short or has bytes after it is rejected."""
    await bench.up()
    good, since = ping(bench.token()), bench.mark()
    for bad in (
        good[:-1],
        good[:1],
        good + b"\xc0",
        b"\xc1",
        b"\x05",
        b"\x90",
        b"\x80",
    ):
        bench.wire.send_body(bad)
    await expect_unmoved(bench, since, 0, "a body that is no whole array")


@check("M2")
async def test_too_few_fields_are_rejected(bench: Bench) -> None:
    """A PING without a token, a DISPLAY without pages are rejected."""
    await bench.up()
    since = bench.mark()
    bench.wire.send_body(body(PING))
    bench.wire.send_body(body(*elements_of(bench.display(bench.seat))[:9]))
    await expect_unmoved(bench, since, 0, "too few fields")


@check("M2")
async def test_text_that_is_no_utf_8_is_rejected(bench: Bench) -> None:
    """A DISPLAY with a line that is no UTF-8 is rejected."""
    await bench.up()
    since = bench.mark()
    good = whole(bench.display(bench.seat, pages=(("abcd",),)))
    bench.wire.send_body(good.replace(b"abcd", b"a\xff\xfed"))
    await expect_unmoved(bench, since, 0, "text that is no UTF-8")


@check("M2")
async def test_further_fields_are_skipped(bench: Bench) -> None:
    """Elements after the last field, also those within a choice, are skipped."""
    await bench.up()
    token = bench.token()
    bench.wire.send_body(ping(token, "later", [1, [2]], True))
    await bench.expect(
        Pong, "PONG to a PING with further fields", lambda pong: pong.token == token
    )
    accept = Choice("accept", (), "Accept")
    display = bench.display(bench.seat, choices=(accept,))
    elements = elements_of(display)
    elements[10] = [["accept", [], "Accept", "later", 7]]
    bench.wire.send_body(body(*elements, "later", [7]))
    await bench.expect_display_shown(display, "a display with further fields")


@check("M3")
async def test_long_forms_are_read(bench: Bench) -> None:
    """Numbers, lengths and counts in forms longer than need be are read."""
    await bench.up()
    token = bench.token()
    long = b"\xdd\0\0\0\3" + b"\xd3" + PING.to_bytes(8, "big")
    bench.wire.send_body(long + b"\xcf" + token.to_bytes(8, "big") + b"\xc0")
    await bench.expect(
        Pong, "PONG to a PING in long forms", lambda pong: pong.token == token
    )


@check("M3")
async def test_any_value_is_skipped(bench: Bench) -> None:
    """Among the further fields any MessagePack value is passed over."""
    await bench.up()
    skipped = (
        b"\xca\0\0\0\0\xcb" + bytes(8),
        b"\x81\xa1a\x01\xde\0\1\xa1b\x02\xdf\0\0\0\1\xa1c\x03",
        b"\xd4\1\0\xd5\1\0\0\xd6\1" + bytes(4) + b"\xd8\1" + bytes(16),
        b"\xc7\2\1ab\xc8\0\2\1ab\xc9\0\0\0\2\1ab",
        b"\xdb\0\0\0\2\xff\xfe\xc6\0\0\0\1a\xdc\0\1\xc0",
    )
    counts = (2, 3, 4, 3, 3)
    for values, count in zip(skipped, counts, strict=True):
        token = bench.token()
        head = ping(token)[1:]
        bench.wire.send_body(bytes([0x93 + count]) + head + values)
        await bench.expect(
            Pong,
            f"PONG to a PING with {values.hex(' ')} after its fields",
            lambda pong, token=token: pong.token == token,  # type: ignore[misc]
        )


@check("M3")
async def test_depth_has_a_limit(bench: Bench) -> None:
    """Arrays 8 deep are passed over, a body that is 9 deep is rejected."""
    await bench.up()
    token, since = bench.token(), bench.mark()
    bench.wire.send_body(ping(token, nested(7)))
    await bench.expect(Pong, "PONG to a PING 8 deep", lambda pong: pong.token == token)
    bench.wire.send_body(ping(bench.token(), nested(8)))
    await expect_unmoved(bench, since, 1, "a PING 9 deep")


def nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth - 1):
        value = [value]
    return value


@check("M4")
async def test_defaults_may_be_left_out(bench: Bench) -> None:
    """PING without vitals, DISPLAY without choices and locks are taken."""
    await bench.up()
    token = bench.token()
    bench.wire.send_body(body(PING, token))
    await bench.expect(
        Pong, "PONG to a PING of two elements", lambda pong: pong.token == token
    )
    display = bench.display(bench.seat)
    bench.wire.send_body(body(*elements_of(display)[:10]))
    await bench.expect_display_shown(display, "a display without choices")


@check("M5")
async def test_messages_from_the_wrong_side_are_ignored(bench: Bench) -> None:
    """HELLO, EVENT, LOST and SHOWN from the daemon change nothing."""
    hello = await bench.up()
    since = bench.mark()
    event = Event(hello.boot, 0, bench.seat, 0, 0, 0, "call", None, ("P",))
    for message in (hello, event, Lost(hello.boot, 0, 1), Shown(1, 1, bench.seat)):
        bench.wire.send(message)
    await expect_unmoved(bench, since, 0, "messages from the wrong side")


@check("M1")
async def test_what_the_terminal_says_is_well_formed(bench: Bench) -> None:
    """All that the terminal has said is a message of its table, of its side."""
    await bench.ready()
    await bench.poll()
    bad = [
        seen
        for seen in bench.wire.seen
        if not seen.is_ours and isinstance(seen.message, Rejected)
    ]
    if bad:
        reason = bad[0].message
        assert isinstance(reason, Rejected)
        first = f"{bad[0].content.hex(' ')}: {reason.reason}"
        raise bench.deviation(
            "messages as the tables have them",
            f"{len(bad)} are none, the first {first}",
        )
