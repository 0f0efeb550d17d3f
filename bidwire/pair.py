"""``bidwire pair``: a key for a terminal, so that nobody else can speak in its name.

The key goes into a file of its own, which the event file names, and is typed in at the
terminal. It is never sent there: the proof of a key encrypts nothing (X6), so whoever
listens while a box is set up could speak for it ever after.
"""

import secrets
from pathlib import Path

from bidwire.bindings import number_of
from bidwire.event_file import EventFileError, naming, read_event_file
from bidwire.files import PRIVATE, replace_file
from terminal.settings import KEY_BYTES, is_web
from terminal.web.codes import new_code

GROUP = 4
"""Hex digits of the key between two blanks, for whoever types it."""

CODE_GROUP = 5
"""The same for the join code of a web terminal."""


def make_key(path: Path, terminal: str, *, anew: bool) -> tuple[Path, str]:
    """Make a terminal's key and write it into its key file.

    Args:
        path: the event file.
        terminal: the terminal's id.
        anew: whether a key that is there may be replaced.

    Returns:
        The key file, and the key in groups of hex digits; of a web terminal its join
        code.

    Raises:
        EventFileError: the event file is wrong, names no key file, or there is a key.
        OSError: the key cannot be written.
    """
    event = read_event_file(path)
    with naming(path):
        number = number_of(event, terminal)
        where, section = f"terminals[{number}]", event.terminals[number]
        if section.key_file is None:
            raise EventFileError(
                f"{where}.key_file: expected the file that {terminal}'s key is to be "
                f'written to, such as key_file = "{terminal}.key"'
            )
        file = path.resolve().parent / section.key_file
        if file.exists() and not anew:
            raise EventFileError(
                f"{where}.key_file: {file} is there already; --new makes another key, "
                "and the terminal is refused until it has that"
            )
    web = is_web(section.port)
    key = new_code() if web else secrets.token_hex(KEY_BYTES)
    replace_file(file, f"{key}\n".encode(), like=path, mode=PRIVATE)
    group = CODE_GROUP if web else GROUP
    groups = (key[at : at + group] for at in range(0, len(key), group))
    return file, " ".join(groups)
