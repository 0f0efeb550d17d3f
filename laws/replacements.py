"""The call that takes the place of a cancelled one, and what follows from it.

Decides Laws 23B, C (2017), 27B1 and 27B2, 30B1(b) (2017), 31A1, 31A2, 31B2 (2017), 32A
and 32B as far as they wait for RHO's or for the offender's own next call.
"""

from collections.abc import Callable

from laws.auction import MadeCall, is_over, is_sufficient
from laws.auction_events import ReplacementDue, ReplacementSettled
from laws.auction_state import Due, DueKind, Position
from laws.calls import BIDS, Call
from laws.effects import (
    adjustable,
    aware_of_call,
    must_pass,
    must_repeat,
    rule_on,
    rules,
    unauthorised,
)
from laws.judgement import Judgement
from laws.lead_restrictions import claim, consider
from laws.meanings import (
    Finding,
    denominations_specified,
    has_same_meaning,
    is_artificial,
    is_comparable,
)
from laws.rectifications import Outcome, Rectification
from laws.rulings import RulingKey, Scope

OUT_OF_TURN = "call-out-of-turn"
INSUFFICIENT = "insufficient-bid"


def settle_dues(judge: Judgement, made: MadeCall) -> None:
    """Settle what a call of the legal auction was awaited for."""
    dues = judge.state.auction.dues
    for number, due in enumerate(dues):
        if due.seat is made.seat:
            judge.emit(ReplacementSettled(due))
            _DECIDE[due.kind](judge, due, made)
        elif _awaits_rho(due, made):
            later = any(
                other.seat is due.seat and _awaits_rho(other, made)
                for other in dues[number + 1 :]
            )
            if later and made.call is Call.PASS:
                _leave_to_later(judge, due)
            else:
                _rho_has_called(judge, due, made)


def _awaits_rho(due: Due, made: MadeCall) -> bool:
    """Whether what follows from a call at RHO's turn hangs on this call of RHO."""
    return (
        due.kind is DueKind.REPLACES_OUT_OF_ROTATION
        and due.position is Position.RHO
        and due.seat.rho is made.seat
        and not due.rho_acted
    )


def _leave_to_later(judge: Judgement, due: Due) -> None:
    """31A1, 32: of two calls out of rotation he repeats the later one.

    For the earlier, withdrawn and not repeated, Law 26 remains.
    """
    judge.emit(ReplacementSettled(due))
    judge.emit(ReplacementDue(Due(DueKind.RESTRICTION, due.withdrawn, due.ruling)))


def _row(judge: Judgement, due: Due) -> Rectification:
    if due.call_class is None or due.position is None:
        raise AssertionError(due)
    return rules(judge).out_of_rotation[(due.call_class, due.position)]


def _rho_has_called(judge: Judgement, due: Due, made: MadeCall) -> None:
    """Laws 31A and 32 (2007: 32B; 2017: 32A) at RHO's turn."""
    row, withdrawn = _row(judge, due), due.withdrawn
    judge.emit(ReplacementSettled(due))
    if made.call is Call.PASS and is_over(judge.state.auction.legal_calls):
        # The auction has ended (22): he has no turn at which to repeat the call.
        claim(judge, due.ruling, withdrawn)
    elif made.call is Call.PASS:
        rule_on(
            judge,
            withdrawn,
            OUT_OF_TURN,
            row.repeat,
            laws=row.laws,
            effects=(must_repeat(withdrawn.seat, withdrawn.call),),
        )
    elif row.acted is not None:
        key = _give(judge, due, row.acted, ())
        if key is not None:
            judge.emit(ReplacementDue(Due(DueKind.RESTRICTION, withdrawn, key)))
    else:
        judge.emit(
            ReplacementDue(
                Due(
                    due.kind,
                    withdrawn,
                    due.ruling,
                    due.call_class,
                    due.position,
                    rho_acted=True,
                )
            )
        )


def _replaces_out_of_rotation(judge: Judgement, due: Due, made: MadeCall) -> None:
    """30B1(b), 31A2, 31B2, 32A2, 32B2: the offender has called in his turn."""
    row = _row(judge, due)
    if row.same is None or row.other is None:
        if row.acted is not None:
            key = _give(judge, due, row.acted, ())
            if key is not None:
                consider(judge, key, due.withdrawn, made)
        return
    if rules(judge).comparable_calls:
        same = is_comparable(judge, made, due.withdrawn)
    else:
        same = _repeats_denomination(judge, due.withdrawn, made)
    outcome = row.same if same.value else row.other
    key = _give(judge, due, outcome, same.assumptions)
    if outcome.restricts and key is not None:
        if rules(judge).comparable_calls:
            claim(judge, key, due.withdrawn)
        else:
            consider(judge, key, due.withdrawn, made)


