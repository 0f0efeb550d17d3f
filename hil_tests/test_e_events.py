"""Clauses E and A8: what a user does is numbered, kept, and told."""

from hil_tests.bench import Bench
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from protocol.limits import AGE_UNKNOWN_MS, HELD_MAX, LATE_S, REPEAT_S
from protocol.messages import Ack, Event, Hello

AGE_SLACK_MS = 250
"""An age may be so much off when it is compared with our clock."""

ENOUGH = 400
"""Keys that fill any store that a test can fill."""


def held_of(hello: Hello, boot: int) -> tuple[int, int]:
    """First and next that HELLO names for a boot; 0, 0 when it names none."""
    found = [(held.first, held.next) for held in hello.held if held.boot == boot]
    return found[0] if found else (0, 0)


@check("E2")
async def test_events_are_numbered_without_gaps(bench: Bench) -> None:
    """Each event gets the number after the last one, from what PONG said is next."""
    await bench.ready()
    first = (await bench.poll()).next
    for count in range(3):
        await bench.press()
        event = await bench.expect_event()
        bench.require(
            event.n == first + count, f"n = {first + count}", f"it is {event.n}"
        )


@check("E1")
async def test_every_key_sends_whether_or_not_it_is_the_turn(bench: Bench) -> None:
    """A key sends its event also while the display asks for nothing."""
    await bench.ready(ask="none")
    await bench.press()
    await bench.expect_event("EVENT though the display asks for nothing")


@check("A8")
async def test_equal_keys_are_events_of_their_own(bench: Bench) -> None:
    """Three equal passes in a row are three events."""
    await bench.ready()
    numbers = []
    for _ in range(3):
        await bench.press()
        numbers.append((await bench.expect_event()).n)
    bench.require(
        len(set(numbers)) == 3, "three events of three passes", f"numbers {numbers}"
    )


@check("E7")
async def test_an_event_names_the_display_that_it_answers(bench: Bench) -> None:
    """The fields play and rev are those of the display that the seat showed."""
    display = await bench.ready()
    await bench.press()
    event = await bench.expect_event()
    told, known = (event.play, event.rev), (display.play, display.rev)
    bench.require(told == known, f"play and rev {known}", f"it says {told}")
    later = bench.display(bench.seat, play=display.play + 1)
    await bench.show(later)
    await bench.press()
    event = await bench.expect_event()
    told, known = (event.play, event.rev), (later.play, later.rev)
    bench.require(told == known, f"play and rev {known}", f"it says {told}")


@check("E7")
async def test_a_director_call_before_any_display_names_none(bench: Bench) -> None:
    """Before its first display a seat calls the Director with play and rev 0."""
    await bench.up()
    await bench.restarted()
    await bench.link_up()
    await bench.press("director")
    event = await bench.expect_event("EVENT of a Director call before any display")
    bench.require(
        (event.play, event.rev) == (0, 0),
        "play and rev 0 before any display",
        f"they are {event.play} and {event.rev}",
    )


@check("E4")
async def test_held_names_what_is_kept(bench: Bench) -> None:
    """HELLO names in held the running boot last: the first kept event and the next."""
    await bench.ready()
    hello = await bench.ask()
    first, following = held_of(hello, hello.boot)
    bench.require(
        first == following, "first = next when nothing is kept", f"{hello.held}"
    )
    bench.welcome()
    await bench.poll()
    await bench.press()
    await bench.expect_event()
    hello = await bench.ask()
    held = held_of(hello, hello.boot)
    bench.require(
        held == (following, following + 1),
        f"held of {following} to {following + 1} after one event",
        f"it is {held}",
    )


@check("E2")
async def test_an_event_pressed_while_the_link_is_down_is_kept(bench: Bench) -> None:
    """What is pressed while the link is not up comes when it is."""
    await bench.ready()
    await bench.ask()
    since = bench.mark()
    await bench.press()
    await bench.expect_nothing(Event, "no EVENT before WELCOME", since)
    bench.welcome()
    await bench.expect_event("EVENT that was pressed before WELCOME")


@check("E2")
async def test_an_event_outlives_a_restart(bench: Bench) -> None:
    """An event comes again after a restart: same boot and n, its age unknown (E5)."""
    hello = await bench.up()
    if hello.volatile:
        raise CannotCauseError("on a volatile terminal no event outlives a restart")
    await bench.show(bench.display(bench.seat))
    await bench.press()
    before = await bench.expect_event()
    hello = await bench.restarted()
    held = held_of(hello, before.boot)
    bench.require(
        held == (before.n, before.n + 1),
        f"held of {before.n} to {before.n + 1} of boot {before.boot}",
        f"it is {hello.held}",
    )
    bench.forget()
    await bench.link_up()
    after = await bench.expect_event("EVENT of before the restart")
    bench.require(
        (after.boot, after.n, after.data) == (before.boot, before.n, before.data),
        "the event as it was numbered",
        f"it is {after}",
    )
    bench.require(
        after.age_ms == AGE_UNKNOWN_MS, f"age {AGE_UNKNOWN_MS}", f"it is {after.age_ms}"
    )


