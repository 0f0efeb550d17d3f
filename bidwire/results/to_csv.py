"""Results as CSV (RFC 4180, UTF-8): the travellers, and the ranking.

``docs/results.md`` has the columns.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from bidwire.results.session import Session
from bidwire.results.telling import (
    adjusted,
    contract_of,
    declarer_of,
    number,
    percent,
    row_percent,
)
from bidwire.results.travellers import Row, Traveller
from laws.seats import SIDES

_FORMULA = re.compile(r"[=@\t\r].|[+-](?![0-9.]+\Z)", re.DOTALL)

TRAVELLER_COLUMNS = (
    *("event", "scoring", "board", "round", "table", "ns", "ew"),
    *("ns_players", "ew_players", "contract", "declarer", "tricks", "score_ns"),
    *("adjusted_ns", "adjusted_ew", "reason", "ns_points", "ew_points"),
    *("ns_percent", "ew_percent"),
)

RANKING_COLUMNS = (
    *("event", "scoring", "direction", "place", "tied", "contestant", "players"),
    *("boards", "points", "penalty", "total", "maximum", "percent", "imps"),
)


def travellers_csv(session: Session) -> bytes:
    """A line for each playing of a board."""
    rows = (
        _traveller_row(session, traveller, row)
        for traveller in session.travellers
        for row in traveller.rows
    )
    return _written(TRAVELLER_COLUMNS, rows)


def _traveller_row(session: Session, traveller: Traveller, row: Row) -> list[object]:
    line, names = row.line, session.material.names
    result, ns, ew = line.result, *(line.pair(side) for side in SIDES)
    adjustment = result.adjustment
    return [
        session.material.event,
        session.scoring,
        *(result.board, result.round, result.table, ns, ew),
        *(names.of(ns), names.of(ew)),
        *(contract_of(line), declarer_of(line), result.declarer_tricks),
        result.score_ns,
        *(adjusted(line, side) for side in SIDES),
        adjustment.reason if adjustment is not None else "",
        *(number(row.worth(side)) for side in SIDES),
        *(percent(row_percent(traveller, row, side)) for side in SIDES),
    ]


def ranking_csv(session: Session) -> bytes:
    """A line for each contestant."""
    names = session.material.names
    rows = (
        [
            session.material.event,
            session.scoring,
            ranking.side or "",
            *(each.place, "=" if each.tied else "", each.contestant),
            *(names.of(each.contestant), each.boards, number(each.points)),
            *(number(each.penalty), number(each.total), number(each.maximum)),
            *(percent(each.percent), number(each.imps)),
        ]
        for ranking in session.rankings
        for each in ranking.standings
    )
    return _written(RANKING_COLUMNS, rows)


def _written(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets an apostrophe."""
    is_formula = isinstance(value, str) and _FORMULA.match(value)
    return f"'{value}" if is_formula else value
