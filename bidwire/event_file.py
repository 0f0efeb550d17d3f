"""EVENT.toml: what a real event consists of, and every mistake in it by its key."""

import contextlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from bidwire.results.methods import Scoring
from broker.complaint import complaint, one_of
from broker.metrics import MetricsAddress, check_address
from desk.settings import LISTEN as DESK_LISTEN
from desk.settings import USERS_FILE, Listen
from desk.settings import Security as DeskSecurity
from laws.board import Edition, IrregularCallPolicy, RevokePolicy, RulingsPolicy
from laws.seats import SEATS, Seat
from protocol.messages import Serial
from protocol.payloads import Name
from referee.catalogue import LANGUAGES
from referee.settings import Boards, Questions, Rounds, ServerUrl
from terminal.settings import Adapter, Baudrate, Level, Security
from terminal.web.settings import LISTEN as WEB_LISTEN
from terminal.web.settings import Address, check_web

EXAMPLE = files("bidwire") / "data" / "example.toml"
"""A commented event file."""

HIGHEST_BOARD = 9999
"""Boards have at most four digits on a terminal's display."""

FILE = "bidwire.journal"
"""The journal's file where the event file does not say."""

_PUBLISH = re.compile(r"after_board|live|delay [1-9][0-9]{0,3}")
_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


class EventFileError(ValueError):
    """The event file is wrong; the text names the key and what was expected."""


class _Section(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
): ...


class EventSection(_Section, frozen=True, kw_only=True):
    """``[event]``."""

    id: Name
    edition: Edition
    """There is no default: an event plays by the edition that it names."""
    publish: str = "after_board"
    """When anyone may see a table: ``after_board``, ``delay N`` (minutes), ``live``."""
    boards: Boards = Boards.AUTO
    """``auto``: the next board opens by itself; ``placed``: a seat says which board
    lies on the table."""
    rounds: Rounds = Rounds.AUTO
    """``auto``: a round follows the one before; ``called``: the Director opens it."""
    confirm_seats: bool = False
    """Before the first board of a round the pairs confirm at their displays that they
    sit where the event has them."""
    questions: Questions = Questions.WAIT
    """``wait``: a question that the next call hangs on holds the table until the
    Director answers; ``assume``: the usual answer stands in until then."""
    journal: str = FILE
    """File of the referee's journal, beside the event file unless absolute."""
    scoring: Scoring = Scoring.MATCHPOINTS
    """How the tables that played a board are compared (docs/results.md)."""
    title: str = ""
    """The event's name in exports; left out: its id."""
    club: str = ""
    """Who holds it, in exports."""
    club_number: str = ""
    """The club's number at its federation, for USEBIO."""
    retention_days: Annotated[int, Meta(ge=0, le=36500)] | None = None
    """Days after the last happening until ``bidwire erase-names --due`` erases."""
    signing_key: str | None = None
    """File of the key that signs the journal's head when a round ends."""


class PolicySection(_Section, frozen=True, kw_only=True):
    """``[policies]``: see ``docs/table-script.md``."""

    revoke: RevokePolicy = RevokePolicy.RECORD
    out_of_turn: IrregularCallPolicy = IrregularCallPolicy.APPLY
    inadmissible: IrregularCallPolicy = IrregularCallPolicy.APPLY
    rulings: RulingsPolicy = RulingsPolicy.AUTO


class BrokerSection(_Section, frozen=True, kw_only=True):
    """``[broker]``: embedded, or an address and three users."""

    embedded: bool = False
    store: str = "bidwire.broker"
    """Folder of the embedded broker's messages, beside the event file."""
    host: str | None = None
    port: int = 1883
    tls: bool = False
    ca_file: str | None = None
    referee_user: str | None = None
    referee_password_file: str | None = None
    """A password stands in a file of its own, never in the event file."""
    daemon_user: str | None = None
    daemon_password_file: str | None = None
    director_user: str | None = None
    """For ``bidwire direct``."""
    director_password_file: str | None = None


