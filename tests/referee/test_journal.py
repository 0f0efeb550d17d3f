"""The journal: durable, gapless, one writer; real SQLite throughout."""

import logging
import os
import shutil
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
    JournalUnavailableError,
    Row,
    StaleWriterError,
    UnusableJournalError,
)
from referee.journal_chain import BrokenChainError, Head, chain, verify
from referee.journal_file import JournalFile
from referee.journal_sqlite import SqliteJournal


def alarms(*texts: str) -> list[tuple[str, Entry]]:
    return [("t1", Alarmed(text=text)) for text in texts]


def whole(path: Path) -> Head:
    """The head of a journal, whose chain is checked."""
    with JournalFile(path) as journal:
        return verify(journal.event, journal.links())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_entries_come_back_in_order_with_their_numbers(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        epoch = journal.take_epoch()
        assert journal.append(epoch, 0, alarms("a", "b")) == 2
        assert journal.append(epoch, 2, [("t2", Alarmed(text="c"))]) == 3
    with SqliteJournal(path, "friday") as journal:
        assert list(journal.read()) == [
            Row(1, "t1", Alarmed(text="a")),
            Row(2, "t1", Alarmed(text="b")),
            Row(3, "t2", Alarmed(text="c")),
        ]
        assert journal.head().number == 3


def test_writer_that_missed_an_entry_is_refused_and_nothing_is_written(
    path: Path,
) -> None:
    with SqliteJournal(path, "friday") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a"))
        with pytest.raises(StaleWriterError, match="expected entry 0 to be the last"):
            journal.append(epoch, 0, alarms("b"))
        assert [row.entry for row in journal.read()] == [Alarmed(text="a")]


def test_writer_of_an_earlier_term_is_refused(path: Path) -> None:
    with SqliteJournal(path, "friday") as old, SqliteJournal(path, "friday") as new:
        first = old.take_epoch()
        old.append(first, 0, alarms("a"))
        second = new.take_epoch()
        assert second > first
        with pytest.raises(StaleWriterError, match="another referee has taken"):
            old.append(first, 1, alarms("late"))
        assert new.append(second, 1, alarms("b")) == 2


def test_each_term_is_taken_once(path: Path) -> None:
    with SqliteJournal(path, "friday") as one, SqliteJournal(path, "friday") as other:
        epochs = [journal.take_epoch() for journal in (one, other) * 4]
    assert epochs == sorted(set(epochs))


def test_journal_of_another_event_is_refused(path: Path) -> None:
    with SqliteJournal(path, "friday"):
        pass
    with pytest.raises(ForeignJournalError, match="event 'sunday', got that of"):
        SqliteJournal(path, "sunday")


def test_file_that_is_no_journal_is_refused(path: Path) -> None:
    path.write_text("these are the scores of last week, not a journal" * 50)
    with pytest.raises(ForeignJournalError, match="not a database"):
        SqliteJournal(path, "friday")


def test_journal_of_a_later_version_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(ForeignJournalError, match="got version 99"):
        SqliteJournal(path, "friday")


def test_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableJournalError, match=r"nowhere.*: No such file"):
        SqliteJournal(tmp_path / "nowhere" / "journal.sqlite", "friday")


@pytest.mark.parametrize("name", [".", "", "/dev/null"])
def test_what_is_no_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnusableJournalError, match="expected a file"):
        SqliteJournal(name, "friday")


