"""A broker that takes its time with subscriptions, or refuses them, when it is told to.

A real one does so while its cluster elects a leader, which no test can bring about at
the right moment.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator

from broker import BrokerSettings

CONNACK = bytes((0x20, 2, 0, 0))

PINGRESP = bytes((0xD0, 0))

GRANTED, REFUSED = 1, 0x80


class SlowBroker:
    """It listens within ``open``.

    Attributes:
        answers: to the subscriptions that come, each when its future is done;
            without one they are granted at once.
        connections: that have been accepted.
    """

    def __init__(self) -> None:
        self.answers: deque[asyncio.Future[int]] = deque()
        self.connections = 0
        self._port = 0
        self._writers: list[asyncio.StreamWriter] = []

    def settings(self, keepalive: int) -> BrokerSettings:
        return BrokerSettings(port=self._port, keepalive=keepalive)

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["SlowBroker"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def publish(self, topic: str, count: int) -> None:
        """Send numbers as messages to all, in one piece."""
        packets = bytearray()
        for number in range(count):
            body = (
                len(topic).to_bytes(2)
                + topic.encode()
                + b"%c%c" % divmod(number + 1, 256)
            )
            body += b"%d" % number
            packets += bytes((0x32, len(body))) + body
        for writer in self._writers:
            writer.write(packets)

    def answer(self) -> "asyncio.Future[int]":
        """The answer to the next subscription that has none yet."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.answers.append(answer)
        return answer

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        self._writers.append(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, body = await _packet(reader)
                writer.write(await self._reply(kind, body))

    async def _reply(self, kind: int, body: bytes) -> bytes:
        match kind:
            case 1:  # CONNECT
                return CONNACK
            case 8:  # SUBSCRIBE: like NATS, it reads nothing else meanwhile
                granted = await self.answers.popleft() if self.answers else GRANTED
                return bytes((0x90, 3, *body[:2], granted))
            case 12:  # PINGREQ
                return PINGRESP
            case _:
                return b""


async def _packet(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    first, size = await reader.readexactly(2)
    assert size < 128, "no longer packets are expected here"
    return first >> 4, await reader.readexactly(size)
