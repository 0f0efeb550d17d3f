"""A journal whose file is removed while the referee writes it.

SQLite writes on into a file that has lost its name, and with the referee's process all
of it would be gone. As long as the process lives SQLite still has every entry.
"""

import contextlib
import logging
import os
import sqlite3
from pathlib import Path

from referee.journal import (
    DamagedJournalError,
    JournalUnavailableError,
    UnusableJournalError,
)

logger = logging.getLogger(__name__)

FileId = tuple[int, int]
"""Device and inode of a file."""


def file_id(path: Path) -> FileId | None:
    """Which file has this name now; None for none.

    Raises:
        DamagedJournalError: it has been emptied.
    """
    try:
        found = path.stat()
    except OSError:
        return None
    if found.st_size == 0:
        raise DamagedJournalError(f"{path}: somebody has emptied the file")
    return found.st_dev, found.st_ino


def has_no_entry(path: Path, event: str) -> bool:
    """Whether a file is a journal of the event that nobody has written to.

    Whoever opens a journal that is missing makes one: a second referee, say, that has
    to go.
    """
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as db,
    ):
        (owner,) = db.execute("SELECT event FROM term").fetchone()
        (count,) = db.execute("SELECT count(*) FROM entries").fetchone()
        return (owner, count) == (event, 0)
    return False


def write_anew(db: sqlite3.Connection, path: Path) -> None:
    """Write all that a connection has into a file of this name, and close it.

    It goes to a file beside it first, whose name tells when it is whole: a crash leaves
    either that one, which ``adopt`` finds, or the journal itself.

    Raises:
        JournalUnavailableError: it cannot be written now; the connection is as it was.
    """
    begun = path.with_name(f"{path.name}.rescuing")
    try:
        begun.unlink(missing_ok=True)
        os.close(os.open(begun, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        db.execute("VACUUM INTO ?", (str(begun),))
        _sync(begun)
        whole = begun.replace(_rescued(path))
        # They belong to the file that was removed: SQLite would read them into this.
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        whole.replace(path)
    except (OSError, sqlite3.OperationalError) as error:
        raise JournalUnavailableError(
            f"{path}: the file was removed, and cannot be written anew: {error}"
        ) from error
    with contextlib.suppress(OSError):  # it is there; its name may not outlive a cut
        _sync(path.parent)
    logger.critical("%s: somebody removed it; it is written anew", path)
    db.close()


def adopt(path: Path) -> None:
    """Take the journal that a crash has left beside this name, if there is none here.

    Raises:
        UnusableJournalError: a journal was here, and its log still is: a referee that
            goes on in it would share that with the one that is made here.
    """
    if path.exists():
        return
    rescued, log = _rescued(path), path.with_name(f"{path.name}-wal")
    if rescued.exists():
        rescued.replace(path)
        logger.critical("%s: it was removed, and is taken from %s", path, rescued.name)
    elif log.exists() and log.stat().st_size:
        raise UnusableJournalError(
            f"{path}: expected the journal that {log.name} belongs to, got no file; a "
            f"referee that still runs writes it anew. Else move {log.name} away"
        )


def _rescued(path: Path) -> Path:
    return path.with_name(f"{path.name}.rescued")


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
