"""Clauses K: each kind of event, as the table has it."""

from hil_tests.bench import Bench
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from protocol.happenings import KINDS, MOVES_CARD
from protocol.messages import Asked, Datum

EXAMPLES: dict[str, tuple[Datum, ...]] = {
    "call": ("1H",),
    "card": ("CT",),
    "cards": ("H4 S2",),
    "exposed": ("H4",),
    "named": ("C6",),
    "moved": ("HJ",),
    "change": ("2H",),
    "attention-revoke": ("W", 5),
    "replace": ("D5",),
    "require": ("highest",),
    "forbid": ("H S",),
    "claim": (3,),
    "concede": (2,),
    "next-board": ("P",),
    "board": (12,),
    "answer": ("board", "yes"),
    "director": (),
}
"""What is entered of each kind; of those that are missing nothing but the kind."""

CALLS: dict[str, tuple[Datum, ...]] = {
    "pass": ("P",),
    "double": ("X",),
    "redouble": ("XX",),
    "lowest": ("1C",),
    "highest": ("7NT",),
    "alerted": ("2D", True),
    "explained": ("2D", True, "transfer"),
}


async def expect_as_entered(bench: Bench, kind: str, data: tuple[Datum, ...]) -> None:
    """Enter something; it must come as it was entered."""
    await bench.up()
    hand = None
    if kind in MOVES_CARD:
        bench.need_cards()
        hand = bench.seat
    ask = Asked.CARD if hand is not None else Asked.CALL
    await bench.show(bench.display(bench.seat, ask=ask, hand=hand))
    await bench.press(kind, *data)
    event = await bench.expect_event(f"EVENT of kind {kind}")
    told = (event.kind, event.seat, event.hand, event.data)
    known = (kind, bench.seat, hand, data)
    bench.require(told == known, f"{plain(known)}", f"it says {plain(told)}")


def plain(fields: tuple[object, ...]) -> str:
    return ", ".join(str(field) for field in fields)


@check("K1", cases=[kind.value for kind in KINDS])
async def test_kind(bench: Bench, case: str) -> None:
    """What is entered comes as an EVENT of its kind, with its hand and data."""
    await expect_as_entered(bench, case, EXAMPLES.get(case, ()))


@check("K2", cases=list(CALLS))
async def test_call(bench: Bench, case: str) -> None:
    """A call comes by its name, with its alert and explanation."""
    await expect_as_entered(bench, "call", CALLS[case])


@check("K1")
async def test_a_card_of_dummy_names_the_hand_of_dummy(bench: Bench) -> None:
    """Dummy's card played from declarer's place: seat declarer, hand dummy."""
    await bench.up()
    bench.need_cards()
    dummy = bench.seat.partner
    await bench.show(bench.display(bench.seat, ask=Asked.CARD, hand=dummy))
    await bench.press("card", "HT", hand=dummy)
    event = await bench.expect_event("EVENT of dummy's card")
    told, known = (event.seat, event.hand), (bench.seat, dummy)
    bench.require(
        told == known, f"seat and hand {plain(known)}", f"it says {plain(told)}"
    )


@check("K4")
async def test_every_seat_is_named_by_its_keys(bench: Bench) -> None:
    """An event names the seat whose key it was, at each seat that is served."""
    await bench.up()
    for seat in bench.hello.seats:
        display = bench.display(seat)
        await bench.show(display)
        await bench.press(seat=seat)
        event = await bench.expect_event(f"EVENT of {seat.value}")
        bench.require(event.seat is seat, f"seat {seat.value}", f"it is {event.seat}")
        bench.require(
            event.rev == display.rev, "the display of that seat", f"rev {event.rev}"
        )


@check("K4")
async def test_the_profile_is_the_one_that_was_expected(bench: Bench) -> None:
    """HELLO says the profile that was given by --profile."""
    if bench.profile is None:
        raise CannotCauseError("no --profile was given")
    hello = await bench.ask()
    bench.require(
        hello.profile is bench.profile,
        f"profile {bench.profile.value}",
        f"it says {hello.profile.value}",
    )


@check("E6")
async def test_an_explanation_of_120_characters_is_taken(bench: Bench) -> None:
    """A text of 120 characters comes whole."""
    await bench.ready()
    bench.need_quick_hands(120)
    await bench.press("director", False, "x" * 120)
    event = await bench.expect_event("EVENT with a text of 120 characters")
    bench.require(event.data == (False, "x" * 120), "the text as it was typed")
