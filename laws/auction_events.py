"""Events of the auction."""

from dataclasses import dataclass, replace

from laws.auction import MadeCall
from laws.contract import Contract
from laws.seats import Seat
from laws.state import State


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call entered the record, and the turn goes on."""

    made: MadeCall
    turn: Seat

    def apply_to(self, state: State) -> State:
        auction = replace(
            state.auction, calls=(*state.auction.calls, self.made), turn=self.turn
        )
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class CallsWithdrawn:
    """The calls made at these lines were withdrawn or cancelled; the turn goes back."""

    lines: frozenset[int]
    turn: Seat

    def apply_to(self, state: State) -> State:
        calls = tuple(
            replace(made, withdrawn=True) if made.line in self.lines else made
            for made in state.auction.calls
        )
        auction = replace(state.auction, calls=calls, turn=self.turn)
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class AuctionEnded:
    """The auction is over; no contract when it was passed out (Law 22)."""

    contract: Contract | None

    def apply_to(self, state: State) -> State:
        auction = replace(state.auction, turn=None, ended=True, contract=self.contract)
        return replace(state, auction=auction)
