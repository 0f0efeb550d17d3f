"""The table: what it sets aside, serves, and does for the Director."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from laws.actions import Decline
from laws.board import Edition, RulingsPolicy
from laws.engine import Decision, decide
from laws.report import report
from laws.script import parse_line
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from protocol.happenings import CallDirector, GiveAnswer, PlaceBoard, RequestUndo
from protocol.payloads import (
    DirectorCommand,
    Service,
)
from referee.entries import EventJudged
from referee.record import Aside, Record, fold
from referee.settings import (
    Boards,
    BoardSettings,
    PolicySettings,
    Questions,
)
from referee.table import Acknowledges, Commanded
from referee.views import desk
from tests.referee.bench import DEAL, Bench, aside, calls, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

PASSED_OUT = ("N P", "E P", "S P", "W P")
OUT_OF_TURN = ("N 1S", "S 2C")
"""South calls at East's turn."""

ONE_SPADE = ("N 1S", "E P", "S P", "W P")
"""North plays 1S, East leads."""


# -- not applied --------------------------------------------------------------------


def test_event_of_a_closed_play_is_kept_acknowledged_and_not_applied() -> None:
    boards = [BoardSettings(number=n) for n in (1, 2)]
    bench = Bench(settings(boards=boards))
    bench.does(*PASSED_OUT)
    assert bench.play.number == 2
    outputs = bench.send(bench.press("E 1C", play=1))
    assert Acknowledges("t1-e") in outputs
    assert aside(bench) == [Aside.CLOSED_PLAY]
    assert calls(bench) == []
    assert "E 1C" in [event.happening for event in desk(bench.table, "s").aside]


def test_event_before_a_board_was_shown_is_told_as_that(bench: Bench) -> None:
    outputs = bench.send(bench.press("N 1S", play=0, rev=0))
    assert outputs == (Acknowledges("t1-n"),)
    assert aside(bench) == [Aside.NO_BOARD]
    (event,) = desk(bench.table, "s").aside
    assert event.reason == "no board shown"
    assert "N 1S: no board was shown yet, it does not count" in text(bench, N)
    bench.does("N 1S")
    assert calls(bench) == ["N 1S"]
    assert "no board" not in text(bench, N)


def test_director_may_be_called_before_a_board_was_shown(bench: Bench) -> None:
    bench.send(bench.press(CallDirector(E), play=0, rev=0))
    (call,) = desk(bench.table, "s").calls
    assert call.seat is E


def test_event_of_a_seat_that_the_terminal_does_not_serve(bench: Bench) -> None:
    event = bench.press("N 1S")
    bench.send(type(event)(**{f: getattr(event, f) for f in event.__struct_fields__}))
    foreign = bench.press("N P")
    fields = {f: getattr(foreign, f) for f in foreign.__struct_fields__}
    bench.send(type(foreign)(**{**fields, "seat": E}))
    assert aside(bench) == [Aside.NOT_SERVED]


def test_answer_to_an_older_prompt_is_not_applied(bench: Bench) -> None:
    bench.does(*OUT_OF_TURN)
    twice = bench.record.number
    first, second = (bench.press(Decline(W), rev=twice) for _ in range(2))
    bench.answer(bench.send(first))
    bench.answer(bench.send(second))
    assert aside(bench) == [Aside.OLD_PROMPT]
    assert bench.play.state.refused == ()
    assert "W decline: too late, this is no longer asked" in text(bench, W)


def test_answer_that_nobody_asked_for_is_refused_by_the_laws(bench: Bench) -> None:
    bench.does("N 1S", "E accept")
    assert len(bench.play.state.refused) == 1


def test_call_pressed_at_an_older_display_is_a_fact_and_applied(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("E P", rev=0))
    assert calls(bench) == ["N 1S", "E P"]


