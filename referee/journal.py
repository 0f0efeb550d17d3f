"""The journal: what the referee has taken in and decided, durable before it is told.

``append`` is the heart of it: a batch of entries at a place that the writer names. A
writer whose epoch is no longer the journal's, or who has missed an entry, is refused;
so of two referees at most one can rule, and a replicated store can take the place of a
file.
"""

from typing import NamedTuple

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
