"""A journal whose file is removed while the referee writes it.

SQLite writes on into a file that has lost its name, and with the referee's process all
of it would be gone. As long as the process lives SQLite still has every entry.
"""

import os
import sqlite3
from pathlib import Path

from referee.journal import DamagedJournalError, JournalUnavailableError

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


def write_anew(db: sqlite3.Connection, path: Path) -> None:
    """Write all that a connection has into a file of this name, and close it.

    It goes to a file beside it first: closing removes what SQLite keeps beside a file
    of this name, and a crash in between leaves a whole journal under the other name.

    Raises:
        JournalUnavailableError: it cannot be written now; the connection is as it was.
    """
    beside = path.with_name(f"{path.name}.rescued")
    try:
        beside.unlink(missing_ok=True)
        os.close(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        db.execute("VACUUM INTO ?", (str(beside),))
        _sync(beside)
    except (OSError, sqlite3.OperationalError) as error:
        raise JournalUnavailableError(
            f"{path}: the file was removed, and cannot be written anew: {error}"
        ) from error
    db.close()
    beside.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