def test_card_that_cannot_have_been_played_is_told_to_the_director(
    bench: Bench,
) -> None:
    bench.does(*ONE_SPADE, "E SA")
    assert aside(bench) == [Aside.IMPOSSIBLE]
    (event,) = desk(bench.table, "s").aside
    assert event.happening == "E SA"
    assert "impossible" in event.reason
    assert "E SA: not possible. Call the Director" in text(bench, E)
    assert "not possible" not in text(bench, S)
    bench.does("E CA")
    assert "not possible" not in text(bench, E)


def test_event_whose_data_are_malformed_is_told_to_the_director(bench: Bench) -> None:
    bench.send(msgspec.structs.replace(bench.press("N 1S"), data=("8S",)))
    assert aside(bench) == [Aside.MALFORMED]
    (event,) = desk(bench.table, "s").aside
    assert event.happening == "N call 8S"
    assert "expected call to be a call" in event.reason
    assert "N call 8S: not understood, it does not count" in text(bench, N)
    assert "not understood" not in text(bench, E)


def test_answer_to_a_question_that_no_display_puts(bench: Bench) -> None:
    bench.does(GiveAnswer(N, "tea", "yes"))
    assert aside(bench) == [Aside.UNASKED]
    assert "N answers tea: yes: nobody has asked this" in text(bench, N)


def text(bench: Bench, seat: Seat) -> str:
    """All that a seat reads, unwrapped."""
    return " ".join(line for page in bench.display(seat).pages for line in page)


# -- the Director is called ---------------------------------------------------------


def test_silent_call_is_on_the_desk_and_on_no_display(bench: Bench) -> None:
    bench.does(CallDirector(E, silent=True, reason="tempo"))
    (call,) = desk(bench.table, "s").calls
    assert (call.seat, call.silent, call.reason) == (E, True, "tempo")
    assert all("Director" not in text(bench, seat) for seat in Seat)
    bench.direct(service=Service.ATTEND, subject=call.id)
    assert desk(bench.table, "s").calls[0].attended


def test_call_for_the_director_is_shown_to_the_table(bench: Bench) -> None:
    bench.does(CallDirector(E))
    assert all("The Director has been called" in text(bench, seat) for seat in Seat)


def test_undo_is_for_the_director(bench: Bench) -> None:
    bench.does("N 1S", RequestUndo(N))
    (call,) = desk(bench.table, "s").calls
    assert "the last key press was a mistake" in call.reason
    assert call.silent
    assert calls(bench) == ["N 1S"]
    assert "The Director has been asked to undo it" in text(bench, N)
    assert all("Director" not in text(bench, seat) for seat in (E, S, W))
    bench.direct(service=Service.ATTEND, subject=call.id)
    assert "Director" not in text(bench, N)


# -- commands -----------------------------------------------------------------------


def reply(bench: Bench) -> tuple[bool, str]:
    last = desk(bench.table, "s").replies[-1]
    return last.done, last.reason


def test_command_is_done_once_however_often_it_comes(bench: Bench) -> None:
    command = DirectorCommand(
        id="c1", by="TD", expects=bench.record.number, happening="N 1S"
    )
    bench.feed(Commanded(command))
    bench.feed(Commanded(command))
    assert calls(bench) == ["N 1S"]
    assert len(desk(bench.table, "s").replies) == 1


def test_command_that_expects_an_earlier_table_is_refused(bench: Bench) -> None:
    seen = bench.record.number
    bench.does("N 1S")
    bench.direct("E P", expects=seen)
    done, reason = reply(bench)
    assert not done
    assert "the table has moved on" in reason
    assert calls(bench) == ["N 1S"]


def test_answer_is_not_outdated_by_play_that_went_on() -> None:
    bench = Bench(settings(questions=Questions.ASSUME))
    bench.does(*OUT_OF_TURN, "W decline", "E X", "S 2D")
    seen = bench.record.number
    assert [q.question for q in bench.play.asked(None)] == [
        "comparable",
        "aware",
    ]
    bench.does("W P")
    bench.direct("director comparable S yes", expects=seen)
    assert reply(bench) == (True, "")


