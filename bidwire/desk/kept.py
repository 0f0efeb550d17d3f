"""What was made last is kept, until what it was made from changes."""

from collections.abc import Callable
from typing import Generic, TypeVar

MOST = 8
"""Kept at once: the whole and some rounds, as Directors and as others see them."""

Made = TypeVar("Made")


class Kept(Generic[Made]):
    """The last few things that were made; of one thread alone.

    Example:
        scores = Kept[Scores]()
        scores.get(files, results, lambda: score(files, results))
    """

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self._basis: object = None
        self._made: list[tuple[object, Made]] = []

    def get(self, basis: object, asked: object, make: Callable[[], Made]) -> Made:
        """What was made of the same before, or what is made now.

        Args:
            basis: what everything is made from; all that came from another one is
                dropped, since it may hold a name that was erased.
            asked: what else this is made from.
            make: makes it; when it raises, nothing is kept.
        """
        if basis != self._basis:
            self._made.clear()
            self._basis = basis
        for place, (known, made) in enumerate(self._made):
            if known == asked:
                self._made.append(self._made.pop(place))
                return made
        made = make()
        self._made.append((asked, made))
        del self._made[:-MOST]
        return made
