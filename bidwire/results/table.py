"""Results as ``bidwire results`` shows them: ranking, travellers, matches."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bidwire.results.methods import Scoring
from bidwire.results.ranking import Ranking
from bidwire.results.session import Session
from bidwire.results.teams import Match
from bidwire.results.telling import (
    adjusted,
    contract_of,
    declarer_of,
    number,
    percent,
    row_percent,
)
from bidwire.results.travellers import Traveller
from laws.seats import SIDES

_UNITS = {
    Scoring.MATCHPOINTS: "MP",
    Scoring.TEAMS: "VP",
    Scoring.TOTAL_POINTS: "points",
}
"""What contestants are ranked by; IMPs where nothing else is said."""

_TITLES = {"NS": "North-South", "EW": "East-West"}


def drawn(session: Session) -> RenderableType:
    """The whole session, or the part that was asked for."""
    head = Text(f"{session.title}: {session.scoring}", "bold")
    return Group(head, *_parts(session))


def _parts(session: Session) -> Iterator[RenderableType]:
    for ranking in session.rankings:
        yield _ranking(session, ranking)
    for match in session.matches:
        yield _match(match)
    for traveller in session.travellers:
        yield _traveller(session, traveller)
    for remark in session.remarks:
        yield Text(remark, "yellow")


def _ranking(session: Session, ranking: Ranking) -> Table:
    unit = _UNITS.get(session.scoring, "IMP")
    title = _TITLES.get(ranking.side or "", "Ranking")
    table = _empty(
        title,
        *("place", ">"),
        *("team" if session.scoring is Scoring.TEAMS else "pair", "<"),
        *("matches" if session.scoring is Scoring.TEAMS else "boards", ">"),
        *(unit, ">"),
        *("penalty", ">"),
        *("IMP" if session.scoring is Scoring.TEAMS else "%", ">"),
    )
    for each in ranking.standings:
        table.add_row(
            f"{each.place}{'=' if each.tied else ''}",
            Text(session.material.names.told(each.contestant)),
            str(each.boards),
            number(each.total),
            number(-each.penalty) if each.penalty else "",
            number(each.imps)
            if session.scoring is Scoring.TEAMS
            else percent(each.percent),
        )
    return table


def _match(match: Match) -> Table:
    one, other = match.parts
    title = f"Round {match.round}" if match.round else "Match"
    table = _empty(title, "board", ">", one.team, ">", other.team, ">")
    for board, won in match.boards.items():
        cells = [number(each) for each in won] if won is not None else ["", ""]
        table.add_row(str(board), *cells)
    table.add_row("IMP", *(number(part.imps - part.penalty) for part in match.parts))
    table.add_row("VP", *(number(part.vps) for part in match.parts))
    return table


def _traveller(session: Session, traveller: Traveller) -> Table:
    titles = ["table", "<", "NS", "<", "EW", "<", "contract", "<", "by", "<"]
    titles += ["tricks", ">", "score", ">", "adjusted", "<"]
    titles += ["NS points", ">", "EW points", ">"]
    if traveller.top:
        titles += ["NS %", ">", "EW %", ">"]
    told = f"Board {traveller.board}"
    datums = [str(each) for each in traveller.datums if each is not None]
    if datums:
        told += f", datum {' / '.join(dict.fromkeys(datums))}"
    table = _empty(told, *titles)
    for row in traveller.rows:
        line, result = row.line, row.line.result
        given = [adjusted(line, side) for side in SIDES]
        cells = [
            result.table,
            *(session.material.names.told(line.pair(side)) for side in SIDES),
            contract_of(line) or "not played",
            declarer_of(line),
            str(result.declarer_tricks) if result.declarer_tricks is not None else "",
            str(result.score_ns) if result.score_ns is not None else "",
            " / ".join(each or "-" for each in given) if any(given) else "",
            *(number(row.worth(side)) for side in SIDES),
        ]
        if traveller.top:
            cells += [percent(row_percent(traveller, row, side)) for side in SIDES]
        table.add_row(*map(Text, cells))
    return table


def _empty(title: str, *columns: str) -> Table:
    """A table with its columns: title and ``<`` or ``>`` for its side, in turn."""
    table = Table(
        title=Text(title),
        box=None,
        pad_edge=False,
        header_style="bold",
        title_justify="left",
    )
    pairs: Sequence[tuple[str, str]] = list(
        zip(columns[::2], columns[1::2], strict=True)
    )
    for heading, side in pairs:
        justify = "left" if side == "<" else "right"
        table.add_column(Text(heading), justify=justify)  # type: ignore[arg-type]
    return table
