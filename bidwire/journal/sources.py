"""Where a journal is read from: a file, or what an event file names."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bidwire.event_file import EventFile, naming, read_event_file
from bidwire.event_settings import journal_path, stream_settings
from referee.journal import JournalUnavailableError
from referee.journal_chain import Link
from referee.journal_file import JournalFile

Take = Callable[[Link], None]

AT_A_TIME = 20
"""Entries that are handed over before others get their turn."""


class Source(Protocol):
    """A journal for reading.

    Attributes:
        event: whose journal it is.
    """

    event: str

    def links(self) -> Iterator[Link]:
        """All entries as they are stored, in order; raises BrokenChainError."""


@dataclass
class _Replicated:
    """A journal that was read from a cluster."""

    event: str
    read: list[Link]

    def links(self) -> Iterator[Link]:
        return iter(self.read)


@contextlib.contextmanager
def open_journal(path: Path) -> Iterator[Source]:
    """A journal for reading, which a referee may be writing.

    Args:
        path: the journal, or an event file (``.toml``).

    Raises:
        EventFileError: the event file is wrong.
        JournalError: it is none, or cannot be read now.
    """
    if path.suffix == ".toml":
        event = read_event_file(path)
        folder = path.resolve().parent
        if event.journal is not None:
            from referee.journal_stream import read_stream  # noqa: PLC0415 - as in referee.journal_store

            with naming(path):
                stream = stream_settings(event.journal, folder)
            links = asyncio.run(read_stream(stream, event.event.id))
            yield _Replicated(event.event.id, links)
            return
        path = journal_path(event, folder)
    with JournalFile(path) as journal:
        yield journal


class Growing(Protocol):
    """A journal that is followed while a referee writes it.

    Attributes:
        pace: seconds from one look at it to the next.
    """

    pace: float

    async def catch_up(self, take: Take) -> None:
        """Hand over, in order, the entries that were not handed over before.

        Raises:
            BrokenChainError: the journal is damaged from here on.
            JournalError: it cannot be read now.
            OSError: the same.
        """


class _GrowingFile:
    """A file, opened anew each time: the referee may have written it anew."""

    pace = 2.0

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: Link | None = None

    async def catch_up(self, take: Take) -> None:
        # The thread only reads: it goes on when its waiting is broken off.
        for link in await asyncio.to_thread(self._read):
            take(link)
            self._last = link
            if link.number % AT_A_TIME == 0:
                await asyncio.sleep(0)

    def _read(self) -> list[Link]:
        last = self._last
        with JournalFile(self._path) as journal:
            if last is None:
                return list(journal.links())
            links = list(journal.links(after=last.number - 1))
        if links[:1] != [last]:
            raise JournalUnavailableError(
                f"{self._path}: expected entry {last.number} as it was read before, got"
                " another: another file lies in its place"
            )
        return links[1:]


def growing_journal(event: EventFile, folder: Path) -> Growing:
    """The journal of an event, to be followed from its start.

    Raises:
        EventFileError: the password file of its cluster cannot be read.
    """
    if event.journal is None:
        return _GrowingFile(journal_path(event, folder))
    from referee.journal_stream import StreamFollower  # noqa: PLC0415 - as in referee.journal_store

    return StreamFollower(stream_settings(event.journal, folder), event.event.id)
