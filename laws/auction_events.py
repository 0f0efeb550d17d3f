"""Events of the auction."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from laws.auction import MadeCall, Standing
from laws.auction_state import (
    Auction,
    Due,
    Exposed,
    Offer,
    OpenOption,
    RestrictionClaim,
    RuledAtOnce,
    Spent,
    Waiting,
)
from laws.contract import Contract
from laws.seats import Seat
from laws.state import State


def _with_calls(auction: Auction, calls: tuple[MadeCall, ...]) -> Auction:
    legal = tuple(made for made in calls if made.standing is Standing.LEGAL)
    return replace(auction, calls=calls, legal_calls=legal)


def _without_options(
    auction: Auction, gone: Callable[[MadeCall], bool]
) -> tuple[OpenOption, ...]:
    return tuple(option for option in auction.options if not gone(option.made))


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call entered the record, and the turn goes on.

    It belongs to the legal auction unless it was cancelled as it was made.
    """

    made: MadeCall
    turn: Seat | None

    def apply_to(self, state: State) -> State:
        auction = state.auction
        legal = auction.legal_calls
        if self.made.standing is Standing.LEGAL:
            legal = (*legal, self.made)
        calls = (*auction.calls, self.made)
        auction = replace(auction, calls=calls, legal_calls=legal, turn=self.turn)
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class CallOpened:
    """An irregular call entered the record; LHO may accept it."""

    option: OpenOption
    turn: Seat

    def apply_to(self, state: State) -> State:
        auction = state.auction
        auction = replace(
            auction,
            calls=(*auction.calls, self.option.made),
            options=(*auction.options, self.option),
            turn=self.turn,
        )
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class OptionChanged:
    """What is known of an open option has changed (LHO's word, a correction)."""

    option: OpenOption

    def apply_to(self, state: State) -> State:
        made = self.option.made
        options = tuple(
            self.option if option.made.is_same(made) else option
            for option in state.auction.options
        )
        return replace(state, auction=replace(state.auction, options=options))


@dataclass(frozen=True, slots=True)
class CallStands:
    """A call that was open or cancelled belongs to the legal auction."""

    made: MadeCall
    turn: Seat

    def apply_to(self, state: State) -> State:
        auction = state.auction
        calls = tuple(
            replace(made, standing=Standing.LEGAL) if made.is_same(self.made) else made
            for made in auction.calls
        )
        options = _without_options(auction, self.made.is_same)
        auction = replace(_with_calls(auction, calls), options=options, turn=self.turn)
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class CallsWithdrawn:
    """Calls were withdrawn or cancelled; the turn goes back."""

    withdrawn: tuple[MadeCall, ...]
    turn: Seat

    def apply_to(self, state: State) -> State:
        auction = state.auction
        calls = tuple(
            replace(made, standing=Standing.WITHDRAWN) if self._is(made) else made
            for made in auction.calls
        )
        options = _without_options(auction, self._is)
        auction = replace(_with_calls(auction, calls), options=options, turn=self.turn)
        return replace(state, auction=auction)

    def _is(self, made: MadeCall) -> bool:
        return any(made.is_same(gone) for gone in self.withdrawn)


@dataclass(frozen=True, slots=True)
class CallTakenOut:
    """A call left the record, to enter it later or because it never was one.

    That is a simultaneous call, which counts as made after the other (33), a call made
    over another that is being changed (25A), a pass that the Laws had put there (37).
    """

    made: MadeCall
    turn: Seat | None

    def apply_to(self, state: State) -> State:
        auction = state.auction
        calls = tuple(made for made in auction.calls if not made.is_same(self.made))
        options = _without_options(auction, self.made.is_same)
        auction = replace(_with_calls(auction, calls), options=options, turn=self.turn)
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class PassMade:
    """The player has made the pass that the Laws had put there for him (28A)."""

    made: MadeCall

    def apply_to(self, state: State) -> State:
        calls = tuple(
            replace(made, implied=False) if made.is_same(self.made) else made
            for made in state.auction.calls
        )
        return replace(state, auction=_with_calls(state.auction, calls))


