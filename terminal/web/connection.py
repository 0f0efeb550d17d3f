"""One WebSocket of a web terminal: bytes in and out, and a transport on top of it."""

import asyncio
import contextlib
from collections import deque
from enum import IntEnum
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from terminal.pausing import PausingTransport
from terminal.ports import PortError

IDLE_S = 15.0
"""A connection on which nothing has come for so long is closed (F18)."""

GOODBYE_S = 1.0
"""Seconds for saying goodbye to a far end that may be gone."""


class CloseCode(IntEnum):
    """Why the daemon closes a WebSocket, for the page (F18)."""

    STOPPED = 1001
    REPLACED = 4001
    REFUSED = 4403
    NO_SUCH_TERMINAL = 4404
    SILENT = 4408
    TOO_MANY_FAILURES = 4429


class ConnectionEnded(Exception):  # noqa: N818 - no error
    """There is nothing more to be read."""


class Connection:
    """An accepted WebSocket.

    ``run`` reads it until it ends; whoever has it takes what comes by ``next_bytes``
    while it joins, and as a transport afterwards.

    Args:
        socket: accepted already.
        address: of the far end, for people.
    """

    def __init__(self, socket: WebSocket, address: str) -> None:
        self.address = address
        self._socket = socket
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.Future[tuple[CloseCode, str]] = (
            self._loop.create_future()
        )
        self._out: deque[bytes | str] = deque()
        self._has_out = asyncio.Event()
        self._transport: WebTransport | None = None

    @property
    def is_open(self) -> bool:
        """Whether it has not been closed by either side."""
        return not self._closing.done()

    def close(self, code: CloseCode, reason: str) -> None:
        """Close it, after what is to be sent before that."""
        if not self._closing.done():
            self._closing.set_result((code, reason))

    def send(self, content: bytes | str) -> None:
        """Send a binary message, or a text beside the stream (F17)."""
        if content:
            self._out.append(content)
            self._has_out.set()

    async def next_bytes(self) -> bytes:
        """What comes next of the stream.

        Raises:
            ConnectionEnded: nothing more comes.
        """
        while True:
            try:
                message = await self._socket.receive()
            except (WebSocketDisconnect, RuntimeError):
                raise ConnectionEnded from None
            if message["type"] != "websocket.receive":
                raise ConnectionEnded
            data: bytes | None = message.get("bytes")
            if data:
                return data

    def attach(self, protocol: asyncio.Protocol) -> "WebTransport":
        """Make it a transport of a protocol, which is told so at once."""
        self._transport = WebTransport(self, protocol)
        protocol.connection_made(self._transport)
        return self._transport

    async def run(self) -> None:
        """Read until either side ends it."""
        reading = asyncio.create_task(self._read())
        try:
            await _first_of(reading, self._closing)
        finally:
            reading.cancel()
            self.close(CloseCode.STOPPED, "the tablet has gone")
            if self._transport is not None:
                self._transport.lost(self._closing.result()[1])

    async def _read(self) -> None:
        try:
            while True:
                async with asyncio.timeout(IDLE_S):
                    data = await self.next_bytes()
                if self._transport is not None:
                    self._transport.received(data)
        except TimeoutError:
            self.close(CloseCode.SILENT, f"nothing came for {IDLE_S:.0f} s")
        except ConnectionEnded:
            pass

    async def write(self) -> None:
        """Send what there is to send until it is closed, then say why."""
        try:
            while self.is_open or self._out:
                while self._out:
                    await self._write_one(self._out.popleft())
                self._has_out.clear()
                more = asyncio.ensure_future(self._has_out.wait())
                await _first_of(more, self._closing)
                more.cancel()
        except (WebSocketDisconnect, RuntimeError):
            self.close(CloseCode.STOPPED, "the tablet has gone")
        code, reason = self._closing.result()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(GOODBYE_S):
                await self._socket.close(code, reason)

    async def _write_one(self, content: bytes | str) -> None:
        if isinstance(content, str):
            await self._socket.send_text(content)
            return
        await self._socket.send_bytes(content)
        if self._transport is not None:
            self._transport.written(len(content))


async def _first_of(*futures: asyncio.Future[Any]) -> None:
    """Wait until one of them is done."""
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)


class WebTransport(PausingTransport):
    """A connection as asyncio's protocols know one."""

    def __init__(self, connection: Connection, protocol: asyncio.Protocol) -> None:
        super().__init__(protocol)
        self._connection = connection

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send data, as one message."""
        if self._is_closing or not data:
            return
        self._connection.send(bytes(data))
        self._goes(len(data))

    def written(self, size: int) -> None:
        """So many bytes have gone out."""
        # What was sent while the tablet joined was not counted.
        self._went(min(size, self._waiting))

    def received(self, data: bytes) -> None:
        """Bytes came."""
        if not self._is_closing:
            self._protocol.data_received(data)

    def abort(self) -> None:
        """Close the connection; ``connection_lost`` follows."""
        self._connection.close(CloseCode.STOPPED, "the daemon closes it")
        self.lost("the daemon closed it")

    def lost(self, reason: str) -> None:
        """The connection has ended."""
        if self._is_closing:
            return
        self._is_closing = True
        loop = asyncio.get_running_loop()
        loop.call_soon(self._protocol.connection_lost, PortError(reason))
