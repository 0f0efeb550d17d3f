"""The table: what it takes in, sets aside, serves, and does for the Director."""

from collections.abc import Iterator
from typing import Any

import pytest

from laws.actions import Decline
from laws.board import Edition, RulingsPolicy
from laws.seats import Seat
from protocol.happenings import CallDirector, GiveAnswer, PlaceBoard, RequestUndo
from protocol.messages import Held
from protocol.payloads import (
    DirectorCommand,
    LinkState,
    Service,
    TerminalLost,
    TerminalMalformed,
)
from referee.entries import EventJudged, EventSetAside, EventTaken
from referee.intake import Arrived
from referee.record import Aside, Record, fold
from referee.settings import (
    Boards,
    BoardSettings,
    PolicySettings,
    Questions,
    TerminalSettings,
)
from referee.table import Acknowledges, Commanded, Polls, ShowsAgain
from referee.views import desk
from tests.referee.bench import DEAL, Bench, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

PASSED_OUT = ("N P", "E P", "S P", "W P")
OUT_OF_TURN = ("N 1S", "S 2C")
"""South calls at East's turn."""

ONE_SPADE = ("N 1S", "E P", "S P", "W P")
"""North plays 1S, East leads."""


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    assert bench.refolded() == bench.record


def calls(bench: Bench) -> list[str]:
    return [f"{m.seat} {m.call}" for m in bench.play.state.auction.legal_calls]


def aside(bench: Bench) -> list[str]:
    return [e.reason for e in bench.entries if isinstance(e, EventSetAside)]


# -- numbers ------------------------------------------------------------------------


def test_event_is_acknowledged_once_it_is_taken(bench: Bench) -> None:
    outputs = bench.send(bench.press("N P"))
    assert outputs == (Acknowledges("t1-n"),)
    log = bench.record.log("t1-n")
    assert log is not None
    assert log.acknowledged == (1, 0)
    assert calls(bench) == ["N P"]


def test_duplicate_changes_nothing_and_is_acknowledged_again(bench: Bench) -> None:
    event = bench.press("N P")
    bench.send(event)
    before = bench.record
    assert bench.send(event) == (Acknowledges("t1-n"),)
    assert bench.record == before


def test_equal_passes_of_different_numbers_are_different_events() -> None:
    everyone = TerminalSettings(daemon="d1", id="t1", seats=(N, E, S, W))
    bench = Bench(settings(terminals=[everyone], boards=[BoardSettings(number=1)]))
    bench.does(*PASSED_OUT)
    assert calls(bench) == list(PASSED_OUT)
    assert bench.play.is_over


def test_event_after_a_gap_is_not_taken_and_the_gap_is_asked_for(bench: Bench) -> None:
    first = bench.press("N P")
    later = bench.press("N 1C")
    assert bench.send(later) == (Acknowledges("t1-n"),)
    log = bench.record.log("t1-n")
    assert log is not None
    assert log.acknowledged == (1, -1)
    assert not any(isinstance(entry, EventTaken) for entry in bench.entries)
    bench.send(first)
    assert calls(bench) == ["N P"]


def test_event_before_any_hello_waits_for_it(bench: Bench) -> None:
    bench.terminals["t1-n"].serial = "ANOTHER"
    event = bench.press("N P")
    assert bench.send(event) == ()
    bench.come_up("t1-n")
    bench.send(event)
    assert calls(bench) == ["N P"]


def test_events_of_an_earlier_boot_go_before_those_of_the_next(bench: Bench) -> None:
    first = bench.press("N P")
    terminal = bench.terminals["t1-n"]
    terminal.boots.append((1, 1))
    terminal.boot, terminal.next = 2, 0
    later = bench.press("N 1C")
    bench.come_up("t1-n", held=[Held(1, 0, 1), Held(2, 0, 1)])
    assert bench.send(later) == (Acknowledges("t1-n"),)
    assert calls(bench) == []
    bench.send(first)
    bench.send(later)
    taken = [(e.boot, e.n) for e in bench.entries if isinstance(e, EventTaken)]
    assert taken == [(1, 0), (2, 0)]


def test_volatile_terminal_begins_anew_with_another_boot(bench: Bench) -> None:
    terminal = bench.terminals["t1-n"]
    for boot, happenings in (
        (0xDEAD, ("N P", "E P", "S P", "W 1H")),
        (3, ("N 1S", "E P")),
        (2, ("S P",)),
    ):
        terminal.boot, terminal.next, terminal.log = boot, 0, []
        bench.come_up("t1-n", volatile=True)
        bench.does(*happenings)
    assert calls(bench)[-3:] == ["N 1S", "E P", "S P"]
    (alarm,) = bench.record.alarms  # it was not volatile before
    assert "numbered anew" in alarm.text


