"""The editions that ``bidwire rule`` judges by, as they are asked for."""

from enum import StrEnum

from laws.board import Edition


class Editions(StrEnum):
    """Laws to judge a script by."""

    LAWS_2007 = "2007"
    LAWS_2017 = "2017"
    BOTH = "both"


def editions_of(asked: Editions | None) -> tuple[Edition, ...]:
    """The editions to judge by; none leaves it to the script."""
    if asked is None:
        return ()
    return tuple(Edition) if asked is Editions.BOTH else (Edition(asked.value),)
