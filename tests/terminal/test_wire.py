"""The terminal's end of its wire, and the faults on it."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
import serial

from terminal.simulator.settings import FaultKind
from terminal.simulator.wire import (
    NOISE_AFTER,
    NOISE_BEFORE,
    PENDING_MAX,
    PtyEnd,
    TcpEnd,
    Wire,
)

WAIT_SECONDS = 10.0


class User:
    """The terminal at the end."""

    def __init__(self) -> None:
        self.data = b""
        self.opened = 0
        self.closed = 0
        self._waiting: list[tuple[Callable[[], object], asyncio.Future[None]]] = []

    def wire_opened(self) -> None:
        self.opened += 1
        self._look()

    def wire_received(self, data: bytes) -> None:
        self.data += data
        self._look()

    def wire_closed(self) -> None:
        self.closed += 1
        self._look()

    async def until(self, condition: Callable[[], object]) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((condition, future))
        self._look()
        async with asyncio.timeout(WAIT_SECONDS):
            await future

    def _look(self) -> None:
        for condition, future in self._waiting:
            if not future.done() and condition():
                future.set_result(None)


class Loose:
    """An end that keeps what is written."""

    port = "loose"

    def __init__(self) -> None:
        self.written = b""

    async def open(self, user: object) -> None:
        self.user = user

    def write(self, data: bytes) -> None:
        self.written += data

    def hang_up(self) -> None:
        pass

    async def close(self) -> None:
        pass


@pytest_asyncio.fixture
async def pty_end(tmp_path: Path) -> AsyncIterator[PtyEnd]:
    end = PtyEnd(tmp_path / "t1-n")
    yield end
    await end.close()


async def test_a_pty_is_found_under_its_link(pty_end: PtyEnd) -> None:
    user = User()
    await pty_end.open(user)
    port = serial.Serial(pty_end.port, timeout=WAIT_SECONDS)
    port.write(b"\x00\x03\x11ask\xff")
    await user.until(lambda: len(user.data) == 7)
    assert user.data == b"\x00\x03\x11ask\xff"
    pty_end.write(b"\x00hello\x13")
    assert await asyncio.to_thread(port.read, 7) == b"\x00hello\x13"
    port.close()


async def test_hanging_up_ends_the_port_and_opening_moves_the_link(
    pty_end: PtyEnd,
) -> None:
    user = User()
    await pty_end.open(user)
    port = serial.Serial(pty_end.port, timeout=WAIT_SECONDS)
    pty_end.hang_up()
    assert user.closed == 1
    with pytest.raises(OSError, match=r"."):
        port.write(b"anyone?")
    port.close()
    await pty_end.open(user)
    port = serial.Serial(pty_end.port, timeout=WAIT_SECONDS)
    port.write(b"back")
    await user.until(lambda: user.data == b"back")
    port.close()


async def test_closing_removes_the_link(pty_end: PtyEnd) -> None:
    await pty_end.open(User())
    await pty_end.close()
    assert not Path(pty_end.port).is_symlink()  # noqa: ASYNC240 - a test


async def test_nobody_reading_loses_bytes_and_blocks_nothing(pty_end: PtyEnd) -> None:
    await pty_end.open(User())
    for _ in range(100):
        pty_end.write(b"x" * 1024)
    assert len(pty_end._pending) <= PENDING_MAX


async def test_a_tcp_port_serves_the_newest_connection() -> None:
    end, user = TcpEnd(0), User()
    await end.open(user)
    assert user.opened == 0
    host, number = end.port.removeprefix("socket://").split(":")
    _, first = await asyncio.open_connection(host, int(number))
    await user.until(lambda: user.opened == 1)
    reader, second = await asyncio.open_connection(host, int(number))
    await user.until(lambda: user.opened == 2)
    assert user.closed == 1
    second.write(b"ask")
    await user.until(lambda: user.data == b"ask")
    end.write(b"hello")
    assert await reader.readexactly(5) == b"hello"
    for writer in (first, second):
        writer.close()
    await user.until(lambda: user.closed == 2)
    await end.close()


class TestFaults:
    @pytest.fixture
    def end(self) -> Loose:
        return Loose()

    def wire(self, end: Loose, user: User | None = None) -> Wire:
        return Wire(end, user or User(), random.Random(3))  # noqa: S311 - a test

    @pytest.mark.parametrize(
        ("fault", "written"),
        [
            (FaultKind.DUPLICATE, b"framefra" + b"mebytes"),
            (FaultKind.NOISE, NOISE_BEFORE + b"frame" + NOISE_AFTER + b"bytes"),
            (FaultKind.RESET, b"fr" + b"bytes"),
        ],
    )
    def test_a_fault_strikes_the_next_bytes_and_no_others(
        self, end: Loose, fault: FaultKind, written: bytes
    ) -> None:
        wire = self.wire(end)
        wire.spoil_next(fault)
        wire.write(b"frame")
        wire.write(b"bytes")
        if fault is FaultKind.DUPLICATE:
            written = b"frameframebytes"
        assert end.written == written

    def test_bytes_are_dropped_and_corrupted_as_the_seed_says(self, end: Loose) -> None:
        wire = self.wire(end)
        wire.spoil_next(FaultKind.DROP)
        wire.write(b"0123456789")
        assert 6 <= len(end.written) <= 9
        dropped = len(end.written)
        wire.spoil_next(FaultKind.CORRUPT)
        wire.write(b"0123456789")
        corrupt = end.written[dropped:]
        assert sum(a != b for a, b in zip(corrupt, b"0123456789", strict=True)) == 1
        again = Loose()
        other = self.wire(again)
        for fault in (FaultKind.DROP, FaultKind.CORRUPT):
            other.spoil_next(fault)
            other.write(b"0123456789")
        assert again.written == end.written

    async def test_a_held_line_keeps_the_order_both_ways(self, end: Loose) -> None:
        user = User()
        wire = self.wire(end, user)
        wire.hold(0.05)
        for number in range(3):
            wire.write(b"%d" % number)
            wire.wire_received(b"%d" % number)
        assert (end.written, user.data) == (b"", b"")
        await user.until(lambda: user.data == b"012")
        assert end.written == b"012"
        wire.write(b"3")
        assert end.written == b"0123"

    async def test_what_is_held_is_lost_with_the_carrier(self, end: Loose) -> None:
        user = User()
        wire = self.wire(end, user)
        wire.hold(60)
        wire.write(b"gone")
        wire.wire_closed()
        wire.write(b"fresh")
        assert end.written == b"fresh"
        assert user.closed == 1
