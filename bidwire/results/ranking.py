"""The ranking of a session: per direction, or of all together; ties share a place."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from bidwire.results.methods import Scoring
from bidwire.results.teams import Match
from bidwire.results.travellers import Traveller
from laws.seats import SIDES, Side
from protocol.payloads import Pairs
from protocol.scores import Penalty, PenaltyUnit


@dataclass(frozen=True, slots=True)
class Standing:
    """A contestant's place.

    Attributes:
        place: from 1; as many share it as are equal.
        tied: whether it is shared.
        contestant: id of the pair or team.
        boards: that it has a score for; of a team, matches.
        points: matchpoints, IMPs, victory points or points, before penalties.
        penalty: what penalties take away from them.
        maximum: the most that could be won; 0 where there is no such thing.
        imps: of a team, the IMPs behind its victory points, penalties taken away.
    """

    place: int
    tied: bool
    contestant: str
    boards: int
    points: Fraction
    penalty: Fraction
    maximum: Fraction
    imps: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        """The points that are left."""
        return self.points - self.penalty

    @property
    def percent(self) -> Fraction | None:
        """Per cent of the maximum."""
        return 100 * self.total / self.maximum if self.maximum else None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The contestants, best first.

    Attributes:
        side: that they sit in, None when all are ranked together.
        standings: of the contestants.
    """

    side: Side | None
    standings: tuple[Standing, ...]


@dataclass
class _Sum:
    boards: int = 0
    points: Fraction = Fraction(0)
    penalty: Fraction = Fraction(0)
    maximum: Fraction = Fraction(0)
    imps: Fraction = Fraction(0)
    sides: set[Side] = field(default_factory=set)


def rounded(number: Fraction) -> Decimal:
    """A number to two decimals, a 5 away from zero."""
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    return exact.quantize(Decimal("0.01"), ROUND_HALF_UP)


def rank_pairs(
    travellers: Iterable[Traveller], scoring: Scoring, seatings: Iterable[Pairs]
) -> tuple[Ranking, ...]:
    """The pairs, by direction where no pair ever changes it.

    Args:
        travellers: those that count.
        scoring: the method.
        seatings: who sits where in the whole event, as far as it is known.
    """
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for traveller in travellers:
        for row in traveller.rows:
            for side in SIDES:
                found = sums[row.line.pair(side)]
                found.sides.add(side)
                worth = row.worth(side)
                if worth is not None:
                    found.boards += 1
                    found.points += worth
                    found.maximum += traveller.top
            for penalty in row.line.result.penalties:
                taken = _taken(penalty, scoring, traveller.top)
                sums[row.line.pair(penalty.side)].penalty += taken or Fraction(0)
    for pairs in seatings:
        for side, pair in zip(SIDES, (pairs.ns, pairs.ew), strict=True):
            if pair in sums:
                sums[pair].sides.add(side)
    if any(len(each.sides) > 1 for each in sums.values()):
        return (Ranking(None, _ranked(sums)),)
    return tuple(
        Ranking(side, _ranked({p: s for p, s in sums.items() if side in s.sides}))
        for side in SIDES
    )


def _taken(penalty: Penalty, scoring: Scoring, top: int) -> Fraction | None:
    """What a penalty takes away by this method; None when it is of another one."""
    amount = Fraction(str(penalty.amount))
    if penalty.unit is PenaltyUnit.PERCENT and scoring is Scoring.MATCHPOINTS:
        return amount * top / 100
    if penalty.unit is PenaltyUnit.IMPS and scoring.counts_imps:
        return amount
    if penalty.unit is PenaltyUnit.VPS and scoring is Scoring.TEAMS:
        return amount
    return None


def unapplied(travellers: Iterable[Traveller], scoring: Scoring) -> tuple[str, ...]:
    """Penalties in a unit that the method does not count, for people."""
    return tuple(
        f"board {traveller.board}, table {row.line.result.table}: a penalty of"
        f" {penalty.amount:g} {penalty.unit} for {row.line.pair(penalty.side)} is not"
        f" in the ranking, which counts {scoring}"
        for traveller in travellers
        for row in traveller.rows
        for penalty in row.line.result.penalties
        if penalty.amount and _taken(penalty, scoring, traveller.top) is None
    )


def rank_teams(
    matches: Sequence[Match],
    travellers: Iterable[Traveller],
    teams: Mapping[str, str],
) -> tuple[Ranking, ...]:
    """The teams by victory points; penalties in IMPs count in their match."""
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for match in matches:
        if any(won is not None for won in match.boards.values()):
            for part in match.parts:
                found = sums[part.team]
                found.boards += 1
                found.points += part.vps
                found.imps += part.imps - part.penalty
    for traveller in travellers:
        for row in traveller.rows:
            for penalty in row.line.result.penalties:
                if penalty.unit is PenaltyUnit.VPS:
                    pair = row.line.pair(penalty.side)
                    amount = Fraction(str(penalty.amount))
                    sums[teams.get(pair, pair)].penalty += amount
    return (Ranking(None, _ranked(sums)),)


def _ranked(sums: Mapping[str, _Sum]) -> tuple[Standing, ...]:
    """Best first; who is equal to two decimals shares the place."""

    def value(found: _Sum) -> Decimal:
        total = found.points - found.penalty
        return rounded(100 * total / found.maximum if found.maximum else total)

    values = {name: value(found) for name, found in sums.items()}
    ordered = sorted(sums, key=lambda name: (-values[name], _in_order(name)))
    of_all = list(values.values())
    return tuple(
        Standing(
            place=1 + sum(other > values[name] for other in of_all),
            tied=of_all.count(values[name]) > 1,
            contestant=name,
            boards=sums[name].boards,
            points=sums[name].points,
            penalty=sums[name].penalty,
            maximum=sums[name].maximum,
            imps=sums[name].imps,
        )
        for name in ordered
    )


def _in_order(name: str) -> tuple[int, str]:
    """Ids in the order in which people count: 2 before 10."""
    return (int(name), "") if name.isascii() and name.isdigit() else (1 << 32, name)
