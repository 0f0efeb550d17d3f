"""How a robot of the demo calls and plays: simply, and within the Laws. Pure."""

from collections.abc import Collection, Sequence

from laws.calls import Call
from laws.cards import Card, Denomination, Suit
from laws.seats import Seat
from protocol.messages import Choice
from protocol.payloads import PublicCall, PublicCard

_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
_MAJORS = (Suit.SPADES, Suit.HEARTS)
_MINORS = (Suit.DIAMONDS, Suit.CLUBS)
_PASS = Call.PASS
_EASY = ("decline", "agree", "keep", "waive", "accept")
"""What a robot answers, when it is offered; the first of all choices else."""

OPENING, RESPONSE, GAME = 12, 6, 13
"""Points for an opening, an answer to partner's, and game opposite an opening."""


def chosen_call(
    hand: Collection[Card],
    seat: Seat,
    auction: Sequence[PublicCall],
    locks: Sequence[str],
) -> Call:
    """The call of a robot; no conventions, and never one that is locked.

    Args:
        hand: its thirteen cards.
        seat: its seat.
        auction: the legal auction so far.
        locks: keys that its display locks.
    """
    if "call" in locks:
        return _PASS
    wanted = _wish(hand, seat, auction)
    highest = max((Call(made.call).height for made in auction), default=0)
    sufficient = [call for call in Call if call.height > highest]
    wishes = [wanted] if wanted in sufficient else []
    return next(c for c in (*wishes, _PASS, *sufficient) if c.value not in locks)


def _wish(hand: Collection[Card], seat: Seat, auction: Sequence[PublicCall]) -> Call:
    points = sum(_POINTS.get(card.rank, 0) for card in hand)
    lengths = {suit: sum(card.suit is suit for card in hand) for suit in Suit}
    bids = [made for made in auction if Call(made.call).is_bid]
    own = [made for made in bids if made.seat is seat]
    partners = [made for made in bids if made.seat is seat.partner]
    if own:
        return _PASS
    if partners:
        return _answer(points, lengths, Call(partners[-1].call))
    if not bids:
        return _opening(points, lengths)
    return _overcall(points, lengths, Call(bids[-1].call))


def _opening(points: int, lengths: dict[Suit, int]) -> Call:
    if points < OPENING:
        return _PASS
    majors = [suit for suit in _MAJORS if lengths[suit] >= 5]
    if not majors and 15 <= points <= 17 and min(lengths.values()) >= 2:
        return Call.ONE_NOTRUMP
    best = max(majors or _MINORS, key=lambda suit: lengths[suit])
    return _bid(1, best.denomination)


def _answer(points: int, lengths: dict[Suit, int], opening: Call) -> Call:
    if points < RESPONSE or opening.level > 2:
        return _PASS
    denomination = opening.denomination
    suit = denomination.suit if denomination is not None else None
    if suit in _MAJORS and lengths[suit] >= 3:
        return _bid(4 if points >= GAME else 2, suit.denomination)
    if points >= GAME:
        return Call.THREE_NOTRUMP
    for major in reversed(_MAJORS):
        bid = _bid(1, major.denomination)
        if lengths[major] >= 4 and bid.height > opening.height:
            return bid
    return Call.ONE_NOTRUMP


def _overcall(points: int, lengths: dict[Suit, int], last: Call) -> Call:
    best = max(Suit, key=lambda suit: lengths[suit])
    bid = _bid(last.level, best.denomination)
    is_good = points >= OPENING - 2 and lengths[best] >= 5 and last.level <= 2
    return bid if is_good and bid.height > last.height else _PASS


def _bid(level: int, denomination: Denomination) -> Call:
    return Call(f"{level}{denomination.value}")


def chosen_card(
    cards: Collection[Card],
    trick: Sequence[PublicCard],
    trump: Suit | None,
    locks: Sequence[str],
) -> Card:
    """The card of a robot: it follows suit, low, or wins cheaply as the last to play.

    Args:
        cards: what is left in the hand; at least one.
        trick: what has been played to the trick, in order.
        trump: of the contract.
        locks: keys that its display locks: cards that it may not play.
    """
    free = [card for card in cards if card.value not in locks] or list(cards)
    if not trick or len(trick) == 4:  # it leads
        longest = max(Suit, key=lambda suit: sum(c.suit is suit for c in free))
        return _lowest([card for card in free if card.suit is longest] or free)
    led = Card(trick[0].card).suit
    following = [card for card in free if card.suit is led]
    if following and len(trick) == 3:
        best = max(_worth(Card(p.card), led, trump) for p in trick)
        winning = [card for card in following if _worth(card, led, trump) > best]
        return _lowest(winning or following)
    others = [card for card in free if card.suit is not trump]
    return _lowest(following or others or free)


def _worth(card: Card, led: Suit, trump: Suit | None) -> int:
    if card.suit is trump:
        return 100 + card.strength
    return card.strength if card.suit is led else -1


def _lowest(cards: Sequence[Card]) -> Card:
    return min(cards, key=lambda card: card.strength)


def chosen_answer(choices: Sequence[Choice]) -> Choice:
    """What a robot answers; it takes no advantage of anybody."""
    for kind in _EASY:
        for choice in choices:
            if choice.kind == kind:
                return choice
    return choices[0]
