"""``bidwire demo``: the whole chain, and where the editions differ."""

import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.demo.command import demo_plan
from bidwire.demo.picture import picture
from bidwire.demo.scene import Scene
from laws.board import Edition
from laws.report import report

ROOT = Path(__file__).resolve().parents[3]


def story(edition: Edition, options: tuple[str, ...]) -> str:
    """What the demo prints without pauses."""
    demo = [sys.executable, "-m", "bidwire", "demo", "--no-pause"]
    return subprocess.run(
        [*demo, "--edition", edition, *options],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "COLUMNS": "110", "LANG": "C.UTF-8"},
        timeout=55,
    ).stdout


OPTIONS = {Edition.LAWS_2007: ("--carrier", "ble"), Edition.LAWS_2017: ()}
"""The story is the same whatever lies between terminals and daemon."""


@pytest.fixture(scope="module")
def stories() -> dict[Edition, str]:
    with ThreadPoolExecutor() as both:
        told = both.map(story, OPTIONS.keys(), OPTIONS.values())
        return dict(zip(OPTIONS, told, strict=True))


@pytest.mark.broker
def test_both_editions_rule_the_bid_out_of_turn_and_the_revoke(
    stories: dict[Edition, str],
) -> None:
    for edition, told in stories.items():
        assert f"(Law 31A2(b), {edition})" in told
        assert f"(Law 64A1, {edition})" in told
        assert "South revoked at trick 5 with HK" in told


@pytest.mark.broker
def test_the_result_is_shown_before_and_after_the_transfer(
    stories: dict[Edition, str],
) -> None:
    for told in stories.values():
        assert "│ as played     │            9 │            4 │      +50 │" in told
        assert "│ after rulings │           11 │            2 │     -450 │" in told


def test_bluetooth_without_bumble_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bidwire.demo.command.find_spec", lambda _: None)
    result = CliRunner().invoke(app, ["demo", "--carrier", "ble"])
    assert result.exit_code == 2
    assert "needs bumble: pip install 'bidwire[sim]'" in result.output


@pytest.mark.broker
def test_the_displays_tell_each_seat_its_own_part(stories: dict[Edition, str]) -> None:
    for told in stories.values():
        assert "You must pass" in told
        assert "South called out of" in told


def test_the_editions_differ_where_31a2_and_26_differ() -> None:
    """2007: North passes throughout, a suit may be required; 2017: one pass, forbid."""
    judged = {e: report(demo_plan(e).judged) for e in Edition}  # type: ignore[arg-type]
    ruled = {e: judged[e]["rulings"] for e in Edition}
    laws = {e: [ruling["law"] for ruling in ruled[e]] for e in Edition}
    assert laws[Edition.LAWS_2007] == laws[Edition.LAWS_2017]
    second = {e: ruled[e][1]["effects"] for e in Edition}
    assert second[Edition.LAWS_2007] != second[Edition.LAWS_2017]
    scopes = {
        e: effect["scope"]
        for e in Edition
        for effect in second[e]
        if effect["kind"] == "must_pass"
    }
    assert scopes == {
        Edition.LAWS_2007: "rest_of_auction",
        Edition.LAWS_2017: "next_turn",
    }
    for key in ("auction", "contract", "tricks", "transfer", "result"):
        assert judged[Edition.LAWS_2007][key] == judged[Edition.LAWS_2017][key]


def test_an_empty_scene_can_be_drawn() -> None:
    console = Console(file=io.StringIO(), width=100)
    console.print(
        picture(Scene(demo_plan(Edition.LAWS_2017), Edition.LAWS_2017, 20, 4))
    )
    assert isinstance(console.file, io.StringIO)
    assert "The table opens" in console.file.getvalue()
