"""The kinds of EVENT: what each means, what its data hold, what it becomes.

Clauses K of ``protocol/README.md``. ``KINDS`` is the one table of them; what turns
events into actions and back by it is ``protocol.happenings``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from laws import actions
from laws.actions import Action
from laws.calls import Call
from laws.cards import RANKS, Card, Suit
from laws.seats import Seat
from protocol.limits import TEXT_MAX
from protocol.messages import Datum


class Kind(StrEnum):
    """The kinds of EVENT."""

    CALL = "call"
    CARD = "card"
    CARDS = "cards"
    EXPOSED = "exposed"
    FACE_DOWN = "face-down"
    NAMED = "named"
    MOVED = "moved"
    ACCEPT = "accept"
    DECLINE = "decline"
    SPREAD = "spread"
    CHANGE = "change"
    ATTENTION = "attention"
    REVOKE = "attention-revoke"
    REPLACE = "replace"
    KEEP = "keep"
    REQUIRE = "require"
    FORBID = "forbid"
    WAIVE = "waive"
    CLAIM = "claim"
    CONCEDE = "concede"
    AGREE = "agree"
    OBJECT = "object"
    PLAY_ON = "play-on"
    NEXT_BOARD = "next-board"
    BOARD = "board"
    ANSWER = "answer"
    DIRECTOR = "director"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class PlaceBoard:
    """A seat says which board lies on the table."""

    seat: Seat
    board: int


@dataclass(frozen=True, slots=True)
class GiveAnswer:
    """A seat answers a question that its display put, which is none of the Laws'.

    ``question`` is the word that the display's choices carry.
    """

    seat: Seat
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class CallDirector:
    """A seat calls the Director; silently when the others are not to know."""

    seat: Seat
    silent: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RequestUndo:
    """A seat says that its last key press was a mistake; for the Director."""

    seat: Seat


Request = PlaceBoard | GiveAnswer | CallDirector | RequestUndo
"""What a terminal may send that is no action of the Laws."""


@dataclass(frozen=True, slots=True)
class Field:
    """One element of an event's data."""

    name: str
    """The attribute of the action that it gives."""
    expected: str
    """What it holds, for people."""
    read: Callable[[Datum], Any]
    """Raises ValueError or KeyError when it holds something else."""
    write: Callable[[Any], Datum] = str
    optional: bool = False
    """It may be left out, together with all that follow it."""


@dataclass(frozen=True, slots=True)
class KindSpec:
    """What one kind of EVENT means and holds."""

    action: Callable[..., Action | Request]
    """The class that it becomes."""
    meaning: str
    fields: tuple[Field, ...] = ()
    moves_card: bool = False
    """``hand`` names where the card comes from; None in every other kind."""


def _text(value: Datum) -> str:
    if not isinstance(value, str) or len(value) > TEXT_MAX:
        raise ValueError
    return value


def _flag(value: Datum) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _number(low: int, high: int) -> Callable[[Datum], int]:
    def read(value: Datum) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError
        if not low <= value <= high:
            raise ValueError
        return value

    return read


def _card(value: Datum) -> Card:
    return Card(_text(value))


def _call(value: Datum) -> Call:
    return Call(_text(value))


def _seat(value: Datum) -> Seat:
    return Seat(_text(value))


def _one_card(value: Datum) -> tuple[Card, ...]:
    return (Card(_text(value)),)


def _cards(value: Datum) -> tuple[Card, ...]:
    return tuple(Card(word) for word in _text(value).split())


def _suits(value: Datum) -> tuple[Suit, ...]:
    suits = tuple(Suit(word) for word in _text(value).split())
    if not suits:
        raise ValueError
    return suits


def _call_or_card(value: Datum) -> Call | Card:
    text = _text(value)
    return Card(text) if text in CARD_NAMES else Call(text)


def _named(value: Datum) -> Card | Suit | actions.Designation | str:
    text = _text(value)
    if text in CARD_NAMES:
        return Card(text)
    if text in _SUIT_NAMES:
        return Suit(text)
    if len(text) == 1 and text in RANKS:
        return text
    return actions.Designation(text)


def _required(value: Datum) -> Suit | actions.Extreme:
    text = _text(value)
    return Suit(text) if text in _SUIT_NAMES else actions.Extreme(text)


def _words(values: tuple[str, ...]) -> str:
    return " ".join(values)


CARD_NAMES = frozenset(card.value for card in Card)
"""The 52 cards by name, for telling a card from a call or a suit."""
_SUIT_NAMES = frozenset(suit.value for suit in Suit)

_CALL = Field("call", "a call: P, X, XX, 1C to 7NT", _call)
_SIMULTANEOUS = Field(
    "simultaneous",
    "true when at the same moment as the entry before",
    _flag,
    bool,
    optional=True,
)
_CARDS = Field("cards", "cards with a space between, or nothing", _cards, _words)
_TRICKS = Field("tricks", "a number of tricks, 0 to 13", _number(0, 13), int)

