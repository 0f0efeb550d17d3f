"""Tables whose terminals are simulated ones, each on a pty, with a real daemon.

Here the way of a key press is the whole one: terminal, pty, daemon, broker, referee,
and back. Every terminal costs a pty and its part of two processes, so that with more
than ``MOST_TABLES`` the machine that plays would be what is measured.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from bidwire.bench.load_event import SHORTEST_BOARD
from bidwire.bench.load_words import Times
from bidwire.bench.tables import Cost, Options
from bidwire.bench.usage import usage_of
from bidwire.records.dealing import dealt
from bidwire.records.inject import board_random, plan_board
from bidwire.replay.plan import plan_record
from bidwire.replay.processes import Processes, embedded_broker, run_processes
from bidwire.replay.room import Room
from broker import EmbeddedBroker
from laws.board import Edition, Policies
from terminal.simulator.reports import (
    AcknowledgedReport,
    KeyReport,
    LatencyReport,
    ReadyReport,
    Report,
    StartCommand,
)

MOST_TABLES = 50
"""Tables at which each terminal has a pty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPtys:
    """Tables on ptys that were played.

    Attributes:
        tables: how many.
        events: keys pressed.
        ack: from a key press until its terminal has the ACK.
        prompt: from its frame leaving until its seat's display reflects it.
        costs: what each process took, by name.
    """

    tables: int
    events: int
    ack: Times
    prompt: Times
    costs: dict[str, Cost]


@dataclass(slots=True)
class _Ear:
    """What the terminals report."""

    ready: asyncio.Event = field(default_factory=asyncio.Event)
    pressed: dict[str, float] = field(default_factory=dict)
    acks: list[float] = field(default_factory=list)
    prompts: list[float] = field(default_factory=list)
    events: int = 0

    def take(self, report: Report) -> None:
        match report:
            case ReadyReport():
                self.ready.set()
            case KeyReport(terminal=terminal, t=t):
                self.events += 1
                self.pressed.setdefault(terminal, t)
            case AcknowledgedReport(terminal=terminal, t=t, waiting=0):
                if terminal in self.pressed:
                    self.acks.append(t - self.pressed.pop(terminal))
            case LatencyReport(ms=ms):
                self.prompts.append(ms / 1000)
            case _:
                pass


async def measure_ptys(tables: int, options: Options) -> MeasuredPtys:
    """Play so many tables through ptys, and see how fast they are served.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
    """
    ear = _Ear()
    brokers: list[EmbeddedBroker] = []

    def open_broker(folder: Path) -> EmbeddedBroker:
        brokers.append(embedded_broker(folder))
        return brokers[-1]

    async def work(processes: Processes) -> MeasuredPtys:
        await ear.ready.wait()
        pids = {child.name: await child.pid_when_up() for child in processes.children}
        pids["broker"] = brokers[0].pid
        processes.command(StartCommand())
        await asyncio.sleep(options.warm_up)
        ear.acks.clear()
        ear.prompts.clear()
        ear.events = 0
        before = {name: usage_of(pid) for name, pid in pids.items()}
        await asyncio.sleep(options.seconds)
        return MeasuredPtys(
            tables=tables,
            events=ear.events,
            ack=Times.of(ear.acks),
            prompt=Times.of(ear.prompts),
            costs={
                name: Cost.between(before[name], usage_of(pid), options.seconds)
                for name, pid in pids.items()
            },
        )

    room = _room(tables, options)
    return await run_processes(
        room,
        work,
        on_report=ear.take,
        on_payload=lambda _: None,
        open_broker=open_broker,
    )


def _room(tables: int, options: Options) -> Room:
    keys = (options.warm_up + options.seconds) / options.period
    boards = 1 + int(keys) // SHORTEST_BOARD
    plans = []
    for number in range(1, tables * boards + 1):
        chance = board_random(options.seed, number)
        plan = plan_board(dealt(chance, number), Edition.LAWS_2017, frozenset(), chance)
        plans.append(plan_record(number, plan, Policies()))
    return Room(
        edition=Edition.LAWS_2017,
        policies=Policies(),
        tables={f"t{at + 1}": tuple(plans[at::tables]) for at in range(tables)},
        pace=options.period,
        seed=options.seed,
    )
