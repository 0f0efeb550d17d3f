"""``python -m terminal SETTINGS.json``: run the daemon until SIGTERM or SIGINT.

SIGHUP lets it read its settings again, and take up other ports, boxes and keys.
"""

import asyncio
import logging
import signal
import sys
from pathlib import Path

from broker.process import run_program
from broker.settings_file import read_settings
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings

logger = logging.getLogger(__name__)


def main(arguments: list[str]) -> int:
    """Run the daemon; returns its `broker.exits.ExitCode`."""

    async def run(settings: DaemonSettings) -> None:
        daemon = Daemon(settings)

        def read_again() -> None:
            try:
                daemon.take_up(read_settings(Path(arguments[0]), DaemonSettings))
            except ValueError as error:
                logger.error("%s; what was there before stays in force", error)  # noqa: TRY400 - the file's fault

        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, read_again)
        await daemon.run()

    # One that comes after the settings were read and before the daemon runs must not
    # be lost, as under nohup: it ends this process, and whoever keeps it running
    # starts it again.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    return run_program("terminal", arguments, DaemonSettings, run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
