"""``python -m terminal SETTINGS.json``: run the daemon until SIGTERM or SIGINT."""

import sys

from terminal.daemon import Daemon
from terminal.process import run_program
from terminal.settings import DaemonSettings


async def _run(settings: DaemonSettings) -> None:
    await Daemon(settings).run()


def main(arguments: list[str]) -> int:
    """Run the daemon; returns its `broker.exits.ExitCode`."""
    return run_program("terminal", arguments, DaemonSettings, _run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
