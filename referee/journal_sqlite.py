"""The journal in a SQLite file, which is the default: one file for each event.

Nothing is ever changed in it: triggers refuse it to whoever has SQLite at hand, and the
chain (``referee.journal_chain``) shows it of those who go around them.
"""

import errno
import logging
import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from referee.entries import Entry
from referee.journal import (
    DamagedJournalError,
    ForeignJournalError,
    JournalUnavailableError,
    Row,
    StaleWriterError,
    UnusableJournalError,
    encode_entry,
    row_of,
)
from referee.journal_chain import (
    BrokenChainError,
    Head,
    Link,
    chain,
    checked,
    start_of,
)
from referee.journal_rescue import adopt, file_id, has_no_entry, write_anew

logger = logging.getLogger(__name__)

SCHEMA_VERSION = 2

UNCHAINED = 1
"""The version of journals that have no chain yet; opening one makes it."""

_TERM = """
CREATE TABLE IF NOT EXISTS term (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    epoch INTEGER NOT NULL,
    event TEXT NOT NULL
);
"""

_ENTRIES = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    entry BLOB NOT NULL,
    hash BLOB NOT NULL
);
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'entries of a journal are never deleted'); END;
CREATE TRIGGER IF NOT EXISTS entries_are_as_written BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries of a journal are never changed'); END;
CREATE TRIGGER IF NOT EXISTS entries_follow BEFORE INSERT ON entries
WHEN NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM entries)
BEGIN SELECT RAISE(ABORT, 'an entry of a journal follows the last one'); END;
"""

_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"

_PASSING = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Troubles of the machine that may be over at the next attempt."""


class SqliteJournal:
    """A journal in a SQLite file."""

    def __init__(self, path: Path | str, event: str) -> None:
        """Open the file, making it where it is missing, for its owner's eyes only.

        Raises:
            UnusableJournalError: no file can be there, or it holds something else.
            JournalUnavailableError: it cannot be opened now.
        """
        self._path = Path(path)
        self._event = event
        self._is_written = False
        adopt(self._path)
        _make_private(self._path)
        self._open()

    def _open(self) -> None:
        try:
            self._db = sqlite3.connect(
                self._path, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise JournalUnavailableError(f"{self._path}: {error}") from error
        try:
            self._prepare()
            self._file = file_id(self._path)
        except BaseException:
            self._db.close()
            raise

    def _keep_file(self) -> None:
        """See to it that what is written goes to the file of the journal's name."""
        found = file_id(self._path)
        if found == self._file:
            return
        if found is not None and not has_no_entry(self._path, self._event):
            raise JournalUnavailableError(
                f"{self._path}: another file has taken the place of the journal, which "
                "goes on when that is away"
            )
        write_anew(self._db, self._path)
        self._open()

    def _prepare(self) -> None:
        try:
            self._db.execute("PRAGMA busy_timeout = 2000")
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version not in (0, UNCHAINED, SCHEMA_VERSION):
                raise ForeignJournalError(
                    f"{self._path}: expected a journal of version {SCHEMA_VERSION}, "
                    f"got version {version}"
                )
            tables = "SELECT count(*) FROM sqlite_master"
            if not version and self._db.execute(tables).fetchone() != (0,):
                raise ForeignJournalError(
                    f"{self._path}: expected a journal, got a database of another kind"
                )
            if version:
                self._check_event()
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            if version != SCHEMA_VERSION:
                self._make_tables()
        except sqlite3.OperationalError as error:
            raise JournalUnavailableError(f"{self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise ForeignJournalError(
                f"{self._path}: expected a journal, got something else, or a damaged "
                f"one: {error}"
            ) from error

    def _check_event(self) -> None:
        (owner,) = self._db.execute("SELECT event FROM term").fetchone()
        if owner != self._event:
            raise ForeignJournalError(
                f"{self._path}: expected the journal of event {self._event!r}, "
                f"got that of {owner!r}"
            )

    def _make_tables(self) -> None:
        """Make the tables, or chain a journal that has no chain; in one commit."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            # Another referee may have made them while this one waited.
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version == UNCHAINED:
                self._db.execute("ALTER TABLE entries RENAME TO unchained")
            if version != SCHEMA_VERSION:
                _run_each(self._db, _TERM + _ENTRIES)
                term = "INSERT OR IGNORE INTO term VALUES (1, 0, ?)"
                self._db.execute(term, (self._event,))
                self._check_event()
            if version == UNCHAINED:
                self._chain_unchained()
            self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def _chain_unchained(self) -> None:
        head = start_of(self._event)
        query = "SELECT epoch, table_id, entry FROM unchained ORDER BY number"
        for epoch, table, entry in self._db.execute(query):
            for linked in chain(head, epoch, [(table, entry)]):
                self._db.execute(_INSERT, linked)
                head = Head(linked.number, linked.hash)
        self._db.execute("DROP TABLE unchained")
        logger.warning(
            "%s: a journal of version %d has got its chain, %d entries; its head is %s",
            self._path,
            UNCHAINED,
            head.number,
            head,
        )

    def check(self) -> None:
        """Read it all.

        Raises:
            DamagedJournalError: an entry cannot be read, or does not fit.
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

    def head(self) -> Head:
        """Number and hash of the last entry."""
        query = "SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1"
        found = self._db.execute(query).fetchone()
        return Head(*found) if found is not None else start_of(self._event)

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
        encoded = [(table, encode_entry(entry)) for table, entry in entries]
        self._keep_file()
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                head = self._checked_head(epoch, expected_number)
                self._db.executemany(_INSERT, chain(head, epoch, encoded))
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            raise JournalUnavailableError(f"{self._path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise DamagedJournalError(f"{self._path}: {error}") from error
        self._is_written = True
        return expected_number + len(encoded)

    def _checked_head(self, epoch: int, expected_number: int) -> Head:
        (held,) = self._db.execute("SELECT epoch FROM term").fetchone()
        if held != epoch:
            raise StaleWriterError(
                f"{self._path}: expected epoch {epoch}, got {held}: another referee "
                "has taken the journal over"
            )
        head = self.head()
        if head.number != expected_number:
            raise StaleWriterError(
                f"{self._path}: expected entry {expected_number} to be the last, "
                f"got {head.number}"
            )
        return head

    def read(self) -> Iterator[Row]:
        """All entries in order, read as they are needed; the chain is checked.

        Raises:
            DamagedJournalError: an entry cannot be read, or does not fit those before.
        """
        try:
            for link in checked(self._event, read_links(self._db)):
                yield row_of(link)
        except (sqlite3.DatabaseError, BrokenChainError, DamagedJournalError) as error:
            raise DamagedJournalError(f"{self._path}: {error}") from error

    def close(self) -> None:
        """Close the file, which is there afterwards even if somebody has removed it."""
        try:
            if self._is_written:
                self._keep_file()
        except (JournalUnavailableError, DamagedJournalError) as error:
            logger.critical("%s", error)
        finally:
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


def read_links(db: sqlite3.Connection, after: int = 0) -> Iterator[Link]:
    """The entries after a number, in order, as they are stored."""
    query = (
        "SELECT number, epoch, table_id, entry, hash FROM entries WHERE number > ? "
        "ORDER BY number"
    )
    return map(Link._make, db.execute(query, (after,)))


def _run_each(db: sqlite3.Connection, script: str) -> None:
    """Run statements within the transaction; ``executescript`` would end it."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


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
