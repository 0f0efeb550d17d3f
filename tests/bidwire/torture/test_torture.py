"""``bidwire torture``: a short run, and that it would see what it looks for."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.records.plan import OF_PROCESSES, OF_TERMINALS, Kind
from bidwire.replay.room import EVENT, Room, journal_of
from bidwire.replay.strikes import FakeClock
from bidwire.torture.journalled import journal_differences
from bidwire.torture.rounds import room_of_round
from bidwire.torture.run import Options, Tortured, torture
from laws.seats import Seat
from protocol.happenings import fields_of
from referee.entries import Entry, EventJudged, EventSetAside, EventTaken, RulingTold
from referee.journal_sqlite import SqliteJournal

SHORT = Options(rounds=1, tables=2, boards=1, seed=2)


def room_of(
    options: Options, number: int = 0, skipped: frozenset[Kind] = frozenset()
) -> Room:
    return room_of_round(
        number,
        tables=options.tables,
        boards=options.boards,
        seed=options.seed,
        skipped=skipped,
    )


ROOM = room_of(SHORT)


@pytest.mark.broker
@pytest.mark.timeout(180)
def test_under_faults_the_log_equals_what_was_played() -> None:
    seen: list[int] = []
    told = asyncio.run(torture(SHORT, lambda told: seen.append(told.boards)))
    assert told.differences == []
    assert (told.rounds, told.boards, seen[-1]) == (1, 2, 2)
    assert told.faults.total() >= 8
    assert told.rulings >= 2
    assert {Kind(kind) for kind in told.recoveries} <= set(told.faults)


def test_a_seed_gives_the_same_boards_and_faults_again() -> None:
    again = room_of(SHORT)
    assert again == ROOM
    other = room_of(Options(rounds=1, tables=2, boards=1, seed=3))
    assert other != ROOM


def test_rounds_are_played_by_both_editions_and_every_kind_of_fault_strikes() -> None:
    rooms = [room_of(Options(seed=1), number) for number in range(8)]
    assert len({room.edition for room in rooms}) == 2
    struck = {
        fault.kind
        for room in rooms
        for plans in room.tables.values()
        for plan in plans
        for fault in plan.faults
    }
    assert struck == {*OF_TERMINALS, *OF_PROCESSES}


def test_what_cannot_strike_here_does_not() -> None:
    skipped = frozenset(OF_PROCESSES) - {
        Kind.KILL_REFEREE,
        Kind.KILL_DAEMON,
        Kind.CUT_BROKER,
    }
    room = room_of(SHORT, skipped=skipped)
    kinds = {f.kind for plans in room.tables.values() for p in plans for f in p.faults}
    assert not kinds & skipped


# -- the journal that it looks at -----------------------------------------------------


def played(table: str) -> list[Entry]:
    """The entries of a table at which everything went as planned."""
    (plan,) = ROOM.tables[table]
    entries: list[Entry] = []
    for n, happening in enumerate(plan.happenings):
        assert happening.actor is not None
        key = fields_of(happening.action, happening.actor)
        name = f"{table}-{key.seat.lower()}"
        taken = EventTaken(
            terminal=name,
            daemon="hall",
            session="s",
            k=n,
            received=0.0,
            boot=1,
            n=n,
            seat=key.seat,
            play=1,
            rev=n,
            age_ms=0,
            kind=key.kind,
            hand=key.hand,
            data=key.data,
        )
        judged = EventJudged(terminal=name, boot=1, n=n, play=1, events=())
        entries += [taken, judged]
    return entries


def differences(tmp_path: Path, entries: list[Entry]) -> list[str]:
    """What is seen when table t1 has these entries, and t2 what it should have."""
    path = journal_of(tmp_path)
    with SqliteJournal(path, EVENT) as journal:
        epoch = journal.take_epoch()
        rows = [("t1", entry) for entry in entries]
        rows += [("t2", entry) for entry in played("t2")]
        journal.append(epoch, 0, rows)
    return journal_differences(path, ROOM)


def test_a_journal_as_it_should_be(tmp_path: Path) -> None:
    assert differences(tmp_path, played("t1")) == []


def test_an_event_taken_twice_is_seen(tmp_path: Path) -> None:
    entries = played("t1")
    (text,) = differences(tmp_path, [*entries, entries[0]])
    assert text.startswith("table t1: event 0 of boot 1 of t1-")
    assert text.endswith("was taken twice")


def test_an_event_judged_twice_or_not_at_all_is_seen(tmp_path: Path) -> None:
    entries = played("t1")
    number = len(entries) // 2
    (text,) = differences(tmp_path, [*entries, entries[-1]])
    assert f"{number} happenings were played, the journal has {number + 1}" in text
    (tmp_path / "less").mkdir()
    (text,) = differences(tmp_path / "less", entries[:-2])
    assert f"{number} happenings were played, the journal has {number - 1}" in text


def test_events_in_another_order_are_seen(tmp_path: Path) -> None:
    entries = played("t1")
    (text,) = differences(tmp_path, [*entries[2:4], *entries[:2], *entries[4:]])
    assert "table t1: board 1: happening 1 was " in text


def test_what_was_set_aside_or_told_twice_is_seen(tmp_path: Path) -> None:
    aside = EventSetAside(terminal="t1-n", boot=1, n=0, reason="wrong board")
    rulings = [RulingTold(number=1, play=1, line=1, law="29A", offender=Seat.SOUTH)] * 2
    found = differences(tmp_path, [*played("t1"), aside, *rulings])
    assert found == [
        "table t1: an event of t1-n was set aside: wrong board",
        "table t1: rulings were told in the order [1, 1]",
    ]


# -- the command ----------------------------------------------------------------------


def test_a_report_that_cannot_be_written_is_told_before_anything_is_played(
    tmp_path: Path,
) -> None:
    report = tmp_path / "no" / "r"
    done = CliRunner().invoke(app, ["torture", "--json", str(report)])
    assert done.exit_code == 2
    assert "No such file or directory" in done.stderr


def test_the_report_for_programs() -> None:
    told = Tortured(rounds=1, boards=2, seconds=3.0)
    told.faults[Kind.HOLD] = 2
    told.faults[Kind.DROP] = 1
    told.recoveries[Kind.HOLD] = [1.0, 3.0]
    plain = json.loads(json.dumps(told.plain()))
    assert plain["faults"] == {
        "drop": {"count": 1, "recovery_s": None},
        "hold": {"count": 2, "recovery_s": {"median": 2.0, "longest": 3.0}},
    }


@pytest.mark.skipif(
    FakeClock.library_here() is None,
    reason="libfaketime is not installed: apt-get install faketime",
)
def test_a_clock_that_jumps_is_seen_by_a_process(tmp_path: Path) -> None:
    library = FakeClock.library_here()
    assert library is not None
    clock = FakeClock(library, tmp_path / "clock")
    clock.jump(0)
    program = (
        "import time, sys\n"
        "def both(): print(time.time() - time.monotonic(), flush=True)\n"
        "both(); sys.stdin.readline(); both()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env=dict(clock.environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        before = float(process.stdout.readline())
        clock.jump(-3600)
        process.stdin.write("\n")
        process.stdin.flush()
        after = float(process.stdout.readline())
    assert after - before == pytest.approx(-3600, abs=5)
