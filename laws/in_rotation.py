"""A call by the seat whose turn it is (Laws 17B, 18, 19).

It is regular, or judged in this order: a double or redouble against Law 19 (36), an
obligation to pass (37), to repeat a call (31A1, 32), not to double (27B3, 30B2b),
sufficiency (27), a double in place of an insufficient bid (27B3).
"""

from laws.auction import MadeCall, admissible
from laws.board import IrregularCallPolicy
from laws.calls import Call
from laws.effects import BARS, DOUBLES
from laws.inadmissible_calls import rule_on_barred, rule_on_double
from laws.insufficient_bids import double_in_its_place, open_insufficient
from laws.judgement import Judgement
from laws.rulings import Binding, EffectKind
from laws.standing_calls import stand


def judge_in_rotation(judge: Judgement, made: MadeCall) -> None:
    """Judge a call by the seat whose turn it is."""
    state = judge.state
    legal = state.auction.legal_calls
    if state.bindings and _breaks_an_obligation(judge, made):
        return
    if not admissible(legal, made.seat, made.call):
        if _prevents(judge):
            reason = f"{made.call} is not admissible"
            judge.refuse(made.line, _broken(made), reason)
        elif made.call.is_bid:
            open_insufficient(judge, made)
        else:
            rule_on_double(judge, made, made.seat)
    elif not (state.auction.dues and double_in_its_place(judge, made)):
        stand(judge, made)


def _prevents(judge: Judgement) -> bool:
    """Whether the terminal refuses the keys of inadmissible and insufficient calls."""
    policy = judge.state.board.policies.inadmissible
    return policy is IrregularCallPolicy.PREVENT


def _broken(made: MadeCall) -> str:
    """The paragraph of Law 18 or 19 that an inadmissible call breaks."""
    if made.call.is_bid:
        return "18D"
    return "19A1" if made.call is Call.DOUBLE else "19B1"


def _breaks_an_obligation(judge: Judgement, made: MadeCall) -> bool:
    """Whether the call broke an obligation of his and was dealt with: 37 first."""
    call, line = made.call, made.line
    if call in DOUBLES:
        legal = judge.state.auction.legal_calls
        if not admissible(legal, made.seat, call):
            return False
    bars = [
        binding
        for binding in judge.state.bindings
        if binding.effect.seat is made.seat and binding.effect.kind in BARS
    ]
    for binding in bars:
        if binding.effect.kind is EffectKind.MUST_PASS:
            return call is not Call.PASS and _breaks_enforced_pass(judge, made, binding)
    for binding in bars:
        reason = _broken_by(binding, call)
        if reason:
            judge.refuse(line, binding.law, f"{made.seat} {reason}")
            return True
    return False


def _breaks_enforced_pass(judge: Judgement, made: MadeCall, bar: Binding) -> bool:
    """37, or the terminal has refused the key: whether the call was dealt with."""
    if _prevents(judge):
        judge.refuse(made.line, bar.law, f"{made.seat} must pass")
        return True
    return rule_on_barred(judge, made)


def _broken_by(binding: Binding, call: Call) -> str:
    """What the seat fails to do by the call; empty when it complies."""
    effect = binding.effect
    if effect.call is not None and effect.call is not call:
        return f"must repeat {effect.call}"
    if effect.calls is not None and call in effect.calls:
        return f"may not call {call} at this turn"
    return ""
