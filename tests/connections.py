"""Connections from several addresses of this machine."""

import asyncio
from typing import Self

ONE, OTHER = "127.0.0.2", "127.0.0.3"
"""Addresses that are no proxy's."""


class Silent:
    """A connection on which nothing is said unless asked to."""

    def __init__(self, port: int, address: str = ONE) -> None:
        self._port = port
        self._address = address

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._address, 0)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def rest(self) -> bytes:
        """What comes until the server closes it."""
        try:
            return await self._reader.read()
        except ConnectionResetError:
            return b""

    async def answer(self, path: str = "/") -> bytes:
        """The answer to a request; nothing when the server has closed it."""
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        self._writer.write(head.encode())
        return await self.rest()


async def answered(port: int, address: str, path: str = "/") -> bytes:
    """The answer to a request over a connection of its own; nothing if it has none."""
    async with Silent(port, address) as connection:
        return await connection.answer(path)