def _give(
    judge: Judgement, due: Due, outcome: Outcome, assumptions: tuple[str, ...]
) -> RulingKey | None:
    """Give the ruling of an outcome."""
    withdrawn = due.withdrawn
    effects = []
    if outcome.partner is not None:
        effects.append(must_pass(withdrawn.seat.partner, outcome.partner))
    if outcome.awareness:
        effects += aware_of_call(judge, withdrawn)
    if "23C" in outcome.laws:
        effects.append(adjustable("23C"))
    return rule_on(
        judge,
        withdrawn,
        OUT_OF_TURN,
        outcome.law,
        laws=(due.ruling[1], *outcome.laws),
        effects=tuple(effects),
        assumptions=assumptions,
    )


def _repeats_denomination(
    judge: Judgement, withdrawn: MadeCall, made: MadeCall
) -> Finding:
    """31A2 (2007): a bid of what the withdrawn bid specified (29C), at any level."""
    if not withdrawn.call.is_bid or not made.call.is_bid:
        return Finding(value=False)
    before = denominations_specified(judge, withdrawn)
    after = denominations_specified(judge, made)
    repeats = bool(after.denominations) and after.denominations <= before.denominations
    return Finding(repeats, (*before.assumptions, *after.assumptions))


def _restriction_only(judge: Judgement, due: Due, made: MadeCall) -> None:
    """Law 26 for a call on which the ruling has been given (31B, 32, 36B, 27B)."""
    consider(judge, due.ruling, due.withdrawn, made)


def _replaces_insufficient(judge: Judgement, due: Due, made: MadeCall) -> None:
    """27B1, 27B2: the insufficient bid has been replaced by a legal call."""
    withdrawn = due.withdrawn
    if due.barred:
        consider(judge, due.ruling, withdrawn, made)
        return
    natural = _same_denomination(judge, withdrawn, made)
    if natural.value:
        rule_on(
            judge,
            withdrawn,
            INSUFFICIENT,
            "27B1(a)",
            laws=("27B",),
            effects=(adjustable("27D"),),
            assumptions=natural.assumptions,
        )
        return
    cured = replaces_in_meaning(judge, made, withdrawn)
    assumptions = (*natural.assumptions, *cured.assumptions)
    if cured.value:
        informed = not rules(judge).comparable_calls
        partner = withdrawn.seat.partner
        rule_on(
            judge,
            withdrawn,
            INSUFFICIENT,
            "27B1(b)",
            laws=("27B",) if informed else ("27B", "23C"),
            effects=(
                *(unauthorised(judge, partner) if informed else ()),
                adjustable("27D"),
            ),
            assumptions=assumptions,
        )
        return
    key = rule_on(
        judge,
        withdrawn,
        INSUFFICIENT,
        "27B2",
        laws=("27B",),
        effects=(
            must_pass(withdrawn.seat.partner, Scope.REST_OF_AUCTION),
            *aware_of_call(judge, withdrawn),
        ),
        assumptions=assumptions,
    )
    if key is not None:
        claim(judge, key, withdrawn)


def replaces_in_meaning(
    judge: Judgement, made: MadeCall, withdrawn: MadeCall
) -> Finding:
    """27B1(b): the same or a more precise meaning (2007), comparable (2017)."""
    if rules(judge).comparable_calls:
        return is_comparable(judge, made, withdrawn, "27B1(b)")
    return has_same_meaning(judge, made, withdrawn)


def _same_denomination(
    judge: Judgement, withdrawn: MadeCall, made: MadeCall
) -> Finding:
    """27B1(a): the lowest sufficient bid that specifies the same denomination.

    2007 asks in addition that neither bid be artificial.
    """
    if not made.call.is_bid or not _is_lowest(judge, made):
        return Finding(value=False)
    if not rules(judge).comparable_calls:
        if made.call.denomination is not withdrawn.call.denomination:
            return Finding(value=False)
        before = is_artificial(judge, withdrawn, "27B1(a)")
        after = is_artificial(judge, made, "27B1(a)")
        return Finding(
            not before.value and not after.value,
            (*before.assumptions, *after.assumptions),
        )
    old = denominations_specified(judge, withdrawn)
    new = denominations_specified(judge, made)
    return Finding(
        bool(old.denominations) and old.denominations == new.denominations,
        (*old.assumptions, *new.assumptions),
    )


def _is_lowest(judge: Judgement, made: MadeCall) -> bool:
    """Whether it is the lowest sufficient bid of the denomination that it names."""
    before = tuple(
        call for call in judge.state.auction.legal_calls if not call.is_same(made)
    )
    named = made.call.denomination
    lowest = (b for b in BIDS if b.denomination is named and is_sufficient(before, b))
    return next(lowest, None) is made.call


_DECIDE: dict[DueKind, Callable[[Judgement, Due, MadeCall], None]] = {
    DueKind.REPLACES_INSUFFICIENT: _replaces_insufficient,
    DueKind.REPLACES_OUT_OF_ROTATION: _replaces_out_of_rotation,
    DueKind.RESTRICTION: _restriction_only,
}
