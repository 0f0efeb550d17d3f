"""What can happen at a table: the actions that the engine judges.

One frozen class for each happening of the table script (``docs/table-script.md``).
Nothing here is judged: an action may well be an infraction, which is what the
engine is for. Seats act; a card belongs to the hand it comes from, so dummy's
cards carry dummy's seat whoever moves them.
"""

from dataclasses import dataclass
from enum import StrEnum

from laws.calls import Call
from laws.cards import Card, Suit
from laws.seats import Seat


@dataclass(frozen=True, slots=True)
class MakeCall:
    """A call, alerted or not, with its explanation if one was given (Law 17, 20)."""

    seat: Seat
    call: Call
    alerted: bool = False
    explanation: str = ""
    simultaneous: bool = False
    """At the same moment as the action before (Law 33)."""


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Cards put to a trick from one hand: normally one (Law 45).

    No card is a hand that contributed none (Law 67); several are Law 58B or 45E.
    """

    hand: Seat
    cards: tuple[Card, ...]
    simultaneous: bool = False
    """At the same moment as the action before (Law 58A)."""


@dataclass(frozen=True, slots=True)
class ExposeCards:
    """Cards seen though not played (Laws 24, 48, 49)."""

    hand: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class LeadFaceDown:
    """An opening lead face down; its card is known when faced (Law 41A)."""

    seat: Seat


class Designation(StrEnum):
    """Words with which declarer calls for a card of dummy (Law 46B)."""

    HIGH = "high"
    LOW = "low"
    WIN = "win"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class NameCard:
    """Declarer designates a card of dummy (Laws 45B, 46).

    ``named`` is a card, a suit alone, a rank alone (one character), or a word.
    """

    seat: Seat
    named: Card | Suit | Designation | str


@dataclass(frozen=True, slots=True)
class MoveCard:
    """Dummy moves a card that was not called (Law 45D)."""

    hand: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Accept:
    """The seat takes the option just offered: the irregularity stands."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Decline:
    """The seat does not take the option just offered."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Spread:
    """A hand is faced: after an opening lead out of turn (54A), or to claim (48B2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Change:
    """The call or the card named was not what the player meant (Laws 25A, 45C4b)."""

    seat: Seat
    to: Call | Card


@dataclass(frozen=True, slots=True)
class Attention:
    """A player draws attention (Law 9A): to a revoke, or to what just happened."""

    seat: Seat
    accused: Seat | None = None
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class Replace:
    """A legal card (62B, 62C, 47) or call (25A, 27) in place of another."""

    seat: Seat
    by: Card | Call


@dataclass(frozen=True, slots=True)
class Keep:
    """The seat keeps its card or call where the Laws offer a change."""

    seat: Seat


class Extreme(StrEnum):
    """Which card Law 57A lets declarer require."""

    HIGHEST = "highest"
    LOWEST = "lowest"


@dataclass(frozen=True, slots=True)
class Require:
    """Declarer requires a suit, or the highest or lowest card (26, 50D2, 57A)."""

    seat: Seat
    what: Suit | Extreme


@dataclass(frozen=True, slots=True)
class Forbid:
    """Declarer forbids one or more suits (26, 50D2, 51B, 57A)."""

    seat: Seat
    suits: tuple[Suit, ...]


@dataclass(frozen=True, slots=True)
class Waive:
    """Declarer waives his choice."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of some of the tricks that remain, the others conceded (Law 68A, B)."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class Concede:
    """A concession of some of the tricks that remain (Law 68B)."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class Agree:
    """The seat agrees to the claim or concession (Law 69A)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Object:
    """The seat objects to the claim or concession (Laws 68B2, 68D)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayOn:
    """The seat asks, or concurs, that play continue after a claim (Law 68D2b, 2017)."""

    seat: Seat


class Word(StrEnum):
    """Questions that only the Director answers, by the word of the table script."""

    ARTIFICIAL = "artificial"
    COMPARABLE = "comparable"
    SAME_MEANING = "same-meaning"
    DIFFERENT_MEANING = "different-meaning"
    SHOWN = "shown"
    UNINTENDED = "unintended"
    MISINFORMED = "misinformed"
    MISLED = "misled"
    COULD_SEE = "could-see"
    INTENDED = "intended"
    ACCIDENTAL = "accidental"
    PENALTY = "penalty"
    DUMMY_LOOKED = "dummy-looked"
    DUMMY_WARNED = "dummy-warned"
    AWARE = "aware"
    GAINED = "gained"
    DAMAGE = "damage"
    WRONG_BOARD = "wrong-board"


@dataclass(frozen=True, slots=True)
class Answer:
    """The Director answers a question.

    ``answer`` is yes or no, the suits shown (``SHOWN``), or the card that was
    intended, None when there was none (``INTENDED``). With a seat it means the open
    question about that seat, otherwise the oldest open one of the word.
    """

    word: Word
    answer: bool | tuple[Suit, ...] | Card | None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """The Director adjudicates a claim: tricks of those remaining to a side (70)."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class Overrule:
    """The Director undoes a ruling, by its number in the list, from 1."""

    ruling: int


@dataclass(frozen=True, slots=True)
class Correct:
    """An earlier action was mis-keyed or misread.

    ``line`` names it as the engine does (its line in a table script); ``by`` is what
    really happened, None when nothing did.
    """

    line: int
    by: "Action | None"


@dataclass(frozen=True, slots=True)
class NextBoardCall:
    """A call on the next board (Laws 64B4, 69A)."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class RoundEnds:
    """The round is over (Law 64B5)."""


@dataclass(frozen=True, slots=True)
class HandsReturned:
    """All four hands are back in the board (Laws 22, 62D)."""


Action = (
    MakeCall
    | PlayCards
    | ExposeCards
    | LeadFaceDown
    | NameCard
    | MoveCard
    | Accept
    | Decline
    | Spread
    | Change
    | Attention
    | Replace
    | Keep
    | Require
    | Forbid
    | Waive
    | Claim
    | Concede
    | Agree
    | Object
    | PlayOn
    | Answer
    | Award
    | Overrule
    | Correct
    | NextBoardCall
    | RoundEnds
    | HandsReturned
)
