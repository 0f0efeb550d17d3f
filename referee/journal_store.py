"""Opens the journal that the settings name: a file, or a stream of a cluster."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Never

from referee.entries import Entry
from referee.journal import Journal, Row
from referee.journal_sqlite import SqliteJournal
from referee.settings import RefereeSettings


class FileJournal:
    """A SQLite journal as the service takes one: its writing waits in a thread."""

    def __init__(self, journal: SqliteJournal) -> None:
        self._journal = journal

    async def take_over(self, take: Callable[[Row], None]) -> int:
        """Begin a new term at once: with a file, who comes last rules."""
        epoch = self._journal.take_epoch()
        for row in self._journal.read():
            take(row)
        return epoch

    async def append(
        self, epoch: int, expected_number: int, entries: Sequence[tuple[str, Entry]]
    ) -> int:
        """Write a batch in one commit."""
        return await asyncio.to_thread(
            self._journal.append, epoch, expected_number, entries
        )

    async def held(self) -> None:
        """A file is never in doubt: the next append tells."""

    async def keep(self) -> Never:
        """Nothing has to be done for it."""
        while True:
            await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def open_journal(settings: RefereeSettings) -> AsyncIterator[Journal]:
    """The event's journal, until the context closes.

    Raises:
        JournalError: it cannot be opened.
    """
    if isinstance(settings.journal, str):
        with SqliteJournal(settings.journal, settings.event) as journal:
            yield FileJournal(journal)
    else:
        from referee.journal_stream import open_stream  # noqa: PLC0415 - nats is slow to import, and a file does without

        async with open_stream(settings.journal, settings.event) as stream:
            yield stream
