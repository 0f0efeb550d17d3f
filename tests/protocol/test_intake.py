"""Clauses A: the referee takes the entry after its last one and nothing else."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.decoding import Malformed
from protocol.intake import Intake, Verdict
from protocol.messages import Ack, Event, Held, Hello, Lost
from protocol.store import MemoryStore, Position
from tests.protocol.samples import HELLO

NEXT, DUPLICATE, GAP = Verdict


def hello(*held: tuple[int, int, int], volatile: bool = False) -> Hello:
    return msgspec.structs.replace(
        HELLO,
        boot=held[-1][0],
        volatile=volatile,
        held=tuple(Held(*h) for h in held),
    )


def event(boot: int, n: int) -> Event:
    return Event(boot, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))


def begun(*held: tuple[int, int, int]) -> Intake:
    return Intake.begin(hello(*held))


@pytest.mark.parametrize(
    ("n", "verdict"), [(3, DUPLICATE), (4, DUPLICATE), (5, NEXT), (6, GAP)]
)
def test_within_a_boot_only_the_next_number_is_taken(n: int, verdict: Verdict) -> None:
    intake = begun((7, 5, 9))
    assert intake.judge(event(7, n)) is verdict
    assert intake.ack == Ack(7, 4)


def test_taking_moves_the_ack() -> None:
    assert begun((7, 5, 9)).take(event(7, 5)).ack == Ack(7, 5)


def test_a_malformed_event_is_taken_like_any_other() -> None:
    malformed = Malformed("EVENT: kind", 7, 5, b"...")
    intake = begun((7, 5, 9))
    assert intake.judge(malformed) is NEXT
    assert intake.take(malformed).ack == Ack(7, 5)


def test_taking_what_does_not_come_next_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="a gap"):
        begun((7, 5, 9)).take(event(7, 6))


def test_an_unknown_terminal_is_taken_up_where_its_log_stands() -> None:
    assert begun((5, 3, 8), (6, 0, 1)).ack == Ack(5, 2)
    assert begun((9, 0, 0)).ack == Ack(9, -1)
    assert begun((5, 8, 8), (9, 0, 0)).ack == Ack(9, -1)


def test_a_later_boot_follows_when_nothing_earlier_is_still_to_come() -> None:
    intake = begun((5, 6, 8), (7, 0, 2)).take(event(5, 6)).take(event(5, 7))
    assert intake.ack == Ack(7, -1)
    assert intake.judge(event(7, 0)) is NEXT
    assert intake.judge(event(7, 1)) is GAP
    assert intake.take(event(7, 0)).ack == Ack(7, 0)


def test_a_later_boot_waits_for_the_rest_of_the_earlier_ones() -> None:
    intake = begun((5, 7, 8), (6, 0, 1), (7, 0, 2))
    assert intake.judge(event(6, 0)) is GAP
    intake = intake.take(event(5, 7))
    assert intake.ack == Ack(6, -1)
    assert intake.judge(event(7, 0)) is GAP
    intake = intake.take(event(6, 0))
    assert intake.judge(event(7, 0)) is NEXT
    assert intake.judge(event(5, 7)) is DUPLICATE


def test_a_boot_of_which_no_hello_has_spoken_waits() -> None:
    assert begun((5, 8, 8)).judge(event(6, 0)) is GAP


def test_what_is_held_of_boots_before_the_last_entry_is_not_waited_for() -> None:
    intake = begun((5, 6, 7), (6, 0, 1), (7, 0, 0))
    intake = intake.take(event(5, 6)).take(event(6, 0))
    again = hello((5, 6, 7), (6, 0, 1), (8, 0, 1))  # no ACK has reached it
    assert not intake.is_reset(again)
    assert intake.greet(again).judge(event(8, 0)) is NEXT


def test_a_random_boot_is_later_than_any_other() -> None:
    intake = Intake.begin(hello((900, 8, 8), volatile=True))
    intake = intake.greet(hello((12, 0, 1), volatile=True))
    assert intake.ack == Ack(12, -1)
    assert intake.judge(event(12, 0)) is NEXT
    intake = intake.take(event(12, 0))
    assert intake.judge(event(900, 8)) is DUPLICATE


def test_lost_numbers_are_passed_over() -> None:
    intake = begun((7, 5, 9))
    assert intake.judge(Lost(7, 6, 7)) is GAP
    assert intake.judge(Lost(7, 3, 4)) is DUPLICATE
    assert intake.judge(Lost(7, 3, 7)) is NEXT
    assert intake.take(Lost(7, 5, 7)).judge(event(7, 8)) is NEXT


def test_the_beginning_of_a_later_boot_may_be_lost() -> None:
    intake = begun((5, 8, 8), (6, 3, 4))
    assert intake.judge(event(6, 3)) is GAP
    assert intake.take(Lost(6, 0, 2)).judge(event(6, 3)) is NEXT


def test_all_before_a_number_is_covered_when_it_has_been_taken() -> None:
    intake = begun((5, 6, 8), (7, 0, 2))
    assert intake.covers(5, 6)
    assert not intake.covers(5, 7)
    assert not intake.covers(7, 0)
    intake = intake.take(event(5, 6)).take(event(5, 7))
    assert intake.covers(7, 0)
    assert not intake.covers(7, 1)


# -- memories that were reset -------------------------------------------------------

TAKEN = begun((7, 0, 0)).take(event(7, 0)).take(event(7, 1))


@pytest.mark.parametrize(
    "held",
    [
        [(6, 0, 0)],
        [(7, 0, 0)],
        [(7, 0, 1)],
        [(7, 1, 1), (8, 0, 0)],
        [(3, 0, 1), (9, 0, 0)],
    ],
    ids=["lower", "nothing", "less", "less, and a later one", "earlier ones only"],
)
def test_what_cannot_follow_the_last_entry_is_taken_up_anew(
    held: list[tuple[int, int, int]],
) -> None:
    assert TAKEN.is_reset(hello(*held))
    assert TAKEN.greet(hello(*held)) == begun(*held)


@pytest.mark.parametrize(
    "held",
    [
        [(7, 2, 2)],
        [(7, 0, 2)],
        [(7, 0, 9)],
        [(7, 0, 2), (8, 0, 0)],
        [(8, 0, 0)],
        [(9, 0, 4)],
        [(6, 0, 1), (7, 0, 2), (9, 0, 0)],
    ],
)
def test_what_follows_the_last_entry_goes_on(held: list[tuple[int, int, int]]) -> None:
    assert not TAKEN.is_reset(hello(*held))
    assert TAKEN.greet(hello(*held)).judge(event(7, 1)) is DUPLICATE


def test_a_boot_that_counted_no_event_does_not_make_the_ones_before_a_reset() -> None:
    intake = TAKEN.greet(hello((7, 0, 2), (8, 0, 0)))
    assert intake.ack == Ack(8, -1)
    assert not intake.is_reset(hello((7, 0, 2), (9, 0, 0)))
    assert intake.is_reset(hello((7, 0, 3)))  # its counter stood at 8 already


def test_a_random_boot_that_comes_again_with_less_is_taken_up_anew() -> None:
    intake = Intake.begin(hello((900, 0, 0), volatile=True)).take(event(900, 0))
    assert not intake.is_reset(hello((900, 0, 1), volatile=True))
    assert not intake.is_reset(hello((12, 0, 0), volatile=True))
    assert intake.is_reset(hello((900, 0, 0), volatile=True))


def test_a_terminal_that_is_given_a_memory_begins_a_new_log() -> None:
    assert TAKEN.is_reset(hello((4_000_000_000, 0, 0), volatile=True))


STEPS = st.lists(
    st.sampled_from(["press", "press", "restart", "open", "send", "ack"]), max_size=40
)


@given(STEPS)
def test_an_honest_terminal_is_never_taken_for_one_that_was_reset(
    steps: list[str],
) -> None:
    """Whatever of its events and of the referee's ACKs gets lost."""
    store = MemoryStore(7, volatile=False)
    intake = begun((7, 0, 0))
    for step in steps:
        if step == "press":
            store.append(event(store.boot, store.next), 0.0)
        elif step == "restart":
            store = store.restarted()
        elif step == "ack":
            store.forget(Position(intake.ack.boot, intake.ack.n))
        else:
            said = msgspec.structs.replace(HELLO, boot=store.boot, held=store.held())
            assert not intake.is_reset(said)
            intake = intake.greet(said)
            for entry in store.entries()[: 3 if step == "send" else 0]:
                if intake.judge(entry.event) is NEXT:
                    intake = intake.take(entry.event)
