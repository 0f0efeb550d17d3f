"""How the scores of a board compare: matchpoints, IMPs and total points (Law 78).

A side's pairs are compared with those that held the same cards: the *field*. A field is
a sequence of scores, each in points of the side that it belongs to. A score is one
result or, after an assigned adjusted score, several outcomes with their weights (12C1):
it then counts, for its own side and for everyone compared with it, the weighted mean of
what each outcome would count.

All results are exact: whoever shows them rounds.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

Score = tuple[tuple[Fraction, int], ...]
"""Outcomes as weight and points; the weights are 1 together."""

IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""Smallest difference in points that is worth 1, 2, … 24 IMPs (78B)."""

TRIMMED_FROM = 5
"""A field of so many scores or more loses its highest and lowest before the datum."""


_ONE = Fraction(1)


def plain(points: int) -> Score:
    """The score of a single result."""
    return ((_ONE, points),)


def weighted(outcomes: Sequence[tuple[int, int]]) -> Score:
    """The score of outcomes as weight, above 0, and points."""
    whole = sum(weight for weight, _ in outcomes)
    return tuple((Fraction(weight, whole), points) for weight, points in outcomes)


def reversed_score(score: Score) -> Score:
    """The same score for the other side."""
    return tuple((weight, -points) for weight, points in score)


def total_points(score: Score) -> Fraction:
    """Total points (78C): the points themselves."""
    return sum((weight * points for weight, points in score), Fraction(0))


def matchpoints(field: Sequence[Score], of: int | None = None) -> tuple[Fraction, ...]:
    """Matchpoints (78A): two for each worse score of the field, one for each equal one.

    Args:
        field: the scores.
        of: how many scores the board should have; when it has fewer, the rest being
            artificial or not there, the matchpoints are factored by Neuberg's formula.
    """
    scores = len(field)
    among = _Field(field)

    def beaten(points: int) -> int:
        return among.below(points) + among.up_to(points)

    # A score has found itself in the field, as its equal.
    return among.worth(beaten, lambda won: neuberg(won - 1, scores, of or scores))


def neuberg(points: Fraction, scores: int, of: int) -> Fraction:
    """Matchpoints among some scores as matchpoints among more (Neuberg's formula).

    The missing scores are taken to be spread like those that are there, so that the
    mean stays the average and a top among few is worth less than a top among many:
    ``of / scores * (points + 1) - 1``.
    """
    return Fraction(of, scores) * (points + 1) - 1


def imps(difference: int) -> int:
    """International matchpoints for a difference in points (78B)."""
    worth = bisect_right(IMP_STEPS, abs(difference))
    return worth if difference > 0 else -worth


def cross_imps(field: Sequence[Score]) -> tuple[Fraction, ...]:
    """IMPs against every other score of the field, on average; 0 without another."""
    others = max(len(field) - 1, 1)
    among = _Field(field)

    def won(points: int) -> int:
        """One for each step that another is below, less one for each it is above."""
        return (
            sum(
                among.up_to(points - step) + among.below(points + step)
                for step in IMP_STEPS
            )
            - len(IMP_STEPS) * among.all
        )

    # A score has found itself in the field too, at no IMPs.
    return among.worth(won, lambda total: total / others)


def datum(field: Sequence[Score]) -> int:
    """The mean of a field to the nearest 10, a 5 away from zero.

    The highest and the lowest score do not count in a field of ``TRIMMED_FROM``.
    """
    points = [total_points(score) for score in field]
    if len(points) >= TRIMMED_FROM:
        points.remove(max(points))
        points.remove(min(points))
    tens = sum(points, Fraction(0)) / (10 * len(points))
    size = math.floor(abs(tens) + Fraction(1, 2))
    return 10 * (size if tens > 0 else -size)


def butler(field: Sequence[Score]) -> tuple[Fraction, ...]:
    """IMPs against the datum of the field."""
    middle = datum(field)
    return tuple(
        sum((weight * imps(points - middle) for weight, points in score), Fraction(0))
        for score in field
    )


def team_imps(one: Score, other: Score) -> Fraction:
    """IMPs of a team for a board, from its scores at the two tables (78B)."""
    return _mean(one, other, lambda here, there: imps(here + there))


def victory_points(margin: Fraction, boards: int) -> Fraction:
    """Victory points, 0 to 20, for a margin in IMPs over so many boards.

    The continuous scale of the World Bridge Federation: the first IMPs are worth most,
    15 times the square root of the boards is worth all; to two decimals.
    """
    whole = 15 * math.sqrt(boards)
    golden = (math.sqrt(5) - 1) / 2
    share = min(float(abs(margin)) / whole, 1.0)
    won = 10 * (1 - golden ** (3 * share)) / (1 - golden**3)
    cents = Fraction(round(100 * won), 100)
    return 10 + cents if margin > 0 else 10 - cents


class _Field:
    """The points of a field in order, counted so that nothing is compared in pairs.

    Counted are parts of a score, as many to each as make all weights whole numbers.

    Attributes:
        all: the parts of the whole field.
    """

    def __init__(self, field: Sequence[Score]) -> None:
        self._parts = math.lcm(
            *{weight.denominator for score in field for weight, _ in score}
        )
        self._scores = [
            tuple(
                (weight.numerator * (self._parts // weight.denominator), points)
                for weight, points in score
            )
            for score in field
        ]
        counts: Counter[int] = Counter()
        for score in self._scores:
            for parts, points in score:
                counts[points] += parts
        self._points = sorted(counts)
        self._sums = (0, *accumulate(counts[points] for points in self._points))
        self.all = self._sums[-1]

    def below(self, points: int) -> int:
        """How many parts have fewer points."""
        return self._sums[bisect_left(self._points, points)]

    def up_to(self, points: int) -> int:
        """How many parts have so many points, or fewer."""
        return self._sums[bisect_right(self._points, points)]

    def worth(
        self, against_all: Callable[[int], int], made: Callable[[Fraction], Fraction]
    ) -> tuple[Fraction, ...]:
        """What each score is worth.

        Args:
            against_all: what an outcome has against the field, in parts of a score,
                by its points.
            made: what becomes of it.
        """
        of_points = {points: against_all(points) for points in self._points}
        of_score = {
            score: made(
                Fraction(
                    sum(parts * of_points[points] for parts, points in score),
                    self._parts**2,
                )
            )
            for score in set(self._scores)
        }
        return tuple(of_score[score] for score in self._scores)


def _mean(own: Score, other: Score, worth: Callable[[int, int], int]) -> Fraction:
    """What a score is worth against another, each outcome by its weight (12C1)."""
    return sum(
        (
            mine * theirs * worth(points, against)
            for mine, points in own
            for theirs, against in other
        ),
        Fraction(0),
    )
