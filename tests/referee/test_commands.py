"""Commands of the Director at a table: done once, outdated, refused with the reason."""

from typing import Any

import pytest

from laws.board import RulingsPolicy
from laws.report import report
from laws.seats import Seat
from protocol.payloads import (
    DirectorCommand,
    Service,
)
from protocol.terminal_payloads import TerminalLost
from referee.intake import Arrived
from referee.record import Aside
from referee.settings import (
    BoardSettings,
    PolicySettings,
    Questions,
)
from referee.table import Commanded
from referee.views import desk
from tests.referee.bench import DEAL, Bench, aside, calls, reply, settings, text

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

PASSED_OUT = ("N P", "E P", "S P", "W P")
OUT_OF_TURN = ("N 1S", "S 2C")
"""South calls at East's turn."""

ONE_SPADE = ("N 1S", "E P", "S P", "W P")
"""North plays 1S, East leads."""


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


def lose(bench: Bench, seat: Seat) -> None:
    """An event of a seat is lost, and the referee is told."""
    terminal, k = bench.of(seat), bench.k["d1"]
    lost = TerminalLost(
        boot=1,
        first=0,
        last=0,
        session="d1-1",
        table="t1",
        k=k,
        opening=1,
        serial=terminal.serial,
    )
    terminal.next = 1
    bench.feed(Arrived("d1", terminal.id, lost))
    bench.k["d1"] = k + 1


def test_dropping_a_key_forgets_no_loss(bench: Bench) -> None:
    bench.does("N P")
    bench.send(bench.press("S 1D"))
    seen = bench.record.number
    lose(bench, E)
    bench.direct(service=Service.RELEASE, terminal="t1-s", drop=True, expects=seen)
    assert bench.record.lost == {"t1-e"}


def test_releasing_is_outdated_by_a_later_loss(bench: Bench) -> None:
    bench.does("N P")
    lose(bench, E)
    seen = bench.record.number
    lose(bench, W)
    bench.direct(service=Service.RELEASE, expects=seen)
    assert [r.outdated for r in bench.record.replies] == [True]
    assert bench.record.lost == {"t1-e", "t1-w"}
    bench.direct(service=Service.RELEASE)
    assert bench.record.lost == frozenset()


def test_dropping_where_nothing_is_held_is_refused(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("S 2C"))
    bench.direct(service=Service.RELEASE, terminal="t1-n", drop=True)
    assert reply(bench) == (False, "nothing is held")


def test_answer_that_nobody_asked_for_is_outdated_as_any_happening_is() -> None:
    bench = Bench(settings(questions=Questions.ASSUME))
    bench.does("N 1S", "S 2C", "W decline", "E X", "S 2D")
    seen = bench.record.number
    bench.direct("director comparable S no", expects=seen)
    bench.direct("director comparable N yes", expects=seen)
    assert [r.outdated for r in bench.record.replies] == [False, True]


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
