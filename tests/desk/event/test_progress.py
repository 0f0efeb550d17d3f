"""How far a table is in each round: from its public facts, and from what is planned."""

import pytest

from desk.progress import Stage, TableRound, rounds_of
from desk.room import Room
from desk.tools import Plan, Planned
from protocol.payloads import Phase, TableState
from tests.desk.event.events import at

BOARDS = (Planned(1, 1), Planned(2, 1), Planned(3, 2), Planned(4, 2))
PLAN = Plan({"a1": BOARDS}, is_called=True)


def seen(state: TableState | None, plan: Plan = PLAN) -> dict[int, TableRound]:
    room = Room()
    if state is not None:
        room.states["a1"] = state
    return {view.number: view.tables[0] for view in rounds_of(room, plan)}


@pytest.mark.parametrize(
    ("state", "first", "second"),
    [
        (
            at(phase=Phase.IDLE, board=0, round=0, play=0, next_board=1, next_round=1),
            (Stage.READY, 1, 0),
            (Stage.TO_COME, 0, 0),
        ),
        (
            at(board=1, next_board=2, next_round=1),
            (Stage.PLAYING, 1, 0),
            (Stage.TO_COME, 0, 0),
        ),
        (
            at(phase=Phase.ENDED, board=1, next_board=2, next_round=1),
            (Stage.READY, 2, 1),
            (Stage.TO_COME, 0, 0),
        ),
        (at(), (Stage.PLAYING, 2, 1), (Stage.TO_COME, 0, 0)),
        (
            at(phase=Phase.ENDED, waiting="round"),
            (Stage.FINISHED, 0, 2),
            (Stage.WAITING, 3, 0),
        ),
        (at(phase=Phase.ENDED), (Stage.FINISHED, 0, 2), (Stage.READY, 3, 0)),
        (
            at(board=4, round=2, next_board=0, next_round=0),
            (Stage.FINISHED, 0, 2),
            (Stage.PLAYING, 4, 1),
        ),
        (
            at(phase=Phase.IDLE, board=0, round=0, next_board=0, next_round=0),
            (Stage.FINISHED, 0, 2),
            (Stage.FINISHED, 0, 2),
        ),
        (None, (Stage.UNKNOWN, 0, 0), (Stage.UNKNOWN, 0, 0)),
    ],
)
def test_a_table_moves_through_its_rounds(
    state: TableState | None,
    first: tuple[Stage, int, int],
    second: tuple[Stage, int, int],
) -> None:
    rounds = seen(state)
    assert [(r.stage, r.board, r.played) for r in rounds.values()] == [first, second]
    assert [r.boards for r in rounds.values()] == [2, 2]


def test_without_a_plan_a_table_is_in_the_round_that_it_says() -> None:
    assert seen(at(), Plan()) == {1: TableRound("a1", Stage.PLAYING, 2)}
    assert seen(at(phase=Phase.ENDED, waiting="round"), Plan()) == {
        1: TableRound("a1", Stage.FINISHED),
        2: TableRound("a1", Stage.WAITING, 3),
    }
    assert seen(at(phase=Phase.ENDED, next_round=1), Plan()) == {
        1: TableRound("a1", Stage.READY, 3)
    }


def test_a_table_that_does_not_fit_the_plan_is_taken_as_it_is() -> None:
    """The event file may have been changed while the event runs."""
    assert seen(at(next_board=9)) == {1: TableRound("a1", Stage.PLAYING, 2)}


def test_an_event_without_rounds_is_one() -> None:
    plan = Plan({"a1": (Planned(1, 0), Planned(2, 0))})
    state = at(round=0, board=1, next_board=2, next_round=0)
    assert seen(state, plan) == {0: TableRound("a1", Stage.PLAYING, 1, 0, 2)}
