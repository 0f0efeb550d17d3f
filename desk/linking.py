"""The desk's link to the event: its broker, wherever that is now."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum

from broker import BrokerError, BrokerSettings, ConnectionState
from desk.director import DirectorClient, Order, Reply
from desk.room import ALL_KINDS, Room
from protocol.payloads import AssignReply, CommandReply

LOG = logging.getLogger(__name__)

LOOK = 1.0
"""Seconds between two looks at whether the broker has another address by now."""

AGAIN = 5.0
"""Seconds until a broker that has refused the desk is tried again."""

PATIENCE = 10.0
"""Seconds that the referee has to answer a command; it takes milliseconds."""

Source = Callable[[], BrokerSettings | None]
"""The Director's credentials as they are now; None while the event does not run."""


class LinkState(StrEnum):
    """How the desk stands to the broker."""

    ABSENT = "absent"
    """The event does not run."""
    LOST = "lost"
    """There is no connection; it is tried again."""
    REFUSED = "refused"
    """The broker does not let the desk in."""
    UP = "up"


class NoAnswerError(RuntimeError):
    """A command was not answered in time: it may still be done."""


@dataclass
class DirectorLink:
    """Keeps the room up to date, over any number of brokers, and gives commands.

    Attributes:
        event: the event's id.
        source: where the credentials come from.
        room: what is known.
        state: how things stand; the room counts it as a change.
    """

    event: str
    source: Source
    room: Room = field(default_factory=Room)
    state: LinkState = LinkState.ABSENT
    _client: DirectorClient | None = None

    async def run(self) -> None:
        """Stay connected until cancelled."""
        while True:
            broker = self.source()
            if broker is None:
                self._now(LinkState.ABSENT)
                await asyncio.sleep(LOOK)
                continue
            try:
                await self._follow(broker)
            except BrokerError as error:
                LOG.error("%s: %s", broker, error)  # noqa: TRY400 - it says enough
                self._now(LinkState.REFUSED)
                await asyncio.sleep(AGAIN)

    async def _follow(self, broker: BrokerSettings) -> None:
        self._now(LinkState.LOST)
        self.room.forget()  # before the first message of this one can come
        client = DirectorClient(
            broker,
            self.event,
            room=self.room,
            kinds=ALL_KINDS,
            on_state=self._connection_is,
        )
        async with client:
            self._client = client
            try:
                while self.source() in {broker, None}:
                    await client.sleep(LOOK)
            finally:
                self._client = None

    def _connection_is(self, state: ConnectionState) -> None:
        is_up = state is ConnectionState.CONNECTED
        self._now(LinkState.UP if is_up else LinkState.LOST)

    def _now(self, state: LinkState) -> None:
        if state is not self.state:
            self.state = state
            self.room.touch()
            self.room.wake()

    async def give(
        self, table: str, order: Order, *, by: str, expects: int
    ) -> CommandReply:
        """Give a command once; returns what became of it.

        One that is refused as outdated is not said again: the Director has to look
        first, another one may have been quicker.

        Args:
            table: where it is given.
            order: what it asks for.
            by: the user who gives it.
            expects: the journal number of the desk that he saw.

        Raises:
            NoAnswerError: there is no answer.
        """
        return await self._within_patience(
            lambda client: client.command(table, order, by=by, expects=expects)
        )

    async def assign(
        self, terminal: str, serial: str, *, instead: str, by: str
    ) -> AssignReply:
        """Bind another box to a terminal that was heard of, as ``DirectorClient`` does.

        Raises:
            NoAnswerError: there is no answer.
        """
        daemon = self.room.daemon_of[terminal]
        return await self._within_patience(
            lambda client: client.assign(
                daemon, terminal, serial, instead=instead, by=by
            )
        )

    async def _within_patience(
        self, ask: Callable[[DirectorClient], Awaitable[Reply]]
    ) -> Reply:
        client = self._client
        if client is None:
            raise NoAnswerError
        try:
            async with asyncio.timeout(PATIENCE):
                return await ask(client)
        except (TimeoutError, BrokerError):
            raise NoAnswerError from None
