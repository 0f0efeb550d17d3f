"""Files of a person's, written anew whole or not at all."""

import os
import stat
from pathlib import Path

PRIVATE = 0o600
"""Mode of a file that only its owner reads: it holds a secret."""


def replace_file(path: Path, content: bytes, mode: int | None = None) -> None:
    """Put new content in a file's place, so that a reader finds the old or the new.

    Args:
        path: the file; where it is a link, the file that it leads to.
        content: all of it.
        mode: of the new file; None keeps that of the old one, which must be there.

    Raises:
        OSError: it cannot be written; the old one is still there.
    """
    path = path.resolve()
    if mode is None:
        mode = stat.S_IMODE(path.stat().st_mode)
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
