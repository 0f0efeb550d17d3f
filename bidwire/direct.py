"""``bidwire direct``: a Director at the command line, who sees and decides."""

import asyncio
import getpass
from collections.abc import Callable
from pathlib import Path

import msgspec

from bidwire.event_file import EventFile, EventFileError
from bidwire.event_settings import broker_settings, director_file
from bidwire.watch import Watch
from broker import BrokerError, BrokerSettings
from broker.complaint import one_of
from desk.director import DirectorClient, Order
from protocol.payloads import CommandReply

PATIENCE = 10.0
"""Seconds that broker and referee have to answer; they take milliseconds."""

LOOK = 1.0
"""Seconds between two looks at whether ``bidwire up`` has been started anew."""


class DirectError(RuntimeError):
    """Nobody is there to take a command: says who, and what to look at."""


def director_settings(event: EventFile, folder: Path) -> BrokerSettings:
    """Address and credentials of the Director.

    Raises:
        EventFileError: the event file does not give them.
        DirectError: the embedded broker does not run, or what it left for the Director
            cannot be read.
    """
    if not event.broker.embedded:
        return broker_settings(event.broker, "director", folder)
    path = director_file(event, folder)
    try:
        return msgspec.json.decode(path.read_bytes(), type=BrokerSettings)
    except FileNotFoundError:
        raise DirectError(
            f"{path} is not there: is `bidwire up` of this event running?"
        ) from None
    except OSError as error:
        raise DirectError(f"{path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise DirectError(
            f"{path}: expected what `bidwire up` writes: {error}"
        ) from None


def check_table(event: EventFile, table: str | None) -> None:
    """Raise EventFileError when a table is named that the event does not have."""
    tables = [each.id for each in event.tables]
    if table is not None and table not in tables:
        raise EventFileError(f"tables: expected {one_of(tables)}, got {table!r}")


async def give_order(
    event: EventFile, folder: Path, table: str, order: Order
) -> CommandReply:
    """Give one command; returns what became of it.

    Raises:
        EventFileError: there are no credentials.
        DirectError: broker or referee do not answer.
    """
    broker = director_settings(event, folder)
    waiting_for = f"broker {broker}"
    try:
        async with (
            asyncio.timeout(PATIENCE),
            DirectorClient(broker, event.event.id, by=_user()) as director,
        ):
            await director.connected()
            waiting_for = f"the referee, for the desk of table {table}"
            await director.wait_for(lambda: table in director.room.desks)
            waiting_for = "the referee, to do it; it may be done later"
            return await director.command(table, order)
    except TimeoutError:
        raise DirectError(f"no answer in {PATIENCE:g} s from {waiting_for}") from None
    except BrokerError as error:
        raise DirectError(str(error)) from None


async def watch(
    event: EventFile, folder: Path, table: str | None, say: Callable[[str], None]
) -> None:
    """Say what waits for the Director, as it comes, until cancelled.

    Args:
        event: the event file.
        folder: where it lies.
        table: only this one; None is all.
        say: prints a line for people.

    Raises:
        EventFileError: there are no credentials.
        DirectError: the broker does not answer, or refuses.
    """
    seen = Watch(say, table)
    broker = director_settings(event, folder)
    while True:
        client = DirectorClient(broker, event.event.id, on_change=seen.hear)
        try:
            async with client:
                await _connected(client, broker)
                say(f"{event.event.id}: watching at {broker}. Stop with Ctrl-C.")
                broker = await _until_another(event, folder, broker, client)
        except BrokerError as error:
            raise DirectError(str(error)) from None


async def _connected(client: DirectorClient, broker: BrokerSettings) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            await client.connected()
    except TimeoutError:
        raise DirectError(f"no answer in {PATIENCE:g} s from broker {broker}") from None


async def _until_another(
    event: EventFile, folder: Path, broker: BrokerSettings, client: DirectorClient
) -> BrokerSettings:
    """Wait until ``bidwire up`` has been started anew; its embedded broker's address.

    The client connects again by itself as long as the broker keeps its address.
    """
    while True:
        await client.sleep(LOOK)
        try:
            now = director_settings(event, folder)
        except DirectError:
            continue  # it is stopped, and may be started again
        if now != broker:
            return now


def _user() -> str:
    """Who gives the commands, for the journal."""
    try:
        return getpass.getuser()[:64] or "director"
    except (OSError, KeyError):  # a user whom the system does not know
        return "director"
