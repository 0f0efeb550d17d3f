"""Faults of processes: killed, cut off, out of disk, or with a clock that jumps.

What a fault does to the machinery stands here; when it strikes is drawn with the plan.
"""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Protocol, Self

import msgspec

from bidwire.children import Child
from bidwire.records.plan import Kind
from broker import BrokerSettings
from protocol.topics import Role

FULL_SECONDS = 1.5
"""How long the referee's disk is full."""

JUMPS_S = (-86_400, -3_600, 3_600, 86_400 * 365)
"""By how much the wall clock jumps: a summer time wrongly set, a clock without NTP."""

NO_CLOCK = "libfaketime is not installed (Debian: faketime)"
"""Why no clock can jump here."""

_DEBIAN = Path("/usr/lib")
_FAKETIME = "*/faketime/libfaketimeMT.so.1"
"""Where Debian's package puts the library for programs with threads; the folder before
it is the machine's architecture."""


class ChainBroker(Protocol):
    """A broker that serves a chain."""

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        """Address and credentials of a user."""
        ...

    async def kill(self) -> None:
        """End it with SIGKILL and wait until it serves again."""


OpenBroker = Callable[[Path], AbstractAsyncContextManager[ChainBroker]]
"""Opens a broker, whose files may go to a folder of its own."""


class CutBroker:
    """A broker behind a relay of bytes, whose connections can be cut.

    It relays within its ``with`` block.
    """

    def __init__(self, broker: ChainBroker) -> None:
        self._broker = broker
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        """The broker's own, but for the port."""
        assert self._server is not None  # noqa: S101 - it relays
        port = self._server.sockets[0].getsockname()[1]
        return msgspec.structs.replace(self._broker.settings(role, daemon), port=port)

    async def kill(self) -> None:
        """End the broker with SIGKILL and wait until it serves again."""
        await self._broker.kill()

    async def cut(self) -> None:
        """Break every connection, as a switch that is unplugged does."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def __aenter__(self) -> Self:
        """Begin to relay."""
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Break every connection and take no other."""
        assert self._server is not None  # noqa: S101 - it relays
        self._server.close()
        await self.cut()

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        inner = self._broker.settings(Role.DIRECTOR)
        ends = {writer}
        self._writers |= ends
        try:
            there = await asyncio.open_connection(inner.host, inner.port)
            ends.add(there[1])
            self._writers |= ends
            async with asyncio.TaskGroup() as both:
                both.create_task(_pass_on(reader, there[1]))
                both.create_task(_pass_on(there[0], writer))
        except OSError:
            writer.transport.abort()
        finally:
            self._writers -= ends


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


def cut_off(open_broker: OpenBroker) -> OpenBroker:
    """The same broker, behind a relay that can cut it off."""

    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[ChainBroker]:
        async with open_broker(folder) as broker, CutBroker(broker) as cuttable:
            yield cuttable

    return opened


@dataclass(frozen=True, slots=True)
class FakeClock:
    """A wall clock that jumps, for the processes started with ``environment``.

    The monotonic clock stays right, as it does where NTP sets the time.
    """

    library: Path
    file: Path

    @staticmethod
    def library_here() -> Path | None:
        """Libfaketime of Debian's package ``faketime``; None where that is not."""
        return min(_DEBIAN.glob(_FAKETIME), default=None)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process must be started with."""
        return {
            "LD_PRELOAD": str(self.library),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            # Else no wait for Python's lock ends but at once, and each thread spins.
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
            "NO_FAKE_STAT": "1",
        }

    def jump(self, seconds: int) -> None:
        """Be so far from the true time from now on."""
        # Who reads it meanwhile must find it whole.
        fresh = self.file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n", encoding="ascii")
        fresh.replace(self.file)


@dataclass(frozen=True, slots=True)
class Victims:
    """What can be struck.

    Attributes:
        broker: a ``CutBroker`` where it is to be cut off.
        clock: of referee and daemon; None where no clock can jump, and none does.
        chance: by how much the clock jumps.
    """

    broker: ChainBroker
    referee: Child
    daemon: Child
    clock: FakeClock | None = None
    chance: Random = field(default_factory=Random)

    async def strike(self, kind: Kind) -> None:
        """Let a fault of processes strike now; returns when it is over."""
        await self._blows[kind]()

    @property
    def _blows(self) -> Mapping[Kind, Callable[[], Awaitable[None]]]:
        return {
            Kind.KILL_REFEREE: self.referee.kill,
            Kind.KILL_DAEMON: self.daemon.kill,
            Kind.KILL_BROKER: self.broker.kill,
            Kind.CUT_BROKER: self._cut,
            Kind.FULL_DISK: self._fill_disk,
            Kind.CLOCK_JUMP: self._jump,
        }

    async def _cut(self) -> None:
        # A fault that is counted and does not strike would prove nothing.
        assert isinstance(self.broker, CutBroker)  # noqa: S101 - see ``Chain.play``
        await self.broker.cut()

    async def _fill_disk(self) -> None:
        """No file of the referee can be written for a while."""
        pid = await self.referee.pid_when_up()
        with contextlib.suppress(ProcessLookupError):
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, hard))
            await asyncio.sleep(FULL_SECONDS)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))

    async def _jump(self) -> None:
        if self.clock is not None:
            self.clock.jump(self.chance.choice(JUMPS_S))
