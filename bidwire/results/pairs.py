"""Pairs scored across the tables that played a board: matchpoints, IMPs, total points.

The pairs of each direction are a field of their own, so that a split score counts for
each side among those that held its cards. Artificial scores stand outside the field;
the others are then factored to what the board would be worth with all of them (78A,
Neuberg), or compared on average (78B).
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from bidwire.results.methods import Scoring
from bidwire.results.travellers import Line, Row, Traveller
from laws.artificial_scores import artificial_imps, artificial_percent
from laws.duplicate_scoring import (
    Score,
    butler,
    cross_imps,
    datum,
    matchpoints,
    total_points,
)
from laws.seats import SIDES, Side
from protocol.scores import Artificial

Worth = dict[tuple[int, Side], Fraction]
"""What a line was worth to a side, by its place in the list."""


def score_pairs(lines: Sequence[Line], scoring: Scoring) -> tuple[Traveller, ...]:
    """The travellers of all boards.

    Args:
        lines: all of the event, in the order of the boards.
        scoring: any but teams.
    """
    places: dict[int, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        places[line.result.board].append(place)
    counted = [
        sum(lines[place].given(side) is not None for place in board)
        for board in places.values()
        for side in SIDES
    ]
    most = max(counted, default=0)
    worth: Worth = {}
    for board in places.values():
        for side in SIDES:
            worth |= _field(lines, board, side, scoring, most)
    top = 2 * (most - 1) if scoring is Scoring.MATCHPOINTS and most > 1 else 0
    worth |= _artificial(lines, worth, scoring, top)
    return tuple(
        Traveller(
            board,
            tuple(
                Row(lines[i], worth.get((i, SIDES[0])), worth.get((i, SIDES[1])))
                for i in among
            ),
            top,
            _datums(lines, among) if scoring is Scoring.BUTLER else (None, None),
        )
        for board, among in places.items()
    )


def _field(
    lines: Sequence[Line], board: Sequence[int], side: Side, scoring: Scoring, most: int
) -> Worth:
    """What the scores of a side were worth among each other."""
    given = {place: lines[place].given(side) for place in board}
    scores = {i: each for i, each in given.items() if isinstance(each, tuple)}
    field = list(scores.values())
    if scoring is Scoring.TOTAL_POINTS:
        worth: Sequence[Fraction] = [total_points(score) for score in field]
    elif sum(each is not None for each in given.values()) < 2:
        return {}  # there is nothing to compare it with
    elif scoring is Scoring.MATCHPOINTS:
        worth = matchpoints(field, most)
    elif scoring is Scoring.CROSS_IMPS:
        worth = cross_imps(field)
    else:
        worth = butler(field) if field else ()
    return {(i, side): each for i, each in zip(scores, worth, strict=True)}


def _artificial(
    lines: Sequence[Line], worth: Worth, scoring: Scoring, top: int
) -> Worth:
    """What artificial scores are worth, after how the pair did on its other boards."""
    awarded = {
        (place, side): given
        for place, line in enumerate(lines)
        for side in SIDES
        if isinstance(given := line.given(side), Artificial)
    }
    others: dict[str, list[Fraction]] = {
        lines[place].pair(side): [] for place, side in awarded
    }
    for (place, side), each in worth.items():
        pair = lines[place].pair(side)
        if pair in others:
            others[pair].append(each)
    means = {
        pair: sum(won, Fraction(0)) / len(won) if won else None
        for pair, won in others.items()
    }
    found = {
        (place, side): _worth_of(given, means[lines[place].pair(side)], scoring, top)
        for (place, side), given in awarded.items()
    }
    return {at: points for at, points in found.items() if points is not None}


def _worth_of(
    given: Artificial, mean: Fraction | None, scoring: Scoring, top: int
) -> Fraction | None:
    if scoring.counts_imps:
        return artificial_imps(given, mean)
    if not top:
        return None  # total points know no average
    percent = artificial_percent(given, mean and 100 * mean / top)
    return percent * top / 100


def _datums(
    lines: Sequence[Line], board: Sequence[int]
) -> tuple[int | None, int | None]:
    """The datum of each side, in points of North-South."""
    fields: list[list[Score]] = [
        [each for i in board if isinstance(each := lines[i].given(side), tuple)]
        for side in SIDES
    ]
    ns, ew = (datum(field) if len(field) > 1 else None for field in fields)
    return ns, -ew if ew is not None else None
