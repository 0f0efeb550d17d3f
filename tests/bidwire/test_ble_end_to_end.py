"""A board over Bluetooth LE, judged by the real referee as by the engine alone."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from bidwire.demo.command import demo_plan
from bidwire.replay.comparison import script_differences
from bidwire.replay.room import DAEMON, EVENT
from bidwire.replay.room import Room as Plan
from desk.director import DirectorClient
from laws.board import Edition, Policies
from laws.seats import SEATS, Seat
from protocol.payloads import Payload, TableResult
from protocol.topics import Role
from referee.journal_store import open_journal
from referee.service import Referee
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings
from terminal.simulator.reports import ScreenReport, StartCommand
from terminal.simulator.reports import encode_command as encoded
from terminal.simulator.simulator import Simulator
from terminal.virtual_ble import backend_of
from tests.brokers import running_broker
from tests.long import long
from tests.terminal.bluetooth import QUICK, Room, quick
from tests.terminal.chain import Reports

pytestmark = pytest.mark.broker


@contextlib.asynccontextmanager
async def started(*works: object) -> AsyncIterator[None]:
    """Run these until the end, which must not come by itself."""
    tasks = [asyncio.ensure_future(work) for work in works]  # type: ignore[call-overload]
    try:
        yield
    finally:
        for task in reversed(tasks):
            task.cancel()
            await asyncio.wait({task})
    for task in tasks:
        if not task.cancelled():
            task.result()


def over_the_air(settings: DaemonSettings, room: Room) -> DaemonSettings:
    replace = msgspec.structs.replace
    terminals = (replace(t, port=room.ends[t.id].port) for t in settings.terminals)
    return replace(settings, terminals=tuple(terminals))


@pytest.mark.parametrize("mtu", [pytest.param(23, marks=long), 247])
async def test_a_board_over_four_terminals_is_judged_as_by_the_engine_alone(
    tmp_path: Path, mtu: int
) -> None:
    plan = demo_plan(Edition.LAWS_2017)
    table = Plan(edition=Edition.LAWS_2017, policies=Policies(), tables={"t1": (plan,)})
    room, reports = Room(SEATS, mtu), Reports()
    simulator = Simulator(table.simulator(tmp_path), reports, ends=room.ends)
    over = asyncio.Event()
    results: list[TableResult] = []

    def heard(payload: Payload) -> None:
        if isinstance(payload, TableResult) and payload.judged is not None:
            results.append(payload)
            over.set()

    broker_folder = tmp_path / "broker"
    broker_folder.mkdir(mode=0o700)
    async with running_broker(
        "nats", broker_folder, event=EVENT, daemons=(DAEMON,)
    ) as broker:
        at_referee = table.referee(tmp_path, broker.settings(Role.REFEREE))
        at_daemon = table.daemon(tmp_path, broker.settings(Role.DAEMON, DAEMON))
        director = DirectorClient(
            broker.settings(Role.DIRECTOR), EVENT, on_change=heard
        )
        backend = backend_of(await room.adapter())
        async with (
            open_journal(at_referee) as journal,
            started(Referee(at_referee, journal).run(), simulator.run()),
            director,
        ):
            await reports.until(lambda: reports.of("ready"))
            daemon = Daemon(
                over_the_air(at_daemon, room),
                backoff=quick,
                bluetooth=backend,
                times=QUICK,
            )
            async with started(daemon.run()), asyncio.timeout(30):
                simulator.command(encoded(StartCommand()))
                await until_half(reports)
                room.lose_radio(Seat.SOUTH)
                await over.wait()
    judged = results[-1].judged
    assert judged is not None
    assert plan.judged is not None
    assert script_differences(plan.judged, judged) == []


async def until_half(reports: Reports) -> None:
    """Wait until a display reflects about half of the board."""
    await reports.until(
        lambda: any(
            isinstance(report, ScreenReport) and report.at >= 30
            for report in reports.all[-8:]
        )
    )
