"""Results as PBN 2.1: a game for each playing of a board, and the two score tables.

The first game of the file has the ``TotalScoreTable``, the first one of each board its
``ScoreTable``. An adjusted score has no place in PBN but a comment.
"""

from collections.abc import Sequence

from bidwire.records.export import PBN_HEADER, write_pbn, write_result
from bidwire.results.methods import Scoring
from bidwire.results.session import Session
from bidwire.results.telling import (
    adjusted,
    contract_of,
    declarer_of,
    number,
    percent,
    row_percent,
)
from bidwire.results.travellers import Line, Row, Traveller
from laws.board import dealer_of, vulnerable_of
from laws.seats import SIDES
from protocol.one_line import one_line

SCORING = {
    Scoring.MATCHPOINTS: "MP",
    Scoring.CROSS_IMPS: "IMP;Cross",
    Scoring.BUTLER: "IMP;Butler",
    Scoring.TEAMS: "IMP",
    Scoring.TOTAL_POINTS: "?",
}
"""The words of the tag ``Scoring``."""

_COUNTED = {Scoring.MATCHPOINTS: "MP", Scoring.TOTAL_POINTS: ""}
"""What the columns of points are called; IMPs where nothing else is said."""

Column = tuple[str, str]
"""Name and alignment, L or R."""


def results_pbn(session: Session) -> bytes:
    """The file."""
    games = [PBN_HEADER]
    total = _total_score_table(session)
    for traveller in session.travellers:
        sections = _score_table(session, traveller)
        for row in traveller.rows:
            games.append(_game(session, traveller, row, [*total, *sections]))
            total, sections = [], []
    return "".join(games).encode()


def _game(
    session: Session, traveller: Traveller, row: Row, sections: Sequence[str]
) -> str:
    state = session.material.state(row.line)
    tags = _tags(session, traveller, row)
    sections = [*sections, *_remark(row)]
    if state is not None:
        return write_pbn(state, tags=tags, sections=sections)
    return write_result(tags | _of_board(session, row), sections)


def _tags(session: Session, traveller: Traveller, row: Row) -> dict[str, str]:
    """What the board does not know of itself."""
    line, material = row.line, session.material
    day, names = material.played_on, material.names
    ns, ew = (line.pair(side) for side in SIDES)
    tags = {
        "Event": session.title,
        "Site": material.club or "?",
        "Board": str(line.result.board),
        "Scoring": SCORING[session.scoring],
        "Table": line.result.table,
        "PairNS": ns,
        "PairEW": ew,
    }
    if day is not None:
        tags["Date"] = f"{day:%Y.%m.%d}"
    if line.result.round:
        tags["Round"] = str(line.result.round)
    for seats, pair in [(("North", "South"), ns), (("East", "West"), ew)]:
        named = names.pairs.get(pair)
        tags |= dict(zip(seats, named.players if named else (), strict=False))
    counted = _COUNTED.get(session.scoring, "IMP")
    if row.ns is not None and counted:
        tags[f"Score{counted}"] = f"NS {number(row.ns)}"
    of_top = row_percent(traveller, row, SIDES[0])
    if of_top is not None:
        tags["ScorePercentage"] = f"NS {percent(of_top)}"
    return tags


def _of_board(session: Session, row: Row) -> dict[str, str]:
    """What a board that nobody has handed in says of itself."""
    line, board = row.line, row.line.result.board
    sides = [side.value for side in SIDES if side in vulnerable_of(board)]
    tags = {
        "Dealer": dealer_of(board).value,
        "Vulnerable": "All" if len(sides) == 2 else "".join(sides) or "None",
        "Deal": session.material.deals.get(board, ""),
        "Declarer": declarer_of(line),
        "Contract": contract_of(line),
        "Result": _tricks(line),
    }
    if line.result.score_ns is not None:
        tags["Score"] = f"NS {line.result.score_ns}"
    return tags


def _tricks(line: Line) -> str:
    """Tricks that declarer took; empty without a declarer."""
    tricks = line.result.declarer_tricks
    return str(tricks) if line.result.contract and tricks is not None else ""


def _remark(row: Row) -> list[str]:
    """The adjusted score, as a comment."""
    adjustment = row.line.result.adjustment
    if adjustment is None:
        return []
    ns, ew = (adjusted(row.line, side) or "as at the table" for side in SIDES)
    reason = f", {adjustment.reason}" if adjustment.reason else ""
    told = one_line(f"Adjusted score: NS {ns}; EW {ew}{reason}")
    return ["{" + told.replace("{", "(").replace("}", ")") + "}"]


def _score_table(session: Session, traveller: Traveller) -> list[str]:
    counted = _COUNTED.get(session.scoring, "IMP")
    columns: list[Column] = [
        *(("Table", "R"), ("Round", "R"), ("PairId_NS", "R"), ("PairId_EW", "R")),
        *(("Contract", "L"), ("Declarer", "R"), ("Result", "R")),
        *(("Score_NS", "R"), ("Score_EW", "R")),
    ]
    if counted:
        columns += [(f"{counted}_NS", "R"), (f"{counted}_EW", "R")]
    if traveller.top:
        columns += [("Percentage_NS", "R"), ("Percentage_EW", "R")]
    rows = []
    for row in traveller.rows:
        line, score = row.line, row.line.result.score_ns
        cells = [
            *(line.result.table, str(line.result.round or "")),
            *(line.pair(side) for side in SIDES),
            *(contract_of(line), declarer_of(line)),
            _tricks(line),
            *("" if score is None else str(each) for each in (score, -(score or 0))),
        ]
        if counted:
            cells += [number(row.worth(side)) for side in SIDES]
        if traveller.top:
            cells += [percent(row_percent(traveller, row, side)) for side in SIDES]
        rows.append(cells)
    return _table("ScoreTable", columns, rows)


def _total_score_table(session: Session) -> list[str]:
    teams = session.scoring is Scoring.TEAMS
    counted = "VP" if teams else _COUNTED.get(session.scoring, "IMP")
    columns: list[Column] = [
        *(("Rank", "R"), ("TeamId" if teams else "PairId", "R"), ("Direction", "L")),
        *((f"TotalScore{counted}", "R"), ("TotalPercentage", "R")),
        *(("NrBoards", "R"), ("Names", "L")),
    ]
    rows = [
        [
            *(str(each.place), each.contestant, ranking.side or ""),
            *(number(each.total), percent(each.percent), str(each.boards)),
            session.material.names.of(each.contestant),
        ]
        for ranking in session.rankings
        for each in ranking.standings
    ]
    return _table("TotalScoreTable", columns, rows) if rows else []


def _table(
    name: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]
) -> list[str]:
    """A table section: the columns with their widths, then the rows."""
    cells = [[_cell(text) for text in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    head = ";".join(
        f"{title}\\{width}{side}"
        for (title, side), width in zip(columns, widths, strict=True)
    )
    lines = [
        " ".join(
            text.ljust(width) if side == "L" else text.rjust(width)
            for text, width, (_, side) in zip(row, widths, columns, strict=True)
        ).rstrip()
        for row in cells
    ]
    return [f'[{name} "{head}"]', *lines]


def _cell(text: str) -> str:
    """A cell: ``-`` for nothing, in quotation marks where it has spaces."""
    told = one_line(text).translate(str.maketrans('"{}[];\\', "'()()./"))
    return f'"{told}"' if " " in told else told or "-"