def test_an_answer_that_was_given_meanwhile_is_changed_only_by_who_knows_it(
    bench: Bench,
) -> None:
    bench.does(*OUT_OF_TURN, "W decline", "E X", "S 2D")
    seen = bench.record.number
    bench.direct("director comparable S no", expects=seen)
    bench.direct("director comparable S yes", expects=seen)
    done, reason = reply(bench)
    assert not done
    assert bench.record.replies[-1].outdated
    assert "the answer comparable came up at entry" in reason
    bench.direct("director comparable S yes")
    assert reply(bench) == (True, "")


def test_answer_to_a_question_that_came_up_later_is_refused(bench: Bench) -> None:
    bench.does(*OUT_OF_TURN, "W decline")
    seen = bench.record.number
    bench.does("E X", "S 2D")
    bench.direct("director comparable S yes", expects=seen)
    done, reason = reply(bench)
    assert not done
    assert "the question comparable came up at entry" in reason


@pytest.mark.parametrize(
    ("happening", "expected"),
    [
        ("N", "expected what N did"),
        ("director tea yes", "expected one of artificial"),
        ("E SA", "impossible"),
    ],
)
def test_command_that_cannot_be_done_is_refused_with_the_reason(
    bench: Bench, happening: str, expected: str
) -> None:
    bench.does(*ONE_SPADE)
    bench.direct(happening)
    done, reason = reply(bench)
    assert not done
    assert expected in reason


@pytest.mark.parametrize(
    "happening", ["director overrule 3", "director correct 9 S 1D"]
)
def test_word_that_the_laws_refuse_stands_in_the_log_with_the_reason(
    bench: Bench, happening: str
) -> None:
    bench.does(*ONE_SPADE)
    bench.direct(happening)
    done, reason = reply(bench)
    assert done
    assert reason.startswith("Law ")
    (refused,) = report(bench.play.state)["refused"]
    assert reason == f"Law {refused['law']}: {refused['reason']}"


def test_command_is_outdated_only_where_the_table_has_moved_on(bench: Bench) -> None:
    bench.does(*OUT_OF_TURN, "W decline")
    seen = bench.record.number
    bench.does("E X", "S 2D")
    bench.direct("director comparable S yes", expects=seen)
    bench.direct("director tea yes")
    refused = [(r.done, r.outdated) for r in bench.record.replies]
    assert refused == [(False, True), (False, False)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"service": Service.OPEN, "board": 1}, "board 1 is being played"),
        ({"service": Service.CONFIRM, "ruling": 1}, "there is no ruling 1"),
        ({"service": Service.RELEASE}, "nothing is held"),
        ({"service": Service.RELEASE, "terminal": "x"}, "a terminal of the table"),
        ({"service": Service.ATTEND, "subject": 99}, "id of a call or an alarm"),
    ],
)
def test_service_that_cannot_be_done_is_refused_with_the_reason(
    bench: Bench, fields: dict[str, Any], expected: str
) -> None:
    bench.direct(**fields)
    done, reason = reply(bench)
    assert not done
    assert expected in reason


def test_correction_of_a_mis_keyed_call(bench: Bench) -> None:
    bench.does("N 1S", "E P")
    bench.direct("director correct 1 N 1C")
    assert calls(bench) == ["N 1C", "E P"]


def test_dropping_what_is_held_is_outdated_by_a_later_key(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("S 2C"))
    seen = bench.record.number
    bench.direct(service=Service.RELEASE, terminal="t1-s", drop=True, expects=seen)
    bench.send(bench.press("S 2D"))
    bench.direct(service=Service.RELEASE, terminal="t1-s", drop=True, expects=seen)
    assert [r.outdated for r in bench.record.replies] == [False, True]
    assert aside(bench) == [Aside.DROPPED]
    assert len(bench.record.waiting) == 1
    assert bench.refolded() == bench.record


