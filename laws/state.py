"""The state of a board at the table: what the events so far add up to.

Everything is immutable. Withdrawn calls and cards stay: Laws 16 and 26 need them.
"""

from dataclasses import dataclass

from laws.actions import Action
from laws.auction_state import Auction
from laws.board import Board
from laws.contract import Contract
from laws.play import Play
from laws.rulings import (
    Binding,
    Given,
    Question,
    Refusal,
    Ruling,
    RulingKey,
    key_of,
)
from laws.steps import Step

__all__ = [
    "Binding",
    "RulingKey",
    "State",
    "begin",
    "key_of",
    "with_auction",
    "with_steps",
]


@dataclass(frozen=True, slots=True)
class State:
    """A board at the table.

    Attributes:
        board: as it came to the table.
        steps: every happening so far, the Director's words included.
        auction: the auction.
        play: the play; None until the auction has ended in a contract.
        rulings: in order; superseded ones stay.
        questions: open ones.
        bindings: effects not used up.
        refused: happenings that the Laws do not allow at all.
        given: the Director's answers.
        overruled: rulings that the Director has undone.
        corrections: what really happened (None: nothing) at a mis-keyed line.
    """

    board: Board
    auction: Auction
    steps: tuple[Step, ...] = ()
    play: Play | None = None
    rulings: tuple[Ruling, ...] = ()
    questions: tuple[Question, ...] = ()
    bindings: tuple[Binding, ...] = ()
    refused: tuple[Refusal, ...] = ()
    given: tuple[Given, ...] = ()
    overruled: tuple[RulingKey, ...] = ()
    corrections: tuple[tuple[int, Action | None], ...] = ()

    @property
    def contract(self) -> Contract | None:
        return self.auction.contract


def begin(board: Board) -> State:
    """The state before the first call."""
    return State(board, Auction(turn=board.dealer))


def with_auction(state: State, auction: Auction) -> State:
    """The state with another auction (``replace`` costs thrice as much)."""
    return State(
        state.board,
        auction,
        state.steps,
        state.play,
        state.rulings,
        state.questions,
        state.bindings,
        state.refused,
        state.given,
        state.overruled,
        state.corrections,
    )


def with_steps(state: State, steps: tuple[Step, ...]) -> State:
    """The state with other happenings (``replace`` costs thrice as much)."""
    return State(
        state.board,
        state.auction,
        steps,
        state.play,
        state.rulings,
        state.questions,
        state.bindings,
        state.refused,
        state.given,
        state.overruled,
        state.corrections,
    )
