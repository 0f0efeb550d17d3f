"""How the options on irregular calls are settled (25B, 27A1, 28B, 29A).

An option is answered in words, or by calling: LHO who calls has accepted, an opponent
whose turn it was and who calls has not, the offender's partner settles nothing. The
latest of several is settled first.
"""

from laws.actions import MakeCall
from laws.auction import admissible
from laws.auction_events import CallTakenOut, CallWaits
from laws.auction_state import OpenOption, OptionKind, Waiting
from laws.change_of_call import accept_change, decline_change
from laws.effects import close_options
from laws.ignorance import ask_who_gained
from laws.inadmissible_calls import rule_on_late_call
from laws.insufficient_bids import accept_insufficient, decline_insufficient
from laws.judgement import Judgement
from laws.out_of_rotation import (
    accept_out_of_rotation,
    decline_out_of_rotation,
    overtake,
)


def settles(judge: Judgement, option: OpenOption, action: MakeCall) -> bool:
    """Whether a call settles the option, which is settled then (25B, 27A1, 28B, 29A).

    LHO who calls has accepted, an opponent whose turn it was has not. Where it was
    LHO's own turn he should say which; if he does not, he has accepted, unless his call
    is admissible only if he has not.
    """
    seat, made = action.seat, option.made
    if seat is made.seat.lho:
        if option.early is not None:
            decline(judge, option)
        elif option.turn is not seat:
            accept(judge, option)
        elif _only_without(judge, option, action):
            _pass_over(judge, option)
        else:
            accept(judge, option, (f"accept {seat}: yes, by calling",))
        return True
    if option.turn is seat and seat.side is not made.seat.side:
        _pass_over(judge, option)
        return True
    return False


def _only_without(judge: Judgement, option: OpenOption, action: MakeCall) -> bool:
    """Whether LHO's call is admissible only if he has not accepted."""
    legal = judge.state.auction.legal_calls
    if option.first is not None:
        without = legal
        legal = tuple(m for m in legal if not m.is_same(option.first))
    else:
        without = legal
    over = (*legal, option.made)
    return admissible(without, action.seat, action.call) and not admissible(
        over, action.seat, action.call
    )


def accept(
    judge: Judgement, option: OpenOption, assumptions: tuple[str, ...] = ()
) -> None:
    """LHO accepts the latest call; earlier ones that were open stand with it."""
    for earlier in judge.state.auction.options[:-1]:
        if option.first is None or not earlier.made.is_same(option.first):
            _accept_one(judge, earlier, ())
            ask_who_gained(judge, earlier.made)
    _accept_one(judge, option, assumptions)


def _accept_one(
    judge: Judgement, option: OpenOption, assumptions: tuple[str, ...]
) -> None:
    if judge.state.auction.ended:
        # An earlier pass, accepted with this call, was the final one.
        judge.emit(CallTakenOut(option.made, None))
        close_options(judge, option.made.line)
        rule_on_late_call(judge, option.made)
        return
    match option.kind:
        case OptionKind.OUT_OF_ROTATION:
            accept_out_of_rotation(judge, option, assumptions)
        case OptionKind.INSUFFICIENT:
            accept_insufficient(judge, option)
        case OptionKind.CHANGE:
            accept_change(judge, option)


def _pass_over(judge: Judgement, option: OpenOption) -> None:
    """The opponent whose turn it was has called: nothing of it stands."""
    if option.kind is OptionKind.OUT_OF_ROTATION:
        overtake(judge, option)
    else:
        decline(judge, option)


def decline(judge: Judgement, option: OpenOption) -> None:
    """LHO does not accept; what the offender has called since waits to be judged."""
    match option.kind:
        case OptionKind.OUT_OF_ROTATION:
            decline_out_of_rotation(judge, option)
        case OptionKind.INSUFFICIENT:
            early = decline_insufficient(judge, option)
            if early is not None:
                by = MakeCall(early.seat, early.call, alerted=early.alerted)
                judge.emit(CallWaits(Waiting(early.line, by)))
        case OptionKind.CHANGE:
            decline_change(judge, option)


def settle_answered(judge: Judgement) -> None:
    """Settle what LHO has answered while a later call was still open."""
    while judge.state.auction.options:
        option = judge.state.auction.options[-1]
        if option.answer is None:
            return
        if option.answer:
            accept(judge, option)
        else:
            decline(judge, option)
