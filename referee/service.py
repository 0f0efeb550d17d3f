"""The referee as a service: MQTT in, tables, journal, MQTT out.

The order of work is what makes it safe to kill at any moment: receive, decide,
journal (one durable commit per batch), publish, acknowledge to the terminals, and
only then acknowledge to the broker. Whatever is lost before the commit is sent again,
because no terminal has its ACK; whatever was committed is never judged again.
"""

import asyncio
import contextlib
import gc
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from broker import BrokerError, ConnectionState, Message, MqttClient
from broker.metrics import serving_metrics
from protocol.payloads import (
    DaemonStatus,
    DirectorCommand,
    PayloadError,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
    TerminalStatus,
    decode_payload,
)
from protocol.topics import RETAINED, Topic, TopicError, TopicKind, Topics
from referee.agenda import Agenda
from referee.analyst import Analyst
from referee.director import unread_command
from referee.displays import was_shown
from referee.entries import Entry
from referee.intake import Arrived
from referee.journal import Journal, JournalUnavailableError, Row
from referee.metrics import Meter, RefereeMetrics, served_from_standby
from referee.publishing import Publisher
from referee.record import fold
from referee.room import BEHIND_S, SENT_MAX, Room, Send
from referee.settings import RefereeSettings, TableSettings
from referee.slow_views import Log, SlowViews
from referee.table import (
    Cleared,
    Commanded,
    DaemonReport,
    Input,
    Moment,
    Reconnected,
    Table,
    Tick,
    begin_table,
    deadline,
    of_term,
    step,
)
from referee.traffic import TerminalReport

logger = logging.getLogger(__name__)

SUBSCRIBED = (
    TopicKind.TERMINAL_EVENTS,
    TopicKind.TERMINAL_SHOWN,
    TopicKind.TERMINAL_STATUS,
    TopicKind.DAEMON_STATUS,
    TopicKind.TABLE_DIRECTOR,
    TopicKind.TABLE_RULING,
    TopicKind.TABLE_RESULT,
)
"""What the referee reads: one filter for each kind."""

_OWN = frozenset({TopicKind.TABLE_RULING, TopicKind.TABLE_RESULT})
"""Read only to find what an earlier event by the same name has left (T7)."""

CLEAR_S = 1.0
"""Seconds that clearing retained states may take at the end."""

BATCH_MAX = 100
"""Messages that are judged, made durable and answered at a time, at most: the first of
them waits for the last."""

RETRY_S = 1.0
"""Seconds between two attempts to write the journal when the disk refuses."""