def test_replaced_terminal_takes_up_where_the_log_ends(bench: Bench) -> None:
    bench.does("N P", "E P", "S P", "W 1C")
    new = bench.terminals["t1-n"]
    new.serial, new.boot, new.next, new.log = "SPARE", 9, 40, []
    bench.come_up("t1-n", held=[Held(9, 40, 40)])
    bench.does("N 1S")
    assert calls(bench)[-1] == "N 1S"
    (alarm,) = bench.record.alarms
    assert "replaced: serial number SPARE instead of T1-N" in alarm.text


def test_replaced_terminal_that_comes_back_is_not_judged_twice(bench: Bench) -> None:
    terminal = bench.terminals["t1-n"]
    event = bench.press("N 1S")
    bench.send(event)
    terminal.serial, terminal.next, terminal.log = "SPARE", 0, []
    bench.come_up("t1-n")
    bench.does("E P", "S P", "W P")
    terminal.serial, terminal.next, terminal.log = "T1-N", 1, [event]
    bench.come_up("t1-n")  # its ACK was lost, so it sends the call again
    assert bench.send(event) == (Acknowledges("t1-n"),)
    assert calls(bench) == ["N 1S", "E P", "S P", "W P"]


def test_status_of_an_earlier_run_of_the_daemon_does_not_count(bench: Bench) -> None:
    terminal = bench.terminals["t1-n"]
    bench.does("N 1S")
    bench.restart_daemon("d1")
    bench.session["d1"] = "d1-1"
    terminal.boot, terminal.next = 99, 5
    assert bench.come_up("t1-n", opening=9) == ()
    bench.session["d1"] = "d1-2"
    terminal.boot, terminal.next = 1, 1
    bench.does("E P", "S P", "W P")
    assert bench.record.alarms == ()


def test_status_before_the_birth_of_its_daemon_waits_for_it(bench: Bench) -> None:
    bench.session["d1"] = "d1-2"
    bench.terminals["t1-n"].opening = 0
    assert bench.come_up("t1-n") == ()
    bench.start_daemon("d1", "d1-2")
    bench.terminals["t1-n"].opening = 1
    bench.does("N 1S")
    assert calls(bench) == ["N 1S"]


def test_hello_counts_once_however_often_its_status_comes(bench: Bench) -> None:
    bench.does("N P", "E P", "S P", "W 1C", "N 1S")
    before = bench.record
    outputs = bench.come_up("t1-n", opening=1, held=[Held(1, 0, 0)])  # as retained
    assert outputs == (Acknowledges("t1-n"),)
    assert bench.record == before


def test_entry_of_an_earlier_opening_is_not_taken(bench: Bench) -> None:
    late = bench.stamp(bench.press("N 1S"))
    bench.come_up("t1-n")
    assert bench.feed(late) == ()
    bench.send(bench.terminals["t1-n"].log[0])
    assert calls(bench) == ["N 1S"]


def test_event_that_breaks_a_rule_of_the_wire_is_taken_and_reported(
    bench: Bench,
) -> None:
    malformed = TerminalMalformed(
        boot=1,
        n=0,
        raw="07",
        reason="seat: expected N, E, S or W",
        session="d1-1",
        table="t1",
        k=0,
        opening=1,
        serial="T1-N",
    )
    bench.terminals["t1-n"].next = 1
    assert bench.feed(Arrived("d1", "t1-n", malformed)) == (Acknowledges("t1-n"),)
    bench.k["d1"] = 1
    (held,) = desk(bench.table, "s").held
    assert held.seat is None
    assert held.reason == "malformed: seat: expected N, E, S or W"
    bench.does("N 1S")
    assert calls(bench) == ["N 1S"]


def test_terminal_whose_memory_was_reset_is_taken_up_and_reported(bench: Bench) -> None:
    terminal = bench.terminals["t1-n"]
    terminal.boot = 7
    bench.come_up("t1-n")
    bench.does("N P")
    terminal.boot, terminal.next, terminal.log = 1, 0, []
    bench.come_up("t1-n")
    bench.does("E P", "S P", "W P")
    assert "its memory was reset" in bench.record.alarms[0].text


