"""``python -m bidwire.bench.load SETTINGS.json``: the daemons' part of a whole event.

It publishes what daemons would publish for their terminals, one key for each table and
period, and answers what the referee sends them. A key is pressed when it is due and its
seat sees the prompt. Times count from when it was due, so that a referee or a load that
is late does not hide it.
"""

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import msgspec

from bidwire.bench.load_event import (
    BOOT,
    EVENT,
    LoadEvent,
    session_of,
    terminal_status,
)
from bidwire.bench.load_tables import LoadTable, LoadTerminal, tables_of
from bidwire.bench.load_words import (
    LoadSettings,
    Play,
    Played,
    Pressed,
    Ready,
    Resume,
    Resumed,
    Times,
    Told,
    Word,
)
from broker import BrokerError, Message, MqttClient
from broker.exits import ExitCode
from protocol.payloads import (
    Acknowledge,
    DaemonStatus,
    DisplayPrompt,
    Payload,
    Poll,
    TerminalClear,
    TerminalShown,
    decode_payload,
    encode_payload,
)
from protocol.topics import TopicKind, Topics

STARTED_AT_ONCE = 200
"""Terminals whose status is under way at a time when the load begins."""

ANSWERS_S = 15.0
"""Seconds that the last answers may take."""

LINE_LIMIT = 1 << 16

_READ = (TopicKind.TERMINAL_DISPLAY, TopicKind.TERMINAL_ACK)


