"""``python -m bidwire.bench.echo SETTINGS.json``: what stands in the referee's place.

It reads a terminal's events, commits what the referee would have committed, and sends
the display and the ACK that the referee would have sent; it judges nothing. Measured
against it is what the referee takes for his work (`bidwire.bench.chain`).
"""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from broker import BrokerSettings, Message, MqttClient
from broker.process import run_until_signalled
from broker.settings_file import read_settings
from protocol.payloads import (
    Acknowledge,
    DisplayPrompt,
    LinkState,
    TerminalEvent,
    TerminalStatus,
    decode_payload,
    encode_payload,
)
from protocol.topics import TopicKind, Topics
from referee.entries import Entry
from referee.journal_sqlite import SqliteJournal
from referee.journal_store import FileJournal


class Echoed(msgspec.Struct, frozen=True):
    """What an event is echoed by: entries of the journal, and a display."""

    entries: tuple[Entry, ...]
    display: DisplayPrompt


class EchoSettings(msgspec.Struct, frozen=True, kw_only=True):
    """All that it reads.

    Attributes:
        event: first level of the topics.
        broker: as the referee's.
        daemon, terminal, table: whose events are echoed.
        journal: path of the journal; None commits nothing.
        begins_with: the display of a terminal whose link has come up.
        echoed: what each of its events is echoed by, in order of their numbers.
    """

    event: str
    broker: BrokerSettings
    daemon: str
    terminal: str
    table: str
    journal: str | None
    begins_with: DisplayPrompt
    echoed: tuple[Echoed, ...]


class Echo:
    """Echoes the events of one terminal."""

    def __init__(self, settings: EchoSettings) -> None:
        self._settings = settings
        self._topics = Topics(settings.event)
        where = (settings.daemon, settings.terminal)
        self._display = self._topics.terminal_display(*where)
        self._ack = self._topics.terminal_ack(*where)
        self._encoded = [encode_payload(e.display) for e in settings.echoed]
        self._journal: FileJournal | None = None
        self._epoch = settings.begins_with.epoch
        self._number = 0

    async def run(self) -> None:
        """Serve until cancelled."""
        kinds = (TopicKind.TERMINAL_EVENTS, TopicKind.TERMINAL_STATUS)
        async with AsyncExitStack() as stack:
            if self._settings.journal is not None:
                file = SqliteJournal(self._settings.journal, self._settings.event)
                self._journal = FileJournal(stack.enter_context(file))
                self._epoch = await self._journal.take_over(lambda _: None)
            client = await stack.enter_async_context(
                MqttClient(
                    self._settings.broker,
                    client_id="echo",
                    subscriptions=[self._topics.filter(kind) for kind in kinds],
                )
            )
            while True:
                for message in await client.receive_batch():
                    await self._take(client, message)
                    message.ack()

    async def _take(self, client: MqttClient, message: Message) -> None:
        kind = self._topics.parse(message.topic).kind
        match decode_payload(kind, message.payload):
            case TerminalStatus(link=LinkState.ONLINE):
                begins_with = encode_payload(self._settings.begins_with)
                client.send(self._display, begins_with)
            case TerminalEvent() as event:
                echoed = self._settings.echoed[event.n]
                if self._journal is not None:
                    rows = [(self._settings.table, entry) for entry in echoed.entries]
                    self._number = await self._journal.append(
                        self._epoch, self._number, rows
                    )
                client.send(self._display, self._encoded[event.n])
                ack = Acknowledge(
                    epoch=self._epoch,
                    session=event.session,
                    opening=event.opening,
                    boot=event.boot,
                    n=event.n,
                )
                client.send(self._ack, encode_payload(ack))
            case _:
                pass


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    read = read_settings(Path(sys.argv[1]), EchoSettings)
    asyncio.run(run_until_signalled(Echo(read).run()))
