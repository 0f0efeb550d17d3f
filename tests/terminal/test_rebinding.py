"""One terminal gets another port or box while a daemon serves the others."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from laws.seats import Seat
from protocol.payloads import LinkState
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings, TerminalSettings
from tests.brokers import RunningBroker
from tests.terminal.chain import NORTH, Chain, name_of, simulated

pytestmark = pytest.mark.broker

EAST = name_of(Seat.EAST)

SPARE = "spare"


def chain_with_a_spare_box(folder: Path, broker: RunningBroker) -> Chain:
    """North, East, and another box that has North's seat."""
    spare = simulated(Seat.NORTH, id=SPARE, serial="SN-2", table="t2")
    return Chain(folder, broker, [simulated(Seat.NORTH), simulated(Seat.EAST), spare])


def bound(chain: Chain, **boxes: str) -> DaemonSettings:
    """Settings that bind each seat to the port and serial number of a box."""
    settings = chain.daemon_settings()
    return msgspec.structs.replace(
        settings,
        terminals=tuple(
            msgspec.structs.replace(
                terminal,
                port=chain.terminal(boxes[terminal.id[-1]]).port,
                serial=chain.terminal(boxes[terminal.id[-1]]).settings.serial,
            )
            for terminal in settings.terminals
            if terminal.id != SPARE
        ),
    )


@contextlib.asynccontextmanager
async def serving(daemon: Daemon) -> AsyncIterator[None]:
    task = asyncio.create_task(daemon.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def test_another_box_is_taken_up_and_the_other_links_stay_up(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = chain_with_a_spare_box(tmp_path, nats)
    statuses = chain.referee.statuses
    daemon = chain.make_daemon(bound(chain, n=NORTH, e=EAST))
    async with chain.running(daemon="none"), serving(daemon):
        await chain.until_online(NORTH, EAST)
        await chain.until_shown(Seat.NORTH, Seat.EAST)
        chain.press(Seat.NORTH, "1C")
        await chain.referee.until(lambda: len(chain.referee.taken) == 1)
        before = statuses[EAST]
        daemon.take_up(bound(chain, n=SPARE, e=EAST))
        await chain.referee.until(
            lambda: (
                (told := statuses[NORTH]).link is LinkState.ONLINE
                and told.hello is not None
                and told.hello.serial == "SN-2"
            )
        )
        chain.press(Seat.EAST, "P")
        await chain.referee.until(lambda: len(chain.referee.taken) == 2)
        assert statuses[NORTH].opening == 2
        now = statuses[EAST]
        assert (now.session, now.opening) == (before.session, before.opening)
        # Both numbers of the table's order are its daemon's, without a gap.
        assert [event.k for event in chain.referee.taken] == [0, 1]


async def test_two_boxes_may_change_places(tmp_path: Path, nats: RunningBroker) -> None:
    chain = chain_with_a_spare_box(tmp_path, nats)
    statuses = chain.referee.statuses
    daemon = chain.make_daemon(bound(chain, n=EAST, e=NORTH))
    async with chain.running(daemon="none"), serving(daemon):
        await chain.referee.until(
            lambda: (
                len(statuses) == 2
                and all(s.link is LinkState.REFUSED for s in statuses.values())
            )
        )
        daemon.take_up(bound(chain, n=NORTH, e=EAST))
        await chain.until_online(NORTH, EAST)


async def test_sighup_lets_the_daemon_read_its_settings_again(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = chain_with_a_spare_box(tmp_path, nats)
    statuses, file = chain.referee.statuses, tmp_path / "daemon.json"
    async with chain.running(daemon="none"):
        await chain.start_daemon_process(bound(chain, n=NORTH, e=EAST))
        await chain.until_online(NORTH, EAST)
        session = statuses[EAST].session
        assert chain.process is not None
        for content in (b"{}", msgspec.json.encode(bound(chain, n=SPARE, e=EAST))):
            file.write_bytes(content)
            chain.process.send_signal(signal.SIGHUP)
        await chain.referee.until(
            lambda: (
                (hello := statuses[NORTH].hello) is not None and hello.serial == "SN-2"
            )
        )
        assert {(s.session, s.link) for s in statuses.values()} == {
            (session, LinkState.ONLINE)
        }
        assert await chain.end_daemon_process(signal.SIGTERM) == 0


def test_what_is_more_than_a_box_waits_for_the_next_start(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = chain_with_a_spare_box(tmp_path, nats)
    settings = bound(chain, n=NORTH, e=EAST)
    daemon = chain.make_daemon(settings)
    first, second = settings.terminals

    def with_first(**changes: object) -> DaemonSettings:
        fields = {**msgspec.structs.asdict(first), **changes}
        terminals = (TerminalSettings(**fields), second)
        return msgspec.structs.replace(settings, terminals=terminals)

    for other in (
        msgspec.structs.replace(settings, daemon="d2"),
        msgspec.structs.replace(settings, terminals=(first,)),
        msgspec.structs.replace(settings, terminals=(second, first)),
        with_first(table="t2"),
        with_first(seats=(Seat.SOUTH,)),
        with_first(port="ble://C0:FF:EE:00:12:34"),
    ):
        with pytest.raises(ValueError, match="takes effect at the next start"):
            daemon.take_up(other)
    daemon.take_up(with_first(serial="SN-9", baudrate=9600))
