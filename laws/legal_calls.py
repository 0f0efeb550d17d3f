"""The calls that the Laws leave to the seat whose turn it is, now."""

from laws.actions import MakeCall
from laws.auction import Standing, admissible_calls
from laws.auction_events import AtOnceSet
from laws.calling import judge_call
from laws.calls import Call
from laws.effects import rules
from laws.judgement import Judgement
from laws.state import State


def legal_calls(state: State) -> tuple[Call, ...]:
    """Legal calls of the seat to act, in view of what binds it; none after the end.

    A call is legal when it counts as soon as it is made. So there is none while the
    seat has to wait for another's choice (9B2), and where the seat has an option on
    the call before (25B, 27A1) they are those with which it accepts. A call just ruled
    on under Laws 36 to 39 has had its ruling: what would change that is not counted.
    """
    auction = state.auction
    seat = auction.turn
    if seat is None:
        return ()
    regular = admissible_calls(auction.legal_calls, seat)
    if auction.is_settled and not (state.bindings or auction.dues):
        return regular
    judge = Judgement(state)
    if auction.at_once is not None:
        judge.emit(AtOnceSet(None))
    line = 1 + max(step.line for step in state.steps)
    return tuple(
        call for call in Call if _is_regular(judge.state, MakeCall(seat, call), line)
    )


def _is_regular(state: State, action: MakeCall, line: int) -> bool:
    """Whether the call, if made now, is neither refused nor an irregularity.

    It counts then, but for a pass that ends an auction in which a player was skipped:
    that is cancelled with the other passes (34).
    """
    judge = Judgement(state)
    judge_call(judge, line, action)
    made = (line, action.seat, action.call)
    rulings = judge.state.rulings[len(state.rulings) :]
    if any((ruling.line, ruling.offender) == made[:2] for ruling in rulings):
        return False
    skipped = any(ruling.law == rules(judge).skipped for ruling in rulings)
    return any(
        (m.line, m.seat, m.call) == made
        and (m.standing is Standing.LEGAL or (m.withdrawn and skipped))
        for m in judge.state.auction.calls
    )
