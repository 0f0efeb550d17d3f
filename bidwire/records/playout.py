"""A rule-following player who plays a board out from its deal, by chance.

He follows the recorded cards while they are legal, then takes any legal card. Asked
to, he revokes: where he could follow suit he plays a card of another suit. Everything
else that he plays is legal, so the suit he withheld shows later and nothing else is
irregular. Play goes on to the thirteenth trick.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bidwire.records.record import Contract, PlayedCard
from bidwire.records.rules import must_follow, winner_of
from laws.actions import Action, Forbid, PlayCards, Require, Waive
from laws.cards import Card, Suit
from laws.seats import SEATS, Seat

LAST_TRICK_FOR_A_REVOKE = 11
"""On trick 12 it is corrected even when established (62D1), 13 leaves no choice."""


@dataclass(frozen=True, slots=True)
class LeadRestriction:
    """What declarer may choose when a defender first comes on lead (Law 26).

    ``may_require`` allows requiring one of the suits, beside forbidding one.
    """

    seat: Seat
    suits: tuple[Suit, ...]
    may_require: bool


@dataclass(frozen=True, slots=True)
class Revoke:
    """A revoke as it was played; ``at`` is its place among the actions of the play."""

    at: int
    trick: int
    hand: Seat
    card: Card
    suit: Suit
    """The suit that was led and not followed."""


@dataclass(slots=True)
class Played:
    """A play: its actions, the cards in order, winners by trick and the revokes.

    ``followed`` tells that all of it is the record's own.
    """

    actions: list[Action] = field(default_factory=list)
    cards: list[PlayedCard] = field(default_factory=list)
    winners: list[Seat] = field(default_factory=list)
    revokes: list[Revoke] = field(default_factory=list)
    followed: bool = True


def play_out(  # noqa: PLR0913 - what a play hangs on
    hands: Sequence[frozenset[Card]],
    contract: Contract,
    recorded: Sequence[PlayedCard],
    random: Random,
    *,
    revokes_from: Sequence[int] = (),
    restriction: LeadRestriction | None = None,
) -> Played:
    """Play a board.

    Args:
        hands: the deal, N, E, S, W.
        contract: with its declarer.
        recorded: cards to follow while they are legal; what is left is by chance,
            except that a record without deviation ends where its cards end.
        random: the source of chance.
        revokes_from: for each revoke wanted the first trick on which it may be made;
            a second one comes two tricks later at the earliest, the first being
            established by then, and dummy has no part in two.
        restriction: a lead restriction that declarer may use.
    """
    return _Player(hands, contract, random, list(revokes_from), restriction).run(
        recorded
    )


class _Player:
    def __init__(
        self,
        hands: Sequence[frozenset[Card]],
        contract: Contract,
        random: Random,
        revokes_from: list[int],
        restriction: LeadRestriction | None,
    ) -> None:
        assert contract.declarer is not None  # noqa: S101 - contract_of names one
        self._declarer = contract.declarer
        self._trump = contract.denomination.suit
        self._hands = {s: set(h) for s, h in zip(SEATS, hands, strict=True)}
        self._random = random
        self._revokes_from = revokes_from
        self._restriction = restriction
        self._forbidden: tuple[Seat, Suit] | None = None
        self._trick: list[PlayedCard] = []
        self._played = Played()

    def run(self, recorded: Sequence[PlayedCard]) -> Played:
        played, turn = self._played, self._declarer.lho
        while len(played.cards) < 52:
            at = len(played.cards)
            if played.followed and at == len(recorded) > 0:
                break
            following = recorded[at] if played.followed and recorded else None
            card = self._next_card(turn, following)
            if following is None or following != (turn, card):
                played.followed = False
            self._put(turn, card)
            turn = turn.lho
            if len(self._trick) == 4:
                turn = winner_of(self._trick, self._trump)
                played.winners.append(turn)
                self._trick = []
        return played

    def _put(self, hand: Seat, card: Card) -> None:
        self._hands[hand].discard(card)
        self._trick.append(PlayedCard(hand, card))
        self._played.cards.append(PlayedCard(hand, card))
        self._played.actions.append(PlayCards(hand, (card,)))

    def _next_card(self, turn: Seat, following: PlayedCard | None) -> Card:
        legal = self._legal(turn)
        if self._wants_revoke(turn, legal):
            return self._revoke(turn)
        if following is not None and following.hand is turn and following.card in legal:
            return following.card
        return self._choose(legal)

    def _choose(self, cards: frozenset[Card]) -> Card:
        return self._random.choice(sorted(cards))

    def _legal(self, turn: Seat) -> frozenset[Card]:
        held = frozenset(self._hands[turn])
        if self._trick:
            return must_follow(held, self._trick[0].card.suit)
        if self._restriction is not None and self._restriction.seat is turn:
            return self._restricted(held, self._restriction)
        if self._forbidden is not None:
            seat, suit = self._forbidden
            if seat is turn:
                return _without(held, suit)
            self._forbidden = None
        return held

    def _restricted(
        self, held: frozenset[Card], restriction: LeadRestriction
    ) -> frozenset[Card]:
        """Declarer chooses before the first lead of the restricted defender."""
        self._restriction = None
        choices = ["waive", "forbid"] + ["require"] * restriction.may_require
        choice = self._random.choice(choices)
        suit = self._random.choice(restriction.suits)
        declarer, actions = self._declarer, self._played.actions
        if choice == "forbid":
            actions.append(Forbid(declarer, (suit,)))
            self._forbidden = (restriction.seat, suit)
            return _without(held, suit)
        if choice == "require":
            actions.append(Require(declarer, suit))
            return must_follow(held, suit)
        actions.append(Waive(declarer))
        return held

    def _wants_revoke(self, turn: Seat, legal: frozenset[Card]) -> bool:
        trick = len(self._played.winners) + 1
        if not self._revokes_from or not self._trick:
            return False
        if not self._revokes_from[0] <= trick <= LAST_TRICK_FOR_A_REVOKE:
            return False
        before = self._played.revokes
        dummy = self._declarer.partner
        if before and (trick < before[-1].trick + 2 or dummy in {turn, before[0].hand}):
            return False
        others = self._hands[turn] - legal
        return bool(others) and self._random.random() < 0.5

    def _revoke(self, turn: Seat) -> Card:
        """A trump half of the time, so that the revoke often wins its trick."""
        led = self._trick[0].card.suit
        others = frozenset(c for c in self._hands[turn] if c.suit is not led)
        trumps = frozenset(card for card in others if card.suit is self._trump)
        use_trump = bool(trumps) and self._random.random() < 0.5
        card = self._choose(trumps if use_trump else others)
        trick = len(self._played.winners) + 1
        self._revokes_from.pop(0)
        at = len(self._played.actions)
        self._played.revokes.append(Revoke(at, trick, turn, card, led))
        return card


def _without(held: frozenset[Card], suit: Suit) -> frozenset[Card]:
    """The cards of other suits; all of them where there are none (Law 59)."""
    return frozenset(card for card in held if card.suit is not suit) or held
