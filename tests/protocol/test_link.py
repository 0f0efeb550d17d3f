"""Clauses O and S, as far as both ends share them: states, silence, queues, repeats."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.daemon_link import DaemonLink
from protocol.frame import encode_frame
from protocol.limits import (
    DOWN_S,
    INBOX_MAX,
    OPENING_S,
    OUTBOX_MAX,
    REPEAT_S,
    SILENCE_S,
)
from protocol.link import (
    TRANSITIONS,
    DownReason,
    Link,
    LinkDown,
    LinkMisuseError,
    LinkUp,
    Received,
    Repeat,
    State,
    Trigger,
)
from protocol.messages import Ack, Event, Message, Ping, Pong, encode
from protocol.store import MemoryStore
from protocol.terminal_link import TerminalLink
from tests.protocol.samples import DISPLAY, EVENT, MESSAGES
from tests.protocol.wires import IDENTITY, Pair, is_in, nonces, passed


def links() -> list[Link]:
    return [
        DaemonLink(nonces()),
        TerminalLink(IDENTITY, MemoryStore(7), nonces()),
        DaemonLink(nonces(), key=b"key"),
        TerminalLink(IDENTITY, MemoryStore(7), nonces(), b"key"),
    ]


def frames_of(*messages: Message) -> bytes:
    return b"".join(encode_frame(body) for m in messages for body in encode(m))


def up() -> Pair:
    pair = Pair()
    pair.open()
    assert is_in(State.UP, pair.daemon, pair.terminal)
    pair.seen.clear()
    pair.shown.clear()
    return pair


def test_every_state_has_a_row_and_every_row_a_way_out() -> None:
    assert set(TRANSITIONS) == set(State)
    for row in TRANSITIONS.values():
        assert row
        assert Trigger.CLOSE in row
    assert {t for row in TRANSITIONS.values() for t in row} == set(Trigger)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("trigger", Trigger)
def test_a_pair_that_is_not_in_the_table_raises_and_changes_nothing(
    state: State, trigger: Trigger
) -> None:
    for link in links():
        link.state = state
        if trigger in TRANSITIONS[state]:
            link._fire(trigger)
            assert link.state is TRANSITIONS[state][trigger]
        else:
            with pytest.raises(LinkMisuseError, match="cannot happen to a link"):
                link._fire(trigger)
            assert link.state is state


@given(st.lists(st.binary(max_size=80) | MESSAGES, max_size=12), st.booleans())
def test_any_bytes_and_any_messages_never_raise(
    items: list[bytes | Message], opened: bool
) -> None:
    for link in links():
        if opened:
            link.opened(0.0)
        for now, item in enumerate(items, 1):
            data = item if isinstance(item, bytes) else frames_of(item)
            link.receive_data(data, float(now))
            link.tick(float(now))
            link.deadline()
            link.events_received()
            link.data_to_send()


def test_a_closed_link_takes_and_says_nothing() -> None:
    for link in links():
        link.receive_data(frames_of(Ping(0)), 1.0)
        link.tick(1.0)
        assert link.data_to_send() == b""
        assert link.events_received() == []
        assert link.deadline() is None
        link.closed()
        assert link.events_received() == []


def test_opening_twice_is_our_mistake() -> None:
    for link in links():
        link.opened(0.0)
        with pytest.raises(LinkMisuseError, match="carrier opened cannot happen"):
            link.opened(1.0)


def test_a_carrier_that_goes_takes_the_link_and_its_queue_with_it() -> None:
    pair = up()
    for link in (pair.daemon, pair.terminal):
        link._ping(pair.now)
        link.closed()
        assert link.data_to_send() == b""
        assert link.events_received() == [LinkDown(DownReason.CARRIER)]
        assert is_in(State.CLOSED, link)
        link.opened(pair.now + 1)
        assert is_in(State.OPENING, link)


def test_a_silent_link_is_pinged_and_stays_up() -> None:
    pair = up()
    assert pair.daemon.deadline() == pair.now + SILENCE_S
    pair.run(60)
    assert is_in(State.UP, pair.daemon, pair.terminal)
    assert not [o for o in pair.seen if isinstance(o, LinkDown)]


def test_a_link_that_hears_nothing_for_6_s_is_down_and_opens_anew() -> None:
    pair = up()
    pair.connected = False
    pair.run(DOWN_S - 0.01)
    assert is_in(State.UP, pair.daemon, pair.terminal)
    pair.run(0.02)
    assert is_in(State.OPENING, pair.daemon, pair.terminal)
    assert LinkDown(DownReason.SILENCE) in pair.seen
    assert LinkDown(DownReason.SILENCE) in pair.shown
    pair.connected = True
    pair.run(2 * OPENING_S)
    assert is_in(State.UP, pair.daemon, pair.terminal)


def test_up_and_down_take_turns() -> None:
    pair = up()
    pair.restart_terminal(MemoryStore(8))
    pair.run(1)
    pair.connected = False
    pair.run(20)
    pair.connected = True
    pair.run(20)
    pair.daemon.closed()
    pair.settle()
    turns = [type(o) for o in pair.seen if isinstance(o, LinkUp | LinkDown)]
    assert turns[::2] == [LinkDown] * len(turns[::2])
    assert turns[1::2] == [LinkUp] * len(turns[1::2])


def test_what_goes_wrong_is_counted() -> None:
    pair = up()
    body = b"\x92\x07\x00"
    pair.daemon.receive_data(encode_frame(body), pair.now)
    assert pair.daemon.counters.rejected == 1
    pair.daemon.receive_data(encode_frame(b"\x91\x63"), pair.now)
    assert pair.daemon.counters.unknown == 1
    pair.daemon.receive_data(frames_of(Ack(7, 0), DISPLAY), pair.now)
    assert pair.daemon.counters.unexpected == 2
    pair.terminal.receive_data(frames_of(EVENT), pair.now)
    assert pair.terminal.counters.unexpected == 1


def test_an_unknown_message_is_a_sign_of_life() -> None:
    pair = up()
    pair.daemon.receive_data(encode_frame(b"\x91\x63"), pair.now + 5)
    pair.daemon.tick(pair.now + 7)
    assert is_in(State.UP, pair.daemon)


def test_a_part_holds_no_parts() -> None:
    pair = up()
    inner = b"\x95\x0c\x01\x01\x02\xc4\x01a"
    halves = [inner[:4], inner[4:]]
    for i, half in enumerate(halves, 1):
        body = b"\x95\x0c\x01" + bytes([i, 2, 0xC4, len(half)]) + half
        pair.daemon.receive_data(encode_frame(body), pair.now)
    assert pair.daemon.counters.rejected == 1


def test_a_shell_that_fetches_nothing_makes_no_queue_grow() -> None:
    pair = up()
    for n in range(INBOX_MAX + 50):
        event = Event(7, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))
        pair.daemon.receive_data(frames_of(event), pair.now)
    assert pair.daemon.counters.dropped_in == 50
    malformed = msgspec.msgpack.encode([7, 7, 0, "N", 1, 1, 0, "Bogus"])
    pair.daemon.receive_data(encode_frame(malformed) + encode_frame(b"x"), pair.now)
    assert pair.daemon.counters.dropped_in == 52
    assert len(pair.daemon.events_received()) == INBOX_MAX


def test_a_carrier_that_takes_nothing_makes_no_queue_grow() -> None:
    pair = up()
    for _ in range(3000):
        pair.terminal.receive_data(frames_of(Ping(1)), pair.now)
    assert len(pair.terminal.data_to_send()) <= OUTBOX_MAX
    assert pair.terminal.counters.dropped_out > 0


def test_events_that_the_queue_had_no_room_for_are_sent_later() -> None:
    pair = up()
    while not pair.terminal.counters.dropped_out:
        pair.terminal.receive_data(frames_of(Ping(1)), pair.now)
    pair.terminal.press(passed(), pair.now)
    pair.terminal.data_to_send()
    pair.run(3)
    assert [e for e in pair.seen if isinstance(e, Received)]
    assert pair.terminal.unacknowledged == 0


def test_repeats_come_after_1_2_4_8_16_30_30_s() -> None:
    repeat = Repeat()
    assert not repeat.is_due(1e9)
    repeat.start(0.0)
    waits = []
    now = 0.0
    for _ in range(8):
        assert repeat.due is not None
        waits.append(repeat.due - now)
        now = repeat.due
        assert repeat.is_due(now)
        repeat.again(now)
    assert waits == [*REPEAT_S, 30.0, 30.0]
    repeat.hasten(now + 5)
    assert repeat.due == now + 5
    repeat.hasten(now + 6)
    assert repeat.due == now + 5
    repeat.stop()
    repeat.hasten(3.0)
    assert repeat.due == 3.0


def test_a_pong_is_no_more_than_a_sign_of_life() -> None:
    pair = up()
    pair.terminal.receive_data(frames_of(Pong(0, 0, 0)), pair.now)
    pair.daemon.receive_data(frames_of(Pong(5, 7, 0)), pair.now)
    assert pair.terminal.events_received() == pair.daemon.events_received() == []
