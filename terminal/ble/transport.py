"""A connection as an asyncio transport: pieces that fit, and pauses when it is full."""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from terminal.ble.backend import BluetoothError
from terminal.ble.connection import Connection, StaleCacheError
from terminal.ble.times import Times
from terminal.pausing import PausingTransport
from terminal.ports import PortError

logger = logging.getLogger(__name__)

LOST = "the Bluetooth connection was lost"
"""Why a line closes when its connection ends."""


class BleTransport(PausingTransport):
    """One connection that is open, until it is lost or closed.

    Args:
        protocol: is told of data, of room for more, and of the end.
        times: all deadlines.
        on_closed: is called when the connection has been released.
    """

    def __init__(
        self, protocol: asyncio.Protocol, times: Times, on_closed: Callable[[], None]
    ) -> None:
        super().__init__(protocol)
        self._times = times
        self._on_closed = on_closed
        self._loop = asyncio.get_running_loop()
        self._connection: Connection | None = None
        self._early = bytearray()
        self._out = bytearray()
        self._sending: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._overdue: asyncio.TimerHandle | None = None
        self._has_heard = False
        self._written = 0

    def begin(self, connection: Connection) -> None:
        """The connection is open and subscribed."""
        self._connection = connection
        self._protocol.connection_made(self)
        early, self._early = bytes(self._early), bytearray()
        if early:
            self.received(early)
        if not connection.is_open:
            self.lost()

    # -- the connection calls these -------------------------------------------------

    def received(self, data: bytes) -> None:
        """The terminal has notified these bytes."""
        if self._connection is None:
            self._early += data
            return
        self._has_heard = True
        self._written = 0
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None
        if not self._is_closing:
            self._protocol.data_received(data)

    def lost(self) -> None:
        """The connection has ended."""
        if self._connection is not None:
            self._end(PortError(LOST))

    # -- the line calls these -------------------------------------------------------

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes, piece by piece."""
        if self._is_closing:
            return
        self._out += data
        self._goes(len(data))
        if self._sending is None and self._out:
            self._sending = self._loop.create_task(self._send(), name="BLE writing")
        self._written += 1
        if self._overdue is None:
            self._overdue = self._loop.call_later(
                self._times.unanswered, self._end_unanswered
            )

    def abort(self) -> None:
        """Release the connection now; ``connection_lost`` follows."""
        self._end(None)

    # -- inside ---------------------------------------------------------------------

    async def _send(self) -> None:
        connection = self._connection
        assert connection is not None  # noqa: S101 - the protocol knows us since begin
        try:
            while self._out:
                piece = bytes(self._out[: connection.size])
                await connection.write(piece)
                del self._out[: len(piece)]
                self._went(len(piece))
        except BluetoothError as error:
            self._end(error)
            return
        finally:
            self._sending = None

    def _end_unanswered(self) -> None:
        self._overdue = None
        if self._written < 2:
            return
        # The subscription may be lost while the connection is not, or the system may
        # not have noticed that the terminal is gone. If nothing was heard at all, what
        # was subscribed to may be something else by now.
        kind = PortError if self._has_heard else StaleCacheError
        seconds = self._times.unanswered
        self._end(kind(f"no answer for {seconds:g} s; connecting anew"))

    def _end(self, error: PortError | None) -> None:
        if self._is_closing:
            return
        self._is_closing = True
        if self._overdue is not None:
            self._overdue.cancel()
        self._ending = self._loop.create_task(self._release(error), name="BLE release")

    async def _release(self, error: PortError | None) -> None:
        connection, sending = self._connection, self._sending
        assert connection is not None  # noqa: S101 - nothing ends before it began
        if sending is not None:
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({sending})
        if isinstance(error, StaleCacheError):
            await connection.forget()
        await connection.close()
        self._on_closed()
        self._protocol.connection_lost(error)