def test_terminal_that_is_refused_is_reported_once(bench: Bench) -> None:
    for opening in (2, 3):
        bench.come_up(
            "t1-n", link=LinkState.REFUSED, reason="serial", opening=opening, hello=None
        )
    (alarm,) = bench.record.alarms
    assert (alarm.terminal, alarm.text) == ("t1-n", "refused: serial")


def test_old_status_delivered_late_is_ignored(bench: Bench) -> None:
    terminal = bench.terminals["t1-n"]
    terminal.boot = 7
    bench.come_up("t1-n", opening=5)
    terminal.boot = 1
    assert bench.come_up("t1-n", opening=4) == ()
    assert bench.record.alarms == ()


def test_lost_events_are_reported_and_regular_play_goes_on(bench: Bench) -> None:
    bench.does("N P")
    bench.press("E P")
    bench.terminals["t1-e"].log.clear()
    lost = TerminalLost(
        boot=1,
        first=0,
        last=0,
        session="d1-1",
        table="t1",
        k=1,
        opening=1,
        serial="T1-E",
    )
    assert bench.feed(Arrived("d1", "t1-e", lost)) == (Acknowledges("t1-e"),)
    bench.k["d1"] += 1
    (alarm,) = bench.record.alarms
    assert (alarm.terminal, alarm.text) == (
        "t1-e",
        "events 0 to 0 of its boot 1 are lost",
    )
    # What the lost event was nobody knows: South's call is not ruled out of turn.
    bench.does("S 1D")
    assert calls(bench) == ["N P"]
    bench.direct("E P")
    assert calls(bench) == ["N P", "E P", "S 1D"]
    assert bench.play.state.rulings == ()


def test_messages_of_a_daemon_are_put_in_the_order_of_its_numbers(bench: Bench) -> None:
    bench.restart_daemon("d1")
    first, second = (bench.stamp(bench.press(line)) for line in ("N 1S", "E P"))
    bench.feed(second)
    assert bench.record.waiting == ()
    bench.feed(first)
    assert calls(bench) == ["N 1S", "E P"]


def test_gap_in_a_daemons_numbers_is_given_up_after_two_seconds(bench: Bench) -> None:
    bench.restart_daemon("d1")
    bench.stamp(bench.press("N 1S"))  # it never arrives
    bench.feed(bench.stamp(bench.press("E P")))
    bench.pass_time(1.9)
    assert not any(isinstance(entry, EventTaken) for entry in bench.entries)
    bench.pass_time(0.2)
    assert [e.seat for e in bench.record.waiting] == [E]


def test_new_session_of_a_daemon_numbers_anew(bench: Bench) -> None:
    bench.does("N 1S")
    bench.restart_daemon("d1")
    bench.does("E P")
    assert calls(bench) == ["N 1S", "E P"]


def test_terminal_gets_everything_again_when_its_link_comes_up(bench: Bench) -> None:
    outputs = bench.come_up("t1-n", opening=2)
    assert outputs == (Acknowledges("t1-n"), ShowsAgain("t1-n"))


# -- holding ------------------------------------------------------------------------


def test_call_that_seems_out_of_turn_is_held_until_all_others_are_clear(
    bench: Bench,
) -> None:
    bench.does("N 1S")
    polls = bench.send(bench.press("S 2C"))
    assert {p.terminal for p in polls if isinstance(p, Polls)} == {
        "t1-n",
        "t1-e",
        "t1-w",
    }
    for poll in polls[:-1]:
        if isinstance(poll, Polls):
            bench.clear(poll)
    assert calls(bench) == ["N 1S"]
    assert bench.play.asked(W) == ()
    last = polls[-1]
    assert isinstance(last, Polls)
    bench.clear(last)
    assert [q.question for q in bench.play.asked(W)] == ["accept"]


def test_call_that_was_only_late_goes_first_and_nothing_is_irregular(
    bench: Bench,
) -> None:
    bench.does("N 1S")
    late = bench.press("E P")
    polls = bench.send(bench.press("S 2C"))
    bench.answer(polls)  # East's terminal says that it has sent another event
    assert calls(bench) == ["N 1S"]
    bench.send(late)
    assert calls(bench) == ["N 1S", "E P", "S 2C"]
    assert bench.play.state.questions == ()


def test_events_of_a_terminal_stay_in_order_behind_a_held_one(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("S 2C"))
    bench.send(bench.press("S 2D"))
    bench.send(bench.press("E P"))
    assert calls(bench) == ["N 1S", "E P", "S 2C"]
    assert [e.data for e in bench.record.waiting] == [("2D",)]


