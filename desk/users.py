"""The users of the desk: a file that ``bidwire desk-user`` writes.

It is read again when it has changed, so that a user who is removed, or gets another
role or password, is so at once.
"""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from broker.complaint import complaint
from desk.passwords import is_hash
from desk.role import Role

LOG = logging.getLogger(__name__)

UserName = Annotated[
    str,
    Meta(
        pattern=r"^[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]{0,62}[^\s\x00-\x1f\x7f])?\Z",
        description="a name of 1 to 64 characters",
    ),
]
"""What a user is called, in the journal too."""


class UsersError(ValueError):
    """The users file cannot be used: names it, and what was expected."""


class User(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may log in."""

    name: UserName
    role: Role
    password: str
    """The argon2 hash."""
    language: str = ""
    """Of the pages; empty is what the browser asks for."""

    def __post_init__(self) -> None:
        if not is_hash(self.password):
            raise ValueError("password: expected an argon2id hash")


class UsersFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file, JSON."""

    users: tuple[User, ...] = ()

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for user in self.users:
            if (key := user.name.casefold()) in seen:
                raise ValueError(f"users: {user.name} is given twice")
            seen.add(key)


def read_users(path: Path) -> UsersFile:
    """Read the file.

    Raises:
        UsersError: it cannot be read, or is none.
        FileNotFoundError: it is not there.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise UsersError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return msgspec.json.decode(content, type=UsersFile)
    except msgspec.ValidationError as error:
        told = complaint(error, UsersFile, msgspec.json.decode(content))
        raise UsersError(f"{path}: {told}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsersError(f"{path}: expected a JSON object: {error}") from None


def encoded(users: Iterable[User]) -> bytes:
    """The content of the file."""
    file = UsersFile(users=tuple(users))
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


class Users:
    """The users as the file has them now."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            UsersError: it is not there, is none, or has no user.
        """
        self._path = path
        try:
            self._mark = self._seen()
            self._users = _by_name(read_users(path))
        except FileNotFoundError:
            self._users = {}
        if not self._users:
            raise UsersError(
                f"{path}: expected users, got none: "
                "make one with `bidwire desk-user EVENT.toml NAME --role director`"
            )

    def named(self, name: str) -> User | None:
        """The user of a name, however its letters are capitalised."""
        self._look()
        return self._users.get(name.strip().casefold())

    def _seen(self) -> tuple[int, int, int]:
        found = self._path.stat()
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _look(self) -> None:
        """Read the file again when it has changed; a broken one changes nothing."""
        try:
            if (mark := self._seen()) == self._mark:
                return
            self._mark = mark
            self._users = _by_name(read_users(self._path))
        except (OSError, UsersError) as error:
            LOG.warning("the users stay as they were: %s", error)


def _by_name(file: UsersFile) -> dict[str, User]:
    return {user.name.casefold(): user for user in file.users}
