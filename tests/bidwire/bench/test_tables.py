"""``bidwire bench tables``: what it tells, and that nothing of its load is lost."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from bidwire.bench.largest import LIMIT_MS, largest
from bidwire.bench.load_event import (
    EVENT,
    SHORTEST_BOARD,
    TABLES_OF_A_DAEMON,
    LoadEvent,
    table_name,
)
from bidwire.bench.load_tables import tables_of
from bidwire.bench.load_words import Played, Times
from bidwire.bench.machine import Machine
from bidwire.bench.tables import Cost, Figures, Measured, Options
from bidwire.bench.tables_command import TablesError, read_asked
from bidwire.bench.tables_report import Told, as_object, in_words
from bidwire.cli import app
from broker.settings import BrokerSettings
from referee.journal_sqlite import SqliteJournal
from referee.record import fold
from referee.table import begin_table


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bidwire", "bench", "tables", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.broker
def test_events_are_played_and_the_referee_is_restarted() -> None:
    result = bench(
        "--tables",
        "1,3",
        "--seconds",
        "1",
        "--period",
        "0.25",
        "--warm-up",
        "0.25",
        "--json",
    )
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert [event["tables"] for event in told["events"]] == [1, 3]
    for event in told["events"]:
        assert event["events"] > 0
        assert event["acknowledged"] == event["prompted"] == event["events"]
        assert event["ack"]["median_ms"] <= event["ack"]["p99_ms"]
        assert event["messages_in_per_event"] > 1  # the event, and SHOWN by four
        assert event["messages_out_per_event"] >= 4 + 1  # four displays, and the ACK
        assert event["entries_per_event"] >= 2
        assert event["commits_per_second"] > 0
        for process in ("referee", "broker"):
            assert event[process]["memory"] > 0
            assert event[process]["cpu_share"] >= 0
    assert isinstance(told["memory_per_table"], float)
    few, many = told["events"]
    assert few["restart"] is None
    restart = many["restart"]
    assert restart["entries"] > 0
    assert 0 < restart["folded"] < restart["first_ack"] <= restart["acknowledged"]
    assert told["machine"]["cores"] > 0


@pytest.mark.broker
def test_tables_on_ptys_are_played_through_real_daemons() -> None:
    result = bench(
        "--ptys", "1", "--seconds", "1", "--period", "0.2", "--warm-up", "0.2"
    )
    assert result.returncode == 0, result.stderr
    assert "1 tables on ptys" in result.stdout
    assert "key press to ACK" in result.stdout
    for process in ("referee", "daemon", "terminals", "broker"):
        assert process in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--tables", "10,5"], "each larger than the one before"),
        (["--tables", "0"], "--tables: expected"),
        (["--tables", "many"], "got 'many'"),
        (["--ptys", "51"], "--ptys: expected 1 to 50 tables, got 51"),
        (["--ptys", "0"], "got 0"),
        (["--period", "0"], "--period"),
    ],
)
def test_what_cannot_be_measured_is_refused(arguments: list[str], told: str) -> None:
    result = CliRunner().invoke(app, ["bench", "tables", *arguments])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert told in result.stderr


def test_events_of_several_sizes_unless_something_is_named() -> None:
    assert read_asked(None, largest=False, ptys=None).tables == (10, 100, 1000)
    assert read_asked(None, largest=True, ptys=None).tables == ()
    assert read_asked("7", largest=True, ptys=5).tables == (7,)
    with pytest.raises(TablesError):
        read_asked("", largest=False, ptys=99)


def measured(tables: int, p99_ms: float, *, lost: int = 0) -> Measured:
    times = Times(1.0, p99_ms, p99_ms)
    return Measured(
        tables=tables,
        played=Played(
            events=100,
            acknowledged=100 - lost,
            prompted=100,
            ack=times,
            prompt=times,
            late=Times(),
            sent=500,
            received=500,
            seconds=10.0,
            cpu_share=0.95,
        ),
        figures=Figures(500, 700, 90, 200),
        referee=Cost(0.5, 50_000_000 + 40_000 * tables),
        broker=Cost(0.2, 30_000_000),
    )


@pytest.mark.parametrize("most", [1, 90, 500, 730, 1999])
def test_the_largest_is_found_to_a_tenth(most: int) -> None:
    played: list[int] = []

    async def play(tables: int) -> Measured:
        played.append(tables)
        return measured(tables, 20.0 if tables <= most else LIMIT_MS)

    found = asyncio.run(largest(play))
    assert most / 1.1 - 1 <= found <= most
    assert len(played) <= 12


def test_an_event_that_loses_an_answer_is_too_large() -> None:
    async def play(tables: int) -> Measured:
        return measured(tables, 20.0, lost=1)

    assert asyncio.run(largest(play)) == 0


def test_growth_and_a_busy_load_are_told() -> None:
    machine = Machine(2, "a processor", "3.11", "Linux 6", "ext4", 0.5, 0.1)
    told = Told(machine, [measured(10, 5.0), measured(1010, 9.0, lost=2)], largest=1010)
    lines = list(in_words(told, Options()))
    assert "memory of the referee for each table: 40 kB" in lines
    assert "largest number of tables with p99 under 100 ms: 1,010" in lines
    assert any("the load itself took 95% of a core" in line for line in lines)
    assert any("of 100 events 98 were acknowledged" in line for line in lines)
    assert as_object(told, Options())["memory_per_table"] == 40_000


def test_journal_leaves_each_table_where_the_load_takes_it_up(tmp_path: Path) -> None:
    event = LoadEvent(tables=6, boards=2)
    entries = event.write_journal(tmp_path / "journal.sqlite")
    settings = event.referee(BrokerSettings(), tmp_path / "journal.sqlite", None)
    records = {t.id: begin_table(settings, t, 0).record for t in settings.tables}
    with SqliteJournal(tmp_path / "journal.sqlite", EVENT) as journal:
        rows = list(journal.read())
    assert len(rows) == entries
    for row in rows:
        records[row.table] = fold(records[row.table], row.entry)
    places = set()
    for table in tables_of(event):
        record = records[table_name(table.index)]
        assert record.play is not None
        assert not record.waiting
        assert not record.play.state.rulings
        assert len(record.play.state.steps) == table.at
        places.add(table.at)
        for terminal in table.terminals.values():
            log = record.log(terminal.name)
            assert log is not None
            assert log.acknowledged[1] == terminal.following - 1
    assert len(places) == event.tables


def test_boards_are_long_enough_and_every_daemon_has_its_tables() -> None:
    event = LoadEvent(tables=TABLES_OF_A_DAEMON + 1, boards=1)
    assert event.daemons == ("d1", "d2")
    assert event.daemon_of(TABLES_OF_A_DAEMON) == "d2"
    assert all(
        len(event.boards_of(index)[0].keys) >= SHORTEST_BOARD
        for index in range(event.tables)
    )


def test_times_of_nothing_are_none() -> None:
    assert Times.of([]) == Times()
    seconds = [number / 1000 for number in range(1, 101)]
    assert msgspec.structs.astuple(Times.of(seconds))[1:] == pytest.approx((99, 100))
