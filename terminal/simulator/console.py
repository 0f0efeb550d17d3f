"""A simulator as the child of another process: reports out, commands in.

Reports go to standard output and commands come from standard input, a JSON object to a
line (``terminal.simulator.reports``).
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Mapping

from terminal.simulator.reports import Report, encode_report
from terminal.simulator.settings import SimulatorSettings
from terminal.simulator.simulator import Simulator
from terminal.simulator.wire import FarEnd

STDIN, STDOUT = 0, 1


async def run_on_console(
    settings: SimulatorSettings, *, ends: Mapping[str, FarEnd] | None = None
) -> None:
    """Simulate until told to stop, or until nobody reads the reports.

    Args:
        settings: the terminals and what is played at them.
        ends: where the daemon reaches them (`Simulator`).

    Raises:
        OSError: a port or a memory cannot be made.
    """
    loop = asyncio.get_running_loop()

    def report(content: Report) -> None:
        wanted = settings.reports
        if wanted is not None and content.__struct_config__.tag not in wanted:
            return
        try:
            _write_all(STDOUT, encode_report(content) + b"\n")
        except BrokenPipeError:
            # Who reads the reports is gone; nobody needs these terminals any more.
            simulator.stop()

    simulator = Simulator(settings, report, ends=ends)

    def read_commands() -> None:
        # Not through sys.stdin: its lock, held here, would disturb the end of Python.
        with os.fdopen(os.dup(STDIN), "rb", buffering=0) as commands:
            for line in commands:
                # The loop may have ended while this thread waited for a line.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(simulator.command, line)

    threading.Thread(target=read_commands, name="commands", daemon=True).start()
    await simulator.run()


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]
