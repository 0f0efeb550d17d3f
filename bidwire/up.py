"""``bidwire up``: the daemons of a real event, from its event file."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec

from bidwire.children import Child, RunFolder, run_until
from bidwire.event_file import (
    EventFile,
    EventFileError,
    TableSection,
    board_numbers,
    broker_settings,
    read_seats,
    terminal_settings,
)
from bidwire.records import Record, RecordError, read_records
from broker import BrokerSettings, EmbeddedBroker
from laws.board import format_deal
from protocol.payloads import Pairs
from protocol.topics import Role
from referee.settings import (
    Boards,
    BoardSettings,
    PolicySettings,
    Questions,
    RefereeSettings,
    SettingsError,
    TableSettings,
    parse_settings,
)
from referee.settings import TerminalSettings as RefereeTerminal
from terminal.settings import DaemonSettings

DAEMON = "hall"
"""Name of the one terminal daemon that an event file describes."""


def referee_settings(
    event: EventFile, folder: Path, broker: BrokerSettings
) -> RefereeSettings:
    """What the referee is told.

    Args:
        event: the event file.
        folder: where it lies; relative files are looked for there.
        broker: the referee's credentials.

    Raises:
        EventFileError: the deals cannot be used; names the key.
    """
    deals = _read_deals(event, folder)
    settings = RefereeSettings(
        event=event.event.id,
        broker=broker,
        journal=str(folder / event.event.journal),
        edition=event.event.edition,
        tables=tuple(
            TableSettings(
                id=table.id,
                terminals=tuple(
                    RefereeTerminal(
                        daemon=DAEMON,
                        id=terminal.id,
                        seats=read_seats(terminal.seats),
                        language=terminal.language,
                    )
                    for terminal in event.terminals
                    if terminal.table == table.id
                ),
                boards=_boards(table, deals),
            )
            for table in event.tables
        ),
        policies=PolicySettings(
            revoke=event.policies.revoke,
            out_of_turn=event.policies.out_of_turn,
            inadmissible=event.policies.inadmissible,
            rulings=event.policies.rulings,
        ),
        questions=Questions(event.event.questions),
        boards=Boards(event.event.boards),
        publish=event.event.publish,
    )
    try:
        parse_settings(msgspec.json.encode(settings))
    except SettingsError as error:
        raise EventFileError(str(error)) from None
    return settings


def daemon_settings(
    event: EventFile, folder: Path, broker: BrokerSettings
) -> DaemonSettings:
    """What the terminal daemon is told; EventFileError names a wrong key."""
    terminals = tuple(terminal_settings(section, folder) for section in event.terminals)
    try:
        return DaemonSettings(
            event=event.event.id, daemon=DAEMON, broker=broker, terminals=terminals
        )
    except ValueError as error:
        raise EventFileError(str(error)) from None


def _boards(table: TableSection, deals: dict[int, str]) -> tuple[BoardSettings, ...]:
    if table.boards:
        parts = [(0, table.boards, Pairs(ns=table.ns, ew=table.ew))]
    else:
        parts = [
            (number, part.boards, Pairs(ns=part.ns, ew=part.ew))
            for number, part in enumerate(table.rounds, 1)
        ]
    return tuple(
        BoardSettings(number=board, deal=deals.get(board), round=number, pairs=pairs)
        for number, boards, pairs in parts
        for board in board_numbers(boards)
    )


def _read_deals(event: EventFile, folder: Path) -> dict[int, str]:
    """The deals by board number, for every board that the event plays."""
    if event.deals is None:
        return {}
    path = folder / event.deals
    deals: dict[int, str] = {}
    try:
        for record in read_records(path):
            if isinstance(record, RecordError):
                raise EventFileError(f"deals: {record}")
            if isinstance(record, Record) and record.hands and record.board.isdigit():
                deals[int(record.board)] = format_deal(record.hands)
    except OSError as error:
        raise EventFileError(f"deals: {path}: {error.strerror}") from None
    played = {b.number for table in event.tables for b in _boards(table, deals)}
    missing = sorted(played - deals.keys())
    if missing:
        raise EventFileError(
            f"deals: {path}: expected a deal for board"
            f" {', '.join(str(board) for board in missing)}"
        )
    return deals


@contextlib.asynccontextmanager
async def _brokers(
    event: EventFile, folder: Path
) -> AsyncIterator[tuple[BrokerSettings, BrokerSettings]]:
    """Credentials of the referee and the daemon, at our own broker or another."""
    section = event.broker
    if not section.embedded:
        yield (
            broker_settings(section, "referee", folder),
            broker_settings(section, "daemon", folder),
        )
        return
    async with EmbeddedBroker(
        folder / section.store, event=event.event.id, daemons=(DAEMON,)
    ) as broker:
        yield broker.settings(Role.REFEREE), broker.settings(Role.DAEMON, DAEMON)


async def run_event(event: EventFile, folder: Path, say: Callable[[str], None]) -> None:
    """Run an event until SIGINT or SIGTERM.

    Args:
        event: the event file.
        folder: where it lies.
        say: prints a line for people.

    Raises:
        EventFileError: a file that the event file names is wrong.
        ChildError: a daemon refuses to start.
        EmbeddedBrokerError: the embedded broker cannot be started.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with _brokers(event, folder) as (for_referee, for_daemon):
        referee = referee_settings(event, folder, for_referee)
        daemon = daemon_settings(event, folder, for_daemon)
        with RunFolder() as run:
            children = [
                Child("referee", "referee", run.write_settings("referee", referee)),
                Child("daemon", "terminal", run.write_settings("daemon", daemon)),
            ]
            for child in children:
                child.on_error = say
            say(
                f"{event.event.id}: {len(event.tables)} tables,"
                f" {len(event.terminals)} terminals, Laws of {event.event.edition},"
                f" broker {for_referee}. Stop with Ctrl-C."
            )
            await run_until(stop.wait(), children)
    say(f"{event.event.id}: stopped; the journal is {referee.journal}")
