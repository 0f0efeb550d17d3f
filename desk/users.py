"""The users of the desk: a file that ``bidwire desk-user`` writes.

It is read again when it has changed, so that a user who is removed, or gets another
role or password, is so at once. One that is gone or broken, as while somebody edits it,
removes nobody.
"""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from broker.settings_file import SettingsError, read_settings
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


def read_users(path: Path) -> tuple[User, ...]:
    """The users of a file; none of one that is not there yet.

    Raises:
        SettingsError: it cannot be read, or is none.
    """
    return read_settings(path, UsersFile).users if path.exists() else ()


def encoded(users: Iterable[User]) -> bytes:
    """The content of the file."""
    file = UsersFile(users=tuple(users))
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


class Users:
    """The users as the file has them now."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            SettingsError: it is none, or has no user.
        """
        self._path = path
        self._mark = self._seen()
        self._users = _by_name(read_users(path))
        if not self._users:
            raise SettingsError(
                f"{path}: expected users, got none: "
                "make one with `bidwire desk-user EVENT.toml NAME --role director`"
            )

    def named(self, name: str) -> User | None:
        """The user of a name, however its letters are capitalised."""
        self._look()
        return self._users.get(name.strip().casefold())

    def _seen(self) -> tuple[int, int, int]:
        """What changes when the file does; nothing of one that is gone."""
        try:
            found = self._path.stat()
        except OSError:
            return 0, 0, 0
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _look(self) -> None:
        """Read the file again when it has changed; told once if it cannot be."""
        if (mark := self._seen()) == self._mark:
            return
        self._mark = mark
        try:
            self._users = _by_name(read_settings(self._path, UsersFile).users)
        except SettingsError as error:
            LOG.warning("the users stay as they were: %s", error)


def _by_name(users: Iterable[User]) -> dict[str, User]:
    return {user.name.casefold(): user for user in users}
