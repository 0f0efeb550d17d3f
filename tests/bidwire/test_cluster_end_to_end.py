"""One cluster keeps the journal and carries MQTT: a server dies, and play goes on."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import msgspec
import pytest

from bidwire.records.plan import Fault, Kind
from bidwire.replay.chain import Chain
from bidwire.replay.comparison import script_differences
from bidwire.replay.room import EVENT, Room
from bidwire.replay.strikes import ChainBroker
from bidwire.torture.rounds import room_of_round
from broker import BrokerSettings
from protocol.topics import Role
from referee.entries import EventJudged, EventTaken
from referee.journal import row_of
from referee.journal_chain import Link, verify
from referee.journal_stream import read_stream
from referee.settings import RefereeSettings
from tests.referee.cluster import (
    Node,
    Switch,
    client_of,
    leader_of,
    running,
    stream_settings,
)

pytestmark = pytest.mark.broker


class Cluster:
    """Three servers as the one broker of a chain; its ``kill`` is the leader's."""

    def __init__(self, nodes: list[Node], switch: Switch) -> None:
        self.nodes = nodes
        self.killed: list[Node] = []
        self._switch = switch

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        return self._switch.settings(role, daemon)

    async def kill(self) -> None:
        """End the server that leads the journal's stream; it stays away for now."""
        async with client_of(self.nodes) as client:
            leader = await leader_of(client, self.nodes, EVENT)
        await leader.stop()
        self.killed.append(leader)


@dataclass(frozen=True, kw_only=True)
class ClusterRoom(Room):
    """A room whose journal is in the cluster that carries its messages."""

    clusters: list[Cluster] = field(default_factory=list)
    told: list[Link] = field(default_factory=list)
    """The journal, as the server tells it that was killed and has come back."""

    @asynccontextmanager
    async def open_cluster(self, folder: Path) -> AsyncIterator[ChainBroker]:
        await asyncio.to_thread(folder.mkdir)
        async with running(folder, 3) as nodes, Switch(nodes) as switch:
            self.clusters.append(Cluster(nodes, switch))
            yield self.clusters[-1]
            (back,) = self.clusters[-1].killed
            await back.start()
            journal = stream_settings([back], replicas=len(nodes))
            self.told.extend(await read_stream(journal, EVENT))

    def referee(self, run: Path, broker: BrokerSettings) -> RefereeSettings:
        settings = super().referee(run, broker)
        journal = stream_settings(self.clusters[-1].nodes, lease_s=3.0)
        return msgspec.structs.replace(settings, journal=journal)


def room_with_a_kill(seed: int) -> ClusterRoom:
    """One table, one board with its irregularities, and a kill in the middle."""
    plain = room_of_round(0, tables=1, boards=1, seed=seed, skipped=frozenset())
    (plan,) = plain.tables["t1"]
    at = Random(seed).randrange(5, len(plan.happenings) - 5)  # noqa: S311 - repeatable
    kill = Fault(Kind.KILL_BROKER, str(plan.number), at)
    return ClusterRoom(
        edition=plain.edition,
        policies=plain.policies,
        tables={"t1": (replace(plan, faults=(kill,)),)},
        seed=seed,
    )


@pytest.mark.timeout(150)
async def test_a_server_that_dies_under_journal_and_messages_costs_a_pause() -> None:
    room = room_with_a_kill(seed=1)
    chain = Chain(room, on_board=lambda _: None, open_broker=room.open_cluster)
    await chain.play()
    outcome = chain.outcome()
    (plan,) = room.tables["t1"]
    assert outcome.errors == {}
    assert plan.judged is not None
    assert not list(script_differences(plan.judged, outcome.judged[plan.number]))
    assert len(outcome.recoveries[Kind.KILL_BROKER]) == 1
    verify(EVENT, room.told)
    entries = [row_of(link).entry for link in room.told]
    taken, judged = (
        Counter((e.terminal, e.boot, e.n) for e in entries if isinstance(e, kind))
        for kind in (EventTaken, EventJudged)
    )
    assert taken == judged, "nothing is lost"
    assert set(taken.values()) == {1}, "and nothing there twice"
