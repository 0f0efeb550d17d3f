"""``bidwire bench chain``: each chain answers each event; how fast is not asserted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bidwire.bench.chain import Measured, Options, Times, spread
from bidwire.bench.chain_command import in_words
from bidwire.bench.chain_lanes import Lane
from bidwire.bench.chain_script import rehearse, room_of, same
from bidwire.bench.machine import this_machine
from bidwire.cli import app
from protocol.messages import Asked


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bidwire", "bench", "chain", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


LANES = {"referee", "floor", "floor_without_commit"}


@pytest.mark.broker
def test_each_event_gets_its_prompt_and_its_ack_on_each_chain() -> None:
    """Past the first board, so that its end and the next one's opening are measured."""
    result = bench("--events", "60", "--warm-up", "10", "--seed", "3", "--json")
    assert result.returncode == 0, result.stderr
    plain = json.loads(result.stdout)
    assert (plain["events"], plain["warm_up"], plain["seed"]) == (60, 10, 3)
    for times in ("prompt_ms", "ack_ms"):
        assert set(plain[times]) == LANES
        assert all(0 < t["median"] <= t["p99"] for t in plain[times].values())
    assert set(plain["ratio"]) == LANES - {"referee"}
    prompts = plain["prompt_ms"]
    for floor, ratio in plain["ratio"].items():
        expected = prompts["referee"]["median"] / prompts[floor]["median"]
        assert ratio["median"] == pytest.approx(expected, rel=0.01)
    assert plain["machine"]["cores"] > 0


def test_the_figures_are_told_in_words(tmp_path: Path) -> None:
    numbered = enumerate((Lane.REFEREE, Lane.FLOOR, Lane.BARE), 1)
    times = {lane: Times([n / 1000] * 60, [n / 2000] * 60) for n, lane in numbered}
    measured = Measured(Options(events=60), this_machine(tmp_path), times)
    words = "\n".join(in_words(measured))
    for said in (
        "60 events of one table",
        "referee over floor: 0.50 at the median, 0.50 at p99",
        "referee over floor without commit: 0.33 at the median",
        "cores",
    ):
        assert said in words


@pytest.mark.parametrize(
    "arguments",
    [("--events", "0"), ("--events", "many"), ("--warm-up", "-1"), ("a-file",)],
)
def test_options_that_cannot_be_are_refused(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["bench", "chain", *arguments])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""


def test_each_scripted_event_asks_the_next_seat_for_something() -> None:
    script = rehearse(room_of(130, 1), 130)
    assert len(script.events) == 130
    assert script.begins_with.ask is Asked.CALL
    boards = {event.display.board for event in script.events}
    assert boards >= {1, 2}
    shown = script.begins_with
    for event in script.events:
        assert event.key.seat is shown.seat
        assert event.display.ask in {Asked.CALL, Asked.CARD}
        assert not same(event.display, shown)
        assert event.echoed.entries
        shown = event.display


def test_the_same_seed_plays_the_same_events() -> None:
    first, again, other = (rehearse(room_of(60, seed), 60) for seed in (1, 1, 2))
    assert first == again
    assert first.events != other.events


def test_median_and_p99_in_milliseconds() -> None:
    told = spread([at / 1000 for at in range(101)])
    assert (told.median, told.p99) == (50, 99)


def test_a_machine_is_described(tmp_path: Path) -> None:
    machine = this_machine(tmp_path)
    assert machine.cores >= 1
    assert machine.sync_ms > 0
    assert machine.python in str(machine)
    assert machine.processor in str(machine)
    assert set(machine.plain()) == set(type(machine).__slots__)
