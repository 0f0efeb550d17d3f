"""Law 26: what declarer may demand of the lead when a call was withdrawn.

The offender's partner is restricted at his first turn to lead, if their side defends.
2007: a call that showed only suits lets declarer require or forbid one of those that
the offender has not specified in the legal auction (26A1, 26A2), any other lets him
forbid any one suit (26B). 2017: unless a comparable call replaced it, he may forbid
one suit that the offender has not specified (26A, 26B).

Which suits are left follows the auction, so ``follow`` computes them anew after every
call of the offender. In the play ``lead_options`` says what declarer may choose from.
"""

from dataclasses import replace
from typing import NamedTuple

from laws.auction import MadeCall
from laws.auction_events import RestrictionClaimed
from laws.auction_state import RestrictionClaim
from laws.cards import SUITS, Suit
from laws.effects import rules
from laws.events import Amended, Bound
from laws.judgement import Judgement
from laws.meanings import (
    Finding,
    Shown,
    has_different_meaning,
    is_comparable,
    suits_named,
    suits_shown,
)
from laws.rulings import (
    Binding,
    Effect,
    EffectKind,
    LeadMode,
    Question,
    Ruling,
    RulingKey,
    Status,
    key_of,
)
from laws.seats import Seat
from laws.state import State


def consider(
    judge: Judgement, ruling: RulingKey, withdrawn: MadeCall, final: MadeCall
) -> None:
    """Attach Law 26 to a ruling if it applies, the withdrawn call having been replaced.

    It does in 2007 when the final call for that turn is different, in itself or much so
    in meaning; in 2017 when it is not comparable.
    """
    found = _applies(judge, withdrawn, final)
    standing = _in_force(judge.state, ruling)
    if found.assumptions and standing is not None:
        assumptions = dict.fromkeys((*standing.assumptions, *found.assumptions))
        judge.emit(Amended(replace(standing, assumptions=tuple(assumptions))))
    if found.value:
        claim(judge, ruling, withdrawn)


def _applies(judge: Judgement, withdrawn: MadeCall, final: MadeCall) -> Finding:
    if rules(judge).comparable_calls:
        comparable = is_comparable(judge, final, withdrawn, "26A", holds=False)
        return Finding(not comparable.value, comparable.assumptions)
    if final.call is not withdrawn.call:
        return Finding(value=True)
    return has_different_meaning(judge, final, withdrawn)


def claim(judge: Judgement, ruling: RulingKey, withdrawn: MadeCall) -> None:
    """Attach Law 26 to the ruling on a withdrawn call."""
    judge.emit(RestrictionClaimed(RestrictionClaim(ruling, withdrawn)))
    follow(judge)


def drop(judge: Judgement, gone: tuple[RestrictionClaim, ...]) -> None:
    """Law 26 applies to these withdrawn calls no more: what brought it was undone."""
    left = {claimed.ruling for claimed in judge.state.auction.claims}
    for key in dict.fromkeys(claimed.ruling for claimed in gone):
        ruling = _in_force(judge.state, key)
        if key not in left and ruling is not None:
            _put(judge, ruling, [])
    follow(judge)


class _Restriction(NamedTuple):
    """What Law 26 leaves of a claim, the paragraph, and what was assumed."""

    effect: Effect | None
    law: str
    assumptions: tuple[str, ...]


def follow(judge: Judgement) -> None:
    """Bring the lead restrictions up to the auction as it stands."""
    found: dict[RulingKey, list[_Restriction]] = {}
    for claimed in judge.state.auction.claims:
        found.setdefault(claimed.ruling, []).append(_restriction(judge, claimed))
    for key, restrictions in found.items():
        ruling = _in_force(judge.state, key)
        if ruling is not None:
            _put(judge, ruling, restrictions)


def _in_force(state: State, key: RulingKey) -> Ruling | None:
    for ruling in reversed(state.rulings):
        if key_of(ruling) == key and ruling.status is Status.IN_FORCE:
            return ruling
    return None


