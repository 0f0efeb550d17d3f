"""Records that nobody has played: dealt, called and played by chance."""

from dataclasses import replace
from random import Random

from bidwire.records.checking import declarer_at_play
from bidwire.records.playout import play_out
from bidwire.records.record import Contract, Record
from bidwire.records.rules import called, contract_of, has_ended, is_legal_call
from laws.actions import MakeCall
from laws.board import dealer_of, vulnerable_of
from laws.calls import BIDS, Call
from laws.cards import DECK
from laws.seats import Seat, rotation_from

_PASSES = 0.6
"""Chance of a pass, which gives auctions of ten calls or so."""


def dealt(chance: Random, number: int) -> Record:
    """A board dealt, called and played by chance, every call and card legal."""
    deck = list(DECK)
    chance.shuffle(deck)
    hands = tuple(frozenset(deck[13 * at : 13 * at + 13]) for at in range(4))
    dealer = dealer_of(number)
    record = Record(
        file="",
        board=str(number),
        line=1,
        dealer=dealer,
        vulnerable=vulnerable_of(number),
        hands=hands,
        auction=_auction(chance, dealer),
        auction_ended=True,
    )
    contract = contract_of(called(record.auction))
    assert isinstance(contract, Contract)  # noqa: S101 - the dealer has bid
    declarer = declarer_at_play(record, contract)
    play = play_out(hands, replace(contract, declarer=declarer), (), chance)
    return replace(record, cards=tuple(play.cards))


def _auction(chance: Random, dealer: Seat) -> tuple[MakeCall, ...]:
    """The dealer bids; then each call is a pass, or one of the next few bids."""
    order = rotation_from(dealer)
    auction = [MakeCall(dealer, chance.choice(BIDS[:10]))]
    while not has_ended(called(auction)):
        seat = order[len(auction) % 4]
        call = Call.PASS
        if chance.random() > _PASSES:
            legal = [
                call
                for call in (Call.DOUBLE, Call.REDOUBLE, *BIDS)
                if is_legal_call(called(auction), seat, call)
            ]
            call = chance.choice(legal[:4] or [Call.PASS])
        auction.append(MakeCall(seat, call))
    return tuple(auction)
