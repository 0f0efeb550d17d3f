"""A line over Bluetooth LE: real bleak, on virtual controllers.

Faults known from the field are numbered: connects that time out (1), connections left
behind (2), stale caches (3), lost subscriptions (4), scanners gone silent (5), two
scans (6), slots that stay taken (7), two daemons (8, in `test_ble_chain`), a deadline
for each step only (9), long pieces (10), lost notifications (11).
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace

import pytest
from bleak.args import SizedBuffer
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import NotifyCallback
from bleak.exc import BleakError, BleakGATTProtocolError
from bumble.hci import Address

from terminal.ble import Radio
from terminal.line import LineState
from terminal.settings import bluetooth_address
from terminal.virtual_ble import NusEnd
from terminal.virtual_ble.backend import VirtualClient, VirtualScanner
from tests.terminal.bluetooth import (
    QUICK,
    Box,
    bench,
    client_of,
    numbered,
    scanner_of,
    until_told,
)

MTUS = (23, 185, 247, 517)


def said(caplog: pytest.LogCaptureFixture, level: int) -> str:
    records = [r.getMessage() for r in caplog.records if r.levelno >= level]
    return "\n".join(text for text in records if "Task was" not in text)


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


class _Silent(VirtualScanner):
    """A scan that hears nothing, as often as it is told to."""

    starts = 0
    silent_until = 0

    async def start(self) -> None:
        _Silent.starts += 1
        if _Silent.starts > _Silent.silent_until:
            await super().start()


@pytest.mark.parametrize("silent", [1, 5])
async def test_fault_5_a_silent_scan_is_started_again_and_then_told_as_degraded(
    silent: int, caplog: pytest.LogCaptureFixture
) -> None:
    _Silent.starts, _Silent.silent_until = 0, silent
    async with bench(quiet=0.1, find=0.3) as room:
        room.backend = scanner_of(room.adapter, _Silent)
        async with room.running():
            await room.user.until(lambda: room.user.opened)
            assert not room.radio.scanner.is_degraded
    told = said(caplog, logging.WARNING)
    assert "no terminal heard for 0 s; the scan is started again" in told
    assert ("degraded: no terminal heard" in told) is (silent > 1)
    if silent > 1:
        assert "Bluetooth hears nothing at all any more" in room.user.lost[0]
        assert "no longer degraded" in told


class _Counting(VirtualScanner):
    most = 0

    async def start(self) -> None:
        await super().start()
        _Counting.most = max(_Counting.most, self.adapter.scans)


class _NotWhileScanning(VirtualClient):
    async def connect(self, pair: bool, **more: object) -> None:
        if self.adapter.scans:
            raise BleakError("InProgress")
        await super().connect(pair, **more)


async def test_fault_6_one_scan_serves_all_lines_and_pauses_for_connects() -> None:
    _Counting.most = 0
    async with bench() as room:
        ends = [NusEnd(room.air, f"C0:00:00:00:02:{n:02X}") for n in range(4)]
        boxes = [Box() for _ in ends]
        for end, box in zip(ends, boxes, strict=True):
            await end.open(box)
        addresses = [bluetooth_address(end.port) for end in ends]
        backend = replace(
            scanner_of(room.adapter, _Counting),
            client=client_of(room.adapter, _NotWhileScanning).client,
        )
        radio = Radio(addresses, backend=backend, times=QUICK)
        running = asyncio.create_task(radio.run())
        opened = await asyncio.gather(
            *(radio.open(address, asyncio.Protocol()) for address in addresses)
        )
        assert len(room.adapter.connections) == len(ends)
        assert _Counting.most == 1
        assert room.adapter.scans == 0, "nobody is missing: nobody is looked for"
        for transport in opened:
            transport.abort()
        for end, box in zip(ends, boxes, strict=True):
            await box.until_closed(1)
            await end.close()
        running.cancel()
        await asyncio.wait({running})


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
            line.hang_up()
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


class _SlowConnect(VirtualClient):
    async def connect(self, pair: bool, **more: object) -> None:
        await asyncio.sleep(0.3)
        await super().connect(pair, **more)


async def test_a_terminal_is_not_called_unheard_while_the_scan_pauses() -> None:
    async with bench(find=0.2) as room:
        other, box = NusEnd(room.air, "C0:00:00:00:02:00"), Box()
        await other.open(box)
        backend = client_of(room.adapter, _SlowConnect)
        addresses = [room.address, "C0:00:00:00:02:00"]
        radio = Radio(addresses, backend=backend, times=room.times)
        running = asyncio.create_task(radio.run())
        one, two = (radio.open(address, asyncio.Protocol()) for address in addresses)
        for transport in await asyncio.gather(one, two):
            transport.abort()
        await box.until_closed(1)
        running.cancel()
        await asyncio.wait({running})
        await other.close()


async def test_a_terminal_that_is_not_there_is_told_and_waited_for() -> None:
    async with bench(find=0.05) as room:
        room.end.hang_up()
        async with room.running():
            await room.user.until(lambda: len(room.user.lost) >= 2)
            assert room.user.lost[0] == (
                f"{room.end.port}: not heard; is the terminal switched on and near?"
            )
            await room.end.open(room.box)
            await room.user.until(lambda: room.user.opened)


class _NoBluetooth(VirtualScanner):
    attempts = 0

    async def start(self) -> None:
        _NoBluetooth.attempts += 1
        if _NoBluetooth.attempts == 1:
            raise FileNotFoundError(2, "No such file or directory")
        await super().start()


async def test_a_machine_without_bluetooth_is_told_and_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    _NoBluetooth.attempts = 0
    async with bench() as room:
        room.backend = scanner_of(room.adapter, _NoBluetooth)
        async with room.running():
            await room.user.until(lambda: room.user.opened)
    told = "Bluetooth cannot scan: [Errno 2] No such file or directory; are BlueZ"
    assert room.user.lost[0].startswith(told)
    assert told in said(caplog, logging.ERROR)


async def test_a_terminal_that_no_settings_name_is_told_once_and_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    told = until_told("C0:00:00:00:09:09 (Else) is near")
    async with bench() as room:
        stranger, other = NusEnd(room.air, "C0:00:00:00:09:09", name="Else"), Box()
        room.end.hang_up()
        await stranger.open(other)
        async with room.running():
            await told.wait()
            await room.end.open(room.box)
            await room.user.until(lambda: room.user.opened)
        assert other.opened == 0
        await stranger.close()
    assert said(caplog, logging.INFO).count("stands in no settings") == 1
