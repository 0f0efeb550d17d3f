"""What the programs ``python -m PACKAGE SETTINGS.json`` have in common."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol, TypeVar

from broker.errors import BrokerError
from broker.exits import ExitCode, exit_code
from broker.metrics import MetricsError
from broker.open_files import allow_all_files
from broker.settings_file import SettingsError, read_settings

logger = logging.getLogger(__name__)


class ProgramSettings(Protocol):
    """What the settings of every program have."""

    @property
    def log_level(self) -> str:
        """Name of the level from which on it logs."""


_Settings = TypeVar("_Settings", bound=ProgramSettings)


def run_program(
    module: str,
    arguments: list[str],
    settings_type: type[_Settings],
    work: Callable[[_Settings], Coroutine[Any, Any, None]],
) -> int:
    """Run ``python -m MODULE SETTINGS.json`` until SIGTERM or SIGINT.

    Args:
        module: its name.
        arguments: of the command line.
        settings_type: what the settings file holds.
        work: what is to be done by the settings; SettingsError when it finds that they
            cannot be used.

    Returns:
        Its `broker.exits.ExitCode`.
    """
    if len(arguments) != 1:
        sys.stderr.write(f"usage: python -m {module} SETTINGS.json\n")
        return ExitCode.UNUSABLE
    try:
        settings = read_settings(Path(arguments[0]), settings_type)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.UNUSABLE
    set_up_logging(settings.log_level)
    allow_all_files()
    try:
        asyncio.run(run_until_signalled(work(settings)))
    except BrokerError as error:
        sys.stderr.write(f"broker: {error}\n")
        return exit_code(error)
    except (MetricsError, SettingsError) as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.UNUSABLE
    except OSError as error:
        logger.critical("%s", error)
        return ExitCode.FAILED
    return ExitCode.STOPPED


def set_up_logging(level: str) -> None:
    """Log to stderr from this level on."""
    logging.basicConfig(
        level=level,
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )


async def run_until_signalled(work: Coroutine[Any, Any, None]) -> None:
    """Run until SIGTERM or SIGINT, then cancel the work and wait for its end."""
    task = asyncio.create_task(work, name="main")
    loop = asyncio.get_running_loop()
    stopping = False

    def stop(name: str) -> None:
        nonlocal stopping
        stopping = True
        logger.info("stopping: %s", name)
        task.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number.name)
    try:
        await task
    except asyncio.CancelledError:
        if not stopping:
            raise
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
