"""Who acts at the terminal: causes events, restarts it, says what its display shows."""

from typing import Protocol

from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.messages import Display


class CannotCauseError(Exception):
    """What a check needs cannot be caused here; says why, and what would help."""


class Hands(Protocol):
    """Whoever acts at the terminal.

    Every method raises CannotCauseError when nobody can do it.
    """

    @property
    def are_quick(self) -> bool:
        """Whether dozens of keys, and none on time, are no trouble."""

    async def press(self, key: EventKey) -> None:
        """Enter what an event says; that the terminal refuses it is no error."""

    async def choose(self, display: Display, number: int) -> None:
        """Take one of the answers that a seat's display offers, counted from 1."""

    async def restart(self) -> None:
        """Take the terminal's power away and give it back."""

    async def sees(self, seat: Seat, text: str) -> bool:
        """Whether a seat's display shows a text."""

    async def sees_unsent(self, seat: Seat, count: int) -> bool:
        """Whether a seat's display tells that so many events wait, in any words."""


class NoHands:
    """Nobody is at the terminal."""

    are_quick = False

    async def press(self, key: EventKey) -> None:
        """Nobody can."""
        raise _nobody(f"a key ({key.kind} at {key.seat.value}) must be pressed")

    async def choose(self, display: Display, number: int) -> None:
        """Nobody can."""
        raise _nobody(f"answer {number} must be taken at {display.seat.value}")

    async def restart(self) -> None:
        """Nobody can."""
        raise _nobody("the terminal must be restarted")

    async def sees(self, seat: Seat, text: str) -> bool:
        """Nobody can."""
        del text
        raise _nobody(f"somebody must look at the display of {seat.value}")

    async def sees_unsent(self, seat: Seat, count: int) -> bool:
        """Nobody can."""
        del count
        raise _nobody(f"somebody must look at the display of {seat.value}")


def _nobody(needed: str) -> CannotCauseError:
    return CannotCauseError(f"{needed}: run with --operator and a person at the box")
