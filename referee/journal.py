"""The journal: what the referee has taken in and decided, durable before it is told.

``append`` is the heart of it: a batch of entries at a place that the writer names. A
writer whose epoch is no longer the journal's, or who has missed an entry, is refused;
so of two referees at most one can rule, and a replicated store can take the place of a
file.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Never, Protocol

import msgspec

from referee.entries import Entry
from referee.journal_chain import Link


class JournalError(Exception):
    """Base of what can go wrong with the journal."""


class StaleWriterError(JournalError):
    """Another referee holds the journal: this one must stop ruling."""


class JournalUnavailableError(JournalError):
    """The store cannot be written now (disk full, I/O error): try again later."""


class UnusableJournalError(JournalError):
    """No journal can be kept there, now or later: a person must see to it."""


class ForeignJournalError(UnusableJournalError):
    """The store holds another event's journal, or none of ours."""


class DamagedJournalError(UnusableJournalError):
    """The journal is damaged, or has entries of a later version."""


class Row(NamedTuple):
    """An entry in its place."""

    number: int
    """From 1, without gaps."""
    table: str
    entry: Entry


_DECODER = msgspec.json.Decoder(Entry)

encode_entry = msgspec.json.Encoder().encode
"""An entry as it is stored."""


def row_of(link: Link) -> Row:
    """The entry of a link.

    Raises:
        DamagedJournalError: it cannot be read.
    """
    try:
        return Row(link.number, link.table, _DECODER.decode(link.entry))
    except msgspec.DecodeError as error:
        raise DamagedJournalError(f"entry {link.number}: {error}") from error


class Journal(Protocol):
    """A journal as the referee has it, a file or a replicated store."""

    async def take_over(self, take: Callable[[Row], None]) -> int:
        """Hand over all entries, in order, and begin a new term; returns its epoch.

        Where another referee may hold the journal, this waits until it does no more,
        and hands over what that one writes meanwhile.

        Raises:
            JournalError: it cannot be read or written.
        """

    async def append(
        self, epoch: int, expected_number: int, entries: Sequence[tuple[str, Entry]]
    ) -> int:
        """Write a batch, whole or not at all; it is durable when this returns.

        Args:
            epoch: the writer's term.
            expected_number: number of the last entry that the writer knows.
            entries: table id and entry, in order.

        Returns:
            The number of the last entry written.

        Raises:
            StaleWriterError: the term is over, or an entry was missed.
            JournalUnavailableError: not written, or not known to be: try again with
                the same entries.
            DamagedJournalError: the journal is damaged.
        """

    async def held(self) -> None:
        """Wait as long as it is in doubt whether the term is still ours."""

    async def keep(self) -> Never:
        """Keep the term until cancelled.

        Raises:
            StaleWriterError: it is over: another referee rules.
            JournalUnavailableError: the store is out of reach for good.
        """
