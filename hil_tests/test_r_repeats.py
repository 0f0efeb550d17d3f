"""Clauses R: events come until they are acknowledged, in order, not too often."""

import asyncio
import itertools

from hil_tests.bench import Bench
from hil_tests.checks import check
from protocol.limits import REPEAT_S, REPEATED_ACK_S, WINDOW
from protocol.messages import Ack, Event, Hello, Lost

WATCHED = 4
"""Repeats that are waited for: after 1, 2, 4 and 8 s."""

ACKS_APART_S = REPEATED_ACK_S + 0.1
"""Seconds after which an equal ACK asks for a repeat (R4).

They are slept through: the time itself is what is tested, and no message marks its end.
"""


async def pressed(bench: Bench, count: int) -> list[Event]:
    """Press so many keys and wait for their events."""
    events = []
    for _ in range(count):
        await bench.press()
        events.append(await bench.expect_event())
    return events


async def first_acknowledged(bench: Bench, count: int) -> list[Event]:
    """Press so many keys and have the first of their events acknowledged."""
    await bench.ready()
    events = await pressed(bench, count)
    bench.wire.send(Ack(events[0].boot, events[0].n))
    await bench.poll()
    return events


async def numbers_again(bench: Bench, since: int) -> list[int]:
    """The numbers of the events since a mark, in order."""
    await bench.barrier()
    return [event.n for _, event in bench.heard(Event, since)]


@check("R1", slow=True)
async def test_waits_between_repeats_grow(bench: Bench) -> None:
    """What is not acknowledged comes again after 1, 2, 4, 8 s, as it was."""
    await bench.ready()
    since = bench.mark()
    await bench.press()
    await bench.expect_event()
    start = bench.heard(Event, since)[0][0]
    waits = REPEAT_S[:WATCHED]
    await bench.sleep_until(start + sum(waits) + bench.tolerance)
    came = bench.heard(Event, since)
    times = [t for t, _ in came]
    gaps = [b - a for a, b in itertools.pairwise(times)]
    bench.require(
        len(gaps) >= WATCHED
        and all(
            abs(gap - due) <= bench.tolerance
            for gap, due in zip(gaps, waits, strict=False)
        ),
        f"repeats after {', '.join(map(str, waits))} s",
        f"they came after {', '.join(f'{gap:.2f}' for gap in gaps) or 'no time'} s",
    )
    bench.require(len({e.n for _, e in came}) == 1, "the same event in each repeat")


@check("R1", slow=True)
async def test_an_ack_starts_the_wait_anew(bench: Bench) -> None:
    """After an ACK of the first of two events the other comes again 1 s later."""
    await bench.ready()
    first, second = await pressed(bench, 2)
    if bench.hands.are_quick:  # else there was a repeat, and the wait is longer already
        await bench.expect(
            Event, "a repeat", lambda e: e.n == second.n, REPEAT_S[0] + bench.tolerance
        )
    start = bench.now()
    bench.wire.send(Ack(first.boot, first.n))
    await bench.poll()  # a repeat that was due just now has come
    since = bench.mark()
    await bench.sleep_until(start + REPEAT_S[0] + bench.tolerance)
    came = [(t - start, e.n) for t, e in bench.heard(Event, since)]
    bench.require(
        [n for _, n in came] == [second.n]
        and abs(came[0][0] - REPEAT_S[0]) <= bench.tolerance,
        f"event {second.n} alone, {REPEAT_S[0]} s after the ACK",
        f"(time, n) of what came: {came}",
    )


@check("R1")
async def test_events_come_in_order_as_soon_as_the_link_is_up(bench: Bench) -> None:
    """What was pressed before the link is up comes at once with it, in order."""
    await bench.ready()
    await bench.ask()
    for _ in range(3):
        await bench.press()
    since = bench.mark()
    bench.welcome()
    numbers = await numbers_again(bench, since)
    bench.require(
        len(numbers) == 3 and numbers == sorted(numbers),
        "three events in order before the first PONG",
        f"numbers {numbers}",
    )


@check("R2")
async def test_at_most_16_events_are_in_flight(bench: Bench) -> None:
    """Of 20 events 16 come; each ACK lets as many more come."""
    await bench.ready()
    first = (await bench.poll()).next
    since = bench.mark()
    await bench.press_many(WINDOW + 4)
    numbers = await numbers_again(bench, since)
    bench.require(
        set(numbers) == set(range(first, first + WINDOW)),
        f"events {first} to {first + WINDOW - 1}, {WINDOW} of them",
        f"numbers {numbers}",
    )
    since = bench.mark()
    bench.wire.send(Ack(bench.hello.boot, first + 1))
    numbers = await numbers_again(bench, since)
    bench.require(
        numbers == [first + WINDOW, first + WINDOW + 1],
        "two more events after an ACK of two",
        f"numbers {numbers}",
    )


