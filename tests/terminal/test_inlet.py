"""The order of one terminal's log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.decoding import Malformed
from protocol.messages import Ack, Encoding, Event, Held, Hello, Lost, Profile
from terminal.inlet import (
    WAITING_MAX,
    Inlet,
    Logged,
    UnknownBootError,
    last_number,
)


def event(boot: int, n: int) -> Event:
    return Event(boot, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))


def hello(
    *held: tuple[int, int, int], serial: str = "SN-1", volatile: bool = False
) -> Hello:
    return Hello(
        version=1,
        serial=serial,
        boot=held[-1][0],
        volatile=volatile,
        held=tuple(Held(*fields) for fields in held),
        firmware="",
        seats=(Seat.NORTH,),
        columns=20,
        rows=4,
        encoding=Encoding.UTF_8,
        profile=Profile.CALLS,
    )


def inlet(*held: tuple[int, int, int]) -> Inlet:
    opened = Inlet()
    assert not opened.opened(hello(*held))
    return opened


def places(entries: list[Logged]) -> list[tuple[int, int]]:
    return [(entry.boot, last_number(entry)) for entry in entries]


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
    assert not order.opened(hello((1, 4, 6)))
    assert places(order.take(event(1, 4))) == [(1, 4)]


def test_a_malformed_event_has_its_place() -> None:
    order = inlet((1, 0, 0))
    assert order.take(event(1, 1)) == []
    assert places(order.take(Malformed("EVENT: kind", 1, 0, b""))) == [(1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("again", "another"),
    [
        (hello((1, 1, 3)), False),
        (hello((1, 0, 3), (2, 0, 0)), False),
        (hello((2, 0, 0)), False),
        (hello((1, 1, 3), serial="SN-2"), True),
        (hello((1, 0, 1)), True),
        (hello((1, 0, 2), (2, 0, 0)), True),
        (hello((0, 0, 9)), True),
        (hello((1, 1, 3), volatile=True), True),
    ],
)
def test_an_opening_tells_whether_the_log_is_another(
    again: Hello, *, another: bool
) -> None:
    order = inlet((1, 0, 3))
    for n in range(3):
        order.take(event(1, n))
    assert order.opened(again) is another


def test_what_the_referee_has_belongs_to_the_log() -> None:
    order = inlet((1, 0, 0))
    order.acknowledged(Ack(1, 4))
    assert order.opened(hello((1, 0, 3)))


@given(st.permutations(range(12)))
def test_any_order_of_arrival_becomes_that_of_the_log(order: list[int]) -> None:
    log = [event(1, 3), event(1, 4), *(event(2, n) for n in range(10))]
    entrance = inlet((1, 3, 5), (2, 0, 10))
    passed: list[Logged] = []
    for index in order:
        passed += entrance.take(log[index])
    assert passed == log