def test_keys_of_an_earlier_board_that_were_not_applied_are_forgotten() -> None:
    bench = placed()
    bench.does(PlaceBoard(E, 4))
    assert [event.reason for event in desk(bench.table, "s").aside] == [
        "wrong board: expected board 3, got board 4"
    ]
    bench.does(PlaceBoard(E, 3))
    assert desk(bench.table, "s").aside == ()


def test_correction_is_outdated_by_another_of_the_same_line(bench: Bench) -> None:
    bench.does("N 1S", "E P")
    seen = bench.record.number
    bench.direct("director correct 1 N 1H", expects=seen)
    bench.direct("director correct 1 N 1D", expects=seen)
    bench.direct("director correct 1", expects=seen)
    assert [r.outdated for r in bench.record.replies] == [False, True, True]
    assert calls(bench) == ["N 1H", "E P"]
    bench.direct("director correct 2 E X", expects=seen)
    assert calls(bench) == ["N 1H", "E X"]


def test_command_for_an_earlier_playing_counts_calls_on_the_next_board() -> None:
    boards = [BoardSettings(number=n, deal=DEAL) for n in (1, 2)]
    bench = Bench(settings(boards=boards))
    bench.does(*PASSED_OUT)
    bench.does("E P", "S P")
    bench.direct("round ends", play=1)
    assert reply(bench) == (True, "")
    lines = [step.action for step in bench.record.plays[0].state.steps]
    assert [type(action).__name__ for action in lines[4:]] == [
        "NextBoardCall",
        "NextBoardCall",
        "RoundEnds",
    ]
    assert bench.play.number == 2


def test_ruling_waits_for_the_director_where_the_event_wants_it() -> None:
    policies = PolicySettings(rulings=RulingsPolicy.CONFIRM)
    bench = Bench(settings(policies=policies, questions=Questions.ASSUME))
    bench.does(*OUT_OF_TURN, "W decline")
    proposed = desk(bench.table, "s").proposed
    assert len(proposed) == 1
    assert bench.record.rulings_told == 0
    assert all(bench.display(seat).ask == "wait" for seat in Seat)
    assert all("out of turn" not in text(bench, seat) for seat in Seat)
    assert "cancelled" not in text(bench, S)
    assert all(bench.display(seat).choices == () for seat in Seat)
    bench.direct(service=Service.CONFIRM, ruling=proposed[0]["number"])
    assert desk(bench.table, "s").proposed == ()
    assert bench.record.rulings_told == 1
    assert bench.display(E).ask == "call"


def test_director_rejects_a_proposed_ruling() -> None:
    policies = PolicySettings(rulings=RulingsPolicy.CONFIRM)
    bench = Bench(settings(policies=policies, questions=Questions.ASSUME))
    bench.does(*OUT_OF_TURN, "W decline")
    number = desk(bench.table, "s").proposed[0]["number"]
    bench.direct(service=Service.REJECT, ruling=number)
    assert reply(bench)[0]
    assert desk(bench.table, "s").proposed == ()


# -- boards -------------------------------------------------------------------------


def placed() -> Bench:
    boards = [BoardSettings(number=n, deal=DEAL) for n in (3, 4)]
    return Bench(settings(boards=boards, opening=Boards.PLACED))


def test_board_opens_by_itself_and_the_next_when_it_is_over() -> None:
    boards = [BoardSettings(number=n) for n in (1, 2)]
    bench = Bench(settings(boards=boards))
    assert bench.display(N).board == 1
    bench.does(*PASSED_OUT)
    display = bench.display(N)
    assert (display.board, display.play, display.at) == (2, 2, 0)
    assert "Board 1: passed out" in text(bench, N)


def test_last_board_stays_on_the_displays() -> None:
    bench = Bench(settings(boards=[BoardSettings(number=1)]))
    bench.does(*PASSED_OUT)
    display = bench.display(N)
    assert (display.play, display.at, display.ask) == (1, 4, "none")
    assert "Board 1: passed out" in text(bench, N)
    assert "All boards have been played" in text(bench, N)


