"""The processes of a chain on this machine: broker, referee, daemon, terminals."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from bidwire.children import Child, RunFolder, run_until
from bidwire.director import DirectorClient
from bidwire.replay.room import DAEMON, EVENT, Room
from broker import EmbeddedBroker
from protocol.payloads import Payload
from protocol.topics import Role
from terminal.simulator.reports import Command, Report, decode_report, encode_command

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Processes:
    """A running chain, and a Director who listens in."""

    broker: EmbeddedBroker
    referee: Child
    daemon: Child
    terminals: Child
    director: DirectorClient

    def command(self, command: Command) -> None:
        """Tell the simulated terminals something."""
        self.terminals.send_line(encode_command(command).decode())

    def restarts(self) -> int:
        """How often referee, daemon and terminals were started again."""
        return self.referee.restarts + self.daemon.restarts + self.terminals.restarts


async def run_processes(
    room: Room,
    work: Callable[[Processes], Coroutine[Any, Any, Result]],
    *,
    on_report: Callable[[Report], None],
    on_payload: Callable[[Payload], None],
) -> Result:
    """Run a chain until some work with it is done; returns what the work returns.

    Args:
        room: what is played.
        work: is given the running chain.
        on_report: hears everything that the terminals show and do.
        on_payload: hears everything on the Director's topics.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
    """
    with RunFolder() as run:
        async with EmbeddedBroker(
            run.path / "broker", event=EVENT, daemons=(DAEMON,)
        ) as broker:

            def child(name: str, module: str, settings: msgspec.Struct) -> Child:
                return Child(name, module, run.write_settings(name, settings))

            referee = room.referee(run.path, broker.settings(Role.REFEREE))
            daemon = room.daemon(run.path, broker.settings(Role.DAEMON, DAEMON))
            processes = Processes(
                broker,
                child("referee", "referee", referee),
                child("daemon", "terminal", daemon),
                child("terminals", "terminal.simulator", room.simulator(run.path)),
                DirectorClient(
                    broker.settings(Role.DIRECTOR), EVENT, on_change=on_payload
                ),
            )
            processes.terminals.on_line = lambda line: on_report(decode_report(line))
            async with processes.director:
                return await run_until(
                    work(processes),
                    [processes.referee, processes.daemon, processes.terminals],
                )
