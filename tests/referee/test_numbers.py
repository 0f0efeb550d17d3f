"""The table takes each terminal's log in, once and in order."""

from laws.seats import Seat
from protocol.messages import Held
from protocol.payloads import (
    LinkState,
    TerminalLost,
    TerminalMalformed,
)
from referee.entries import EventTaken
from referee.intake import Arrived
from referee.settings import (
    BoardSettings,
    TerminalSettings,
)
from referee.table import Acknowledges, ShowsAgain
from referee.traffic import UNHEARD_MAX
from referee.views import desk
from tests.referee.bench import Bench, calls, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

PASSED_OUT = ("N P", "E P", "S P", "W P")
OUT_OF_TURN = ("N 1S", "S 2C")
"""South calls at East's turn."""

ONE_SPADE = ("N 1S", "E P", "S P", "W P")
"""North plays 1S, East leads."""


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


def test_event_that_overtakes_the_hello_of_its_opening_waits_for_it(
    bench: Bench,
) -> None:
    terminal = bench.terminals["t1-n"]
    terminal.opening = 2
    event = bench.stamp(bench.press("N 1S"))
    assert bench.feed(event) == ()
    assert bench.feed(event) == ()  # the broker delivers it twice
    assert calls(bench) == []
    terminal.opening = 1
    assert Acknowledges("t1-n") in bench.come_up("t1-n", held=[Held(1, 0, 0)])
    assert calls(bench) == ["N 1S"]


def test_event_that_overtakes_the_birth_of_its_daemon_waits_for_it(
    bench: Bench,
) -> None:
    terminal = bench.terminals["t1-n"]
    bench.session["d1"], bench.k["d1"] = "d1-2", 0
    event = bench.stamp(bench.press("N 1S"))
    assert bench.feed(event) == ()
    bench.start_daemon("d1", "d1-2")
    terminal.opening = 0
    bench.come_up("t1-n", held=[Held(1, 0, 0)])
    assert calls(bench) == ["N 1S"]


def test_what_waits_for_a_hello_is_bounded(bench: Bench) -> None:
    bench.terminals["t1-n"].opening = 9
    for _ in range(3 * UNHEARD_MAX):
        bench.send(bench.press("N 1S"))
    assert len(bench.table.traffic.unheard) == UNHEARD_MAX


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
    (event,) = desk(bench.table, "s").aside
    assert event.seat is None
    assert event.reason == "malformed: seat: expected N, E, S or W"
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
