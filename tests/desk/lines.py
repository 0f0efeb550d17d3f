"""A line to the desk that can be cut."""

import asyncio
import contextlib
from urllib.parse import urlsplit


class Line:
    """A TCP line to a server, which can be cut and mended."""

    def __init__(self, url: str) -> None:
        self._to = urlsplit(url).port
        self._port = 0
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Where a browser reaches the server through the line."""
        return f"http://127.0.0.1:{self._port}/"

    async def mend(self) -> None:
        """Let connections through, from now on."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """End all connections, and take no more."""
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers |= {writer, back}
        await asyncio.gather(_pump(reader, back), _pump(there, writer))
        self._writers -= {writer, back}


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
