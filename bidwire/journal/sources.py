"""Where a journal is read from: its file, or the event file that names it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from bidwire.event_file import naming, read_event_file
from bidwire.event_settings import journal_path
from referee.journal_file import JournalFile


@contextlib.contextmanager
def open_journal(path: Path) -> Iterator[JournalFile]:
    """A journal for reading, which a referee may be writing.

    Args:
        path: the journal, or an event file (``.toml``).

    Raises:
        EventFileError: the event file is wrong.
        JournalError: it is none, or cannot be read now.
    """
    if path.suffix == ".toml":
        event = read_event_file(path)
        with naming(path):
            path = journal_path(event, path.resolve().parent)
    with JournalFile(path) as journal:
        yield journal
