"""The journal: what the referee has taken in and decided, durable before it is told.

``append`` is the whole interface: a batch of entries at a place that the writer
names. A writer whose epoch is no longer the journal's, or who has missed an entry, is
refused; so of two referees at most one can rule, and a replicated store can take the
place of this file.
"""

import errno
import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from referee.entries import Entry

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS term (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    epoch INTEGER NOT NULL,
    event TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    entry BLOB NOT NULL
);
"""


class JournalError(Exception):
    """Base of what can go wrong with the journal."""


class StaleWriterError(JournalError):
    """Another referee holds the journal: this one must stop ruling."""


class JournalUnavailableError(JournalError):
    """The store cannot be written now (disk full, I/O error): try again later."""


class UnusableJournalError(JournalError):
    """No journal can be kept there, now or later: a person must see to it."""


class ForeignJournalError(UnusableJournalError):
    """The file is another event's journal, or none of ours."""


class DamagedJournalError(UnusableJournalError):
    """The file is damaged, or has entries of a later version."""


_PASSING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Troubles of the machine that may be over at the next attempt."""


class Row(NamedTuple):
    """An entry in its place."""

    number: int
    """From 1, without gaps."""
    table: str
    entry: Entry


class Journal:
    """A journal in a SQLite file."""

    def __init__(self, path: Path | str, event: str) -> None:
        """Open the file, making it where it is missing, for its owner's eyes only.

        Raises:
            UnusableJournalError: no file can be there, or it holds something else.
            JournalUnavailableError: it cannot be opened now.
        """
        self._path = path
        _make_private(Path(path))
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Entry)
        try:
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise JournalUnavailableError(f"{path}: {error}") from error
        try:
            self._prepare(event)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, event: str) -> None:
        try:
            self._db.execute("PRAGMA busy_timeout = 2000")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, SCHEMA_VERSION):
                raise ForeignJournalError(
                    f"{self._path}: expected a journal of version {SCHEMA_VERSION}, "
                    f"got version {version}"
                )
            tables = "SELECT count(*) FROM sqlite_master"
            if not version and self._db.execute(tables).fetchone() != (0,):
                raise ForeignJournalError(
                    f"{self._path}: expected a journal, got a database of another kind"
                )
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(
                f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION};"
                "COMMIT;"
            )
            self._db.execute("INSERT OR IGNORE INTO term VALUES (1, 0, ?)", (event,))
            (owner,) = self._db.execute("SELECT event FROM term").fetchone()
        except sqlite3.OperationalError as error:
            raise JournalUnavailableError(f"{self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise ForeignJournalError(
                f"{self._path}: expected a journal, got something else, or a damaged "
                f"one: {error}"
            ) from error
        if owner != event:
            raise ForeignJournalError(
                f"{self._path}: expected the journal of event {event!r}, "
                f"got that of {owner!r}"
            )

    def check(self) -> None:
        """Read it all.

        Raises:
            DamagedJournalError: an entry cannot be read.
        """
        for _ in self.read():
            pass

    def take_epoch(self) -> int:
        """Begin a new term, by compare-and-set; every earlier writer is refused.

        Raises:
            JournalUnavailableError: it cannot be written now.
        """
        try:
            while True:
                (seen,) = self._db.execute("SELECT epoch FROM term").fetchone()
                done = self._db.execute(
                    "UPDATE term SET epoch = ? WHERE epoch = ?", (seen + 1, seen)
                )
                if done.rowcount == 1:
                    return int(seen) + 1
        except sqlite3.OperationalError as error:
            raise JournalUnavailableError(f"{self._path}: {error}") from error

    def last_number(self) -> int:
        """Number of the last entry, 0 when there is none."""
        query = "SELECT coalesce(max(number), 0) FROM entries"
        (number,) = self._db.execute(query).fetchone()
        return int(number)

    def append(
        self, epoch: int, expected_number: int, entries: Sequence[tuple[str, Entry]]
    ) -> int:
        """Write a batch in one commit; it is durable when this returns.

        Args:
            epoch: the writer's term.
            expected_number: number of the last entry that the writer knows.
            entries: table id and entry, in order.

        Returns:
            The number of the last entry written.

        Raises:
            StaleWriterError: the term is over, or an entry was missed.
            JournalUnavailableError: nothing was written; try again.
            DamagedJournalError: the file is damaged.
        """
        rows = [
            (number, epoch, table, self._encoder.encode(entry))
            for number, (table, entry) in enumerate(entries, expected_number + 1)
        ]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._check(epoch, expected_number)
                self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            raise JournalUnavailableError(f"{self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise DamagedJournalError(f"{self._path}: {error}") from error
        return expected_number + len(rows)

    def _check(self, epoch: int, expected_number: int) -> None:
        (held,) = self._db.execute("SELECT epoch FROM term").fetchone()
        if held != epoch:
            raise StaleWriterError(
                f"{self._path}: expected epoch {epoch}, got {held}: another referee "
                "has taken the journal over"
            )
        last = self.last_number()
        if last != expected_number:
            raise StaleWriterError(
                f"{self._path}: expected entry {expected_number} to be the last, "
                f"got {last}"
            )

    def read(self, after: int = 0) -> Iterator[Row]:
        """The entries after a number, in order, read as they are needed.

        Raises:
            DamagedJournalError: an entry cannot be read.
        """
        query = (
            "SELECT number, table_id, entry FROM entries WHERE number > ? "
            "ORDER BY number"
        )
        try:
            for number, table, entry in self._db.execute(query, (after,)):
                yield Row(number, table, self._decode(number, entry))
        except sqlite3.DatabaseError as error:
            raise DamagedJournalError(f"{self._path}: {error}") from error

    def _decode(self, number: int, entry: bytes) -> Entry:
        try:
            return self._decoder.decode(entry)
        except msgspec.DecodeError as error:
            raise DamagedJournalError(
                f"{self._path}: entry {number}: {error}"
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        """The journal itself."""
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()


def _make_private(path: Path) -> None:
    """Make an empty file that only its owner reads: the hands of an event are in it.

    SQLite gives the files that it keeps beside it the same permissions.
    """
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600)
    except OSError as error:
        kind = (
            JournalUnavailableError if error.errno in _PASSING else UnusableJournalError
        )
        raise kind(
            f"{path}: expected a file, in a folder that can be written, got: "
            f"{error.strerror}"
        ) from error
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise UnusableJournalError(f"{path}: expected a file, got a device")
    finally:
        os.close(opened)