def _put(judge: Judgement, ruling: Ruling, restrictions: list[_Restriction]) -> None:
    """Let a ruling have these restrictions and no others."""
    kind = EffectKind.LEAD_RESTRICTION
    wanted = tuple(dict.fromkeys(r.effect for r in restrictions if r.effect))
    laws = [r.law for r in restrictions]
    assumptions = [text for r in restrictions for text in r.assumptions]
    amended = replace(
        ruling,
        effects=(*(e for e in ruling.effects if e.kind is not kind), *wanted),
        laws=tuple(dict.fromkeys((*ruling.laws, *laws))),
        assumptions=tuple(dict.fromkeys((*ruling.assumptions, *assumptions))),
    )
    if amended == ruling:
        return
    judge.emit(Amended(amended))
    for binding in judge.state.bindings:
        if (
            binding.effect.kind is kind
            and (binding.line, binding.law) == (ruling.line, ruling.law)
            and binding.effect not in wanted
        ):
            judge.release(binding)
    for effect in wanted:
        binding = Binding(effect, ruling.law, ruling.line)
        if binding not in judge.state.bindings:
            judge.emit(Bound(binding))


def _restriction(judge: Judgement, claimed: RestrictionClaim) -> _Restriction:
    seat = claimed.withdrawn.seat
    specified = _specified(judge, seat)
    assumptions = specified.assumptions
    if not rules(judge).restriction_requires:
        law, mode = "26B", LeadMode.FORBID_ONE
        suits = _without(SUITS, specified.suits)
    else:
        shown = suits_shown(judge, claimed.withdrawn, "26")
        assumptions = (*shown.assumptions, *assumptions)
        if shown.suits:
            mode = LeadMode.REQUIRE_OR_FORBID
            suits = _without(shown.suits, specified.suits)
            law = "26A2" if suits else "26A1"
        else:
            law, mode, suits = "26B", LeadMode.FORBID_ONE, SUITS
    if not suits or not _defends(judge.state, seat):
        return _Restriction(None, law, assumptions)
    effect = Effect(
        kind=EffectKind.LEAD_RESTRICTION, seat=seat.partner, mode=mode, suits=suits
    )
    return _Restriction(effect, law, assumptions)


def _defends(state: State, seat: Seat) -> bool:
    """Whether the seat may yet become, or is, a defender."""
    if not state.auction.ended:
        return True
    contract = state.contract
    return contract is not None and contract.declarer.side is not seat.side


def _without(suits: tuple[Suit, ...], gone: tuple[Suit, ...]) -> tuple[Suit, ...]:
    return tuple(suit for suit in suits if suit not in gone)


def _specified(judge: Judgement, seat: Seat) -> Shown:
    """The suits that the offender has specified in the legal auction."""
    suits: set[Suit] = set()
    assumptions: list[str] = []
    for made in judge.state.auction.legal_calls:
        if made.seat is seat and made.alerted:
            shown = suits_shown(judge, made, "26")
            suits |= set(shown.suits)
            assumptions += shown.assumptions
        elif made.seat is seat:
            suits |= set(suits_named(made.call))
    return Shown(tuple(suit for suit in SUITS if suit in suits), tuple(assumptions))


def lead_options(state: State, seat: Seat) -> tuple[Binding, ...]:
    """The restrictions that declarer may use when the seat is first to lead.

    He uses one of them (any suit of it, in the way its mode allows) or waives; at the
    first turn to lead, so all of them are used up then.
    """
    return tuple(
        binding
        for binding in state.bindings
        if binding.effect.kind is EffectKind.LEAD_RESTRICTION
        and binding.effect.seat is seat
    )


def lead_question(state: State, line: int, seat: Seat) -> Question | None:
    """What declarer is asked when the seat is first to lead; None without cause."""
    options = lead_options(state, seat)
    contract = state.contract
    if not options or contract is None:
        return None
    choices: list[str] = []
    for binding in options:
        suits = binding.effect.suits or ()
        if binding.effect.mode is LeadMode.REQUIRE_OR_FORBID:
            choices += [f"require {suit}" for suit in suits]
        choices += [f"forbid {suit}" for suit in suits]
    law = "26A2" if any(c.startswith("require") for c in choices) else "26B"
    return Question(
        to=contract.declarer,
        question="lead",
        law=law,
        line=line,
        seat=seat,
        about=" ".join(dict.fromkeys(choice.split()[1] for choice in choices)),
        choices=(*dict.fromkeys(choices), "waive"),
        holds=True,
    )
