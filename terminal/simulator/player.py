"""A player: plays his part of a script, going by his own display alone. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from laws.seats import Seat
from protocol.happenings import EventKey, Kind
from protocol.messages import Asked, Display
from terminal.simulator.settings import BoardScript, Fault, Happening, TableScript

ANSWERS = frozenset(
    {
        Kind.ACCEPT,
        Kind.DECLINE,
        Kind.REPLACE,
        Kind.KEEP,
        Kind.REQUIRE,
        Kind.FORBID,
        Kind.WAIVE,
        Kind.AGREE,
        Kind.OBJECT,
    }
)
"""Kinds that answer an option: while the table waits for the Director the option may
not have been put yet."""


@dataclass(slots=True)
class TablePart:
    """What the players of one table have in common: their script.

    ``skipped`` has, for each board, the happenings that never reached the table since
    a lock kept the key from working; the script goes on without them.
    """

    script: TableScript
    skipped: dict[int, set[int]] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)

    def skip(self, index: int, number: int) -> None:
        """A happening of a board never reached the table."""
        self.skipped.setdefault(index, set()).add(number)

    def happened_before(self, index: int, number: int) -> int:
        """How many happenings of a board reach the table before this one."""
        skipped = self.skipped.get(index, ())
        return number - sum(other < number for other in skipped)


@dataclass(frozen=True, slots=True)
class Move:
    """What a player does next."""

    key: EventKey
    index: int
    """Place of the board in the script, from 0."""
    number: int | None
    """The happening, None for placing the board."""
    faults: tuple[Fault, ...] = ()


class Player:
    """Who sits at a terminal and knows what his seat is to do."""

    def __init__(self, seat: Seat, part: TablePart) -> None:
        """Sit down before the first board.

        Args:
            seat: his seat.
            part: what his table is to play.
        """
        self._seat = seat
        self._part = part
        self._index = -1
        self._play = 0
        self._placed = -1
        self._made: set[int] = set()

    @property
    def index(self) -> int:
        """Place of the running board in the script, -1 before the first."""
        return self._index

    @property
    def play(self) -> int:
        """Number of the running board's playing, 0 before the first."""
        return self._play

    @property
    def boards(self) -> Sequence[BoardScript]:
        """The boards of his table."""
        return self._part.script.boards

    def see(self, display: Display) -> int | None:
        """Look at a display.

        Returns:
            The number of the board that it is about, when that is not the one that
            the script has next; else None.
        """
        if display.play in (0, self._play):
            return None
        following = self._index + 1
        if (
            following >= len(self.boards)
            or self.boards[following].board != display.board
        ):
            return display.board
        self._index = following
        self._play = display.play
        self._made.clear()
        return None

    def next_move(self, display: Display) -> Move | None:
        """What he does now, going by this display; None when he waits."""
        return self._placing(display) or self._playing(display)

    def made(self, move: Move) -> None:
        """He has done it."""
        if move.number is None:
            self._placed = move.index
        else:
            self._made.add(move.number)

    def not_made(self, move: Move) -> None:
        """It could not be done now; he does it later."""
        if move.number is None:
            self._placed = move.index - 1
        else:
            self._made.discard(move.number)

    def is_finished(self, display: Display) -> bool:
        """Whether the display shows that the running board is over.

        All of it has been judged, or the table has gone on from it.
        """
        if self._index < 0:
            return False
        if display.play != self._play:
            return True
        length = self.boards[self._index].length
        return display.at >= self._part.happened_before(self._index, length)

    def _placing(self, display: Display) -> Move | None:
        """Confirm the board when the display asks for the one that is next."""
        offered = {
            choice.data[0]
            for choice in display.choices
            if choice.kind == Kind.BOARD and choice.data
        }
        for index in (self._index, self._index + 1):
            if not 0 <= index < len(self.boards) or index <= self._placed:
                continue
            board = self.boards[index].board
            if board in offered:
                key = EventKey(Kind.BOARD, self._seat, None, (board,))
                return Move(key, index, None)
        return None

    def _playing(self, display: Display) -> Move | None:
        if display.play != self._play or self._index < 0:
            return None
        board = self.boards[self._index]
        for happening in board.happenings:
            number = happening.number
            if happening.seat is not self._seat or number in self._made:
                continue
            if number in self._part.skipped.get(self._index, ()):
                continue
            before = self._part.happened_before(self._index, number)
            if display.at > before:
                continue  # the table has it already
            if display.at < before or self._waits(display, happening):
                return None
            key = EventKey(
                happening.kind, happening.seat, happening.hand, happening.data
            )
            faults = tuple(f for f in board.faults if f.number == number)
            return Move(key, self._index, number, faults)
        return None

    def _waits(self, display: Display, happening: Happening) -> bool:
        """Whether it is an answer that has to wait for the Director."""
        if not self._part.script.answers_wait or happening.kind not in ANSWERS:
            return False
        offered = [(choice.kind, choice.data) for choice in display.choices]
        answer = (happening.kind, happening.data)
        return display.ask is Asked.WAIT and answer not in offered
