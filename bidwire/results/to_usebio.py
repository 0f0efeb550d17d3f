"""Results as USEBIO 1.2, the XML that clubs send to their federations (usebio.org).

Pairs get a ``BOARD`` with its ``TRAVELLER_LINE``s, teams a ``MATCH`` with its boards.
Hands travel in PBN. A score that is neither one number nor artificial has no place
there: the line then has an empty ``SCORE``, and its points say what it was worth.
"""

from collections.abc import Iterable
from importlib.metadata import version
from xml.etree import ElementTree as ET

from bidwire.results.methods import Scoring
from bidwire.results.ranking import Ranking, Standing
from bidwire.results.session import Session
from bidwire.results.teams import Match
from bidwire.results.telling import (
    adjusted,
    contract_of,
    declarer_of,
    number,
    percent,
)
from bidwire.results.travellers import Line, Row, Traveller
from laws.artificial_scores import PERCENT
from laws.seats import SIDES, Side
from laws.state import State
from protocol.one_line import one_line

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE USEBIO PUBLIC "-//EBU//DTD USEBIO 1.2//EN"'
    ' "http://www.usebio.org/files/usebio_v1_2.dtd">\n'
)

METHODS = {
    Scoring.MATCHPOINTS: "MATCH_POINTS",
    Scoring.CROSS_IMPS: "CROSS_IMPS",
    Scoring.BUTLER: "BUTLER_IMPS",
    Scoring.TEAMS: "IMPS",
    Scoring.TOTAL_POINTS: "AGGREGATE",
}
"""``BOARD_SCORING_METHOD``."""

_POINTS = {
    Scoring.MATCHPOINTS: "MATCH_POINTS",
    Scoring.CROSS_IMPS: "CROSS_IMP_POINTS",
    Scoring.BUTLER: "CROSS_IMP_POINTS",
}
"""Elements of a line that say what it was worth, after ``NS_`` and ``EW_``."""

NOBODY = "?"
"""Stands for a player whose name is not known, or was erased."""


def results_usebio(session: Session) -> bytes:
    """The file."""
    root = ET.Element("USEBIO", Version="1.2")
    club = _add(root, "CLUB")
    _add(club, "CLUB_NAME", session.material.club or session.title)
    _add(club, "CLUB_ID_NUMBER", session.material.club_number)
    teams = session.scoring is Scoring.TEAMS
    event = _add(root, "EVENT")
    event.set("EVENT_TYPE", "SWISS_TEAMS" if teams else "PAIRS")
    _describe(event, session)
    participants = _add(event, "PARTICIPANTS")
    for ranking in session.rankings:
        for standing in ranking.standings:
            add = _team if teams else _pair
            add(participants, session, ranking, standing)
    if teams:
        for match in session.matches:
            _match(event, session, match)
    else:
        for traveller in session.travellers:
            _board(event, session, traveller)
    ET.indent(root)
    return HEAD.encode() + ET.tostring(root, "unicode").encode() + b"\n"


def _add(parent: ET.Element, name: str, text: object = None) -> ET.Element:
    element = ET.SubElement(parent, name)
    if text is not None:
        element.text = one_line(str(text))
    return element


def _describe(event: ET.Element, session: Session) -> None:
    day = session.material.played_on
    boards = {each.board for each in session.travellers}
    _add(event, "PROGRAM_NAME", "Bidwire")
    _add(event, "PROGRAM_VERSION", version("bidwire"))
    _add(event, "EVENT_DESCRIPTION", session.title)
    _add(event, "DATE", f"{day:%d/%m/%Y}" if day is not None else "")
    _add(event, "WINNER_TYPE", max(len(session.rankings), 1))
    _add(event, "BOARD_SCORING_METHOD", METHODS[session.scoring])
    if session.scoring is Scoring.TEAMS:
        _add(event, "MATCH_SCORING_METHOD", "VPS")
    _add(event, "BOARDS_PLAYED", len(boards))


def _pair(
    participants: ET.Element, session: Session, ranking: Ranking, standing: Standing
) -> None:
    pair = _add(participants, "PAIR")
    _add(pair, "PAIR_NUMBER", standing.contestant)
    if ranking.side is not None:
        _add(pair, "DIRECTION", ranking.side)
    _add(pair, "BOARDS_PLAYED", standing.boards)
    _players(pair, session, [standing.contestant])
    _placed(pair, standing)


