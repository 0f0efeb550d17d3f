"""What has gone wrong in the play, and what waits to be decided.

Facts only, for the state: revokes (61-64), failures to follow that are not yet known
to be revokes, claims (68), cards that may be changed (45, 47, 62C), duties that an
option of declarer laid on a defender (26, 50D, 51B, 57A), leads and plays out of turn
(53-57), designations (46), withdrawn cards (16).
"""

from dataclasses import dataclass
from enum import StrEnum

from laws.cards import Card, Suit
from laws.seats import Seat


class Breach(StrEnum):
    """What a revoke failed to do (Law 61A)."""

    SUIT = "follow suit"
    DUTY = "obey an option of declarer"
    PENALTY_CARD = "play a penalty card"
    NO_CARD = "contribute a card"


class Notice(StrEnum):
    """When attention was first drawn to a revoke."""

    NONE = ""
    IN_TIME = "in time"
    NEXT_BOARD = "64B4"
    ROUND_OVER = "64B5"
    BY_DUMMY = "43B3"


class DutyKind(StrEnum):
    """What an exercised option of declarer demands."""

    REQUIRE = "require"
    FORBID = "forbid"
    HIGHEST = "highest"
    LOWEST = "lowest"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Duty:
    """An option that declarer has exercised against a defender.

    Attributes:
        hand: the defender.
        kind: what he must do.
        suits: the suits required or forbidden; none for highest and lowest.
        law: the paragraph that gives the option.
        leads: it governs his leads (26, 50D2), else his play to one trick (57A).
        card: the penalty card that declarer chose of several (51A).
    """

    hand: Seat
    kind: DutyKind
    suits: tuple[Suit, ...]
    law: str
    leads: bool = True
    card: Card | None = None

    def allowed(self, cards: frozenset[Card], led: Suit | None) -> frozenset[Card]:
        """Those of the cards that comply; all of them when none does (Law 59)."""
        if self.kind is DutyKind.REQUIRE:
            some = [card for card in cards if card.suit in self.suits]
        elif self.kind is DutyKind.CARD:
            some = [card for card in cards if card is self.card]
        elif self.kind is DutyKind.FORBID:
            some = [card for card in cards if card.suit not in self.suits]
        else:
            highest_first = self.kind is DutyKind.HIGHEST
            some = sorted(
                (card for card in cards if card.suit is led),
                key=lambda card: card.strength,
                reverse=highest_first,
            )[:1]
        return frozenset(some) or cards

    def refuted_by(self, played: Card, shown: Card) -> bool:
        """Whether a card shown later proves that the duty could have been obeyed."""
        match self.kind:
            case DutyKind.REQUIRE:
                return shown.suit in self.suits
            case DutyKind.FORBID:
                return shown.suit not in self.suits
            case DutyKind.HIGHEST:
                return shown.suit is played.suit and shown.strength > played.strength
            case DutyKind.LOWEST:
                return shown.suit is played.suit and shown.strength < played.strength
            case DutyKind.CARD:
                return shown is self.card


@dataclass(frozen=True, slots=True)
class Lapse:
    """A card that may have been a revoke: the hand is not known (deal unknown).

    Attributes:
        line: the happening that played it.
        hand: the hand that played it.
        trick: number of the trick, from 1.
        card: the card.
        suit: the suit led, or demanded; None for the highest or lowest of one.
        breach: what it was if it was one.
        duty: the option disobeyed, when that is the breach.
    """

    line: int
    hand: Seat
    trick: int
    card: Card
    suit: Suit | None
    breach: Breach = Breach.SUIT
    duty: Duty | None = None

    def proven_by(self, shown: Card) -> bool:
        """Whether a card that the hand shows later proves the revoke."""
        if self.duty is not None:
            return self.duty.refuted_by(self.card, shown)
        return shown.suit is self.suit


@dataclass(frozen=True, slots=True)
class Revoke:
    """A revoke (Law 61A).

    Attributes:
        line: the happening that played it.
        hand: the hand that revoked.
        trick: number of the trick, from 1.
        card: the card played; of a trick without a card (67B1) the card added to it.
        suit: the suit it should have been of; None where Law 57A names a rank only.
        breach: what it failed to do.
        duty: the option disobeyed, when that is the breach.
        faced: a card faced on the table, or of dummy, would have been the right one
            (Law 64B3).
        proven: that it was one is known.
        notice: when attention was first drawn to it.
        established: the paragraph that established it, empty while none has.
        corrected: the paragraph by which it was corrected, empty while it is not.
        rule: the paragraph of Law 64 that settles it, once play has ended.
        moved: tricks transferred for it.
    """

    line: int
    hand: Seat
    trick: int
    card: Card
    suit: Suit | None
    breach: Breach = Breach.SUIT
    duty: Duty | None = None
    faced: bool = False
    proven: bool = True
    notice: Notice = Notice.NONE
    established: str = ""
    corrected: str = ""
    rule: str = ""
    moved: int = 0

    @property
    def is_open(self) -> bool:
        """Neither corrected nor established."""
        return not self.established and not self.corrected

    @property
    def state(self) -> str:
        """In the word of the report."""
        if self.corrected:
            return "corrected"
        if not self.proven:
            return "suspected"
        return "established" if self.established else "correctable"

    @property
    def law(self) -> str:
        """The paragraph of the state."""
        return self.corrected or self.established or "62A"


