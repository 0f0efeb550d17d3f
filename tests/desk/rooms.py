"""A room for the desk's tests: what a referee and a daemon would publish of it."""

from typing import Any, Self

import msgspec

from broker import MqttClient
from laws.board import Edition
from laws.seats import SEATS
from protocol.messages import Encoding, Held, Profile
from protocol.payloads import (
    Assignments,
    AssignTerminal,
    DaemonStatus,
    Desk,
    HelloReport,
    LinkState,
    Payload,
    Phase,
    TableResult,
    TableState,
    TerminalStatus,
    VitalsReport,
    encode_payload,
)
from protocol.topics import Role, TopicKind, Topics, parse_topic
from tests.brokers import DAEMONS, EVENT, RunningBroker

TOPICS = Topics(EVENT)
DAEMON = DAEMONS[0]

HELLO = HelloReport(
    version=1,
    serial="TC-0001",
    boot=3,
    volatile=False,
    held=(Held(3, 0, 0),),
    firmware="1.2",
    seats=SEATS,
    columns=20,
    rows=4,
    encoding=Encoding.UTF_8,
    profile=Profile.FOUR_SEATS,
)


def state(**changes: Any) -> TableState:  # noqa: ANN401 - fields of the payload
    """The public facts of a table, board 5 in the auction unless told otherwise."""
    fields: dict[str, Any] = {
        "session": "r1",
        "epoch": 1,
        "number": 7,
        "edition": Edition.LAWS_2017,
        "phase": Phase.AUCTION,
        "board": 5,
        "round": 2,
        "play": 3,
    }
    return TableState(**(fields | changes))


def desk(table: str, **changes: Any) -> Desk:  # noqa: ANN401 - fields of the payload
    """The desk of a table, on which nothing waits unless told."""
    fields: dict[str, Any] = {"session": "r1", "epoch": 1, "number": 7, "board": 5}
    return Desk(**(fields | {"table": table} | changes))


def daemon(**changes: Any) -> DaemonStatus:  # noqa: ANN401 - fields of the payload
    fields: dict[str, Any] = {"session": "s1", "online": True}
    return DaemonStatus(**(fields | changes))


def terminal(
    table: str,
    link: LinkState = LinkState.ONLINE,
    battery: int | None = 87,
    session: str = "s1",
) -> TerminalStatus:
    """The status of a terminal."""
    vitals = VitalsReport(battery=battery, signal=-61, uptime_s=3725)
    return TerminalStatus(
        session=session, table=table, link=link, hello=HELLO, vitals=vitals
    )


def question(to: str = "director", **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """An open question, as it stands in the report."""
    fields = {
        "to": to,
        "question": "unintended",
        "law": "25A1",
        "line": 2,
        "seat": "N",
        "about": "2H for 1S",
        "choices": [],
        "holds": True,
    }
    return fields | changes


class Hall:
    """Publishes as the referee and the daemon of a real broker."""

    def __init__(self, broker: RunningBroker) -> None:
        self._referee = MqttClient(
            broker.settings(Role.REFEREE),
            client_id="referee",
            subscriptions=[TOPICS.filter(TopicKind.TABLE_DIRECTOR)],
        )
        self._daemon = MqttClient(
            broker.settings(Role.DAEMON, DAEMON),
            client_id=DAEMON,
            subscriptions=[TOPICS.daemon_director(DAEMON)],
        )

    async def __aenter__(self) -> Self:
        await self._referee.__aenter__()
        await self._daemon.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._daemon.close()
        await self._referee.close()

    async def tell(self, table: str, *payloads: TableState | Desk) -> None:
        """Publish what the referee says of a table."""
        for payload in payloads:
            is_desk = isinstance(payload, Desk)
            topic = TOPICS.table_desk if is_desk else TOPICS.table_state
            await self._say(self._referee, topic(table), payload)

    async def clear(self, table: str) -> None:
        """Take the state and the desk of a table back."""
        for topic in (TOPICS.table_state(table), TOPICS.table_desk(table)):
            await self._referee.publish(topic, b"", retain=True)

    async def birth(self, **changes: Any) -> None:  # noqa: ANN401 - of the payload
        """Publish the status of the daemon."""
        await self._say(self._daemon, TOPICS.daemon_status(DAEMON), daemon(**changes))

    async def status(self, name: str, status: TerminalStatus) -> None:
        """Publish the status of a terminal."""
        await self._say(self._daemon, TOPICS.terminal_status(DAEMON, name), status)

    async def played(self, result: TableResult) -> None:
        """Publish the result of a playing."""
        topic = TOPICS.table_result(result.table, result.play)
        await self._say(self._referee, topic, result)

    async def bound(self, assignments: Assignments) -> None:
        """Publish which boxes are bound."""
        topic = TOPICS.daemon_assignments(DAEMON)
        await self._say(self._daemon, topic, assignments)

    async def assigned(self) -> AssignTerminal:
        """Wait for the Director's command to bind a box; returns it."""
        (message,) = await self._daemon.receive_batch()
        message.ack()
        return msgspec.json.decode(message.payload, type=AssignTerminal)

    async def commands(self) -> list[bytes]:
        """Wait for what the Director says; returns it."""
        return [payload for _, payload in await self.addressed()]

    async def addressed(self) -> list[tuple[str, bytes]]:
        """Wait for what the Director says; returns it with the table."""
        messages = await self._referee.receive_batch()
        for message in messages:
            message.ack()
        return [(parse_topic(m.topic).names[0], m.payload) for m in messages]

    async def _say(self, client: MqttClient, topic: str, payload: Payload) -> None:
        await client.publish(topic, encode_payload(payload), retain=True)