@dataclass(frozen=True, slots=True)
class CallWaits:
    """A call waits until LHO of an earlier one has chosen."""

    waiting: Waiting

    def apply_to(self, state: State) -> State:
        waiting = (*state.auction.waiting, self.waiting)
        return replace(state, auction=replace(state.auction, waiting=waiting))


@dataclass(frozen=True, slots=True)
class WaitingEnded:
    """The calls that were waiting are judged now."""

    def apply_to(self, state: State) -> State:
        return replace(state, auction=replace(state.auction, waiting=()))


@dataclass(frozen=True, slots=True)
class AtOnceSet:
    """A call was ruled on as if LHO had not called; None: that ruling is final."""

    at_once: RuledAtOnce | None

    def apply_to(self, state: State) -> State:
        return replace(state, auction=replace(state.auction, at_once=self.at_once))


@dataclass(frozen=True, slots=True)
class ChangeOffered:
    """LHO may change his call after a change of call (25A, 21B); None: no longer."""

    offer: Offer | None

    def apply_to(self, state: State) -> State:
        return replace(state, auction=replace(state.auction, offer=self.offer))


@dataclass(frozen=True, slots=True)
class ReplacementDue:
    """A cancelled call awaits the offender's call in its place."""

    due: Due

    def apply_to(self, state: State) -> State:
        dues = (*state.auction.dues, self.due)
        return replace(state, auction=replace(state.auction, dues=dues))


@dataclass(frozen=True, slots=True)
class ReplacementSettled:
    """What was awaited has come, or is awaited no more."""

    due: Due

    def apply_to(self, state: State) -> State:
        dues = tuple(due for due in state.auction.dues if due != self.due)
        return replace(state, auction=replace(state.auction, dues=dues))


@dataclass(frozen=True, slots=True)
class RestrictionClaimed:
    """Law 26 applies to a withdrawn call."""

    claim: RestrictionClaim

    def apply_to(self, state: State) -> State:
        claims = (*state.auction.claims, self.claim)
        return replace(state, auction=replace(state.auction, claims=claims))


@dataclass(frozen=True, slots=True)
class RestrictionDropped:
    """Law 26 does not apply to a withdrawn call after all."""

    claim: RestrictionClaim

    def apply_to(self, state: State) -> State:
        claims = tuple(c for c in state.auction.claims if c != self.claim)
        return replace(state, auction=replace(state.auction, claims=claims))


@dataclass(frozen=True, slots=True)
class SpentNoted:
    """A call has used up what bound its player, or what was awaited of him."""

    spent: Spent

    def apply_to(self, state: State) -> State:
        spent = (*state.auction.spent, self.spent)
        return replace(state, auction=replace(state.auction, spent=spent))


@dataclass(frozen=True, slots=True)
class SpentReturned:
    """It binds again, because the call that used it up was taken back."""

    by: MadeCall

    def apply_to(self, state: State) -> State:
        auction = state.auction
        back = [spent for spent in auction.spent if spent.by.is_same(self.by)]
        if not back:
            return state
        left = tuple(spent for spent in auction.spent if spent not in back)
        bindings = tuple(b for spent in back for b in spent.bindings)
        auction = replace(auction, spent=left, dues=back[0].dues, claims=back[0].claims)
        return replace(state, auction=auction, bindings=(*state.bindings, *bindings))


@dataclass(frozen=True, slots=True)
class CardsExposed:
    """Cards lie face up until the auction ends."""

    exposed: Exposed

    def apply_to(self, state: State) -> State:
        exposed = (*state.auction.exposed, self.exposed)
        return replace(state, auction=replace(state.auction, exposed=exposed))


@dataclass(frozen=True, slots=True)
class AuctionEnded:
    """The auction is over; no contract when it was passed out (Law 22)."""

    contract: Contract | None

    def apply_to(self, state: State) -> State:
        auction = replace(state.auction, turn=None, ended=True, contract=self.contract)
        return replace(state, auction=auction)


@dataclass(frozen=True, slots=True)
class AuctionReopened:
    """A change of call undid the end of the auction (25A, 21B)."""

    turn: Seat

    def apply_to(self, state: State) -> State:
        auction = replace(state.auction, turn=self.turn, ended=False, contract=None)
        return replace(state, auction=auction, play=None)
