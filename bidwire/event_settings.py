"""What an event file tells the referee and the terminal daemon."""

import re
from pathlib import Path

import msgspec

from bidwire.event_file import (
    BrokerSection,
    EventFile,
    EventFileError,
    JournalSection,
    TableSection,
    board_numbers,
    pair_ids,
    read_seats,
)
from bidwire.records import Record, RecordError, read_records
from bidwire.results.names import Names, NamesError, read_names
from broker.errors import CertificateError
from broker.settings import BrokerSettings
from desk.settings import DeskOptions
from laws.board import format_deal
from protocol.payloads import Pairs
from referee.settings import (
    BoardSettings,
    PolicySettings,
    RefereeSettings,
    SettingsError,
    StreamSettings,
    TableSettings,
    parse_settings,
)
from referee.settings import TerminalSettings as RefereeTerminal
from terminal.settings import DaemonSettings, TerminalSettings, is_web
from terminal.web.settings import WebSettings

DAEMON = "hall"
"""Name of the one terminal daemon that an event file describes."""


def journal_path(event: EventFile, folder: Path) -> Path:
    """Where the referee's journal is, for an event file in this folder."""
    return folder / event.event.journal


def heads_path(event: EventFile, folder: Path) -> Path:
    """Where the journal's signed heads are kept."""
    journal = journal_path(event, folder)
    return journal.with_name(f"{journal.name}.heads")


def journal_told(event: EventFile, folder: Path) -> str:
    """Where the journal is, for people."""
    if event.journal is not None:
        return ", ".join(event.journal.servers)
    return str(journal_path(event, folder))


def stream_settings(section: JournalSection, folder: Path) -> StreamSettings:
    """How the cluster is reached that keeps the journal.

    Args:
        section: of the event file.
        folder: of the event file, where relative files are looked for.

    Raises:
        EventFileError: the password file cannot be read.
    """
    password = None
    if section.password_file is not None:
        path = folder / section.password_file
        password = read_secret("journal.password_file", path)
    return StreamSettings(
        servers=section.servers,
        user=section.user,
        password=password,
        ca_file=str(folder / section.ca_file) if section.ca_file else None,
        replicas=section.replicas,
        lease_s=section.lease_s,
    )


def users_path(event: EventFile, folder: Path) -> Path:
    """Where the users of the desk are, for an event file in this folder."""
    return folder / event.desk.users_file


def desk_options(event: EventFile, folder: Path) -> DeskOptions:
    """What the desk is told, but for the broker; EventFileError names a wrong key."""
    section = event.desk
    try:
        return DeskOptions(
            event=event.event.id,
            users_file=str(users_path(event, folder)),
            listen=section.listen,
            hosts=section.hosts,
            tls_cert=str(folder / section.tls_cert) if section.tls_cert else None,
            tls_key=str(folder / section.tls_key) if section.tls_key else None,
            security=section.security,
        )
    except ValueError as error:
        raise EventFileError(f"desk.{error}") from None


def director_file(event: EventFile, folder: Path) -> Path:
    """Where ``bidwire up`` leaves the Director's credentials at the embedded broker."""
    journal = journal_path(event, folder)
    return journal.with_name(f"{journal.name}.director.json")


def codes_file(event: EventFile, folder: Path) -> Path:
    """Where the daemon keeps the join codes that it has made for web terminals."""
    journal = journal_path(event, folder)
    return journal.with_name(f"{journal.name}.codes.json")


