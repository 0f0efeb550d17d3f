"""The relay, driven by hand: what it passes on, what it keeps, what it refuses."""

import pytest

from laws.seats import SEATS, Seat
from protocol.frame import encode_frame
from protocol.limits import AGE_UNKNOWN_MS
from protocol.link import State
from protocol.messages import Event, encode
from protocol.payloads import (
    Poll,
    TerminalClear,
    TerminalEvent,
    TerminalShown,
)
from terminal.outlet import AGAIN_SECONDS, OFFERS_MAX
from tests.terminal.rooms import (
    DAEMON,
    EVENT,
    SESSION,
    display,
    room_online,
    terminal_settings,
)

OFFLINE = b'{"schema":"bidwire.terminal/1","session":"s","table":"t","link":"offline"}'


def test_an_event_is_stamped_and_published() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now, "1S")
    room.settle()
    (event,) = room.events()
    assert isinstance(event, TerminalEvent)
    assert (event.session, event.table, event.k) == (SESSION, "t1", 0)
    assert (event.boot, event.n, event.seat) == (1, 0, Seat.NORTH)
    assert (event.kind, event.data, event.serial) == ("call", ("1S",), "SN-N")


def test_the_numbers_of_a_table_run_through_all_its_terminals() -> None:
    room = room_online(*(terminal_settings(seat) for seat in SEATS))
    for seat in (Seat.EAST, Seat.NORTH, Seat.WEST, Seat.NORTH):
        room.far_of(seat).press(room.now)
        room.settle()
    assert [(e.k, e.serial) for e in room.events()] == [
        (0, "SN-E"),
        (1, "SN-N"),
        (2, "SN-W"),
        (3, "SN-N"),
    ]


def test_tables_are_numbered_apart() -> None:
    other = terminal_settings(Seat.EAST, table="t2")
    room = room_online(terminal_settings(Seat.NORTH), other)
    for far in room.far.values():
        far.press(room.now)
    room.settle()
    assert {(e.table, e.k) for e in room.events()} == {("t1", 0), ("t2", 0)}


def test_three_equal_passes_are_three_events() -> None:
    room = room_online()
    for _ in range(3):
        room.far_of().press(room.now)
    room.settle()
    assert [(e.n, e.k) for e in room.taken if isinstance(e, TerminalEvent)] == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]


def test_it_acknowledges_nothing_by_itself() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now)
    room.settle(referee=False)
    room.pass_time(20)
    room.settle(referee=False)
    assert far.link.unacknowledged == 1
    room.settle()
    assert far.link.unacknowledged == 0


def test_a_frame_sent_twice_is_published_once() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now)
    room.collect()
    far.up += bytes(far.up)
    room.settle(referee=False)
    assert len(room.events()) == 1


def test_a_repeated_frame_is_published_again_with_its_number() -> None:
    room = room_online()
    room.far_of().press(room.now)
    room.settle(referee=False)
    room.pass_time(1.5)  # the terminal repeats it
    room.settle(referee=False)
    assert [event.k for event in room.events()] == [0, 0]
    room.inbox.clear()


def test_the_age_grows_while_an_event_waits_for_the_broker() -> None:
    room = room_online()
    room.relay.broker_lost()
    room.far_of().press(room.now)
    room.settle()
    room.now += 3.0
    room.relay.broker_connected(room.now)
    room.settle()
    (event,) = room.events()
    assert isinstance(event, TerminalEvent)
    assert event.age_ms == 3000
    assert room.took == [3.0]


def test_the_age_of_an_event_from_before_a_restart_stays_unknown() -> None:
    room = room_online()
    far = room.far_of()
    room.relay.broker_lost()
    far.press(room.now)
    far.restart(room.now)
    room.settle()
    room.now += 3.0
    room.relay.broker_connected(room.now)
    room.settle()
    (event,) = room.events()
    assert isinstance(event, TerminalEvent)
    assert event.age_ms == AGE_UNKNOWN_MS


def test_an_event_that_overtakes_a_lost_frame_waits_for_it() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now, "1C")
    room.collect()
    far.up.clear()  # lost on the line
    far.press(room.now, "1D")
    room.settle()
    assert room.events() == []
    room.pass_time(1.5)
    room.settle()
    assert [(e.k, e.data) for e in room.taken if isinstance(e, TerminalEvent)] == [
        (0, ("1C",)),
        (1, ("1D",)),
    ]


