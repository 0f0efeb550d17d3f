"""The travellers of an event: what each side got at each table, before it is compared.

A result may come from the journal or over MQTT. Of several playings of a board at a
table in a round the last one with a score counts, result or adjustment; a board with
none is not played, and counts for nobody. Penalties count whatever became of the board.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from laws.duplicate_scoring import Score, plain, reversed_score, weighted
from laws.seats import Side
from protocol.payloads import TableResult
from protocol.scores import Artificial, SideScore

Given = Score | Artificial | None
"""What a side got, in points of its own; None is nothing at all."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a board's traveller: one playing at one table.

    Attributes:
        result: as the referee published it.
        ns: what North-South got.
        ew: what East-West got.
    """

    result: TableResult
    ns: Given
    ew: Given

    def given(self, side: Side) -> Given:
        """What a side got."""
        return self.ns if side is Side.NORTH_SOUTH else self.ew

    def pair(self, side: Side) -> str:
        """The pair's id; of a pair without one, its place at the table."""
        pairs = self.result.pairs
        pair = pairs.ns if side is Side.NORTH_SOUTH else pairs.ew
        return pair or f"{self.result.table} {side}"


@dataclass(frozen=True, slots=True)
class Row:
    """A line with what it was worth.

    Attributes:
        line: the line.
        ns: matchpoints, IMPs or points of North-South, None for nothing to compare.
        ew: the same for East-West.
    """

    line: Line
    ns: Fraction | None
    ew: Fraction | None

    def worth(self, side: Side) -> Fraction | None:
        """What the board was worth to a side."""
        return self.ns if side is Side.NORTH_SOUTH else self.ew


@dataclass(frozen=True, slots=True)
class Traveller:
    """All results of a board.

    Attributes:
        board: its number.
        rows: by table.
        top: the most matchpoints that it is worth; 0 where no matchpoints are counted.
        datums: the datum of each side, in points of North-South, of Butler scoring.
    """

    board: int
    rows: tuple[Row, ...]
    top: int = 0
    datums: tuple[int | None, int | None] = (None, None)


def lines_of(results: Iterable[TableResult]) -> list[Line]:
    """The lines that count, by board and table."""
    playings: dict[tuple[int, int, str], list[TableResult]] = defaultdict(list)
    for result in sorted(results, key=lambda r: r.play):
        playings[result.board, result.round, result.table].append(result)
    return [_line(_counting(playings[place])) for place in sorted(playings)]


def _counting(playings: Sequence[TableResult]) -> TableResult:
    """The playing that counts, with the penalties of all."""
    scored = [p for p in playings if p.score_ns is not None or p.adjustment is not None]
    last = (scored or playings)[-1]
    penalties = tuple(penalty for p in playings for penalty in p.penalties)
    return msgspec.structs.replace(last, penalties=penalties)


def _line(result: TableResult) -> Line:
    score = plain(result.score_ns) if result.score_ns is not None else None
    ns: Given = score
    ew: Given = reversed_score(score) if score is not None else None
    if result.adjustment is not None:
        if result.adjustment.ns is not None:
            ns = _adjusted(result.adjustment.ns)
        if result.adjustment.ew is not None:
            ew = _adjusted(result.adjustment.ew)
            ew = reversed_score(ew) if isinstance(ew, tuple) else ew
    return Line(result, ns, ew)


def _adjusted(given: SideScore) -> Score | Artificial:
    """An adjusted score, in points of North-South."""
    if given.artificial is not None:
        return given.artificial
    return weighted([(each.percent, each.score_ns) for each in given.outcomes])
