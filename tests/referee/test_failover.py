"""Failover: a second referee takes over in mid-play, and never do two of them rule."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import msgspec
import pytest
import pytest_asyncio

from broker.exits import ExitCode
from laws.actions import Action
from laws.report import report
from protocol.topics import Role
from referee.entries import EventJudged, EventTaken, RulingTold
from referee.journal import row_of
from referee.journal_chain import Link, verify
from referee.journal_stream import read_stream
from referee.settings import BoardSettings, Questions, RefereeSettings
from tests.brokers import running_broker
from tests.long import long
from tests.referee.bench import DEAL, settings
from tests.referee.cluster import (
    Cable,
    Node,
    client_of,
    leader_of,
    running,
    stream_settings,
)
from tests.referee.hall import Hall, RefereeProcess, open_hall
from tests.referee.test_service import board_with_a_ruling, judged_alone

pytestmark = pytest.mark.broker


@pytest_asyncio.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[list[Node]]:
    async with running(tmp_path, 1) as nodes:
        yield nodes


def event_on(nodes: list[Node], **stream: object) -> RefereeSettings:
    return settings(
        boards=[BoardSettings(number=1, deal=DEAL)],
        broker=nodes[0].settings(Role.REFEREE),
        journal=stream_settings(nodes, **stream),
        questions=Questions.ASSUME,
    )


def referee_of(event: RefereeSettings, folder: Path, name: str) -> RefereeProcess:
    (folder / name).mkdir()
    return RefereeProcess(event, folder / name)


async def links_of(event: RefereeSettings) -> list[Link]:
    """The whole journal, whose chain is checked: no epoch ever falls in it."""
    assert not isinstance(event.journal, str)
    links = await read_stream(event.journal, event.event)
    verify(event.event, links)
    return links


async def check(hall: Hall, event: RefereeSettings, actions: list[Action]) -> None:
    """Nothing was lost, and nothing was judged or told twice."""
    alone = report(judged_alone(event, actions))
    await hall.until(lambda: hall.desk is not None and hall.desk.judged == alone)
    entries = [row_of(link).entry for link in await links_of(event)]
    taken = Counter(
        (e.terminal, e.boot, e.n) for e in entries if isinstance(e, EventTaken)
    )
    judged = Counter(
        (e.terminal, e.boot, e.n) for e in entries if isinstance(e, EventJudged)
    )
    assert taken == judged
    assert len(taken) == len(actions)
    assert set(taken.values()) == {1}
    told = [e.number for e in entries if isinstance(e, RulingTold)]
    assert told == list(range(1, len(alone["rulings"]) + 1))


async def stands_by(referee: RefereeProcess) -> None:
    """Start a second referee, and wait until it waits for the first one's place."""
    await referee.start()
    await referee.says("standing by for referee")


async def rules(hall: Hall, epoch: int) -> None:
    """Wait until every display is that of a referee of this term."""
    await hall.until(
        lambda: all(
            t.display is not None and t.display.epoch >= epoch
            for t in hall.terminals.values()
        )
    )


async def test_frozen_referee_is_replaced_and_rules_no_more_when_it_thaws(
    nodes: list[Node], tmp_path: Path
) -> None:
    event, actions = event_on(nodes), board_with_a_ruling()
    first, second = (referee_of(event, tmp_path, name) for name in ("a", "b"))
    await first.start()
    async with open_hall(nodes[0]) as hall:
        await rules(hall, 1)
        await stands_by(second)
        playing = asyncio.create_task(hall.play(*actions))
        await hall.until(lambda: hall.received >= 60)
        first.freeze()
        await rules(hall, 2)
        before = await links_of(event)
        first.thaw()
        code, log = await first.ended()
        assert code == ExitCode.FAILED
        assert "another referee has taken" in log
        await playing
        await check(hall, event, actions)
        after = await links_of(event)
        assert {link.epoch for link in after[len(before) :]} == {2}
    assert await second.stop() == 0


