"""How many auctions there are: numbers that were found without this engine."""

from functools import cache

from laws.actions import MakeCall
from laws.board import Board, Edition
from laws.calls import Call
from laws.engine import begin, decide
from laws.legal_calls import legal_calls
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from tests.long import LONG

BOARD = Board(Edition.LAWS_2017, Seat.NORTH)

SEQUENCES = [36, 701, 9_731, 107_451, 999_852]
"""Legal sequences of exactly 1 to 5 calls; the last take long to count."""

DEPTH = 5 if LONG else 4

COMPLETE = [0, 0, 0, 36, 665]
"""Complete auctions among them."""

ALL_AUCTIONS = 128745650347030683120231926111609371363122697557
LONGEST = 319


def after(state: State, call: Call) -> State:
    """The state after a call by the seat whose turn it is."""
    seat = state.auction.turn
    assert seat is not None
    line = len(state.steps) + 1
    return decide(state, Step(line, MakeCall(seat, call))).state


def test_legal_sequences_of_a_few_calls() -> None:
    sequences, complete = [0] * DEPTH, [0] * DEPTH

    def count(state: State, depth: int) -> None:
        legal = legal_calls(state)
        sequences[depth] += len(legal)
        for call in legal if depth < DEPTH - 1 else legal[:1]:
            # Of the last calls only a pass, which is always legal, can end it.
            then = after(state, call)
            if then.auction.ended:
                complete[depth] += 1
            elif depth < DEPTH - 1:
                count(then, depth + 1)

    count(begin(BOARD), 0)
    assert sequences == SEQUENCES[:DEPTH]
    assert complete == COMPLETE[:DEPTH]


@cache
def endings(calls: tuple[Call, ...]) -> tuple[int, int]:
    """Complete auctions that begin with the calls, and the most calls that follow.

    Calls before the last bid do not matter to what may follow, so they are left out.
    """
    state = begin(BOARD)
    for call in calls:
        state = after(state, call)
    if state.auction.ended:
        return 1, 0
    number, longest = 0, 0
    for call in legal_calls(state):
        n, length = endings((call,) if call.is_bid else (*calls, call))
        number += n
        longest = max(longest, length + 1)
    return number, longest


def test_all_auctions_and_the_longest() -> None:
    for height in range(35, 0, -1):
        endings((next(call for call in Call if call.height == height),))
    assert endings(()) == (ALL_AUCTIONS, LONGEST)
