"""Three chains alike: pty, daemon, broker, and at the far end the referee or an echo.

Each has a broker and a daemon of its own, so that what is measured on one wakes nothing
of the others.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from enum import StrEnum
from pathlib import Path

import msgspec

from bidwire.bench.chain_script import TABLE, Script
from bidwire.bench.chain_terminal import ChainTerminal
from bidwire.bench.echo import EchoSettings
from bidwire.children import Child, write_private
from bidwire.replay.processes import embedded_broker
from bidwire.replay.room import DAEMON, EVENT, journal_of
from broker import BrokerSettings
from protocol.topics import Role


class Lane(StrEnum):
    """What stands at the far end of a chain."""

    REFEREE = "referee"
    FLOOR = "floor"
    """An echo that commits what the referee would."""
    BARE = "floor without commit"
    """An echo that commits nothing."""


@asynccontextmanager
async def open_lane(
    lane: Lane, script: Script, run: Path
) -> AsyncIterator[tuple[ChainTerminal, list[Child]]]:
    """A chain's terminal, at its pty, and the processes that are still to be run.

    Args:
        lane: what stands at its far end.
        script: what will be played.
        run: a folder for its files, with one named ``terminals``.

    Raises:
        EmbeddedBrokerError: its broker cannot be started.
    """
    ((_, _, name),) = script.room.terminals()
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(embedded_broker(run / "broker"))
        terminal = ChainTerminal(run / "terminals" / name)
        await terminal.open()
        stack.push_async_callback(terminal.close)
        daemon = script.room.daemon(run, broker.settings(Role.DAEMON, DAEMON))
        at_referee = broker.settings(Role.REFEREE)
        far_end = (
            _child(lane, "referee", run, script.room.referee(run, at_referee))
            if lane is Lane.REFEREE
            else _child(
                lane, "bidwire.bench.echo", run, _echo(lane, script, run, at_referee)
            )
        )
        yield terminal, [_child(lane, "terminal", run, daemon), far_end]


def _echo(
    lane: Lane, script: Script, run: Path, broker: BrokerSettings
) -> EchoSettings:
    ((_, _, name),) = script.room.terminals()
    return EchoSettings(
        event=EVENT,
        broker=broker,
        daemon=DAEMON,
        terminal=name,
        table=TABLE,
        journal=str(journal_of(run)) if lane is Lane.FLOOR else None,
        begins_with=script.begins_with,
        echoed=tuple(event.echoed for event in script.events),
    )


def _child(lane: Lane, module: str, run: Path, settings: msgspec.Struct) -> Child:
    path = run / f"{module}.json"
    write_private(path, settings)
    return Child(f"{module} of the {lane}", module, path)
