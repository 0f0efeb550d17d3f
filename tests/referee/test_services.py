"""What the Director may do beside the Laws: rounds, deals, hands, scores, penalties."""

from typing import Any

import msgspec
import pytest

from laws.seats import Seat, Side
from protocol.happenings import PlaceBoard
from protocol.payloads import (
    Adjustment,
    Artificial,
    Outcome,
    Penalty,
    PenaltyUnit,
    Service,
    SideScore,
    TableResult,
)
from referee.record import Aside
from referee.settings import Boards, BoardSettings, Rounds
from referee.views import desk, result, table_state
from tests.referee.bench import DEAL, Bench, aside, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

BOARDS = (
    BoardSettings(number=1, round=1),
    BoardSettings(number=2, round=1),
    BoardSettings(number=3, round=2),
)

PASSED_OUT = {
    1: ("N P", "E P", "S P", "W P"),
    2: ("E P", "S P", "W P", "N P"),
    3: ("S P", "W P", "N P", "E P"),
}

AVERAGES = Adjustment(
    SideScore(artificial=Artificial.PLUS),
    SideScore(artificial=Artificial.MINUS),
    "board fouled",
)


def in_rounds(**event: Any) -> Bench:  # noqa: ANN401 - any key of the settings
    return Bench(settings(boards=BOARDS, rounds=Rounds.CALLED, **event))


def refusal(bench: Bench) -> str:
    reply = bench.record.replies[-1]
    assert not reply.done
    return reply.reason


def text(bench: Bench, seat: Seat) -> str:
    return " ".join(line for page in bench.display(seat).pages for line in page)


def published(bench: Bench, play: int = 1) -> TableResult:
    playing = bench.record.playing(play)
    assert playing is not None
    seen = result(bench.record, playing, "s")
    assert seen is not None
    return seen


def test_a_round_begins_when_the_director_opens_it() -> None:
    bench = in_rounds()
    assert bench.record.play is None
    assert "Round 1 has not begun" in text(bench, N)
    assert table_state(bench.table, "s").waiting == "round"
    assert table_state(bench.table, "s").next_board == 1
    bench.direct(service=Service.ROUND, round=1)
    assert bench.play.board.number == 1
    assert table_state(bench.table, "s").waiting == ""
    bench.does(*PASSED_OUT[1], *PASSED_OUT[2])
    state = table_state(bench.table, "s")
    assert (state.waiting, state.next_board, state.next_round) == ("round", 3, 2)
    assert "Round 2 has not begun" in text(bench, S)
    bench.direct(service=Service.ROUND, round=2)
    assert bench.play.board.number == 3
    assert bench.refolded() == bench.record


def test_a_board_of_a_round_that_has_not_begun_is_not_placed() -> None:
    bench = in_rounds(opening=Boards.PLACED)
    bench.does(PlaceBoard(N, 1))
    assert aside(bench) == [Aside.ROUND]
    assert "the round has not begun" in text(bench, N)
    bench.direct(service=Service.ROUND, round=1)
    bench.does(PlaceBoard(N, 1))
    assert bench.play.board.number == 1


def test_what_the_director_opens_himself_waits_for_no_round() -> None:
    bench = in_rounds()
    bench.direct(service=Service.OPEN, board=3)
    assert bench.play.board.number == 3


def test_a_round_is_opened_once_and_only_where_rounds_wait() -> None:
    bench = in_rounds()
    bench.direct(service=Service.ROUND, round=7)
    assert refusal(bench) == "expected a round of the table (1, 2), got 7"
    bench.direct(service=Service.ROUND, round=1)
    bench.direct(service=Service.ROUND, round=1)
    assert refusal(bench) == "round 1 is open already"
    bench = Bench(settings(boards=BOARDS))
    bench.direct(service=Service.ROUND, round=1)
    assert refusal(bench) == "rounds begin by themselves in this event"


def test_hands_may_be_told_until_the_board_is_begun() -> None:
    bench = in_rounds()
    bench.direct(service=Service.DEAL, board=1, deal=DEAL)
    bench.direct(service=Service.ROUND, round=1)
    assert bench.play.state.board.hands is not None
    bench.direct(service=Service.DEAL, board=1, deal=DEAL)
    assert refusal(bench) == "expected a board that is still to be played, got 1"
    bench.direct(service=Service.DEAL, board=2, deal="N:AK - - -")
    assert refusal(bench).startswith("deal: ")
    assert bench.refolded() == bench.record


