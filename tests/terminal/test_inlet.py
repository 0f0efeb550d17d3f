"""The order of one terminal's log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.messages import Ack, Event, Held, Lost
from terminal.inlet import WAITING_MAX, Inlet, Logged, UnknownBootError


def event(boot: int, n: int) -> Event:
    return Event(boot, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))


def inlet(*held: tuple[int, int, int]) -> Inlet:
    opened = Inlet()
    opened.opened([Held(*fields) for fields in held])
    return opened


def places(entries: list[Logged]) -> list[tuple[int, int]]:
    return [(e.boot, e.n if isinstance(e, Event) else e.last) for e in entries]


def test_the_next_event_passes() -> None:
    assert places(inlet((1, 5, 5)).take(event(1, 5))) == [(1, 5)]


def test_a_later_event_waits_for_those_before_it() -> None:
    order = inlet((1, 0, 0))
    assert order.take(event(1, 2)) == []
    assert order.take(event(1, 1)) == []
    assert places(order.take(event(1, 0))) == [(1, 0), (1, 1), (1, 2)]


def test_a_repeated_event_passes_again() -> None:
    order = inlet((1, 0, 0))
    assert places(order.take(event(1, 0))) == [(1, 0)]
    assert places(order.take(event(1, 0))) == [(1, 0)]


def test_a_later_boot_waits_for_the_end_of_the_one_before() -> None:
    order = inlet((1, 3, 5), (2, 0, 0))
    assert order.take(event(2, 0)) == []
    assert places(order.take(event(1, 3))) == [(1, 3)]
    assert places(order.take(event(1, 4))) == [(1, 4), (2, 0)]


def test_a_boot_with_nothing_left_is_skipped() -> None:
    order = inlet((1, 5, 5), (2, 0, 0))
    assert places(order.take(event(2, 0))) == [(2, 0)]


def test_lost_events_close_their_gap() -> None:
    order = inlet((1, 0, 0))
    assert order.take(event(1, 3)) == []
    assert places(order.take(Lost(1, 0, 2))) == [(1, 2), (1, 3)]


def test_lost_events_of_the_past_pass() -> None:
    assert places(inlet((1, 7, 9)).take(Lost(1, 2, 6))) == [(1, 6)]


def test_what_the_referee_has_is_not_waited_for() -> None:
    order = inlet((1, 0, 0))
    assert order.take(event(1, 5)) == []
    assert places(order.acknowledged(Ack(1, 4))) == [(1, 5)]


def test_an_ack_of_an_unknown_boot_changes_nothing() -> None:
    order = inlet((2, 0, 0))
    assert order.acknowledged(Ack(1, 4)) == []
    assert order.take(event(2, 1)) == []


def test_an_event_of_an_unknown_boot_is_refused() -> None:
    with pytest.raises(UnknownBootError, match="expected boot 2 as in HELLO, got 3"):
        inlet((2, 0, 0)).take(event(3, 0))


def test_what_waits_is_bounded() -> None:
    order = inlet((1, 0, 0))
    for n in range(1, 3 * WAITING_MAX):
        assert order.take(event(1, n)) == []
    assert len(order.take(event(1, 0))) == 1 + WAITING_MAX


def test_opening_anew_begins_where_the_terminal_says() -> None:
    order = inlet((1, 0, 0))
    assert order.take(event(1, 5)) == []
    order.opened([Held(1, 4, 6)])
    assert places(order.take(event(1, 4))) == [(1, 4)]


@given(st.permutations(range(12)))
def test_any_order_of_arrival_becomes_that_of_the_log(order: list[int]) -> None:
    log = [event(1, 3), event(1, 4), *(event(2, n) for n in range(10))]
    entrance = inlet((1, 3, 5), (2, 0, 10))
    passed: list[Logged] = []
    for index in order:
        passed += entrance.take(log[index])
    assert passed == log
