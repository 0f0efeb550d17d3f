"""A table of a club, all of it real: terminals on ptys, daemon, broker, referee."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from broker import BrokerSettings
from broker.backoff import Backoff
from desk.director import DirectorClient
from laws.board import Edition
from laws.engine import begin, decide
from laws.report import report
from laws.script import parse_line
from laws.seats import SEATS, Seat
from laws.steps import Step
from protocol.happenings import EventKey, fields_of
from protocol.messages import Display, Event
from protocol.payloads import Alarm, SilentCall
from protocol.topics import Role
from referee.journal_store import open_journal
from referee.service import Referee
from referee.settings import (
    Boards,
    BoardSettings,
    RefereeSettings,
    TableSettings,
)
from referee.settings import TerminalSettings as RefereeTerminal
from terminal.ble import SYSTEM, TIMES
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings, Security, TerminalSettings
from terminal.simulator.settings import SimulatedSettings
from terminal.simulator.terminal import SimulatedTerminal
from terminal.simulator.wire import FarEnd, PtyEnd
from tests.brokers import EVENT, RunningBroker

DAEMON = "d1"

WAIT_SECONDS = 30.0
"""A test fails when nothing has come of it for so long."""


def name_of(seat: Seat) -> str:
    return f"t1-{seat.lower()}"


def serial_of(seat: Seat) -> str:
    return f"BX-{seat}"


class Club:
    """One table of four single-seat terminals, and the Director.

    Args:
        folder: for journal, ports and the boxes' memories.
        broker: a real one.
        event: other settings of the referee; ``opening`` is ``boards``.

    Attributes:
        boxes: the terminal that hangs on each seat's port now.
        bound: what the daemon's settings say of each seat's terminal, beside its port.
        director: what the Director sees.
        displays: all that any box has been sent and has shown.
        link_changes: how often the link of each box went up or down.
    """

    def __init__(self, folder: Path, broker: RunningBroker, **event: Any) -> None:  # noqa: ANN401 - any key of the referee's settings
        self.folder, self.broker = folder, broker
        self._event = event
        self.ends: dict[Seat, FarEnd] = {}
        self.boxes: dict[Seat, SimulatedTerminal] = {}
        self.bound: dict[Seat, dict[str, Any]] = {s: {} for s in SEATS}
        self.director = DirectorClient(
            broker.settings(Role.DIRECTOR), EVENT, on_change=lambda _: self._notify()
        )
        self.displays: list[Display] = []
        self.link_changes: Counter[str] = Counter()
        self.bluetooth, self.times = SYSTEM, TIMES
        self._daemon: asyncio.Task[None] | None = None
        self._referee: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    # -- the terminals tell us ------------------------------------------------------

    def screen_changed(self, _terminal: SimulatedTerminal, _seat: Seat) -> None:
        self._notify()

    def display_came(self, _terminal: SimulatedTerminal, display: Display) -> None:
        self.displays.append(display)
        self._notify()

    def acknowledged(self, _terminal: SimulatedTerminal) -> None:
        self._notify()

    def link_changed(self, terminal: SimulatedTerminal, _text: str) -> None:
        self.link_changes[terminal.settings.serial] += 1
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds; it is looked at whenever anything changes."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not holds():
                await self._changed.wait()

    # -- settings -------------------------------------------------------------------

    def referee_settings(self) -> RefereeSettings:
        fields = {"boards": (BoardSettings(number=1),), **self._event}
        table = TableSettings(
            id="t1",
            terminals=tuple(
                RefereeTerminal(daemon=DAEMON, id=name_of(seat), seats=(seat,))
                for seat in SEATS
            ),
            boards=fields.pop("boards"),
        )
        return RefereeSettings(
            event=EVENT,
            broker=self.broker.settings(Role.REFEREE),
            journal=str(self.folder / "journal.sqlite"),
            edition=Edition.LAWS_2017,
            tables=(table,),
            boards=fields.pop("opening", Boards.AUTO),
            **fields,
        )

    def daemon_settings(self) -> DaemonSettings:
        terminals = []
        for seat in SEATS:
            fields = {
                "id": name_of(seat),
                "port": self.ends[seat].port,
                "table": "t1",
                "seats": (seat,),
                "serial": serial_of(seat),
                "security": Security.OPEN,
                **self.bound[seat],
            }
            terminals.append(TerminalSettings(**fields))
        return DaemonSettings(
            event=EVENT,
            daemon=DAEMON,
            broker=self.broker.settings(Role.DAEMON, DAEMON),
            terminals=tuple(terminals),
        )

    # -- what a test does -----------------------------------------------------------

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Club"]:
        """Switch everything on."""
        for seat in SEATS:
            if seat not in self.boxes:
                await self.plug_in(seat)
        try:
            async with self.director:
                # NATS may lose what is published while its reader subscribes.
                await self.director.connected()
                self._start_referee()
                await self.start_daemon()
                yield self
        finally:
            await self.stop_daemon()
            for box in self.boxes.values():
                await box.close()
            await self._stop_referee()

    def _start_referee(self) -> None:
        settings = self.referee_settings()

        async def referee() -> None:
            async with open_journal(settings) as journal:
                await Referee(settings, journal).run()

        self._referee = asyncio.create_task(referee())

    async def _stop_referee(self) -> None:
        if self._referee is not None:
            referee, self._referee = self._referee, None
            await _ended(referee)

    async def take_away(self, what: str) -> None:
        """Take the daemon, the broker or the referee away."""
        match what:
            case "the daemon":
                await self.stop_daemon()
            case "the broker":
                self.broker.pause()
            case _:
                await self._stop_referee()

    async def bring_back(self, what: str) -> None:
        """Bring it back."""
        match what:
            case "the daemon":
                await self.start_daemon()
            case "the broker":
                self.broker.resume()
            case _:
                self._start_referee()

    async def plug_in(self, seat: Seat, **changes: Any) -> SimulatedTerminal:  # noqa: ANN401 - any setting of a simulated terminal
        """Plug a box into a seat's port, in place of the one that hung there.

        A serial number that has been there before is the same box, with its memory.
        """
        if seat in self.boxes:
            await self.boxes[seat].close()
        settings = SimulatedSettings(
            **{
                "id": name_of(seat),
                "table": "t1",
                "seats": (seat,),
                "serial": serial_of(seat),
                "rows": 8,
                "page_seconds": 0.0,
                **changes,
            }
        )
        ports, memory = self.folder / "ports", self.folder / settings.serial
        for folder in (ports, memory):
            folder.mkdir(exist_ok=True)
        end = self.ends.setdefault(seat, PtyEnd(ports / name_of(seat)))
        box = SimulatedTerminal(settings, memory, self, end=end)
        self.boxes[seat] = box
        await box.start()
        return box

    async def start_daemon(self) -> None:
        daemon = Daemon(
            self.daemon_settings(),
            backoff=lambda: Backoff(first=0.01, longest=0.1),
            bluetooth=self.bluetooth,
            times=self.times,
        )
        self._daemon = asyncio.create_task(daemon.run())

    async def stop_daemon(self) -> None:
        if self._daemon is not None:
            daemon, self._daemon = self._daemon, None
            await _ended(daemon)

    def press(self, seat: Seat, key: EventKey) -> Event:
        """Press a key of the seat's own box."""
        return self.boxes[seat].press(key)

    def say(self, line: str) -> Event:
        """Press the key of a line of the table script, as it is displayed now."""
        key = fields_of(parse_line(line))
        return self.press(key.seat, key)

    async def play(self, *lines: str) -> None:
        """Each player acts as soon as his own display asks him."""
        for line in lines:
            seat = fields_of(parse_line(line)).seat
            await self.until(lambda s=seat: self.ask(s) == "call")  # type: ignore[misc]
            self.say(line)
        await self.until(lambda: self.auction()[-len(lines) :] == list(lines))

    # -- what is seen ---------------------------------------------------------------

    def shown(self, seat: Seat) -> Display | None:
        """The display that a seat's box shows."""
        return self.boxes[seat].screens[seat].shown

    def ask(self, seat: Seat) -> str:
        shown = self.shown(seat)
        return "" if shown is None else shown.ask.value

    def text(self, seat: Seat) -> str:
        """All pages of the display that a seat's box shows."""
        shown = self.shown(seat)
        pages: Iterable[Iterable[str]] = shown.pages if shown is not None else ()
        return " ".join(" ".join(line.split()) for page in pages for line in page)

    def last_line(self, seat: Seat) -> str:
        """The last visible line, where the box has its own messages."""
        box = self.boxes[seat]
        return box.screens[seat].lines(box.notice)[-1].strip()

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        desk = self.director.room.desks.get("t1")
        return desk.alarms if desk is not None else ()

    @property
    def calls(self) -> tuple[SilentCall, ...]:
        desk = self.director.room.desks.get("t1")
        return desk.calls if desk is not None else ()

    def judged(self) -> dict[str, Any]:
        """The referee's report of the running play."""
        desk = self.director.room.desks.get("t1")
        return (desk.judged if desk is not None else None) or {}

    def auction(self) -> list[str]:
        """The calls that the referee has, as lines of the table script."""
        return [" ".join(made[:2]) for made in self.judged().get("auction", [])]


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()


def by_the_engine(*lines: str, board: BoardSettings | None = None) -> dict[str, Any]:
    """The report of a board as the engine alone gives it."""
    settings = RefereeSettings(
        event=EVENT,
        broker=BrokerSettings(),
        journal="none",
        edition=Edition.LAWS_2017,
        tables=(),
    )
    place = board or BoardSettings(number=1)
    state = begin(place.board(settings.edition, settings.policies.policies()))
    for number, line in enumerate(lines, 1):
        state = decide(state, Step(number, parse_line(line))).state
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(report(state)))
    return plain
