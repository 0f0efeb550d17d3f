"""An MQTT client in the Director's role: sees every table, speaks for the Director."""

import asyncio
import itertools
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar

from broker import BrokerSettings, ConnectionState, MqttClient
from desk.room import TABLE_KINDS, Room
from protocol.payloads import (
    Adjustment,
    Assignments,
    AssignReply,
    AssignTerminal,
    CommandReply,
    Desk,
    DirectorCommand,
    Payload,
    PayloadError,
    Penalty,
    Service,
    encode_payload,
)
from protocol.topics import TopicKind, Topics, parse_topic

LOG = logging.getLogger(__name__)

Reply = TypeVar("Reply", CommandReply, AssignReply)

REPEAT = 2.0
"""Seconds after which a command that was not answered is sent again."""

LOOK_AGAIN = (5.0, 130.0)
"""Seconds after connecting at which what the broker keeps is asked for once more.

NATS loses what is published retained while a client is just subscribing to it. It
keeps the message all the same, but if it has just read the one before from its store
it hands that one out for two minutes.
"""

SAID_AGAIN = 5
"""How often a command is said again because the table had moved on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a command asks for; the fields are those of ``DirectorCommand``."""

    happening: str = ""
    play: int = 0
    service: Service | None = None
    board: int = 0
    terminal: str = ""
    ruling: int = 0
    subject: int = 0
    drop: bool = False
    round: int = 0
    deal: str = ""
    adjustment: Adjustment | None = None
    penalty: Penalty | None = None
    reason: str = ""


