"""``bidwire bench``: what it tells; how fast it was is for the reader to judge."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bidwire.bench.boards import NoBoardsError, boards_of
from bidwire.bench.command import as_object, in_words
from bidwire.bench.endplay_play import playable, seconds_for
from bidwire.bench.laws import measure
from bidwire.bench.long_boards import long_boards
from bidwire.cli import app
from bidwire.records.export import write_pbn
from laws.board import Edition
from laws.engine import begin, decide
from laws.report import report
from laws.state import State
from laws.steps import Step


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bidwire", "bench", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def judged(state: State, steps: tuple[Step, ...]) -> State:
    for step in steps:
        state = decide(state, step).state
    return state


def test_laws_tells_boards_a_second_beside_endplay() -> None:
    result = bench("laws", "--boards", "5", "--rounds", "1", "--irregular", "0.4")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("5 boards by the Laws of 2017")
    assert "2 boards with an irregularity" in result.stdout
    assert "boards a second of one core" in result.stdout
    assert "µs p99" in result.stdout
    assert "ratio" in result.stdout
    assert "questions:" in result.stdout


def test_laws_as_json() -> None:
    arguments = ["--boards", "3", "--rounds", "1", "--edition", "2007", "--json"]
    result = CliRunner().invoke(app, ["bench", "laws", *arguments])
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["edition"], told["boards"], told["irregular"]) == ("2007", 3, 0)
    assert told["rulings"] == 0
    assert told["events"] > 3 * 52
    assert told["boards_per_second"] > 0
    assert 0 < told["event_us"]["median"] <= told["event_us"]["p99"]
    assert told["endplay"]["boards_per_second"] > 0
    ours, theirs = told["boards_per_second"], told["endplay"]["boards_per_second"]
    assert told["ratio"] == pytest.approx(ours / theirs, rel=0.01)
    assert {point["kind"] for point in told["growth"]} == {"questions", "corrections"}


def test_files_without_a_board_are_an_error(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pbn"
    empty.write_text("")
    for arguments in (["laws", str(tmp_path)], ["double-dummy", str(empty)]):
        result = CliRunner().invoke(app, ["bench", *arguments])
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
        assert result.stderr.startswith("no ")


def test_the_same_seed_deals_the_same_boards() -> None:
    first, again, other = (
        boards_of([], Edition.LAWS_2017, number=3, seed=seed, irregular=0.5)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize("edition", Edition)
def test_a_dealt_board_is_regular_and_complete(edition: Edition) -> None:
    for board in boards_of([], edition, number=20, seed=0, irregular=0):
        state = judged(begin(board.board), board.steps)
        assert (state.rulings, state.refused, state.questions) == ((), (), ())
        assert report(state)["result"] is not None
        assert len(board.cards) == 52


@pytest.mark.parametrize("edition", Edition)
def test_an_irregular_board_is_ruled_on(edition: Edition) -> None:
    for board in boards_of([], edition, number=20, seed=0, irregular=1):
        assert board.irregular
        state = judged(begin(board.board), board.steps)
        assert state.rulings
        assert state.refused == ()


def test_records_are_judged_over_again_until_there_are_enough(tmp_path: Path) -> None:
    file = tmp_path / "one.pbn"
    (board,) = boards_of([], Edition.LAWS_2017, number=1, seed=0, irregular=0)
    state = judged(begin(board.board), board.steps)
    file.write_text(write_pbn(state), encoding="utf-8")
    boards = boards_of([tmp_path], Edition.LAWS_2007, number=3, seed=0, irregular=0)
    assert [other.cards for other in boards] == [board.cards] * 3
    assert {other.board.edition for other in boards} == {Edition.LAWS_2007}


def test_no_record_no_boards(tmp_path: Path) -> None:
    with pytest.raises(NoBoardsError):
        boards_of([tmp_path], Edition.LAWS_2017, number=1, seed=0, irregular=0)


def test_endplay_plays_the_cards_to_their_end() -> None:
    boards = boards_of([], Edition.LAWS_2017, number=3, seed=0, irregular=1)
    assert playable(boards) == boards
    assert seconds_for(boards) > 0


def test_without_a_deal_there_is_no_yardstick() -> None:
    (board,) = boards_of([], Edition.LAWS_2017, number=1, seed=0, irregular=0)
    hidden = replace(board, board=replace(board.board, hands=None))
    measured = measure([hidden], Edition.LAWS_2017, 1)
    assert measured.endplay_boards_per_second is None
    assert measured.ratio is None
    assert as_object(measured)["ratio"] is None
    told = "\n".join(in_words(measured, Edition.LAWS_2017, 1))
    assert "can play none of them" in told


@pytest.mark.parametrize("edition", Edition)
def test_long_boards_are_judged_and_nothing_on_them_is_refused(
    edition: Edition,
) -> None:
    for long in long_boards(edition):
        before = judged(begin(long.board), long.before)
        after = judged(before, long.timed)
        assert after.refused == ()
        if long.kind == "questions":
            assert len(after.rulings) == len(long.timed) // 2
        else:
            assert report(after)["result"] == report(before)["result"] is not None
