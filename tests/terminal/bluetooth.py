"""A virtual room with terminals, a daemon's radio, and what goes wrong in it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from broker.backoff import Backoff
from laws.seats import SEATS, Seat
from terminal.ble import Backend, Radio, Times
from terminal.line import Line
from terminal.settings import Security, TerminalSettings, bluetooth_address
from terminal.virtual_ble import Air, NusEnd, VirtualAdapter, backend_of
from terminal.virtual_ble.backend import VirtualClient, VirtualScanner
from tests.terminal.chain import name_of
from tests.terminal.devices import Recorder

QUICK = Times(
    find=2.0,
    connect=2.0,
    disconnect=0.2,
    call=1.0,
    write=1.0,
    unanswered=10.0,
    quiet=5.0,
)
"""Deadlines for a room that answers within milliseconds."""


def address_of(seat: Seat) -> str:
    return f"C0:00:00:00:01:{SEATS.index(seat):02X}"


def quick() -> Backoff:
    return Backoff(first=0.001, longest=0.02)


class Room:
    """A virtual room with a chain's terminals, and an adapter for each daemon."""

    def __init__(
        self, seats: Iterable[Seat], mtu: int = 247, *, paired: bool = False
    ) -> None:
        self.air = Air()
        self.ends = {
            name_of(s): NusEnd(self.air, address_of(s), mtu=mtu, paired=paired)
            for s in seats
        }
        self.adapters: list[VirtualAdapter] = []

    async def adapter(self) -> VirtualAdapter:
        """One more adapter."""
        number = len(self.adapters) + 1
        self.adapters.append(VirtualAdapter(self.air, f"C0:00:00:00:00:{number:02X}"))
        await self.adapters[-1].start()
        return self.adapters[-1]

    def lose_radio(self, seat: Seat) -> None:
        """A terminal is out of reach until its connection has timed out."""
        self.air.lose(self.ends[name_of(seat)].device)


class Box:
    """The terminal at the far end, which says what it is told to say."""

    def __init__(self) -> None:
        self.data = b""
        self.opened = 0
        self.closed = 0
        self._changed = asyncio.Event()

    def wire_opened(self) -> None:
        self.opened += 1
        self._notify()

    def wire_received(self, data: bytes) -> None:
        self.data += data
        self._notify()

    def wire_closed(self) -> None:
        self.closed += 1
        self._notify()

    async def until_received(self, size: int, *, seconds: float = 10) -> None:
        async with asyncio.timeout(seconds):
            while len(self.data) < size:
                await self._changed.wait()

    async def until_closed(self, times: int) -> None:
        async with asyncio.timeout(10):
            while self.closed < times:
                await self._changed.wait()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass
class Bench:
    """One terminal, one adapter, and a line of the daemon between them."""

    air: Air
    adapter: VirtualAdapter
    end: NusEnd
    box: Box
    backend: Backend
    times: Times = QUICK
    paired: bool = False
    user: Recorder = field(default_factory=Recorder)

    @property
    def settings(self) -> TerminalSettings:
        return TerminalSettings(
            id="t1-n",
            port=self.end.port,
            table="t1",
            seats=(Seat.NORTH,),
            security=Security.OPEN,
        )

    @property
    def address(self) -> str:
        return bluetooth_address(self.end.port)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Line]:
        """Run the radio and a line to the terminal."""
        self.radio = Radio([self.address], backend=self.backend, times=self.times)

        async def opener(
            _: TerminalSettings, protocol: asyncio.Protocol
        ) -> asyncio.Transport:
            return await self.radio.open(self.address, protocol, paired=self.paired)

        line = Line(self.settings, self.user, opener=opener, backoff=quick())
        tasks = [
            asyncio.create_task(self.radio.run()),
            asyncio.create_task(line.run()),
        ]
        try:
            yield line
        finally:
            for task in reversed(tasks):
                task.cancel()
                await asyncio.wait({task})
        for task in tasks:
            if not task.cancelled():
                task.result()

    async def install_firmware(self, *, services: int) -> None:
        """The terminal restarts, with its attributes elsewhere."""
        await self.end.close()
        keys = self.end.keys
        self.end = NusEnd(self.air, self.address, services=services, paired=self.paired)
        self.end.keys = keys
        await self.end.open(self.box)

    def lose_radio(self) -> None:
        """The terminal is out of reach until the connection has timed out."""
        self.air.lose(self.end.device)


@contextlib.asynccontextmanager
async def bench(
    *,
    mtu: int = 517,
    paired: bool = False,
    kind: type[NusEnd] = NusEnd,
    **times: float,
) -> AsyncIterator[Bench]:
    """A terminal at North that is switched on, and an adapter.

    Args:
        mtu: the greatest that the terminal grants.
        paired: whether terminal and daemon want an encrypted connection.
        kind: of the terminal's end.
        times: deadlines.
    """
    air = Air()
    adapter = VirtualAdapter(air)
    await adapter.start()
    end, box = kind(air, address_of(Seat.NORTH), mtu=mtu, paired=paired), Box()
    await end.open(box)
    deadlines = replace(QUICK, **times)
    made = Bench(air, adapter, end, box, backend_of(adapter), deadlines, paired)
    try:
        yield made
    finally:
        await made.end.close()
        await adapter.close()


def client_of(adapter: VirtualAdapter, kind: type[VirtualClient]) -> Backend:
    """A backend whose clients misbehave."""
    bound = type(kind.__name__, (kind,), {"adapter": adapter})
    return replace(backend_of(adapter), client=bound)


def scanner_of(adapter: VirtualAdapter, kind: type[VirtualScanner]) -> Backend:
    """A backend whose scanners misbehave."""
    bound = type(kind.__name__, (kind,), {"adapter": adapter})
    return replace(backend_of(adapter), scanner=bound)


def said(caplog: pytest.LogCaptureFixture, level: int) -> str:
    records = [r.getMessage() for r in caplog.records if r.levelno >= level]
    return "\n".join(text for text in records if "Task was" not in text)


def numbered(count: int, size: int = 100) -> Iterator[bytes]:
    """Blocks that tell by their content whether one is missing or out of order."""
    for number in range(count):
        yield f"{number:08}".encode().ljust(size, b".")
