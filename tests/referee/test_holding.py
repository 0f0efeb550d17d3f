"""The table holds what seems irregular until the other seats are clear."""

from laws.seats import Seat
from protocol.payloads import (
    LinkState,
    Service,
)
from referee.record import Aside
from referee.settings import (
    TerminalSettings,
)
from referee.table import Acknowledges, Polls
from referee.views import desk
from tests.referee.bench import Bench, aside, calls, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

PASSED_OUT = ("N P", "E P", "S P", "W P")
OUT_OF_TURN = ("N 1S", "S 2C")
"""South calls at East's turn."""

ONE_SPADE = ("N 1S", "E P", "S P", "W P")
"""North plays 1S, East leads."""


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
