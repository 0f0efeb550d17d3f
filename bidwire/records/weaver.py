"""An auction carried on from a call out of turn, by what the Laws compel.

Each player makes the calls of the record in their order where he is free and they are
legal, and passes otherwise; so the auction ends.
"""

from collections.abc import Sequence
from random import Random

from bidwire.records.rectification import (
    Bond,
    Rectification,
    Turn,
    after_replacement,
    after_rho,
    at_once,
)
from bidwire.records.rules import Called, has_ended, is_legal_call, last_bid
from laws.actions import Accept, Action, Decline, MakeCall
from laws.board import Edition
from laws.calls import BIDS, Call
from laws.cards import Denomination
from laws.seats import SEATS, Seat

_ONCE = {Bond.OFFENDER_PASSES_ONCE, Bond.PARTNER_PASSES_ONCE}
_THROUGHOUT = {Bond.OFFENDER_PASSES, Bond.PARTNER_PASSES}
_ON_OFFENDER = {Bond.OFFENDER_PASSES_ONCE, Bond.OFFENDER_PASSES}


class Weaver:
    """One auction with one call out of turn, before the call at ``place``.

    Attributes:
        actions: calls and answers in order.
        calls: the legal auction.
        ruling: what was decided; None until it is.
        replacement: the offender's call in place of the cancelled one.
    """

    def __init__(
        self,
        calls: Sequence[Called],
        place: int,
        out_of_turn: Called,
        edition: Edition,
        random: Random,
    ) -> None:
        offender, call = out_of_turn
        self.calls = list(calls[:place])
        self.actions: list[Action] = [MakeCall(*made) for made in self.calls]
        self.actions.append(MakeCall(offender, call))
        self.ruling: Rectification | None = None
        self.replacement: Call | None = None
        self._place = place
        self._to_call = calls[place][0]
        self._to_come = {
            seat: [made for caller, made in calls[place:] if caller is seat]
            for seat in SEATS
        }
        self._offender, self._call = offender, call
        self._turn = turn_of(offender, self._to_call)
        self._edition, self._random = edition, random
        self._once: set[Seat] = set()
        self._throughout: set[Seat] = set()

    def decline(self) -> bool:
        """LHO declines; False when the offender never came to replace his call."""
        self.actions.append(Decline(self._offender.lho))
        self._settle(
            at_once(
                self._edition,
                self._turn,
                self._call,
                bid_made=last_bid(self.calls) is not None,
            )
        )
        seat = self._to_call
        while seat is not self._offender and not has_ended(self.calls):
            self._make(seat, self._answering_call(seat))
            if self._turn is Turn.RHO and self.ruling is None:
                made = self.calls[-1][1]
                self._settle(after_rho(self._edition, self._call, made))
            seat = seat.lho
        if has_ended(self.calls):
            return False
        self.replacement = self._replacing_call()
        self._make(self._offender, self.replacement)
        if self.ruling is None:
            self._settle(after_replacement(self._edition, self._call, self.replacement))
        self._go_on()
        return True

    def accept(self) -> bool:
        """LHO accepts (29A); False where he has no call to do it with.

        Over a pass he bids, and a pass that would end the auction he does not accept,
        since the player skipped through it may get his turn back (17D3, 17E2).
        """
        lho = self._offender.lho
        if self._turn is Turn.LHO or self._random.random() < 0.5:
            self.actions.append(Accept(lho))
        self.calls.append((self._offender, self._call))
        if has_ended(self.calls):
            return False
        to_come = self._to_come[self._offender]
        if to_come[:1] == [self._call]:
            to_come.pop(0)
        made = self._free_call(lho)
        if self._call is Call.PASS and not made.is_bid:
            bids = self._sufficient()
            if not bids:
                return False
            made = bids[0]
        self._make(lho, made)
        self.ruling = Rectification("29A")
        self._go_on()
        return True

    def overtake(self) -> bool:
        """The opponent whose turn it was calls before there is a ruling (28B)."""
        self._make(self._to_call, self._free_call(self._to_call))
        self.ruling = Rectification("28B")
        self._go_on()
        return True

    def _settle(self, ruling: Rectification | None) -> None:
        if ruling is None:
            return
        self.ruling = ruling
        for bond in ruling.bonds:
            on = self._offender if bond in _ON_OFFENDER else self._offender.partner
            if bond in _ONCE:
                self._once.add(on)
            elif bond in _THROUGHOUT:
                self._throughout.add(on)

    def _go_on(self) -> None:
        seat = self.calls[-1][0].lho
        while not has_ended(self.calls):
            self._make(seat, self._free_call(seat))
            seat = seat.lho

    def _make(self, seat: Seat, call: Call) -> None:
        self.actions.append(MakeCall(seat, call))
        self.calls.append((seat, call))

    def _sufficient(self) -> list[Call]:
        over = last_bid(self.calls)
        return [bid for bid in BIDS if over is None or bid.height > over[1].height]

    def _free_call(self, seat: Seat) -> Call:
        """The player's next call of the record if he may make it, else a pass."""
        to_come = self._to_come[seat]
        call = to_come.pop(0) if to_come else Call.PASS
        if seat in self._throughout:
            return Call.PASS
        if seat in self._once:
            self._once.discard(seat)
            return Call.PASS
        return call if is_legal_call(self.calls, seat, call) else Call.PASS

    def _answering_call(self, seat: Seat) -> Call:
        """A call between the call out of turn and its replacement."""
        call = self._free_call(seat)
        bonds = self.ruling.bonds if self.ruling else ()
        if seat is self._offender.partner:
            barred = Bond.PARTNER_MAY_NOT_DOUBLE in bonds
            doubles = call in {Call.DOUBLE, Call.REDOUBLE}
            return Call.PASS if barred and doubles else call
        if self._turn is Turn.RHO:
            return self._random.choice([call, call, Call.PASS, *self._sufficient()[:1]])
        return call

    def _replacing_call(self) -> Call:
        bonds = self.ruling.bonds if self.ruling else ()
        recorded = self._free_call(self._offender)
        if Bond.OFFENDER_REPEATS in bonds:
            return self._call
        if any(bond in _ON_OFFENDER for bond in bonds):
            return Call.PASS
        bids = self._sufficient()
        choices = [recorded, recorded, Call.PASS, self._call, self._call]
        choices += [b for b in bids if b.denomination is self._call.denomination][:1]
        return self._random.choice([c for c in choices if self._may_replace(c)])

    def _may_replace(self, call: Call) -> bool:
        """Whether it is legal and what follows is not left open by the Laws.

        Open are, in 2007, notrump repeated at another level (26B by its words, 31A2a
        does not name it) and a double repeated when another bid would be doubled.
        """
        if not is_legal_call(self.calls, self._offender, call):
            return False
        if call is self._call:
            between = [made for _, made in self.calls[self._place :]]
            return call is not Call.DOUBLE or not any(c.is_bid for c in between)
        notrump = call.denomination is Denomination.NOTRUMP
        both = notrump and self._call.denomination is Denomination.NOTRUMP
        return not (both and self._edition is Edition.LAWS_2007)


def turn_of(offender: Seat, to_call: Seat) -> Turn:
    """Whose turn it was, seen from the offender."""
    if to_call is offender.rho:
        return Turn.RHO
    return Turn.PARTNER if to_call is offender.partner else Turn.LHO
