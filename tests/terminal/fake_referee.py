"""A referee that judges nothing: it acknowledges in order and shows how far it is."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from broker.client import MqttClient
from broker.settings import BrokerSettings
from laws.seats import Seat
from protocol.intake import Intake, Verdict
from protocol.messages import Asked, Choice, HelloFields
from protocol.payloads import (
    Acknowledge,
    DaemonStatus,
    DisplayPrompt,
    LinkState,
    Payload,
    Poll,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
    TerminalStatus,
    decode_payload,
    encode_payload,
)
from protocol.topics import Topic, TopicKind, Topics

WAIT_SECONDS = 20.0

Entry = TerminalEvent | TerminalLost | TerminalMalformed


@dataclass
class FakeReferee:
    """Takes events as the contract says and shows every seat the same.

    Attributes:
        event: the event.
        daemon: the daemon whose terminals it serves.
        answers: whether it acknowledges and shows anything.
        taken: events and losses in the order in which they were taken.
        received: everything that came on the events topics, duplicates included.
        statuses: the last status of each terminal.
        shown: for each terminal and seat, the last revision shown.
        clears: answers to polls.
        elsewhere: the last status of terminals of other daemons.
        locks: keys that every display locks.
        choices: answers that every display offers.
        pages: what every display shows.
    """

    event: str
    daemon: str
    answers: bool = True
    boards: tuple[int, ...] = (1,)
    taken: list[Entry] = field(default_factory=list)
    received: list[Entry] = field(default_factory=list)
    statuses: dict[str, TerminalStatus] = field(default_factory=dict)
    shown: dict[tuple[str, Seat], int] = field(default_factory=dict)
    clears: list[TerminalClear] = field(default_factory=list)
    elsewhere: dict[tuple[str, str], TerminalStatus] = field(default_factory=dict)
    locks: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    pages: tuple[tuple[str, ...], ...] = (("Your call",),)
    epoch: int = 1
    play: int = 1
    at: int = 0

    def __post_init__(self) -> None:
        self._topics = Topics(self.event)
        self._intakes: dict[str, Intake] = {}
        self._heard: dict[str, tuple[str, int]] = {}
        self._early: list[tuple[str, Entry]] = []
        self._past: set[str] = set()
        self._changed = asyncio.Condition()
        self._rev = 0
        self._outgoing: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    async def run(self, settings: BrokerSettings) -> None:
        """Serve until cancelled."""
        kinds = (
            TopicKind.TERMINAL_EVENTS,
            TopicKind.TERMINAL_SHOWN,
            TopicKind.TERMINAL_STATUS,
            TopicKind.DAEMON_STATUS,
        )
        async with (
            MqttClient(
                settings,
                client_id=f"{self.event}-referee",
                subscriptions=[self._topics.filter(kind) for kind in kinds],
                clean_session=False,
            ) as client,
            asyncio.TaskGroup() as tasks,
        ):
            tasks.create_task(self._send(client))
            while True:
                for message in await client.receive_batch():
                    topic = self._topics.parse(message.topic)
                    self._take(topic, decode_payload(topic.kind, message.payload))
                    message.ack()
                async with self._changed:
                    self._changed.notify_all()

    async def _send(self, client: MqttClient) -> None:
        while True:
            await client.publish(*await self._outgoing.get())

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds; it is looked at after each batch."""
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            await self._changed.wait_for(condition)

    def online(self, *terminals: str) -> bool:
        """Whether all of these are online."""
        return all(
            name in self.statuses and self.statuses[name].link is LinkState.ONLINE
            for name in terminals
        )

    def show(self, terminal: str, **changes: object) -> None:
        """Show a new revision to all seats of a terminal."""
        status = self.statuses[terminal]
        self._rev += 1
        for seat in status.hello.seats if status.hello else ():
            fields: dict[str, object] = {
                "epoch": self.epoch,
                "rev": self._rev,
                "seat": seat,
                "play": self.play,
                "board": self.boards[self.play - 1],
                "at": self.at,
                "ask": Asked.CALL,
                "hand": None,
                "pages": self.pages,
                "locks": self.locks,
                "choices": self.choices,
            }
            self._publish(
                TopicKind.TERMINAL_DISPLAY,
                terminal,
                DisplayPrompt(**(fields | changes)),  # type: ignore[arg-type]
            )

    def show_all(self) -> None:
        for terminal in self.statuses:
            self.show(terminal)

    def poll(self, terminal: str, token: int) -> None:
        self._publish(
            TopicKind.TERMINAL_ACK, terminal, Poll(epoch=self.epoch, token=token)
        )

    def acknowledge(self, terminal: str) -> None:
        ack, (session, opening) = self._intakes[terminal].ack, self._heard[terminal]
        self._publish(
            TopicKind.TERMINAL_ACK,
            terminal,
            Acknowledge(
                epoch=self.epoch,
                boot=ack.boot,
                n=ack.n,
                session=session,
                opening=opening,
            ),
        )

    def _publish(self, kind: TopicKind, terminal: str, payload: Payload) -> None:
        topic = self._topics.of(kind, self.daemon, terminal)
        self._outgoing.put_nowait((topic, encode_payload(payload)))

    def _take(self, topic: Topic, payload: Payload) -> None:
        if isinstance(payload, DaemonStatus):
            if payload.online and topic.names == (self.daemon,):
                self._serve_again()
            return
        daemon, terminal = topic.names
        if daemon != self.daemon:
            if isinstance(payload, TerminalStatus):
                self.elsewhere[daemon, terminal] = payload
            return
        match payload:
            case TerminalEvent() | TerminalLost() | TerminalMalformed():
                self._take_entry(terminal, payload)
            case TerminalShown(rev=rev, seat=seat):
                self.shown[terminal, seat] = rev
            case TerminalClear():
                self.clears.append(payload)
            case TerminalStatus():
                self._take_status(terminal, payload)
            case _:
                raise AssertionError(payload)

    def _serve_again(self) -> None:
        """A daemon was away from the broker: it may have missed something."""
        for terminal in self._intakes if self.answers else ():
            self.acknowledge(terminal)
            self.show(terminal)

    def _take_status(self, terminal: str, status: TerminalStatus) -> None:
        self.statuses[terminal] = status
        if status.link is not LinkState.ONLINE or status.hello is None:
            return
        if status.session in self._past:
            return  # delivered late
        opening = (status.session, status.opening)
        if self._heard.get(terminal) == opening:
            if self.answers:
                self.acknowledge(terminal)
            return
        before, _ = self._heard.get(terminal, opening)
        if before != status.session:
            self._past.add(before)
        self._heard[terminal] = opening
        hello: HelloFields = status.hello
        intake = self._intakes.get(terminal)
        self._intakes[terminal] = (
            intake.greet(hello) if intake is not None else Intake.begin(hello)
        )
        if self.answers:
            self.acknowledge(terminal)
            self.show(terminal)
        early, self._early = self._early, []
        for name, entry in early:
            self._take_entry(name, entry)

    def _take_entry(self, terminal: str, entry: Entry) -> None:
        self.received.append(entry)
        intake = self._intakes.get(terminal)
        opening = (entry.session, entry.opening)
        if intake is None or opening != self._heard[terminal]:
            self._early.append((terminal, entry))  # its status may come yet
            return
        if intake.judge(entry) is Verdict.NEXT:
            self._intakes[terminal] = intake.take(entry)
            self.taken.append(entry)
            if isinstance(entry, TerminalEvent) and entry.kind != "board":
                self.at += 1
            if self.answers:
                self.show_all()
        if self.answers:
            self.acknowledge(terminal)
