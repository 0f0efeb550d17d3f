"""The relay: what belongs to which opening, malformed messages, each display once."""

import logging

import msgspec
import pytest

from laws.seats import Seat
from protocol.frame import FrameDecoder, encode_frame
from protocol.messages import Display, Event, Lost, tag_of
from protocol.payloads import (
    LinkState,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
)
from protocol.store import MemoryStore, Position
from tests.terminal.rooms import SESSION, Far, Room, room_online, terminal_settings


def raw_event(n: int, kind: str) -> bytes:
    fields = [tag_of(Event), 1, n, "N", 1, 1, 0, kind, None, ["P"]]
    return msgspec.msgpack.encode(fields)


def displays_in(data: bytes) -> int:
    """How many DISPLAYs a terminal is sent."""
    head = msgspec.msgpack.encode(tag_of(Display))
    return sum(body[1:2] == head for body in FrameDecoder().receive(data))


def reopen(room: Room, far: Far) -> None:
    room.lose_line(far)
    room.open_line(far)
    room.settle(referee=False)


class TestMalformed:
    def test_an_event_that_breaks_a_rule_is_passed_up_and_acknowledged(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        far = room.far_of()
        body = raw_event(0, "Bogus")
        far.up += encode_frame(body)
        room.settle()
        (entry,) = room.taken
        assert isinstance(entry, TerminalMalformed)
        assert (entry.boot, entry.n, entry.k, entry.opening) == (1, 0, 0, 1)
        assert (entry.raw, entry.serial) == (body.hex(), "SN-N")
        assert entry.reason.startswith("EVENT: kind: Expected `str` matching")
        assert "t1-n: an event cannot be applied: EVENT: kind" in caplog.text
        far.up += encode_frame(raw_event(1, "call"))
        room.settle()
        assert [entry.n for entry in room.taken if not isinstance(entry, TerminalLost)]
        assert isinstance(room.taken[-1], TerminalEvent)

    def test_a_reason_is_warned_of_once_while_the_line_is_open(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        far = room.far_of()
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                far.up += encode_frame(b"\x92\x07\x07")
                far.up += encode_frame(b"\x92\x0b\x01")
                room.settle()
        texts = [record.message for record in caplog.records]
        assert [text.partition(" Expected")[0] for text in texts] == [
            "t1-n: a message is ignored: EVENT:",
            "t1-n: a message is ignored: SHOWN:",
        ]
        reopen(room, far)
        far.up += encode_frame(b"\x92\x07\x07")
        room.settle()
        assert len([r for r in caplog.records if "EVENT" in r.message]) == 2

    def test_a_serial_number_too_long_is_refused_with_the_reason(self) -> None:
        room = Room()
        room.relay.broker_connected(room.now)
        far = room.far_of()
        room.relay.line_opened(far.name, room.now)
        hello = [2, 1, "S" * 34, 1, False, [[1, 0, 0]], "", ["N"], 20, 4]
        hello += ["utf-8", "calls"]
        far.up += encode_frame(msgspec.msgpack.encode(hello))
        room.settle()
        status = room.status(far)
        assert status.link is LinkState.REFUSED
        assert status.reason == "HELLO: serial: Expected `str` of length <= 32"


class TestOpenings:
    def test_an_opening_is_one_status_and_one_number(self) -> None:
        room = room_online()
        far = room.far_of()
        room.published.clear()
        far.restart(room.now)
        room.settle()
        assert room.status(far).opening == 2
        online = [p for p in room.published if b'"online"' in p.payload]
        assert len({p.payload.split(b'"opening":')[1][:1] for p in online}) == 1

    def test_a_terminal_that_opens_anew_and_says_no_more_is_offline(self) -> None:
        room = room_online()
        far = room.far_of()
        far.restart(room.now)
        room.collect()
        room.carry(far, down=False)
        status = room.status(far)
        assert status.link is LinkState.OFFLINE
        assert "opens the link anew" in status.reason

    def test_an_entry_carries_the_opening_in_which_it_came_last(self) -> None:
        room = room_online()
        far = room.far_of()
        far.press(room.now, "1C")
        room.settle(referee=False)
        reopen(room, far)
        entries = [e for e in room.events() if isinstance(e, TerminalEvent)]
        assert [(e.k, e.opening) for e in entries] == [(0, 1), (0, 2)]
        room.settle()
        assert [e.data for e in room.taken if isinstance(e, TerminalEvent)] == [("1C",)]

    def test_an_ack_for_an_earlier_opening_is_not_passed_down(self) -> None:
        room = room_online()
        far = room.far_of()
        far.press(room.now, "1C")
        room.settle(referee=False)
        late = room.ack_of(far, 1, 0)
        room.lose_line(far)
        far.store = MemoryStore(1, volatile=False)
        far.switch_on()
        room.open_line(far)
        room.settle(referee=False)
        far.press(room.now, "1D")
        room.settle(referee=False)
        room.tell("ack", far, late)
        room.settle(referee=False)
        assert far.link.unacknowledged == 1
        room.live(3)
        assert far.link.unacknowledged == 0
        assert room.taken[-1].serial == "SN-N"

    def test_an_event_of_a_wiped_memory_is_no_copy_of_the_one_before(self) -> None:
        room = room_online()
        far = room.far_of()
        for call in ("1C", "1D"):
            far.press(room.now, call)
        room.settle(referee=False)
        room.lose_line(far)
        far.store = MemoryStore(1, volatile=False)
        far.switch_on()
        room.open_line(far)
        room.settle(referee=False)
        far.press(room.now, "1H")
        room.settle(referee=False)
        last = room.events()[-1]
        assert isinstance(last, TerminalEvent)
        assert (last.k, last.n, last.opening, last.data) == (2, 0, 2, ("1H",))

    def test_what_is_missing_in_several_boots_is_taken_without_waiting(self) -> None:
        room = room_online()
        far = room.far_of()
        far.press(room.now, "first")
        room.settle()
        room.lose_line(far)
        for boot in range(2, 6):
            far.restart(room.now)
            for n in range(3):
                far.press(room.now, f"{boot}.{n}")
            for n in range(2):
                far.store.lose(Position(boot, n))
        room.open_line(far)
        room.settle()
        room.pass_time(0.5)
        room.settle()
        kept = [e.data for e in room.taken if isinstance(e, TerminalEvent)]
        assert kept == [("first",), *((f"{boot}.2",) for boot in range(2, 6))]
        lost = [(e.boot, e.last) for e in room.taken if isinstance(e, TerminalLost)]
        assert lost == [(boot, 1) for boot in range(2, 6)]


class TestDisplays:
    def test_each_comes_once_however_often_the_referee_sends_it(self) -> None:
        room = room_online()
        far = room.far_of()
        sent = 0
        for _ in range(3):
            room.show(far, rev=7)
            sent += displays_in(bytes(far.down))
            room.settle()
        assert sent == 1
        shown = TerminalShown(epoch=1, rev=7, seat=Seat.NORTH, session=SESSION)
        assert room.answers == [shown] * 3

    def test_none_is_sent_that_came_before_the_terminal_had_said_what_it_is(
        self,
    ) -> None:
        room = Room()
        room.relay.broker_connected(room.now)
        far = room.far_of()
        room.show(far, rev=7)
        room.open_line(far)
        room.settle()
        assert Seat.NORTH not in far.link.displays
        room.show(far, rev=8)
        room.settle()
        assert far.link.displays[Seat.NORTH].rev == 8

    def test_a_display_shown_before_is_there_again_after_a_restart(self) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far, rev=7)
        room.settle()
        room.relay.broker_lost()
        far.restart(room.now)
        room.settle()
        assert far.link.displays[Seat.NORTH].rev == 7


def test_a_gap_is_answered_by_the_referees_last_ack() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now, "1C")
    room.collect()
    far.up.clear()  # lost on the line
    far.press(room.now, "1D")
    room.settle()
    room.pass_time(0.5)  # sooner than the terminal would repeat by itself
    room.settle()
    assert [e.n for e in room.taken if isinstance(e, TerminalEvent)] == [0, 1]


def test_lost_is_of_the_log_like_any_entry() -> None:
    room = room_online(terminal_settings(Seat.NORTH))
    far = room.far_of()
    far.up += encode_frame(msgspec.msgpack.encode(Lost(1, 0, 4)))
    room.settle()
    (lost,) = room.taken
    assert isinstance(lost, TerminalLost)
    assert (lost.first, lost.last, lost.opening) == (0, 4, 1)
