"""A scored session: what all exports are written from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from bidwire.results.methods import Scoring
from bidwire.results.names import Names
from bidwire.results.pairs import score_pairs
from bidwire.results.ranking import Ranking, rank_pairs, rank_teams, unapplied
from bidwire.results.teams import Match, score_teams
from bidwire.results.travellers import Line, Traveller, lines_of
from laws.state import State
from protocol.payloads import Pairs, TableResult


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to score.

    Attributes:
        event: its id.
        title: its name; empty: the id.
        club: who holds it.
        club_number: of the club at its federation.
        results: from the journal, or as published by the referee.
        scoring: the method.
        teams: a pair's team; a pair that is not named is a team by its own id.
        names: of the players.
        seatings: who sits where in the whole event, as far as it is known.
        deals: hands by board in PBN, as far as they are known.
        states: boards as they were judged, by table and playing, where they are known.
        played_on: the day of the last happening.
    """

    event: str
    results: tuple[TableResult, ...]
    title: str = ""
    club: str = ""
    club_number: str = ""
    scoring: Scoring = Scoring.MATCHPOINTS
    teams: Mapping[str, str] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    seatings: tuple[Pairs, ...] = ()
    deals: Mapping[int, str] = field(default_factory=dict)
    states: Mapping[tuple[str, int], State] = field(default_factory=dict)
    played_on: date | None = None

    def team(self, pair: str) -> str:
        """The team of a pair."""
        return self.teams.get(pair, pair)

    def state(self, line: Line) -> State | None:
        """The judged board of a line, where it is known."""
        return self.states.get((line.result.table, line.result.play))


@dataclass(frozen=True, slots=True)
class Session:
    """A scored session, or a part of it.

    Attributes:
        material: what it was scored from.
        travellers: by board.
        rankings: by direction, or one of all; none of a single board.
        matches: of teams.
        remarks: what is not in the ranking, for people.
    """

    material: Material
    travellers: tuple[Traveller, ...]
    rankings: tuple[Ranking, ...]
    matches: tuple[Match, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The event's name for people."""
        return self.material.title or self.material.event

    @property
    def scoring(self) -> Scoring:
        """The method."""
        return self.material.scoring


class NothingPlayedError(ValueError):
    """There is no such result: says which there are."""


def score(material: Material, *, board: int = 0, round_number: int = 0) -> Session:
    """Score a session.

    Every board is compared across all tables that played it; what is asked for only
    chooses which results are shown and ranked.

    Args:
        material: what there is.
        board: only this one, without a ranking; 0 is all.
        round_number: only what was played in this round; 0 is all.

    Raises:
        NothingPlayedError: nothing of it has been played.
        NoSuchTeamError: a pair plays against its own team.
    """
    lines = lines_of(material.results)
    _check(lines, board, round_number)
    matches: tuple[Match, ...] = ()
    if material.scoring is Scoring.TEAMS:
        travellers, matches = score_teams(lines, material.teams)
    else:
        travellers = score_pairs(lines, material.scoring)
    travellers = tuple(_only(travellers, board, round_number))
    matches = tuple(m for m in matches if round_number in {0, m.round})
    if board:
        rankings: tuple[Ranking, ...] = ()
        matches = ()
    elif material.scoring is Scoring.TEAMS:
        rankings = rank_teams(matches, travellers, material.teams)
    else:
        rankings = rank_pairs(travellers, material.scoring, material.seatings)
    remarks = unapplied(travellers, material.scoring)
    return Session(material, travellers, rankings, matches, remarks)


def _check(lines: Iterable[Line], board: int, round_number: int) -> None:
    boards = sorted({line.result.board for line in lines})
    rounds = sorted({line.result.round for line in lines})
    for option, asked, known in [
        ("--board", board, boards),
        ("--round", round_number, rounds),
    ]:
        if asked and asked not in known:
            there = ", ".join(map(str, known)) or "nothing yet"
            raise NothingPlayedError(f"{option}: expected one of {there}, got {asked}")


def _only(
    travellers: Iterable[Traveller], board: int, round_number: int
) -> Iterable[Traveller]:
    for each in travellers:
        if board not in {0, each.board}:
            continue
        rows = tuple(
            row for row in each.rows if round_number in {0, row.line.result.round}
        )
        if rows:
            yield Traveller(each.board, rows, each.top, each.datums)
