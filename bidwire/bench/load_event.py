"""The event that ``bidwire bench tables`` puts on a referee: tables in mid-board.

Which table plays which board, and how far it has come when the load begins, follows
from the seed alone, so that the process that plays and the one that measures agree
without a word.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bidwire.records.dealing import dealt
from bidwire.records.inject import board_random, plan_board
from broker import BrokerSettings
from laws.board import Edition, Policies, format_deal
from laws.seats import SEATS, Seat
from protocol.happenings import EventKey, fields_of
from protocol.messages import Encoding, Held, Profile
from protocol.payloads import (
    DaemonStatus,
    HelloReport,
    LinkState,
    TerminalEvent,
    TerminalStatus,
)
from referee.entries import Entry
from referee.intake import Arrived
from referee.journal_sqlite import SqliteJournal
from referee.settings import (
    BoardSettings,
    LogLevel,
    RefereeSettings,
    TableSettings,
    TerminalSettings,
)
from referee.table import DaemonReport, Moment, begin_table, step
from referee.traffic import TerminalReport

EVENT = "load"

TABLES_OF_A_DAEMON = 250
"""Tables whose terminals hang on one daemon."""

DISTINCT_BOARDS = 64
"""Boards that are dealt; a table begins anywhere among them and goes around."""

SHORTEST_BOARD = 56
"""Calls and cards of a board, at least: the dealer of a dealt board bids."""

BOOT = 1

_STRIDE = 29
"""Spreads neighbouring tables over the boards, and over how far they have come."""


@dataclass(frozen=True, slots=True)
class LoadBoard:
    """A board, and the keys that are pressed for it."""

    settings: BoardSettings
    keys: tuple[EventKey, ...]


@dataclass(frozen=True)
class LoadEvent:
    """Tables, their boards and their terminals, one for each seat.

    Attributes:
        tables: how many.
        boards: of each table.
        seed: of the boards.
    """

    tables: int
    boards: int
    seed: int = 0

    @property
    def daemons(self) -> tuple[str, ...]:
        """The daemons that the terminals hang on."""
        count = -(-self.tables // TABLES_OF_A_DAEMON)
        return tuple(f"d{number + 1}" for number in range(count))

    def daemon_of(self, index: int) -> str:
        """The daemon of a table."""
        return self.daemons[index // TABLES_OF_A_DAEMON]

    @cached_property
    def _dealt(self) -> tuple[LoadBoard, ...]:
        return tuple(_board(self.seed, at + 1) for at in range(DISTINCT_BOARDS))

    def boards_of(self, index: int) -> tuple[LoadBoard, ...]:
        """The boards of a table, in the order in which it plays them."""
        return tuple(
            self._dealt[(index + at) % DISTINCT_BOARDS] for at in range(self.boards)
        )

    def begun(self, index: int) -> int:
        """How many keys of its first board a table has pressed when the load begins."""
        return index * _STRIDE % len(self._dealt[index % DISTINCT_BOARDS].keys)

    def referee(
        self, broker: BrokerSettings, journal: Path, metrics: str | None
    ) -> RefereeSettings:
        """The settings of the referee."""
        return RefereeSettings(
            event=EVENT,
            broker=broker,
            journal=str(journal),
            edition=Edition.LAWS_2017,
            tables=tuple(map(self._table, range(self.tables))),
            log_level=LogLevel.INFO,
            metrics=metrics,
        )

    def _table(self, index: int) -> TableSettings:
        return TableSettings(
            id=table_name(index),
            terminals=tuple(
                TerminalSettings(
                    daemon=self.daemon_of(index),
                    id=terminal_name(index, seat),
                    seats=(seat,),
                )
                for seat in SEATS
            ),
            boards=tuple(board.settings for board in self.boards_of(index)),
        )

    def write_journal(self, path: Path) -> int:
        """Write the journal of what has been played; returns how many entries it has.

        It is made by the referee's own aggregate, table by table, and stands in the
        order of the tables, which folds as any other order does.
        """
        settings = self.referee(BrokerSettings(), path, None)
        with SqliteJournal(path, EVENT) as journal:
            epoch, number = journal.take_epoch(), 0
            for index in range(self.tables):
                entries = self._played(settings, index)
                name = table_name(index)
                batch = [(name, entry) for entry in entries]
                number = journal.append(epoch, number, batch)
        return number

    def _played(self, settings: RefereeSettings, index: int) -> list[Entry]:
        """The entries of a table until the load begins."""
        table = begin_table(settings, settings.tables[index], epoch=0)
        daemon = self.daemon_of(index)
        entries: list[Entry] = []
        moment = Moment(0.0, 0.0)
        first = self.boards_of(index)[0]
        following = dict.fromkeys(SEATS, 0)
        inputs: list[DaemonReport | TerminalReport] = [
            DaemonReport(daemon, DaemonStatus(session=session_of(daemon), online=True)),
            *(
                TerminalReport(
                    daemon,
                    terminal_name(index, seat),
                    terminal_status(index, seat, daemon, 0),
                )
                for seat in SEATS
            ),
        ]
        for message in inputs:
            outcome = step(table, message, moment)
            table = outcome.table
            entries += outcome.entries
        for k, key in enumerate(first.keys[: self.begun(index)]):
            event = stamped(
                index,
                key,
                daemon=daemon,
                n=following[key.seat],
                k=k,
                play=1,
                rev=table.record.number,
            )
            following[key.seat] += 1
            arrived = Arrived(daemon, terminal_name(index, key.seat), event)
            outcome = step(table, arrived, moment)
            table = outcome.table
            entries += outcome.entries
        return entries


def _board(seed: int, number: int) -> LoadBoard:
    chance = board_random(seed, number)
    record = dealt(chance, number)
    plan = plan_board(record, Edition.LAWS_2017, frozenset(), chance)
    board = record.board_for(Edition.LAWS_2017, Policies())
    assert board.hands is not None  # noqa: S101 - it was dealt
    keys = (fields_of(h.action, h.actor) for h in plan.happenings)
    settings = BoardSettings(number=number, deal=format_deal(board.hands))
    return LoadBoard(settings, tuple(keys))


def table_name(index: int) -> str:
    """The id of a table, counted from 0."""
    return f"t{index + 1}"


def terminal_name(index: int, seat: Seat) -> str:
    """The id of a seat's terminal."""
    return f"t{index + 1}-{seat.value.lower()}"


