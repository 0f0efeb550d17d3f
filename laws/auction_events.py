"""Events of the auction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

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
from laws.state import State, with_auction


def _with_matters(state: State, **changes: Any) -> State:  # noqa: ANN401 - any field's
    auction = state.auction
    matters = replace(auction.matters, **changes)
    return with_auction(state, replace(auction, matters=matters))


def _with_calls(state: State, calls: tuple[MadeCall, ...], turn: Seat | None) -> State:
    """The calls as they stand now; those no longer open are no options any more."""
    legal = tuple(made for made in calls if made.standing is Standing.LEGAL)
    open_ = [made for made in calls if made.standing is Standing.OPEN]
    auction = replace(state.auction, calls=calls, legal_calls=legal, turn=turn)
    options = tuple(
        option
        for option in auction.options
        if any(option.made.is_same(made) for made in open_)
    )
    if options != auction.options:
        matters = replace(auction.matters, options=options)
        auction = replace(auction, matters=matters)
    return with_auction(state, auction)


def _standing(
    state: State, standing: Standing, concerns: Callable[[MadeCall], bool]
) -> tuple[MadeCall, ...]:
    return tuple(
        replace(made, standing=standing) if concerns(made) else made
        for made in state.auction.calls
    )


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call entered the record, and the turn goes on.

    It belongs to the legal auction unless it was cancelled as it was made.
    """

    made: MadeCall
    turn: Seat | None

    def apply_to(self, state: State) -> State:
        before, made = state.auction, self.made
        legal = before.legal_calls
        if made.standing is Standing.LEGAL:
            legal = (*legal, made)
        calls = (*before.calls, made)
        contract, ended, matters = before.contract, before.ended, before.matters
        auction = Auction(self.turn, calls, legal, contract, ended, matters)
        return with_auction(state, auction)


@dataclass(frozen=True, slots=True)
class CallOpened:
    """An irregular call entered the record; LHO may accept it."""

    option: OpenOption
    turn: Seat

    def apply_to(self, state: State) -> State:
        calls = (*state.auction.calls, self.option.made)
        auction = replace(state.auction, calls=calls, turn=self.turn)
        options = (*auction.options, self.option)
        return _with_matters(with_auction(state, auction), options=options)


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
        return _with_matters(state, options=options)


@dataclass(frozen=True, slots=True)
class CallStands:
    """A call that was open or cancelled belongs to the legal auction."""

    made: MadeCall
    turn: Seat

    def apply_to(self, state: State) -> State:
        calls = _standing(state, Standing.LEGAL, self.made.is_same)
        return _with_calls(state, calls, self.turn)


@dataclass(frozen=True, slots=True)
class CallsWithdrawn:
    """Calls were withdrawn or cancelled; the turn goes back."""

    withdrawn: tuple[MadeCall, ...]
    turn: Seat

    def apply_to(self, state: State) -> State:
        calls = _standing(state, Standing.WITHDRAWN, self._is_gone)
        return _with_calls(state, calls, self.turn)

    def _is_gone(self, made: MadeCall) -> bool:
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
        calls = state.auction.calls
        left = tuple(made for made in calls if not made.is_same(self.made))
        return _with_calls(state, left, self.turn)


@dataclass(frozen=True, slots=True)
class WrongBoardSet:
    """A call on cards of a wrong board is to be made again, LHO having called over it.

    None: it has been.
    """

    calls: tuple[MadeCall, MadeCall] | None

    def apply_to(self, state: State) -> State:
        matters = replace(state.auction.matters, wrong_board=self.calls)
        return with_auction(state, replace(state.auction, matters=matters))


@dataclass(frozen=True, slots=True)
class PassMade:
    """The player has made the pass that the Laws had put there for him (28A, 37B)."""

    made: MadeCall

    def apply_to(self, state: State) -> State:
        calls = tuple(
            replace(made, implied=False) if made.is_same(self.made) else made
            for made in state.auction.calls
        )
        return _with_calls(state, calls, state.auction.turn)


