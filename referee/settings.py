"""What a referee needs to know before it starts: one JSON file, checked whole.

``bidwire`` writes the file from an event's configuration; whoever writes it by hand
gets a message that names the key and what was expected there.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from broker.complaint import complaint
from broker.metrics import MetricsAddress, check_address
from broker.settings import BrokerSettings
from laws.board import (
    Board,
    Edition,
    IrregularCallPolicy,
    Policies,
    RevokePolicy,
    RulingsPolicy,
    dealer_of,
    parse_deal,
    vulnerable_of,
)
from laws.header import whole_number
from laws.seats import SEATS, Seat, Side
from protocol.messages import Encoding
from protocol.payloads import Name, Pairs
from referee.catalogue import LANGUAGES

ServerUrl = Annotated[
    str,
    Meta(
        pattern=r"^(nats|tls)://[^\s/@]+\Z",
        description="nats://HOST:PORT or tls://HOST:PORT",
    ),
]
"""Where a NATS server is; its user and password stand in keys of their own."""


class SettingsError(ValueError):
    """The settings are wrong: names the key and what was expected."""


class Questions(StrEnum):
    """What the table does while a question to the Director holds it."""

    WAIT = "wait"
    ASSUME = "assume"


class Boards(StrEnum):
    """What opens the playing of the next board."""

    AUTO = "auto"
    PLACED = "placed"


class Rounds(StrEnum):
    """What opens a round at a table."""

    AUTO = "auto"
    """The end of the one before."""
    CALLED = "called"
    """The Director."""


class LogLevel(StrEnum):
    """What the service writes to its log."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class _Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class PolicySettings(_Settings, frozen=True, kw_only=True):
    """The policies that the Laws' engine knows."""

    revoke: RevokePolicy = RevokePolicy.RECORD
    out_of_turn: IrregularCallPolicy = IrregularCallPolicy.APPLY
    inadmissible: IrregularCallPolicy = IrregularCallPolicy.APPLY
    rulings: RulingsPolicy = RulingsPolicy.AUTO

    def policies(self) -> Policies:
        return Policies(
            revoke=self.revoke,
            out_of_turn=self.out_of_turn,
            inadmissible=self.inadmissible,
            rulings=self.rulings,
        )


class TerminalSettings(_Settings, frozen=True, kw_only=True):
    """A terminal and the seats that it serves.

    ``columns``, ``rows`` and ``encoding`` hold until the terminal says itself what
    its display is.
    """

    daemon: Name
    id: Name
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=4)]
    columns: Annotated[int, Meta(ge=8, le=255)] = 20
    rows: Annotated[int, Meta(ge=2, le=255)] = 4
    encoding: Encoding = Encoding.UTF_8
    language: str = "en"


class BoardSettings(_Settings, frozen=True, kw_only=True):
    """A board that a table plays; dealer and vulnerability follow from its number."""

    number: Annotated[int, Meta(ge=1, le=65535)]
    dealer: Seat | None = None
    vulnerable: tuple[Side, ...] | None = None
    deal: str | None = None
    """PBN deal, or None when the referee is not told the hands."""
    round: Annotated[int, Meta(ge=0, le=65535)] = 0
    pairs: Pairs = Pairs()

    def board(self, edition: Edition, policies: Policies) -> Board:
        """The board as the engine takes it; ValueError when the deal is wrong."""
        return Board(
            edition,
            self.dealer or dealer_of(self.number),
            vulnerable_of(self.number)
            if self.vulnerable is None
            else frozenset(self.vulnerable),
            parse_deal(self.deal) if self.deal is not None else None,
            policies,
        )


class TableSettings(_Settings, frozen=True, kw_only=True):
    """A table: its terminals and the boards it plays, in order."""

    id: Name
    terminals: tuple[TerminalSettings, ...]
    boards: tuple[BoardSettings, ...] = ()

    def terminal(self, name: str) -> TerminalSettings | None:
        """The terminal of this id, None when the table has none."""
        return next((t for t in self.terminals if t.id == name), None)


class StreamSettings(_Settings, frozen=True, kw_only=True):
    """A journal in a NATS JetStream cluster, for referees that stand by for another."""

    servers: Annotated[tuple[ServerUrl, ...], Meta(min_length=1)]
    """Of the cluster; one of them suffices to find the others."""
    user: str | None = None
    password: str | None = None
    ca_file: str | None = None
    """PEM file of the authority behind tls:// servers; None takes the system's."""
    replicas: Literal[1, 3, 5] = 3
    """Servers that keep the journal; a majority of them must be there."""
    lease_s: Annotated[float, Meta(ge=1, le=10)] = 3.0
    """Seconds after which a referee that says nothing is taken for dead."""

    def __str__(self) -> str:
        """The servers as people write them; never the password."""
        return ", ".join(self.servers)


