"""Clauses D: which display counts, what it offers, what it locks."""

from hil_tests.bench import Bench
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from laws.seats import Seat
from protocol.messages import Asked, Choice, Event, Profile, Shown


@check("D3")
async def test_every_display_is_answered(bench: Bench) -> None:
    """To every DISPLAY, the same one again included, SHOWN answers, for each seat."""
    await bench.up()
    for seat in bench.hello.seats:
        display = bench.display(seat)
        for _ in range(2):
            bench.wire.send(display)
            await bench.expect_display_shown(display, "the display sent")


@check("D2")
async def test_the_greatest_revision_counts(bench: Bench) -> None:
    """A lower revision is not shown: SHOWN says the greater one."""
    await bench.up()
    low, high = bench.display(bench.seat), bench.display(bench.seat)
    for display in (high, low):
        bench.wire.send(display)
        await bench.expect_display_shown(high, "the greatest revision")


@check("D2")
async def test_the_epoch_comes_first(bench: Bench) -> None:
    """A later epoch is shown whatever its revision, an earlier one is not."""
    await bench.up()
    low, high = bench.display(bench.seat, epoch=2), bench.display(bench.seat)
    bench.wire.send(high)
    await bench.expect_display_shown(high, "the display sent")
    bench.wire.send(low)
    await bench.expect_display_shown(low, "a later epoch")
    bench.wire.send(bench.display(bench.seat))
    await bench.expect_display_shown(low, "an earlier epoch does not count")


@check("D2")
async def test_seats_have_displays_of_their_own(bench: Bench) -> None:
    """The revision of one seat says nothing about another seat."""
    await bench.up()
    if len(bench.hello.seats) == 1:
        raise CannotCauseError("this terminal serves one seat")
    one, other = bench.hello.seats[:2]
    low, high = bench.display(one), bench.display(other)
    for display in (high, low):
        bench.wire.send(display)
        await bench.expect_display_shown(display, "a display of its own")


@check("D3")
async def test_a_display_for_another_seat_is_ignored(bench: Bench) -> None:
    """A DISPLAY for a seat that the terminal does not serve is ignored."""
    await bench.up()
    others = [seat for seat in Seat if seat not in bench.hello.seats]
    if not others:
        raise CannotCauseError("this terminal serves all four seats")
    since = bench.mark()
    bench.wire.send(bench.display(others[0]))
    await bench.expect_nothing(Shown, "no SHOWN for a seat that is not served", since)


@check("D4")
async def test_welcome_forgets_the_numbers(bench: Bench) -> None:
    """After an opening the terminal takes whatever number comes next."""
    await bench.up()
    low, high = bench.display(bench.seat), bench.display(bench.seat, epoch=9)
    await bench.show(high)
    await bench.link_up()
    bench.wire.send(low)
    await bench.expect_display_shown(low, "any number after an opening")


@check("D4")
async def test_what_is_shown_stays_through_an_opening(bench: Bench) -> None:
    """Until the next display the one of before the opening is shown, and answered."""
    display = await bench.ready()
    await bench.link_up()
    await bench.press()
    event = await bench.expect_event()
    bench.require(
        event.rev == display.rev,
        f"an event that names rev {display.rev}, which is still shown",
        f"it names {event.rev}",
    )


@check("D6")
async def test_a_display_is_seen(bench: Bench) -> None:
    """The first page of the display is what the seat sees."""
    await bench.up()
    word = "BIDWIRE"[: bench.hello.columns]
    await bench.show(bench.display(bench.seat, pages=((word,), ("second page",))))
    seen = await bench.hands.sees(bench.seat, word)
    bench.require(seen, f"{word!r} on the display of {bench.seat.value}", "it is not")


@check("D6")
async def test_a_lower_display_is_not_seen(bench: Bench) -> None:
    """A display that does not count is not seen either."""
    await bench.up()
    words = ("OLDER"[: bench.hello.columns], "NEWER"[: bench.hello.columns])
    older, newer = (bench.display(bench.seat, pages=((word,),)) for word in words)
    await bench.show(newer)
    await bench.show(older)
    seen = await bench.hands.sees(bench.seat, words[1])
    bench.require(
        seen, f"{words[1]!r} on the display of {bench.seat.value}", "it is not"
    )


@check("D6")
async def test_what_is_too_long_is_cut(bench: Bench) -> None:
    """Lines and pages that are too long are cut off, and the display is shown."""
    await bench.up()
    line = "W" * min(bench.hello.columns + 5, 100)
    rows = min(bench.hello.rows + 2, 10)
    display = bench.display(bench.seat, pages=((line,) * rows,))
    bench.wire.send(display)
    await bench.expect_display_shown(display, "a display that is cut")
    await bench.poll()


