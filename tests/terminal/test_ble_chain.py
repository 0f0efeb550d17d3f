"""Simulated terminals over Bluetooth LE, a whole daemon and a real broker."""

import asyncio
import logging
from pathlib import Path

import msgspec
import pytest
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import NotifyCallback

from laws.seats import SEATS, Seat
from protocol.payloads import LinkState, TerminalEvent
from terminal.simulator.settings import BoardScript
from terminal.virtual_ble import backend_of
from terminal.virtual_ble.backend import VirtualClient
from tests.brokers import RunningBroker
from tests.long import long
from tests.terminal.bluetooth import QUICK, Room, client_of
from tests.terminal.chain import (
    NORTH,
    Chain,
    calls_taken,
    in_turn,
    name_of,
    round_of_calls,
)
from tests.told import until_told

pytestmark = pytest.mark.broker


class BleChain(Chain):
    """A chain whose terminals are in a virtual room."""

    def __init__(
        self,
        folder: Path,
        broker: RunningBroker,
        *,
        board: BoardScript | None = None,
        mtu: int = 247,
    ) -> None:
        self.room = Room(SEATS, mtu)
        super().__init__(folder, broker, board=board, ends=self.room.ends)
        self.times = QUICK

    async def plug_in(self) -> None:
        """Give the next daemon that is started an adapter of its own."""
        self.bluetooth = backend_of(await self.room.adapter())


@pytest.mark.parametrize(
    "mtu",
    [23, pytest.param(185, marks=long), pytest.param(247, marks=long), 517],
)
async def test_four_terminals_play_by_their_displays_at_any_mtu(
    tmp_path: Path, nats: RunningBroker, mtu: int
) -> None:
    chain = BleChain(tmp_path, nats, board=round_of_calls(24), mtu=mtu)
    page = tuple(f"{line}: your call, with all that comes"[:20] for line in range(4))
    chain.referee.pages = (page,) * 6  # in several parts
    await chain.plug_in()
    async with chain.running():
        await chain.until_finished()
        screen = chain.terminal(NORTH).screens[Seat.NORTH]
        assert screen.pages == 6
        assert screen.lines()[:4] == page
    assert calls_taken(chain) == in_turn(24)
    assert [event.k for event in chain.referee.taken] == list(range(24))


