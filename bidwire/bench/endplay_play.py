"""The yardstick: endplay plays the same cards, without judging anything.

Its deal takes each card out of the hand on play and finds the winner of each trick.
It knows no auction and does not look whether a card is legal.
"""

import time
from collections.abc import Sequence
from importlib.metadata import version

from endplay.types import Card as EndplayCard
from endplay.types import Deal, Denom, Player

from bidwire.bench.boards import BenchBoard
from laws.board import format_deal
from laws.cards import Suit
from laws.seats import SEATS

VERSION = version("endplay")

_TRUMPS = {
    None: Denom.nt,
    Suit.SPADES: Denom.spades,
    Suit.HEARTS: Denom.hearts,
    Suit.DIAMONDS: Denom.diamonds,
    Suit.CLUBS: Denom.clubs,
}


def playable(boards: Sequence[BenchBoard]) -> list[BenchBoard]:
    """The boards that endplay can play: their deal known, and cards were played."""
    return [b for b in boards if b.board.hands is not None and b.leader is not None]


def seconds_for(boards: Sequence[BenchBoard]) -> float:
    """Processor seconds of endplay for the cards of the boards, made ready before."""
    ready = [_prepared(board) for board in boards]
    begun = time.process_time()
    for deal, cards in ready:
        for card in cards:
            deal.play(card)
    return time.process_time() - begun


def _prepared(board: BenchBoard) -> tuple[Deal, list[EndplayCard]]:
    assert board.board.hands is not None  # noqa: S101 - only such are playable
    assert board.leader is not None  # noqa: S101 - only such are playable
    first = Player(SEATS.index(board.leader))
    deal = Deal(format_deal(board.board.hands), first=first, trump=_TRUMPS[board.trump])
    return deal, [EndplayCard(card.value) for card in board.cards]