def test_the_hands_are_shown_once_the_director_asks_and_that_is_kept() -> None:
    bench = Bench()
    assert desk(bench.table, "s").deal == ""
    bench.direct(service=Service.HANDS)
    assert desk(bench.table, "s").deal == DEAL
    assert bench.record.replies[-1].done
    assert bench.refolded().play == bench.play


def test_hands_that_nobody_told_cannot_be_shown() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.direct(service=Service.HANDS)
    assert refusal(bench) == "nobody has told the hands of board 1"


def test_law_12_an_adjusted_score_stands_beside_the_result() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.does(*PASSED_OUT[1])
    before = published(bench)
    assert (before.score_ns, before.adjustment) == (0, None)
    bench.direct(service=Service.ADJUST, play=1, adjustment=AVERAGES)
    after = published(bench)
    assert (after.score_ns, after.adjustment) == (0, AVERAGES)
    assert after.number > before.number
    bench.direct(service=Service.ADJUST, play=1, adjustment=Adjustment())
    assert published(bench).adjustment is None
    assert bench.refolded() == bench.record


def test_a_score_is_outdated_when_another_director_has_scored_since() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.does(*PASSED_OUT[1])
    seen = bench.record.number
    bench.direct(service=Service.ADJUST, play=1, adjustment=AVERAGES)
    other = Adjustment(AVERAGES.ew, AVERAGES.ns, "the other way")
    late = Penalty(Side.EAST_WEST, 10, PenaltyUnit.PERCENT, "late")
    stale: dict[str, Any] = {"play": 1, "expects": seen}
    bench.direct(service=Service.ADJUST, adjustment=other, **stale)
    bench.direct(service=Service.ADJUST, adjustment=Adjustment(), **stale)
    bench.direct(service=Service.PENALTY, penalty=late, **stale)
    replies = bench.record.replies[-3:]
    assert [(r.done, r.outdated) for r in replies] == [(False, True)] * 3
    assert (published(bench).adjustment, published(bench).penalties) == (AVERAGES, ())
    bench.direct(service=Service.PENALTY, play=1, penalty=late)
    assert published(bench).penalties == (late,)


def test_a_score_is_outdated_by_a_correction_of_the_board() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.does("N 1S", "E P", "S P", "W P")
    seen = bench.record.number
    bench.direct("director correct 1 N 1H", expects=seen)
    given: dict[str, Any] = {"service": Service.ADJUST, "adjustment": AVERAGES}
    bench.direct(**given, expects=seen)
    assert [r.outdated for r in bench.record.replies] == [False, True]


def test_a_score_is_not_outdated_by_play_that_went_on() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.does(*PASSED_OUT[1])
    seen = bench.record.number
    bench.does("E P", "S P")
    bench.direct(service=Service.ADJUST, play=1, adjustment=AVERAGES, expects=seen)
    assert published(bench).adjustment == AVERAGES


def test_law_12c1_weighted_scores_may_differ_by_side() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.does(*PASSED_OUT[1])
    given = Adjustment(
        SideScore(outcomes=(Outcome(420, 60), Outcome(-50, 40))),
        SideScore(outcomes=(Outcome(420),)),
    )
    bench.direct(service=Service.ADJUST, play=1, adjustment=given)
    assert published(bench).adjustment == given


def test_law_90_a_penalty_replaces_that_of_its_side_and_unit() -> None:
    bench = Bench(settings(boards=BOARDS))
    bench.does(*PASSED_OUT[1])
    late = Penalty(Side.EAST_WEST, 10, PenaltyUnit.PERCENT, "late")
    bench.direct(service=Service.PENALTY, play=1, penalty=late)
    imps = Penalty(Side.EAST_WEST, 3, PenaltyUnit.IMPS)
    bench.direct(service=Service.PENALTY, play=1, penalty=imps)
    assert published(bench).penalties == (late, imps)
    less = msgspec.structs.replace(late, amount=5)
    bench.direct(service=Service.PENALTY, play=1, penalty=less)
    assert published(bench).penalties == (imps, less)
    none = msgspec.structs.replace(late, amount=0)
    bench.direct(service=Service.PENALTY, play=1, penalty=none)
    assert published(bench).penalties == (imps,)


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        (Service.ADJUST, "adjustment: expected one, got none"),
        (Service.PENALTY, "penalty: expected one, got none"),
    ],
)
def test_a_score_without_its_value_is_refused(service: Service, expected: str) -> None:
    bench = Bench()
    bench.direct(service=service)
    assert refusal(bench) == expected


def test_a_score_of_a_play_that_was_not_is_refused() -> None:
    bench = Bench()
    bench.direct(service=Service.ADJUST, play=9, adjustment=AVERAGES)
    assert refusal(bench) == "there is no play 9"
