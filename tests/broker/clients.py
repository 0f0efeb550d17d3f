"""Clients of the roles that the tests in this folder play."""

import asyncio
import random
from collections.abc import Iterable

from broker import ConnectionState, Message, MqttClient, Presence
from broker.backoff import Backoff
from protocol.payloads import DaemonStatus
from protocol.topics import Role, TopicKind, Topics
from tests.brokers import RunningBroker

TOPICS = Topics("test")
EVENTS = TOPICS.filter(TopicKind.TERMINAL_EVENTS)
EVENTS_OF_D1 = TOPICS.terminal_events("d1", "t1")
STATE = TOPICS.table_state("1")
STATUS = TOPICS.daemon_status("d1")


class StateLog:
    """The states that a client went through."""

    def __init__(self) -> None:
        self.seen: list[ConnectionState] = []
        self._changed = asyncio.Event()

    def __call__(self, state: ConnectionState) -> None:
        self.seen.append(state)
        self._changed.set()

    async def wait_for(self, state: ConnectionState, times: int = 1) -> None:
        """Wait until `state` has been entered so many times."""
        while self.seen.count(state) < times:
            self._changed.clear()
            await self._changed.wait()


def quick() -> Backoff:
    """Short delays, always the same."""
    return Backoff(first=0.01, longest=0.1, source=random.Random(1))  # noqa: S311 - repeatable


def referee(
    broker: RunningBroker,
    *subscriptions: str,
    clean_session: bool = True,
    inbox_limit: int = 2000,
    states: StateLog | None = None,
) -> MqttClient:
    """A client that reads the events of all terminals, unless told otherwise."""
    return MqttClient(
        broker.settings(Role.REFEREE),
        client_id="referee",
        subscriptions=subscriptions or (EVENTS,),
        clean_session=clean_session,
        inbox_limit=inbox_limit,
        on_state=states,
        backoff=quick(),
    )


def daemon(
    broker: RunningBroker,
    *subscriptions: str,
    session: str = "",
    started: float = 0.0,
    states: StateLog | None = None,
) -> MqttClient:
    """A client of daemon d1; with a session it reports its presence."""
    presence = None
    if session:
        status = DaemonStatus(session=session, online=True, started=started)
        presence = Presence(STATUS, status)
    return MqttClient(
        broker.settings(Role.DAEMON, "d1"),
        client_id="d1",
        subscriptions=subscriptions,
        presence=presence,
        on_state=states,
        backoff=quick(),
    )


async def receive(client: MqttClient, count: int) -> list[Message]:
    """Receive and acknowledge so many different payloads, in order of arrival."""
    received: dict[bytes, Message] = {}
    while len(received) < count:
        for message in await client.receive_batch():
            received.setdefault(message.payload, message)
            message.ack()
    return list(received.values())


async def take(client: MqttClient, count: int) -> list[Message]:
    """Receive so many different payloads and acknowledge none."""
    received: dict[bytes, Message] = {}
    while len(received) < count:
        for message in await client.receive_batch():
            received.setdefault(message.payload, message)
    return list(received.values())


def numbers(messages: Iterable[Message]) -> list[int]:
    """The payloads, which are numbers."""
    return [int(message.payload) for message in messages]
