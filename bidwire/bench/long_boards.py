"""Boards with many more happenings than a table sees: does an event get dearer?

Questions are calls out of rotation, each put to LHO and declined, which leave rulings
and withdrawn calls behind. Corrections are the Director's, on a board played to its
end: his word, which may apply to any call or card, is what the engine judges a board
again for, from its first call.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

from bidwire.records.dealing import dealt
from bidwire.records.inject import board_random
from laws.actions import Action, Correct, Decline, MakeCall, PlayCards
from laws.board import Board, Edition
from laws.calls import BIDS
from laws.seats import Seat
from laws.steps import Step

QUESTIONS = (50, 100, 200, 400, 800)
"""Happenings of boards that are all questions."""

CORRECTIONS = (1, 10, 100)
"""Corrections of one board."""


@dataclass(frozen=True, slots=True)
class LongBoard:
    """A long board, of which the ``timed`` happenings follow the others.

    ``kind`` says what these are.
    """

    kind: str
    board: Board
    before: tuple[Step, ...]
    timed: tuple[Step, ...]


def long_boards(edition: Edition) -> Iterator[LongBoard]:
    """The long boards, each kind by length."""
    for number in QUESTIONS:
        yield _questions(edition, number)
    for number in CORRECTIONS:
        yield _corrections(edition, number)


def _questions(edition: Edition, number: int) -> LongBoard:
    """East bids out of rotation and South declines, over and over."""
    pair: tuple[Action, ...] = (MakeCall(Seat.EAST, BIDS[2]), Decline(Seat.SOUTH))
    steps = _steps(chain.from_iterable(repeat(pair, number // 2)))
    return LongBoard("questions", Board(edition, Seat.NORTH), (), steps)


def _corrections(edition: Edition, number: int) -> LongBoard:
    """A regular board, and its first call set right to what it was."""
    record = dealt(board_random(0, 0), 1)
    cards = (PlayCards(hand, (card,)) for hand, card in record.cards)
    before = _steps(chain(record.auction, cards))
    correction = Correct(before[0].line, before[0].action)
    timed = _steps(repeat(correction, number), after=len(before))
    return LongBoard("corrections", record.board_for(edition), before, timed)


def _steps(actions: Iterable[Action], *, after: int = 0) -> tuple[Step, ...]:
    return tuple(Step(line, action) for line, action in enumerate(actions, after + 1))
