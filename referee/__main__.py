"""``python -m referee SETTINGS.json``: run the referee until SIGTERM or SIGINT."""

import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path

from broker import BrokerError
from referee.codec import CodecError
from referee.journal import Journal, JournalError
from referee.service import Referee
from referee.settings import RefereeSettings, SettingsError, load_settings

USAGE = "usage: python -m referee SETTINGS.json"

logger = logging.getLogger("referee")


def main(arguments: list[str]) -> int:
    """Run the service; the exit code is 2 for wrong settings, 1 for a fatal error."""
    if len(arguments) != 1:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    try:
        settings = load_settings(Path(arguments[0]))
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    logging.basicConfig(
        level=settings.log_level,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    try:
        asyncio.run(_serve(settings))
    except (BrokerError, JournalError, CodecError) as error:
        logger.critical("%s", error)
        return 1
    return 0


async def _serve(settings: RefereeSettings) -> None:
    with Journal(settings.journal, settings.event) as journal:
        task = asyncio.create_task(Referee(settings, journal).run(), name="referee")
        loop = asyncio.get_running_loop()
        for stop in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(stop, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await task


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
