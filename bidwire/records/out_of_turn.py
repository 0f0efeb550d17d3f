"""A call out of turn put into an auction, with the ruling that must be found.

The rulings are Laws 28 to 32 (with 26 for the lead) of both editions. Calls carry no
alert, so each counts as natural, and a call is comparable or of the same meaning only
if it is the same call: what is assumed of a question that no Director answers. Left out
are calls at the turn of the caller's LHO after he has called (25) and inadmissible
doubles (36).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from bidwire.records.plan import Effect
from bidwire.records.playout import LeadRestriction
from bidwire.records.record import Contract, PassedOut
from bidwire.records.rectification import (
    Turn,
    effects_of,
    may_require,
    restricted_suits,
)
from bidwire.records.rules import Called, contract_of, is_legal_call, last_bid
from bidwire.records.weaver import Weaver, turn_of
from laws.actions import Action
from laws.board import Edition
from laws.calls import BIDS, Call
from laws.seats import Seat


@dataclass(frozen=True, slots=True)
class Woven:
    """An auction with a call out of turn in it.

    Attributes:
        actions: calls and answers in order.
        at: place of the call out of turn among them.
        seat: who made it.
        call: the call.
        law: the paragraph that decides.
        effects: what the ruling compels or allows.
        calls: the legal auction, without the withdrawn call.
        contract: what it comes to.
        restriction: the lead restriction that declarer has, if any.
    """

    actions: tuple[Action, ...]
    at: int
    seat: Seat
    call: Call
    law: str
    effects: tuple[Effect, ...]
    calls: tuple[Called, ...]
    contract: Contract | PassedOut
    restriction: LeadRestriction | None


def weave(calls: Sequence[Called], edition: Edition, random: Random) -> Woven | None:
    """Put a call out of turn at a random place of a complete, legal auction.

    None where no attempt leads to a contract.
    """
    for _ in range(100):
        woven = _attempt(calls, edition, random)
        if woven is not None and isinstance(woven.contract, Contract):
            return woven
    return None


def _attempt(calls: Sequence[Called], edition: Edition, random: Random) -> Woven | None:
    place = random.randrange(len(calls))
    to_call = calls[place][0]
    offenders = [to_call.lho, to_call.partner] + [to_call.rho] * (place == 0)
    offender = random.choice(offenders)
    call = _call_out_of_turn(calls, place, offender, random)
    weaver = Weaver(calls, place, (offender, call), edition, random)
    answers = [weaver.decline] * 4 + [weaver.accept]
    if turn_of(offender, to_call) is Turn.RHO:
        answers.append(weaver.overtake)
    answered = random.choice(answers)
    if not answered() or weaver.ruling is None:
        return None
    contract = contract_of(weaver.calls)
    effects = effects_of(weaver.ruling.bonds, offender, call)
    restriction = _restriction(weaver, offender, call, contract, edition)
    if restriction is not None:
        effects += (_restriction_effect(restriction),)
    return Woven(
        actions=tuple(weaver.actions),
        at=place,
        seat=offender,
        call=call,
        law=weaver.ruling.law,
        effects=effects,
        calls=tuple(weaver.calls),
        contract=contract,
        restriction=restriction,
    )


def _call_out_of_turn(
    calls: Sequence[Called], place: int, offender: Seat, random: Random
) -> Call:
    """A pass, an admissible double, the call he was going to make, or a low bid."""
    before = calls[:place]
    recorded = [call for seat, call in calls[place:] if seat is offender][:1]
    over = last_bid(before)
    bids = [bid for bid in BIDS if over is None or bid.height > over[1].height]
    choices = [Call.PASS, Call.DOUBLE, Call.DOUBLE, *recorded, *recorded, *bids[:4]]
    return random.choice(
        [
            call
            for call in choices
            if call is not Call.REDOUBLE and is_legal_call(before, offender, call)
        ]
    )


def _restriction(
    weaver: Weaver,
    offender: Seat,
    call: Call,
    contract: Contract | PassedOut,
    edition: Edition,
) -> LeadRestriction | None:
    """The restriction on the lead of the offender's partner, if his side defends."""
    if weaver.replacement is None or isinstance(contract, PassedOut):
        return None
    if contract.declarer in offender.side.seats:
        return None
    legal = [made for seat, made in weaver.calls if seat is offender]
    suits = restricted_suits(edition, call, weaver.replacement, legal)
    if not suits:
        return None
    return LeadRestriction(offender.partner, suits, may_require(edition, call))


def _restriction_effect(restriction: LeadRestriction) -> Effect:
    return {
        "kind": "lead_restriction",
        "seat": restriction.seat.value,
        "mode": "require_or_forbid" if restriction.may_require else "forbid_one",
        "suits": [suit.value for suit in restriction.suits],
    }
