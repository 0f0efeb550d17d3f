"""The processes of a chain on this machine: broker, referee, daemon, terminals."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from bidwire.carrier import Carrier
from bidwire.children import Child, RunFolder, run_until
from bidwire.director import DirectorClient
from bidwire.replay.room import DAEMON, EVENT, Room
from broker import BrokerSettings, EmbeddedBroker
from protocol.payloads import Payload
from protocol.topics import Role
from terminal.simulator.reports import Command, Report, decode_report, encode_command
from terminal.simulator.settings import VirtualRoomSettings

Result = TypeVar("Result")


class ChainBroker(Protocol):
    """A broker that serves a chain."""

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        """Address and credentials of a user."""
        ...

    async def kill(self) -> None:
        """End it with SIGKILL and wait until it serves again."""


def embedded_broker(folder: Path) -> EmbeddedBroker:
    """The broker that a chain has unless it is given another."""
    return EmbeddedBroker(folder, event=EVENT, daemons=(DAEMON,))


@dataclass(frozen=True, slots=True)
class Processes:
    """A running chain, and a Director who listens in.

    Over virtual Bluetooth LE ``daemon`` and ``terminals`` are the same process.
    """

    broker: ChainBroker
    referee: Child
    daemon: Child
    terminals: Child
    director: DirectorClient

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
    open_broker: Callable[
        [Path], AbstractAsyncContextManager[ChainBroker]
    ] = embedded_broker,
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
        async with open_broker(run.path / "broker") as broker:

            def child(name: str, module: str, settings: msgspec.Struct) -> Child:
                return Child(name, module, run.write_settings(name, settings))

            daemon, terminals = _far_side(room, run.path, broker, child)
            processes = Processes(
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