def _team(
    participants: ET.Element, session: Session, _ranking: Ranking, standing: Standing
) -> None:
    name = standing.contestant
    team = _add(participants, "TEAM")
    team.set("TEAM_ID", one_line(name))
    team.set("TEAM_NAME", one_line(name))
    pairs = [pair for pair, its in session.material.teams.items() if its == name]
    _players(team, session, pairs or [name])
    _placed(team, standing)


def _players(contestant: ET.Element, session: Session, pairs: Iterable[str]) -> None:
    for pair in pairs:
        named = session.material.names.pairs.get(pair)
        players = named.players if named is not None else (NOBODY, NOBODY)
        for place, name in enumerate(players):
            player = _add(contestant, "PLAYER")
            _add(player, "PLAYER_NAME", name)
            if named is not None and named.number(place):
                _add(player, "NATIONAL_ID_NUMBER", named.number(place))


def _placed(contestant: ET.Element, standing: Standing) -> None:
    _add(contestant, "PLACE", f"{standing.place}{'=' if standing.tied else ''}")
    _add(contestant, "TOTAL_SCORE", number(standing.total))
    if standing.percent is not None:
        _add(contestant, "PERCENTAGE", percent(standing.percent))


def _board(event: ET.Element, session: Session, traveller: Traveller) -> None:
    board = _add(event, "BOARD")
    _add(board, "BOARD_NUMBER", traveller.board)
    for row in traveller.rows:
        line = _add(board, "TRAVELLER_LINE")
        _add(line, "NS_PAIR_NUMBER", row.line.pair(SIDES[0]))
        _add(line, "EW_PAIR_NUMBER", row.line.pair(SIDES[1]))
        _result(line, row.line, session.material.state(row.line))
        points = _POINTS.get(session.scoring)
        for side in SIDES:
            worth = row.worth(side)
            if points is not None and worth is not None:
                _add(line, f"{side}_{points}", number(worth))


def _match(event: ET.Element, session: Session, match: Match) -> None:
    element = _add(event, "MATCH")
    one, other = match.parts
    _add(element, "ROUND_NUMBER", match.round)
    _add(element, "TEAM", one.team)
    _add(element, "OPPOSING_TEAM", other.team)
    _add(element, "START_BOARD_NUMBER", min(match.boards))
    _add(element, "END_BOARD_NUMBER", max(match.boards))
    _add(element, "TEAM_SCORE", number(one.vps))
    _add(element, "OPPOSING_TEAM_SCORE", number(other.vps))
    for number_of, won in match.boards.items():
        board = _add(element, "BOARD")
        _add(board, "BOARD_NUMBER", number_of)
        _add(board, "IMPS", number(won[0]) if won is not None else "")
        for row in _rows(session, match, number_of):
            line = _add(board, "TRAVELLER_LINE")
            _add(line, "DIRECTION", _side_of(session, row.line, one.team))
            _result(line, row.line, session.material.state(row.line))


def _rows(session: Session, match: Match, board: int) -> Iterable[Row]:
    teams = {part.team for part in match.parts}
    return (
        row
        for traveller in session.travellers
        for row in traveller.rows
        if traveller.board == board
        and row.line.result.round == match.round
        and {session.material.team(row.line.pair(side)) for side in SIDES} == teams
    )


def _side_of(session: Session, line: Line, team: str) -> Side:
    """Where a team sits at the table of a line."""
    ns, ew = SIDES
    return ns if session.material.team(line.pair(ns)) == team else ew


def _result(element: ET.Element, line: Line, state: State | None) -> None:
    result = line.result
    _add(element, "CONTRACT", contract_of(line).upper())
    _add(element, "PLAYED_BY", declarer_of(line))
    _add(element, "LEAD", _lead(state))
    _add(element, "TRICKS", "" if result.contract is None else result.declarer_tricks)
    _add(element, "SCORE", _score(line))


def _score(line: Line) -> str:
    """The score of North-South; ``A6040`` for an artificial one of each side."""
    given = [adjusted(line, side) for side in SIDES]
    if not any(given):
        score = line.result.score_ns
        return "" if score is None else str(score)
    if all(each in PERCENT for each in given):
        return "A" + "".join(str(PERCENT[each]) for each in given)
    both = set(given)
    return both.pop() if len(both) == 1 and " " not in given[0] else ""


def _lead(state: State | None) -> str:
    """The opening lead, suit first; empty where it is not known."""
    play = state.play if state is not None else None
    tricks = (*play.tricks, play.current) if play is not None else ()
    first = [played.card for trick in tricks for played in trick.cards][:1]
    return str(first[0]) if first else ""