def test_board_that_is_placed_opens_the_play() -> None:
    bench = placed()
    assert bench.display(N).play == 0
    (choice,) = bench.display(S).choices  # South deals board 3
    assert (choice.kind, choice.data) == ("board", (3,))
    assert bench.display(N).choices == ()
    bench.does(PlaceBoard(S, 3))
    assert (bench.play.number, bench.play.board.number) == (1, 3)
    bench.does("S P", "W P", "N P", "E P")
    assert bench.play.number == 1
    bench.does(PlaceBoard(N, 4))
    assert bench.play.board.number == 4


def test_wrong_board_is_refused_and_reported() -> None:
    bench = placed()
    bench.does(PlaceBoard(E, 4))
    assert bench.record.play is None
    assert aside(bench) == [Aside.WRONG_BOARD]
    assert "wrong board" in text(bench, E)
    assert "expected board 3, got board 4" in bench.record.alarms[0].text


def test_board_that_is_being_played_may_be_confirmed_at_any_time(bench: Bench) -> None:
    bench.does("N 1S", PlaceBoard(E, 1))
    assert aside(bench) == []
    bench.does(PlaceBoard(E, 7))
    assert aside(bench) == [Aside.WRONG_BOARD]


def test_director_closes_a_play_and_opens_another() -> None:
    bench = placed()
    bench.direct(service=Service.OPEN, board=4)
    assert bench.play.board.number == 4
    bench.direct(service=Service.CLOSE)
    assert bench.play.closed
    assert bench.display(N).play == 0
    bench.direct(service=Service.OPEN, board=3)
    assert (bench.play.number, bench.play.board.number) == (2, 3)


def test_play_is_by_the_rules_that_it_began_with() -> None:
    bench = Bench(settings(edition=Edition.LAWS_2007))
    bench.does(*OUT_OF_TURN)
    changed = settings(edition=Edition.LAWS_2017, boards=[BoardSettings(number=9)])
    record = Record(changed, changed.tables[0])
    for entry in bench.entries:
        record = fold(record, entry)
    assert record.play == bench.play


def test_board_of_another_table_cannot_be_opened() -> None:
    bench = placed()
    bench.direct(service=Service.OPEN, board=9)
    assert "expected a board of the table's list, got 9" in reply(bench)[1]


def test_edition_of_the_event_governs() -> None:
    for edition in Edition:
        bench = Bench(settings(edition=edition))
        assert bench.play.state.board.edition is edition


def test_judged_events_fold_to_the_same_record_whatever_came(bench: Bench) -> None:
    bench.does(*OUT_OF_TURN, "W decline", "E P", "S 2C", "W P", "N P", "E P")
    bench.does("W HA", "N H8", "E H5", "S H2")
    assert any(isinstance(entry, EventJudged) for entry in bench.entries)


# -- a defect of the engine ---------------------------------------------------------


def failing_on(happening: str) -> Callable[[State, Step], Decision]:
    """The engine, with a defect that one happening brings to light."""
    broken = parse_line(happening)

    def failing(state: State, step: Step) -> Decision:
        if step.action == broken:
            raise KeyError(happening)
        return decide(state, step)

    return failing


def test_event_on_which_the_engine_fails_is_set_aside_and_the_table_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.judging.decide", failing_on("N 1S"))
    bench.does("N 1S")
    assert Acknowledges("t1-n") in bench.outputs
    assert aside(bench) == [Aside.FAILED]
    assert "N 1S: not judged. Call the Director" in text(bench, N)
    (alarm,) = bench.record.alarms
    assert alarm.text == "N 1S: the engine failed (KeyError: 'N 1S')"
    assert bench.refolded().alarms == bench.record.alarms
    bench.does("N 1H")
    assert calls(bench) == ["N 1H"]


def test_command_on_which_the_engine_fails_is_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.judging.decide", failing_on("E P"))
    bench.does("N 1S")
    bench.direct("E P")
    assert reply(bench) == (False, "the engine failed (KeyError: 'E P')")
    assert calls(bench) == ["N 1S"]
