"""``bidwire replay`` through the real chain: simulator, daemon, broker, referee."""

import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

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
from bidwire.replay.report import BoardReport
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


async def played(files: list[Path], options: Options | None = None) -> Replayed:
    return await replay(files, options or Options(), lambda _done, _total: None)


def written(folder: Path, texts: dict[str, str]) -> list[Path]:
    """Files with these texts."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    (file,) = written(tmp_path, {"one.pbn": PBN.format(result=11)})
    return file


# -- records, one after the other in one replay ---------------------------------------


@pytest.fixture(scope="module")
def records_played(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    """A record, and the same with a contract that its auction did not come to."""
    text = PBN.format(result=11)
    wrong = text.replace('[Contract "4H"]', '[Contract "5H"]')
    folder = tmp_path_factory.mktemp("records")
    files = written(folder, {"one.pbn": text, "wrong.pbn": wrong})
    return asyncio.run(played(files))


@pytest.mark.broker
def test_a_record_with_a_claim_comes_out_as_in_its_file(
    records_played: Replayed,
) -> None:
    board = records_played.report.boards[0]
    assert (board.error, board.differences) == (None, [])
    assert (board.contract, board.declarer) == ("4H", "N")
    assert board.tricks == {"NS": 11, "EW": 2}
    assert board.rulings == []
    assert records_played.report.latency_ms.median is not None


@pytest.mark.broker
def test_a_file_that_contradicts_itself_is_a_difference(
    records_played: Replayed,
) -> None:
    board = records_played.report.boards[1]
    assert board.error is None
    assert board.differences == ["contract: expected 5H, not 4H"]
    assert not records_played.is_clean


# -- scripts, and what cannot be played, in one replay --------------------------------


@pytest.fixture(scope="module")
def scripts_played(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    """Files of which the first two cannot be played; the others go on."""
    header = "edition 2017\nboard 1\n"
    texts = {
        "broken.pbn": PBN.format(result=11).replace("1H Pass 2C", "1H Pass 1C"),
        "unsent.table": f"{header}N 1C\nE forbid {'H ' * 70}\n",
        "alerted.table": f"{header}N 1C! {'long ' * 30}\n",
        **{f"{e}.table": SCRIPT.format(edition=e) for e in Edition},
        "confirm.table": CONFIRMED,
        "prevent.table": PREVENTED,
        "unasked.table": UNASKED,
    }
    return asyncio.run(played(written(tmp_path_factory.mktemp("scripts"), texts)))


def board_of(replayed: Replayed, name: str) -> BoardReport:
    (board,) = (b for b in replayed.report.boards if Path(b.file).name == name)
    return board


@pytest.mark.broker
def test_a_broken_record_is_reported_and_the_run_goes_on(
    scripts_played: Replayed,
) -> None:
    first = scripts_played.report.boards[0]
    assert not scripts_played.is_clean
    assert first.error is not None
    assert (Path(first.file).name, first.line) == ("broken.pbn", 1)
    assert "1C by S: not a legal call" in first.error


@pytest.mark.broker
def test_what_cannot_be_sent_is_its_boards_error_and_the_run_goes_on(
    scripts_played: Replayed,
) -> None:
    unsent = scripts_played.report.boards[1]
    assert unsent.error is not None
    assert "longer than the 120 characters" in unsent.error
    assert (Path(unsent.file).name, unsent.line) == ("unsent.table", 4)
    alerted = board_of(scripts_played, "alerted.table")
    assert (alerted.error, alerted.differences) == (None, [])
    assert scripts_played.report.totals.errors == 2


@pytest.mark.broker
@pytest.mark.parametrize("edition", Edition)
def test_a_script_over_the_wire_is_judged_as_by_the_engine_alone(
    edition: Edition, scripts_played: Replayed
) -> None:
    board = board_of(scripts_played, f"{edition}.table")
    assert (board.error, board.differences) == (None, [])
    assert board.rulings[-1]["law"] == "31A2(b)"
    assert board.rulings[-1]["line"] == 3


@pytest.mark.broker
@pytest.mark.parametrize("script", ["confirm", "prevent", "unasked"])
def test_what_a_script_may_tell_goes_over_the_wire_without_a_stop(
    script: str, scripts_played: Replayed
) -> None:
    board = board_of(scripts_played, f"{script}.table")
    assert (board.error, board.differences) == (None, [])


# -- replays of their own -------------------------------------------------------------


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
async def test_every_injected_irregularity_is_found_and_none_is_invented(
    tmp_path: Path,
) -> None:
    texts = {f"{number}.pbn": PBN.format(result=11) for number in range(1, 4)}
    kinds = frozenset({Kind.OUT_OF_TURN, Kind.REVOKE})
    options = Options(kinds=kinds, seed=1, tables=3)
    replayed = await played(written(tmp_path, texts), options)
    assert replayed.is_clean
    injected = [i["kind"] for board in replayed.report.boards for i in board.injected]
    assert injected.count("out-of-turn") == 3
    assert injected.count("revoke") >= 3


@pytest.mark.broker
async def test_disturbances_change_nothing_in_the_report(
    record: Path, records_played: Replayed
) -> None:
    """Processes killed, frames doubled, terminals restarted."""
    kills = {Kind.KILL_REFEREE, Kind.KILL_DAEMON, Kind.KILL_BROKER}
    kinds = frozenset(kills | {Kind.DUPLICATE, Kind.RESET})
    replayed = await played([record] * 2, Options(tables=2, kinds=kinds, seed=7))
    struck = Counter(
        Kind(fault["kind"])
        for board in replayed.report.boards
        for fault in board.injected
    )
    assert struck == dict.fromkeys(kinds, 2)
    assert replayed.is_clean
    quiet = _plain(records_played.report.boards[0])
    assert [_plain(board) for board in replayed.report.boards] == [quiet] * 2
    assert replayed.report.totals.events == 2 * (8 + 8 + 3)


def _plain(board: BoardReport) -> dict[str, object]:
    """What became of a board, but for what it was struck by and where it stands."""
    plain: dict[str, object] = msgspec.to_builtins(board)
    del plain["injected"], plain["file"]
    return plain


@pytest.mark.broker
async def test_a_revoke_is_found_with_the_deal_hidden(tmp_path: Path) -> None:
    demo = (ROOT / "bidwire" / "data" / "demo.table").read_text(encoding="utf-8")
    lines = [line for line in demo.splitlines() if not line.startswith("deal ")]
    texts = {"demo.table": "edition 2017\n" + "\n".join(lines)}
    replayed = await played(written(tmp_path, texts), Options(hide_deal=True))
    assert replayed.is_clean
    assert replayed.report.boards[0].rulings[-1]["law"] == "64A1"


@pytest.mark.broker
@pytest.mark.records
async def test_real_boards_come_out_as_in_their_files(records: Path) -> None:
    """A sample; `bidwire replay` on the folders plays them all."""
    lin = sorted((records / "jarekczek-pbntools").rglob("*.lin"))[2:4]
    bbo = sorted((records / "lorserker-ben" / "Boards" / "BBO").glob("*.pbn"))[:1]
    replayed = await played([*lin, *bbo], Options(tables=4, boards=4))
    assert replayed.report.totals.boards == 4
    differing = [board for board in replayed.report.boards if board.differences]
    assert differing == []
    assert replayed.is_clean
    assert sum(len(board.rulings) for board in replayed.report.boards) == 0


@pytest.mark.broker
def test_the_command_writes_its_report_and_exits_by_it(
    record: Path, tmp_path: Path
) -> None:
    """And a record comes out as in its file though the referee has not its hands."""
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "bidwire", "replay", "--hide-deal", str(record)]
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


def test_the_summary_is_told_also_where_the_report_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PBN.format(result=11).replace("1H Pass 2C", "1H Pass 1C")
    files = written(tmp_path, {"broken.pbn": text})
    assert run_replay(files, Options(), Path("/dev/full")) == 2
    told = capsys.readouterr().err
    assert "1 boards, 0 happenings, 0 rulings, 0 differences, 1 errors" in told
    assert "/dev/full: No space left on device" in told


def test_a_folder_without_records_is_wrong(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["replay", str(tmp_path)])
    assert done.exit_code == 2
    assert f"{tmp_path}: no records found" in done.stderr


def test_a_wrong_word_of_inject_is_named() -> None:
    assert read_kinds("revoke, out-of-turn") == {Kind.REVOKE, Kind.OUT_OF_TURN}
    with pytest.raises(InjectError, match="got 'misdeal'"):
        read_kinds("misdeal")
