"""``bidwire journal``: is it whole, and what happened at a table?"""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.event_file import EXAMPLE
from laws.seats import Seat
from protocol.happenings import CallDirector
from protocol.payloads import DaemonStatus, LinkState
from referee.entries import LinkLost
from referee.journal_sqlite import SqliteJournal
from referee.settings import BoardSettings, Questions
from referee.table import DaemonReport
from tests.referee.bench import DEAL, Bench, settings

AUCTION = ("N 1S", "S 2C", "W decline", "E P", "S 2C", "W P", "N P", "E P")


@pytest.fixture
def bench() -> Bench:
    """A board with a call out of turn, a board passed out, a link lost between."""
    event = settings(
        boards=[BoardSettings(number=1, deal=DEAL), BoardSettings(number=2)],
        questions=Questions.ASSUME,
    )
    bench = Bench(event)
    bench.does(*AUCTION)
    bench.does(CallDirector(Seat.WEST, True, "hesitation"))
    bench.come_up("t1-e", link=LinkState.OFFLINE, opening=1, hello=None, reason="mute")
    bench.pass_time(5)
    bench.come_up("t1-e", opening=2)
    bench.does("W HA", "W SA")
    bench.direct("director damage yes")
    return bench


@pytest.fixture
def path(tmp_path: Path, bench: Bench) -> Path:
    path = tmp_path / "friday.journal"
    with SqliteJournal(path, "test") as journal:
        epoch = journal.take_epoch()
        number = journal.append(epoch, 0, [("t1", entry) for entry in bench.entries])
        journal.append(epoch, number, [("t2", bench.entries[0])])
    return path


def run(*arguments: str | Path) -> Result:
    env = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "C.UTF-8"}
    return CliRunner().invoke(app, ["journal", *map(str, arguments)], env=env)


def tamper(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as db:
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
    db.close()


def local(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC).astimezone()


# verify ---------------------------------------------------------------------------


def test_whole_journal_says_its_head_which_fits_later(path: Path, bench: Bench) -> None:
    told = run("verify", path)
    assert told.exit_code == 0
    first, head = told.output.splitlines()
    assert first.endswith(f"event test: whole, {len(bench.entries) + 1} entries")
    noted = head.removeprefix("head ")
    with SqliteJournal(path, "test") as journal:
        epoch = journal.take_epoch()
        journal.append(epoch, journal.head().number, [("t1", bench.entries[0])])
        again = run("verify", path, "--head", noted)
    assert again.exit_code == 0
    assert f"noted {noted.partition(':')[0]}: still the same" in again.output
    assert noted not in again.output


def test_changed_card_is_named_by_its_entry(path: Path) -> None:
    tamper(path, "UPDATE entries SET entry = replace(entry, '1S', '1H') WHERE number=9")
    told = run("verify", path)
    assert told.exit_code == 1
    assert "entry 9 does not fit" in told.stderr


def test_journal_that_was_cut_off_does_not_have_the_noted_head(path: Path) -> None:
    head = run("verify", path).output.splitlines()[-1].removeprefix("head ")
    last = int(head.partition(":")[0])
    tamper(path, f"DELETE FROM entries WHERE number = {last}")  # noqa: S608 - a number
    assert run("verify", path).exit_code == 0
    told = run("verify", path, "--head", head)
    assert told.exit_code == 1
    assert f"entry {last} does not fit: it is missing" in told.stderr


def test_file_that_is_no_journal_has_exit_code_2(tmp_path: Path) -> None:
    scores = tmp_path / "scores.txt"
    scores.write_text("the scores of last week\n" * 50, encoding="utf-8")
    other = tmp_path / "members.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE members (name)")
    db.close()
    for file in (scores, other, tmp_path / "nowhere", tmp_path):
        told = run("verify", file)
        assert (told.exit_code, told.output.count("\n")) == (2, 1)
        assert f"{file}: expected a journal" in told.stderr
    assert run("verify", scores, "--head", "7").exit_code == 2


