"""A whole room for the desk: a real broker, a real referee, players, a desk."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laws.engine import begin, decide
from laws.report import report
from laws.script import parse_line
from laws.seats import SEATS
from laws.steps import Step
from protocol.happenings import Request
from protocol.payloads import Pairs
from protocol.topics import Role
from referee.journal_store import open_journal
from referee.service import Referee
from referee.settings import BoardSettings, Questions, RefereeSettings
from tests.brokers import RunningBroker, running_broker
from tests.desk.desks import RunningDesk, running_desk, users_file
from tests.referee.bench import DEAL, settings
from tests.referee.hall import Hall, open_hall

BOARDS = tuple(
    BoardSettings(number=n, deal=DEAL, round=1, pairs=Pairs(ns="7", ew="12"))
    for n in (1, 2)
)


@dataclass
class WholeRoom:
    """A table t1 at which four players sit, and the desk."""

    hall: Hall
    desk: RunningDesk

    async def play(self, *lines: str, start: int = 0) -> None:
        """The players do this, each as soon as his display has come so far."""
        await self.hall.play(*map(parse_line, lines), start=start)

    async def press(self, pressed: str | Request) -> None:
        """A player presses a key whatever his display shows."""
        if isinstance(pressed, str):
            action = parse_line(pressed)
            await self.hall.press(action, self.hall.actor(action))
        else:
            await self.hall.press(pressed, pressed.seat)

    async def seen(self, line: str) -> None:
        """Wait until the desk knows that this has happened, last of all."""
        desks = self.desk.context.room.desks

        def is_there() -> bool:
            course = desks["t1"].course if "t1" in desks else None
            return course is not None and course.lines[-1:] == (line,)

        await self.desk.until(is_there)


def played_out(*lines: str) -> list[str]:
    """The lines, and then every trick as it comes, the lowest legal card first."""
    playing = begin(BOARDS[0].board(settings().edition, settings().policies.policies()))
    done: list[str] = []
    for line in lines:
        done.append(line)
        playing = decide(playing, Step(len(done), parse_line(line))).state
    while playing.play is not None and not playing.play.ended:
        seen = report(playing)
        done.append(f"{seen['turn']} {seen['legal'][0]}")
        playing = decide(playing, Step(len(done), parse_line(done[-1]))).state
    return done


@contextlib.asynccontextmanager
async def whole_room(
    broker: RunningBroker,
    folder: Path,
    language: str = "en",
    **event: Any,  # noqa: ANN401 - keys of the referee's settings
) -> AsyncIterator[WholeRoom]:
    """The room, until the context closes.

    Args:
        broker: where all meet.
        folder: for what they keep.
        language: of the desk's users, and of the displays.
        event: keys of the referee's settings.
    """
    options: dict[str, Any] = {"boards": BOARDS, "questions": Questions.WAIT}
    told: RefereeSettings = settings(
        broker=broker.settings(Role.REFEREE),
        journal=str(folder / "journal.sqlite"),
        language=language,
        **(options | event),
    )
    place = folder / "desk"
    place.mkdir()
    users_file(place, language=language)
    async with running_desk(place, lambda: broker.settings(Role.DIRECTOR)) as desk:
        # The others come after it: NATS may lose what comes while a client subscribes.
        await desk.up()
        known = desk.context.room
        async with open_hall(broker) as hall:
            await desk.until(lambda: len(known.terminals) == len(SEATS))
            referee = asyncio.create_task(ruling(told))
            try:
                await desk.until(lambda: "t1" in known.desks)
                await hall.until(lambda: all(hall.shows(seat, 0) for seat in SEATS))
                yield WholeRoom(hall, desk)
            finally:
                referee.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await referee


@contextlib.asynccontextmanager
async def room_by_itself(folder: Path) -> AsyncIterator[WholeRoom]:
    """The room at a broker of its own, for a test in a browser: in the session's loop.

    Args:
        folder: for what they keep.
    """
    store = folder / "nats"
    store.mkdir(mode=0o700)
    async with (
        running_broker("nats", store) as broker,
        whole_room(broker, folder) as room,
    ):
        yield room


async def ruling(told: RefereeSettings) -> None:
    """The referee, until cancelled."""
    async with open_journal(told) as journal:
        await Referee(told, journal).run()
