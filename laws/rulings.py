"""What the engine says: rulings, their effects, questions and refusals.

A ruling cites the paragraph that decided it and every paragraph on the way; its
effects say who must or may not do what. Nothing is ruled that only a human may
judge: it is asked, and until answered an assumption stands in, listed with the
ruling.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from laws.actions import Word
from laws.calls import Call
from laws.cards import Card, Suit
from laws.seats import Seat, Side


class Scope(StrEnum):
    """How long an enforced pass, or a bar to doubling, lasts."""

    THIS_TURN = "this_turn"
    NEXT_TURN = "next_turn"
    REST_OF_AUCTION = "rest_of_auction"


class LeadMode(StrEnum):
    """What declarer may do with a lead restriction (Law 26)."""

    REQUIRE_OR_FORBID = "require_or_forbid"
    FORBID_ONE = "forbid_one"


class EffectKind(StrEnum):
    """The kinds of effect that a ruling may have."""

    MUST_PASS = "must_pass"
    MUST_REPEAT = "must_repeat"
    MAY_NOT = "may_not"
    LEAD_RESTRICTION = "lead_restriction"
    PENALTY_CARD = "penalty_card"
    MUST_CORRECT = "must_correct"
    MAY_CHANGE = "may_change"
    TRANSFER = "transfer"
    UNAUTHORISED_INFORMATION = "unauthorised_information"
    ADJUST_POSSIBLE = "adjust_possible"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One consequence of a ruling; the fields that its kind has no use for are None.

    Attributes:
        kind: what it is.
        seat: whom it binds; with ``lead_restriction`` the offender's partner, with
            ``may_change`` the hand whose card may be changed.
        scope: of ``must_pass`` and ``may_not``.
        call: of ``must_repeat``.
        calls: of ``may_not``.
        mode, suits: of ``lead_restriction``.
        card: of ``penalty_card`` and ``may_change``.
        rank: of ``penalty_card``.
        trick: of ``must_correct``, from 1.
        to, tricks: of ``transfer``.
        law: of ``unauthorised_information`` and ``adjust_possible``.
    """

    kind: EffectKind
    seat: Seat | None = None
    scope: Scope | None = None
    call: Call | None = None
    calls: tuple[Call, ...] | None = None
    mode: LeadMode | None = None
    suits: tuple[Suit, ...] | None = None
    card: Card | None = None
    rank: Literal["major", "minor"] | None = None
    trick: int | None = None
    to: Side | None = None
    tricks: int | None = None
    law: str | None = None


class Status(StrEnum):
    """Whether a ruling stands."""

    IN_FORCE = "in-force"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A decision by the Laws.

    Attributes:
        law: the paragraph that decided, as in ``31A2(b)``.
        laws: every paragraph on the way.
        irregularity: what happened, as in ``call-out-of-turn``.
        offender: who did it.
        line: the happening it rules on.
        effects: what follows; none when it only looked irregular (27A1, 28A, 29A, 53A).
        assumptions: answers that stand in until the Director's comes, as in
            ``comparable S: no``.
        status: superseded only when a later ruling, a correction or the Director
            undid it.
    """

    law: str
    irregularity: str
    offender: Seat
    line: int
    laws: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    assumptions: tuple[str, ...] = ()
    status: Status = Status.IN_FORCE


RulingKey = tuple[int, str, str]
"""Line, paragraph and offender: what makes a ruling the same when judged again."""


def key_of(ruling: Ruling) -> RulingKey:
    return (ruling.line, ruling.law, ruling.offender)


@dataclass(frozen=True, slots=True)
class Binding:
    """An effect that still binds, and the paragraph it comes from."""

    effect: Effect
    law: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An open question: an option of a player, or a judgement of the Director.

    Attributes:
        to: the seat that has the option, None for the Director.
        question: what is asked: a Director's word, or ``accept``, ``lead``,
            ``change``, ``replace``, ``claim``….
        seat: whom or whose call or card it is about.
        about: the call, card or suits in question, in words of the script.
        choices: the answers it takes, as the script writes them.
        law: the paragraph that gives the option or needs the answer.
        line: the happening that raised it.
        holds: the answer changes what the next seat may do, so the table waits.
    """

    to: Seat | None
    question: str
    law: str
    line: int
    seat: Seat | None = None
    about: str = ""
    choices: tuple[str, ...] = ()
    holds: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A happening that the Laws do not allow at all."""

    line: int
    law: str
    reason: str


@dataclass(frozen=True, slots=True)
class Given:
    """A Director's answer, and the question it was given to, if one was open.

    ``line`` is the happening that raised the question; None when nothing had been
    asked: then it answers the next question of its word (and seat).
    """

    word: Word
    answer: "bool | tuple[Suit, ...] | Card | None"
    seat: Seat | None = None
    line: int | None = None