class Load:
    """All daemons of the event, and the keys that are pressed at its tables."""

    def __init__(self, settings: LoadSettings, say: Callable[[Told], None]) -> None:
        """Prepare; nothing is sent before ``run``.

        Args:
            settings: what is played, and how fast.
            say: is told how it goes.
        """
        event = LoadEvent(settings.tables, settings.boards, settings.seed)
        self._period = settings.period
        self._say = say
        self._topics = Topics(EVENT)
        self._tables = tables_of(event)
        self._clients = {
            daemon: MqttClient(
                broker,
                client_id=daemon,
                subscriptions=[self._topics.filter(kind, daemon) for kind in _READ],
            )
            for daemon, broker in settings.brokers.items()
        }
        self._places = {
            self._topics.of(kind, table.daemon, terminal.name): (kind, table, terminal)
            for table in self._tables
            for terminal in table.terminals.values()
            for kind in _READ
        }
        self._sent = self._received = 0
        self._epoch = 0
        self._changed = asyncio.Event()

    async def run(self, words: asyncio.StreamReader) -> None:
        """Open the daemons, and do as told until nobody tells any more.

        Raises:
            BrokerError: the broker refuses a daemon.
        """
        async with contextlib.AsyncExitStack() as stack:
            for client in self._clients.values():
                await stack.enter_async_context(client)
            async with asyncio.TaskGroup() as group:
                listening = [
                    group.create_task(self._listen(client))
                    for client in self._clients.values()
                ]
                await self._open()
                await self._until(self._is_ready)
                self._say(Ready())
                async for line in words:
                    await self._do(msgspec.json.decode(line, type=Word))
                for task in listening:
                    task.cancel()

    async def _do(self, word: Word) -> None:
        match word:
            case Play(seconds):
                self._say(await self._play(seconds))
            case Resume():
                await self._resume()

    async def _open(self) -> None:
        """The births of the daemons, then the terminals, a few at a time."""
        for daemon, client in self._clients.items():
            born = DaemonStatus(session=session_of(daemon), online=True)
            topic = self._topics.daemon_status(daemon)
            await client.publish(topic, encode_payload(born), retain=True)
        terminals = [
            (table, terminal)
            for table in self._tables
            for terminal in table.terminals.values()
        ]
        for at in range(0, len(terminals), STARTED_AT_ONCE):
            some = terminals[at : at + STARTED_AT_ONCE]
            await asyncio.gather(*(self._say_status(*each) for each in some))

    async def _say_status(self, table: LoadTable, terminal: LoadTerminal) -> None:
        status = terminal_status(
            table.index, terminal.seat, table.daemon, terminal.following
        )
        topic = self._topics.terminal_status(table.daemon, terminal.name)
        client = self._clients[table.daemon]
        await client.publish(topic, encode_payload(status), retain=True)

    def _is_ready(self) -> bool:
        return all(table.may_press for table in self._tables)

    # -- playing ------------------------------------------------------------------

    async def _play(self, seconds: float) -> Played:
        self._sent = self._received = 0
        began, worked = time.monotonic(), time.process_time()
        due, ends = began, began + seconds
        apart = self._period / len(self._tables)
        while due < ends:
            for table in self._tables:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                table.is_due(due)
                self._press(table)
                due += apart
                if due >= ends:
                    break
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWERS_S):
                await self._until(self._is_answered)
        lasted = time.monotonic() - began
        return self._played(lasted, (time.process_time() - worked) / lasted)

    def _played(self, lasted: float, cpu_share: float) -> Played:
        keys = list(chain.from_iterable(t.take_pressed() for t in self._tables))
        acks = [k.acknowledged - k.due for k in keys if k.acknowledged is not None]
        prompts = [k.prompted - k.due for k in keys if k.prompted is not None]
        return Played(
            events=len(keys),
            acknowledged=len(acks),
            prompted=len(prompts),
            ack=Times.of(acks),
            prompt=Times.of(prompts),
            late=Times.of([k.published - k.due for k in keys]),
            sent=self._sent,
            received=self._received,
            seconds=lasted,
            cpu_share=cpu_share,
        )

    def _press(self, table: LoadTable) -> None:
        """Press the key that is due, if its seat sees the prompt."""
        if table.due is not None and table.may_press:
            table.press(table.due, time.monotonic())
            self._send_event(table)

    def _send_event(self, table: LoadTable) -> None:
        """Publish the last key of a table, for the first time or again."""
        assert table.last is not None  # noqa: S101 - it has been pressed
        event = table.last.event
        terminal = table.terminals[event.seat]
        topic = self._topics.terminal_events(table.daemon, terminal.name)
        self._send(table, topic, event)

    def _is_answered(self) -> bool:
        return all(table.is_settled for table in self._tables)

    # -- a referee that is gone ---------------------------------------------------

    async def _resume(self) -> None:
        """Press keys that nobody hears; see what the referee makes of them that comes.

        As terminals do, they send them again when its first ACK does not name them.
        """
        before, now = self._epoch, time.monotonic()
        for table in self._tables:
            table.is_due(now)
            self._press(table)
        self._say(Pressed())
        await self._until(lambda: self._all_prompted(before))
        prompted = time.monotonic()
        await self._until(self._is_answered)
        keys = chain.from_iterable(table.take_pressed() for table in self._tables)
        acks = [key.acknowledged for key in keys if key.acknowledged is not None]
        self._say(Resumed(min(acks), prompted, max(acks)))

    def _all_prompted(self, before: int) -> bool:
        return self._epoch > before and all(
            terminal.shown is not None and terminal.shown.epoch == self._epoch
            for table in self._tables
            for terminal in table.terminals.values()
        )

    # -- messages -----------------------------------------------------------------

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    async def _listen(self, client: MqttClient) -> None:
        while True:
            for message in await client.receive_batch():
                self._take(message)
                message.ack()
            self._changed.set()

    def _take(self, message: Message) -> None:
        kind, table, terminal = self._places[message.topic]
        self._received += 1
        now = time.monotonic()
        match decode_payload(kind, message.payload):
            case DisplayPrompt() as display:
                self._epoch = max(self._epoch, display.epoch)
                table.take_display(terminal.seat, display, now)
                shown = TerminalShown(
                    epoch=display.epoch,
                    rev=display.rev,
                    seat=terminal.seat,
                    session=session_of(table.daemon),
                )
                self._answer(table, terminal, shown)
            case Acknowledge() as ack:
                if not table.take_ack(terminal.seat, ack, now):
                    self._send_event(table)
            case Poll(token=token):
                clear = TerminalClear(
                    token=token,
                    boot=BOOT,
                    next=terminal.following,
                    session=session_of(table.daemon),
                )
                self._answer(table, terminal, clear)
            case other:
                raise TypeError(other)
        self._press(table)

    def _answer(
        self, table: LoadTable, terminal: LoadTerminal, payload: Payload
    ) -> None:
        topic = self._topics.terminal_shown(table.daemon, terminal.name)
        self._send(table, topic, payload)

    def _send(self, table: LoadTable, topic: str, payload: Payload) -> None:
        self._sent += 1
        self._clients[table.daemon].send(topic, encode_payload(payload))


async def _serve(settings: LoadSettings) -> None:
    words = asyncio.StreamReader(limit=LINE_LIMIT)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(words), sys.stdin.buffer
    )
    await Load(settings, _say).run(words)


def _say(told: Told) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


def main(arguments: list[str]) -> int:
    """Run the load until its input ends; returns its `broker.exits.ExitCode`."""
    settings = msgspec.json.decode(Path(arguments[0]).read_bytes(), type=LoadSettings)
    code = 0
    try:
        asyncio.run(_serve(settings))
    except* BrokerError as errors:
        sys.stderr.write(f"broker: {errors.exceptions[0]}\n")
        code = ExitCode.UNUSABLE
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
