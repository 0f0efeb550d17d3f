"""Clauses E and R: what a terminal keeps, and what it sends of it."""

import pytest

from laws.seats import Seat
from protocol.limits import AGE_UNKNOWN_MS, FIRST_BOOT_MAX, HELD_MAX
from protocol.messages import Event, Held, Lost
from protocol.store import (
    Entry,
    LostRange,
    MemoryStore,
    Position,
    StoreFullError,
    first_boot,
    outgoing,
)


def event(boot: int, n: int) -> Event:
    return Event(boot, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))


def filled(store: MemoryStore, count: int) -> MemoryStore:
    for _ in range(count):
        store.append(event(store.boot, store.next), 1.0)
    return store


def positions(items: list[Entry | LostRange]) -> list[tuple[int, ...]]:
    return [
        tuple(item) if isinstance(item, LostRange) else item.position for item in items
    ]


def test_numbers_count_per_boot_from_0() -> None:
    store = filled(MemoryStore(4), 3)
    assert [e.position for e in store.entries()] == [(4, 0), (4, 1), (4, 2)]
    assert store.held() == (Held(4, 0, 3),)


def test_what_is_acknowledged_is_forgotten() -> None:
    store = filled(MemoryStore(4), 3)
    store.forget(Position(4, 1))
    assert [e.position for e in store.entries()] == [(4, 2)]
    assert store.held() == (Held(4, 2, 3),)
    store.forget(Position(4, 2))
    assert store.held() == (Held(4, 3, 3),)
    assert store.next == 3


def test_a_full_store_refuses_and_loses_nothing() -> None:
    store = filled(MemoryStore(4, capacity=2), 2)
    with pytest.raises(StoreFullError, match="2 events wait"):
        filled(store, 1)
    assert store.next == 2
    store.forget(Position(4, 0))
    assert filled(store, 1).next == 3


def test_a_volatile_store_is_empty_after_a_restart() -> None:
    store = filled(MemoryStore(4), 3).restarted(99)
    assert store.held() == (Held(99, 0, 0),)
    assert store.entries() == ()


def test_a_counter_that_is_not_stored_begins_at_random() -> None:
    assert first_boot(lambda below: below - 1) == FIRST_BOOT_MAX
    assert first_boot(lambda _below: 0) == 1


def test_a_lost_event_leaves_its_number() -> None:
    store = filled(MemoryStore(4), 3)
    store.lose(Position(4, 0))
    assert store.held() == (Held(4, 1, 3),)
    assert [e.position for e in store.entries()] == [(4, 1), (4, 2)]


def test_a_store_that_is_not_volatile_counts_on_and_keeps_its_events() -> None:
    store = filled(MemoryStore(4, volatile=False), 2).restarted()
    assert store.held() == (Held(4, 0, 2), Held(5, 0, 0))
    assert [e.pressed for e in store.entries()] == [None, None]
    store = filled(store, 1).restarted()
    assert store.held() == (Held(4, 0, 2), Held(5, 0, 1), Held(6, 0, 0))
    store.forget(Position(5, 0))
    assert store.held() == (Held(6, 0, 0),)


def test_boots_without_events_and_those_acknowledged_are_not_held() -> None:
    store = MemoryStore(4, volatile=False).restarted()
    assert store.held() == (Held(5, 0, 0),)
    filled(store, 2).forget(Position(5, 1))
    assert store.restarted().held() == (Held(6, 0, 0),)


def test_with_as_many_boots_as_a_hello_names_the_last_one_goes_on() -> None:
    store = MemoryStore(0, volatile=False)
    for _ in range(HELD_MAX + 3):
        store = filled(store, 1).restarted()
    assert len(store.held()) == HELD_MAX
    assert store.boot == HELD_MAX - 1
    assert store.next == 4


def test_age_is_counted_from_the_press_and_unknown_after_a_restart() -> None:
    assert Entry(event(1, 0), 10.0).age_ms(10.25) == 250
    assert Entry(event(1, 0), 10.0).age_ms(9.0) == 0
    assert Entry(event(1, 0), 0.0).age_ms(1e9) == AGE_UNKNOWN_MS - 1
    assert Entry(event(1, 0), None).age_ms(10.0) == AGE_UNKNOWN_MS
    assert Entry(event(1, 0), 10.0).message(11.0).age_ms == 1000


def test_before_any_ack_what_is_kept_is_sent() -> None:
    store = filled(MemoryStore(4), 2)
    assert positions(outgoing(store.held(), store.entries(), None)) == [(4, 0), (4, 1)]


def test_after_an_ack_what_follows_it_is_sent() -> None:
    store = filled(filled(MemoryStore(4, volatile=False), 2).restarted(), 1)
    sent = outgoing(store.held(), store.entries(), Position(4, 0))
    assert positions(sent) == [(4, 1), (5, 0)]
    sent = outgoing(store.held(), store.entries(), Position(5, 0))
    assert positions(sent) == []


def test_numbers_between_the_ack_and_what_is_kept_are_lost() -> None:
    entries = [Entry(event(4, 5), None), Entry(event(4, 7), None)]
    sent = outgoing([Held(4, 5, 10)], entries, Position(4, 2))
    assert positions(sent) == [(4, 3, 4), (4, 5), (4, 6, 6), (4, 7), (4, 8, 9)]
    assert sent[0].message(0.0) == Lost(4, 3, 4)
    assert sent[0].position == Position(4, 4)


def test_the_beginning_of_a_boot_after_the_acknowledged_one_may_be_lost() -> None:
    sent = outgoing([Held(5, 2, 2)], [], Position(4, 9))
    assert positions(sent) == [(5, 0, 1)]
