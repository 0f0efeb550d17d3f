"""Deals that a Director gives the desk as a file, for boards still to be played."""

from bidwire.desk.complaints import remark_of
from bidwire.records import Record, RecordError, read_text
from bidwire.records.scan import decode
from desk.tools import BoardDeal, DealFile
from laws.board import format_deal

WRONG_MAX = 20
"""Complaints that are told; the rest of a file that is none would say the same."""


def read_deals(name: str, data: bytes) -> DealFile:
    """The deals of a file, or what is wrong with it, each with its line.

    Args:
        name: of the file, which tells the format: PBN, or LIN.
        data: its bytes; any are taken.
    """
    deals: dict[int, BoardDeal] = {}
    wrong: list[str] = []
    for record in read_text(name, decode(data)):
        if isinstance(record, RecordError):
            wrong.append(str(record))
        elif isinstance(record, Record):
            found = _deal(record)
            if isinstance(found, str):
                wrong.append(f"{name}:{record.line}: {found}")
                continue
            before = deals.setdefault(found.board, found)
            if before.deal != found.deal:
                wrong.append(
                    f"{name}:{found.line}: expected one deal for board {found.board},"
                    f" got another than on line {before.line}"
                )
    if not deals and not wrong:
        wrong.append(f"{name}: expected deals in PBN, got none")
    if wrong:
        return DealFile(name, wrong=tuple(map(remark_of, wrong[:WRONG_MAX])))
    return DealFile(name, deals=tuple(deals[board] for board in sorted(deals)))


def _deal(record: Record) -> BoardDeal | str:
    """The deal of a record, or what it lacks."""
    board = record.board
    if not (board.isascii() and board.isdecimal() and len(board) <= 4 and int(board)):
        return f"expected the number of a board, got {board!r}"
    if record.hands is None:
        return f"expected the four hands of board {board}, got none"
    return BoardDeal(int(board), format_deal(record.hands), record.line)
