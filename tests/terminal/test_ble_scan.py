"""The one scan of an adapter: who is heard, who is not, and what if nobody is."""

import asyncio
import logging
from dataclasses import replace

import pytest
from bleak.exc import BleakError

from terminal.ble import Radio
from terminal.settings import bluetooth_address
from terminal.virtual_ble import NusEnd
from terminal.virtual_ble.backend import VirtualClient, VirtualScanner
from tests.terminal.bluetooth import (
    QUICK,
    Box,
    bench,
    client_of,
    said,
    scanner_of,
)
from tests.told import until_told


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
    told = until_told("C0:00:00:00:09:09 (Else) is near", "terminal")
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