def session_of(daemon: str) -> str:
    """The run of a daemon, the same before the load and in it."""
    return f"{daemon}-1"


def terminal_status(
    index: int, seat: Seat, daemon: str, following: int
) -> TerminalStatus:
    """A terminal that is online, with nothing that is not acknowledged.

    Args:
        index: its table.
        seat: its seat.
        daemon: its daemon.
        following: the number of its next event.
    """
    hello = HelloReport(
        version=1,
        serial=terminal_name(index, seat).upper(),
        boot=BOOT,
        volatile=False,
        held=(Held(BOOT, following, following),),
        firmware="load",
        seats=(seat,),
        columns=20,
        rows=4,
        encoding=Encoding.UTF_8,
        profile=Profile.CALLS_AND_CARDS,
    )
    return TerminalStatus(
        session=session_of(daemon),
        table=table_name(index),
        link=LinkState.ONLINE,
        opening=1,
        hello=hello,
    )


def stamped(  # noqa: PLR0913 - what a daemon stamps
    index: int, key: EventKey, *, daemon: str, n: int, k: int, play: int, rev: int
) -> TerminalEvent:
    """A key press as its daemon publishes it."""
    return TerminalEvent(
        boot=BOOT,
        n=n,
        seat=key.seat,
        play=play,
        rev=rev,
        age_ms=0,
        kind=key.kind,
        hand=key.hand,
        data=key.data,
        session=session_of(daemon),
        table=table_name(index),
        k=k,
        opening=1,
        serial=terminal_name(index, key.seat).upper(),
    )


def counted(keys: tuple[EventKey, ...], begun: int) -> Iterator[tuple[Seat, int]]:
    """How many of the keys pressed so far each seat has pressed."""
    for seat in SEATS:
        yield seat, sum(key.seat is seat for key in keys[:begun])
