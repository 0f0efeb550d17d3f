"""Results of an event, written by hand."""

from collections.abc import Iterable

from bidwire.results.methods import Scoring
from bidwire.results.session import Material, Session, score
from laws.seats import Seat, Side
from protocol.payloads import Contract, Pairs, TableResult
from protocol.scores import Adjustment, Artificial, Outcome, Penalty, SideScore

PLUS, AVERAGE, MINUS = (SideScore(artificial=award) for award in Artificial)


def assigned(*outcomes: tuple[int, int]) -> SideScore:
    """A side's assigned score of outcomes as per cent and points of North-South."""
    return SideScore(outcomes=tuple(Outcome(s, p) for p, s in outcomes))


def both(side_score: SideScore, other: SideScore | None = None) -> Adjustment:
    return Adjustment(ns=side_score, ew=other or side_score, reason="hesitation")


def result(  # noqa: PLR0913 - what differs from result to result
    table: str,
    ns: str,
    ew: str,
    score_ns: int | None,
    *,
    board: int = 1,
    round_number: int = 1,
    play: int = 1,
    adjustment: Adjustment | None = None,
    penalties: Iterable[Penalty] = (),
) -> TableResult:
    """A result; contract and tricks are the same whatever was scored."""
    played = score_ns is not None
    return TableResult(
        session="s",
        table=table,
        play=play,
        round=round_number,
        board=board,
        pairs=Pairs(ns, ew),
        contract=Contract(4, "H", "", Seat.SOUTH) if played else None,
        tricks=dict.fromkeys(Side, 0),
        declarer_tricks=10 if played else None,
        score_ns=score_ns,
        adjustment=adjustment,
        penalties=tuple(penalties),
    )


def scored(
    *results: TableResult, scoring: Scoring = Scoring.MATCHPOINTS, **more: object
) -> Session:
    material = Material(event="friday", results=results, scoring=scoring)
    for name, value in more.items():
        object.__setattr__(material, name, value)
    return score(material)


def worths(session: Session, board: int = 1) -> list[tuple[float | None, ...]]:
    """What a board was worth to the pairs, by table."""
    (traveller,) = (t for t in session.travellers if t.board == board)
    return [
        tuple(None if w is None else float(w) for w in (row.ns, row.ew))
        for row in traveller.rows
    ]


def places(session: Session) -> list[list[tuple[int, str]]]:
    """Place and id, by ranking."""
    return [
        [(each.place, each.contestant) for each in ranking.standings]
        for ranking in session.rankings
    ]
