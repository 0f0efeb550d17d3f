"""``bidwire status``: the room as the broker's retained messages tell it.

What is configured and was not heard of is shown as that: a status that is missing is
news too.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from bidwire.direct import PATIENCE, DirectError, director_settings
from bidwire.event_file import EventFile
from broker import BrokerError, MqttClient
from protocol.payloads import (
    DaemonStatus,
    Desk,
    LinkState,
    PayloadError,
    TableState,
    TerminalStatus,
    decode_payload,
)
from protocol.topics import TopicKind, Topics, parse_topic

QUIET = 1.0
"""Seconds without a message after which nothing retained is left to come."""

WAITING = {"director": "the director", "round": "the director to open the round"}
"""What a table waits for, in words."""

LOW_BATTERY = 20
"""Percent from which on a battery is told as low."""


@dataclass
class RoomStatus:
    """What is known of the room, by id; what was not heard of is not in it."""

    daemons: dict[str, DaemonStatus] = field(default_factory=dict)
    terminals: dict[str, TerminalStatus] = field(default_factory=dict)
    tables: dict[str, TableState] = field(default_factory=dict)
    desks: dict[str, Desk] = field(default_factory=dict)
    daemon_of: dict[str, str] = field(default_factory=dict)

    def take(self, topic: str, payload: bytes) -> None:
        """Take a message of the topics of statuses, states and desks."""
        parsed = parse_topic(topic)
        name = parsed.names[-1]
        if not payload:
            for known in (self.tables, self.desks):
                known.pop(name, None)
            return
        match decode_payload(parsed.kind, payload):
            case DaemonStatus() as status:
                self.daemons[name] = status
            case TerminalStatus() as status:
                self.terminals[name] = status
                self.daemon_of[name] = parsed.names[0]
            case TableState() as state:
                self.tables[name] = state
            case Desk() as desk:
                self.desks[name] = desk
            case _:
                pass

    def is_complete(self, event: EventFile) -> bool:
        """Whether everything that the event names has been heard of."""
        tables = {table.id for table in event.tables}
        terminals = {terminal.id for terminal in event.terminals}
        return (
            bool(self.daemons)
            and terminals <= self.terminals.keys()
            and tables <= self.tables.keys() & self.desks.keys()
        )

    def link(self, terminal: str) -> tuple[str, str]:
        """How a terminal's link stands, and why; of a dead daemon nothing counts."""
        status = self.terminals.get(terminal)
        if status is None:
            return "unknown", "nothing was heard of it"
        name = self.daemon_of[terminal]
        daemon = self.daemons.get(name)
        if daemon is None or not daemon.online:
            return "offline", f"its daemon {name} is not there"
        if daemon.session != status.session:
            return "unknown", f"its daemon {name} has started anew"
        return status.link.value, status.reason


async def look(event: EventFile, folder: Path) -> RoomStatus:
    """The room as it is now.

    Args:
        event: the event file.
        folder: where it lies.

    Raises:
        EventFileError: there are no credentials.
        DirectError: the broker does not answer, or refuses.
    """
    settings = director_settings(event, folder)
    topics = Topics(event.event.id)
    room = RoomStatus()
    kinds = (
        TopicKind.DAEMON_STATUS,
        TopicKind.TERMINAL_STATUS,
        TopicKind.TABLE_STATE,
        TopicKind.TABLE_DESK,
    )
    client = MqttClient(
        settings,
        client_id=f"status-{event.event.id}",
        subscriptions=[topics.filter(kind) for kind in kinds],
    )
    try:
        async with client:
            async with asyncio.timeout(PATIENCE):
                await client.wait_connected()
            with contextlib.suppress(TimeoutError):
                while not room.is_complete(event):
                    async with asyncio.timeout(QUIET):
                        messages = await client.receive_batch()
                    for message in messages:
                        with contextlib.suppress(PayloadError):
                            room.take(message.topic, message.payload)
                        message.ack()
    except TimeoutError:
        text = f"no answer in {PATIENCE:g} s from broker {settings}"
        raise DirectError(text) from None
    except BrokerError as error:
        raise DirectError(str(error)) from None
    return room


def troubles(room: RoomStatus, event: EventFile) -> Iterator[str]:
    """What somebody has to see to: daemons, then tables, then terminals."""
    if not room.daemons:
        yield "no daemon was heard of"
    for name, daemon in sorted(room.daemons.items()):
        if not daemon.online:
            yield f"daemon {name} is not there"
    for table in event.tables:
        for text in _troubles_at(room, table.id):
            yield f"table {table.id}: {text}"
    for terminal in event.terminals:
        for text in _troubles_of(room, terminal.id):
            yield f"terminal {terminal.id}: {text}"


def _troubles_at(room: RoomStatus, table: str) -> Iterator[str]:
    desk, state = room.desks.get(table), room.tables.get(table)
    if desk is None:
        yield "no referee was heard of"
        return
    if state is not None and state.waiting:
        yield f"waits for {WAITING.get(state.waiting, state.waiting)}"
    for call in desk.calls:
        if not call.attended:
            yield f"{call.seat} calls the Director"
    for alarm in desk.alarms:
        yield alarm.text


def _troubles_of(room: RoomStatus, terminal: str) -> Iterator[str]:
    link, reason = room.link(terminal)
    if link != LinkState.ONLINE:
        yield f"{link}: {reason}" if reason else link
    battery = battery_of(room, terminal)
    if battery is not None and battery <= LOW_BATTERY:
        yield f"battery at {battery} %"


def battery_of(room: RoomStatus, terminal: str) -> int | None:
    """Charge of a terminal's battery in percent; None where it has told none."""
    status = room.terminals.get(terminal)
    vitals = status.vitals if status is not None else None
    return vitals.battery if vitals is not None else None


def plain(room: RoomStatus, event: EventFile) -> dict[str, Any]:
    """The room for programs: the payloads as they are, and the troubles."""
    return {
        "event": event.event.id,
        "troubles": list(troubles(room, event)),
        "daemons": msgspec.to_builtins(room.daemons),
        "terminals": {
            terminal.id: {
                "table": terminal.table,
                "seats": terminal.seats,
                "link": room.link(terminal.id)[0],
                "reason": room.link(terminal.id)[1],
                "status": msgspec.to_builtins(room.terminals.get(terminal.id)),
            }
            for terminal in event.terminals
        },
        "tables": {
            table.id: msgspec.to_builtins(room.tables.get(table.id))
            for table in event.tables
        },
    }
