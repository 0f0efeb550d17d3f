"""The figures of the referee, read as Prometheus reads them."""

from pathlib import Path

import msgspec
import pytest

from broker.exits import ExitCode
from laws.script import parse_line
from protocol.topics import Role
from referee.settings import BoardSettings, Questions
from tests.brokers import RunningBroker, free_port
from tests.referee.bench import DEAL, settings
from tests.referee.hall import RefereeProcess, open_hall
from tests.scraped import scraped

pytestmark = pytest.mark.broker


async def test_tables_journal_and_pace_are_told(
    tmp_path: Path, live_broker: RunningBroker
) -> None:
    address = f"127.0.0.1:{free_port()}"
    event = settings(
        boards=[BoardSettings(number=3, deal=DEAL)],
        broker=live_broker.settings(Role.REFEREE),
        journal=str(tmp_path / "journal.sqlite"),
        questions=Questions.WAIT,
    )
    referee = RefereeProcess(msgspec.structs.replace(event, metrics=address), tmp_path)
    await referee.start()
    async with open_hall(live_broker) as hall:
        await hall.play(*map(parse_line, ("S 1S", "N 2C", "E decline", "W P")))
        figures = await scraped(address)
    assert figures["bidwire_epoch", ""] == 1
    assert figures["bidwire_inbox", ""] == 0
    assert figures["bidwire_journal_entries_total", ""] == len(referee.entries())
    assert figures["bidwire_journal_failures_total", ""] == 0
    commits = figures["bidwire_journal_commits_total", ""]
    assert figures["bidwire_commit_seconds_count", ""] == commits
    assert figures["bidwire_batch_seconds_count", ""] >= commits
    assert figures["bidwire_table_board", "t1"] == 3
    assert figures["bidwire_table_held", "t1"] == 0
    assert await referee.stop() == 0


async def test_an_address_in_use_ends_it_with_the_reason(
    tmp_path: Path, live_broker: RunningBroker
) -> None:
    broker = live_broker.settings(Role.REFEREE)
    taken = f"127.0.0.1:{broker.port}"
    event = settings(
        broker=broker,
        journal=str(tmp_path / "journal.sqlite"),
        metrics=taken,
    )
    referee = RefereeProcess(event, tmp_path)
    await referee.start()
    code, log = await referee.ended()
    assert code == ExitCode.UNUSABLE
    assert f"metrics: {taken}: Address already in use" in log
