"""``sim://``: our own simulated terminal in place of a box, and hands at it."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hil_tests.carrier import Carrier, CarrierError, RadioCarrier, carrier_of
from laws.seats import Seat
from protocol.happenings import MOVES_CARD, EventKey
from protocol.messages import Display, Profile
from terminal.simulator import (
    Report,
    SimulatedSettings,
    SimulatedTerminal,
    Simulator,
    SimulatorSettings,
    encode_command,
)
from terminal.simulator.reports import (
    ErrorReport,
    PressCommand,
    ReadyReport,
    RestartCommand,
    ScreenReport,
)
from terminal.simulator.wire import FarEnd

TERMINAL = "tested"
"""The name of the simulated terminal."""

ADDRESS = "C0:00:00:00:01:00"
"""Its address over virtual Bluetooth LE."""

MOMENT = 0.05
"""Seconds after which a screen that did not change at once is looked at again."""
LOOKS = 20


class Reach(StrEnum):
    """By what a simulated terminal is reached: the name in ``sim://NAME``."""

    PTY = ""
    TCP = "tcp"
    BLUETOOTH = "ble"


@dataclass(frozen=True, slots=True)
class Box:
    """What a simulated terminal is like."""

    profile: Profile = Profile.FOUR_SEATS
    key: bytes | None = None
    reach: Reach = Reach.PTY

    def settings(self) -> SimulatedSettings:
        """For the simulator."""
        four = self.profile is Profile.FOUR_SEATS
        return SimulatedSettings(
            id=TERMINAL,
            table="bench",
            seats=tuple(Seat) if four else (Seat.SOUTH,),
            serial="SIMULATED-1",
            profile=self.profile,
            key=self.key.hex() if self.key is not None else None,
            tcp=0 if self.reach is Reach.TCP else None,
        )


class SimulatorHands:
    """Works a simulated terminal through its commands and its reports."""

    are_quick = True

    def __init__(self) -> None:
        """Hold nothing yet: ``simulator`` is set when there is one."""
        self.simulator: Simulator
        self.ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._screens: dict[Seat, tuple[str, ...]] = {}

    def take(self, report: Report) -> None:
        """Take a report of the simulator."""
        match report:
            case ReadyReport(ports=ports):
                self.ready.set_result(ports[0].port)
            case ScreenReport(seat=seat, lines=lines):
                self._screens[seat] = lines
            case ErrorReport(text=text):
                raise ValueError(text)
            case _:
                pass  # what the wire tells anyway

    async def press(self, key: EventKey) -> None:
        """Press a key."""
        command = PressCommand(TERMINAL, key.seat, key.kind, key.hand, key.data)
        self.simulator.command(encode_command(command))

    async def choose(self, display: Display, number: int) -> None:
        """Press the key of an answer."""
        choice = display.choices[number - 1]
        hand = display.hand if choice.kind in MOVES_CARD else None
        await self.press(EventKey(choice.kind, display.seat, hand, choice.data))

    async def restart(self) -> None:
        """Restart it."""
        self.simulator.command(encode_command(RestartCommand(TERMINAL)))

    async def sees(self, seat: Seat, text: str) -> bool:
        """Whether the seat's screen shows a text, now or in a moment."""
        for _ in range(LOOKS):
            if any(text in line for line in self._screens.get(seat, ())):
                return True
            await asyncio.sleep(MOMENT)
        return False

    async def sees_unsent(self, seat: Seat, count: int) -> bool:
        """Whether the seat's screen counts so many, now or in a moment."""
        return await self.sees(seat, f"sent ({count})")


@dataclass(frozen=True, slots=True)
class Running:
    """A simulated terminal that runs."""

    port: str
    """As a daemon's settings name it."""
    hands: SimulatorHands
    carrier: Carrier


@contextlib.asynccontextmanager
async def running(
    box: Box, make: Callable[..., SimulatedTerminal] = SimulatedTerminal
) -> AsyncIterator[Running]:
    """A simulated terminal while it runs, with what a bench needs of it.

    Args:
        box: what it is like.
        make: makes it.

    Raises:
        CarrierError: there is no Bluetooth to simulate it with.
    """
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bidwire-"))
        end, carrier = None, None
        if box.reach is Reach.BLUETOOTH:
            room = _virtual_room(paired=box.key is not None)
            end, carrier = await stack.enter_async_context(room)
        hands = await stack.enter_async_context(
            switched_on(box, Path(folder), make, end)
        )
        port = hands.ready.result()
        yield Running(port, hands, carrier or carrier_of(port))


@contextlib.asynccontextmanager
async def switched_on(
    box: Box,
    directory: Path,
    make: Callable[..., SimulatedTerminal] = SimulatedTerminal,
    end: FarEnd | None = None,
) -> AsyncIterator[SimulatorHands]:
    """Hands at a simulated terminal while it runs.

    Args:
        box: what it is like.
        directory: where its memory is kept.
        make: makes it.
        end: where it is reached, when that is no pty and no TCP port.
    """
    hands = SimulatorHands()
    settings = SimulatorSettings(
        run_directory=str(directory), terminals=(box.settings(),)
    )
    ends = {} if end is None else {TERMINAL: end}
    hands.simulator = Simulator(settings, hands.take, ends=ends, make=make)
    task = asyncio.create_task(hands.simulator.run(), name="simulator")
    try:
        ended = asyncio.gather(task)
        await asyncio.wait((hands.ready, ended), return_when="FIRST_COMPLETED")
        if task.done():
            await ended  # raises what ended it
        yield hands
    finally:
        hands.simulator.stop()
        await asyncio.wait({task})


@contextlib.asynccontextmanager
async def _virtual_room(*, paired: bool) -> AsyncIterator[tuple[FarEnd, Carrier]]:
    """A room without hardware: a terminal's end in it, and the way there."""
    try:
        from terminal.virtual_ble import (  # noqa: PLC0415 - needs what few install
            Air,
            NusEnd,
            VirtualAdapter,
            backend_of,
        )
    except ImportError as error:
        raise CarrierError(
            f"sim://ble needs what `pip install bidwire[sim]` installs: {error}"
        ) from error
    air = Air()
    adapter = VirtualAdapter(air)
    await adapter.start()
    carrier = RadioCarrier(ADDRESS, backend=backend_of(adapter), paired=paired)
    try:
        yield NusEnd(air, ADDRESS, paired=paired), carrier
    finally:
        await carrier.close()
        await adapter.close()
