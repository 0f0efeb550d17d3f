"""Which files hold records."""

from collections.abc import Iterable, Iterator
from pathlib import Path

SUFFIXES = (".pbn", ".lin", ".table")
"""How the names of files of records end."""


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and those of records below the folders named, in order."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES
            )
        else:
            yield path
