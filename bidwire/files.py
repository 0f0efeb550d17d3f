"""Files of a person's: whether they have changed; written anew whole or not at all."""

import contextlib
import os
import stat
from pathlib import Path

PRIVATE = 0o600
"""Mode of a file that only its owner reads: it holds a secret."""


def stamp(path: Path) -> tuple[int, int, int] | None:
    """What is another one as soon as the file has been written; None of no file."""
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_ino, found.st_mtime_ns, found.st_size
    return None


def replace_file(
    path: Path, content: bytes, *, like: Path, mode: int | None = None
) -> None:
    """Put new content in a file's place, so that a reader finds the old or the new.

    Args:
        path: the file; where it is a link, the file that it leads to.
        content: all of it.
        like: a file of whose owner the new one is, too: root may write it for the
            user that the daemons run as.
        mode: of the new file; None is that of ``like``.

    Raises:
        OSError: it cannot be written; the old one is still there.
    """
    path, model = path.resolve(), like.stat()
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        with contextlib.suppress(PermissionError):  # only root may give it away
            os.fchown(file.fileno(), model.st_uid, model.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(model.st_mode) if mode is None else mode)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
