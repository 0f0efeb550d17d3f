"""Matches of two teams: the two tables at which they play the same boards (Law 78B).

An artificial score at a table decides the board for the team that got it; what the
other table made of it then counts for nobody.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from bidwire.results.travellers import Line, Row, Traveller
from laws.artificial_scores import artificial_imps
from laws.duplicate_scoring import Score, team_imps, victory_points
from laws.seats import SIDES, Side
from protocol.scores import Artificial, PenaltyUnit


@dataclass(frozen=True, slots=True)
class Part:
    """What one team has of a match.

    Attributes:
        team: its id.
        imps: for all boards, before penalties.
        penalty: IMPs taken away from it.
        vps: victory points for the rest.
    """

    team: str
    imps: Fraction
    penalty: Fraction
    vps: Fraction


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a round; None for a board that one table has not played.

    Attributes:
        round: its number, 0 when the event has none.
        parts: the teams.
        boards: IMPs of the first and the second team by board.
    """

    round: int
    parts: tuple[Part, Part]
    boards: Mapping[int, tuple[Fraction, Fraction] | None]


class NoSuchTeamError(ValueError):
    """A line cannot be scored for teams: says why."""


def score_teams(
    lines: Iterable[Line], teams: Mapping[str, str]
) -> tuple[tuple[Traveller, ...], tuple[Match, ...]]:
    """The travellers of all boards, and the matches.

    Args:
        lines: all of the event, in the order of the boards.
        teams: a pair's team; a pair that is not named is a team by its own id.

    Raises:
        NoSuchTeamError: a pair plays against its own team.
    """
    tables: dict[tuple[int, frozenset[str], int], list[Line]] = defaultdict(list)
    for line in lines:
        sides = frozenset(_team(line, side, teams) for side in SIDES)
        if len(sides) == 1:
            result = line.result
            raise NoSuchTeamError(
                f"board {result.board} at table {result.table}: expected two teams,"
                f" got {next(iter(sides))} twice"
            )
        tables[line.result.round, sides, line.result.board].append(line)
    rows: dict[int, list[Row]] = defaultdict(list)
    matches: dict[tuple[int, frozenset[str]], dict[int, tuple[Line, ...]]] = {}
    for (number, sides, board), played in tables.items():
        matches.setdefault((number, sides), {})[board] = tuple(played)
        won = {team: _board_imps(played, team, teams) for team in sides}
        rows[board] += (
            Row(line, *(won[_team(line, side, teams)] for side in SIDES))
            for line in played
        )
    return (
        tuple(Traveller(board, tuple(rows[board])) for board in sorted(rows)),
        tuple(
            _match(number, sorted(sides), boards, teams)
            for (number, sides), boards in sorted(
                matches.items(), key=lambda each: (each[0][0], sorted(each[0][1]))
            )
        ),
    )


def _team(line: Line, side: Side, teams: Mapping[str, str]) -> str:
    pair = line.pair(side)
    return teams.get(pair, pair)


def _board_imps(
    played: Iterable[Line], team: str, teams: Mapping[str, str]
) -> Fraction | None:
    """IMPs of a team for a board; None before both tables have played it."""
    scores: dict[Side, Score] = {}
    awards: list[Artificial] = []
    for line in played:
        for side in SIDES:
            given = line.given(side)
            if _team(line, side, teams) != team or given is None:
                continue
            if isinstance(given, tuple):
                scores[side] = given
            else:
                awards.append(given)
    if awards:
        worth = [artificial_imps(award, None) for award in awards]
        return sum(worth, Fraction(0)) / len(worth)
    if len(scores) < len(SIDES):
        return None
    return team_imps(*(scores[side] for side in SIDES))


def _match(
    number: int,
    sides: list[str],
    boards: Mapping[int, tuple[Line, ...]],
    teams: Mapping[str, str],
) -> Match:
    won = {
        board: _both(*(_board_imps(played, team, teams) for team in sides))
        for board, played in boards.items()
    }
    scored = [each for each in won.values() if each is not None]
    one, other = (
        _part(
            team,
            sum((each[at] for each in scored), Fraction(0)),
            _penalty(boards.values(), team, teams),
            len(scored),
        )
        for at, team in enumerate(sides)
    )
    return Match(number, (one, other), won)


def _both(
    ours: Fraction | None, theirs: Fraction | None
) -> tuple[Fraction, Fraction] | None:
    return None if ours is None or theirs is None else (ours, theirs)


def _part(team: str, imps: Fraction, penalty: Fraction, boards: int) -> Part:
    vps = victory_points(imps - penalty, boards) if boards else Fraction(0)
    return Part(team, imps, penalty, vps)


def _penalty(
    boards: Iterable[Iterable[Line]], team: str, teams: Mapping[str, str]
) -> Fraction:
    """IMPs that penalties take away from a team in a match."""
    amounts = (
        Fraction(str(each.amount))
        for played in boards
        for line in played
        for each in line.result.penalties
        if each.unit is PenaltyUnit.IMPS and _team(line, each.side, teams) == team
    )
    return sum(amounts, Fraction(0))
