"""The play: turn, following suit, who wins a trick (Laws 41, 44, 45).

Only the facts and what the Laws make of a regular play; irregularities are judged in
``penalty_cards``, ``out_of_turn_leads``, ``revokes`` and ``defective_tricks``.
"""

from dataclasses import dataclass

from laws.cards import Card, Suit
from laws.contract import Contract
from laws.seats import Seat, Side, rotation_from


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card played to a trick, and the happening that played it."""

    line: int
    hand: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick: who led, and the cards so far, in playing order."""

    leader: Seat
    cards: tuple[PlayedCard, ...] = ()

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == 4

    @property
    def suit_led(self) -> Suit | None:
        return self.cards[0].card.suit if self.cards else None

    def card_from(self, hand: Seat) -> Card | None:
        """The card that a hand has played to the trick."""
        return next((p.card for p in self.cards if p.hand is hand), None)

    def next_hand(self) -> Seat:
        """The hand to play next, in rotation from the leader."""
        played = {p.hand for p in self.cards}
        return next(s for s in rotation_from(self.leader) if s not in played)

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


@dataclass(frozen=True, slots=True)
class Play:
    """The play of a board.

    Attributes:
        contract: what is played.
        tricks: complete tricks, in order.
        current: the trick in progress, with no card when one is about to be led.
        held: cards each hand still holds (N, E, S, W); None when the deal is unknown.
        ended: whether play is over (13 tricks, or an agreed claim).
    """

    contract: Contract
    current: Trick
    tricks: tuple[Trick, ...] = ()
    held: tuple[frozenset[Card], ...] | None = None
    ended: bool = False

    @property
    def trump(self) -> Suit | None:
        return self.contract.denomination.suit

    @property
    def declarer(self) -> Seat:
        return self.contract.declarer

    @property
    def dummy(self) -> Seat:
        return self.contract.declarer.partner

    def tricks_won(self) -> dict[Side, int]:
        """Complete tricks by side, as played."""
        won = {Side.NORTH_SOUTH: 0, Side.EAST_WEST: 0}
        for trick in self.tricks:
            won[trick.winner(self.trump).side] += 1
        return won
