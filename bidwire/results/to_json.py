"""Results as one JSON object, ``bidwire.results/1``: ``docs/results.md``."""

from typing import Any

import msgspec

from bidwire.results.ranking import Standing
from bidwire.results.session import Session
from bidwire.results.teams import Match
from bidwire.results.telling import plain_number, row_percent
from bidwire.results.travellers import Row, Traveller
from laws.board import dealer_of, vulnerable_of
from laws.seats import SIDES

Plain = dict[str, Any]

SCHEMA = "bidwire.results/1"


def results_json(session: Session) -> bytes:
    """The whole session."""
    material = session.material
    plain = {
        "schema": SCHEMA,
        "event": material.event,
        "title": session.title,
        "scoring": session.scoring,
        "played_on": material.played_on,
        "boards": [_board(session, each) for each in session.travellers],
        "rankings": [
            {
                "direction": ranking.side,
                "standings": [_standing(session, s) for s in ranking.standings],
            }
            for ranking in session.rankings
        ],
        "matches": [_match(match) for match in session.matches],
        "remarks": session.remarks,
    }
    return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"


def _board(session: Session, traveller: Traveller) -> Plain:
    board, (ns, ew) = traveller.board, traveller.datums
    return {
        "board": board,
        "dealer": dealer_of(board),
        "vulnerable": [side for side in SIDES if side in vulnerable_of(board)],
        "deal": session.material.deals.get(board),
        "top": traveller.top or None,
        "datum": {"NS": ns, "EW": ew} if ns is not None or ew is not None else None,
        "results": [_row(traveller, row) for row in traveller.rows],
    }


def _row(traveller: Traveller, row: Row) -> Plain:
    result = row.line.result
    return {
        "table": result.table,
        "round": result.round,
        "play": result.play,
        "ns": row.line.pair(SIDES[0]),
        "ew": row.line.pair(SIDES[1]),
        "contract": result.contract,
        "tricks": result.declarer_tricks,
        "score_ns": result.score_ns,
        "adjustment": result.adjustment,
        "penalties": result.penalties,
        "points": {side: plain_number(row.worth(side)) for side in SIDES},
        "percent": {
            side: plain_number(row_percent(traveller, row, side)) for side in SIDES
        },
    }


def _standing(session: Session, standing: Standing) -> Plain:
    named = session.material.names.pairs.get(standing.contestant)
    return {
        "place": standing.place,
        "tied": standing.tied,
        "contestant": standing.contestant,
        "players": named.players if named is not None else (),
        "numbers": named.numbers if named is not None else (),
        "boards": standing.boards,
        "points": plain_number(standing.points),
        "penalty": plain_number(standing.penalty),
        "total": plain_number(standing.total),
        "maximum": plain_number(standing.maximum) or None,
        "percent": plain_number(standing.percent),
        "imps": plain_number(standing.imps),
    }


def _match(match: Match) -> Plain:
    return {
        "round": match.round,
        "teams": [
            {
                "team": part.team,
                "imps": plain_number(part.imps),
                "penalty": plain_number(part.penalty),
                "vps": plain_number(part.vps),
            }
            for part in match.parts
        ],
        "boards": [
            {
                "board": board,
                "imps": [plain_number(each) for each in won] if won else None,
            }
            for board, won in match.boards.items()
        ],
    }
