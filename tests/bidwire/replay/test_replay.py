"""``bidwire replay`` through the real chain: simulator, daemon, broker, referee."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.records.plan import Kind
from bidwire.replay.command import (
    InjectError,
    ReplayError,
    read_kinds,
    run_replay,
)
from bidwire.replay.run import Options, Replayed, replay
from bidwire.replay.strikes import FakeClock
from laws.board import Edition

ROOT = Path(__file__).resolve().parents[3]

PBN = """\
[Event "Test"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"]
[Declarer "N"]
[Contract "4H"]
[Result "{result}"]
[Auction "N"]
1H Pass 2C Pass
4H Pass Pass Pass
[Play "E"]
CJ C2 C7 CA
H6 H5 H2 HA
"""

SCRIPT = """\
edition {edition}
board 2
S 1S
W decline
E 2C
S X
W P
N P
director aware no
E P
"""


async def played(files: list[Path], options: Options | None = None) -> Replayed:
    return await replay(files, options or Options(), lambda _done, _total: None)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "one.pbn"
    file.write_text(PBN.format(result=11), encoding="utf-8")
    return file


@pytest.mark.broker
async def test_a_record_with_a_claim_comes_out_as_in_its_file(record: Path) -> None:
    replayed = await played([record])
    assert replayed.is_clean
    (board,) = replayed.report.boards
    assert (board.contract, board.declarer) == ("4H", "N")
    assert board.tricks == {"NS": 11, "EW": 2}
    assert board.rulings == []
    assert replayed.report.totals.events == 8 + 8 + 3
    assert replayed.report.latency_ms.median is not None


@pytest.mark.broker
async def test_a_file_that_contradicts_itself_is_a_difference(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pbn"
    text = PBN.format(result=11).replace('[Contract "4H"]', '[Contract "5H"]')
    file.write_text(text, encoding="utf-8")
    replayed = await played([file])
    assert not replayed.is_clean
    assert replayed.report.boards[0].differences == ["contract: expected 5H, not 4H"]


@pytest.mark.broker
async def test_a_broken_record_is_reported_and_the_run_goes_on(
    record: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pbn"
    text = PBN.format(result=11).replace("1H Pass 2C", "1H Pass 1C")
    broken.write_text(text, encoding="utf-8")
    replayed = await played([broken, record])
    first, second = replayed.report.boards
    assert not replayed.is_clean
    assert first.error is not None
    assert (first.file, first.line) == (str(broken), 1)
    assert "1C by S: not a legal call" in first.error
    assert second.error is None
    assert second.contract == "4H"


@pytest.mark.broker
async def test_what_cannot_be_sent_is_its_boards_error_and_the_run_goes_on(
    record: Path, tmp_path: Path
) -> None:
    header = "edition 2017\nboard 1\n"
    alerted = tmp_path / "alerted.table"
    alerted.write_text(f"{header}N 1C! {'long ' * 30}\n", encoding="utf-8")
    unsent = tmp_path / "unsent.table"
    unsent.write_text(f"{header}N 1C\nE forbid {'H ' * 70}\n", encoding="utf-8")
    replayed = await played([unsent, alerted, record])
    first, second, third = replayed.report.boards
    assert first.error is not None
    assert "longer than the 120 characters" in first.error
    assert (first.file, first.line) == (str(unsent), 4)
    assert (second.error, second.differences) == (None, [])
    assert third.contract == "4H"


@pytest.mark.broker
async def test_what_was_played_is_told_also_where_a_later_chain_does_not_run(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terminals start for the room of records, and not for that of scripts."""
    started = tmp_path / "started"
    python = tmp_path / "python"
    python.write_text(
        f"""#!/bin/sh
        case "$1 $2" in
            "-m terminal.simulator") [ ! -e {started} ] || exit 2; touch {started} ;;
        esac
        exec {sys.executable} "$@"
        """,
        encoding="utf-8",
    )
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    script = tmp_path / "script.table"
    script.write_text(SCRIPT.format(edition=2017), encoding="utf-8")
    replayed = await played([record, script])
    first, second = replayed.report.boards
    assert (first.contract, first.error) == ("4H", None)
    assert second.error is not None
    assert "the chain does not run: terminals" in second.error
    assert not replayed.is_clean


@pytest.mark.broker
@pytest.mark.parametrize("edition", Edition)
async def test_a_script_over_the_wire_is_judged_as_by_the_engine_alone(
    edition: Edition, tmp_path: Path
) -> None:
    file = tmp_path / "out_of_turn.table"
    file.write_text(SCRIPT.format(edition=edition), encoding="utf-8")
    replayed = await played([file])
    assert replayed.report.boards[0].differences == []
    assert replayed.is_clean
    assert replayed.report.boards[0].rulings[-1]["law"] == "31A2(b)"
    assert replayed.report.boards[0].rulings[-1]["line"] == 3


CONFIRMED = """\
edition 2017
board 1
policy rulings confirm
E 1S
S decline
N 1C
S accept
E P
"""
"""The Director has to put the first ruling into effect; nobody asked South anything."""

PREVENTED = """\
edition 2017
board 1
policy out_of_turn prevent
N 1C
S 1S
E P
S P
W P
W H2
E HJ
N names SA
N HA
S H5
W H3
E S9
N HK
"""
"""South's call and four cards come out of turn; North's HA from his own terminal."""

UNASKED = """\
edition 2017
board 1
E 1S
N accept
S decline
W keep
N 1C
S replace 1D
E require H
W object
"""


@pytest.mark.broker
@pytest.mark.parametrize(
    "script", [CONFIRMED, PREVENTED, UNASKED], ids=["confirm", "prevent", "unasked"]
)
async def test_what_a_script_may_tell_goes_over_the_wire_without_a_stop(
    script: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.table"
    file.write_text(script, encoding="utf-8")
    (board,) = (await played([file])).report.boards
    assert (board.error, board.differences) == (None, [])


@pytest.mark.broker
async def test_every_injected_irregularity_is_found_and_none_is_invented(
    record: Path, tmp_path: Path
) -> None:
    files = [record]
    for number in range(2, 7):
        file = tmp_path / f"{number}.pbn"
        file.write_text(PBN.format(result=11), encoding="utf-8")
        files.append(file)
    kinds = frozenset({Kind.OUT_OF_TURN, Kind.REVOKE})
    replayed = await played(files, Options(kinds=kinds, seed=1, tables=3))
    assert replayed.is_clean
    injected = [i["kind"] for board in replayed.report.boards for i in board.injected]
    assert injected.count("out-of-turn") == 6
    assert injected.count("revoke") >= 6


@pytest.mark.broker
async def test_killed_processes_change_nothing_in_the_report(record: Path) -> None:
    files = [record] * 4
    kinds = frozenset({Kind.KILL_REFEREE, Kind.KILL_DAEMON, Kind.KILL_BROKER})
    quiet = await played(files, Options(tables=2))
    killed = await played(files, Options(tables=2, kinds=kinds, seed=7))
    assert sum(len(board.injected) for board in killed.report.boards) == 6
    assert _comparable(killed) == _comparable(quiet)


@pytest.mark.broker
async def test_doubled_frames_and_restarted_terminals_change_nothing(
    record: Path,
) -> None:
    files = [record] * 2
    kinds = frozenset({Kind.DUPLICATE, Kind.RESET})
    quiet = await played(files)
    disturbed = await played(files, Options(kinds=kinds, seed=3))
    assert [len(board.injected) for board in disturbed.report.boards] == [2, 2]
    assert _comparable(disturbed) == _comparable(quiet)


def _comparable(replayed: Replayed) -> dict[str, object]:
    """The report but for what disturbance may change."""
    plain: dict[str, Any] = msgspec.to_builtins(replayed.report)
    del plain["latency_ms"], plain["seconds"]
    for board in plain["boards"]:
        del board["injected"]
    return plain


@pytest.mark.broker
async def test_a_revoke_is_found_with_the_deal_hidden(
    record: Path, tmp_path: Path
) -> None:
    demo = (ROOT / "bidwire" / "data" / "demo.table").read_text(encoding="utf-8")
    file = tmp_path / "demo.table"
    lines = [line for line in demo.splitlines() if not line.startswith("deal ")]
    file.write_text("edition 2017\n" + "\n".join(lines), encoding="utf-8")
    replayed = await played([record, file], Options(hide_deal=True))
    assert replayed.is_clean
    assert replayed.report.boards[1].rulings[-1]["law"] == "64A1"


@pytest.mark.broker
@pytest.mark.records
async def test_real_boards_come_out_as_in_their_files(records: Path) -> None:
    """A sample; `bidwire replay` on the folders plays them all."""
    bbo = sorted((records / "lorserker-ben" / "Boards" / "BBO").glob("*.pbn"))[:2]
    lin = sorted((records / "jarekczek-pbntools").rglob("*.lin"))[:8]
    replayed = await played([*bbo, *lin], Options(tables=6))
    differing = [board for board in replayed.report.boards if board.differences]
    assert differing == []
    assert replayed.is_clean
    assert sum(len(board.rulings) for board in replayed.report.boards) == 0


@pytest.mark.broker
def test_the_command_writes_its_report_and_exits_by_it(
    record: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "bidwire", "replay", str(record)]
    done = subprocess.run(
        [*command, "--json", str(report)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0
    assert "1 boards, 19 happenings, 0 rulings, 0 differences, 0 errors" in done.stderr
    assert json.loads(report.read_bytes())["totals"]["boards"] == 1


@pytest.mark.parametrize("report", ["", "missing/report.json", "x" * 300])
def test_a_report_that_cannot_be_written_is_told_before_the_run(
    report: str, record: Path, tmp_path: Path
) -> None:
    with pytest.raises(ReplayError, match=re.escape(str(tmp_path / report))):
        run_replay([record], Options(), tmp_path / report)


def test_a_clock_that_cannot_jump_here_is_told_before_the_run(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeClock, "library_here", staticmethod(lambda: None))
    options = Options(kinds=frozenset({Kind.CLOCK_JUMP}))
    with pytest.raises(ReplayError, match="clock-jump: libfaketime is not installed"):
        run_replay([record], options, None)


@pytest.mark.broker
def test_the_summary_is_told_also_where_the_report_cannot_be_written(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_replay([record], Options(), Path("/dev/full")) == 2
    told = capsys.readouterr().err
    assert "1 boards, 19 happenings" in told
    assert "/dev/full: No space left on device" in told


def test_a_folder_without_records_is_wrong(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["replay", str(tmp_path)])
    assert done.exit_code == 2
    assert f"{tmp_path}: no records found" in done.stderr


def test_a_wrong_word_of_inject_is_named() -> None:
    assert read_kinds("revoke, out-of-turn") == {Kind.REVOKE, Kind.OUT_OF_TURN}
    with pytest.raises(InjectError, match="got 'misdeal'"):
        read_kinds("misdeal")
