"""A scored session as the desk shows it."""

from bidwire.desk.complaints import remark_of
from bidwire.results.ranking import Standing
from bidwire.results.session import Session
from bidwire.results.teams import Match
from bidwire.results.telling import number, percent, row_percent
from bidwire.results.travellers import Row, Traveller
from desk import tools
from laws.seats import SIDES


def told_scores(session: Session) -> tools.Scores:
    """The whole session."""
    return tools.Scores(
        scoring=session.scoring.value,
        rankings=tuple(
            tools.Ranking(
                ranking.side, tuple(_standing(session, s) for s in ranking.standings)
            )
            for ranking in session.rankings
        ),
        travellers=tuple(_traveller(session, each) for each in session.travellers),
        matches=tuple(_match(each) for each in session.matches),
        remarks=tuple(map(remark_of, session.remarks)),
    )


def _standing(session: Session, standing: Standing) -> tools.Standing:
    return tools.Standing(
        place=f"{standing.place}{'=' if standing.tied else ''}",
        contestant=session.material.names.told(standing.contestant),
        boards=standing.boards,
        total=number(standing.total),
        penalty=number(standing.penalty) if standing.penalty else "",
        percent=percent(standing.percent),
        imps=number(standing.imps),
    )


def _traveller(session: Session, traveller: Traveller) -> tools.Traveller:
    datums = [str(datum) for datum in traveller.datums if datum is not None]
    return tools.Traveller(
        traveller.board,
        tuple(_row(session, traveller, row) for row in traveller.rows),
        " / ".join(dict.fromkeys(datums)),
    )


def _row(session: Session, traveller: Traveller, row: Row) -> tools.TravellerRow:
    ns, ew = SIDES
    names = session.material.names
    return tools.TravellerRow(
        result=row.line.result,
        ns=names.told(row.line.pair(ns)),
        ew=names.told(row.line.pair(ew)),
        points=(number(row.ns), number(row.ew)),
        percent=(
            percent(row_percent(traveller, row, ns)),
            percent(row_percent(traveller, row, ew)),
        ),
    )


def _match(match: Match) -> tools.Match:
    one, other = (
        tools.MatchTeam(part.team, number(part.imps - part.penalty), number(part.vps))
        for part in match.parts
    )
    return tools.Match(
        match.round,
        (one, other),
        tuple(
            (board, number(won[0]), number(won[1])) if won else (board, "", "")
            for board, won in match.boards.items()
        ),
    )
