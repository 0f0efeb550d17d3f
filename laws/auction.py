"""The auction: turn, legal calls and its end (Laws 17-19, 22, 34).

Only the facts and what the Laws make of a regular auction; irregular calls are
judged in ``change_of_call`` (25), ``insufficient_bids`` (27), ``out_of_rotation``
(28-32) and ``inadmissible_calls`` (35-39). What they leave open is kept in
``auction_state``.
"""

from dataclasses import dataclass
from enum import StrEnum

from laws.calls import BIDS, Call
from laws.contract import Contract, Risk
from laws.seats import Seat


class Standing(StrEnum):
    """Whether a call counts."""

    LEGAL = "legal"
    OPEN = "open"
    """Irregular, and nobody has accepted or declined it yet."""
    WITHDRAWN = "withdrawn"
    """Withdrawn or cancelled: it stays in the record only."""


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call as it stands in the record of the auction.

    Attributes:
        line: the happening that made it.
        seat: who made it.
        call: what it was.
        alerted: whether it was alerted.
        standing: whether it counts.
        turn: whose turn it was, None for the caller's own.
        implied: a pass that the Laws put there (28A, 37B), which nobody has made.
    """

    line: int
    seat: Seat
    call: Call
    alerted: bool = False
    standing: Standing = Standing.LEGAL
    turn: Seat | None = None
    implied: bool = False

    @property
    def withdrawn(self) -> bool:
        """Whether it was withdrawn or cancelled."""
        return self.standing is Standing.WITHDRAWN

    def is_same(self, other: "MadeCall") -> bool:
        """Whether the other is this call, however it stands."""
        return (
            self.line == other.line
            and self.seat is other.seat
            and self.call is other.call
        )


def last_bid(calls: tuple[MadeCall, ...]) -> MadeCall | None:
    """The last bid of a legal auction."""
    for made in reversed(calls):
        if made.call.is_bid:
            return made
    return None


def last_action(calls: tuple[MadeCall, ...]) -> MadeCall | None:
    """The last call of a legal auction that was not a pass."""
    for made in reversed(calls):
        if made.call is not Call.PASS:
            return made
    return None


def admissible(calls: tuple[MadeCall, ...], seat: Seat, call: Call) -> bool:
    """Whether the call may be made by the seat at its turn (Laws 18, 19)."""
    if call is Call.PASS:
        return True
    if call.is_bid:
        return is_sufficient(calls, call)
    last = last_action(calls)
    if last is None or last.seat.side is seat.side:
        return False
    return last.call.is_bid if call is Call.DOUBLE else last.call is Call.DOUBLE


def is_sufficient(calls: tuple[MadeCall, ...], bid: Call) -> bool:
    """Whether a bid supersedes the last one (Law 18B, C)."""
    last = last_bid(calls)
    return last is None or bid.height > last.call.height


def admissible_calls(calls: tuple[MadeCall, ...], seat: Seat) -> tuple[Call, ...]:
    """The calls that Laws 18 and 19 leave to the seat at its turn."""
    return tuple(
        call
        for call in (Call.PASS, Call.DOUBLE, Call.REDOUBLE, *BIDS)
        if admissible(calls, seat, call)
    )


def has_three_passes(calls: tuple[MadeCall, ...]) -> bool:
    """Whether three passes follow a call, which may be a pass itself (Law 22)."""
    return (
        len(calls) > 3
        and calls[-1].call is Call.PASS
        and calls[-2].call is Call.PASS
        and calls[-3].call is Call.PASS
    )


def skipped_seat(calls: tuple[MadeCall, ...]) -> tuple[Seat, int] | None:
    """The first seat that lost its turn through one of the last three passes.

    Laws 17E2 (2007), 17D3 (2017) and 34: the auction goes back to him.

    Returns:
        The seat, and how many of the calls were made before its missed turn; None
        when every seat had its turn.
    """
    for i in range(len(calls) - 3, len(calls)):
        due = calls[i - 1].seat.lho
        if calls[i].seat is not due:
            return due, i
    return None


def is_over(calls: tuple[MadeCall, ...]) -> bool:
    """Whether the auction has ended (Laws 17, 22, 34)."""
    return has_three_passes(calls) and skipped_seat(calls) is None


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
