"""The terminal's end of its wire: a pty or a TCP port, and what goes wrong on it."""

import asyncio
import contextlib
import os
import pty
import tty
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Protocol

from terminal.simulator.settings import FaultKind

PENDING_MAX = 16_384
"""Bytes kept while nobody reads at the far end; more are lost, as on a real line."""

READ_SIZE = 4096

NOISE_BEFORE = b"\r\nrst:0x1 (POWERON_RESET)\r\nI (27) boot: ready\r\n"
"""Boot text, as a terminal's chip prints it."""

NOISE_AFTER = b"AT\r\nAT+CGMI\r\n"
"""A modem probe, echoed back."""


class WireUser(Protocol):
    """The terminal at the end of a wire; called on the event loop."""

    def wire_opened(self) -> None:
        """There is a carrier."""

    def wire_received(self, data: bytes) -> None:
        """Bytes came in."""

    def wire_closed(self) -> None:
        """The carrier is gone."""


class FarEnd(Protocol):
    """Where a daemon can reach a terminal."""

    @property
    def port(self) -> str:
        """What the daemon's settings call it."""

    async def open(self, user: WireUser) -> None:
        """Be there."""

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody takes is lost."""

    def hang_up(self) -> None:
        """Be gone, for the daemon to notice."""

    async def close(self) -> None:
        """Be gone for good."""


class PtyEnd:
    """The controlling side of a pty, found under a link of a fixed name."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._fds: tuple[int, int] | None = None
        self._pending = bytearray()
        self._user: WireUser | None = None

    @property
    def port(self) -> str:
        """The path of the link."""
        return str(self._link)

    async def open(self, user: WireUser) -> None:
        """Make a pty and point the link at it."""
        self._user = user
        controller, device = pty.openpty()
        # The device stays open here: without it reading fails while no daemon is.
        self._fds = (controller, device)
        tty.setraw(device)
        os.set_blocking(controller, False)
        self._pending.clear()
        self._point_at(os.ttyname(device))
        asyncio.get_running_loop().add_reader(controller, self._readable)
        user.wire_opened()

    def write(self, data: bytes) -> None:
        """Send bytes; what nobody takes is lost once ``PENDING_MAX`` wait."""
        if self._fds is None:
            return
        self._pending += data[: PENDING_MAX - len(self._pending)]
        self._writable()

    def hang_up(self) -> None:
        """Close the pty: the daemon's port hangs up.

        Its link goes first, as udev removes one: the device's name is soon another's.
        """
        self._link.unlink(missing_ok=True)
        if self._fds is None:
            return
        loop = asyncio.get_running_loop()
        controller, device = self._fds
        self._fds = None
        loop.remove_reader(controller)
        loop.remove_writer(controller)
        os.close(controller)
        os.close(device)
        if self._user is not None:
            self._user.wire_closed()

    async def close(self) -> None:
        """Close the pty and remove its link."""
        self.hang_up()

    def _point_at(self, device: str) -> None:
        new = self._link.with_name(self._link.name + ".new")
        new.unlink(missing_ok=True)
        new.symlink_to(device)
        new.replace(self._link)

    def _readable(self) -> None:
        if self._fds is None or self._user is None:
            return
        try:
            data = os.read(self._fds[0], READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        self._user.wire_received(data)

    def _writable(self) -> None:
        if self._fds is None:
            return
        controller = self._fds[0]
        loop = asyncio.get_running_loop()
        with contextlib.suppress(BlockingIOError, InterruptedError):
            del self._pending[: os.write(controller, self._pending)]
        if self._pending:
            loop.add_writer(controller, self._writable)
        else:
            loop.remove_writer(controller)


class TcpEnd:
    """A listener on loopback: for ``socket://``."""

    def __init__(self, port: int) -> None:
        """Listen on this port; 0 takes a free one."""
        self._number = port
        self._server: asyncio.Server | None = None
        self._transport: asyncio.Transport | None = None
        self._user: WireUser | None = None

    @property
    def port(self) -> str:
        """The pyserial URL."""
        return f"socket://127.0.0.1:{self._number}"

    async def open(self, user: WireUser) -> None:
        """Listen; the carrier is there while a daemon is connected."""
        self._user = user
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _TcpProtocol(self), "127.0.0.1", self._number
        )
        self._number = self._server.sockets[0].getsockname()[1]

    def write(self, data: bytes) -> None:
        """Send bytes, if a daemon is there and takes them."""
        transport = self._transport
        if transport is not None and transport.get_write_buffer_size() < PENDING_MAX:
            transport.write(data)

    def hang_up(self) -> None:
        """End the connection and listen no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._transport is not None:
            self._transport.abort()

    async def close(self) -> None:
        """End the connection and the listener."""
        self.hang_up()

    def connected(self, transport: asyncio.Transport) -> None:
        """A daemon has connected; the one before it is cut off."""
        if self._transport is not None:
            self._transport.abort()
            self._lose()
        self._transport = transport
        if self._user is not None:
            self._user.wire_opened()

    def received(self, transport: asyncio.Transport, data: bytes) -> None:
        """Bytes came on a connection."""
        if transport is self._transport and self._user is not None:
            self._user.wire_received(data)

    def lost(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        if transport is self._transport:
            self._lose()

    def _lose(self) -> None:
        self._transport = None
        if self._user is not None:
            self._user.wire_closed()


class _TcpProtocol(asyncio.Protocol):
    def __init__(self, end: TcpEnd) -> None:
        self._end = end

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]  # TCP
        self._end.connected(self._transport)

    def data_received(self, data: bytes) -> None:
        self._end.received(self._transport, data)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._end.lost(self._transport)


class Wire:
    """A far end with faults on demand between it and the terminal."""

    def __init__(self, end: FarEnd, user: WireUser, random: Random) -> None:
        """Put faults between ``end`` and ``user``.

        Args:
            end: where the daemon is.
            user: the terminal.
            random: chooses the bytes that a fault spoils.
        """
        self._end = end
        self._user = user
        self._random = random
        self._spoil: list[FaultKind] = []
        self._held: list[Callable[[], None]] | None = None
        self._release: asyncio.TimerHandle | None = None

    @property
    def port(self) -> str:
        """What the daemon's settings call it."""
        return self._end.port

    async def open(self) -> None:
        """Be there."""
        await self._end.open(self)

    def hang_up(self) -> None:
        """Be gone, for the daemon to notice."""
        self._drop_held()
        self._end.hang_up()

    async def close(self) -> None:
        """Be gone for good."""
        self._drop_held()
        await self._end.close()

    def hold(self, seconds: float) -> None:
        """Hold bytes up in both directions, from now on for so long."""
        if self._held is None:
            self._held = []
        if self._release is not None:
            self._release.cancel()
        loop = asyncio.get_running_loop()
        self._release = loop.call_later(seconds, self._let_go)

    def spoil_next(self, fault: FaultKind) -> None:
        """Let a fault strike the next bytes that are written."""
        self._spoil.append(fault)

    def write(self, data: bytes) -> None:
        """Send bytes of the terminal."""
        spoil, self._spoil = self._spoil, []
        for fault in spoil:
            data = self._spoiled(data, fault)
        self._carry(lambda: self._end.write(data))

    def wire_opened(self) -> None:
        """The far end has a carrier."""
        self._user.wire_opened()

    def wire_received(self, data: bytes) -> None:
        """Bytes came from the daemon."""
        self._carry(lambda: self._user.wire_received(data))

    def wire_closed(self) -> None:
        """The far end has lost its carrier."""
        self._drop_held()
        self._user.wire_closed()

    def _carry(self, action: Callable[[], None]) -> None:
        if self._held is None:
            action()
        else:
            self._held.append(action)

    def _let_go(self) -> None:
        held, self._held = self._held, None
        self._release = None
        for action in held or ():
            action()

    def _drop_held(self) -> None:
        self._held = None
        if self._release is not None:
            self._release.cancel()
            self._release = None

    def _spoiled(self, data: bytes, fault: FaultKind) -> bytes:
        if not data:
            return data
        random = self._random
        place = random.randrange(len(data))
        match fault:
            case FaultKind.DUPLICATE:
                data += data
            case FaultKind.DROP:
                data = data[:place] + data[place + random.randint(1, 4) :]
            case FaultKind.CORRUPT:
                changed = bytes([data[place] ^ random.randint(1, 255)])
                data = data[:place] + changed + data[place + 1 :]
            case FaultKind.NOISE:
                data = NOISE_BEFORE + data + NOISE_AFTER
            case FaultKind.RESET:
                data = data[: len(data) // 2]
            case FaultKind.HOLD | FaultKind.UNPLUG:
                pass  # they strike the wire, not its bytes
        return data