async def test_referee_that_is_cut_off_from_the_journal_says_nothing_any_more(
    nodes: list[Node], tmp_path: Path
) -> None:
    event, actions = event_on(nodes), board_with_a_ruling()
    async with Cable(nodes[0]) as cable:
        journal = stream_settings(nodes, servers=(cable.url,))
        behind = msgspec.structs.replace(event, journal=journal)
        first = referee_of(behind, tmp_path, "a")
        second = referee_of(event, tmp_path, "b")
        await first.start()
        async with open_hall(nodes[0]) as hall:
            await rules(hall, 1)
            await stands_by(second)
            playing = asyncio.create_task(hall.play(*actions))
            await hall.until(lambda: hall.received >= 60)
            # It still hears the tables, and could speak to them.
            cable.cut()
            await rules(hall, 2)
            await playing
            assert hall.refused == 0
            cable.mend()
            code, log = await first.ended()
            assert code == ExitCode.FAILED
            assert "another referee has taken" in log
            assert "nothing is ruled" in log
            await check(hall, event, actions)
            assert hall.refused == 0
        assert await second.stop() == 0


async def test_referees_killed_in_turn_lose_nothing_and_rule_nothing_twice(
    nodes: list[Node], tmp_path: Path
) -> None:
    chance = Random(5)  # noqa: S311 - no secret
    event, actions = event_on(nodes), board_with_a_ruling()
    ruling, standby = (referee_of(event, tmp_path, name) for name in ("a", "b"))
    await ruling.start()
    async with open_hall(nodes[0]) as hall:
        await rules(hall, 1)
        playing = asyncio.create_task(hall.play(*actions))
        for epoch in (2, 3):
            await stands_by(standby)
            seen = hall.received + chance.randint(1, 40)
            await hall.until(lambda n=seen: hall.received >= n or playing.done())  # type: ignore[misc]
            await ruling.stop(signal.SIGKILL)
            await rules(hall, epoch)
            ruling, standby = standby, ruling
        await playing
        await check(hall, event, actions)
    assert await ruling.stop() == 0


async def test_standby_stops_when_it_is_told_and_takes_over_when_the_referee_does(
    nodes: list[Node], tmp_path: Path
) -> None:
    event, actions = event_on(nodes), board_with_a_ruling()
    first, second = (referee_of(event, tmp_path, name) for name in ("a", "b"))
    await first.start()
    async with open_hall(nodes[0]) as hall:
        await hall.play(*actions[:7])
        await stands_by(second)
        assert await second.stop() == 0
        await stands_by(second)
        assert await first.stop() == 0
        await hall.play(*actions[7:], start=7)
        await check(hall, event, actions)
    assert await second.stop() == 0


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kills", [1, pytest.param(2, marks=long)])
async def test_server_of_the_cluster_killed_in_mid_play_loses_nothing(
    tmp_path: Path, kills: int
) -> None:
    async with (
        running_broker("nats", tmp_path / "broker") as broker,
        running(tmp_path, 3) as nodes,
        client_of(nodes) as client,
    ):
        event, actions = event_on(nodes, lease_s=3.0), board_with_a_ruling()
        event = msgspec.structs.replace(event, broker=broker.settings(Role.REFEREE))
        first, second = (referee_of(event, tmp_path, name) for name in ("a", "b"))
        await first.start()
        async with open_hall(broker) as hall:
            await rules(hall, 1)
            await stands_by(second)
            playing = asyncio.create_task(hall.play(*actions))
            for seen in (60, 150)[:kills]:
                await hall.until(lambda n=seen: hall.received >= n)  # type: ignore[misc]
                leader = await leader_of(client, nodes, event.event)
                await leader.stop()
                await hall.until(lambda n=seen + 50: hall.received >= n)  # type: ignore[misc]
                await leader.start()
            await playing
            await check(hall, event, actions)
        # Whichever rules now: the other one may have been overtaken while none could.
        codes = {await referee.stop() for referee in (first, second)}
        assert codes <= {ExitCode.STOPPED, ExitCode.FAILED}