@dataclass(frozen=True, slots=True)
class CallWaits:
    """A call waits until LHO of an earlier one has chosen."""

    waiting: Waiting

    def apply_to(self, state: State) -> State:
        waiting = (*state.auction.waiting, self.waiting)
        return _with_matters(state, waiting=waiting)


@dataclass(frozen=True, slots=True)
class WaitingEnded:
    """The calls that were waiting are judged now."""

    def apply_to(self, state: State) -> State:
        return _with_matters(state, waiting=())


@dataclass(frozen=True, slots=True)
class AtOnceSet:
    """A call was ruled on as if LHO had not called; None: that ruling is final."""

    at_once: RuledAtOnce | None

    def apply_to(self, state: State) -> State:
        return _with_matters(state, at_once=self.at_once)


@dataclass(frozen=True, slots=True)
class ChangeOffered:
    """LHO may change his call after a change of call (25A, 21B); None: no longer."""

    offer: Offer | None

    def apply_to(self, state: State) -> State:
        return _with_matters(state, offer=self.offer)


@dataclass(frozen=True, slots=True)
class ReplacementDue:
    """A cancelled call awaits the offender's call in its place."""

    due: Due

    def apply_to(self, state: State) -> State:
        return _with_matters(state, dues=(*state.auction.dues, self.due))


@dataclass(frozen=True, slots=True)
class ReplacementSettled:
    """What was awaited has come, or is awaited no more."""

    due: Due

    def apply_to(self, state: State) -> State:
        dues = tuple(due for due in state.auction.dues if due != self.due)
        return _with_matters(state, dues=dues)


@dataclass(frozen=True, slots=True)
class RestrictionClaimed:
    """Law 26 applies to a withdrawn call."""

    claim: RestrictionClaim

    def apply_to(self, state: State) -> State:
        return _with_matters(state, claims=(*state.auction.claims, self.claim))


@dataclass(frozen=True, slots=True)
class RestrictionDropped:
    """Law 26 does not apply to a withdrawn call after all."""

    claim: RestrictionClaim

    def apply_to(self, state: State) -> State:
        claims = tuple(c for c in state.auction.claims if c != self.claim)
        return _with_matters(state, claims=claims)


@dataclass(frozen=True, slots=True)
class SpentNoted:
    """A call has used up what bound its player, or what was awaited of him."""

    spent: Spent

    def apply_to(self, state: State) -> State:
        return _with_matters(state, spent=(*state.auction.spent, self.spent))


@dataclass(frozen=True, slots=True)
class SpentReturned:
    """It binds again, because the call that used it up was taken back."""

    by: MadeCall

    def apply_to(self, state: State) -> State:
        spent = state.auction.spent
        back = [one for one in spent if one.by.is_same(self.by)]
        if not back:
            return state
        left = tuple(one for one in spent if one not in back)
        bindings = tuple(binding for one in back for binding in one.bindings)
        dues, claims = back[0].dues, back[0].claims
        state = _with_matters(state, spent=left, dues=dues, claims=claims)
        return replace(state, bindings=(*state.bindings, *bindings))


@dataclass(frozen=True, slots=True)
class CardsExposed:
    """Cards lie face up until the auction ends."""

    exposed: Exposed

    def apply_to(self, state: State) -> State:
        return _with_matters(state, exposed=(*state.auction.exposed, self.exposed))


@dataclass(frozen=True, slots=True)
class AuctionEnded:
    """The auction is over; no contract when it was passed out (Law 22)."""

    contract: Contract | None

    def apply_to(self, state: State) -> State:
        auction = replace(state.auction, turn=None, ended=True, contract=self.contract)
        return with_auction(state, auction)


@dataclass(frozen=True, slots=True)
class AuctionReopened:
    """A change of call undid the end of the auction (25A, 21B)."""

    turn: Seat

    def apply_to(self, state: State) -> State:
        auction = replace(state.auction, turn=self.turn, ended=False, contract=None)
        return replace(state, auction=auction, play=None)