@check("D8")
async def test_a_choice_sends_its_kind_and_data(bench: Bench) -> None:
    """Choosing an answer sends its kind and data, locked or not."""
    choices = (
        Choice("accept", (), "Accept"),
        Choice("answer", ("board", "yes"), "Yes"),
        Choice("replace", ("3C",), "3C"),
    )
    locks = ("accept", "answer", "replace")
    display = await bench.ready(ask=Asked.CHOICE, choices=choices, locks=locks)
    for number, choice in enumerate(choices, 1):
        await bench.hands.choose(display, number)
        event = await bench.expect_event(f"EVENT of the choice {choice.label!r}")
        told, known = (event.kind, event.data), (choice.kind, choice.data)
        bench.require(told == known, f"{known}", f"it says {told}")


@check("D8")
async def test_a_choice_that_moves_a_card_names_the_hand(bench: Bench) -> None:
    """A choice of a card is sent with the hand that the display names."""
    await bench.up()
    bench.need_cards()
    partner = bench.seat.partner
    choice = Choice("card", ("SA",), "Ace of spades")
    display = bench.display(bench.seat, ask=Asked.CARD, hand=partner, choices=(choice,))
    await bench.show(display)
    await bench.hands.choose(display, 1)
    event = await bench.expect_event("EVENT of the choice of a card")
    bench.require(event.hand is partner, f"hand {partner.value}", f"it is {event.hand}")


@check("D9")
async def test_a_locked_key_sends_nothing(bench: Bench) -> None:
    """A key that the display locks does nothing; the others work."""
    await bench.ready(locks=("1H", "claim"))
    since = bench.mark()
    await bench.press("call", "1H")
    await bench.press("claim", 3)
    await bench.expect_nothing(Event, "no EVENT of a locked key", since)
    await bench.press("call", "1S")
    await bench.expect_event("EVENT of a key that is not locked")


@check("D9")
async def test_a_lock_ends_with_its_display(bench: Bench) -> None:
    """Without locks every key works; a name that is unknown locks nothing."""
    await bench.ready(locks=("call",))
    await bench.show(bench.display(bench.seat, locks=("no-such-key", "8NT")))
    await bench.press("call", "1H")
    await bench.expect_event("EVENT of a key that is no longer locked")


@check("K3")
async def test_a_kind_locks_all_its_keys(bench: Bench) -> None:
    """The lock `call` locks all calls and nothing else."""
    await bench.ready(locks=("call",))
    since = bench.mark()
    for call in ("P", "X", "7NT"):
        await bench.press("call", call)
    await bench.expect_nothing(Event, "no EVENT of a call", since)
    await bench.press("director")
    event = await bench.expect_event("EVENT of a key of another kind")
    bench.require(event.kind == "director", "kind director", f"it is {event.kind}")


@check("K3")
async def test_the_lock_of_a_call_locks_its_call_alone(bench: Bench) -> None:
    """The lock `1S` locks the call, and neither a change to it nor another call."""
    await bench.ready(locks=("1S",))
    since = bench.mark()
    await bench.press("call", "1S")
    await bench.expect_nothing(Event, "no EVENT of the locked call", since)
    await bench.press("change", "1S")
    event = await bench.expect_event("EVENT of a change to 1S")
    bench.require(event.kind == "change", "kind change", f"it is {event.kind}")


@check("K3")
async def test_the_lock_of_a_card_locks_its_card_alone(bench: Bench) -> None:
    """The lock `SA` locks the card, and no other card."""
    await bench.up()
    bench.need_cards()
    await bench.show(
        bench.display(bench.seat, ask=Asked.CARD, hand=bench.seat, locks=("SA",))
    )
    since = bench.mark()
    await bench.press("card", "SA")
    await bench.expect_nothing(Event, "no EVENT of the locked card", since)
    await bench.press("card", "SK")
    await bench.expect_event("EVENT of another card")


@check("K3")
async def test_the_lock_of_alert_locks_alerted_calls(bench: Bench) -> None:
    """The lock `alert` locks the alert key, so that no call can be alerted."""
    await bench.ready(locks=("alert",))
    since = bench.mark()
    await bench.press("call", "2D", True)
    await bench.barrier()
    alerted = [e for _, e in bench.heard(Event, since) if e.data[1:2] == (True,)]
    bench.require(not alerted, "no EVENT of an alerted call", "one came")
    await bench.press("call", "2H")
    await bench.expect(
        Event, "EVENT of a call that is not alerted", lambda e: e.data == ("2H",)
    )


@check("K4")
async def test_a_terminal_for_calls_sends_no_cards(bench: Bench) -> None:
    """A terminal of profile calls sends no kind that moves a card."""
    await bench.ready()
    profile = bench.hello.profile
    if profile is not Profile.CALLS:
        raise CannotCauseError(f"this terminal is of profile {profile.value}")
    since = bench.mark()
    await bench.press("card", "SA")
    await bench.expect_nothing(Event, "no EVENT of a card", since)
