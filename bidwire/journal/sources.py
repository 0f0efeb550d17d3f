"""Where a journal is read from: a file, or what an event file names."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bidwire.event_file import naming, read_event_file
from bidwire.event_settings import journal_path, stream_settings
from referee.journal_chain import Link
from referee.journal_file import JournalFile


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
