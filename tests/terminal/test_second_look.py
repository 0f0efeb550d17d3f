"""A cable in the wrong box, or a name that leads to one, heals without a restart."""

import asyncio
import logging
from pathlib import Path

import msgspec
import pytest

from laws.seats import Seat
from protocol.payloads import LinkState
from tests.brokers import RunningBroker
from tests.terminal.chain import NORTH, Chain, name_of, simulated

pytestmark = pytest.mark.broker

EAST = name_of(Seat.EAST)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminal.second_look.FIRST_SECONDS", 0.05)


def lead_to(plug: Path, port: str) -> None:
    """Let a name lead to another port, as udev does; nobody is unplugged."""
    fresh = plug.with_suffix(".new")
    fresh.symlink_to(port)
    fresh.replace(plug)


async def test_the_right_terminal_is_found_while_the_wrong_one_stays_plugged_in(
    tmp_path: Path, nats: RunningBroker, caplog: pytest.LogCaptureFixture
) -> None:
    chain = Chain(tmp_path, nats, [simulated(Seat.NORTH), simulated(Seat.EAST)])
    statuses, plug = chain.referee.statuses, tmp_path / "by-path-1"
    async with chain.running(daemon="none"):
        lead_to(plug, chain.terminal(EAST).port)
        settings = chain.daemon_settings()
        bound = msgspec.structs.replace(
            settings.terminals[0], port=str(plug), serial="SN-N"
        )
        daemon = chain.start_daemon(
            msgspec.structs.replace(settings, terminals=(bound,))
        )
        await chain.referee.until(
            lambda: NORTH in statuses and statuses[NORTH].link is LinkState.REFUSED
        )
        assert statuses[NORTH].reason == "expected serial number SN-N, got SN-E"
        lead_to(plug, chain.terminal(NORTH).port)
        await chain.until_online(NORTH)
        told = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
        assert [text for text in told if "serial number" in text] == [
            "t1-n: refused: expected serial number SN-N, got SN-E"
        ]
        await chain.until_shown(Seat.NORTH)
        daemon.cancel()
        await asyncio.wait({daemon})


async def test_two_swapped_cables_are_put_right_while_the_event_runs(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats, [simulated(Seat.NORTH), simulated(Seat.EAST)])
    statuses = chain.referee.statuses
    plugs = {name: tmp_path / f"plug {name}" for name in (NORTH, EAST)}
    async with chain.running(daemon="none"):
        lead_to(plugs[NORTH], chain.terminal(EAST).port)
        lead_to(plugs[EAST], chain.terminal(NORTH).port)
        settings = chain.daemon_settings()
        terminals = tuple(
            msgspec.structs.replace(t, port=str(plugs[t.id]), serial=f"SN-{t.seats[0]}")
            for t in settings.terminals
        )
        daemon = chain.start_daemon(
            msgspec.structs.replace(settings, terminals=terminals)
        )
        await chain.referee.until(
            lambda: (
                len(statuses) == 2
                and all(s.link is LinkState.REFUSED for s in statuses.values())
            )
        )
        assert statuses[NORTH].reason.endswith("which belongs to t1 E")
        for name, plug in plugs.items():
            lead_to(plug, chain.terminal(name).port)
        await chain.until_online(NORTH, EAST)
        daemon.cancel()
        await asyncio.wait({daemon})
