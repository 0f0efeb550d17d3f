"""The journal: durable, gapless, one writer; real SQLite throughout."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from referee.entries import Alarmed, Entry
from referee.journal import (
    DamagedJournalError,
    ForeignJournalError,
    Journal,
    JournalUnavailableError,
    Row,
    StaleWriterError,
    UnusableJournalError,
)


def alarms(*texts: str) -> list[tuple[str, Entry]]:
    return [("t1", Alarmed(text=text)) for text in texts]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_entries_come_back_in_order_with_their_numbers(path: Path) -> None:
    with Journal(path, "friday") as journal:
        epoch = journal.take_epoch()
        assert journal.append(epoch, 0, alarms("a", "b")) == 2
        assert journal.append(epoch, 2, [("t2", Alarmed(text="c"))]) == 3
    with Journal(path, "friday") as journal:
        assert list(journal.read()) == [
            Row(1, "t1", Alarmed(text="a")),
            Row(2, "t1", Alarmed(text="b")),
            Row(3, "t2", Alarmed(text="c")),
        ]
        assert [row.number for row in journal.read(after=2)] == [3]
        assert journal.last_number() == 3


def test_writer_that_missed_an_entry_is_refused_and_nothing_is_written(
    path: Path,
) -> None:
    with Journal(path, "friday") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a"))
        with pytest.raises(StaleWriterError, match="expected entry 0 to be the last"):
            journal.append(epoch, 0, alarms("b"))
        assert [row.entry for row in journal.read()] == [Alarmed(text="a")]


def test_writer_of_an_earlier_term_is_refused(path: Path) -> None:
    with Journal(path, "friday") as old, Journal(path, "friday") as new:
        first = old.take_epoch()
        old.append(first, 0, alarms("a"))
        second = new.take_epoch()
        assert second > first
        with pytest.raises(StaleWriterError, match="another referee has taken"):
            old.append(first, 1, alarms("late"))
        assert new.append(second, 1, alarms("b")) == 2


def test_each_term_is_taken_once(path: Path) -> None:
    with Journal(path, "friday") as one, Journal(path, "friday") as other:
        epochs = [journal.take_epoch() for journal in (one, other) * 4]
    assert epochs == sorted(set(epochs))


def test_journal_of_another_event_is_refused(path: Path) -> None:
    with Journal(path, "friday"):
        pass
    with pytest.raises(ForeignJournalError, match="event 'sunday', got that of"):
        Journal(path, "sunday")


def test_file_that_is_no_journal_is_refused(path: Path) -> None:
    path.write_text("these are the scores of last week, not a journal" * 50)
    with pytest.raises(ForeignJournalError, match="not a database"):
        Journal(path, "friday")


def test_journal_of_a_later_version_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(ForeignJournalError, match="got version 99"):
        Journal(path, "friday")


def test_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableJournalError, match=r"nowhere.*: No such file"):
        Journal(tmp_path / "nowhere" / "journal.sqlite", "friday")


@pytest.mark.parametrize("name", [".", "", "/dev/null"])
def test_what_is_no_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnusableJournalError, match="expected a file"):
        Journal(name, "friday")


def test_database_of_another_program_is_refused_and_left_as_it_was(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE members (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(ForeignJournalError, match="a database of another kind"):
        Journal(path, "friday")
    assert path.read_bytes() == before


def test_hidden_hands_are_for_their_owner_only(path: Path) -> None:
    with Journal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a"))
        files = sorted(path.parent.glob(f"{path.name}*"))
        assert [file.name.removeprefix(path.name) for file in files] == [
            "",
            "-shm",
            "-wal",
        ]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_entry_that_is_none_is_named_by_its_number(path: Path) -> None:
    with Journal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a", "b"))
        journal._db.execute("UPDATE entries SET entry = '{}' WHERE number = 2")
        rows = journal.read()
        assert next(rows).number == 1
        with pytest.raises(DamagedJournalError, match="entry 2"):
            next(rows)


def test_damaged_file_is_told(path: Path) -> None:
    with Journal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms(*("x" * 500 for _ in range(90))))
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xff" * (len(data) - 12288)
    path.write_bytes(data)
    with (
        Journal(path, "friday") as journal,
        pytest.raises(DamagedJournalError, match="malformed"),
    ):
        list(journal.read())


def test_full_disk_writes_nothing_of_the_batch_and_recovers(path: Path) -> None:
    with Journal(path, "friday") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a"))
        (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalUnavailableError, match="full"):
            journal.append(epoch, 1, alarms("small", "x" * 100_000))
        assert [row.number for row in journal.read()] == [1]
        journal._db.execute("PRAGMA max_page_count = 1000000")
        assert journal.append(epoch, 1, alarms("b", "x" * 100_000)) == 3


WRITER = """
import sys
from referee.entries import Alarmed
from referee.journal import Journal
with Journal(sys.argv[1], "friday") as journal:
    epoch, number = journal.take_epoch(), journal.last_number()
    while True:
        batch = [("t1", Alarmed(text=str(number + i))) for i in range(1, 4)]
        number = journal.append(epoch, number, batch)
        print(number, flush=True)
"""


def test_what_was_appended_outlives_sigkill_and_batches_are_whole(path: Path) -> None:
    told = 0
    for lines in (1, 2, 7, 20):  # killed ever later, in the middle of the next batch
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stdout is not None
            for _ in range(lines):
                told = int(process.stdout.readline())
            os.kill(process.pid, signal.SIGKILL)
        with Journal(path, "friday") as journal:
            rows = list(journal.read())
        numbers = [row.number for row in rows]
        assert numbers == list(range(1, len(rows) + 1))
        assert len(rows) >= told
        assert len(rows) % 3 == 0
        assert [row.entry for row in rows] == [Alarmed(text=str(n)) for n in numbers]
