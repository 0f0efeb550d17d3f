"""Double dummy by trying every card: slow, plain, and nothing of DDS in it."""

from functools import cache

from laws.cards import Card, Suit
from laws.seats import SEATS, Seat, Side, rotation_from
from referee.double_dummy import Position

Hands = tuple[frozenset[Card], ...]


def by_force(position: Position) -> int:
    """Tricks that the side on play takes."""
    side = position.turn.side
    choices = _right(position.hands[SEATS.index(position.turn)], position.trick)
    if position.restricted:
        choices &= position.restricted
    return max(
        _after(
            side, position.trump, position.leader, position.trick, position.hands, card
        )
        for card in choices
    )


def _right(cards: frozenset[Card], trick: tuple[Card, ...]) -> frozenset[Card]:
    following = frozenset(c for c in cards if trick and c.suit is trick[0].suit)
    return following or cards


@cache
def _best(
    side: Side, trump: Suit | None, leader: Seat, trick: tuple[Card, ...], hands: Hands
) -> int:
    """Tricks for the side, whoever is on play."""
    turn = rotation_from(leader)[len(trick)]
    cards = hands[SEATS.index(turn)]
    if not cards:
        return 0
    choose = max if turn.side is side else min
    return choose(
        _after(side, trump, leader, trick, hands, card) for card in _right(cards, trick)
    )


def _after(  # noqa: PLR0913, PLR0917 - all that a position is
    side: Side,
    trump: Suit | None,
    leader: Seat,
    trick: tuple[Card, ...],
    hands: Hands,
    card: Card,
) -> int:
    left = tuple(hand - {card} for hand in hands)
    trick = (*trick, card)
    if len(trick) < 4:
        return _best(side, trump, leader, trick, left)
    strengths = [
        (c.suit is trump, c.suit is trick[0].suit or c.suit is trump, c.strength)
        for c in trick
    ]
    winner = rotation_from(leader)[strengths.index(max(strengths))]
    return int(winner.side is side) + _best(side, trump, winner, (), left)