@check("R3")
async def test_an_ack_is_cumulative(bench: Bench) -> None:
    """An ACK of the second event acknowledges the first too, and no other."""
    await bench.ready()
    _, second, third = await pressed(bench, 3)
    bench.wire.send(Ack(second.boot, second.n))
    await bench.poll()
    hello = await bench.ask()
    kept = (hello.held[-1].first, hello.held[-1].next)
    bench.require(
        kept == (third.n, third.n + 1),
        f"{third.n} to {third.n + 1} still held",
        f"held is {kept}",
    )


@check("R3")
async def test_an_ack_of_minus_1_acknowledges_nothing_of_its_boot(
    bench: Bench,
) -> None:
    """ACK with n = -1 acknowledges earlier boots, and no event of its own."""
    await bench.up()
    await bench.restarted()
    await bench.link_up()
    await bench.show(bench.display(bench.seat))
    (event,) = await pressed(bench, 1)
    bench.wire.send(Ack(event.boot, -1))
    await bench.poll()
    hello = await bench.ask()
    kept = (hello.held[-1].first, hello.held[-1].next)
    bench.require(
        kept == (event.n, event.n + 1), "the event still held", f"held is {hello.held}"
    )


@check("R4")
async def test_a_repeated_ack_brings_what_follows_it(bench: Bench) -> None:
    """The same ACK again means: send again from the entry after it, at once."""
    first, second, third = await first_acknowledged(bench, 3)
    await asyncio.sleep(ACKS_APART_S)
    since = bench.mark()
    bench.wire.send(Ack(first.boot, first.n))
    numbers = await numbers_again(bench, since)
    bench.require(
        numbers == [second.n, third.n],
        f"events {second.n} and {third.n} at once after a repeated ACK",
        f"numbers {numbers}",
    )


@check("R4")
async def test_many_equal_acks_bring_one_repeat(bench: Bench) -> None:
    """Several equal ACKs in less than 0.2 s make the terminal send again once."""
    first, second = await first_acknowledged(bench, 2)
    await asyncio.sleep(ACKS_APART_S)
    since = bench.mark()
    for _ in range(5):
        bench.wire.send(Ack(first.boot, first.n))
    numbers = await numbers_again(bench, since)
    bench.require(
        numbers == [second.n],
        f"event {second.n} once after five equal ACKs",
        f"numbers {numbers}",
    )


@check("R5")
async def test_a_new_link_begins_after_the_last_ack(bench: Bench) -> None:
    """A new link brings what is not acknowledged; its first ACK repeats none."""
    first, second = await first_acknowledged(bench, 2)
    await bench.ask()
    since = bench.mark()
    bench.welcome()
    numbers = await numbers_again(bench, since)
    bench.require(
        numbers == [second.n],
        f"event {second.n} when the link comes up",
        f"numbers {numbers}",
    )
    await asyncio.sleep(ACKS_APART_S)
    since = bench.mark()
    bench.wire.send(Ack(first.boot, first.n))
    numbers = await numbers_again(bench, since)
    bench.require(
        not numbers, "no repeat at the first ACK of a link", f"numbers {numbers}"
    )


@check("R6")
async def test_what_is_no_longer_there_is_lost(bench: Bench) -> None:
    """An ACK older than the one before is answered by LOST of what it would follow."""
    await bench.ready()
    first, second, third = await pressed(bench, 3)
    bench.wire.send(Ack(third.boot, third.n))
    await bench.poll()
    bench.wire.send(Ack(first.boot, first.n))
    lost = await bench.expect(Lost, "LOST of what was acknowledged before")
    told = (lost.boot, lost.first, lost.last)
    known = (first.boot, second.n, third.n)
    bench.require(told == known, f"LOST of {known}", f"it says {told}")


@check("R6", slow=True)
async def test_lost_is_repeated_until_its_ack(bench: Bench) -> None:
    """LOST comes again after 1 s like an event, and no more after its ACK."""
    await bench.ready()
    first, second = await pressed(bench, 2)
    bench.wire.send(Ack(second.boot, second.n))
    await bench.poll()
    bench.wire.send(Ack(first.boot, first.n))
    await bench.expect(Lost, "LOST of what was acknowledged before")
    await bench.expect(Lost, "LOST again", within=REPEAT_S[0] + bench.tolerance)
    bench.wire.send(Ack(second.boot, second.n))
    await bench.poll()
    since = bench.mark()
    await bench.sleep_until(bench.now() + REPEAT_S[1] + bench.tolerance)
    bench.expect_none_since(Lost, "no LOST after its ACK", since)


@check("R7")
async def test_an_ack_of_what_was_never_sent_is_ignored(bench: Bench) -> None:
    """An ACK of a number not given yet, or of a later boot, is ignored."""
    await bench.ready()
    (event,) = await pressed(bench, 1)
    bench.wire.send(Ack(event.boot, event.n + 1))
    bench.wire.send(Ack(event.boot + 1, 0))
    await bench.poll()
    hello: Hello = await bench.ask()
    kept = (hello.held[-1].first, hello.held[-1].next)
    bench.require(
        kept == (event.n, event.n + 1), "the event still held", f"held is {kept}"
    )
