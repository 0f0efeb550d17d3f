"""The users of the desk: made, changed and removed in the users file."""

import getpass
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bidwire.event_file import EventFileError, naming, read_event_file
from bidwire.event_settings import read_secret, users_path
from bidwire.files import PRIVATE, replace_file
from broker.settings_file import SettingsError
from desk.passwords import PasswordError, check_new_password, hashed
from desk.role import Role
from desk.users import User, encoded, read_users


@dataclass(frozen=True, slots=True)
class AskedUser:
    """A user as the command line has him.

    Attributes:
        name: who.
        role: what he may do.
        language: of his pages; empty is the browser's.
        password_file: file with his password; None asks for it.
    """

    name: str
    role: Role
    language: str
    password_file: Path | None


def set_user(event_file: Path, asked: AskedUser) -> tuple[Path, bool]:
    """Make a user, or give one another password, role and language.

    Returns:
        The users file, and whether the user is new.

    Raises:
        EventFileError: the event file, the users file, the name or the password is
            none.
        OSError: the users file cannot be written.
    """
    path, users = _users(event_file)
    name = _checked_name(asked.name)
    password = _password(asked)
    try:
        check_new_password(password)
    except PasswordError as error:
        raise EventFileError(str(error)) from None
    user = User(
        name=name, role=asked.role, password=hashed(password), language=asked.language
    )
    others = _others(users, name)
    _write(event_file, path, (*others, user))
    return path, len(others) == len(users)


def remove_user(event_file: Path, name: str) -> Path:
    """Remove a user; returns the users file.

    Raises:
        EventFileError: there is no such user, or a file is none.
        OSError: the users file cannot be written.
    """
    path, users = _users(event_file)
    others = _others(users, name)
    if len(others) == len(users):
        names = ", ".join(user.name for user in users) or "nobody yet"
        raise EventFileError(f"{path}: expected one of its users ({names}), got {name}")
    _write(event_file, path, others)
    return path


def _users(event_file: Path) -> tuple[Path, tuple[User, ...]]:
    event = read_event_file(event_file)
    path = users_path(event, event_file.resolve().parent)
    with naming(event_file):
        try:
            return path, read_users(path)
        except SettingsError as error:
            raise EventFileError(f"desk.users_file: {error}") from None


def _others(users: tuple[User, ...], name: str) -> tuple[User, ...]:
    key = name.strip().casefold()
    return tuple(user for user in users if user.name.casefold() != key)


def _checked_name(name: str) -> str:
    try:
        plain = {"name": name.strip(), "role": "director", "password": "$argon2id$"}
        return msgspec.convert(plain, User).name
    except msgspec.ValidationError:
        raise EventFileError(
            f"expected a name of 1 to 64 characters, got {name!r}"
        ) from None


def _password(asked: AskedUser) -> str:
    if asked.password_file is not None:
        return read_secret("--password-file", asked.password_file)
    if sys.stdin is None or not sys.stdin.isatty():
        raise EventFileError(
            "expected a terminal to type the password at, or --password-file"
        )
    password = getpass.getpass(f"Password of {asked.name}: ")
    if getpass.getpass("Once more: ") != password:
        raise EventFileError("expected the same password twice: nothing was changed")
    return password


def _write(event_file: Path, path: Path, users: tuple[User, ...]) -> None:
    replace_file(path, encoded(users), like=event_file, mode=PRIVATE)