class Referee:
    """The referee of the tables in its settings.

    Example:
        async with open_journal(settings) as journal:
            await Referee(settings, journal).run()
    """

    def __init__(self, settings: RefereeSettings, journal: Journal) -> None:
        """Prepare; nothing is read or sent before ``run``."""
        self._settings = settings
        self._journal = journal
        self._epoch = 0
        self._session = secrets.token_hex(8)
        self._topics = Topics(settings.event)
        self._number = 0
        self._entries: list[tuple[str, Entry]] = []
        self._meter = Meter()
        self._client: MqttClient | None = None
        self._is_new = False
        self._woken = asyncio.Event()
        self._analyst = Analyst(self._was_solved)
        self._rooms = {table.id: self._room(table) for table in settings.tables}
        self._table_of = {
            terminal.id: table.id
            for table in settings.tables
            for terminal in table.terminals
        }
        self._of_daemon: dict[str, list[Room]] = defaultdict(list)
        for table in settings.tables:
            for daemon in {terminal.daemon for terminal in table.terminals}:
                self._of_daemon[daemon].append(self._rooms[table.id])
        self._changed = dict.fromkeys(self._rooms)
        self._ticks, self._sends = Agenda(), Agenda()

    def _room(self, table: TableSettings) -> Room:
        publisher = Publisher(
            self._topics,
            self._session,
            self._settings.delay_s(),
            partial(self._analyst.ask, table.id),
        )
        begun = begin_table(self._settings, table, epoch=0)
        slow = SlowViews(self._topics, self._session, Log(begun.record))
        return Room(begun, publisher, slow, self._topics)

    async def _take_over(self) -> None:
        """Fold the journal, as long as another referee writes it, until we rule."""
        self._epoch = await self._journal.take_over(self._fold)
        # What has been played stays: the garbage collector need not walk through it
        # again and again, which takes the longer the more tables there are.
        gc.freeze()
        for room in self._rooms.values():
            room.table = of_term(room.table, self._epoch)

    def _fold(self, row: Row) -> None:
        self._number = row.number
        room = self._rooms.get(row.table)
        if room is None:
            logger.warning(
                "entry %d of the journal is of table %s, which the settings do not "
                "have",
                row.number,
                row.table,
            )
            return
        before = room.table.record
        room.slow.log.fold(before, row.entry)
        room.table = Table(fold(before, row.entry), room.table.traffic)

    async def run(self) -> None:
        """Serve until cancelled; first, where another referee rules, stand by.

        Raises:
            JournalError: the journal cannot be read, or another referee has taken it.
            BrokerError: the broker refused for good.
            MetricsError: its figures cannot be served at the address that they have.
        """
        metrics = RefereeMetrics(
            self._meter,
            self._rooms,
            epoch=lambda: self._epoch,
            inbox=lambda: self._client.waiting if self._client else 0,
        )
        with contextlib.ExitStack() as stack:
            serve = partial(serving_metrics, self._settings.metrics, metrics)
            await served_from_standby(stack, serve, self._take_over)
            await self._rule()

    async def _rule(self) -> None:
        serving = asyncio.create_task(self._serve(), name="serve")
        keeping = asyncio.create_task(self._journal.keep(), name="keep the term")
        tasks = {serving, keeping}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self) -> None:
        async with MqttClient(
            self._settings.broker,
            client_id=f"referee-{self._session}",
            subscriptions=[self._topics.filter(kind) for kind in SUBSCRIBED],
            on_state=self._state_changed,
        ) as client:
            logger.info(
                "event %s: epoch %d, %d journal entries, %d tables",
                self._settings.event,
                self._epoch,
                self._number,
                len(self._rooms),
            )
            self._client = client
            self._analyst.start()
            try:
                while True:
                    await self._serve_batch(client)
            finally:
                self._analyst.close()
                await self._clear(client)

    async def _serve_batch(self, client: MqttClient) -> None:
        messages = await self._receive(client)
        began = time.monotonic()
        self._woken.clear()
        if self._is_new:
            self._is_new = False
            self._reconnected()
        for message in messages:
            self._take(message)
        self._tick()
        await self._commit()
        await self._journal.held()
        self._publish(client)
        for message in messages:
            message.ack()
        if messages:
            self._meter.messages += len(messages)
            self._meter.served.add(time.monotonic() - began)

    def _state_changed(self, state: ConnectionState) -> None:
        if state is ConnectionState.CONNECTED:
            self._is_new = True
            self._woken.set()

    def _was_solved(self, tables: frozenset[str]) -> None:
        for name in tables:
            self._touch(self._rooms[name])
        self._woken.set()

    def _touch(self, room: Room) -> None:
        room.touched = True
        self._changed[_name(room)] = None

    async def _clear(self, client: MqttClient) -> None:
        """Clear the states of tables that have played all their boards.

        A retained state would be believed for ever; results and rulings stay.
        """
        done = [
            name for name, room in self._rooms.items() if room.table.record.is_finished
        ]
        with contextlib.suppress(TimeoutError, BrokerError):
            async with asyncio.timeout(CLEAR_S):
                await self._journal.held()
                for name in done:
                    await client.publish(
                        self._topics.table_state(name), b"", retain=True
                    )

    # -- in -----------------------------------------------------------------------

    async def _receive(self, client: MqttClient) -> list[Message]:
        """What has come; nothing when something else is due first."""
        if client.waiting:
            await asyncio.sleep(0)  # the network has its turn between two batches
            return await client.receive_batch(BATCH_MAX)
        receiving = client.receive_batch(BATCH_MAX)
        batch = asyncio.create_task(receiving, name="receive")
        woken = asyncio.create_task(self._woken.wait(), name="woken")
        try:
            await asyncio.wait(
                {batch, woken},
                timeout=self._patience(client),
                return_when=asyncio.FIRST_COMPLETED,
            )
            return batch.result() if batch.done() else []
        finally:
            # What has not been received stays in the client's inbox.
            batch.cancel()
            woken.cancel()

    def _patience(self, client: MqttClient) -> float | None:
        """Seconds until something is due though nothing comes."""
        now = time.monotonic()
        times = [self._ticks.next()]
        if client.state is ConnectionState.CONNECTED:
            times.append(self._sends.next())
            if self._changed:
                times.append(now + BEHIND_S)
        due = [time_due for time_due in times if time_due is not None]
        return max(min(due) - now, 0.0) if due else None

    def _reconnected(self) -> None:
        for room in self._rooms.values():
            room.publisher.forget()
            room.slow.forget(time.monotonic())
            self._step(room, Reconnected())

    def _tick(self) -> None:
        for name in self._ticks.take(time.monotonic()):
            self._step(self._rooms[name], Tick())

    def _take(self, message: Message) -> None:
        """Hand a message to its table; what is none of the contract is logged."""
        try:
            topic = self._topics.parse(message.topic)
        except TopicError as error:
            logger.warning("message on %s ignored: %s", message.topic, error)
            return
        if topic.kind in _OWN:
            self._kept(topic.names[0], message)
        elif message.retained and topic.kind not in RETAINED:
            # It was meant for another time: old commands must not be done again.
            logger.warning("retained message on %s ignored", message.topic)
        else:
            self._take_payload(topic, message)

    def _take_payload(self, topic: Topic, message: Message) -> None:
        try:
            payload = decode_payload(topic.kind, message.payload)
        except PayloadError as error:
            logger.warning("message on %s ignored: %s", message.topic, error)
            unread = unread_command(message.payload, str(error))
            if topic.kind is TopicKind.TABLE_DIRECTOR and unread is not None:
                self._step_at(topic.names[0], Commanded(unread))
            return
        first, *rest = topic.names
        terminal = rest[0] if rest else ""
        match payload:
            case DirectorCommand():
                self._step_at(first, Commanded(payload))
            case DaemonStatus():
                for room in self._of_daemon.get(first, ()):
                    self._step(room, DaemonReport(first, payload))
            case TerminalShown():
                self._shown(terminal, payload)
            case TerminalEvent() | TerminalLost() | TerminalMalformed():
                arrived = Arrived(first, terminal, payload)
                self._of_terminal(first, terminal, arrived)
            case TerminalClear():
                self._of_terminal(first, terminal, Cleared(terminal, payload))
            case TerminalStatus():
                reported = TerminalReport(first, terminal, payload)
                self._of_terminal(first, terminal, reported)
            case _:
                logger.warning("message on %s ignored: not for us", message.topic)

    def _kept(self, table: str, message: Message) -> None:
        """What comes back of our own is of interest only if the broker had kept it."""
        room = self._rooms.get(table)
        if room is not None and message.retained and message.payload:
            room.was_kept(message.topic)
            self._touch(room)

    def _of_terminal(self, daemon: str, terminal: str, message: Input) -> None:
        table = self._table_of.get(terminal)
        if table is None:
            logger.warning("terminal %s of daemon %s has no table", terminal, daemon)
            return
        room = self._rooms[table]
        settings = room.table.record.table.terminal(terminal)
        if settings is None or settings.daemon != daemon:
            logger.warning(
                "terminal %s: daemon %s speaks for it, which the settings do not have",
                terminal,
                daemon,
            )
            return
        said = _table_said(message)
        if said not in {"", table}:
            logger.warning(
                "terminal %s: its daemon has it at table %s, the settings at %s",
                terminal,
                said,
                table,
            )
            return
        self._step(room, message)

    def _step_at(self, table: str, message: Input) -> None:
        room = self._rooms.get(table)
        if room is None:
            logger.warning("there is no table %s", table)
            return
        self._step(room, message)

    def _step(self, room: Room, message: Input) -> None:
        name, moment = _name(room), Moment(time.monotonic(), time.time())
        try:
            outcome = step(room.table, message, moment)
        except Exception:
            # A defect of ours; what is not acknowledged comes again, others go on.
            logger.exception("table %s: failed on %r", name, message)
            self._ticks.put(name, moment.now + RETRY_S)
            return
        room.table = outcome.table
        room.outputs |= dict.fromkeys(outcome.outputs)
        self._touch(room)
        self._ticks.put(name, deadline(room.table))
        self._entries += [(name, entry) for entry in outcome.entries]
        room.slow.add(outcome.folded, moment.now)

    def _shown(self, terminal: str, shown: TerminalShown) -> None:
        room = self._rooms.get(self._table_of.get(terminal, ""))
        if room is not None:
            room.displays = was_shown(room.displays, terminal, shown)
            self._sends.put(_name(room), room.next_due())

    # -- journal ------------------------------------------------------------------

    async def _commit(self) -> None:
        """Make the batch durable; until it is, nothing is sent or acknowledged."""
        while self._entries:
            began = time.monotonic()
            try:
                self._number = await self._append()
            except JournalUnavailableError as error:
                self._meter.failures += 1
                logger.critical(
                    "the journal cannot be written, so nothing is ruled: %s; next "
                    "attempt in %g s",
                    error,
                    RETRY_S,
                )
                await asyncio.sleep(RETRY_S)
            else:
                self._meter.commits += 1
                self._meter.entries += len(self._entries)
                self._meter.committed.add(time.monotonic() - began)
                self._entries = []

    async def _append(self) -> int:
        """Append; even a cancellation lets the commit end first."""
        appending = asyncio.create_task(
            self._journal.append(self._epoch, self._number, self._entries)
        )
        try:
            return await asyncio.shield(appending)
        except asyncio.CancelledError:
            await asyncio.gather(appending, return_exceptions=True)
            raise

    # -- out ----------------------------------------------------------------------

    def _publish(self, client: MqttClient) -> None:
        """Send what is due, as far as the broker keeps up; the rest waits.

        Without a connection all of it waits for the next one.
        """
        if client.state is not ConnectionState.CONNECTED:
            return

        def send(topic: str, payload: bytes, retain: bool) -> bool:
            sent = client.send(topic, payload, retain=retain)
            self._meter.sent += sent
            return sent

        now = time.monotonic()
        self._changed |= dict.fromkeys(self._sends.take(now))
        while self._changed and client.room >= SENT_MAX:
            name = next(iter(self._changed))
            del self._changed[name]
            self._send_of(self._rooms[name], send, client.flush, now)
        client.flush()

    def _send_of(
        self, room: Room, send: Send, flush: Callable[[], object], now: float
    ) -> None:
        name = _name(room)
        try:
            room.send(send, flush, now)
        except Exception:
            logger.exception("table %s: cannot be shown", name)
            self._sends.put(name, now + RETRY_S)
        else:
            self._sends.put(name, room.next_due())


def _name(room: Room) -> str:
    return room.table.record.table.id


def _table_said(message: Input) -> str:
    """The table that a daemon's message names, empty when it names none."""
    match message:
        case Arrived(message=stamped):
            return stamped.table
        case TerminalReport(status=status):
            return status.table
        case _:
            return ""