def web_settings(event: EventFile, folder: Path) -> WebSettings | None:
    """The server of the event's web terminals, None when it has none."""
    if not any(is_web(terminal.port) for terminal in event.terminals):
        return None
    section = event.web
    cert, key = (
        str(folder / file) if file is not None else None
        for file in (section.tls_cert, section.tls_key)
    )
    return WebSettings(
        codes=str(codes_file(event, folder)),
        listen=section.listen,
        url=section.url,
        tls_cert=cert,
        tls_key=key,
    )


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
    deals = read_deals(event, folder)
    names = read_event_names(event, folder)
    settings = RefereeSettings(
        event=event.event.id,
        broker=broker,
        journal=(
            stream_settings(event.journal, folder)
            if event.journal is not None
            else str(journal_path(event, folder))
        ),
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
        questions=event.event.questions,
        boards=event.event.boards,
        rounds=event.event.rounds,
        confirm_seats=event.event.confirm_seats,
        publish=event.event.publish,
        names=names.displayed(),
        metrics=event.metrics.referee,
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
    terminals = tuple(
        terminal_settings(event, number, folder)
        for number in range(len(event.terminals))
    )
    try:
        return DaemonSettings(
            event=event.event.id,
            daemon=DAEMON,
            broker=broker,
            terminals=terminals,
            metrics=event.metrics.daemon,
            web=web_settings(event, folder),
        )
    except ValueError as error:
        raise EventFileError(str(error)) from None


def read_event_names(event: EventFile, folder: Path) -> Names:
    """The players' names; none when the event keeps none.

    Raises:
        EventFileError: the file cannot be used, or names a pair that no table has.
    """
    if event.names is None:
        return Names()
    try:
        names = read_names(folder / event.names)
    except NamesError as error:
        raise EventFileError(f"names: {error}") from None
    known = pair_ids(event.tables) | {team.id for team in event.teams}
    for pair in names.pairs:
        if pair not in known:
            raise EventFileError(
                f"names: {folder / event.names}: pairs: expected pairs of the tables,"
                f" got {pair!r}"
            )
    return names


def files_of(event: EventFile, folder: Path) -> tuple[Path, ...]:
    """The files that results are scored from, beside the event file."""
    return tuple(
        folder / name for name in (event.names, event.deals) if name is not None
    )


def seatings(event: EventFile) -> tuple[Pairs, ...]:
    """Who sits where in the whole event."""
    return tuple(board.pairs for table in event.tables for board in _boards(table, {}))


def rounds_of(table: TableSection) -> list[int]:
    """The round of each board of a table, in the order of play."""
    return [number for number, _ in planned_boards(table)]


def planned_boards(table: TableSection) -> list[tuple[int, int]]:
    """Round and number of each board of a table, in the order of play."""
    return [(board.round, board.number) for board in _boards(table, {})]


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


def read_deals(event: EventFile, folder: Path) -> dict[int, str]:
    """The deals by board number, for every board that the event plays."""
    if event.deals is None:
        return {}
    path = folder / event.deals
    deals: dict[int, str] = {}
    try:
        path.open("rb").close()  # a file that is not there has no line to be named
        for record in read_records(path):
            if isinstance(record, RecordError):
                raise EventFileError(f"deals: {record}")
            if isinstance(record, Record) and record.hands and record.board.isdigit():
                deals[int(record.board)] = format_deal(record.hands)
    except OSError as error:
        raise EventFileError(
            f"deals: {path}: {error.strerror}; without `deals` the hands are not known"
        ) from None
    played = {b.number for table in event.tables for b in _boards(table, deals)}
    missing = sorted(played - deals.keys())
    if missing:
        raise EventFileError(
            f"deals: {path}: expected a deal for board"
            f" {', '.join(str(board) for board in missing)}"
        )
    return deals


def read_secret(key: str, path: Path) -> str:
    """The one line of a password or key file; EventFileError names the key."""
    try:
        secret = path.read_text(encoding="utf-8-sig").strip()
    except OSError as error:
        raise EventFileError(f"{key}: {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        secret = ""
    if not secret:
        raise EventFileError(f"{key}: {path}: expected a line of text")
    return secret


def terminal_settings(event: EventFile, number: int, folder: Path) -> TerminalSettings:
    """What the daemon is told of a terminal; EventFileError names the key."""
    section = event.terminals[number]
    where = f"terminals[{number}]"
    key = None
    if section.key_file is not None:
        key = read_secret(f"{where}.key_file", folder / section.key_file)
    try:
        return TerminalSettings(
            id=section.id,
            port=section.port,
            table=section.table,
            seats=read_seats(section.seats),
            baudrate=section.baudrate,
            dtr=section.dtr,
            rts=section.rts,
            adapter=section.adapter,
            serial=section.serial,
            security=section.security,
            key=key,
            language=section.language,
        )
    except ValueError as error:
        # In an event file the key stands in a file of its own.
        told = re.sub("^key: ", "key_file: ", str(error))
        raise EventFileError(f"{where}.{told}") from None


def broker_settings(broker: BrokerSection, role: str, folder: Path) -> BrokerSettings:
    """Address and credentials of a role at a broker that is not embedded.

    Args:
        broker: the section, with a host.
        role: one of ``BROKER_USERS``.
        folder: of the event file, where relative files are looked for.

    Raises:
        EventFileError: a password or certificate file cannot be read, or the section
            contradicts itself.
    """
    user = getattr(broker, f"{role}_user")
    file = getattr(broker, f"{role}_password_file")
    password = None
    if file is not None:
        password = read_secret(f"broker.{role}_password_file", folder / file)
    ca_file = str(folder / broker.ca_file) if broker.ca_file else None
    try:
        settings = BrokerSettings(
            host=broker.host or "",
            port=broker.port,
            username=user,
            password=password,
            tls=broker.tls,
            ca_file=ca_file,
        )
        settings.ssl_context()
    except (ValueError, CertificateError) as error:
        raise EventFileError(f"broker.{error}") from None
    return settings
