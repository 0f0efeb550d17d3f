"""``python -m referee SETTINGS.json``: run the referee until SIGTERM or SIGINT."""

import asyncio
import contextlib
import logging
import signal
import sys
from pathlib import Path

from broker import BrokerError
from broker.exits import ExitCode, exit_code
from broker.metrics import MetricsError
from referee.codec import CodecError
from referee.journal import (
    JournalError,
    StaleWriterError,
    UnusableJournalError,
)
from referee.journal_store import open_journal
from referee.service import Referee
from referee.settings import RefereeSettings, SettingsError, load_settings

USAGE = "usage: python -m referee SETTINGS.json"


def main(arguments: list[str]) -> int:
    """Run the service; returns its `broker.exits.ExitCode`."""
    if len(arguments) != 1:
        sys.stderr.write(f"{USAGE}\n")
        return ExitCode.UNUSABLE
    try:
        settings = load_settings(Path(arguments[0]))
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.UNUSABLE
    logging.basicConfig(
        level=settings.log_level,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    try:
        asyncio.run(_serve(settings))
    except BrokerError as error:
        sys.stderr.write(f"broker: {error}\n")
        return exit_code(error)
    except (CodecError, MetricsError) as error:
        where = f"journal: {settings.journal}: "
        sys.stderr.write(f"{where if isinstance(error, CodecError) else ''}{error}\n")
        return ExitCode.UNUSABLE
    except JournalError as error:
        sys.stderr.write(f"journal: {error}\n")
        return _journal_exit_code(error, settings)
    return ExitCode.STOPPED


def _journal_exit_code(error: JournalError, settings: RefereeSettings) -> ExitCode:
    match error:
        case UnusableJournalError():
            return ExitCode.UNUSABLE
        case StaleWriterError() if isinstance(settings.journal, str):
            return ExitCode.TAKEN_OVER
        case _:  # with a lease, it stands by when it is started again
            return ExitCode.FAILED


async def _serve(settings: RefereeSettings) -> None:
    async with open_journal(settings) as journal:
        task = asyncio.create_task(Referee(settings, journal).run(), name="referee")
        loop = asyncio.get_running_loop()
        for stop in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(stop, task.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await task


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
