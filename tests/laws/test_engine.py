"""The engine: decisions, replay, late answers, corrections, overruled rulings."""

from dataclasses import fields, replace

import pytest

from laws.actions import Answer, MakeCall, Overrule, Word
from laws.board import Board, Edition
from laws.calls import Call
from laws.engine import apply, begin, decide, replay
from laws.events import Happened
from laws.seats import Seat
from laws.state import State, with_auction, with_steps
from laws.steps import Step
from tests.laws.tables import judged, run, script, told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
BOARD = Board(Edition.LAWS_2017, Seat.NORTH)


def test_a_decision_is_its_events() -> None:
    state = begin(BOARD)
    decision = decide(state, Step(1, MakeCall(Seat.NORTH, Call.ONE_CLUB)))
    assert decision.events[0] == Happened(Step(1, MakeCall(Seat.NORTH, Call.ONE_CLUB)))
    for event in decision.events:
        state = apply(state, event)
    assert state == decision.state
    assert replay(BOARD, decision.events) == state


@BOTH
def test_the_log_of_an_irregular_board_replays(edition: str) -> None:
    table = script(
        edition,
        "N 1S; S 1H; W decline; E P; S 1H; W decline; S X; director aware no;"
        " S 2H; W 2S; director correct 12 W 3C; N P; director overrule 2",
    )
    state, log = run(table)
    assert replay(table.board, log) == state


@BOTH
def test_the_director_is_told_nothing_he_has_said(edition: str) -> None:
    """A word before its question answers it."""
    text = "S 1D; W decline; director comparable yes; N P; E P; S 1H"
    table = told(edition, text)
    assert ("director", "comparable") not in table.asked
    if edition == "2017":
        assert table.laws == ["31B1", "31A2(a)"]


def test_a_second_answer_takes_the_place_of_the_first() -> None:
    text = "S 1D; W decline; N P; E P; S 1H; director comparable no"
    assert told("2017", text).laws == ["31B1", "31A2(b)"]


@BOTH
def test_overruled_a_ruling_binds_nothing(edition: str) -> None:
    table = told(edition, "S P; W decline; director overrule 1")
    assert table.laws == []
    assert len(table.superseded) == 1
    assert table.bound == []
    assert told(edition, "director overrule 1").refused == ["81C"]


@BOTH
def test_a_correction_judges_what_really_happened(edition: str) -> None:
    table = told(edition, "N 1S; E 1H; director correct 4 N 1C; S 1S")
    assert table.laws == []
    assert table.superseded == []
    assert table.auction == "N:1C E:1H S:1S"
    ruled = told(edition, "N 1S; E 1H; S decline; director correct 5 E 2H")
    assert ruled.laws == []
    assert ruled.superseded == ["27B"]
    # South had no option then.
    assert len(ruled.refused) == 1
    gone = told(edition, "N 1S; E 1H; director correct 5")
    assert gone.auction == "N:1S"
    assert (gone.turn, gone.asked) == ("E", [])


@BOTH
def test_a_correction_of_a_line_that_is_none(edition: str) -> None:
    assert told(edition, "N 1S; director correct 3 N 1C").refused == ["81C"]


@BOTH
def test_a_ruling_keeps_its_number_when_judged_again(edition: str) -> None:
    text = "S 1D; W decline; N P; E 1H; W 2C; N decline; E 2D; S P"
    before = judged(edition, text).rulings
    after = judged(edition, text + "; director aware S no").rulings
    assert [(r.line, r.law) for r in after[: len(before)]] == [
        (r.line, r.law) for r in before
    ]


def test_law_81_c_a_word_refused_stays_refused_when_the_board_is_judged_again() -> None:
    table = told("2017", "S 1S; director overrule 9; director shown S S", dealer="E")
    assert table.refused == ["81C"]


def test_law_81_c_his_own_word_is_said_again_not_corrected() -> None:
    text = "S 1S; W decline; E 2C; S X; director comparable S yes; director correct 8"
    table = told("2017", text, dealer="E")
    assert table.refused == ["81C"]
    assert table.plain["refused"][0]["reason"] == "line 8 is the Director's own word"


def test_the_oldest_question_of_the_word_is_meant() -> None:
    text = "S 1D; W decline; N P; E 1H; S 2H; W 2S; E 3D"
    table = told("2017", text)
    assert table.plain["questions"]
    state = judged("2017", text)
    asked = [q for q in state.questions if q.question == Word.COMPARABLE]
    answered = decide(state, Step(99, Answer(Word.COMPARABLE, True))).state
    assert asked[0] not in answered.questions


def test_a_happening_that_nothing_judges_is_refused() -> None:
    for text in ("W accept", "W decline", "W keep", "N spread", "E require H"):
        table = told("2017", text)
        assert len(table.refused) == 1
        assert table.laws == []


def test_director_cannot_overrule_before_the_first() -> None:
    state = decide(begin(BOARD), Step(1, Overrule(3))).state
    assert [r.law for r in state.refused] == ["81C"]


def test_the_quick_copies_of_the_state_are_whole() -> None:
    state = judged("2007", "N 1S; E 1H; S decline; E 4H; director aware no; S X; N -")
    for name in [field.name for field in fields(State)]:
        assert getattr(with_auction(state, state.auction), name) == getattr(state, name)
        assert getattr(with_steps(state, state.steps), name) == getattr(state, name)
    other = begin(BOARD)
    auction = with_auction(state, other.auction)
    assert auction == replace(state, auction=other.auction)
    assert with_steps(state, ()) == replace(state, steps=())


def test_the_director_changes_his_mind_about_a_seat() -> None:
    text = "S 1D; W decline; N P; E P; S 1H; director comparable yes; W P; "
    assert told("2017", text + "N 2H").laws == ["31B1", "31A2(a)"]
    table = told("2017", text + "director comparable S no")
    assert table.laws == ["31B1", "31A2(b)"]
    assert table.legal == ["P"]


def test_the_director_tells_what_a_call_meant_without_being_asked() -> None:
    """It is about the last irregular call, and applied from there."""
    table = told("2007", "N 1H; S P; W decline; E X; director artificial yes")
    assert table.laws == ["29B"]
    assert table.superseded == ["30B1"]
    shown = told("2007", "S 1H; W decline; E 1S; S P; director shown S HS", dealer="E")
    assert shown.leads == [("N", "require_or_forbid", "HS")]