async def test_fault_4_events_are_taken_up_at_the_last_number_after_a_reconnect(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = BleChain(tmp_path, nats, mtu=23)
    await chain.plug_in()
    async with chain.running():
        await chain.until_shown(Seat.NORTH)
        for number in range(0, 40, 10):
            for label in range(number, number + 10):
                chain.press(Seat.NORTH, str(label))
            await chain.referee.until(lambda n=number: len(chain.referee.taken) > n)  # type: ignore[misc]
            opening = chain.referee.statuses[NORTH].opening
            chain.room.lose_radio(Seat.NORTH)  # in the middle of the burst
            await chain.referee.until(
                lambda before=opening: chain.referee.statuses[NORTH].opening > before  # type: ignore[misc]
            )
        await chain.referee.until(lambda: len(chain.referee.taken) == 40)
        await chain.reports.until(lambda: not chain.terminal(NORTH).unacknowledged)
    assert calls_taken(chain) == in_turn(40)
    assert chain.referee.statuses[NORTH].opening > 4


async def test_boxes_may_change_places_while_the_radio_goes_on(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = BleChain(tmp_path, nats)
    await chain.plug_in()
    right = chain.daemon_settings()
    north, east, *others = right.terminals
    wrong = msgspec.structs.replace(
        right,
        terminals=(
            msgspec.structs.replace(north, port=east.port),
            msgspec.structs.replace(east, port="ble://C0:00:00:00:09:09"),
            *others,
        ),
    )
    daemon = chain.make_daemon(wrong)
    statuses = chain.referee.statuses
    async with chain.running(daemon="none"):
        task = asyncio.create_task(daemon.run())
        await chain.until_online(*(terminal.id for terminal in others))
        await chain.referee.until(
            lambda: NORTH in statuses and statuses[NORTH].link is LinkState.REFUSED
        )
        openings = [statuses[terminal.id].opening for terminal in others]
        daemon.take_up(right)
        await chain.until_online()
        assert [statuses[terminal.id].opening for terminal in others] == openings
        task.cancel()
        await asyncio.wait({task})


class _Overflowing(VirtualClient):
    """The system's queue overflows: notifications are lost without a word."""

    notified = 0

    async def start_notify(
        self,
        characteristic: BleakGATTCharacteristic,
        callback: NotifyCallback,
        **more: object,
    ) -> None:
        def sometimes(data: bytearray) -> None:
            _Overflowing.notified += 1
            if _Overflowing.notified % 4:
                callback(data)

        await super().start_notify(characteristic, sometimes, **more)


async def test_fault_11_the_numbers_find_what_a_notify_queue_has_lost(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = BleChain(tmp_path, nats, mtu=185)
    chain.bluetooth = client_of(await chain.room.adapter(), _Overflowing)
    async with chain.running():
        await chain.until_shown(Seat.NORTH)
        for label in range(20):
            chain.press(Seat.NORTH, str(label))
        await chain.referee.until(lambda: len(chain.referee.taken) == 20)
    assert calls_taken(chain) == in_turn(20)


async def test_a_terminal_that_restarts_keeps_its_events(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = BleChain(tmp_path, nats)
    await chain.plug_in()
    async with chain.running():
        await chain.until_shown(Seat.NORTH)
        chain.press(Seat.NORTH, "0")
        chain.terminal(NORTH).restart()
        chain.terminal(NORTH).unplug(0.05)
        await chain.referee.until(lambda: len(chain.referee.taken) == 1)
        assert isinstance(chain.referee.taken[0], TerminalEvent)
    assert calls_taken(chain) == in_turn(1)


async def test_fault_8_the_second_daemon_backs_off_until_the_first_is_gone(
    tmp_path: Path, live_broker: RunningBroker, caplog: pytest.LogCaptureFixture
) -> None:
    chain = BleChain(tmp_path, live_broker)
    await chain.plug_in()
    async with chain.running():
        await chain.until_online()
        openings = {n: s.opening for n, s in chain.referee.statuses.items()}
        await chain.plug_in()
        alarmed = until_told(
            "daemon d1 serves t1-e t1-n t1-s t1-w, too; it was first", "terminal"
        )
        noticed = until_told(
            "daemon d2 serves t1-e t1-n t1-s t1-w, too; we were first", "terminal"
        )
        second = chain.start_daemon(chain.daemon_settings("d2"))
        async with asyncio.timeout(10):
            await alarmed.wait()
            await noticed.wait()
        elsewhere = chain.referee.elsewhere
        await chain.referee.until(
            lambda: (
                ("d2", NORTH) in elsewhere
                and "daemon d1 serves" in elsewhere["d2", NORTH].reason
            )
        )
        # A drop is no invitation: the terminal goes back to the first.
        chain.room.lose_radio(Seat.NORTH)
        await chain.referee.until(
            lambda: chain.referee.statuses[NORTH].opening > openings[NORTH]
        )
        await chain.until_online()
        assert elsewhere["d2", NORTH].link is LinkState.OFFLINE
        first = chain.daemon
        assert first is not None
        first.cancel()
        await asyncio.wait({first})
        await chain.referee.until(
            lambda: all(
                elsewhere[("d2", name_of(seat))].link is LinkState.ONLINE
                for seat in SEATS
            )
        )
        second.cancel()
        await asyncio.wait({second})
    alarms = [r for r in caplog.records if r.levelno >= logging.ERROR]
    assert len(alarms) == 2, "each daemon tells it once"
