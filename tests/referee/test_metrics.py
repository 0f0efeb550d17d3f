"""The figures of the referee, read as Prometheus reads them."""

from pathlib import Path

import msgspec
import pytest

from broker.exits import ExitCode
from laws.script import parse_line
from protocol.topics import Role
from referee.settings import BoardSettings, Questions
from tests.brokers import RunningBroker, free_port
from tests.long import any_broker
from tests.referee.bench import DEAL, settings
from tests.referee.cluster import Node, running, stream_settings
from tests.referee.hall import RefereeProcess, open_hall
from tests.scraped import scraped

pytestmark = pytest.mark.broker


@any_broker
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
    assert figures["bidwire_referee_ruling", ""] == 1
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


@any_broker
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


async def test_a_standby_tells_that_it_does_not_rule_until_it_does(
    tmp_path: Path,
) -> None:
    addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    async with running(tmp_path, 1) as nodes:
        ruling, standby = [
            referee_at(nodes, address, tmp_path / str(number))
            for number, address in enumerate(addresses)
        ]
        await ruling.start()
        await ruling.says("epoch 1")
        await standby.start()
        await standby.says("standing by for referee")
        for address, rules in zip(addresses, (1, 0), strict=True):
            figures = await scraped(address)
            assert figures["bidwire_referee_ruling", ""] == rules
            assert figures["bidwire_epoch", ""] == rules
            assert figures["bidwire_inbox", ""] == 0
        assert await ruling.stop() == 0
        await standby.says("epoch 2")
        assert (await scraped(addresses[1]))["bidwire_referee_ruling", ""] == 1
        assert await standby.stop() == 0


async def test_a_standby_gets_the_address_of_the_referee_that_makes_way(
    tmp_path: Path,
) -> None:
    address = f"127.0.0.1:{free_port()}"
    async with running(tmp_path, 1) as nodes:
        ruling, standby = [
            referee_at(nodes, address, tmp_path / name) for name in ("a", "b")
        ]
        await ruling.start()
        await ruling.says("epoch 1")
        await standby.start()
        await standby.says("Address already in use; it is tried again when we rule")
        await standby.says("standing by for referee")
        assert await ruling.stop() == 0
        await standby.says("epoch 2")
        assert (await scraped(address))["bidwire_epoch", ""] == 2
        assert await standby.stop() == 0


def referee_at(nodes: list[Node], address: str, folder: Path) -> RefereeProcess:
    folder.mkdir()
    event = settings(
        broker=nodes[0].settings(Role.REFEREE),
        journal=stream_settings(nodes),
        metrics=address,
    )
    return RefereeProcess(event, folder)
