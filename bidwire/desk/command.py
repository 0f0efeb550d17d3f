"""``bidwire desk``: the Director's desk, at the broker of an event."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable
from pathlib import Path

from bidwire.desk.tools import desk_tools
from bidwire.direct import DirectError, director_settings
from bidwire.event_file import EventFile, EventFileError, naming, read_event_file
from bidwire.event_settings import desk_options
from bidwire.stopping import on_signals
from broker import BrokerSettings
from broker.open_files import allow_all_files
from broker.process import set_up_logging
from desk.context import Context
from desk.serving import listening, open_context, serve
from desk.settings import DeskError

LOG = logging.getLogger(__name__)


class Credentials:
    """The Director's credentials as they are now: ``bidwire up`` may start anew."""

    def __init__(self, event: EventFile, folder: Path) -> None:
        """Prepare.

        Args:
            event: the event file.
            folder: where it lies.

        Raises:
            EventFileError: a file that it names cannot be used.
        """
        self._event, self._folder = event, folder
        self._told = ""
        with contextlib.suppress(DirectError):  # the event may start later
            director_settings(event, folder)

    def __call__(self) -> BrokerSettings | None:
        """The credentials; None while there are none."""
        try:
            found = director_settings(self._event, self._folder)
        except (DirectError, EventFileError) as error:
            if str(error) != self._told:
                LOG.warning("%s", error)
            self._told = str(error)
            return None
        self._told = ""
        return found


def run_desk(path: Path, say: Callable[[str], None]) -> None:
    """Serve the desk until SIGINT, SIGTERM or SIGHUP.

    Args:
        path: the event file.
        say: prints a line for people.

    Raises:
        EventFileError: the event file, or a file that it names, is wrong, or the desk
            cannot listen there.
    """
    event = read_event_file(path)
    folder = path.resolve().parent
    with naming(path):
        options = desk_options(event, folder)
        credentials = Credentials(event, folder)
        try:
            context = open_context(options, credentials, desk_tools(path))
            at = listening(options)
        except DeskError as error:
            raise EventFileError(f"desk.{error}") from None
    set_up_logging(options.log_level)
    allow_all_files()
    asyncio.run(_until_stopped(context, at, say))
    say(f"{options.event}: the desk is closed")


async def _until_stopped(
    context: Context, at: socket.socket, say: Callable[[str], None]
) -> None:
    stop = asyncio.Event()
    on_signals(asyncio.get_running_loop(), lambda _number: stop.set())
    options = context.options
    say(f"{options.event}: the desk is at {options.url} Stop with Ctrl-C.")
    serving = asyncio.create_task(serve(context, at), name="desk")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    serving.cancel()
    await asyncio.wait({serving, stopping})
    if not serving.cancelled():
        serving.result()
