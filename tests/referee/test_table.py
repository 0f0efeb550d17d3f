"""The table: what it sets aside and serves, and its boards."""

from collections.abc import Callable

import msgspec
import pytest

from laws.actions import Decline
from laws.board import Edition
from laws.engine import Decision, decide
from laws.script import parse_line
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from protocol.happenings import CallDirector, GiveAnswer, PlaceBoard, RequestUndo
from protocol.payloads import (
    Service,
)
from referee.entries import EventJudged
from referee.record import Aside, Record, fold
from referee.settings import (
    Boards,
    BoardSettings,
)
from referee.table import Acknowledges
from referee.views import desk
from tests.referee.bench import DEAL, Bench, aside, calls, reply, settings, text

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


def test_keys_of_an_earlier_board_that_were_not_applied_are_forgotten() -> None:
    bench = placed()
    bench.does(PlaceBoard(E, 4))
    assert [event.reason for event in desk(bench.table, "s").aside] == [
        "wrong board: expected board 3, got board 4"
    ]
    bench.does(PlaceBoard(E, 3))
    assert desk(bench.table, "s").aside == ()


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