class RefereeSettings(_Settings, frozen=True, kw_only=True):
    """The whole file."""

    event: Name
    broker: BrokerSettings
    journal: Annotated[str, Meta(min_length=1)] | StreamSettings
    """Path of the journal, a SQLite file, or the cluster that keeps it; it is made
    where it is missing."""
    edition: Edition
    tables: tuple[TableSettings, ...]
    policies: PolicySettings = PolicySettings()
    questions: Questions = Questions.WAIT
    boards: Boards = Boards.AUTO
    rounds: Rounds = Rounds.AUTO
    confirm_seats: bool = False
    """The pairs confirm who sits where, before the first board of a round."""
    lock_compelled: bool = True
    """Lock the keys that a ruling announced to the table leaves no use for."""
    publish: str = "after_board"
    """``after_board``, ``live``, or ``delay N`` with N in minutes."""

    names: dict[str, str] = {}
    """What displays say for a pair's id; it stands nowhere else, so that players'
    names can be erased though the journal cannot be changed."""
    log_level: LogLevel = LogLevel.INFO
    metrics: MetricsAddress | None = None
    """Address at which Prometheus may read figures; None serves none."""

    def __post_init__(self) -> None:
        if self.metrics is not None:
            check_address(self.metrics)

    def delay_s(self) -> float | None:
        """Seconds by which spectators are behind; None until a board is over."""
        return delay_s(self.publish)


def delay_s(publish: str) -> float | None:
    """Seconds by which spectators are behind; None until a board is over.

    Raises:
        SettingsError: it is no such policy.
    """
    if publish == "after_board":
        return None
    if publish == "live":
        return 0.0
    word, _, minutes = publish.partition(" ")
    number = whole_number(minutes)
    if word == "delay" and number is not None:
        return 60.0 * number
    raise SettingsError(
        "publish: expected after_board, live, or delay N with N in minutes, "
        f"got {publish!r}"
    )


def parse_settings(data: bytes) -> RefereeSettings:
    """Read settings.

    Raises:
        SettingsError: names the key and what was expected.
    """
    try:
        settings = msgspec.json.decode(data, type=RefereeSettings)
    except msgspec.ValidationError as error:
        told = complaint(error, RefereeSettings, msgspec.json.decode(data))
        raise SettingsError(told) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"expected a JSON object: {error}") from None
    check_settings(settings)
    return settings


def load_settings(path: Path) -> RefereeSettings:
    """Read the settings file.

    Raises:
        SettingsError: names the file, the key and what was expected.
    """
    try:
        return parse_settings(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def check_settings(settings: RefereeSettings) -> None:
    """Check what the types cannot.

    Raises:
        SettingsError: names the key and what was expected.
    """
    delay_s(settings.publish)
    if isinstance(settings.journal, StreamSettings):
        _check_stream(settings.journal)
    if not settings.tables:
        raise SettingsError("tables: expected at least one table, got none")
    _unique("tables", "id", (table.id for table in settings.tables))
    _unique(
        "tables[…].terminals",
        "id",
        (t.id for table in settings.tables for t in table.terminals),
    )
    for i, table in enumerate(settings.tables):
        _check_table(f"tables[{i}]", table, settings)


def _check_stream(stream: StreamSettings) -> None:
    if stream.password is not None and stream.user is None:
        raise SettingsError("journal.password: needs a user")
    if stream.ca_file and not all(s.startswith("tls:") for s in stream.servers):
        raise SettingsError("journal.ca_file: needs tls:// servers")


def _check_table(key: str, table: TableSettings, settings: RefereeSettings) -> None:
    served = Counter(seat for t in table.terminals for seat in t.seats)
    for seat in SEATS:
        if served[seat] != 1:
            raise SettingsError(
                f"{key}.terminals: expected one terminal to serve {seat}, "
                f"got {served[seat]}"
            )
    for i, terminal in enumerate(table.terminals):
        if terminal.language not in LANGUAGES:
            raise SettingsError(
                f"{key}.terminals[{i}].language: expected one of "
                f"{', '.join(LANGUAGES)}, got {terminal.language!r}"
            )
    for i, board in enumerate(table.boards):
        try:
            board.board(settings.edition, settings.policies.policies())
        except ValueError as error:
            raise SettingsError(f"{key}.boards[{i}].deal: {error}") from None


def _unique(key: str, name: str, values: Iterable[str]) -> None:
    for value, count in Counter(values).items():
        if count > 1:
            raise SettingsError(
                f"{key}: expected each {name} once, got {value!r} {count} times"
            )
