"""Clauses P and D5: a long message is seen complete or not at all."""

from hil_tests.bench import Bench
from hil_tests.bodies import PART, body, parts_of, ping, whole
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from protocol.limits import BODY_MAX, TEXT_MAX
from protocol.messages import Display, Encoding, Hello, Part, Pong, Shown


def long_display(bench: Bench) -> Display:
    """A display that needs parts."""
    line = "abcdefghij"[: bench.hello.columns]
    count = -(-BODY_MAX // len(line))
    pages = tuple((line,) for _ in range(16))
    rows = -(-count // 16)
    return bench.display(bench.seat, pages=tuple(page * rows for page in pages))


async def expect_not_shown(bench: Bench, since: int, expected: str) -> None:
    """No SHOWN may come to what was sent, and the link must stay up."""
    await bench.expect_nothing(Shown, f"no SHOWN of {expected}", since)
    bench.expect_none_since(Hello, f"the link to stay up after {expected}", since)


@check("P1")
async def test_a_message_in_parts_is_taken(bench: Bench) -> None:
    """A DISPLAY in 2, 3 and 8 parts is shown."""
    await bench.up()
    for count in (2, 3, 8):
        display = long_display(bench)
        for part in parts_of(whole(display), count, count):
            bench.wire.send_body(part)
        await bench.expect_display_shown(display, f"a display in {count} parts")


@check("P3")
async def test_a_part_that_is_missing_costs_the_message(bench: Bench) -> None:
    """With a part missing nothing is shown; the message sent again is."""
    await bench.up()
    display, since = long_display(bench), bench.mark()
    first, second, third = parts_of(whole(display), 1, 3)
    for part in (first, third):
        bench.wire.send_body(part)
    await expect_not_shown(bench, since, "a display without its second part")
    bench.wire.send_body(second)
    bench.wire.send_body(third)
    await expect_not_shown(bench, since, "a display whose first part was dropped")
    for part in (first, second, third):
        bench.wire.send_body(part)
    await bench.expect_display_shown(display, "a display sent again")


@check("P3")
async def test_a_part_that_comes_twice_is_taken_once(bench: Bench) -> None:
    """A part equal to the one before it is ignored."""
    await bench.up()
    display = long_display(bench)
    for part in parts_of(whole(display), 1, 3):
        bench.wire.send_body(part)
        if part != parts_of(whole(display), 1, 3)[-1]:
            bench.wire.send_body(part)
    await bench.expect_display_shown(display, "a display whose parts came twice")


@check("P2")
async def test_other_messages_may_stand_between_parts(bench: Bench) -> None:
    """A PING between two parts is answered, and the display is shown."""
    await bench.up()
    display, token = long_display(bench), bench.token()
    first, second = parts_of(whole(display), 1, 2)
    bench.wire.send_body(first)
    bench.wire.send_body(ping(token))
    bench.wire.send_body(second)
    await bench.expect(
        Pong, "PONG to a PING between parts", lambda pong: pong.token == token
    )
    await bench.expect_display_shown(display, "a display with a PING between its parts")


@check("P3")
async def test_parts_of_different_messages_are_not_mixed(bench: Bench) -> None:
    """Parts with another id or count do not continue a message; index 1 begins anew."""
    await bench.up()
    old, since = long_display(bench), bench.mark()
    first, second = parts_of(whole(old), 1, 2)
    bench.wire.send_body(first)
    bench.wire.send_body(parts_of(whole(old), 2, 2)[1])
    await expect_not_shown(bench, since, "parts with two ids")
    bench.wire.send_body(first)
    new = long_display(bench)
    for part in parts_of(whole(new), 2, 2):
        bench.wire.send_body(part)
    bench.wire.send_body(second)
    await bench.expect_display_shown(new, "the display that began anew")


@check("P3")
async def test_a_part_of_a_part_is_rejected(bench: Bench) -> None:
    """The content of parts is not read as a PART again."""
    await bench.up()
    display, since = long_display(bench), bench.mark()
    for inner in parts_of(whole(display), 1, 8):
        for part in parts_of(inner, 2, 2):
            bench.wire.send_body(part)
    await expect_not_shown(bench, since, "parts of parts")


@check("P3")
async def test_an_opening_drops_the_parts_before_it(bench: Bench) -> None:
    """What was collected is dropped when the link opens anew."""
    await bench.up()
    first, second = parts_of(whole(long_display(bench)), 1, 2)
    bench.wire.send_body(first)
    await bench.ask()
    bench.welcome()
    since = bench.mark()
    bench.wire.send_body(second)
    await expect_not_shown(bench, since, "a display that was begun before the opening")


@check("P3")
async def test_a_part_that_is_rejected_is_as_if_it_had_not_come(bench: Bench) -> None:
    """A PART without content, or with an index of 0, does not disturb the others."""
    await bench.up()
    display = long_display(bench)
    first, second = parts_of(whole(display), 1, 2)
    bench.wire.send_body(first)
    bench.wire.send_body(body(PART, 1, 2, 2, b""))
    bench.wire.send_body(body(PART, 1, 0, 2, b"x"))
    bench.wire.send_body(body(PART, 9, 1, 1, b"x"))
    bench.wire.send_body(second)
    await bench.expect_display_shown(display, "a display with rejected parts between")


@check("P1")
async def test_a_long_event_comes_in_parts(bench: Bench) -> None:
    """An EVENT of more than 238 bytes comes in parts, in order, with one id."""
    await bench.ready()
    if bench.hello.encoding is Encoding.ASCII:
        raise CannotCauseError("in ASCII no event is longer than 238 bytes")
    bench.need_quick_hands(TEXT_MAX)
    await bench.press("call", "2D", True, "é" * TEXT_MAX)
    event = await bench.expect_event("EVENT in parts")
    bench.require(
        event.data == ("2D", True, "é" * TEXT_MAX), "the explanation that was typed"
    )
    parts = [part for _, part in bench.heard(Part)]
    bench.require(
        [part.index for part in parts[: parts[0].count]]
        == list(range(1, parts[0].count + 1)),
        "PART with index from 1 in order",
    )
