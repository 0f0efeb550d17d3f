"""An event for the desk's pages of it: its file, its deals, and what tables played."""

from pathlib import Path
from typing import Any

from laws.seats import Seat
from protocol.payloads import Contract, Pairs, TableResult, TableState
from tests.desk.rooms import state
from tests.referee.bench import DEAL

TABLES = ("a1", "a2")

EVENT = """\
[event]
id = "test"
edition = "2017"
{event}
[broker]
embedded = true
"""

TABLE = """
[[tables]]
id = "a{n}"
[[tables.rounds]]
boards = "1-2"
ns = "N{n}"
ew = "E{n}"
[[tables.rounds]]
boards = "3-4"
ns = "N{n}"
ew = "E{n}"

[[terminals]]
id = "a{n}-box"
table = "a{n}"
seats = "NESW"
port = "/dev/ttyUSB{n}"
"""


def write_event(folder: Path, event: str = 'rounds = "called"\n') -> Path:
    """An event file of two tables, which play boards 1 to 4 in two rounds."""
    path = folder / "event.toml"
    tables = "".join(TABLE.format(n=n) for n in (1, 2))
    path.write_text(EVENT.format(event=event) + tables, encoding="utf-8")
    return path


def pbn(*boards: int) -> str:
    """A file of deals."""
    return "".join(f'[Board "{board}"]\n[Deal "{DEAL}"]\n\n' for board in boards)


def at(**changes: Any) -> TableState:  # noqa: ANN401 - fields of the payload
    """A table in its second board of round 1 unless told otherwise."""
    fields = {"board": 2, "round": 1, "play": 2, "next_board": 3, "next_round": 2}
    return state(**(fields | changes))


def result(table: str, board: int, **changes: Any) -> TableResult:  # noqa: ANN401 - fields of the payload
    """Four spades made by South, for as much as the board's number is told to."""
    fields: dict[str, Any] = {
        "session": "r1",
        "table": table,
        "play": board,
        "round": 1 if board < 3 else 2,
        "board": board,
        "pairs": Pairs(ns=f"N{table[1:]}", ew=f"E{table[1:]}"),
        "contract": Contract(4, "S", "", Seat.SOUTH),
        "tricks": {},
        "declarer_tricks": 10,
        "score_ns": 420,
    }
    return TableResult(**(fields | changes))