class TestBrokerAway:
    def test_the_link_stays_up_and_the_display_stays(self) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far)
        room.settle()
        room.relay.broker_lost()
        room.live(20)
        assert far.link.state is State.UP
        assert far.link.displays[Seat.NORTH].rev == 1

    def test_everything_is_offered_again_in_its_order(self) -> None:
        room = room_online(*(terminal_settings(seat) for seat in SEATS))
        room.relay.broker_lost()
        for seat in (Seat.SOUTH, Seat.WEST, Seat.NORTH):
            room.far_of(seat).press(room.now)
            room.settle()
        assert room.events() == []
        room.relay.broker_connected(room.now)
        room.settle()
        assert [(e.k, e.serial) for e in room.taken] == [
            (0, "SN-S"),
            (1, "SN-W"),
            (2, "SN-N"),
        ]

    def test_what_the_broker_lost_is_published_again_with_its_number(self) -> None:
        room = room_online(*(terminal_settings(seat) for seat in SEATS))
        for seat in (Seat.SOUTH, Seat.WEST):
            room.far_of(seat).press(room.now)
            room.settle(referee=False)
        room.inbox.clear()
        room.relay.broker_lost()
        room.relay.broker_connected(room.now)
        room.settle()
        assert [(e.k, e.serial) for e in room.taken] == [(0, "SN-S"), (1, "SN-W")]

    def test_numbers_have_no_gap_when_the_referee_knows_an_event_already(self) -> None:
        """An event that a daemon before this one had published."""
        room = room_online()
        far = room.far_of()
        room.relay.broker_lost()
        far.press(room.now)
        far.press(room.now)
        room.settle()
        room.tell("ack", far, room.ack_of(far, 1, 0))
        room.relay.broker_connected(room.now)
        room.settle(referee=False)
        assert [(e.k, e.n) for e in room.events() if isinstance(e, TerminalEvent)] == [
            (0, 1)
        ]

    def test_a_terminal_that_sends_too_much_is_not_listened_to(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        for n in range(OFFERS_MAX + 3):
            event = Event(1, n, Seat.NORTH, 1, 1, 0, "call", None, ("P",))
            room.far_of().up += b"".join(map(encode_frame, encode(event)))
            room.settle(referee=False)
        assert [event.k for event in room.events()] == list(range(OFFERS_MAX))
        assert "more events are under way" in caplog.text


class TestReferee:
    def test_a_display_is_shown_and_the_referee_told(self) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far, rev=7)
        room.settle()
        assert far.link.displays[Seat.NORTH].rev == 7
        assert room.answers == [
            TerminalShown(epoch=1, rev=7, seat=Seat.NORTH, session=SESSION)
        ]

    def test_a_display_waits_for_a_terminal_that_is_away(self) -> None:
        room = room_online()
        far = room.far_of()
        room.lose_line(far)
        room.show(far, rev=7)
        room.open_line(far)
        room.settle()
        assert far.link.displays[Seat.NORTH].rev == 7

    def test_an_older_display_is_not_shown(self) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far, rev=7)
        room.show(far, rev=6)
        room.settle()
        assert far.link.displays[Seat.NORTH].rev == 7

    def test_a_referee_whose_term_is_over_is_ignored(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far, rev=1, epoch=3)
        far.press(room.now)
        room.settle(referee=False)
        room.tell("ack", far, room.ack_of(far, 1, 0, epoch=2))
        room.tell("ack", far, Poll(epoch=2, token=9))
        room.tell("display", far, display(Seat.NORTH, rev=99, epoch=2))
        room.settle(referee=False)
        assert far.link.unacknowledged == 1
        assert far.link.displays[Seat.NORTH].epoch == 3
        assert "term 3 has begun" in caplog.text

    def test_a_poll_is_answered_after_the_events_before_it(self) -> None:
        room = room_online()
        far = room.far_of()
        far.press(room.now)
        room.poll(far, 5)
        far.press(room.now)
        room.settle(referee=False)
        order = [p.topic.rsplit("/", 1)[1] for p in room.published[-3:]]
        assert order == ["events", "events", "shown"]
        room.settle()
        assert room.answers == [TerminalClear(token=5, boot=1, next=2, session=SESSION)]

    def test_a_poll_of_a_terminal_that_is_away_is_answered_when_it_is_back(
        self,
    ) -> None:
        room = room_online()
        far = room.far_of()
        room.lose_line(far)
        room.poll(far, 5)
        room.open_line(far)
        room.settle()
        assert [a.token for a in room.answers if isinstance(a, TerminalClear)] == [5]

    def test_an_ack_lost_on_the_line_is_given_again(self) -> None:
        room = room_online()
        far = room.far_of()
        far.press(room.now)
        room.collect()
        room.carry(far, down=False)
        room.read()
        far.down.clear()
        published = len(room.events())
        room.pass_time(1.5)
        room.settle(referee=False)
        assert far.link.unacknowledged == 0
        assert len(room.events()) == published

    @pytest.mark.parametrize(
        ("topic", "payload", "said"),
        [
            ("t1-n/ack", b"{}", "schema"),
            ("t1-n/ack", b"\xff", "ignored"),
            ("t1-n/ack", b'{"schema":"bidwire.ack/1","epoch":"x"}', "epoch"),
            ("t1-x/ack", b'{"schema":"bidwire.poll/1","epoch":1,"token":1}', "no such"),
            ("t1-n/events", b"{}", "ignored"),
            ("t1-n/status", OFFLINE, "nothing to do"),
        ],
    )
    def test_what_is_no_message_is_logged_and_ignored(
        self, topic: str, payload: bytes, said: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        room.relay.message(
            f"bidwire/{EVENT}/daemons/{DAEMON}/terminals/{topic}", payload, room.now
        )
        assert said in caplog.text
        assert topic.split("/", maxsplit=1)[0] in caplog.text

    def test_a_display_for_another_seat_is_logged_and_ignored(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        far = room.far_of()
        room.tell("display", far, display(Seat.EAST))
        room.settle()
        assert Seat.EAST not in far.link.displays
        assert "t1-n: a display for E" in caplog.text

    def test_a_display_too_long_for_the_wire_is_logged_and_ignored(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far, pages=(("x" * 200,) * 10,))
        room.pass_time(5)
        room.settle()
        assert Seat.NORTH not in far.link.displays
        assert "cannot be sent" in caplog.text


def test_lost_events_are_told_in_the_order_of_the_log() -> None:
    room = room_online()
    far = room.far_of()
    room.relay.broker_lost()
    far.press(room.now, "1C")
    far.press(room.now, "1D")
    far.press(room.now, "1H")
    far.up.clear()
    far.link.data_to_send()
    del far.store._entries[1]
    room.pass_time(1.5)
    room.settle()
    room.relay.broker_connected(room.now)
    room.settle()
    assert [(type(e).__name__, e.k) for e in room.taken] == [
        ("TerminalEvent", 0),
        ("TerminalLost", 1),
        ("TerminalEvent", 2),
    ]


def test_a_replaced_terminal_goes_on_where_the_numbers_stood() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now, "1C")
    room.settle(referee=False)
    room.lose_line(far)
    far.serial, far.store = "SN-NEW", type(far.store)(5, volatile=False)
    far.switch_on()
    room.open_line(far)
    far.press(room.now, "1D")
    room.settle(referee=False)
    assert [(e.k, e.serial) for e in room.events()] == [(0, "SN-N"), (1, "SN-NEW")]


def test_a_terminal_that_lost_its_memory_is_heard_anew() -> None:
    room = room_online()
    far = room.far_of()
    far.restart(room.now)
    room.settle()
    for call in ("1C", "1D"):
        far.press(room.now, call)
    room.settle()
    room.relay.broker_lost()
    room.lose_line(far)
    far.store = type(far.store)(0, volatile=False)
    far.switch_on()
    room.open_line(far)
    far.press(room.now, "1H")
    room.settle()
    room.relay.broker_connected(room.now)
    room.settle(referee=False)
    last = room.events()[-1]
    assert isinstance(last, TerminalEvent)
    assert (last.k, last.boot, last.n, last.data) == (2, 0, 0, ("1H",))


def test_what_was_acknowledged_before_the_link_came_up_is_asked_again() -> None:
    """A terminal of the same boot that forgot must not be answered from memory."""
    room = room_online()
    far = room.far_of()
    far.press(room.now, "1C")
    room.settle()
    room.lose_line(far)
    far.store = type(far.store)(1, volatile=False)
    far.switch_on()
    room.open_line(far)
    room.settle(referee=False)
    far.press(room.now, "2C")
    room.settle(referee=False)
    assert [e.data for e in room.events() if isinstance(e, TerminalEvent)] == [
        ("1C",),
        ("2C",),
    ]


def test_an_event_of_a_boot_that_no_hello_named_is_ignored(
    caplog: pytest.LogCaptureFixture,
) -> None:
    room = room_online()
    event = Event(77, 0, Seat.NORTH, 1, 1, 0, "call", None, ("P",))
    room.far_of().up += b"".join(map(encode_frame, encode(event)))
    room.settle()
    assert room.events() == []
    assert "expected boot 1 as in HELLO, got 77" in caplog.text


def test_garbage_on_the_line_is_noise() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now, "1S")
    room.collect()
    far.up[:0] = b"AT+CGMI\r\nrst cause:2\r\n"
    far.up += b"\0\0\xff\xff\0login: "
    room.settle()
    assert [e.data for e in room.taken if isinstance(e, TerminalEvent)] == [("1S",)]


def test_repeats_closer_than_the_answer_takes_are_one() -> None:
    room = room_online()
    far = room.far_of()
    far.press(room.now)
    room.collect()
    frame = bytes(far.up)
    room.settle(referee=False)
    room.now += AGAIN_SECONDS * 0.9
    far.up += frame
    room.settle(referee=False)
    assert len(room.events()) == 1
    room.now += AGAIN_SECONDS * 0.2
    far.up += frame
    room.settle(referee=False)
    assert len(room.events()) == 2