class MetricsSection(_Section, frozen=True, kw_only=True):
    """``[metrics]``: addresses at which Prometheus may read figures."""

    referee: MetricsAddress | None = None
    daemon: MetricsAddress | None = None

    def __post_init__(self) -> None:
        for address in filter(None, (self.referee, self.daemon)):
            check_address(address)
        if self.referee is not None and self.referee == self.daemon:
            raise ValueError(f"metrics: {self.referee} is given twice")


class WebSection(_Section, frozen=True, kw_only=True):
    """``[web]``: the server of the web terminals (docs/web-terminal.md)."""

    listen: Address = WEB_LISTEN
    url: str | None = None
    """How tablets reach it; left out: by this machine's address in its network."""
    tls_cert: str | None = None
    tls_key: str | None = None

    def __post_init__(self) -> None:
        check_web(self.listen, self.url, self.tls_cert, self.tls_key)


class JournalSection(_Section, frozen=True, kw_only=True):
    """``[journal]``: a NATS JetStream cluster in place of a file (docs/failover.md)."""

    servers: Annotated[tuple[ServerUrl, ...], Meta(min_length=1)]
    user: str | None = None
    password_file: str | None = None
    ca_file: str | None = None
    replicas: Literal[1, 3, 5] = 3
    lease_s: Annotated[float, Meta(ge=1, le=10)] = 3.0
    """Seconds after which a referee that says nothing is taken for dead."""


class DeskSection(_Section, frozen=True, kw_only=True):
    """``[desk]``: where ``bidwire desk`` serves the Director's desk."""

    listen: Listen = DESK_LISTEN
    hosts: tuple[str, ...] = ()
    """Names by which browsers reach it, beside this machine's own."""
    users_file: str = USERS_FILE
    """Beside the event file unless absolute; ``bidwire desk-user`` writes it."""
    tls_cert: str | None = None
    tls_key: str | None = None
    security: DeskSecurity = DeskSecurity.TLS
    """Beyond this machine it speaks TLS, unless ``open`` is written out."""


BROKER_USERS = ("referee", "daemon", "director")
"""Whom a broker that is not embedded has a user for: the keys ``…_user``."""


class RoundSection(_Section, frozen=True, kw_only=True):
    """``[[tables.rounds]]``: who plays which boards."""

    boards: str
    ns: str = ""
    ew: str = ""


class TableSection(_Section, frozen=True, kw_only=True):
    """``[[tables]]``."""

    id: Name
    boards: str = ""
    """Of a table with no rounds: ``1-16``, or ``1-4, 9, 12``."""
    ns: str = ""
    ew: str = ""
    rounds: tuple[RoundSection, ...] = ()


class TeamSection(_Section, frozen=True, kw_only=True):
    """``[[teams]]``: the pairs of a team, for ``scoring = "teams"``."""

    id: str
    pairs: Annotated[tuple[str, ...], Meta(min_length=1)]


class TerminalSection(_Section, frozen=True, kw_only=True):
    """``[[terminals]]``."""

    id: Name
    table: Name
    seats: str
    """``N``, or ``NESW`` for one that serves all four."""
    port: str
    serial: Serial | None = None
    baudrate: Baudrate | None = None
    """Of a serial port, as are the control lines."""
    dtr: Level = Level.LEAVE
    rts: Level = Level.LEAVE
    adapter: Adapter | None = None
    """The Bluetooth adapter, for a ``ble://`` port."""
    security: Security | None = None
    key_file: str | None = None
    """File with the pairing key in hex digits, when security is paired; of a web
    terminal, with its join code, if it is not to be made."""
    language: str = "en"


class EventFile(_Section, frozen=True, kw_only=True):
    """The whole file."""

    event: EventSection
    policies: PolicySection = PolicySection()
    metrics: MetricsSection = MetricsSection()
    web: WebSection = WebSection()
    broker: BrokerSection
    desk: DeskSection = DeskSection()
    journal: JournalSection | None = None
    """Left out: the file ``event.journal``."""
    deals: str | None = None
    """PBN file of the hands; without it revokes are inferred."""
    names: str | None = None
    """File of the players' names, by the pairs' ids: ``bidwire.results.names``."""
    teams: tuple[TeamSection, ...] = ()
    """Pairs that stand in no team are a team by their own id."""
    tables: Annotated[tuple[TableSection, ...], Meta(min_length=1)]
    terminals: Annotated[tuple[TerminalSection, ...], Meta(min_length=1)]


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Put the file's name before every EventFileError."""
    try:
        yield
    except EventFileError as error:
        raise EventFileError(f"{path}: {error}") from None


