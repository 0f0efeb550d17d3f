"""The simulated terminal's memory: what it has taken is there after any restart."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.limits import FIRST_BOOT_MAX, HELD_MAX
from protocol.messages import Event, Held
from protocol.store import MemoryStore, Position, StoreFullError
from terminal.simulator import store as store_module
from terminal.simulator.store import FileStore


def opened(file: Path, capacity: int) -> FileStore:
    """The store of a terminal whose counter of restarts began with 1."""
    return FileStore(file, capacity, lambda _below: 0)


def press(store: FileStore | MemoryStore, label: str = "P") -> Event:
    event = Event(store.boot, store.next, Seat.NORTH, 1, 1, 0, "call", None, (label,))
    store.append(event, 5.0)
    return event


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "t1-n.memory"


def test_a_new_memory_begins_with_a_random_boot(file: Path) -> None:
    store = opened(file, 10)
    assert (store.boot, store.next, store.volatile) == (1, 0, False)
    assert store.held() == (Held(1, 0, 0),)
    boots = {FileStore(file.with_name(str(n)), 10).boot for n in range(5)}
    assert len(boots) > 1
    assert all(1 <= boot <= FIRST_BOOT_MAX for boot in boots)


def test_a_memory_that_was_wiped_begins_with_another_boot(file: Path) -> None:
    boots = set()
    for _ in range(5):
        store = FileStore(file, 10)
        boots.add(store.boot)
        store.close()
        file.unlink()
    assert len(boots) > 1


def test_events_and_their_numbers_outlive_a_restart(file: Path) -> None:
    store = opened(file, 10)
    events = [press(store, str(n)) for n in range(3)]
    store.close()
    again = opened(file, 10)
    assert again.boot == 2
    assert [entry.event for entry in again.entries()] == events
    assert all(entry.pressed is None for entry in again.entries())
    assert again.held() == (Held(1, 0, 3), Held(2, 0, 0))


def test_what_is_acknowledged_is_forgotten_for_good(file: Path) -> None:
    store = opened(file, 10)
    for _ in range(3):
        press(store)
    store.forget(Position(1, 1))
    store.close()
    again = opened(file, 10)
    assert [entry.event.n for entry in again.entries()] == [2]
    again.forget(Position(1, 2))
    assert again.held() == (Held(2, 0, 0),)


def test_a_write_that_was_cut_short_is_dropped(file: Path) -> None:
    store = opened(file, 10)
    kept = press(store)
    press(store)
    store.close()
    content = file.read_bytes()
    file.write_bytes(content[:-9])
    again = opened(file, 10)
    assert [entry.event for entry in again.entries()] == [kept]
    press(again)
    again.close()
    assert len(opened(file, 10).entries()) == 2


def test_a_full_memory_takes_nothing(file: Path) -> None:
    store = opened(file, 2)
    press(store)
    press(store)
    with pytest.raises(StoreFullError, match="2 events wait"):
        press(store)
    store.forget(Position(1, 0))
    assert press(store).n == 2


def test_a_lost_event_leaves_its_number(file: Path) -> None:
    store = opened(file, 10)
    press(store)
    press(store)
    store.lose()
    assert store.held() == (Held(1, 1, 2),)
    store.close()
    assert opened(file, 10).held() == (Held(1, 1, 2), Held(2, 0, 0))


def test_a_boot_of_which_everything_is_lost_is_still_named(file: Path) -> None:
    store = opened(file, 10)
    press(store)
    store.lose()
    store.close()
    opened(file, 10).close()
    assert opened(file, 10).held() == (Held(1, 1, 1), Held(3, 0, 0))


def test_no_more_boots_than_a_hello_can_name(file: Path) -> None:
    for _ in range(2 * HELD_MAX):
        store = opened(file, 100)
        press(store)
        store.close()
    store = opened(file, 100)
    assert len(store.held()) == HELD_MAX
    assert store.boot == HELD_MAX
    assert len(store.entries()) == 2 * HELD_MAX


def test_the_file_does_not_grow_for_ever(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "COMPACT_LINES", 20)
    store = opened(file, 10)
    for n in range(200):
        press(store)
        store.forget(Position(1, n - 1))
    assert file.read_bytes().count(b"\n") <= 22
    store.close()
    again = opened(file, 10)
    assert [entry.event.n for entry in again.entries()] == [199]


@given(st.lists(st.sampled_from(["press", "ack one", "ack all", "restart"])))
def test_it_does_what_the_memory_store_of_the_protocol_does(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    file = tmp_path_factory.mktemp("memory") / "m"
    mine, model = opened(file, 50), MemoryStore(1, volatile=False, capacity=50)
    for step in steps:
        entries = model.entries()
        if step == "press":
            assert press(mine) == press(model)
        elif step == "restart":
            mine.close()
            mine, model = opened(file, 50), model.restarted()
        elif entries:
            last = entries[0 if step == "ack one" else -1].position
            mine.forget(last)
            model.forget(last)
        assert mine.held() == model.held()
        assert mine.entries() == model.entries()
        assert (mine.boot, mine.next) == (model.boot, model.next)
    mine.close()
