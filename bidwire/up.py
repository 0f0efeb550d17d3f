"""``bidwire up``: the daemons of a real event, from its event file."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from pathlib import Path

from bidwire.assigning import Assigner
from bidwire.bindings import LOOK, Bindings
from bidwire.children import Child, RunFolder, run_until, write_private
from bidwire.event_file import EventFile, EventFileError, naming, read_event_file
from bidwire.event_settings import (
    DAEMON,
    broker_settings,
    daemon_settings,
    director_file,
    journal_path,
    journal_told,
    referee_settings,
)
from bidwire.journal.rounds import RoundSigner, signing_key
from bidwire.stopping import on_signals
from broker import BrokerSettings, EmbeddedBroker
from broker.errors import BrokerStoreError
from broker.open_files import allow_all_files
from protocol.topics import Role
from referee.journal import JournalUnavailableError, UnusableJournalError
from referee.journal_sqlite import SqliteJournal
from terminal.settings import can_be_taken_up


def check_journal(event: EventFile, folder: Path) -> None:
    """Open and read the journal before anything is started.

    That of a cluster is left to the referee: another one may be ruling.

    Raises:
        EventFileError: it cannot be this event's journal.
    """
    if event.journal is not None:
        return
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
    event: EventFile, folder: Path, *, only_referee: bool
) -> AsyncIterator[tuple[BrokerSettings, BrokerSettings | None]]:
    """Credentials of the referee and the daemon, at our own broker or another."""
    section = event.broker
    if not section.embedded:
        referee = broker_settings(section, "referee", folder)
        if only_referee:
            yield referee, None
        else:
            yield referee, broker_settings(section, "daemon", folder)
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


def run_event(
    path: Path, say: Callable[[str], None], *, only_referee: bool = False
) -> None:
    """Run an event until SIGINT, SIGTERM or SIGHUP.

    Args:
        path: the event file.
        say: prints a line for people.
        only_referee: run a referee beside others, and no terminals.

    Raises:
        EventFileError: the event file, or a file that it names, is wrong.
        ChildError: a daemon cannot go on.
        EmbeddedBrokerError: the embedded broker cannot be started.
    """
    event = read_event_file(path)
    allow_all_files()
    with naming(path):
        if only_referee and event.journal is None:
            raise EventFileError(
                "journal: expected a section [journal]: with a file there is one"
                " referee only"
            )
        folder = path.resolve().parent
        asyncio.run(_run(event, path, folder, say, only_referee=only_referee))


async def _run(
    event: EventFile,
    path: Path,
    folder: Path,
    say: Callable[[str], None],
    *,
    only_referee: bool,
) -> None:
    stop = asyncio.Event()
    on_signals(asyncio.get_running_loop(), lambda _number: stop.set())
    check_journal(event, folder)
    key = signing_key(event, folder)
    signing: contextlib.AbstractAsyncContextManager[None] = contextlib.nullcontext()
    if key is not None:
        signing = RoundSigner(event, folder, key, say).at_work()
    brokers = _brokers(event, folder, only_referee=only_referee)
    async with signing, brokers as (for_referee, for_daemon):
        referee = referee_settings(event, folder, for_referee)
        with RunFolder() as run:
            settings = run.write_settings("referee", referee)
            children = [Child("referee", "referee", settings)]
            daemon = None
            if for_daemon is not None:
                daemon = daemon_settings(event, folder, for_daemon)
                settings = run.write_settings("daemon", daemon)
                children.append(Child("daemon", "terminal", settings))
            for child in children:
                child.on_error = say
            terminals = 0 if only_referee else len(event.terminals)
            say(
                f"{event.event.id}: {len(event.tables)} tables,"
                f" {terminals} terminals, Laws of {event.event.edition},"
                f" broker {for_referee}. Stop with Ctrl-C."
            )
            say(
                f"{event.event.id}: what waits for you: bidwire direct {path},"
                f" or as a web page: bidwire desk {path}"
            )
            if daemon is not None and daemon.web is not None:
                say(f"{event.event.id}: how tablets join: bidwire join {path}")
            beside = []
            if daemon is None or for_daemon is None:
                done: Coroutine[object, object, object] = stop.wait()
            else:
                bindings = Bindings(event, path, daemon, say)
                assigner = Assigner(event.event.id, path, for_daemon, say)
                beside.append(assigner.run())
                done = _followed(bindings, run, children[1], stop, assigner)
            async with _beside(beside):
                await run_until(done, children)
    say(f"{event.event.id}: stopped; the journal is {journal_told(event, folder)}")


@contextlib.asynccontextmanager
async def _beside(
    work: Iterable[Coroutine[object, object, None]],
) -> AsyncIterator[None]:
    """Do something else at the same time, until this is over."""
    tasks = {asyncio.create_task(each) for each in work}
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _followed(
    bindings: Bindings,
    run: RunFolder,
    daemon: Child,
    stop: asyncio.Event,
    assigner: Assigner,
) -> None:
    """Tell the daemon which boxes have been replaced, until we are told to stop."""
    while not await _stopped(stop, LOOK):
        before, changed = bindings.told, bindings.look()
        if changed is not None:
            run.write_settings("daemon", changed)
            if can_be_taken_up(before, changed):
                daemon.tell(signal.SIGHUP)
            else:
                await daemon.renew()
            assigner.publish()
