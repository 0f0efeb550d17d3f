"""What nats-server says while it runs: kept in a file, and heard for a failing store.

Once nats-server could not write a message it stores none in that stream, or none at
all, until it is started again, even when the disk has room: seen with 2.10 to 2.12 on
full disks. It says so in its log alone.
"""

import asyncio
import contextlib
import re
from collections import deque
from pathlib import Path

KEPT_LINES = 200
"""Last lines that are kept in memory: a full disk takes no log either."""

LINE_LIMIT = 1 << 20
"""Bytes of the longest line."""

_STORE_FAILS = re.compile(
    "failed to store a msg|critical write error|will be DISABLED"
    "|no space left|disk quota exceeded|input/output error|read-only file system"
)


class NatsLog:
    """The log of one nats-server after another.

    Attributes:
        file: where it is written, as far as the disk lets it.
        store_fails: set when nats-server has said that it cannot store.
        store_failure: the line in which it said so last.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.store_fails = asyncio.Event()
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self.store_failure = ""

    def begin(self) -> None:
        """Begin the file anew.

        Raises:
            OSError: it cannot be written.
        """
        self._lines.clear()
        self.file.write_bytes(b"")

    def has(self, words: str) -> bool:
        """Whether one of the last lines has these words."""
        return any(words in line for line in self._lines)

    def complaints(self) -> str:
        """What is wrong in its own words, or else the end of the log."""
        lines = list(self._lines)
        complaints = [line for line in lines if "[FTL]" in line or "[ERR]" in line]
        return "\n".join((complaints or lines)[-5:]) or "(its log is empty)"

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Take what a nats-server writes, until it ends."""
        self.store_fails.clear()
        async for raw in stream:
            self._keep(raw)
            self._take(raw.decode(errors="replace").rstrip())

    def _keep(self, raw: bytes) -> None:
        with contextlib.suppress(OSError), self.file.open("ab") as file:
            file.write(raw)

    def _take(self, line: str) -> None:
        self._lines.append(line)
        if _STORE_FAILS.search(line):
            self.store_failure = line
            self.store_fails.set()
