"""The auction: turn, legal calls and its end (Laws 17-19, 22).

Only the facts and what the Laws make of a regular auction; irregular calls are
judged in ``out_of_rotation``, ``insufficient_bids``, ``inadmissible_calls`` and
``change_of_call``.
"""

from dataclasses import dataclass

from laws.calls import BIDS, Call
from laws.contract import Contract, Risk
from laws.seats import Seat


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call as it stands in the record of the auction.

    ``withdrawn`` calls (cancelled ones too) stay in the record but not in the legal
    auction.
    """

    line: int
    seat: Seat
    call: Call
    alerted: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction.

    Attributes:
        turn: the seat to call; None when the auction has ended.
        calls: every call in table order, withdrawn ones included.
        contract: once it has ended; None also when passed out.
        ended: whether the auction is over.
    """

    turn: Seat | None
    calls: tuple[MadeCall, ...] = ()
    contract: Contract | None = None
    ended: bool = False

    @property
    def legal_calls(self) -> tuple[MadeCall, ...]:
        """The legal auction: withdrawn calls left out."""
        return tuple(made for made in self.calls if not made.withdrawn)


def last_bid(calls: tuple[MadeCall, ...]) -> MadeCall | None:
    """The last bid of a legal auction."""
    return next((made for made in reversed(calls) if made.call.is_bid), None)


def admissible(calls: tuple[MadeCall, ...], seat: Seat, call: Call) -> bool:
    """Whether the call may be made by the seat at its turn (Laws 18, 19)."""
    if call is Call.PASS:
        return True
    if call.is_bid:
        bid = last_bid(calls)
        return bid is None or call.height > bid.call.height
    last = next((made for made in reversed(calls) if made.call is not Call.PASS), None)
    if last is None or last.seat.side is seat.side:
        return False
    return last.call.is_bid if call is Call.DOUBLE else last.call is Call.DOUBLE


def admissible_calls(calls: tuple[MadeCall, ...], seat: Seat) -> tuple[Call, ...]:
    """The calls that Laws 18 and 19 leave to the seat at its turn."""
    return tuple(
        call
        for call in (Call.PASS, Call.DOUBLE, Call.REDOUBLE, *BIDS)
        if admissible(calls, seat, call)
    )


def is_over(calls: tuple[MadeCall, ...]) -> bool:
    """Whether three passes follow a call, or all four have passed (Law 22).

    Holds for an auction in rotation; Laws 17E2 and 34 are for those where a seat
    was skipped.
    """
    if len(calls) < 4:
        return False
    return all(made.call is Call.PASS for made in calls[-3:])


def contract_of(calls: tuple[MadeCall, ...]) -> Contract | None:
    """The contract of an auction that is over; None when it was passed out."""
    bid = last_bid(calls)
    if bid is None or bid.call.denomination is None:
        return None
    risk = Risk.UNDOUBLED
    for made in calls[calls.index(bid) + 1 :]:
        if made.call is Call.DOUBLE:
            risk = Risk.DOUBLED
        elif made.call is Call.REDOUBLE:
            risk = Risk.REDOUBLED
    declarer = next(
        made.seat
        for made in calls
        if made.seat.side is bid.seat.side
        and made.call.denomination is bid.call.denomination
    )
    return Contract(bid.call.level, bid.call.denomination, risk, declarer)
