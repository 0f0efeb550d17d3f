"""The tables of a load: what each plays next, and when it was answered. Pure."""

from dataclasses import dataclass, field

from bidwire.bench.load_event import (
    BOOT,
    LoadEvent,
    counted,
    stamped,
    table_name,
    terminal_name,
)
from laws.seats import SEATS, Seat
from protocol.happenings import EventKey
from protocol.payloads import Acknowledge, DisplayPrompt, TerminalEvent

_Place = tuple[int, int]
"""A playing and how many happenings it has."""


@dataclass(slots=True)
class LoadTerminal:
    """A seat's terminal.

    Attributes:
        index: its table.
        seat: its seat.
        following: number of its next event.
        shown: the newest display.
    """

    index: int
    seat: Seat
    following: int
    shown: DisplayPrompt | None = None

    @property
    def name(self) -> str:
        """Its id."""
        return terminal_name(self.index, self.seat)

    @property
    def place(self) -> _Place:
        """How far its display has come."""
        shown = self.shown
        return (shown.play, shown.at) if shown is not None else (0, 0)


@dataclass(slots=True)
class PressedKey:
    """A key that was pressed.

    Attributes:
        event: as it was published.
        due: when it was to be pressed, by the clock of the load.
        published: when it was.
        acknowledged: when the referee had it; None until then.
        prompted: when the seat that acts next was prompted; None until then.
    """

    event: TerminalEvent
    due: float
    published: float
    acknowledged: float | None = None
    prompted: float | None = None

    @property
    def is_answered(self) -> bool:
        """Whether the table can go on."""
        return self.acknowledged is not None and self.prompted is not None


@dataclass(slots=True)
class LoadTable:
    """A table that plays its boards, key by key.

    Attributes:
        index: counts the tables from 0.
        daemon: the daemon of its terminals.
        boards: the keys of each board.
        terminals: by seat.
        play: the playing that the next key belongs to, from 1.
        at: how many keys of it have been pressed.
        k: number of its next event in its daemon's count.
        last: the last key that was pressed.
        due: when the key that waits for its prompt was due; None when none waits.
    """

    index: int
    daemon: str
    boards: tuple[tuple[EventKey, ...], ...]
    terminals: dict[Seat, LoadTerminal]
    at: int
    k: int
    play: int = 1
    last: PressedKey | None = None
    due: float | None = None
    _pressed: list[PressedKey] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its id."""
        return table_name(self.index)

    @property
    def key(self) -> EventKey | None:
        """The key that comes next; None when all boards are played."""
        return self.boards[self.play - 1][self.at] if self._goes_on else None

    @property
    def _goes_on(self) -> bool:
        return self.play <= len(self.boards)

    @property
    def may_press(self) -> bool:
        """Whether whoever is to act sees the prompt, all before it being settled."""
        key = self.key
        if key is None or (self.last is not None and not self.last.is_answered):
            return False
        return self.terminals[key.seat].place == (self.play, self.at)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is due and the last key is answered."""
        return self.due is None and (self.last is None or self.last.is_answered)

    def is_due(self, due: float) -> None:
        """The next key is due; one that still waits has been due for longer."""
        if self.due is None and self.key is not None:
            self.due = due

    def press(self, due: float, now: float) -> None:
        """Press the next key; its event is to be published."""
        key = self.key
        assert key is not None  # noqa: S101 - it may be pressed
        terminal = self.terminals[key.seat]
        shown = terminal.shown
        event = stamped(
            self.index,
            key,
            daemon=self.daemon,
            n=terminal.following,
            k=self.k,
            play=self.play,
            rev=shown.rev if shown is not None else 0,
        )
        terminal.following += 1
        self.k += 1
        self.at += 1
        if self.at == len(self.boards[self.play - 1]):
            self.play, self.at = self.play + 1, 0
        self.last, self.due = PressedKey(event, due, now), None
        self._pressed.append(self.last)

    def take_pressed(self) -> list[PressedKey]:
        """The keys pressed since the last time."""
        pressed, self._pressed = self._pressed, []
        return pressed

    def take_ack(self, seat: Seat, ack: Acknowledge, now: float) -> bool:
        """Note an acknowledgement; False when the last key has to be sent again."""
        last = self.last
        if last is None or last.event.seat is not seat or last.acknowledged is not None:
            return True
        if (ack.boot, ack.n) < (BOOT, last.event.n):
            return False
        last.acknowledged = now
        return True

    def take_display(self, seat: Seat, display: DisplayPrompt, now: float) -> None:
        """Note what a seat is shown; older displays change nothing."""
        terminal = self.terminals[seat]
        shown = terminal.shown
        order = (display.epoch, display.rev)
        if shown is not None and order < (shown.epoch, shown.rev):
            return
        terminal.shown = display
        last, key = self.last, self.key
        if last is None or last.prompted is not None:
            return
        if key is None or (seat is key.seat and terminal.place == (self.play, self.at)):
            last.prompted = now


def tables_of(event: LoadEvent) -> list[LoadTable]:
    """The tables of an event as its journal leaves them."""
    tables = []
    for index in range(event.tables):
        boards = tuple(board.keys for board in event.boards_of(index))
        begun = event.begun(index)
        following = dict(counted(boards[0], begun))
        terminals = {seat: LoadTerminal(index, seat, following[seat]) for seat in SEATS}
        daemon = event.daemon_of(index)
        tables.append(LoadTable(index, daemon, boards, terminals, at=begun, k=begun))
    return tables
