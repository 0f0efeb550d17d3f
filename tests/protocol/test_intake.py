"""Clauses A: the referee takes the entry after its last one and nothing else."""

import msgspec
import pytest

from laws.seats import Seat
from protocol.intake import Intake, Verdict
from protocol.messages import Ack, Event, Held, Hello, Lost
from protocol.store import Position
from tests.protocol.samples import HELLO


def hello(*held: tuple[int, int, int], volatile: bool = False) -> Hello:
    return msgspec.structs.replace(
        HELLO,
        boot=held[-1][0],
        volatile=volatile,
        held=tuple(Held(*h) for h in held),
    )


def event(boot: int, n: int) -> Event:
    return Event(boot, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))


NEXT, DUPLICATE, GAP = Verdict


@pytest.mark.parametrize(
    ("n", "verdict"), [(3, DUPLICATE), (4, DUPLICATE), (5, NEXT), (6, GAP)]
)
def test_within_a_boot_only_the_next_number_is_taken(n: int, verdict: Verdict) -> None:
    intake = Intake(Position(7, 4), hello((7, 5, 9)))
    assert intake.judge(event(7, n)) is verdict
    assert intake.ack == Ack(7, 4)


def test_taking_moves_the_ack() -> None:
    intake = Intake(Position(7, 4), hello((7, 5, 9))).take(event(7, 5))
    assert intake.ack == Ack(7, 5)


def test_taking_what_does_not_come_next_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="a gap"):
        Intake(Position(7, 4)).take(event(7, 6))


def test_an_unknown_terminal_is_taken_up_where_its_log_stands() -> None:
    assert Intake.begin(hello((5, 3, 8), (6, 0, 1))).last == Position(5, 2)
    bare = msgspec.structs.replace(HELLO, boot=9, held=())
    assert Intake.begin(bare).ack == Ack(9, -1)


def test_a_later_boot_follows_when_nothing_earlier_is_still_to_come() -> None:
    intake = Intake(Position(5, 7), hello((5, 6, 8), (7, 0, 2)))
    assert intake.judge(event(7, 0)) is NEXT
    assert intake.judge(event(7, 1)) is GAP
    assert intake.take(event(7, 0)).ack == Ack(7, 0)


def test_a_later_boot_waits_for_the_rest_of_the_earlier_ones() -> None:
    intake = Intake(Position(5, 6), hello((5, 6, 8), (6, 0, 1), (7, 0, 2)))
    assert intake.judge(event(6, 0)) is GAP
    intake = intake.take(event(5, 7))
    assert intake.judge(event(7, 0)) is GAP
    intake = intake.take(event(6, 0))
    assert intake.judge(event(7, 0)) is NEXT
    assert intake.judge(event(5, 7)) is DUPLICATE


def test_boots_before_the_last_entry_are_past() -> None:
    intake = Intake(Position(6, 0), hello((5, 6, 8), (6, 0, 1), (7, 0, 2)))
    assert intake.judge(event(7, 0)) is NEXT


def test_a_boot_of_which_no_hello_has_spoken_waits() -> None:
    assert Intake(Position(5, 7)).judge(event(6, 0)) is GAP
    assert Intake(Position(5, 7)).judge(event(4, 0)) is GAP
    assert Intake(Position(5, 7), hello((5, 8, 8))).judge(event(6, 0)) is GAP


def test_a_random_boot_is_later_than_any_other() -> None:
    intake = Intake(Position(900, 7), hello((900, 8, 8), volatile=True))
    intake = intake.greet(hello((12, 0, 1), volatile=True))
    assert intake.judge(event(12, 0)) is NEXT
    intake = intake.take(event(12, 0))
    assert intake.judge(event(900, 8)) is DUPLICATE


def test_lost_numbers_are_passed_over() -> None:
    intake = Intake(Position(7, 4), hello((7, 8, 9)))
    assert intake.judge(Lost(7, 6, 7)) is GAP
    assert intake.judge(Lost(7, 3, 4)) is DUPLICATE
    assert intake.judge(Lost(7, 3, 7)) is NEXT
    assert intake.take(Lost(7, 5, 7)).judge(event(7, 8)) is NEXT


def test_the_beginning_of_a_later_boot_may_be_lost() -> None:
    intake = Intake(Position(5, 7), hello((6, 3, 4)))
    assert intake.judge(event(6, 3)) is GAP
    assert intake.take(Lost(6, 0, 2)).judge(event(6, 3)) is NEXT


def test_a_counter_that_fell_back_is_told_and_not_followed() -> None:
    intake = Intake(Position(7, 4), hello((7, 5, 5)))
    assert intake.is_reset(hello((1, 0, 0)))
    assert intake.greet(hello((1, 0, 0))) == intake
    assert not intake.is_reset(hello((1, 0, 0), volatile=True))
    assert not intake.is_reset(hello((8, 0, 0)))
