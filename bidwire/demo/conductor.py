"""The demo's conductor: presses each key when all four displays have caught up."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bidwire.demo.scene import Scene
from bidwire.records.happenings import Happening
from bidwire.replay.processes import Processes, run_processes
from bidwire.replay.room import Room
from laws.actions import MakeCall
from laws.seats import Seat
from protocol.happenings import fields_of
from protocol.payloads import Payload
from terminal.simulator.reports import PressCommand, Report

TABLE = "t1"

SETTLED = 0.15
"""Seconds without news after which the table counts as settled."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds to look at the table before the next key is pressed; 0 for no pause."""

    call: float = 1.2
    card: float = 0.45
    ruling: float = 4.0

    def faster(self, speed: float) -> "Pace":
        """The same, so many times as fast."""
        return Pace(self.call / speed, self.card / speed, self.ruling / speed)


NO_PAUSE = Pace(0.0, 0.0, 0.0)


class Conductor:
    """Plays one board on one table, key by key."""

    def __init__(
        self, room: Room, scene: Scene, pace: Pace, on_step: Callable[[], None]
    ) -> None:
        """Prepare.

        Args:
            room: one table with one board.
            scene: kept up to date.
            pace: how long to wait between two keys.
            on_step: called whenever the table has settled after a happening.
        """
        self._room = room
        self._scene = scene
        self._pace = pace
        self._on_step = on_step
        self._news = asyncio.Event()

    async def play(self) -> None:
        """Play the board to its result.

        Raises:
            ChildError: a process refuses to start.
            EmbeddedBrokerError: the broker cannot be started.
        """
        await run_processes(
            self._room, self._conduct, on_report=self._take, on_payload=self._take
        )

    def _take(self, news: Report | Payload) -> None:
        if self._scene.take(news):
            self._news.set()

    async def _conduct(self, processes: Processes) -> None:
        scene = self._scene
        for number, happening in enumerate(scene.plan.happenings):
            told = len(scene.rulings)
            await self._until_done(number)
            await self._settle()
            self._on_step()
            news = len(scene.rulings) > told
            await asyncio.sleep(self._pace_of(happening, after_ruling=news))
            processes.command(_press(happening))
        await self._until(lambda: scene.result is not None)
        await self._settle()
        self._on_step()

    def _pace_of(self, happening: Happening, *, after_ruling: bool) -> float:
        if after_ruling:
            return self._pace.ruling
        if isinstance(happening.action, MakeCall):
            return self._pace.call
        return self._pace.card

    async def _until_done(self, number: int) -> None:
        """Wait until all four displays reflect so many happenings."""
        await self._until(lambda: self._scene.done >= number)

    async def _until(self, true: Callable[[], bool]) -> None:
        while not true():
            self._news.clear()
            await self._news.wait()

    async def _settle(self) -> None:
        """Wait until displays, state and rulings have all arrived."""
        while True:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), SETTLED)
            except TimeoutError:
                return


def _press(happening: Happening) -> PressCommand:
    assert happening.actor is not None  # noqa: S101 - the demo needs no Director
    key = fields_of(happening.action, happening.actor)
    return PressCommand(
        terminal=terminal_of(key.seat),
        seat=key.seat,
        kind=key.kind,
        hand=key.hand,
        data=key.data,
    )


def terminal_of(seat: Seat) -> str:
    """The id of the terminal at a seat of the demo's table."""
    return f"{TABLE}-{seat.value.lower()}"
