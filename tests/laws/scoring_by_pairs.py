"""Law 78 by its words: each score compared with each other one, outcome by outcome.

Of the same field ``laws.duplicate_scoring`` makes the same, without so many fractions.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from laws.duplicate_scoring import Score, imps, neuberg


def matchpoints(field: Sequence[Score], of: int) -> tuple[Fraction, ...]:
    """Two for each worse score, one for each equal one, factored (78A)."""
    worth = compared(field, lambda own, other: 2 * (own > other) + (own == other))
    return tuple(neuberg(points, len(field), of) for points in worth)


def cross_imps(field: Sequence[Score]) -> tuple[Fraction, ...]:
    """IMPs against every other score, on average (78B)."""
    worth = compared(field, lambda own, other: imps(own - other))
    return tuple(total / max(len(field) - 1, 1) for total in worth)


def compared(
    field: Sequence[Score], worth: Callable[[int, int], int]
) -> tuple[Fraction, ...]:
    """What each score is worth against all others together."""
    return tuple(
        sum(
            (
                mine * theirs * worth(points, against)
                for j, other in enumerate(field)
                if j != i
                for mine, points in own
                for theirs, against in other
            ),
            Fraction(0),
        )
        for i, own in enumerate(field)
    )
