"""``python -m terminal.simulator SETTINGS.json``: run simulated terminals.

Reports go to standard output and commands come from standard input, a JSON object to a
line (``terminal.simulator.reports``).
"""

import asyncio
import contextlib
import logging
import os
import sys
import threading
from pathlib import Path

from terminal.process import run_until_signalled, set_up_logging
from terminal.settings_file import SettingsError, read_settings
from terminal.simulator.reports import Report, encode_report
from terminal.simulator.settings import SimulatorSettings
from terminal.simulator.simulator import Simulator

logger = logging.getLogger("terminal.simulator")

STDIN, STDOUT = 0, 1


def main(arguments: list[str]) -> int:
    """Run the simulator; return the exit code: 2 for settings, 1 for a port."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m terminal.simulator SETTINGS.json\n")
        return 2
    try:
        settings = read_settings(Path(arguments[0]), SimulatorSettings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    set_up_logging(settings.log_level)
    try:
        asyncio.run(run_until_signalled(_run(settings)))
    except OSError as error:
        logger.critical("%s", error)
        return 1
    return 0


async def _run(settings: SimulatorSettings) -> None:
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

    simulator = Simulator(settings, report)

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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
