"""The plain rules of the game, for records: turn, legal calls, tricks, contract.

Records are checked and injections planned with these few functions and not with
``laws.engine``, so that a fault of the engine cannot hide in what it is compared with.
They know no irregularity: a record is legal or it is not.
"""

from collections.abc import Iterable, Sequence

from bidwire.records.record import Contract, PassedOut, PlayedCard
from laws.actions import MakeCall
from laws.calls import Call
from laws.cards import Card, Suit
from laws.seats import Seat

Called = tuple[Seat, Call]
"""A call and who made it."""


def called(auction: Iterable[MakeCall]) -> list[Called]:
    """The bare calls of an auction."""
    return [(action.seat, action.call) for action in auction]


def is_legal_call(auction: Sequence[Called], seat: Seat, call: Call) -> bool:
    """Whether a call at that seat's turn is sufficient (18) or admissible (19)."""
    if call is Call.PASS:
        return True
    last = _last_but_passes(auction)
    if call.is_bid:
        bid = last_bid(auction)
        return bid is None or call.height > bid[1].height
    if last is None or last[0].side is seat.side:
        return False
    if call is Call.DOUBLE:
        return last[1].is_bid
    return last[1] is Call.DOUBLE


def last_bid(auction: Sequence[Called]) -> Called | None:
    """The highest bid so far and its bidder."""
    return next((c for c in reversed(auction) if c[1].is_bid), None)


def _last_but_passes(auction: Sequence[Called]) -> Called | None:
    return next((c for c in reversed(auction) if c[1] is not Call.PASS), None)


def has_ended(auction: Sequence[Called]) -> bool:
    """Whether the auction is over (22): four passes, or three after a bid."""
    passes = 0
    for _, call in reversed(auction):
        if call is not Call.PASS:
            return passes >= 3
        passes += 1
    return passes >= 4


def contract_of(auction: Sequence[Called]) -> Contract | PassedOut:
    """The contract that an ended auction has come to (22)."""
    last = last_bid(auction)
    if last is None:
        return PassedOut()
    bidder, bid = last
    denomination = bid.denomination
    assert denomination is not None  # noqa: S101 - every bid has one
    risk = ""
    for _, call in reversed(auction):
        if call.is_bid:
            break
        if call is not Call.PASS:
            risk = risk or call.value
    declarer = next(
        seat
        for seat, call in auction
        if seat.side is bidder.side and call.denomination is denomination
    )
    return Contract(bid.level, denomination, risk, declarer)


def winner_of(trick: Sequence[PlayedCard], trump: Suit | None) -> Seat:
    """The hand that wins the cards played to a trick (44E, F)."""
    led = trick[0].card.suit

    def power(played: PlayedCard) -> tuple[bool, bool, int]:
        card = played.card
        return card.suit is trump, card.suit is led, card.strength

    return max(trick, key=power).hand


def tricks_of(cards: Sequence[PlayedCard]) -> list[Sequence[PlayedCard]]:
    """The cards by tricks of four; the last one may be unfinished."""
    return [cards[start : start + 4] for start in range(0, len(cards), 4)]


def must_follow(hand: Iterable[Card], led: Suit | None) -> frozenset[Card]:
    """The cards of a hand that may be played when a suit was led (44B to D)."""
    held = frozenset(hand)
    following = frozenset(card for card in held if card.suit is led)
    return following or held
