"""What the boards of an event are worth, each pair compared with each other one.

``bidwire.results.pairs`` makes the same of the same lines, and counts where this
compares.
"""

from collections.abc import Sequence
from fractions import Fraction

from bidwire.results.methods import Scoring
from bidwire.results.travellers import Line
from laws.artificial_scores import artificial_imps, artificial_percent
from laws.seats import SIDES, Side
from protocol.scores import Artificial
from tests.laws import scoring_by_pairs

Worth = dict[tuple[int, Side], Fraction]
"""By the place of the line."""


def worth_of(lines: Sequence[Line], scoring: Scoring) -> Worth:
    """What each line is worth to each side, by matchpoints or cross-IMPs."""
    boards = {line.result.board for line in lines}
    given = {
        (board, side): [
            place
            for place, line in enumerate(lines)
            if line.result.board == board and line.given(side) is not None
        ]
        for board in boards
        for side in SIDES
    }
    most = max(map(len, given.values()), default=0)
    compared: Worth = {}
    for (_, side), places in given.items():
        scores = {
            place: score
            for place in places
            if isinstance(score := lines[place].given(side), tuple)
        }
        field = list(scores.values())
        if len(places) < 2:
            continue
        if scoring is Scoring.MATCHPOINTS:
            worth = scoring_by_pairs.matchpoints(field, most)
        else:
            worth = scoring_by_pairs.cross_imps(field)
        compared |= {
            (place, side): each for place, each in zip(scores, worth, strict=True)
        }
    top = 2 * (most - 1) if most > 1 else 0
    return compared | _artificial(lines, compared, scoring, top)


def _artificial(
    lines: Sequence[Line], compared: Worth, scoring: Scoring, top: int
) -> Worth:
    found: Worth = {}
    for place, line in enumerate(lines):
        for side in SIDES:
            given = line.given(side)
            if not isinstance(given, Artificial):
                continue
            won = [
                each
                for (other, its_side), each in compared.items()
                if lines[other].pair(its_side) == line.pair(side)
            ]
            mean = sum(won, Fraction(0)) / len(won) if won else None
            if scoring is Scoring.CROSS_IMPS:
                found[place, side] = artificial_imps(given, mean)
            elif top:
                percent = artificial_percent(given, mean and 100 * mean / top)
                found[place, side] = percent * top / 100
    return found