def read_event_file(path: Path) -> EventFile:
    """Read and check an event file, UTF-8 with or without a byte order mark.

    Raises:
        EventFileError: it cannot be read, or a key is wrong.
    """
    with naming(path):
        try:
            plain = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise EventFileError(str(error.strerror)) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise EventFileError(f"no TOML: {error}") from None
        return convert(plain)


def convert(plain: dict[str, Any]) -> EventFile:
    """Check the parsed TOML.

    Raises:
        EventFileError: names the key and what was expected.
    """
    try:
        event = msgspec.convert(plain, EventFile)
    except msgspec.ValidationError as error:
        raise EventFileError(complaint(error, EventFile, plain)) from None
    for problem in _problems(event):
        raise EventFileError(problem)
    return event


def _problems(event: EventFile) -> Iterator[str]:
    """What the types cannot see, by key."""
    if not _PUBLISH.fullmatch(event.event.publish):
        yield (
            "event.publish: expected after_board, live or delay N (minutes), got"
            f" {event.event.publish!r}"
        )
    if not event.event.journal:
        yield "event.journal: expected the name of a file, got nothing"
    if event.policies.revoke is RevokePolicy.PREVENT and event.deals is None:
        yield (
            'policies.revoke: expected deals, without which "prevent" cannot tell a'
            " revoke"
        )
    if event.event.confirm_seats:
        yield from _unnamed_pairs(event.tables)
    yield from _broker_problems(event.broker)
    if event.journal is not None:
        yield from _journal_problems(event, event.journal)
    yield from _table_problems(event.tables)
    yield from _pairs_against_themselves(event.tables)
    yield from _team_problems(event)
    yield from _terminal_problems(event)


def _pairs_against_themselves(tables: tuple[TableSection, ...]) -> Iterator[str]:
    """A pair's id stands for one pair in the whole event."""
    for key, part in _parts(tables):
        if part.ns and part.ns == part.ew:
            yield f"{key}: expected two pairs, got {part.ns!r} in ns and ew"


def _parts(
    tables: tuple[TableSection, ...],
) -> Iterator[tuple[str, TableSection | RoundSection]]:
    """Where pairs are named, by key."""
    for i, table in enumerate(tables):
        if table.boards:
            yield f"tables[{i}]", table
        for j, part in enumerate(table.rounds):
            yield f"tables[{i}].rounds[{j}]", part


def _unnamed_pairs(tables: tuple[TableSection, ...]) -> Iterator[str]:
    """Pairs that could not be asked whether they are the ones."""
    for key, part in _parts(tables):
        for side in ("ns", "ew"):
            if not getattr(part, side):
                yield f"{key}.{side}: expected the pair's name for confirm_seats"


def _broker_problems(broker: BrokerSection) -> Iterator[str]:
    if broker.embedded and broker.host is not None:
        yield "broker: expected either embedded = true or a host, got both"
    if not broker.embedded and broker.host is None:
        yield "broker: expected embedded = true, or the host of a broker"
    for role in BROKER_USERS:
        user = getattr(broker, f"{role}_user")
        password = getattr(broker, f"{role}_password_file")
        if password is not None and user is None:
            yield f"broker.{role}_user: expected the user of {role}_password_file"


def _journal_problems(event: EventFile, journal: JournalSection) -> Iterator[str]:
    if event.broker.embedded:
        yield (
            "journal: expected a broker with a host, which a standby can reach; got an"
            " embedded one"
        )
    if event.event.journal != FILE:
        yield "journal: expected either event.journal or a section [journal], got both"
    if journal.password_file is not None and journal.user is None:
        yield "journal.user: expected the user of password_file"


