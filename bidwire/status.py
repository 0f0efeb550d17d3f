"""``bidwire status``: the room as the broker's retained messages tell it.

What is configured and was not heard of is shown as that: a status that is missing is
news too.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bidwire.direct import PATIENCE, DirectError, director_settings
from bidwire.event_file import EventFile
from broker import BrokerError, MqttClient
from desk.room import LOW_BATTERY, Room
from protocol.payloads import (
    LinkState,
    PayloadError,
)
from protocol.topics import TopicKind, Topics, parse_topic

QUIET = 1.0
"""Seconds without a message after which nothing retained is left to come."""

WAITING = {"director": "the director", "round": "the director to open the round"}
"""What a table waits for, in words."""


def is_complete(room: Room, event: EventFile) -> bool:
    """Whether everything that the event names has been heard of."""
    tables = {table.id for table in event.tables}
    terminals = {terminal.id for terminal in event.terminals}
    return (
        bool(room.daemons)
        and terminals <= room.terminals.keys()
        and tables <= room.states.keys() & room.desks.keys()
    )


async def look(event: EventFile, folder: Path) -> Room:
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
    room = Room()
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
                while not is_complete(room, event):
                    async with asyncio.timeout(QUIET):
                        messages = await client.receive_batch()
                    for message in messages:
                        with contextlib.suppress(PayloadError):
                            room.take(parse_topic(message.topic), message.payload)
                        message.ack()
    except TimeoutError:
        text = f"no answer in {PATIENCE:g} s from broker {settings}"
        raise DirectError(text) from None
    except BrokerError as error:
        raise DirectError(str(error)) from None
    return room


def troubles(room: Room, event: EventFile) -> Iterator[str]:
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


def _troubles_at(room: Room, table: str) -> Iterator[str]:
    desk, state = room.desks.get(table), room.states.get(table)
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


def _troubles_of(room: Room, terminal: str) -> Iterator[str]:
    link, reason = room.link(terminal)
    if link != LinkState.ONLINE:
        yield f"{link}: {reason}" if reason else link
    battery = room.battery(terminal)
    if battery is not None and battery <= LOW_BATTERY:
        yield f"battery at {battery} %"


def plain(room: Room, event: EventFile) -> dict[str, Any]:
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
            table.id: msgspec.to_builtins(room.states.get(table.id))
            for table in event.tables
        },
    }
