"""The language of a page: the user's, else one that the browser asks for."""

from desk.catalogue import LANGUAGES
from desk.users import User


def language_of(user: User | None, accepted: str) -> str:
    """The language for a user, or for who has not logged in.

    Args:
        user: None before he has logged in.
        accepted: the browser's ``Accept-Language``.
    """
    if user is not None and user.language in LANGUAGES:
        return user.language
    asked = (_weighed(part) for part in accepted.split(","))
    for _, name in sorted(asked, key=lambda each: -each[0]):
        if name in LANGUAGES:
            return name
    return "en"


def _weighed(part: str) -> tuple[float, str]:
    """Weight and language of a part such as ``es-AR;q=0.8``."""
    name, _, weight = part.partition(";")
    try:
        value = float(weight.strip().removeprefix("q=")) if weight else 1.0
    except ValueError:
        value = 0.0
    return value, name.strip().lower().partition("-")[0]