@dataclass(frozen=True, slots=True)
class ChangeOption:
    """A card that its hand may take back and change (Laws 45C4b, 45D1, 47D, 62C).

    Attributes:
        line: the happening that opened the option.
        hand: whose card.
        trick: to which it was played, from 1.
        card: the card.
        law: the paragraph that gives the option.
        offender: whose irregularity opened it.
    """

    line: int
    hand: Seat
    trick: int
    card: Card
    law: str
    offender: Seat


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim or concession (Law 68).

    Attributes:
        line: the happening.
        seat: who made it.
        tricks: to his side, of those that remained.
        remaining: tricks that remained, one in progress included.
        agreed: who has agreed.
        objected: who has objected.
        play_on: who asks for play to go on, or concurs (68D2b).
        settled: agreed upon, or adjudicated.
        faced: made by facing the hand; no number of tricks has been stated yet.
    """

    line: int
    seat: Seat
    tricks: int
    remaining: int
    agreed: frozenset[Seat] = frozenset()
    objected: frozenset[Seat] = frozenset()
    play_on: frozenset[Seat] = frozenset()
    settled: bool = False
    faced: bool = False


class WrongKind(StrEnum):
    """What is out of turn about a card."""

    OPENING_LEAD = "opening lead out of turn"
    LEAD = "lead out of turn"
    BEFORE_PARTNER = "play before partner"
    NOT_THE_PENALTY_CARD = "penalty card not played"


@dataclass(frozen=True, slots=True)
class WrongPlay:
    """A card out of turn, or another than the penalty card, not yet ruled on.

    Attributes:
        line: the happening.
        hand: whose card.
        card: the card.
        kind: what is wrong about it (53-57, 52).
        trick: to which it was led or played, from 1.
        owed: the penalty card that should have been played (52).
        declined: defenders who want declarer's lead retracted (55A).
    """

    line: int
    hand: Seat
    card: Card
    kind: WrongKind
    trick: int
    owed: Card | None = None
    declined: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Ahead:
    """A premature play that stands and waits for its turn.

    ``law`` is the paragraph by which it stands: 57C1, 57C2 (2007), 57C3, 57D (2017).
    """

    line: int
    hand: Seat
    card: Card
    law: str


@dataclass(frozen=True, slots=True)
class Designated:
    """The card of dummy that declarer has called for (Law 46).

    ``card`` is None while it is not known: the deal is unknown, two cards fit, or
    anybody may choose; then ``named`` is what he said. ``moved``: dummy has moved it.
    """

    line: int
    trick: int
    named: str
    card: Card | None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Uncalled:
    """A card of dummy in the played position that declarer did not name (45D)."""

    line: int
    trick: int
    card: Card
    called: Card | None


@dataclass(frozen=True, slots=True)
class Waived:
    """Declarer has left a lead free as to these suits (26, 50D2, 51B).

    Attributes:
        trick: to which the hand is to lead, from 1.
        hand: whose lead it is.
        suits: of the penalty cards for whose sake he was asked.
        by_call: he was asked for a withdrawn call too.
    """

    trick: int
    hand: Seat
    suits: frozenset[Suit]
    by_call: bool


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A card that was played, or shown, and went back."""

    line: int
    hand: Seat
    card: Card
    law: str


@dataclass(frozen=True, slots=True)
class Incidents:
    """Everything about a play that is not regular.

    Attributes:
        revokes: known or suspected, in order of discovery.
        lapses: possible revokes of hands that are not known.
        changes: cards that may be changed now.
        duty: what declarer's option demands of a defender now.
        waived: the last lead that declarer has left free.
        wrong: a card out of turn that awaits a ruling.
        last_wrong: the last one that has had its ruling.
        ahead: premature plays that stand and wait for their turn (57C, D).
        several: cards shown at once, of which one is to be designated (58B2).
        retracted: the trick to which declarer had to retract a lead, 0 if to none.
        designated: the last card called for from dummy.
        uncalled: a card dummy moved that was not called for.
        claim: the last claim.
        withdrawn: cards that went back.
        called_next: seats that have called on the next board.
        round_over: the round has ended.
        hands_returned: all four hands are back in the board.
    """

    revokes: tuple[Revoke, ...] = ()
    lapses: tuple[Lapse, ...] = ()
    changes: tuple[ChangeOption, ...] = ()
    duty: Duty | None = None
    waived: Waived | None = None
    wrong: WrongPlay | None = None
    last_wrong: WrongPlay | None = None
    ahead: tuple[Ahead, ...] = ()
    several: tuple[int, Seat, tuple[Card, ...]] | None = None
    retracted: int = 0
    designated: Designated | None = None
    uncalled: Uncalled | None = None
    claim: Claim | None = None
    withdrawn: tuple[Withdrawn, ...] = ()
    called_next: frozenset[Seat] = frozenset()
    round_over: bool = False
    hands_returned: bool = False


NO_INCIDENTS = Incidents()