@dataclass
class DirectorClient:
    """Keeps a room up to date while the context is open, and gives commands.

    Attributes:
        broker: its address, and the Director's credentials there.
        event: the event's id.
        by: who gives the commands, where they do not say.
        room: what the Director's topics say.
        kinds: the topics that are listened to.
        on_change: called with every message that says something new.
        on_state: called with each new state of the connection.
        look_again: seconds after connecting at which the topics are subscribed to once
            more.
    """

    broker: BrokerSettings
    event: str
    by: str = "replay"
    room: Room = field(default_factory=Room)
    kinds: tuple[TopicKind, ...] = TABLE_KINDS
    on_change: Callable[[Payload], None] | None = None
    on_state: Callable[[ConnectionState], None] | None = None
    look_again: tuple[float, ...] = LOOK_AGAIN

    def __post_init__(self) -> None:
        self._topics = Topics(self.event)
        self._replies: dict[str, asyncio.Future[CommandReply]] = {}
        self._bound: dict[str, asyncio.Future[AssignReply]] = {}
        # No other client of this name may give its commands the same ids.
        self._ids = (f"{secrets.token_hex(8)}-{n}" for n in itertools.count(1))
        self._client = MqttClient(
            self.broker,
            client_id=f"director-{self.event}",
            subscriptions=[self._topics.filter(kind) for kind in self.kinds],
            on_state=self.on_state,
            look_again=self.look_again,
        )

    async def __aenter__(self) -> Self:
        await self._client.__aenter__()
        self._task = asyncio.create_task(self._listen(), name="director")
        self._task.add_done_callback(lambda _: self.room.wake())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._task.cancel()
        await asyncio.wait({self._task})
        await self._client.__aexit__(kind, error, trace)

    async def wait_for(self, true: Callable[[], bool]) -> None:
        """Wait until something that the topics say has become true."""
        while not (self._task.done() or true()):
            await self.room.changed()
        if self._task.done():
            self._task.result()

    async def sleep(self, seconds: float) -> None:
        """Wait; BrokerError when the broker refuses us meanwhile."""
        await asyncio.wait({self._task}, timeout=seconds)
        if self._task.done():
            self._task.result()

    async def happening(self, table: str, line: str) -> CommandReply:
        """Say a line of the table script; returns what became of it.

        A display may be ahead of the desk: a command refused because the table had
        moved on is said again with the desk as it is then, a few times at most.
        """
        order = Order(happening=line)
        reply = await self.command(table, order)
        for _ in range(SAID_AGAIN):
            if not reply.outdated:
                break
            reply = await self.command(table, order)
        return reply

    def _number(self, table: str) -> int:
        """The journal number that the desk of a table reflects."""
        desk = self.room.desks.get(table)
        return desk.number if desk else 0

    async def confirm_next(self, table: str) -> None:
        """Put the next ruling that is proposed at a table into effect.

        Waits for one. It may be gone by the time that the command arrives: what is
        proposed then stands on the desk.
        """
        await self.wait_for(lambda: bool(self._proposed(table)))
        desk = self.room.desks[table]
        ruling = int(desk.proposed[0]["number"])
        order = Order(service=Service.CONFIRM, play=desk.play, ruling=ruling)
        await self.command(table, order)

    def _proposed(self, table: str) -> tuple[dict[str, Any], ...]:
        desk = self.room.desks.get(table)
        return desk.proposed if desk is not None else ()

    async def close_play(self, table: str) -> CommandReply:
        """Close the running play, finished or not."""
        return await self.command(table, Order(service=Service.CLOSE))

    async def judged_when_closed(self, table: str) -> dict[str, Any]:
        """Close the running play; returns the referee's report of it.

        The reply stands on the desk, beside the report of all that came before it.
        """
        await self.close_play(table)
        return self.room.desks[table].judged or {}

    async def connected(self) -> None:
        """Wait until the broker has taken us; BrokerError when it refuses."""
        await self._client.wait_connected()

    async def command(
        self, table: str, order: Order, *, by: str = "", expects: int | None = None
    ) -> CommandReply:
        """Give a command once; returns what became of it.

        It is sent again until the referee answers.

        Args:
            table: where it is given.
            order: what it asks for.
            by: who gives it, for the journal.
            expects: the journal number of the desk that he saw when he decided; None
                takes the desk as it is now.
        """
        command = DirectorCommand(
            id=next(self._ids),
            by=by or self.by,
            expects=self._number(table) if expects is None else expects,
            **asdict(order),
        )
        topic = self._topics.table_director(table)
        return await self._answered(topic, command, self._replies)

    async def assign(
        self, daemon: str, terminal: str, serial: str, *, instead: str, by: str
    ) -> AssignReply:
        """Bind another box to a terminal; returns what became of it.

        It is sent again until it is answered.

        Args:
            daemon: that serves the terminal.
            terminal: whose place the box takes.
            serial: of the box.
            instead: of the box that he saw bound there, empty for any.
            by: who wants it.
        """
        command = AssignTerminal(next(self._ids), by, terminal, serial, instead)
        topic = self._topics.daemon_director(daemon)
        return await self._answered(topic, command, self._bound)

    async def _answered(
        self,
        topic: str,
        command: DirectorCommand | AssignTerminal,
        replies: dict[str, asyncio.Future[Reply]],
    ) -> Reply:
        """Send a command until it is answered; returns the answer."""
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        replies[command.id] = reply
        try:
            while True:
                await self._client.publish(topic, encode_payload(command))
                done, _ = await asyncio.wait({reply}, timeout=REPEAT)
                if done:
                    return reply.result()
        finally:
            del replies[command.id]

    async def _listen(self) -> None:
        while True:
            for message in await self._client.receive_batch():
                try:
                    payload = self.room.take(
                        parse_topic(message.topic), message.payload
                    )
                except PayloadError as error:
                    LOG.warning("%s: %s", message.topic, error)
                else:
                    self._settle(payload)
                    if self.on_change is not None and payload is not None:
                        self.on_change(payload)
                message.ack()
            self.room.wake()

    def _settle(self, payload: Payload | None) -> None:
        """Give the commands that a payload replies to their replies."""
        match payload:
            case Desk():
                _settle(self._replies, payload.replies)
            case Assignments():
                _settle(self._bound, payload.replies)
            case _:
                pass


def _settle(
    waiting: Mapping[str, asyncio.Future[Reply]], replies: Iterable[Reply]
) -> None:
    for reply in replies:
        future = waiting.get(reply.id)
        if future is not None and not future.done():
            future.set_result(reply)