def test_database_of_another_program_is_refused_and_left_as_it_was(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE members (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(ForeignJournalError, match="a database of another kind"):
        SqliteJournal(path, "friday")
    assert path.read_bytes() == before


def test_hidden_hands_are_for_their_owner_only(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a"))
        files = sorted(path.parent.glob(f"{path.name}*"))
        assert [file.name.removeprefix(path.name) for file in files] == [
            "",
            "-shm",
            "-wal",
        ]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_entry_that_is_none_is_named_by_its_number(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a"))
        for foreign in chain(journal.head(), epoch, [("t1", b"{}")]):
            journal._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", foreign)
        rows = journal.read()
        assert next(rows).number == 1
        with pytest.raises(DamagedJournalError, match="entry 2: Object"):
            next(rows)


def test_entry_that_was_changed_afterwards_is_not_believed(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a", "b", "c"))
        journal._db.execute("DROP TRIGGER entries_are_as_written")
        journal._db.execute(
            "UPDATE entries SET entry = CAST(replace(entry, 'b', 'x') AS BLOB) "
            "WHERE number = 2"
        )
        rows = journal.read()
        assert next(rows).number == 1
        with pytest.raises(DamagedJournalError, match="entry 2 does not fit"):
            next(rows)


def test_damaged_file_is_told(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms(*("x" * 500 for _ in range(90))))
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xff" * (len(data) - 12288)
    path.write_bytes(data)
    with (
        SqliteJournal(path, "friday") as journal,
        pytest.raises(DamagedJournalError, match="malformed"),
    ):
        list(journal.read())


def test_full_disk_writes_nothing_of_the_batch_and_recovers(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
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
from referee.journal_sqlite import SqliteJournal
with SqliteJournal(sys.argv[1], "friday") as journal:
    epoch, number = journal.take_epoch(), journal.head().number
    while True:
        batch = [("t1", Alarmed(text=str(number + i))) for i in range(1, 4)]
        number = journal.append(epoch, number, batch)
        print(number, flush=True)
"""


def remove(path: Path) -> None:
    """Remove a journal with all that SQLite keeps beside it."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def test_no_second_journal_shares_the_log_of_a_removed_one(path: Path) -> None:
    with SqliteJournal(path, "e") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a", "b"))
        path.unlink()
        with pytest.raises(UnusableJournalError, match="sqlite-wal belongs to"):
            SqliteJournal(path, "e")
        journal.append(epoch, 2, alarms("c"))
    assert whole(path).number == 3


def test_a_file_that_was_removed_is_written_anew_with_all_its_entries(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with SqliteJournal(path, "e") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a", "b"))
        remove(path)
        journal.append(epoch, 2, alarms("c"))
        journal.append(epoch, 3, alarms("d"))
        assert "somebody removed it; it is written anew" in caplog.text
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.stat().st_mode & 0o777 == 0o600
    with SqliteJournal(path, "e") as journal:
        journal.check()
        told = [
            row.entry.text for row in journal.read() if isinstance(row.entry, Alarmed)
        ]
        assert told == ["a", "b", "c", "d"]
        assert journal.take_epoch() == epoch + 1


def test_a_file_that_was_removed_last_of_all_is_there_at_the_end(path: Path) -> None:
    with SqliteJournal(path, "e") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a", "b"))
        path.unlink()
    assert whole(path).number == 2


def test_an_empty_journal_in_the_place_of_a_removed_one_gives_way(path: Path) -> None:
    with SqliteJournal(path, "e") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a", "b"))
        remove(path)
        SqliteJournal(path, "e").close()  # a second referee, which has to go
        journal.append(epoch, 2, alarms("c"))
    assert whole(path).number == 3


@pytest.mark.parametrize("renames", [1, 2])
def test_a_crash_while_it_is_written_anew_loses_nothing(
    path: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, done = Path.replace, []

    def crash(old: Path, new: Path) -> Path:
        done.append(new)
        if len(done) == renames:
            raise KeyboardInterrupt
        return real(old, new)

    journal = SqliteJournal(path, "e")
    epoch = journal.take_epoch()
    journal.append(epoch, 0, alarms("a", "b"))
    path.unlink()
    monkeypatch.setattr(Path, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        journal.append(epoch, 2, alarms("c"))
    monkeypatch.undo()
    if renames == 1:  # only the process has it: it goes on with the next entry
        journal.append(epoch, 2, alarms("c"))
    with SqliteJournal(path, "e") as again:
        assert again.head().number == (3 if renames == 1 else 2)
        again.check()


def test_a_file_that_lies_in_the_place_of_the_journal_is_not_written(
    path: Path,
) -> None:
    with SqliteJournal(path, "e") as journal:
        epoch = journal.take_epoch()
        path.rename(path.with_suffix(".away"))
        path.write_bytes(b"x")
        with pytest.raises(JournalUnavailableError, match="taken the place"):
            journal.append(epoch, 0, alarms("a"))
        assert path.read_bytes() == b"x"
        path.with_suffix(".away").replace(path)
        assert journal.append(epoch, 0, alarms("a")) == 1


def test_a_file_that_was_emptied_is_told(path: Path) -> None:
    with SqliteJournal(path, "e") as journal:
        epoch = journal.take_epoch()
        path.write_bytes(b"")
        with pytest.raises(DamagedJournalError, match="somebody has emptied the file"):
            journal.append(epoch, 0, alarms("a"))


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
        with SqliteJournal(path, "friday") as journal:
            rows = list(journal.read())
        numbers = [row.number for row in rows]
        assert numbers == list(range(1, len(rows) + 1))
        assert len(rows) >= told
        assert len(rows) % 3 == 0
        assert [row.entry for row in rows] == [Alarmed(text=str(n)) for n in numbers]
        assert whole(path).number == len(rows)


@pytest.mark.parametrize("cut", [0, 1, 33, 4000, 4152, 9000, 100_000])
def test_log_that_was_cut_off_leaves_whole_batches_and_a_whole_chain(
    path: Path, tmp_path: Path, cut: int
) -> None:
    copy = tmp_path / "after" / path.name
    copy.parent.mkdir()
    with SqliteJournal(path, "friday") as journal:
        epoch = journal.take_epoch()
        for number in range(0, 60, 3):
            journal.append(epoch, number, alarms(*("x" * 300 for _ in range(3))))
        # What a power loss leaves: the file and its write-ahead log, not shut down.
        for file in (path, path.with_name(f"{path.name}-wal")):
            shutil.copy(file, copy.with_name(file.name))
    log = copy.with_name(f"{copy.name}-wal")
    os.truncate(log, max(log.stat().st_size - cut, 0))
    with SqliteJournal(copy, "friday") as journal:
        last = journal.head().number
        assert last % 3 == 0
        assert (last == 60) is (cut == 0)
        assert whole(copy) == journal.head()
        assert journal.append(journal.take_epoch(), last, alarms("on")) == last + 1
    assert whole(copy).number == last + 1


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE entries SET table_id = 't2' WHERE number = 1", "never changed"),
        ("DELETE FROM entries WHERE number = 2", "never deleted"),
        ("REPLACE INTO entries VALUES (2, 1, 't1', '{}', x'00')", "follows the last"),
        ("INSERT INTO entries VALUES (9, 1, 't1', '{}', x'00')", "follows the last"),
    ],
)
def test_nobody_changes_what_is_written(path: Path, statement: str, told: str) -> None:
    with SqliteJournal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a", "b"))
    before = whole(path)
    with sqlite3.connect(path) as db, pytest.raises(sqlite3.IntegrityError, match=told):
        db.execute(statement)
    db.close()
    assert whole(path) == before


UNCHAINED = """
CREATE TABLE term (only_row INTEGER PRIMARY KEY, epoch INTEGER, event TEXT);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, table_id TEXT NOT NULL,
    entry BLOB NOT NULL
);
INSERT INTO term VALUES (1, 2, 'friday');
INSERT INTO entries VALUES (1, 1, 't1', CAST('{"entry":"alarmed","text":"a"}' AS BLOB));
INSERT INTO entries VALUES (2, 2, 't2', CAST('{"entry":"alarmed","text":"b"}' AS BLOB));
PRAGMA user_version = 1;
"""


def test_journal_of_version_1_gets_its_chain_once_and_the_log_tells(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    db = sqlite3.connect(path)
    db.executescript(UNCHAINED)
    db.close()
    with pytest.raises(ForeignJournalError, match="gets its chain when a referee"):
        JournalFile(path)
    with caplog.at_level(logging.INFO), SqliteJournal(path, "friday") as journal:
        head = journal.head()
        assert [row.entry for row in journal.read()] == [
            Alarmed(text="a"),
            Alarmed(text="b"),
        ]
        assert journal.take_epoch() == 3
        assert journal.append(3, 2, alarms("c")) == 3
    assert f"2 entries; its head is {head}" in caplog.text
    caplog.clear()
    with SqliteJournal(path, "friday"):
        assert whole(path).number == 3
    assert not caplog.text


def test_journal_of_version_1_of_another_event_is_left_as_it_was(path: Path) -> None:
    db = sqlite3.connect(path)
    db.executescript(UNCHAINED)
    db.close()
    before = path.read_bytes()
    with pytest.raises(ForeignJournalError, match="got that of 'friday'"):
        SqliteJournal(path, "sunday")
    assert path.read_bytes() == before


def test_reader_sees_what_is_committed_and_never_blocks_the_writer(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, 0, alarms("a", "b"))
        with JournalFile(path) as reader:
            links = reader.links()
            assert next(links).number == 1
            journal._db.execute("PRAGMA busy_timeout = 0")
            journal.append(epoch, 2, alarms("c"))
            journal._db.execute("BEGIN IMMEDIATE")
            assert [link.number for link in links] == [2]
            assert [link.number for link in reader.links()] == [1, 2, 3]
            journal._db.execute("ROLLBACK")


def test_journal_in_a_folder_that_cannot_be_written_is_read(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms("a"))
    before = sorted(path.parent.iterdir())
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert whole(path).number == 1
    finally:
        path.parent.chmod(0o700)
    if os.getuid() != 0:  # root may write everywhere
        assert sorted(path.parent.iterdir()) == before


def test_damage_is_named_by_the_first_entry_that_it_hides(path: Path) -> None:
    with SqliteJournal(path, "friday") as journal:
        journal.append(journal.take_epoch(), 0, alarms(*("x" * 500 for _ in range(90))))
    data = bytearray(path.read_bytes())
    data[-8192:] = b"\xff" * 8192
    path.write_bytes(data)
    with pytest.raises(BrokenChainError) as caught:
        whole(path)
    assert caught.value.number > 1
