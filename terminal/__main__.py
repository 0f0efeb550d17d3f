"""``python -m terminal SETTINGS.json``: run the daemon until SIGTERM or SIGINT."""

import asyncio
import logging
import sys
from pathlib import Path

from broker.errors import BrokerError
from terminal.daemon import Daemon
from terminal.process import run_until_signalled, set_up_logging
from terminal.settings import DaemonSettings
from terminal.settings_file import SettingsError, read_settings

logger = logging.getLogger("terminal")


def main(arguments: list[str]) -> int:
    """Run the daemon; return the exit code: 2 for settings, 1 for a refusal."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m terminal SETTINGS.json\n")
        return 2
    try:
        settings = read_settings(Path(arguments[0]), DaemonSettings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    set_up_logging(settings.log_level)
    try:
        asyncio.run(run_until_signalled(Daemon(settings).run()))
    except BrokerError as error:
        logger.critical("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