def test_event_file_names_its_journal(path: Path, tmp_path: Path) -> None:
    event = tmp_path / "event.toml"
    event.write_text(
        EXAMPLE.read_text(encoding="utf-8").replace("monday.journal", path.name),
        encoding="utf-8",
    )
    assert run("verify", event).output == run("verify", path).output.replace(
        str(path), str(event)
    )
    assert run("show", event, "t1").output == run("show", path, "t1").output


# show -----------------------------------------------------------------------------


def test_story_of_a_table_has_keys_rulings_links_and_the_director(path: Path) -> None:
    told = run("show", path, "t1")
    assert told.exit_code == 0
    lines = [line[21:] for line in told.output.splitlines()]
    assert "Board 1, Laws of 2017" in lines
    called = lines.index("S 2C")
    assert lines[called + 1].startswith("West: South called 2C out of turn.")
    assert lines[called + 3].startswith("South called out of turn.")
    assert lines[called + 3].endswith("(Law 29B, 2017)")
    assert "The table is told (ruling 1)." in lines
    assert "West calls the Director silently: hesitation" in lines
    lost, up = (
        lines.index("t1-e: link lost (mute)"),
        lines.index("t1-e: link up, serial number T1-E", called),
    )
    assert lost < up < lines.index("W HA")
    assert "W SA: not possible. Call the Director (" in told.output
    assert "Director (director): director damage yes" in lines


def test_times_are_local_and_the_age_of_the_key_press_stands_beside(
    path: Path,
) -> None:
    told = run("show", path, "t1")
    begun, later = (local(1_700_001_000 + seconds) for seconds in (0, 5))
    assert begun.strftime("%Y-%m-%d %Z") in told.output.splitlines()
    assert f"{begun:%H:%M:%S}  age 0.0 s  N 1S" in told.output.splitlines()
    assert f"{later:%H:%M:%S}             t1-e: link up, serial" in told.output


def test_one_board_as_json(path: Path, bench: Bench) -> None:
    told = json.loads(run("show", path, "t1", "--board", "1", "--json").output)
    assert (told["event"], told["table"], told["broken"]) == ("test", "t1", None)
    assert told["head"].startswith(f"{len(bench.entries) + 1}:")
    happened = told["happened"]
    assert {line["board"] for line in happened} == {1}
    (bid,) = [line for line in happened if line["text"] == "N 1S"]
    assert bid["kind"] == "key"
    assert bid["age_ms"] == 0
    assert bid["time"] == "2023-11-14T22:30:00.000+00:00"
    numbers = [line["number"] for line in happened]
    assert numbers == sorted(numbers)


def test_spanish_is_asked_for(path: Path) -> None:
    told = run("show", path, "t1", "--language", "es").output
    assert "Tablilla 1, Leyes de 2017" in told
    assert "Oeste llama al Director en silencio: hesitation" in told


def test_table_or_board_that_is_not_there_is_told(path: Path) -> None:
    told = run("show", path, "t9")
    assert told.exit_code == 2
    assert "table: expected t1 or t2, got 't9'" in told.stderr
    told = run("show", path, "t1", "--board", "7")
    assert told.exit_code == 2
    assert "--board: expected 1, got 7" in told.stderr


def test_what_comes_before_a_changed_entry_is_told(path: Path) -> None:
    tamper(path, "UPDATE entries SET table_id = 't2' WHERE number = 12")
    told = run("show", path, "t1")
    assert told.exit_code == 1
    assert "N 1S" in told.stdout
    assert "entry 12 does not fit" in told.stderr


def test_link_is_lost_with_its_daemon(bench: Bench) -> None:
    before = len(bench.entries)
    gone = DaemonStatus(session=bench.session["d1"], online=False)
    bench.feed(DaemonReport("d1", gone))
    lost = [entry for entry in bench.entries[before:] if isinstance(entry, LinkLost)]
    assert {(e.terminal, e.reason) for e in lost} == {
        (f"t1-{seat}", "its daemon is gone") for seat in "nesw"
    }
