"""A club evening of two tables: event file, names and the journal."""

from pathlib import Path

from protocol.payloads import Pairs
from referee.journal_sqlite import SqliteJournal
from referee.settings import BoardSettings, Questions
from tests.referee.bench import DEAL, Bench, settings

EVENT = """\
names = "friday.names.toml"

[event]
id = "friday"
edition = "2017"
title = "Friday pairs"
club = "Riverside & Co"
club_number = "1234"
retention_days = 30

[broker]
embedded = true

[[tables]]
id = "t1"
[[tables.rounds]]
boards = "1-2"
ns = "1"
ew = "11"

[[tables]]
id = "t2"
[[tables.rounds]]
boards = "1-2"
ns = "2"
ew = "12"

[[terminals]]
id = "t1-console"
table = "t1"
seats = "NESW"
port = "/dev/ttyUSB0"

[[terminals]]
id = "t2-console"
table = "t2"
seats = "NESW"
port = "/dev/ttyUSB1"
"""

NAMES = """\
[pairs.1]
players = ["Ana {Peña}", "Bo <Li>"]
numbers = ["10234", ""]

[pairs.11]
players = ["Cy O'Hara", "Di \\"Dee\\" Roe"]
"""

INSUFFICIENT = ("N 1S", "E P", "S 1H", "W P", "N P", "E P")
PASSED_OUT = ("E P", "S P", "W P", "N P")


def table(number: int, *happenings: str) -> Bench:
    """A table that plays boards 1 and 2."""
    pairs = Pairs(str(number), str(number + 10))
    boards = [
        BoardSettings(number=1, deal=DEAL, round=1, pairs=pairs),
        BoardSettings(number=2, round=1, pairs=pairs),
    ]
    bench = Bench(settings(boards=boards, questions=Questions.ASSUME))
    bench.does(*happenings)
    return bench


def claimed(tricks: int) -> tuple[str, ...]:
    """West leads, declarer South claims."""
    return ("W HA", f"S claim {tricks}", "W agree", "E agree")


def write_journal(path: Path, tables: dict[str, Bench]) -> None:
    with SqliteJournal(path, "friday") as journal:
        epoch, number = journal.take_epoch(), 0
        for name, bench in tables.items():
            number = journal.append(epoch, number, [(name, e) for e in bench.entries])
