"""What a table does, and what each of its events must bring about.

Dealt boards go through the referee's table alone (`referee.table`, which is pure). That
tells the display that each event leads to and the entries that the journal gets for it,
so that the floor commits the same rows and shows the same display.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from bidwire.bench.echo import Echoed
from bidwire.records.dealing import dealt
from bidwire.records.inject import board_random, plan_board
from bidwire.replay.plan import BoardPlan, plan_record
from bidwire.replay.room import DAEMON, Room
from broker import BrokerSettings
from laws.board import Edition, Policies
from laws.seats import SEATS, Seat
from protocol.happenings import EventKey, fields_of
from protocol.limits import VERSION
from protocol.messages import Asked, DisplayFields, Encoding, Held, Profile
from protocol.payloads import (
    DaemonStatus,
    DisplayPrompt,
    HelloReport,
    LinkState,
    TerminalEvent,
    TerminalStatus,
)
from referee.displays import display_of
from referee.entries import Entry
from referee.intake import Arrived
from referee.prompts import BoardText
from referee.table import DaemonReport, Input, Moment, begin_table, step
from referee.traffic import TerminalReport

TABLE = "bench"
SERIAL = "BENCH-NESW"
COLUMNS, ROWS = 20, 4

BOOT = 1
"""The terminal's one and only start."""

SHORTEST_BOARD = 56
"""Events of a board at least: the dealer's bid, three passes, the cards."""

EPOCH = 1
"""The first term of a new journal."""

_SESSION = "rehearsal"

Displays = dict[Seat, DisplayPrompt]


@dataclass(frozen=True, slots=True)
class ScriptedEvent:
    """An event of the table.

    Attributes:
        key: what is pressed.
        echoed: the entries that it leads to, and the display of the seat whose turn
            it then is.
    """

    key: EventKey
    echoed: Echoed

    @property
    def display(self) -> DisplayPrompt:
        """The prompt that follows it."""
        return self.echoed.display


@dataclass(frozen=True, slots=True)
class Script:
    """What a table plays.

    Attributes:
        room: the table and its boards.
        begins_with: its first prompt.
        events: in order.
    """

    room: Room
    begins_with: DisplayPrompt
    events: tuple[ScriptedEvent, ...]


def room_of(events: int, seed: int) -> Room:
    """A table with one terminal and boards for so many events, the same for a seed."""
    boards = tuple(_plan(seed, at) for at in range(-(-events // SHORTEST_BOARD)))
    return Room(
        edition=Edition.LAWS_2017,
        policies=Policies(),
        tables={TABLE: boards},
        columns=COLUMNS,
        rows=ROWS,
        one_terminal=True,
    )


def _plan(seed: int, at: int) -> BoardPlan:
    chance = board_random(seed, at)
    record = dealt(chance, at + 1)
    plan = plan_board(record, Edition.LAWS_2017, frozenset(), chance)
    return plan_record(at + 1, plan, Policies())


def hello() -> HelloReport:
    """What the terminal of the bench says of itself when it starts."""
    return HelloReport(
        version=VERSION,
        serial=SERIAL,
        boot=BOOT,
        volatile=True,
        held=(Held(BOOT, 0, 0),),
        firmware="bench",
        seats=SEATS,
        columns=COLUMNS,
        rows=ROWS,
        encoding=Encoding.UTF_8,
        profile=Profile.FOUR_SEATS,
    )


def rehearse(room: Room, number: int) -> Script:
    """Play the first events of a room, with nothing around its table."""
    rehearsal = _Rehearsal(room)
    begins_with = rehearsal.prompt()
    return Script(room, begins_with, tuple(islice(rehearsal.play(), number)))


class _Rehearsal:
    """A table that plays its boards with nothing around it."""

    def __init__(self, room: Room) -> None:
        ((_, _, self._terminal),) = room.terminals()
        settings = room.referee(Path(), BrokerSettings())
        self._boards = room.tables[TABLE]
        self._table = begin_table(settings, settings.tables[0], epoch=EPOCH)
        self._n = 0
        birth = DaemonStatus(_SESSION, online=True, terminals=(self._terminal,))
        up = TerminalStatus(_SESSION, TABLE, LinkState.ONLINE, opening=1, hello=hello())
        self._step(DaemonReport(DAEMON, birth))
        self._step(TerminalReport(DAEMON, self._terminal, up))
        self._displays = self._shown()

    def prompt(self) -> DisplayPrompt:
        """The display of the seat that has to do something."""
        asked = (d for d in self._displays.values() if d.ask is not Asked.NONE)
        return next(asked, self._displays[SEATS[0]])

    def play(self) -> Iterator[ScriptedEvent]:
        """All boards, from the first call to the last card."""
        for board in self._boards:
            for happening in board.happenings:
                yield self._press(fields_of(happening.action, happening.actor))

    def _press(self, key: EventKey) -> ScriptedEvent:
        shown = self._displays[key.seat]
        event = TerminalEvent(
            boot=BOOT,
            n=self._n,
            seat=key.seat,
            play=shown.play,
            rev=shown.rev,
            age_ms=0,
            kind=key.kind,
            hand=key.hand,
            data=key.data,
            session=_SESSION,
            table=TABLE,
            k=self._n,
            opening=1,
            serial=SERIAL,
        )
        entries = self._step(Arrived(DAEMON, self._terminal, event))
        self._n += 1
        before, self._displays = self._displays, self._shown()
        prompt = self.prompt()
        if same(prompt, before[prompt.seat]):
            raise RuntimeError(f"{key} changes nothing that is shown to {prompt.seat}")
        return ScriptedEvent(key, Echoed(entries, prompt))

    def _step(self, message: Input) -> tuple[Entry, ...]:
        outcome = step(self._table, message, Moment(0.0, 0.0))
        self._table = outcome.table
        return outcome.entries

    def _shown(self) -> Displays:
        record = self._table.record
        (terminal,) = record.table.terminals
        board = BoardText(record)
        return {seat: display_of(board, terminal, seat, EPOCH) for seat in SEATS}


def same(display: DisplayFields, other: DisplayFields) -> bool:
    """Whether two displays show the same, whatever their revisions are."""
    return all(
        getattr(display, name) == getattr(other, name)
        for name in DisplayFields.__struct_fields__
        if name not in {"epoch", "rev"}
    )