KINDS: dict[Kind, KindSpec] = {
    Kind.CALL: KindSpec(
        actions.MakeCall,
        "a call",
        (
            _CALL,
            Field("alerted", "true when alerted", _flag, bool, optional=True),
            Field(
                "explanation",
                f"its explanation, at most {TEXT_MAX} characters",
                _text,
                optional=True,
            ),
            _SIMULTANEOUS,
        ),
    ),
    Kind.CARD: KindSpec(
        actions.PlayCards,
        "a card put to the trick",
        (
            Field("cards", "a card: suit, then rank", _one_card, _words),
            _SIMULTANEOUS,
        ),
        moves_card=True,
    ),
    Kind.CARDS: KindSpec(
        actions.PlayCards,
        "several cards put to the trick at once, or none",
        (_CARDS, _SIMULTANEOUS),
        moves_card=True,
    ),
    Kind.EXPOSED: KindSpec(
        actions.ExposeCards,
        "cards seen though not played",
        (_CARDS,),
        moves_card=True,
    ),
    Kind.FACE_DOWN: KindSpec(actions.LeadFaceDown, "an opening lead face down"),
    Kind.NAMED: KindSpec(
        actions.NameCard,
        "declarer calls for a card of dummy",
        (
            Field(
                "named",
                "a card, a suit, a rank, or high, low, win, any",
                _named,
            ),
        ),
    ),
    Kind.MOVED: KindSpec(
        actions.MoveCard,
        "dummy moves a card that was not called",
        (Field("card", "a card: suit, then rank", _card),),
        moves_card=True,
    ),
    Kind.ACCEPT: KindSpec(actions.Accept, "takes the option: it stands"),
    Kind.DECLINE: KindSpec(actions.Decline, "does not take the option"),
    Kind.SPREAD: KindSpec(actions.Spread, "declarer spreads his hand"),
    Kind.CHANGE: KindSpec(
        actions.Change,
        "the call, or the card named, was not what was meant",
        (Field("to", "the call or card that was meant", _call_or_card),),
    ),
    Kind.ATTENTION: KindSpec(
        actions.Attention, "draws attention to what has just happened"
    ),
    Kind.REVOKE: KindSpec(
        actions.Attention,
        "draws attention to a revoke",
        (
            Field("accused", "the seat that revoked: N, E, S, W", _seat),
            Field("trick", "the trick, 1 to 13", _number(1, 13), int),
        ),
    ),
    Kind.REPLACE: KindSpec(
        actions.Replace,
        "another card or call in place of the one made",
        (Field("by", "the card or call", _call_or_card),),
    ),
    Kind.KEEP: KindSpec(actions.Keep, "keeps the card or call made"),
    Kind.REQUIRE: KindSpec(
        actions.Require,
        "declarer requires a suit, or the highest or lowest card",
        (Field("what", "C, D, H, S, highest or lowest", _required),),
    ),
    Kind.FORBID: KindSpec(
        actions.Forbid,
        "declarer forbids one or more suits",
        (Field("suits", "suits with a space between", _suits, _words),),
    ),
    Kind.WAIVE: KindSpec(actions.Waive, "declarer waives his choice"),
    Kind.CLAIM: KindSpec(
        actions.Claim, "claims so many of the tricks that remain", (_TRICKS,)
    ),
    Kind.CONCEDE: KindSpec(
        actions.Concede, "concedes so many of the tricks that remain", (_TRICKS,)
    ),
    Kind.AGREE: KindSpec(actions.Agree, "agrees to the claim or concession"),
    Kind.OBJECT: KindSpec(actions.Object, "objects to the claim or concession"),
    Kind.PLAY_ON: KindSpec(actions.PlayOn, "asks or agrees that play go on"),
    Kind.NEXT_BOARD: KindSpec(
        actions.NextBoardCall, "a call on the next board", (_CALL,)
    ),
    Kind.BOARD: KindSpec(
        PlaceBoard,
        "this board lies on the table",
        (Field("board", "number of the board, 1 to 65535", _number(1, 65535), int),),
    ),
    Kind.ANSWER: KindSpec(
        GiveAnswer,
        "answers a question that the display put",
        (
            Field("question", "the question's word, from the display's choice", _text),
            Field("answer", "the answer, from the display's choice", _text),
        ),
    ),
    Kind.DIRECTOR: KindSpec(
        CallDirector,
        "calls the Director",
        (
            Field(
                "silent",
                "true when the other seats are not to know",
                _flag,
                bool,
                optional=True,
            ),
            Field(
                "reason",
                f"why, at most {TEXT_MAX} characters",
                _text,
                optional=True,
            ),
        ),
    ),
    Kind.UNDO: KindSpec(RequestUndo, "the last key press was a mistake"),
}
"""Every kind of EVENT: what it means, what it holds, what it becomes."""
