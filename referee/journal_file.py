"""A journal file read while a referee may be writing it: never written, never blocked.

SQLite's write-ahead log lets readers see the last commit while the writer goes on.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from referee.journal import ForeignJournalError, JournalUnavailableError
from referee.journal_chain import BrokenChainError, Link
from referee.journal_sqlite import SCHEMA_VERSION, UNCHAINED, read_links


class JournalFile:
    """A journal file, open for reading.

    Attributes:
        event: whose journal it is.
    """

    event: str

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            ForeignJournalError: it is no journal, or one without a chain.
            JournalUnavailableError: it cannot be read now.
        """
        self._path = path
        if not path.is_file():
            raise ForeignJournalError(f"{path}: expected a journal, got no file")
        try:
            self._db = _connect(path)
        except sqlite3.OperationalError as error:
            raise JournalUnavailableError(f"{path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise ForeignJournalError(
                f"{path}: expected a journal, got something else: {error}"
            ) from error
        try:
            self.event = self._read_event()
        except BaseException:
            self._db.close()
            raise

    def _read_event(self) -> str:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == UNCHAINED:
            raise ForeignJournalError(
                f"{self._path}: expected a journal with a chain, got one of version "
                f"{version}: it gets its chain when a referee next opens it"
            )
        try:
            row = self._db.execute("SELECT event FROM term").fetchone()
        except sqlite3.DatabaseError:
            row = None
        if version != SCHEMA_VERSION or row is None:
            raise ForeignJournalError(
                f"{self._path}: expected a journal of version {SCHEMA_VERSION}, got "
                "something else"
            )
        return str(row[0])

    def links(self, after: int = 0) -> Iterator[Link]:
        """The entries after a number as they are stored, in order; 0 is all.

        Raises:
            BrokenChainError: the file is damaged from here on.
        """
        number = after
        try:
            for link in read_links(self._db, after):
                yield link
                number = link.number
        except sqlite3.DatabaseError as error:
            raise BrokenChainError(number + 1, f"{error}") from error

    def __enter__(self) -> Self:
        """The file itself."""
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self._db.close()


def _connect(path: Path) -> sqlite3.Connection:
    """Open read-only; in a folder that cannot be written, as the file stands."""
    name = f"file:{quote(str(path.absolute()))}?mode=ro"
    database = sqlite3.connect(name, uri=True)
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        database.close()
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise  # it has entries that only the write-ahead log has
        database = sqlite3.connect(f"{name}&immutable=1", uri=True)
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database
