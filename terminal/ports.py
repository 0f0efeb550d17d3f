"""Opens the ports that terminals hang on, all of them as asyncio transports.

Devices go through pyserial on the event loop, ``socket://`` through asyncio itself, and
``rfc2217://`` through pyserial in threads, since its Telnet negotiation blocks.
"""

import asyncio
import contextlib
import errno
import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import serial
from serial_asyncio_fast import connection_for_serial

from terminal.pausing import PausingTransport
from terminal.settings import BAUDRATE, Level, TerminalSettings, is_url

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

logger = logging.getLogger(__name__)

OPEN_SECONDS = 10.0
"""For one attempt to open a port: name look-up, TCP, Telnet negotiation."""

READ_TIMEOUT = 0.5
"""Seconds after which the reader of an RFC 2217 port looks whether it has to stop."""


class PortError(OSError):
    """A port that cannot be opened: says which one, and why."""


class PortRefusedError(PortError):
    """A port at which somebody is who does not belong there."""


async def open_port(
    settings: TerminalSettings, protocol: asyncio.Protocol
) -> asyncio.Transport:
    """Open a terminal's port and tie it to ``protocol``.

    The name is resolved anew each time, so that a by-id path finds a terminal that has
    been plugged in again. What a device sent before is flushed.

    Args:
        settings: port, speed and control lines.
        protocol: is told of data and of the loss of the port.

    Raises:
        PortError: it cannot be opened now.
    """
    try:
        async with asyncio.timeout(OPEN_SECONDS):
            return await _open(settings, protocol)
    except TimeoutError:
        raise PortError(
            f"{settings.port}: does not open within {OPEN_SECONDS:.0f} s"
        ) from None
    except (OSError, ValueError) as error:  # SerialException is an OSError
        raise PortError(_why(settings.port, error)) from error


async def _open(
    settings: TerminalSettings, protocol: asyncio.Protocol
) -> asyncio.Transport:
    loop = asyncio.get_running_loop()
    if not is_url(settings.port):
        device = await _in_thread_or_closed(_device(settings))
        transport, _ = await connection_for_serial(loop, lambda: protocol, device)
        return cast("asyncio.Transport", transport)
    url = urlsplit(settings.port)
    if url.scheme == "socket":
        connected, _ = await loop.create_connection(
            lambda: protocol, url.hostname or "", url.port or 0
        )
        return connected
    remote = serial.serial_for_url(settings.port, do_not_open=True)
    _apply(settings, remote)
    remote.timeout = READ_TIMEOUT
    return ThreadedTransport(loop, protocol, await _in_thread_or_closed(remote))


class _Device(serial.Serial):
    """A device whose writing never waits.

    pyserial 3.5 tries again without a pause while a device takes nothing, which would
    stop the event loop, and with it every other terminal, until this one reads.
    """

    def write(self, b: "ReadableBuffer", /) -> int:
        """Write what fits now.

        Raises:
            BlockingIOError: nothing fits.
            serial.SerialException: the device is gone.
        """
        if self.fd is None:
            raise serial.PortNotOpenError
        try:
            return os.write(self.fd, b)
        except (BlockingIOError, InterruptedError):
            raise
        except OSError as error:
            raise serial.SerialException(f"write failed: {error}") from error


def _device(settings: TerminalSettings) -> serial.Serial:
    device = _Device()
    device.port = settings.port
    device.exclusive = True
    _apply(settings, device)
    return device


def _apply(settings: TerminalSettings, port: serial.Serial) -> None:
    port.baudrate = settings.baudrate or BAUDRATE
    # Set before the port is opened, so that opening applies them; ports without
    # these lines, such as a pty, are opened all the same.
    if settings.dtr is not Level.LEAVE:
        port.dtr = settings.dtr is Level.ON
    if settings.rts is not Level.LEAVE:
        port.rts = settings.rts is Level.ON


async def _in_thread_or_closed(port: serial.Serial) -> serial.Serial:
    """Open in a thread; a port that opens after we were cancelled is closed again."""
    opening = asyncio.ensure_future(asyncio.to_thread(port.open))
    try:
        await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(lambda done: _close_late(done, port))
        raise
    return port


def _close_late(opening: "asyncio.Future[None]", port: serial.Serial) -> None:
    if not opening.cancelled() and opening.exception() is None:
        port.close()


def _why(port: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"{port}: in use by another process; a port serves one daemon"
    if number == errno.ENOENT:
        return f"{port}: no such device; is the terminal plugged in?"
    if number == errno.EACCES:
        return f"{port}: may not be opened by this user; is it in group dialout?"
    return f"{port}: cannot be opened: {error}"


class ThreadedTransport(PausingTransport):
    """A blocking pyserial port as an asyncio transport: a thread for each direction."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        protocol: asyncio.Protocol,
        port: serial.Serial,
    ) -> None:
        """Start reading from an open port."""
        super().__init__(protocol)
        self._loop = loop
        self._port = port
        self._writer = ThreadPoolExecutor(1, thread_name_prefix=f"write {port.name}")
        loop.call_soon(protocol.connection_made, self)
        threading.Thread(
            target=self._read, name=f"read {port.name}", daemon=True
        ).start()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hand data to the writing thread."""
        if self._is_closing:
            return
        content = bytes(data)
        self._goes(len(content))
        written = self._loop.run_in_executor(self._writer, self._port.write, content)
        written.add_done_callback(lambda done: self._written(len(content), done))

    def abort(self) -> None:
        """Close the port now; ``connection_lost`` follows."""
        self._close(None)

    def _written(self, size: int, written: "asyncio.Future[int | None]") -> None:
        error = written.exception()
        if error is not None:
            self._close(error)
        self._went(size)

    def _close(self, error: BaseException | None) -> None:
        if self._is_closing:
            return
        self._is_closing = True
        closing = self._loop.run_in_executor(None, self._port.close)
        closing.add_done_callback(lambda _: self._closed(error))

    def _closed(self, error: BaseException | None) -> None:
        self._writer.shutdown(wait=False, cancel_futures=True)
        self._protocol.connection_lost(error if isinstance(error, Exception) else None)

    def _read(self) -> None:
        """Read until the port is closed; runs in a thread of its own."""
        error: Exception | None = None
        while not self._is_closing:
            try:
                data = self._port.read(max(1, self._port.in_waiting))
            except (OSError, TypeError) as failure:
                # TypeError: pyserial closed the socket under our feet.
                error = failure
                break
            if data:
                self._hop(self._received, data)
        self._hop(self._close, error)

    def _received(self, data: bytes) -> None:
        if not self._is_closing:
            self._protocol.data_received(data)

    def _hop(self, function: object, argument: object) -> None:
        # The loop may be closed already while this thread ends.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, argument)  # type: ignore[arg-type]  # both are ours
