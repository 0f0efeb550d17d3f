"""A line over Bluetooth LE: real bleak, on virtual controllers.

Faults known from the field are numbered: connects that time out (1), connections left
behind (2), stale caches (3), lost subscriptions (4), slots that stay taken (7), a
deadline for each step only (9), long pieces (10), lost notifications (11). Scanners
gone silent (5) and two scans (6) are in `test_ble_scan`, two daemons (8) in
`test_ble_chain`.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine

import pytest
from bleak.args import SizedBuffer
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import NotifyCallback
from bleak.exc import BleakError, BleakGATTProtocolError
from bumble.hci import Address

from terminal.line import LineState
from terminal.virtual_ble.backend import VirtualClient
from tests.terminal.bluetooth import (
    bench,
    client_of,
    numbered,
    said,
)

MTUS = (23, 185, 247, 517)


@pytest.mark.parametrize("mtu", MTUS)
async def test_fault_10_the_stream_goes_in_pieces_of_the_negotiated_size(
    mtu: int,
) -> None:
    stream = b"".join(numbered(100))
    async with bench(mtu=mtu) as room, room.running() as line:
        await room.user.until(lambda: room.user.opened)
        line.write(stream)
        room.end.write(stream)
        await room.box.until_received(len(stream))
        await room.user.until(lambda: len(room.user.data) == len(stream))
        assert room.box.data == stream
        assert room.user.data == stream


async def test_a_line_that_is_behind_asks_for_a_pause_and_then_has_room() -> None:
    stream = b"".join(numbered(100))
    async with bench(mtu=23) as room, room.running() as line:
        await room.user.until(lambda: room.user.opened)
        rooms = [line.has_room]
        line.write(stream)
        rooms.append(line.has_room)
        await room.user.until(lambda: room.user.rooms)
        rooms.append(line.has_room)
        assert rooms == [True, False, True]
        await room.box.until_received(len(stream))


async def test_fault_4_a_line_subscribes_again_at_each_connection() -> None:
    async with bench() as room, room.running() as line:
        for turn in range(1, 4):
            await room.user.until(lambda turn=turn: room.user.opened == turn)  # type: ignore[misc]
            room.end.write(b"%d" % turn)
            await room.user.until(lambda turn=turn: len(room.user.data) == turn)  # type: ignore[misc]
            room.lose_radio()
            await room.user.until(lambda turn=turn: len(room.user.lost) == turn)  # type: ignore[misc]
            assert line.state is not LineState.OPEN
    assert room.user.data == b"123"
    assert set(room.user.lost) == {"the Bluetooth connection was lost"}
    assert room.box.closed == 3


async def test_a_terminal_that_hangs_up_is_found_again() -> None:
    async with bench() as room, room.running():
        await room.user.until(lambda: room.user.opened == 1)
        room.end.hang_up()
        await room.user.until(lambda: room.user.lost)
        await room.end.open(room.box)
        await room.user.until(lambda: room.user.opened == 2)


async def test_a_daemon_that_stops_leaves_no_connection() -> None:
    async with bench() as room:
        async with room.running():
            await room.user.until(lambda: room.user.opened)
        assert room.adapter.connections == {}
        assert room.adapter.scans == 0
        await room.box.until_closed(1)


class _WithoutNotifications(VirtualClient):
    """The system has lost the subscription and does not know it."""

    async def start_notify(
        self,
        characteristic: BleakGATTCharacteristic,
        callback: NotifyCallback,
        **more: object,
    ) -> None:
        first = not _WithoutNotifications.seen
        _WithoutNotifications.seen = True
        await super().start_notify(
            characteristic, (lambda _: None) if first else callback, **more
        )

    seen = False


async def test_fault_4_a_lost_subscription_is_noticed_by_the_silence() -> None:
    async with bench(unanswered=0.1) as room:
        _WithoutNotifications.seen = False
        room.backend = client_of(room.adapter, _WithoutNotifications)
        async with room.running() as line:
            await room.user.until(lambda: room.user.opened == 1)
            room.end.write(b"unheard")
            line.write(b"ASK")
            line.write(b"ASK")
            await room.user.until(lambda: room.user.opened == 2)
            assert "no answer for 0.1 s" in room.user.lost[0]
            room.end.write(b"heard")
            await room.user.until(lambda: room.user.data == b"heard")


async def test_fault_1_and_9_a_connect_that_takes_too_long_is_cancelled() -> None:
    async with bench(connect=0.1) as room:
        controller = room.air.controller_of(room.adapter.device)
        address = Address(room.address)
        controller.unreachable.add(address)
        async with room.running():
            await room.user.until(lambda: len(room.user.lost) >= 2)
            assert "connecting: not done within 0.1 s" in room.user.lost[0]
            assert room.user.opened == 0
            controller.unreachable.clear()
            await room.user.until(lambda: room.user.opened)
            # No connection of an earlier attempt comes about later.
            assert len(room.adapter.connections) == 1
            assert len(room.box.data) == 0


async def test_fault_1_a_daemon_stopped_in_mid_connect_leaves_nothing() -> None:
    connecting = asyncio.Event()

    class Telling(VirtualClient):
        async def connect(self, pair: bool, **more: object) -> None:
            connecting.set()
            await super().connect(pair, **more)

    async with bench() as room:
        room.backend = client_of(room.adapter, Telling)
        controller = room.air.controller_of(room.adapter.device)
        controller.unreachable.add(Address(room.address))
        async with room.running():
            await connecting.wait()
        controller.unreachable.clear()
        async with room.running():
            await room.user.until(lambda: room.user.opened == 1)
        assert room.box.opened == 1


class _SlowSteps(VirtualClient):
    """Each step of a connect takes a while; together they take too long."""

    async def connect(self, pair: bool, **more: object) -> None:
        await super().connect(pair, **more)
        await asyncio.sleep(0.15)

    async def start_notify(
        self,
        characteristic: BleakGATTCharacteristic,
        callback: NotifyCallback,
        **more: object,
    ) -> None:
        await asyncio.sleep(0.15)
        await super().start_notify(characteristic, callback, **more)


async def test_fault_9_one_deadline_holds_for_all_steps_of_a_connect() -> None:
    async with bench(connect=0.2) as room:
        room.backend = client_of(room.adapter, _SlowSteps)
        async with room.running():
            await room.user.until(lambda: room.user.lost)
            assert "connecting: not done within 0.2 s" in room.user.lost[0]
            assert room.adapter.connections == {}, "nothing is left of the attempt"


async def test_fault_2_a_connection_left_by_a_killed_process_is_ended_first(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bench() as room:
        await room.adapter.connect(room.address)  # its process is killed: nobody has it
        async with room.running():
            await room.user.until(lambda: room.user.opened)
            room.end.write(b"here")
            await room.user.until(lambda: room.user.data == b"here")
        assert "ending a connection that was left behind" in said(
            caplog, logging.WARNING
        )


async def test_a_terminal_that_need_not_answer_keeps_its_connection() -> None:
    async with bench(unanswered=0.05) as room, room.running() as line:
        await room.user.until(lambda: room.user.opened == 1)
        for number in range(1, 4):
            line.write(b"REFUSED")
            await room.box.until_received(number * len(b"REFUSED"))
            await asyncio.sleep(0.06)  # more than it would be given for an answer
            room.end.write(b"HELLO")
            await room.user.until(lambda n=number: len(room.user.data) == n * 5)  # type: ignore[misc]
        assert room.user.opened == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [(2, 0), (0, 2)],
    ids=["where nothing is now", "where something else is now"],
)
async def test_fault_3_services_that_have_moved_are_discovered_anew(
    before: int, after: int
) -> None:
    async with bench(unanswered=0.1) as room:
        await room.install_firmware(services=before)
        async with room.running() as line:
            await room.user.until(lambda: room.user.opened == 1)
            remembered = room.adapter.remembered[room.address]
            await room.install_firmware(services=after)
            while not room.box.data:
                await room.user.until(lambda: line.state is LineState.OPEN)
                line.write(b"ASK")
                line.write(b"ASK")
                with contextlib.suppress(TimeoutError):
                    await room.box.until_received(1, seconds=0.2)
            room.end.write(b"moved")
            await room.user.until(lambda: room.user.data == b"moved")
            assert room.adapter.remembered[room.address] is not remembered


async def test_a_device_without_the_service_is_told() -> None:
    async with bench() as room:
        room.backend = client_of(room.adapter, _WithoutService)
        async with room.running():
            await room.user.until(lambda: room.user.lost)
            assert "6e400002" in room.user.lost[0]
            assert "not found" in room.user.lost[0]


class _WithoutService(VirtualClient):
    async def connect(self, pair: bool, **more: object) -> None:
        await super().connect(pair, **more)
        assert self.services is not None
        self.services.services.clear()


class _Stuck(VirtualClient):
    """A connection that never finishes disconnecting, and heeds no cancellation."""

    stuck = 0

    async def disconnect(self) -> None:
        if not _Stuck.stuck:
            _Stuck.stuck += 1
            with_nobody: asyncio.Future[None] = asyncio.Future()
            for _ in range(2):
                try:
                    await with_nobody
                except asyncio.CancelledError:
                    continue
        await super().disconnect()


async def test_fault_7_a_slot_stuck_in_disconnecting_is_given_up_at_a_deadline(
    caplog: pytest.LogCaptureFixture,
) -> None:
    _Stuck.stuck = 0
    async with bench(disconnect=0.05) as room:
        room.backend = client_of(room.adapter, _Stuck)
        async with room.running() as line:
            await room.user.until(lambda: room.user.opened == 1)
            line.let_go("refused")
            # The system still holds the connection; that of nobody is ended, too.
            await room.user.until(lambda: room.user.opened == 2)
    assert "not done within 0.05 s; its slot is given up" in said(caplog, logging.ERROR)


async def test_fault_11_what_is_lost_in_mid_burst_is_lost_without_a_word() -> None:
    """So numbers must find it; see the tests with a whole terminal."""
    stream = b"".join(numbered(500, 20))
    async with bench(mtu=23) as room, room.running():
        await room.user.until(lambda: room.user.opened == 1)
        room.end.write(stream)
        await room.user.until(lambda: len(room.user.data) > 1000)
        room.lose_radio()
        await room.user.until(lambda: room.user.opened == 2)
        assert stream.startswith(room.user.data)
        assert len(room.user.data) < len(stream)


class _NotTaken(VirtualClient):
    """The first write fails, in one way or another."""

    fails: Callable[[], Coroutine[None, None, None]] | None = None

    async def write_gatt_char(
        self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool
    ) -> None:
        fails, _NotTaken.fails = _NotTaken.fails, None
        if fails is not None:
            await fails()
        await super().write_gatt_char(characteristic, data, response)


async def hang() -> None:
    await asyncio.Event().wait()


async def break_off() -> None:
    raise BleakError("le-connection-abort-by-local")


async def end_as_some_backends_do_when_the_connection_is_lost() -> None:
    raise asyncio.CancelledError


async def tell_an_unknown_handle() -> None:
    raise BleakGATTProtocolError(0x01)


@pytest.mark.parametrize(
    ("fails", "said_then"),
    [
        (hang, "writing: not done within 0.1 s"),
        (break_off, "writing: le-connection-abort-by-local"),
        (end_as_some_backends_do_when_the_connection_is_lost, "writing: given up"),
        (tell_an_unknown_handle, "Invalid Handle"),
    ],
)
async def test_a_write_that_is_not_taken_ends_the_connection_and_no_more(
    fails: Callable[[], Coroutine[None, None, None]], said_then: str
) -> None:
    async with bench(write=0.1) as room:
        _NotTaken.fails = fails
        room.backend = client_of(room.adapter, _NotTaken)
        async with room.running() as line:
            await room.user.until(lambda: room.user.opened == 1)
            remembered = room.adapter.remembered[room.address]
            line.write(b"lost")
            await room.user.until(lambda: room.user.opened == 2)
            assert said_then in room.user.lost[0]
            line.write(b"taken")
            await room.box.until_received(5)
            assert room.box.data == b"taken"
            forgotten = room.adapter.remembered[room.address] is not remembered
            assert forgotten is (fails is tell_an_unknown_handle)


class _Hasty(VirtualClient):
    """Brings data before it says that the subscription is made."""

    async def start_notify(
        self,
        characteristic: BleakGATTCharacteristic,
        callback: NotifyCallback,
        **more: object,
    ) -> None:
        await super().start_notify(characteristic, callback, **more)
        callback(bytearray(b"early "))


async def test_what_comes_with_the_subscription_is_not_lost() -> None:
    async with bench() as room:
        room.backend = client_of(room.adapter, _Hasty)
        async with room.running():
            await room.user.until(lambda: room.user.opened)
            room.end.write(b"late")
            await room.user.until(lambda: room.user.data == b"early late")
