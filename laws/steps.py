"""A happening with the number that names it."""

from dataclasses import dataclass

from laws.actions import Action


@dataclass(frozen=True, slots=True)
class Step:
    """One happening; ``line`` is its line in a table script, or its number, from 1."""

    line: int
    action: Action
