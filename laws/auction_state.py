"""The auction so far, and what irregular calls have left open in it."""

from dataclasses import dataclass
from enum import StrEnum

from laws.actions import MakeCall
from laws.auction import MadeCall
from laws.cards import Card
from laws.contract import Contract
from laws.rulings import Binding, RulingKey
from laws.seats import Seat


class OptionKind(StrEnum):
    """What an opponent may accept."""

    OUT_OF_ROTATION = "out-of-rotation"
    INSUFFICIENT = "insufficient"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class OpenOption:
    """An irregular call that the offender's LHO may accept (25B, 27A1, 29A).

    Attributes:
        kind: what it is.
        made: the call.
        turn: whose turn it was.
        first: with ``CHANGE`` the call that it was to replace.
        early: with ``INSUFFICIENT`` the call that the offender has put in its place
            before a ruling (27C).
        answer: what LHO has said while a later call was still to be settled.
    """

    kind: OptionKind
    made: MadeCall
    turn: Seat
    first: MadeCall | None = None
    early: MadeCall | None = None
    answer: bool | None = None


@dataclass(frozen=True, slots=True)
class RuledAtOnce:
    """A call that nobody can accept, ruled on as if LHO had not called (36-39).

    It stands here until the next happening: LHO's call on it was made before the
    ruling, which changes it (36A, 37A, 39).

    Attributes:
        made: the call.
        law: the paragraph of the ruling given.
        turn: whose turn it was; None after the final pass.
    """

    made: MadeCall
    law: str
    turn: Seat | None


class CallClass(StrEnum):
    """Which of Laws 30 to 32 a call out of rotation falls under."""

    PASS_BEFORE_BID = "pass-before-bid"
    PASS = "pass"
    BID = "bid"
    """An artificial pass, and a pass of partner's artificial call, too (30C)."""
    DOUBLE = "double"


class Position(StrEnum):
    """Whose turn it was, seen from the offender."""

    RHO = "rho"
    PARTNER = "partner"
    LHO = "lho"


class DueKind(StrEnum):
    """What the offender's next call will decide."""

    REPLACES_INSUFFICIENT = "replaces-insufficient"
    """Law 27B."""
    REPLACES_OUT_OF_ROTATION = "replaces-out-of-rotation"
    """Laws 30B1 (2017), 31A, 31B2, 32A, 32B2."""
    RESTRICTION = "restriction"
    """Only whether Law 26 applies; the ruling itself has been given."""


@dataclass(frozen=True, slots=True)
class Due:
    """A call was cancelled, and the offender's call in its place is awaited.

    Attributes:
        kind: what that call decides.
        withdrawn: the cancelled call.
        ruling: the ruling that it completes.
        call_class, position: of a call out of rotation.
        rho_acted: RHO has made another call than a pass at the turn in question.
        barred: with an insufficient bid: partner is barred whatever comes (27B3, B4).
    """

    kind: DueKind
    withdrawn: MadeCall
    ruling: RulingKey
    call_class: CallClass | None = None
    position: Position | None = None
    rho_acted: bool = False
    barred: bool = False

    @property
    def seat(self) -> Seat:
        """The offender."""
        return self.withdrawn.seat


@dataclass(frozen=True, slots=True)
class RestrictionClaim:
    """A withdrawn call for which Law 26 gives declarer a choice.

    Which suits are left follows the offender's calls, so it is computed anew
    whenever one is added (``lead_restrictions``).
    """

    ruling: RulingKey
    withdrawn: MadeCall


@dataclass(frozen=True, slots=True)
class Spent:
    """What a call has changed beside the record, to be undone with it (Law 25).

    Attributes:
        by: the call.
        bindings: what it has used up.
        dues, claims: as they were before it.
        rulings: those that were given because of it.
    """

    by: MadeCall
    bindings: tuple[Binding, ...]
    dues: tuple[Due, ...]
    claims: tuple[RestrictionClaim, ...]
    rulings: tuple[RulingKey, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call of the offender's partner at his own turn, before LHO has chosen.

    It settles nothing (29); it is judged when LHO has.
    """

    line: int
    action: MakeCall


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why a call may be changed.

    Attributes:
        law: the paragraph that allows it (25A, 21B).
        offer: the paragraph that lets LHO change the call he made over it.
        irregularity: what went wrong.
        offender: whose irregularity it was.
        restricts: Law 26 may apply to LHO's withdrawn call, his side having erred.
    """

    law: str
    offer: str
    irregularity: str
    offender: Seat
    restricts: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A call that its player may change, since the one before it was changed."""

    made: MadeCall
    grounds: Grounds


@dataclass(frozen=True, slots=True)
class Exposed:
    """Cards that lie face up until the auction ends (Law 24), and the paragraph."""

    line: int
    hand: Seat
    cards: tuple[Card, ...]
    law: str


@dataclass(frozen=True, slots=True)
class OpenMatters:
    """What irregular calls have left open in an auction.

    Attributes:
        options: irregular calls not yet accepted or declined, the latest last.
        waiting: calls that wait for the options to be settled.
        at_once: the call just ruled on under Laws 36 to 39.
        offer: the call that LHO may change after a change of call (25A, 21B).
        dues: cancelled calls whose replacement is awaited.
        claims: withdrawn calls to which Law 26 applies.
        spent: what calls have used up.
        exposed: cards that lie face up.
        wrong_board: the cancelled call on cards from a wrong board, and LHO's over it,
            until the first has been made again (17D2, 2007).
    """

    options: tuple[OpenOption, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    at_once: RuledAtOnce | None = None
    offer: Offer | None = None
    dues: tuple[Due, ...] = ()
    claims: tuple[RestrictionClaim, ...] = ()
    spent: tuple[Spent, ...] = ()
    exposed: tuple[Exposed, ...] = ()
    wrong_board: tuple[MadeCall, MadeCall] | None = None


NOTHING_OPEN = OpenMatters()


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction.

    Attributes:
        turn: the seat to call; None when the auction has ended.
        calls: every call in table order, withdrawn ones included.
        legal_calls: the legal auction, calls withdrawn or still open left out.
        contract: once it has ended; None also when passed out.
        ended: whether the auction is over.
        matters: what irregular calls have left open.
    """

    turn: Seat | None
    calls: tuple[MadeCall, ...] = ()
    legal_calls: tuple[MadeCall, ...] = ()
    contract: Contract | None = None
    ended: bool = False
    matters: OpenMatters = NOTHING_OPEN

    @property
    def options(self) -> tuple[OpenOption, ...]:
        return self.matters.options

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        return self.matters.waiting

    @property
    def at_once(self) -> RuledAtOnce | None:
        return self.matters.at_once

    @property
    def offer(self) -> Offer | None:
        return self.matters.offer

    @property
    def dues(self) -> tuple[Due, ...]:
        return self.matters.dues

    @property
    def claims(self) -> tuple[RestrictionClaim, ...]:
        return self.matters.claims

    @property
    def spent(self) -> tuple[Spent, ...]:
        return self.matters.spent

    @property
    def exposed(self) -> tuple[Exposed, ...]:
        return self.matters.exposed

    @property
    def is_settled(self) -> bool:
        """Whether no irregular call is open or has just been ruled on."""
        matters = self.matters
        return matters is NOTHING_OPEN or not (
            matters.options or matters.waiting or matters.at_once or matters.offer
        )