@check("E3")
async def test_a_restart_counts_a_boot(bench: Bench) -> None:
    """After a restart boot is one more, on a volatile terminal another; n is 0."""
    before = await bench.up()
    after = await bench.restarted()
    if before.volatile:
        bench.require(after.boot != before.boot, "another random boot")
    else:
        bench.require(
            after.boot == before.boot + 1,
            f"boot {before.boot + 1} after the restart",
            f"it is {after.boot}",
        )
    bench.require(
        held_of(after, after.boot) == (0, 0), "n from 0 in a new boot", f"{after.held}"
    )


@check("E4")
async def test_held_names_8_boots_and_no_more(bench: Bench) -> None:
    """With events of 8 boots kept a restart goes on with the numbers of the last."""
    hello = await bench.up()
    bench.need_quick_hands(HELD_MAX)
    if hello.volatile:
        raise CannotCauseError("on a volatile terminal no event outlives a restart")
    events = []
    for _ in range(HELD_MAX):
        await bench.show(bench.display(bench.seat))
        await bench.press()
        events.append(await bench.expect_event())
        hello = await bench.restarted()
        await bench.link_up()
    told = [(held.boot, held.first, held.next) for held in hello.held]
    known = [(event.boot, event.n, event.n + 1) for event in events]
    bench.require(told == known, f"held {known}", f"it is {told}")


@check("O6")
async def test_a_restart_is_told_by_hello(bench: Bench) -> None:
    """A terminal that restarts says HELLO by itself, asked empty, no proof."""
    before = await bench.up()
    hello = await bench.restarted()
    bench.require(not hello.proof, "no proof before any ASK (X2)")
    bench.require(
        hello.nonce != before.nonce or not hello.nonce,
        "a fresh nonce after the restart",
        f"{hello.nonce.hex()} again",
    )


@check("E5", slow=True)
async def test_the_age_of_an_event_grows(bench: Bench) -> None:
    """age_ms is the time since the key press, and grows from repeat to repeat."""
    await bench.ready()
    since = bench.mark()
    await bench.press()
    await bench.expect_event()
    await bench.expect(
        Event, "the same EVENT again", within=REPEAT_S[0] + bench.tolerance
    )
    (start, first), (end, again) = bench.heard(Event, since)[:2]
    passed = (end - start) * 1000
    grown = again.age_ms - first.age_ms
    if bench.hands.are_quick:
        bench.require(
            first.age_ms <= AGE_SLACK_MS, "a small age at first", f"{first.age_ms} ms"
        )
    bench.require(
        abs(grown - passed) <= AGE_SLACK_MS,
        f"an age that grows by {passed:.0f} ms",
        f"it grew by {grown} ms",
    )


@check("E2")
async def test_a_full_store_refuses_keys_and_drops_nothing(bench: Bench) -> None:
    """When the store is full keys are refused; every event that was taken comes."""
    await bench.ready()
    first = (await bench.poll()).next
    await bench.press_many(ENOUGH)
    following = (await bench.poll()).next
    bench.require(
        following < first + ENOUGH,
        "a terminal that refuses keys at some time",
        f"it took {ENOUGH}",
    )
    got = first
    while got < following:
        event = await bench.expect(
            Event,
            f"EVENT with n = {got}",
            lambda event, got=got: event.n == got,  # type: ignore[misc]
        )
        got = event.n + 1
        bench.wire.send(Ack(event.boot, event.n))
    await bench.press()
    await bench.expect(
        Event,
        f"EVENT with n = {following} when there is room again",
        lambda event: event.n == following,
    )


@check("E8", slow=True)
async def test_the_user_reads_how_many_events_wait(bench: Bench) -> None:
    """Events that have no ACK 2 s after the key press are counted on the display."""
    await bench.ready()
    for _ in range(2):
        await bench.press()
        await bench.expect_event()
    await expect_unsent(bench, 2)


@check("E8", slow=True)
async def test_the_user_does_not_read_of_events_that_have_gone(bench: Bench) -> None:
    """When everything is acknowledged the display counts nothing any more."""
    await bench.ready()
    await bench.press()
    event = await bench.expect_event()
    await expect_unsent(bench, 1)
    bench.wire.send(Ack(event.boot, event.n))
    await bench.poll()
    bench.require(
        not await bench.hands.sees_unsent(bench.seat, 1),
        "a display that tells of no event that waits",
        "it still tells of 1",
    )


async def expect_unsent(bench: Bench, count: int) -> None:
    """The display must tell that so many events wait, once they are late."""
    await bench.sleep_until(bench.now() + LATE_S + bench.tolerance)
    bench.require(
        await bench.hands.sees_unsent(bench.seat, count),
        f"a display that tells that {count} wait to be sent",
        "it does not",
    )
