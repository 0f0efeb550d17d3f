"""Simulated terminals, a daemon and a referee at a real broker, for one test."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from broker.backoff import Backoff
from laws.seats import SEATS, Seat
from protocol.happenings import EventKey
from protocol.payloads import TerminalEvent
from protocol.topics import Role
from terminal.ble import SYSTEM, TIMES
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings, Security, TerminalSettings
from terminal.simulator.reports import Report
from terminal.simulator.settings import (
    BoardScript,
    Happening,
    SimulatedSettings,
    SimulatorSettings,
    TableScript,
)
from terminal.simulator.simulator import Simulator
from terminal.simulator.terminal import SimulatedTerminal
from terminal.simulator.wire import FarEnd
from tests.brokers import EVENT, RunningBroker
from tests.forking import Forked
from tests.terminal.fake_referee import WAIT_SECONDS, FakeReferee

DAEMON = "d1"


def name_of(seat: Seat) -> str:
    return f"t1-{seat.lower()}"


NORTH = name_of(Seat.NORTH)


def simulated(seat: Seat, **changes: object) -> SimulatedSettings:
    fields: dict[str, object] = {
        "id": name_of(seat),
        "table": "t1",
        "seats": (seat,),
        "serial": f"SN-{seat}",
    }
    return SimulatedSettings(**(fields | changes))  # type: ignore[arg-type]


def round_of_calls(count: int, **changes: object) -> BoardScript:
    """Each seat in turn calls; what the calls are does not matter here."""
    happenings = tuple(
        Happening(number=n, seat=SEATS[n % 4], kind="call", data=(f"{n}",))
        for n in range(count)
    )
    fields: dict[str, object] = {"board": 1, "happenings": happenings}
    return BoardScript(**(fields | changes))  # type: ignore[arg-type]


class Reports:
    """What the simulator has reported."""

    def __init__(self) -> None:
        self.all: list[Report] = []
        self._waiting: list[tuple[Callable[[], object], asyncio.Future[None]]] = []

    def __call__(self, report: Report) -> None:
        self.all.append(report)
        for condition, future in self._waiting:
            if not future.done() and condition():
                future.set_result(None)

    def of(self, tag: str) -> list[Report]:
        return [r for r in self.all if r.__struct_config__.tag == tag]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds; it is looked at with each report."""
        if condition():
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((condition, future))
        async with asyncio.timeout(WAIT_SECONDS):
            await future


class Chain:
    """One table's chain.

    The simulator and the referee run in the test's process, the daemon as well, or as
    a process of its own that can be killed.
    """

    def __init__(
        self,
        folder: Path,
        broker: RunningBroker,
        terminals: Sequence[SimulatedSettings] | None = None,
        board: BoardScript | None = None,
        *,
        ends: Mapping[str, FarEnd] | None = None,
        **changes: object,
    ) -> None:
        self.bluetooth, self.times = SYSTEM, TIMES
        self.folder = folder
        self.broker = broker
        self.simulated = terminals or [simulated(seat) for seat in SEATS]
        self.reports = Reports()
        tables = () if board is None else (TableScript(table="t1", boards=(board,)),)
        self.simulator = Simulator(
            SimulatorSettings(
                run_directory=str(folder / "run"),
                terminals=tuple(self.simulated),
                tables=tables,
                **changes,  # type: ignore[arg-type]
            ),
            self.reports,
            ends=ends,
        )
        self.referee = FakeReferee(EVENT, DAEMON)
        self.process: Forked | None = None
        self.daemon: asyncio.Task[None] | None = None

    def daemon_settings(
        self, daemon: str = DAEMON, **changes: object
    ) -> DaemonSettings:
        return DaemonSettings(
            event=EVENT,
            daemon=daemon,
            broker=self.broker.settings(Role.DAEMON, daemon),
            terminals=tuple(
                TerminalSettings(
                    id=terminal.id,
                    port=self.terminal(terminal.id).port,
                    table=terminal.table,
                    seats=terminal.seats,
                    key=terminal.key,
                    security=Security.PAIRED if terminal.key else Security.OPEN,
                    **changes,  # type: ignore[arg-type]
                )
                for terminal in self.simulated
            ),
        )

    def terminal(self, name: str) -> SimulatedTerminal:
        return self.simulator.terminals[name]

    def press(self, seat: Seat, *data: str, kind: str = "call") -> None:
        """Press a key of the seat's own terminal."""
        self.terminal(name_of(seat)).press(EventKey(kind, seat, None, data))

    async def start_daemon_process(
        self, settings: DaemonSettings | None = None
    ) -> None:
        """Run the daemon as a process of its own."""
        file = self.folder / "daemon.json"
        file.write_bytes(msgspec.json.encode(settings or self.daemon_settings()))
        self.process = await Forked.start("terminal", str(file))

    async def end_daemon_process(self, how: signal.Signals) -> int:
        """End it; return its exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        sys.stderr.write(await self.process.communicate())
        return await self.process.wait()

    @contextlib.asynccontextmanager
    async def running(self, *, daemon: str = "here") -> AsyncIterator["Chain"]:
        """Run everything; ``daemon`` is here, process or none."""
        tasks = [
            asyncio.create_task(self.simulator.run(), name="simulator"),
            asyncio.create_task(
                self.referee.run(self.broker.settings(Role.REFEREE)), name="referee"
            ),
        ]
        try:
            await self.reports.until(lambda: self.reports.of("ready"))
            if daemon == "here":
                self.daemon = self.start_daemon(self.daemon_settings())
                tasks.append(self.daemon)
            elif daemon == "process":
                await self.start_daemon_process()
            yield self
        finally:
            for task in reversed(tasks):
                task.cancel()
                await asyncio.wait({task})
            if self.process is not None and self.process.returncode is None:
                await self.end_daemon_process(signal.SIGKILL)
        for task in tasks:
            if not task.cancelled():
                task.result()

    def start_daemon(self, settings: DaemonSettings) -> asyncio.Task[None]:
        """Run a daemon in this process."""
        return asyncio.create_task(self.make_daemon(settings).run(), name="daemon")

    def make_daemon(self, settings: DaemonSettings) -> Daemon:
        """A daemon that opens its ports again without long waits."""
        return Daemon(
            settings,
            backoff=lambda: Backoff(first=0.01, longest=0.1),
            bluetooth=self.bluetooth,
            times=self.times,
        )

    async def until_online(self, *names: str) -> None:
        """Wait until terminals, all unless named, are online for the referee."""
        wanted = names or tuple(terminal.id for terminal in self.simulated)
        await self.referee.until(lambda: self.referee.online(*wanted))

    async def until_shown(self, *seats: Seat) -> None:
        """Wait until each of these seats has a display at its own terminal."""
        screens = [self.terminal(name_of(seat)).screens[seat] for seat in seats]
        await self.reports.until(lambda: all(s.shown is not None for s in screens))

    async def until_finished(self) -> None:
        """Wait until the board is over."""
        await self.reports.until(lambda: self.reports.of("finished"))


def calls_taken(chain: Chain) -> list[str]:
    """The calls that the referee has taken, in order."""
    return [
        str(event.data[0])
        for event in chain.referee.taken
        if isinstance(event, TerminalEvent) and event.kind == "call"
    ]


def in_turn(count: int) -> list[str]:
    """What they are when none is lost, doubled or out of order."""
    return [str(number) for number in range(count)]
