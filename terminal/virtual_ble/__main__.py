"""``python -m terminal.virtual_ble SETTINGS.json``: a room without hardware.

The daemon and simulated terminals in one process, with virtual Bluetooth LE between
them. Reports and commands are the simulator's (``terminal.simulator.console``).
"""

import asyncio
import sys

from broker.process import run_program
from terminal.daemon import Daemon
from terminal.settings import bluetooth_address
from terminal.simulator.console import run_on_console
from terminal.simulator.settings import VirtualRoomSettings
from terminal.virtual_ble import Air, NusEnd, VirtualAdapter, backend_of


async def run_room(settings: VirtualRoomSettings) -> None:
    """Run until the simulator is told to stop, or the daemon cannot go on.

    Raises:
        BrokerError: the broker refuses the daemon for good.
        OSError: a terminal's memory cannot be made.
    """
    air = Air()
    adapter = VirtualAdapter(air)
    await adapter.start()
    ends = {
        terminal.id: NusEnd(
            air,
            bluetooth_address(terminal.port),
            name=terminal.id,
            mtu=settings.mtu,
            paired=terminal.is_paired,
        )
        for terminal in settings.daemon.terminals
    }
    simulator = asyncio.create_task(run_on_console(settings.simulator, ends=ends))
    daemon = asyncio.create_task(
        Daemon(settings.daemon, bluetooth=backend_of(adapter)).run()
    )
    try:
        done, _ = await asyncio.wait(
            {simulator, daemon}, return_when=asyncio.FIRST_COMPLETED
        )
        for task in done:
            task.result()
    finally:
        # The daemon first: it ends its connections before the terminals are gone.
        for task in (daemon, simulator):
            task.cancel()
            await asyncio.wait({task})
        await adapter.close()


def main(arguments: list[str]) -> int:
    """Run the room; returns its `broker.exits.ExitCode`."""
    return run_program("terminal.virtual_ble", arguments, VirtualRoomSettings, run_room)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