def _table_problems(tables: tuple[TableSection, ...]) -> Iterator[str]:
    yield from given_twice("tables", (table.id for table in tables))
    for i, table in enumerate(tables):
        if bool(table.boards) == bool(table.rounds):
            yield f"tables[{i}]: expected either boards or rounds for table {table.id}"
        seen: set[int] = set()
        for key, boards in _board_lists(i, table):
            try:
                numbers = board_numbers(boards)
            except ValueError as error:
                yield f"{key}: {error}"
                continue
            for number in numbers:
                if number in seen:
                    yield f"{key}: board {number} is given twice"
                seen.add(number)


def _team_problems(event: EventFile) -> Iterator[str]:
    yield from given_twice("teams", (team.id for team in event.teams))
    yield from given_twice(
        "teams: pair", (pair for team in event.teams for pair in team.pairs)
    )
    known = pair_ids(event.tables)
    for i, team in enumerate(event.teams):
        for pair in team.pairs:
            if pair not in known:
                yield f"teams[{i}].pairs: expected pairs of the tables, got {pair!r}"


def pair_ids(tables: tuple[TableSection, ...]) -> set[str]:
    """The ids of all pairs that the event has at its tables."""
    parts = (part for _, part in _parts(tables))
    return {pair for part in parts for pair in (part.ns, part.ew) if pair}


def _board_lists(i: int, table: TableSection) -> Iterator[tuple[str, str]]:
    if table.boards:
        yield f"tables[{i}].boards", table.boards
    for j, part in enumerate(table.rounds):
        yield f"tables[{i}].rounds[{j}].boards", part.boards


def _terminal_problems(event: EventFile) -> Iterator[str]:
    yield from given_twice("terminals", (terminal.id for terminal in event.terminals))
    yield from given_twice(
        "terminals: serial number", (t.serial for t in event.terminals if t.serial)
    )
    tables = {table.id for table in event.tables}
    served: dict[tuple[str, Seat], str] = {}
    for i, terminal in enumerate(event.terminals):
        if terminal.table not in tables:
            yield (
                f"terminals[{i}].table: expected one of {', '.join(sorted(tables))},"
                f" got {terminal.table!r}"
            )
        if terminal.language not in LANGUAGES:
            yield (
                f"terminals[{i}].language: expected {one_of(list(LANGUAGES))}, got"
                f" {terminal.language!r}"
            )
        try:
            seats = read_seats(terminal.seats)
        except ValueError as error:
            yield f"terminals[{i}].seats: {error}"
            continue
        for seat in seats:
            other = served.setdefault((terminal.table, seat), terminal.id)
            if other != terminal.id:
                yield (
                    f"terminals[{i}].seats: seat {seat} of table {terminal.table} is"
                    f" already served by {other}"
                )
    for table in event.tables:
        missing = [s for s in SEATS if (table.id, s) not in served]
        if missing:
            yield (
                f"terminals: expected a terminal for {', '.join(missing)} of table"
                f" {table.id}"
            )


def given_twice(key: str, values: Iterable[str]) -> Iterator[str]:
    """What is wrong with values of which each may stand once, by their key."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            yield f"{key}: {value} is given twice"
        seen.add(value)


def read_seats(text: str) -> tuple[Seat, ...]:
    """The seats of ``N`` or ``NESW``; ValueError says what was expected."""
    letters = [letter for letter in text if letter not in " ,"]
    if not letters or not set(letters) <= {seat.value for seat in SEATS}:
        raise ValueError(f"expected seats of N, E, S, W, got {text!r}")
    if len(set(letters)) != len(letters):
        raise ValueError(f"expected each seat once, got {text!r}")
    return tuple(Seat(letter) for letter in letters)


def board_numbers(text: str) -> tuple[int, ...]:
    """The boards of ``1-4, 9``, in order; ValueError says what was expected."""
    numbers: list[int] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (match[1], match[2] or match[1]) if match else ("0", "0")
        if not 0 < int(first) <= int(last) <= HIGHEST_BOARD:
            raise ValueError(
                f"expected boards from 1 to {HIGHEST_BOARD}, as in 1-4, 9; got {text!r}"
            )
        numbers.extend(range(int(first), int(last) + 1))
    return tuple(numbers)