def test_director_is_told_after_ten_seconds_and_nothing_is_ruled(bench: Bench) -> None:
    bench.does("N 1S")
    bench.come_up("t1-e", link=LinkState.OFFLINE, opening=2)
    bench.answer(
        output
        for output in bench.send(bench.press("S 2C"))
        if isinstance(output, Polls) and output.terminal != "t1-e"
    )
    bench.pass_time(9.9)
    assert desk(bench.table, "s").held == ()
    bench.pass_time(0.2)
    (held,) = desk(bench.table, "s").held
    assert (held.seat, held.happening) == (S, "S 2C")
    assert held.reason == "waits for t1-e (offline)"
    bench.pass_time(3600)
    assert calls(bench) == ["N 1S"]


def test_silent_terminal_is_polled_again_and_the_others_are_not(bench: Bench) -> None:
    bench.does("N 1S")
    polls = bench.send(bench.press("S 2C"))
    bench.answer(p for p in polls if isinstance(p, Polls) and p.terminal != "t1-e")
    again = bench.pass_time(1.1)
    assert [p.terminal for p in again if isinstance(p, Polls)] == ["t1-e"]
    bench.answer(again)
    assert bench.play.asked(W)


def test_terminal_that_comes_back_is_polled_at_once(bench: Bench) -> None:
    bench.does("N 1S")
    bench.come_up("t1-e", link=LinkState.OFFLINE, opening=2)
    bench.send(bench.press("S 2C"))
    outputs = bench.come_up("t1-e", opening=3)
    assert [p.terminal for p in outputs if isinstance(p, Polls)] == ["t1-e"]


def test_director_releases_a_held_event(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("S 2C"))
    bench.direct(service=Service.RELEASE, terminal="t1-s")
    assert bench.play.asked(W)
    assert bench.record.waiting == ()


def test_director_drops_a_held_event(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("S 2C"))
    bench.direct(service=Service.RELEASE, terminal="t1-s", drop=True)
    assert aside(bench) == [Aside.DROPPED]
    assert bench.play.asked(W) == ()


def test_held_event_is_held_again_after_a_restart(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("S 2C"))
    assert [e.seat for e in bench.refolded().waiting] == [S]


def test_one_terminal_for_all_seats_holds_nothing() -> None:
    everyone = TerminalSettings(daemon="d1", id="t1", seats=(N, E, S, W))
    bench = Bench(settings(terminals=[everyone]))
    bench.send(bench.press("N 1S"))
    assert bench.send(bench.press("S 2C")) == (Acknowledges("t1"),)
    assert bench.play.asked(W)


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
    assert "E 1C" in [held.happening for held in desk(bench.table, "s").held]


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


def test_answer_that_nobody_asked_for_is_refused_by_the_laws(bench: Bench) -> None:
    bench.does("N 1S", "E accept")
    assert len(bench.play.state.refused) == 1


def test_call_pressed_at_an_older_display_is_a_fact_and_applied(bench: Bench) -> None:
    bench.does("N 1S")
    bench.send(bench.press("E P", rev=0))
    assert calls(bench) == ["N 1S", "E P"]


def test_card_that_cannot_have_been_played_is_put_to_the_director(bench: Bench) -> None:
    bench.does(*ONE_SPADE, "E SA")
    assert aside(bench) == [Aside.IMPOSSIBLE]
    (held,) = desk(bench.table, "s").held
    assert held.happening == "E SA"
    assert "impossible" in held.reason
    assert "E SA: not possible. Call the Director" in text(bench, E)
    assert "not possible" not in text(bench, S)
    bench.does("E CA")
    assert "not possible" not in text(bench, E)


def test_event_whose_data_are_malformed_is_put_to_the_director(bench: Bench) -> None:
    event = bench.press("N 1S")
    fields = {f: getattr(event, f) for f in event.__struct_fields__}
    bench.send(type(event)(**{**fields, "data": ("8S",)}))
    assert aside(bench) == [Aside.MALFORMED]
    (held,) = desk(bench.table, "s").held
    assert held.happening == "N call 8S"
    assert "expected call to be a call" in held.reason


def test_answer_to_a_question_that_no_display_puts(bench: Bench) -> None:
    bench.does(GiveAnswer(N, "tea", "yes"))
    assert aside(bench) == [Aside.UNASKED]


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
    assert calls(bench) == ["N 1S"]


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
        ("director overrule 3", "there is no ruling 3"),
        ("director correct 9 S 1D", "nothing happened at line 9"),
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
