"""``bidwire up``: the daemons of a real event, from its event file."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

from bidwire.bindings import LOOK, Bindings
from bidwire.children import Child, RunFolder, run_until, write_private
from bidwire.event_file import EventFile, EventFileError, naming, read_event_file
from bidwire.event_settings import (
    DAEMON,
    broker_settings,
    daemon_settings,
    director_file,
    journal_path,
    referee_settings,
)
from bidwire.stopping import on_signals
from broker import BrokerSettings, EmbeddedBroker
from broker.errors import BrokerStoreError
from protocol.topics import Role
from referee.journal import JournalUnavailableError, UnusableJournalError
from referee.journal_sqlite import SqliteJournal


def check_journal(event: EventFile, folder: Path) -> None:
    """Open and read the journal before anything is started.

    Raises:
        EventFileError: it cannot be this event's journal.
    """
    path = journal_path(event, folder)
    try:
        with SqliteJournal(path, event.event.id) as journal:
            journal.check()
    except UnusableJournalError as error:
        raise EventFileError(f"event.journal: {error}") from None
    except JournalUnavailableError:
        pass  # a full disk, say: the referee tries again until there is room


@contextlib.asynccontextmanager
async def _brokers(
    event: EventFile, folder: Path
) -> AsyncIterator[tuple[BrokerSettings, BrokerSettings]]:
    """Credentials of the referee and the daemon, at our own broker or another."""
    section = event.broker
    if not section.embedded:
        yield (
            broker_settings(section, "referee", folder),
            broker_settings(section, "daemon", folder),
        )
        return
    broker = EmbeddedBroker(
        folder / section.store, event=event.event.id, daemons=(DAEMON,)
    )
    async with contextlib.AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(broker)
        except BrokerStoreError as error:
            raise EventFileError(f"broker.store: {error}") from None
        stack.enter_context(_for_director(event, folder, broker))
        yield broker.settings(Role.REFEREE), broker.settings(Role.DAEMON, DAEMON)


@contextlib.contextmanager
def _for_director(
    event: EventFile, folder: Path, broker: EmbeddedBroker
) -> Iterator[None]:
    """Leave the Director's credentials beside the journal as long as they are good."""
    path = director_file(event, folder)
    try:
        write_private(path, broker.settings(Role.DIRECTOR))
    except OSError as error:
        raise EventFileError(
            f"event.journal: {path}: expected to write the Director's credentials, "
            f"got: {error.strerror}"
        ) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


async def _stopped(stop: asyncio.Event, seconds: float) -> bool:
    """Whether we are told to stop, within so many seconds."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await stop.wait()
    return False


def run_event(path: Path, say: Callable[[str], None]) -> None:
    """Run an event until SIGINT, SIGTERM or SIGHUP.

    Args:
        path: the event file.
        say: prints a line for people.

    Raises:
        EventFileError: the event file, or a file that it names, is wrong.
        ChildError: a daemon cannot go on.
        EmbeddedBrokerError: the embedded broker cannot be started.
    """
    event = read_event_file(path)
    with naming(path):
        asyncio.run(_run(event, path, path.resolve().parent, say))


async def _run(
    event: EventFile, path: Path, folder: Path, say: Callable[[str], None]
) -> None:
    stop = asyncio.Event()
    on_signals(asyncio.get_running_loop(), lambda _number: stop.set())
    check_journal(event, folder)
    async with _brokers(event, folder) as (for_referee, for_daemon):
        referee = referee_settings(event, folder, for_referee)
        daemon = daemon_settings(event, folder, for_daemon)
        with RunFolder() as run:
            children = [
                Child("referee", "referee", run.write_settings("referee", referee)),
                Child("daemon", "terminal", run.write_settings("daemon", daemon)),
            ]
            for child in children:
                child.on_error = say
            say(
                f"{event.event.id}: {len(event.tables)} tables,"
                f" {len(event.terminals)} terminals, Laws of {event.event.edition},"
                f" broker {for_referee}. Stop with Ctrl-C."
            )
            say(f"{event.event.id}: what waits for you: bidwire direct {path}")
            bindings = Bindings(event, path, daemon, say)

            async def follow() -> None:
                while not await _stopped(stop, LOOK):
                    changed = bindings.look()
                    if changed is not None:
                        run.write_settings("daemon", changed)
                        await children[1].renew()

            await run_until(follow(), children)
    say(f"{event.event.id}: stopped; the journal is {referee.journal}")
