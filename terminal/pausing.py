"""What a transport of our own has to count, and when it asks for a pause."""

import asyncio

HIGH_WATER = 65_536
"""Bytes waiting to go out at which a transport asks for a pause, unless told."""


class PausingTransport(asyncio.Transport):
    """Counts what waits to go out; has its protocol pause until all of it is out."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._is_closing = False
        self._waiting = 0
        self._high = HIGH_WATER
        self._is_paused = False

    def set_write_buffer_limits(
        self, high: int | None = None, low: int | None = None
    ) -> None:
        """Set the bytes waiting to go out at which the protocol must pause."""
        del low  # writing resumes when everything is out
        self._high = HIGH_WATER if high is None else high

    def get_write_buffer_size(self) -> int:
        """Bytes that wait to go out."""
        return self._waiting

    def is_closing(self) -> bool:
        """Whether it is closed or being closed."""
        return self._is_closing

    def close(self) -> None:
        """Close it; what waits to go out is dropped."""
        self.abort()

    def _goes(self, size: int) -> None:
        """So many bytes more wait to go out."""
        self._waiting += size
        if self._waiting > self._high and not self._is_paused:
            self._is_paused = True
            self._protocol.pause_writing()

    def _went(self, size: int) -> None:
        """So many bytes have gone out."""
        self._waiting -= size
        if self._is_paused and not self._waiting and not self._is_closing:
            self._is_paused = False
            self._protocol.resume_writing()
