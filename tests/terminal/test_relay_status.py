"""The relay tells how its terminals stand."""

import logging

import msgspec
import pytest

from laws.seats import SEATS, Seat
from protocol.link import State
from protocol.payloads import LinkState, decode_payload
from protocol.topics import TopicKind
from terminal.relayed import UNANSWERED, VITALS_SECONDS
from terminal.settings import Security
from tests.terminal.rooms import (
    SESSION,
    Room,
    room_online,
    terminal_settings,
)

OFFLINE = b'{"schema":"bidwire.terminal/1","session":"s","table":"t","link":"offline"}'


class TestStatus:
    def test_online_says_who_it_is(self) -> None:
        room = room_online()
        status = room.status(room.far_of())
        assert (status.session, status.table) == (SESSION, "t1")
        assert (status.link, status.opening) == (LinkState.ONLINE, 1)
        assert status.hello is not None
        assert status.hello.serial == "SN-N"

    def test_not_available_before_the_terminal_has_answered(self) -> None:
        room = Room()
        room.relay.broker_connected(room.now)
        room.collect()
        assert room.status(room.far_of()).link is LinkState.OFFLINE
        room.relay.line_opened("t1-n", room.now)
        room.collect()
        status = room.status(room.far_of())
        assert status.link is LinkState.OFFLINE
        assert status.reason == "the terminal has not answered yet"

    @pytest.mark.parametrize(
        ("port", "reason"),
        [
            ("/dev/ttyUSB0", "the port has not been opened yet"),
            ("web://", "no tablet has joined yet"),
        ],
    )
    def test_before_anybody_is_there_it_says_what_is_missing(
        self, port: str, reason: str
    ) -> None:
        security = Security.PAIRED if port == "web://" else Security.OPEN
        room = Room(terminal_settings(Seat.NORTH, port=port, security=security))
        room.relay.broker_connected(room.now)
        room.collect()
        assert room.status(room.far_of()).reason == reason

    def test_it_is_repeated_until_the_referee_answers(self) -> None:
        room = Room()
        room.relay.broker_connected(room.now)
        far = room.far_of()
        room.open_line(far)
        room.settle(referee=False)
        assert room.status(far).reason == UNANSWERED
        before = len(room.published)
        room.pass_time(1.5)
        birth, status = room.published[before:]
        assert birth.topic.endswith("d1/status"), "no status counts before it (J2)"
        assert decode_payload(TopicKind.DAEMON_STATUS, birth.payload) == (
            room.relay.status
        )
        assert birth.retain
        assert status.topic.endswith("t1-n/status")
        room.show(far)
        room.settle()
        assert room.status(far).reason == ""
        after = len(room.published)
        room.pass_time(1.5)
        assert len(room.published) == after

    def test_after_the_broker_was_away_it_is_repeated_until_an_ack_comes(self) -> None:
        room = room_online()
        room.relay.broker_lost()
        room.relay.broker_connected(room.now)
        room.settle(referee=False)
        before = len(room.published)
        room.pass_time(1.5)
        assert room.published[before:][-1].topic.endswith("t1-n/status")
        room.settle()  # the referee answers a status with an ACK
        after = len(room.published)
        room.pass_time(1.5)
        assert len(room.published) == after

    def test_all_statuses_are_published_again_after_the_broker_was_away(self) -> None:
        room = room_online(*(terminal_settings(seat) for seat in SEATS))
        room.relay.broker_lost()
        room.published.clear()
        room.relay.broker_connected(room.now)
        room.settle()
        assert {p.topic.split("/")[-2] for p in room.published if p.retain} == {
            "t1-n",
            "t1-e",
            "t1-s",
            "t1-w",
        }

    def test_a_silent_terminal_is_offline_and_says_since_when(self) -> None:
        room = room_online()
        far = room.far_of()
        room.far = {}
        for _ in range(40):
            room.now += 0.25
            room.relay.tick(far.name, room.now)
        room.collect()
        status = room.status(far)
        assert status.link is LinkState.OFFLINE
        assert status.reason == "no sign of life; last heard 6.0 s before"
        assert (status.at, status.heard_s) == (room.wall(), 10.0)
        assert status.hello is not None

    def test_a_terminal_back_from_silence_counts_another_opening(self) -> None:
        room = room_online()
        far = room.far_of()
        room.lose_line(far)
        room.open_line(far)
        room.settle()
        assert room.status(far).opening == 2

    def test_the_wrong_serial_number_is_refused_and_told(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        room = Room(terminal_settings(Seat.NORTH, serial="SN-7"))
        room.relay.broker_connected(room.now)
        far = room.far_of()
        with caplog.at_level(logging.ERROR):
            room.open_line(far)
            room.settle()
        status = room.status(far)
        assert status.link is LinkState.REFUSED
        assert status.reason == "expected serial number SN-7, got SN-N"
        assert status.hello is None
        assert far.link.state is State.REFUSED
        assert status.reason in caplog.text

    @pytest.mark.parametrize(
        "seats", [(Seat.EAST,), (Seat.NORTH, Seat.EAST), tuple(Seat)]
    )
    def test_other_seats_are_refused_and_told(self, seats: tuple[Seat, ...]) -> None:
        room = Room()
        room.relay.broker_connected(room.now)
        far = room.far_of()
        far.switch_on(*seats)
        room.open_line(far)
        room.settle()
        status = room.status(far)
        assert status.link is LinkState.REFUSED
        assert status.reason == f"expected seats N, got {' '.join(seats)}"

    def test_a_refused_terminal_is_looked_at_again_ever_later_and_told_once(
        self,
    ) -> None:
        room = Room(terminal_settings(Seat.NORTH, serial="SN-7"))
        room.relay.broker_connected(room.now)
        far = room.far_of()
        room.open_line(far)
        room.settle()
        waits = []
        for _ in range(6):
            refused_at = room.now
            reason = None
            while reason is None:
                room.pass_time(0.5)
                room.settle()
                reason = room.relay.lets_go(far.name)
            assert room.relay.lets_go(far.name) is None
            waits.append(room.now - refused_at)
            room.relay.line_refused(far.name, reason, room.now)
            far.link.closed()
            room.open_line(far)
            room.settle()
        assert waits == [5, 10, 20, 40, 60, 60]
        statuses = [p for p in room.published if p.topic.endswith("/t1-n/status")]
        told = {msgspec.json.decode(p.payload)["reason"] for p in statuses}
        assert told == {
            "the terminal has not answered yet",
            "expected serial number SN-7, got SN-N",
        }
        assert "refused" in statuses[-1].payload.decode()

    def test_the_right_terminal_where_one_was_refused_is_taken(self) -> None:
        room = Room(terminal_settings(Seat.NORTH, serial="SN-7"))
        room.relay.broker_connected(room.now)
        far = room.far_of()
        room.open_line(far)
        room.settle()
        room.relay.line_refused(far.name, room.status(far).reason, room.now)
        far.link.closed()
        far.serial = "SN-7"
        far.switch_on()
        room.open_line(far)
        room.settle()
        assert room.status(far).link is LinkState.ONLINE
        room.live(20)
        assert room.relay.lets_go(far.name) is None

    def test_nobody_where_a_terminal_was_refused_is_told(self) -> None:
        room = Room(terminal_settings(Seat.NORTH, serial="SN-7"))
        room.relay.broker_connected(room.now)
        far = room.far_of()
        room.open_line(far)
        room.settle()
        room.relay.line_refused(far.name, room.status(far).reason, room.now)
        room.far = {}
        room.relay.line_opened(far.name, room.now)
        for _ in range(14):
            room.now += 0.5
            room.relay.tick(far.name, room.now)
        room.collect()
        assert room.status(far).link is LinkState.OFFLINE
        assert room.status(far).reason.startswith("the terminal has not answered yet")

    def test_battery_at_once_and_uptime_now_and_then(self) -> None:
        room = room_online()
        far = room.far_of()
        room.show(far)
        room.settle()
        far.link.vitals = msgspec.structs.replace(far.link.vitals, battery=80)
        room.live(11)
        vitals = room.status(far).vitals
        assert vitals is not None
        assert vitals.battery == 80
        room.published.clear()
        for second in range(int(VITALS_SECONDS) + 12):
            far.link.vitals = msgspec.structs.replace(far.link.vitals, uptime_s=second)
            room.live(1)
        assert 1 <= len(room.published) <= 2
        vitals = room.status(far).vitals
        assert vitals is not None
        assert vitals.uptime_s > 0
