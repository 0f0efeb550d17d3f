"""The whole link over bad wires: every event once and in order, the latest display."""

import pytest

from laws.seats import Seat
from protocol.decoding import decode
from protocol.frame import FrameDecoder
from protocol.happenings import EventKey
from protocol.limits import WINDOW
from protocol.link import LinkDown, LinkUp, State
from protocol.messages import Asked, Display, Event, Lost, Welcome
from protocol.store import MemoryStore
from tests.long import examples
from tests.protocol.wires import ALL_SEATS, LONG_S, Pair, Wire, passed


def numbers(pair: Pair) -> list[tuple[int, int]]:
    return [(e.boot, e.n) for e in pair.referee.journal if isinstance(e, Event)]


def display(rev: int, text: str = "your call", epoch: int = 1) -> Display:
    return Display(
        epoch, rev, Seat.NORTH, 1, 2, 0, Asked.CALL, None, ((text,) * 4,) * 8
    )


@pytest.mark.parametrize("seed", range(examples(8)))
@pytest.mark.parametrize("key", [None, b"k" * 16], ids=["open", "paired"])
def test_every_event_arrives_once_and_in_order(seed: int, key: bytes | None) -> None:
    wire = Wire(seed, loss=0.25, double=0.2, spoil=0.15, cut=seed % 2 == 0)
    pair = Pair(wire, key)
    pair.open()
    for n in range(60):
        seat = ALL_SEATS[n % 4]
        pair.terminal.press(EventKey("claim", seat, None, (n % 14,)), pair.now)
        pair.daemon.send(display(n + 1, f"prompt {n}"), pair.now)
        pair.run(pair.wire.chance.choice([0.0, 0.1, 1.0, 5.0]))
    pair.run(LONG_S)
    assert numbers(pair) == [(7, n) for n in range(60)]
    assert [e.data for e in pair.referee.journal if isinstance(e, Event)] == [
        (n % 14,) for n in range(60)
    ]
    assert pair.terminal.unacknowledged == 0
    assert pair.terminal.displays[Seat.NORTH] == display(60, "prompt 59")


@pytest.mark.parametrize("seed", range(10))
def test_no_event_is_lost_when_the_daemon_and_the_line_come_and_go(seed: int) -> None:
    pair = Pair(Wire(seed, loss=0.1))
    pair.open()
    for n in range(80):
        pair.terminal.press(passed(), pair.now)
        if n % 10 == 3:
            pair.restart_daemon()
        if n % 16 == 5:
            pair.connected = False
        if n % 16 == 9:
            pair.connected = True
        pair.run(pair.wire.chance.choice([0.0, 0.5, 3.0]))
    pair.run(LONG_S)
    assert numbers(pair) == [(7, n) for n in range(80)]


@pytest.mark.parametrize("seed", range(examples(6)))
def test_a_wiped_memory_that_comes_back_with_its_boot_loses_no_new_event(
    seed: int,
) -> None:
    pair = Pair(Wire(seed, loss=0.2, double=0.2), store=MemoryStore(7, volatile=False))
    pair.open()
    expected: list[tuple[int, ...]] = []
    for life in range(4):
        for n in range(5):
            key = EventKey("claim", Seat.NORTH, None, (life, n))
            pair.terminal.press(key, pair.now)
            expected.append((life, n))
            pair.run(pair.wire.chance.choice([0.0, 0.1, 1.0]))
        pair.run(LONG_S)
        pair.restart_terminal(MemoryStore(7, volatile=False))
        pair.run(LONG_S)  # it takes no key before it has been shown something
    assert [e.data for e in pair.referee.journal if isinstance(e, Event)] == expected
    assert pair.referee.resets == 4


def test_what_was_held_up_opens_the_link_once() -> None:
    pair = Pair()
    pair.open()
    pair.seen.clear()
    pair.stalled = True
    pair.run(10)
    pair.stalled = False
    pair.said.clear()
    pair.run(3)
    turns = [type(o) for o in pair.seen if isinstance(o, LinkUp | LinkDown)]
    assert turns == [LinkDown, LinkUp]
    said = [decode(body) for body in FrameDecoder().receive(bytes(pair.said))]
    assert len([message for message in said if isinstance(message, Welcome)]) == 1


def test_equal_passes_are_as_many_events() -> None:
    pair = Pair()
    pair.open()
    for _ in range(3):
        pair.terminal.press(passed(), pair.now)
    pair.settle()
    assert len(pair.referee.journal) == 3


def test_no_more_than_the_window_is_in_flight() -> None:
    pair = Pair()
    pair.open()
    pair.connected = False
    for _ in range(40):
        pair.terminal.press(passed(), pair.now)
    sent = pair.terminal.data_to_send()
    assert len([frame for frame in sent.split(b"\0") if frame]) == WINDOW
    pair.connected = True
    pair.run(LONG_S)
    assert len(numbers(pair)) == 40


def test_a_terminal_with_a_new_boot_is_taken_up_at_0() -> None:
    pair = Pair()
    pair.open()
    pair.terminal.press(passed(), pair.now)
    pair.settle()
    pair.restart_terminal(MemoryStore(3))
    pair.run(1)
    pair.terminal.press(passed(), pair.now)
    pair.run(1)
    assert numbers(pair) == [(7, 0), (3, 0)]
    assert pair.daemon.state is State.UP


def test_what_a_terminal_no_longer_has_is_lost_and_the_log_goes_on() -> None:
    pair = Pair(store=MemoryStore(7, volatile=False))
    pair.open()
    pair.terminal.press(passed(), pair.now)
    pair.settle()
    pair.connected = False
    for _ in range(4):
        pair.terminal.press(passed(), pair.now)
    store = MemoryStore(7, volatile=False, after=7)
    store.append(Event(7, 7, Seat.NORTH, 0, 0, 0, "call", None, ("P",)), pair.now)
    pair.connected = True
    pair.restart_terminal(store)
    pair.run(3)
    assert pair.referee.journal[1] == Lost(7, 1, 6)
    assert numbers(pair) == [(7, 0), (7, 7)]
    assert pair.terminal.unacknowledged == 0


def test_a_link_comes_up_whoever_was_there_first() -> None:
    for order in ("terminal", "daemon"):
        pair = Pair(key=b"k" * 16)
        ends = [pair.terminal, pair.daemon]
        first, second = ends if order == "terminal" else ends[::-1]
        first.opened(pair.now)
        pair.connected = False
        pair.run(11)
        pair.connected = True
        second.opened(pair.now)
        pair.run(3)
        assert pair.daemon.state is State.UP
        assert pair.terminal.state is State.UP
        came = [type(o) for o in pair.seen if isinstance(o, LinkUp | LinkDown)]
        assert came == [LinkUp]
