"""Passwords: kept as argon2id hashes, never in clear."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST = 8
"""Characters of a password, at least."""

LONGEST = 256
"""Characters of a password, at most: argon2 takes its time for each."""

_HASHER = PasswordHasher()


class PasswordError(ValueError):
    """A password that cannot be one: says what was expected."""


def check_new_password(password: str) -> None:
    """Raise PasswordError for one that nobody should choose."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise PasswordError(
            f"expected a password of {SHORTEST} to {LONGEST} characters,"
            f" got {len(password)}"
        )


def hashed(password: str) -> str:
    """The argon2id hash of a password, with its salt and parameters."""
    return _HASHER.hash(password)


def is_hash(text: str) -> bool:
    """Whether a text is a hash of ours."""
    return text.startswith("$argon2id$")


def fits(password: str, kept: str | None) -> bool:
    """Whether a password is the one of a hash; takes a tenth of a second.

    It takes as long for a user who does not exist (None), so that nobody can tell from
    the time who does.
    """
    if len(password) > LONGEST:
        return False
    try:
        _HASHER.verify(kept or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _nobody() -> str:
    return hashed("nobody's password")
