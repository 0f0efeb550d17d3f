"""The play: turn, following suit, who wins a trick (Laws 41, 44, 45).

Only the facts and what the Laws make of a regular play. What goes wrong is kept in
``incidents`` and judged in ``penalty_cards``, ``out_of_turn_leads``, ``revokes``,
``corrections``, ``defective_tricks`` and ``claims``.
"""

from dataclasses import dataclass
from typing import Literal

from laws.cards import Card, Suit
from laws.contract import Contract
from laws.incidents import NO_INCIDENTS, Incidents
from laws.seats import SEATS, SIDES, Seat, Side, rotation_from

Rank = Literal["major", "minor"]
"""Of a penalty card (Law 50B)."""

_INDEX = {seat: i for i, seat in enumerate(SEATS)}
_ROTATION = {seat: rotation_from(seat) for seat in SEATS}


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card played to a trick, and the happening that played it.

    ``penalty`` is its rank when it lay on the table as a penalty card before.
    """

    line: int
    hand: Seat
    card: Card
    penalty: Rank | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: who led, and the cards so far, in playing order.

    Attributes:
        leader: the hand that leads to it.
        cards: the cards that contend for it.
        absent: hands that contributed no card (Law 67).
        added: cards put to it afterwards, which cannot win it (Law 67B1).
    """

    leader: Seat
    cards: tuple[PlayedCard, ...] = ()
    absent: tuple[Seat, ...] = ()
    added: tuple[PlayedCard, ...] = ()

    @property
    def is_complete(self) -> bool:
        return len(self.cards) + len(self.absent) == 4

    @property
    def suit_led(self) -> Suit | None:
        return self.cards[0].card.suit if self.cards else None

    def card_from(self, hand: Seat) -> Card | None:
        """The card that a hand has played to the trick."""
        return next((p.card for p in self.cards if p.hand is hand), None)

    def place_of(self, hand: Seat) -> int | None:
        """Where among the cards a hand's card is, from 0."""
        return next((i for i, p in enumerate(self.cards) if p.hand is hand), None)

    def next_hand(self) -> Seat:
        """The hand to play next, in rotation from the leader."""
        return _ROTATION[self.leader][len(self.cards) + len(self.absent)]

    def winner(self, trump: Suit | None) -> Seat:
        """Who wins the cards so far (Law 44E, F)."""
        best = self.cards[0]
        for played in self.cards[1:]:
            if played.card.suit is best.card.suit:
                if played.card.strength > best.card.strength:
                    best = played
            elif played.card.suit is trump:
                best = played
        return best.hand


_FOUR_EMPTY: tuple[frozenset[Card], ...] = (frozenset(),) * 4


@dataclass(frozen=True, slots=True)
class Play:
    """The play of a board.

    Attributes:
        contract: what is played; its declarer is who plays the hand (Law 54A).
        current: the trick in progress, with no card when one is about to be led.
        tricks: complete tricks, in order.
        held: cards each hand still holds (N, E, S, W); None when the deal is unknown.
        shown: cards each hand has shown, when the deal is unknown.
        loose: shown cards that are not in a trick, when the deal is unknown.
        awarded: tricks settled without play (N-S, E-W), by a claim (Laws 69-71).
        ended: whether play is over (13 tricks, or a settled claim).
        incidents: what has gone wrong, and what waits to be decided.
    """

    contract: Contract
    current: Trick
    tricks: tuple[Trick, ...] = ()
    held: tuple[frozenset[Card], ...] | None = None
    shown: tuple[frozenset[Card], ...] = _FOUR_EMPTY
    loose: frozenset[Card] = frozenset()
    awarded: tuple[int, int] = (0, 0)
    ended: bool = False
    incidents: Incidents = NO_INCIDENTS

    @property
    def trump(self) -> Suit | None:
        return self.contract.denomination.suit

    @property
    def declarer(self) -> Seat:
        return self.contract.declarer

    @property
    def dummy(self) -> Seat:
        return self.contract.declarer.partner

    @property
    def number(self) -> int:
        """Number of the trick in progress, from 1."""
        return len(self.tricks) + 1

    def is_defender(self, hand: Seat) -> bool:
        return hand.side is not self.contract.declarer.side

    def player_of(self, hand: Seat) -> Seat:
        """Who decides for a hand: declarer for dummy's."""
        return self.declarer if hand is self.dummy else hand

    def trick_at(self, number: int) -> Trick | None:
        """A trick by its number, complete or in progress; None when not begun."""
        if number <= len(self.tricks):
            return self.tricks[number - 1]
        return self.current if number == self.number and number <= 13 else None

    def cards_of(self, hand: Seat) -> frozenset[Card] | None:
        """The cards a hand still holds; None when the deal is unknown."""
        return None if self.held is None else self.held[_INDEX[hand]]

    def known_of(self, hand: Seat) -> frozenset[Card]:
        """The cards a hand is known to hold now."""
        if self.held is not None:
            return self.held[_INDEX[hand]]
        return self.shown[_INDEX[hand]] & self.loose

    def tricks_won(self) -> dict[Side, int]:
        """Tricks by side, as played; those of a settled claim included (Law 69A)."""
        won = dict(zip(SIDES, self.awarded, strict=True))
        trump = self.trump
        for trick in self.tricks:
            won[trick.winner(trump).side] += 1
        return won
