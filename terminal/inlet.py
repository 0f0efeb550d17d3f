"""Puts the events of one terminal into the order of its log.

A frame lost on the line lets a later event arrive first. Published so, it would take a
number of the table's order and be refused by the referee, who takes only the next event
of a log. So it waits here until the terminal has repeated what is missing.
"""

from protocol.decoding import Malformed
from protocol.intake import Boot, Intake
from protocol.limits import WINDOW
from protocol.messages import Ack, Event, Held, HelloFields, Lost
from protocol.store import Position

WAITING_MAX = 2 * WINDOW
"""Entries kept that came too early; a terminal repeats what is not kept."""

Logged = Event | Malformed | Lost
"""An entry of a terminal's log as it travels."""

_Place = tuple[int, int]
"""Index of the boot in order, number within it."""


def last_number(logged: Logged) -> int:
    """The number of an event, or the last of those that were lost."""
    return logged.last if isinstance(logged, Lost) else logged.n


def first_number(logged: Logged) -> int:
    """The number of an event, or the first of those that were lost."""
    return logged.first if isinstance(logged, Lost) else logged.n


class UnknownBootError(ValueError):
    """An event of a boot that the terminal's HELLO does not name."""


class Inlet:
    """The order of one terminal's log, as far as its daemon has seen it."""

    def __init__(self) -> None:
        self._hello: HelloFields | None = None
        self._boots: list[Held] = []
        self._due: _Place = (0, 0)
        self._waiting: dict[_Place, Logged] = {}
        self._passed_last = Position(-1, -1)

    def opened(self, hello: HelloFields) -> bool:
        """The terminal has said what it holds, and will send it from the first on.

        Returns:
            Whether its log is another one than that of the opening before: the
            terminal is another, or its memory was reset (A6).
        """
        before, self._hello = self._hello, hello
        another = before is not None and self._is_another_log(before, hello)
        if another:
            self._passed_last = Position(-1, -1)
        self._boots = list(hello.held)
        self._due = (0, hello.held[0].first)
        self._waiting.clear()
        self._skip_ended_boots()
        return another

    def _is_another_log(self, before: HelloFields, hello: HelloFields) -> bool:
        running = Boot(before.boot, -1, None)
        passed = Intake((running,), self._passed_last, before.volatile)
        return before.serial != hello.serial or passed.is_reset(hello)

    def take(self, logged: Logged) -> list[Logged]:
        """Take an entry that arrived.

        Returns:
            What is in order now: usually the entry itself, nothing when one before it
            is missing, more when it was the missing one. A repeated entry is returned
            again.

        Raises:
            UnknownBootError: the terminal has not named its boot in HELLO.
        """
        index = self._index_of(logged.boot)
        if index is None:
            raise UnknownBootError(
                f"expected boot {', '.join(str(h.boot) for h in self._boots)} "
                f"as in HELLO, got {logged.boot}"
            )
        if (index, first_number(logged)) > self._due:
            if len(self._waiting) < WAITING_MAX:
                self._waiting[index, first_number(logged)] = logged
            return []
        self._passed(index, last_number(logged))
        return [logged, *self._released()]

    def acknowledged(self, ack: Ack) -> list[Logged]:
        """The referee has everything up to here: nothing before it need come.

        Returns:
            What is in order now.
        """
        index = self._index_of(ack.boot)
        if index is None:
            return []
        self._passed(index, ack.n)
        return self._released()

    def _index_of(self, boot: int) -> int | None:
        for index, held in enumerate(self._boots):
            if held.boot == boot:
                return index
        return None

    def _passed(self, index: int, number: int) -> None:
        if (index, number + 1) > self._due:
            self._due = (index, number + 1)
            self._passed_last = Position(self._boots[index].boot, number)
        self._skip_ended_boots()

    def _skip_ended_boots(self) -> None:
        index, number = self._due
        while index < len(self._boots) - 1 and number >= self._boots[index].next:
            index += 1
            number = self._boots[index].first
        self._due = (index, number)

    def _released(self) -> list[Logged]:
        released: list[Logged] = []
        while self._waiting:
            place = min(self._waiting)
            if place > self._due:
                break
            logged = self._waiting.pop(place)
            self._passed(place[0], last_number(logged))
            released.append(logged)
        return released
