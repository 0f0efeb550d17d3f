"""``bidwire referee``: a second referee stands by on another machine."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from typer.testing import CliRunner, Result

from bidwire.cli import app
from tests.bidwire.ups import EVENT, Up
from tests.referee.cluster import Node, running

pytestmark = pytest.mark.broker


@pytest_asyncio.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with running(tmp_path, 1) as (only,):
        yield only


@pytest.fixture
def event(tmp_path: Path, node: Node) -> Path:
    file = tmp_path / "event.toml"
    broker = f'host = "127.0.0.1"\nport = {node.mqtt_port}'
    journal = f'[journal]\nservers = ["{node.url}"]\nreplicas = 1\nlease_s = 1'
    text = EVENT.replace("embedded = true", f"{broker}\n\n{journal}")
    file.write_text(text, encoding="utf-8")
    return file


def journal(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["journal", *map(str, arguments)])


def test_standby_takes_over_from_a_referee_that_is_killed(event: Path) -> None:
    first = Up(event, "referee")
    first.wait_for("epoch 1")
    second = Up(event, "referee")
    second.wait_for("standing by for referee")
    first.kill()
    first.end()
    assert "1 journal entries" in second.wait_for("epoch 2")
    told = journal("verify", event)
    assert (told.exit_code, told.output.splitlines()[0]) == (
        0,
        f"{event}: event club: whole, 1 entries",
    )
    assert "Board 1, Laws of 2007" in journal("show", event, "t1").output
    code, said = second.end(signal.SIGTERM)
    assert code == 0
    assert "stopped; the journal is nats://127.0.0.1:" in said


def test_journal_that_the_cluster_does_not_have_is_none(event: Path) -> None:
    told = journal("verify", event)
    assert told.exit_code == 2
    assert "expected the journal of event 'club', got none" in told.stderr


def test_event_with_a_file_has_one_referee_only(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    file.write_text(EVENT, encoding="utf-8")
    told = CliRunner().invoke(app, ["referee", str(file)])
    assert told.exit_code == 2
    assert f"{file}: journal: expected a section [journal]" in told.stderr
