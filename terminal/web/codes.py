"""Join codes: by which a tablet shows that it may be a certain terminal (X8).

The daemon makes a code for each web terminal that has none, once, and keeps them in a
file, so that a tablet's bookmark works as long as the event does.
"""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from broker.settings_file import SettingsError
from protocol.limits import CODE_CHARACTERS
from protocol.pairing import CODE_ALPHABET, read_code


class CodesError(SettingsError):
    """The file of the join codes cannot be used; says which and why."""


def new_code() -> str:
    """A code that nobody has had."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_CHARACTERS))


def join_codes(path: Path, terminals: Iterable[str]) -> dict[str, str]:
    """The code of each of these terminals; those that have none get one.

    Args:
        path: the file of the codes, a JSON object of terminal and code; made if absent.
        terminals: their ids.

    Raises:
        CodesError: the file cannot be read or written, or is none of ours.
    """
    try:
        with _locked(path) as file:
            return _completed(path, file, tuple(terminals))
    except OSError as error:
        if isinstance(error, CodesError):
            raise
        raise CodesError(f"{path}: join codes: {error.strerror}") from None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _completed(path: Path, file: int, terminals: tuple[str, ...]) -> dict[str, str]:
    content = os.read(file, 1 << 20)
    try:
        codes = msgspec.json.decode(content, type=dict[str, str]) if content else {}
        codes = {terminal: read_code(code) for terminal, code in codes.items()}
    except (ValueError, msgspec.DecodeError):
        raise CodesError(
            f"{path}: join codes: expected a JSON object of terminals and their codes"
        ) from None
    missing = [terminal for terminal in terminals if terminal not in codes]
    if missing:
        codes |= {terminal: new_code() for terminal in missing}
        text = msgspec.json.format(msgspec.json.encode(codes), indent=1)
        # Longer than what stood there: a cut in the middle leaves no valid JSON, which
        # is told and not taken for an empty file.
        os.pwrite(file, text, 0)
        os.fsync(file)
    return {terminal: codes[terminal] for terminal in terminals}
