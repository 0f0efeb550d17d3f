"""Puts the events of one terminal into the order of its log.

A frame lost on the line lets a later event arrive first. Published so, it would take a
number of the table's order and be refused by the referee, who takes only the next event
of a log. So it waits here until the terminal has repeated what is missing.
"""

from collections.abc import Sequence

from protocol.limits import WINDOW
from protocol.messages import Ack, Event, Held, Lost

WAITING_MAX = 2 * WINDOW
"""Entries kept that came too early; a terminal repeats what is not kept."""

Logged = Event | Lost
"""An entry of a terminal's log as it travels."""

_Place = tuple[int, int]
"""Index of the boot in order, number within it."""


def last_number(logged: Logged) -> int:
    """The number of an event, or the last of those that were lost."""
    return logged.n if isinstance(logged, Event) else logged.last


def _first_number(logged: Logged) -> int:
    return logged.n if isinstance(logged, Event) else logged.first


class UnknownBootError(ValueError):
    """An event of a boot that the terminal's HELLO does not name."""


class Inlet:
    """The order of one terminal's log, as far as its daemon has seen it."""

    def __init__(self) -> None:
        self._boots: list[Held] = []
        self._due: _Place = (0, 0)
        self._waiting: dict[_Place, Logged] = {}

    def opened(self, held: Sequence[Held]) -> None:
        """The terminal has said what it holds, and will send it from the first on."""
        self._boots = list(held)
        self._due = (0, held[0].first if held else 0)
        self._waiting.clear()
        self._skip_ended_boots()

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
        if (index, _first_number(logged)) > self._due:
            if len(self._waiting) < WAITING_MAX:
                self._waiting[index, _first_number(logged)] = logged
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
        self._due = max(self._due, (index, number + 1))
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
