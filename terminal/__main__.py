"""``python -m terminal SETTINGS.json``: run the daemon until SIGTERM or SIGINT."""

import asyncio
import sys
from pathlib import Path

from broker.errors import BrokerError
from broker.exits import ExitCode, exit_code
from terminal.daemon import Daemon
from terminal.process import run_until_signalled, set_up_logging
from terminal.settings import DaemonSettings
from terminal.settings_file import SettingsError, read_settings


def main(arguments: list[str]) -> int:
    """Run the daemon; returns its `broker.exits.ExitCode`."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m terminal SETTINGS.json\n")
        return ExitCode.UNUSABLE
    try:
        settings = read_settings(Path(arguments[0]), DaemonSettings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.UNUSABLE
    set_up_logging(settings.log_level)
    try:
        asyncio.run(run_until_signalled(Daemon(settings).run()))
    except BrokerError as error:
        sys.stderr.write(f"broker: {error}\n")
        return exit_code(error)
    return ExitCode.STOPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
