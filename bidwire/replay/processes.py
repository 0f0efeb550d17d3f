"""The processes of a chain on this machine: broker, referee, daemon, terminals."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bidwire.carrier import Carrier
from bidwire.children import Child, RunFolder, run_until
from bidwire.replay.room import DAEMON, EVENT, Room, journal_of
from bidwire.replay.strikes import ChainBroker, FakeClock, OpenBroker
from broker import EmbeddedBroker
from desk.director import DirectorClient
from protocol.payloads import Payload
from protocol.topics import Role
from terminal.simulator.reports import Command, Report, decode_report, encode_command
from terminal.simulator.settings import VirtualRoomSettings

Result = TypeVar("Result")


def embedded_broker(folder: Path) -> EmbeddedBroker:
    """The broker that a chain has unless it is given another."""
    return EmbeddedBroker(folder, event=EVENT, daemons=(DAEMON,))


@dataclass(frozen=True, slots=True)
class Processes:
    """A running chain, and a Director who listens in.

    Over virtual Bluetooth LE ``daemon`` and ``terminals`` are the same process.
    """

    run: Path
    broker: ChainBroker
    referee: Child
    daemon: Child
    terminals: Child
    director: DirectorClient
    clock: FakeClock | None = None

    @property
    def journal(self) -> Path:
        """The referee's journal."""
        return journal_of(self.run)

    def command(self, command: Command) -> None:
        """Tell the simulated terminals something."""
        self.terminals.send_line(encode_command(command).decode())

    @property
    def children(self) -> list[Child]:
        """Each process once."""
        shared = self.daemon is self.terminals
        return [self.referee, self.daemon, *([] if shared else [self.terminals])]


async def run_processes(
    room: Room,
    work: Callable[[Processes], Coroutine[Any, Any, Result]],
    *,
    on_report: Callable[[Report], None],
    on_payload: Callable[[Payload], None],
    open_broker: OpenBroker = embedded_broker,
) -> Result:
    """Run a chain until some work with it is done; returns what the work returns.

    Args:
        room: what is played.
        work: is given the running chain.
        on_report: hears everything that the terminals show and do.
        on_payload: hears everything on the Director's topics.
        open_broker: opens the broker, whose files may go to a folder of its own.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
    """
    with RunFolder() as run:
        clock = FakeClock(room.faketime, run.path / "clock") if room.faketime else None
        if clock is not None:
            clock.jump(0)
        async with open_broker(run.path / "broker") as broker:

            def child(name: str, module: str, settings: msgspec.Struct) -> Child:
                made = Child(name, module, run.write_settings(name, settings))
                if clock is not None and name in {"referee", "daemon"}:
                    made.environment = clock.environment
                return made

            daemon, terminals = _far_side(room, run.path, broker, child)
            processes = Processes(
                run.path,
                broker,
                child(
                    "referee",
                    "referee",
                    room.referee(run.path, broker.settings(Role.REFEREE)),
                ),
                daemon,
                terminals,
                DirectorClient(
                    broker.settings(Role.DIRECTOR), EVENT, on_change=on_payload
                ),
                clock,
            )
            processes.terminals.on_line = lambda line: on_report(decode_report(line))
            async with processes.director:
                return await run_until(work(processes), processes.children)


def _far_side(
    room: Room,
    run: Path,
    broker: ChainBroker,
    child: Callable[[str, str, msgspec.Struct], Child],
) -> tuple[Child, Child]:
    """The processes of the daemon and of the terminals, which may be one."""
    daemon = room.daemon(run, broker.settings(Role.DAEMON, DAEMON))
    simulator = room.simulator(run)
    if room.carrier is Carrier.BLE:
        both = VirtualRoomSettings(daemon=daemon, simulator=simulator)
        shared = child("terminals", "terminal.virtual_ble", both)
        return shared, shared
    return (
        child("daemon", "terminal", daemon),
        child("terminals", "terminal.simulator", simulator),
    )
