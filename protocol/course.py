"""How a board went, beyond the report: every call and card, each ruling in words.

For Directors only; it stands on the desk and in results (``protocol.table_payloads``).
"""

import msgspec

from laws.calls import Call
from laws.cards import Card
from laws.seats import Seat, Side
from protocol.messages import UInt32


class CourseCall(msgspec.Struct, frozen=True):
    """A call of the auction, also one that was withdrawn."""

    line: UInt32
    """The happening that made it, counted from 1."""
    seat: Seat
    call: Call
    withdrawn: bool = False
    alerted: bool = False
    explanation: str = ""


class CourseCard(msgspec.Struct, frozen=True):
    """A card that was played or shown, and the hand that it came from."""

    line: UInt32
    """The happening that did it, counted from 1; of a card that went back, the one
    that took it back."""
    hand: Seat
    card: Card


class CourseTrick(msgspec.Struct, frozen=True):
    """A trick."""

    leader: Seat
    cards: tuple[CourseCard, ...]
    """In the order of play; fewer than four while it is played, or when one is
    missing (Law 67)."""
    winner: Seat | None = None
    """Null while it is played."""


class CourseText(msgspec.Struct, frozen=True):
    """Something in words."""

    text: str
    """In English."""
    texts: dict[str, str] = {}
    """The same in other languages, by their code."""


class CourseRuling(msgspec.Struct, frozen=True):
    """A ruling in words."""

    number: UInt32
    """Its number in the report, from 1."""
    text: str
    """For the Director: the whole ruling with its citation, in English."""
    texts: dict[str, str] = {}
    """The same in other languages, by their code."""
    seats: dict[Seat, dict[str, str]] = {}
    """What each seat that it concerns reads, by language, English among them."""
    effects: tuple[CourseText, ...] = ()
    """Each of its effects, in the order of the report."""
    assumptions: tuple[CourseText, ...] = ()
    """Each of its assumptions, in the order of the report."""


class CourseBinding(msgspec.Struct, frozen=True):
    """What still binds, in words."""

    seat: Seat | None
    text: str
    """With its citation, in English."""
    texts: dict[str, str] = {}
    """The same in other languages, by their code."""


class Course(msgspec.Struct, frozen=True):
    """How the playing of a board went."""

    dealer: Seat
    vulnerable: tuple[Side, ...] = ()
    lines: tuple[str, ...] = ()
    """All that happened, as lines of the table script; the first is line 1."""
    calls: tuple[CourseCall, ...] = ()
    """Every call, in order, withdrawn ones in their place."""
    tricks: tuple[CourseTrick, ...] = ()
    """Every trick, in order, the one that is being played among them."""
    withdrawn: tuple[CourseCard, ...] = ()
    """Cards that went back."""
    rulings: tuple[CourseRuling, ...] = ()
    """Each ruling of the report."""
    questions: tuple[CourseText, ...] = ()
    """Each open question of the report, to the Director or of an option of a player,
    with its citation."""
    bound: tuple[CourseBinding, ...] = ()
    """What still binds."""
