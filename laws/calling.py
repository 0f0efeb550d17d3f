"""A call, or a word about a call, is judged: which Law decides it, and in what order.

Simultaneous calls first (33), then what the call settles of what was open (25B, 27A1,
28B, 29A, 36A, 37A), then whether the auction is over (39), then the caller's turn: in
rotation a double or redouble against Law 19 (36), an obligation (31A1, 37), sufficiency
(27); out of it an enforced pass (28A), a change of call (25), and at last a call out of
rotation (29 to 32). Each is decided in the module of its Law.
"""

from dataclasses import replace

from laws.actions import Accept, Decline, Keep, MakeCall, Replace
from laws.auction import MadeCall, Standing, admissible, last_bid
from laws.auction_events import (
    AtOnceSet,
    CallTakenOut,
    CallWaits,
    OptionChanged,
    PassMade,
    WaitingEnded,
)
from laws.auction_state import Auction, OptionKind, Waiting
from laws.board import IrregularCallPolicy
from laws.calls import Call
from laws.change_of_call import open_change
from laws.changed_calls import keep_call, replace_call
from laws.effects import DOUBLES, close_options, rule_on, rules
from laws.in_rotation import judge_in_rotation
from laws.inadmissible_calls import (
    overtaken,
    rule_on_double,
    rule_on_late_call,
    take_back,
)
from laws.insufficient_bids import replaced_early
from laws.judgement import Judgement
from laws.open_options import accept, decline, settle_answered, settles
from laws.out_of_rotation import call_before_enforced_pass, open_out_of_rotation
from laws.seats import Seat
from laws.standing_calls import is_barred


def judge_call(judge: Judgement, line: int, action: MakeCall) -> None:
    """Judge a call as it comes from a seat."""
    auction = judge.state.auction
    if auction.turn is action.seat and auction.is_settled and not action.simultaneous:
        judge_in_rotation(judge, _made(line, action))
    elif not (
        (action.simultaneous and _simultaneous(judge, line, action))
        or _answers_what_is_open(judge, line, action)
    ):
        _by_turn(judge, line, action)


def _made(line: int, action: MakeCall) -> MadeCall:
    return MadeCall(line, action.seat, action.call, action.alerted)


def _remade(made: MadeCall) -> MakeCall:
    return MakeCall(made.seat, made.call, alerted=made.alerted)


def _by_turn(judge: Judgement, line: int, action: MakeCall) -> None:
    """A call that settles nothing, or has settled it, by whose turn it is."""
    auction = judge.state.auction
    seat, made, turn = action.seat, _made(line, action), auction.turn
    policy = judge.state.board.policies.out_of_turn
    prevents = policy is IrregularCallPolicy.PREVENT
    if turn is None:
        _late(judge, made, prevents=prevents)
    elif auction.options and (turn is seat or auction.waiting):
        judge.emit(CallWaits(Waiting(line, replace(action, simultaneous=False))))
    elif turn is seat:
        judge_in_rotation(judge, made)
    elif _is_pass_already_made(judge, made):
        return
    elif turn is seat.rho and not auction.options and is_barred(judge, turn):
        call_before_enforced_pass(judge, made, turn)
        judge_call(judge, line, action)
    elif prevents:
        judge.refuse(line, "17C", f"it is the turn of {turn}")
    else:
        _out_of_turn(judge, made, turn)


def _out_of_turn(judge: Judgement, made: MadeCall, turn: Seat) -> None:
    """25B, 30-32 or 36, by what was called and whether he has called before."""
    auction = judge.state.auction
    own = auction.options[-1].made if auction.options else None
    if own is not None and own.seat is made.seat:
        open_change(judge, made, own, turn)
        return
    first = auction.legal_calls[-1] if auction.legal_calls else None
    changes = first is not None and first.seat is made.seat and turn is made.seat.lho
    if changes and first is not None and not _is_30a(judge, made):
        open_change(judge, made, first, turn)
    elif made.call in DOUBLES and not _could_be_admissible(auction, made):
        rule_on_double(judge, made, turn)
    else:
        open_out_of_rotation(judge, made, turn)


def _is_30a(judge: Judgement, made: MadeCall) -> bool:
    """30A (2007): by its text also a second pass at LHO's turn before any bid."""
    return (
        rules(judge).pass_before_bid_is_out_of_rotation
        and made.call is Call.PASS
        and last_bid(judge.state.auction.legal_calls) is None
    )


def _could_be_admissible(auction: Auction, made: MadeCall) -> bool:
    """Whether Law 19 allows the double, if need be over calls that are still open."""
    there = tuple(m for m in auction.calls if m.standing is not Standing.WITHDRAWN)
    return admissible(auction.legal_calls, made.seat, made.call) or admissible(
        there, made.seat, made.call
    )


def _late(judge: Judgement, made: MadeCall, *, prevents: bool) -> None:
    """A call after the final pass (39), which prevention refuses."""
    play = judge.state.play
    if play is not None and (play.tricks or play.current.cards):
        judge.refuse(made.line, "39A", "the auction period is over")
    elif prevents:
        judge.refuse(made.line, "17C", "the auction has ended")
    elif not _is_pass_already_made(judge, made):
        rule_on_late_call(judge, made)


def _is_pass_already_made(judge: Judgement, made: MadeCall) -> bool:
    """Whether it is the pass that the Laws have put there for him (28A, 37B)."""
    if made.call is not Call.PASS:
        return False
    for earlier in reversed(judge.state.auction.legal_calls):
        if earlier.seat is made.seat:
            if earlier.implied:
                judge.emit(PassMade(earlier))
            return earlier.implied
    return False


def _answers_what_is_open(judge: Judgement, line: int, action: MakeCall) -> bool:
    """Let a call settle what is open.

    Returns:
        Whether the call itself was dealt with in doing so.
    """
    seat = action.seat
    at_once = judge.state.auction.at_once
    if at_once is not None:
        judge.emit(AtOnceSet(None))
        if seat is at_once.made.seat.lho and overtaken(judge, line, action, at_once):
            return True
    offer = judge.state.auction.offer
    if offer is not None:
        if seat is offer.made.seat:
            replace_call(judge, line, offer, action, judge_call)
            return True
        keep_call(judge)
    while judge.state.auction.options:
        option = judge.state.auction.options[-1]
        if option.kind is OptionKind.INSUFFICIENT and seat is option.made.seat:
            replaced_early(judge, option, _made(line, action))
            return True
        if not settles(judge, option, action):
            return False
        settle_answered(judge)
    if judge.state.auction.waiting:
        _resume(judge)
        judge_call(judge, line, action)
        return True
    return False


def _resume(judge: Judgement) -> None:
    """Judge the calls that had to wait for an option to be settled."""
    waiting = judge.state.auction.waiting
    judge.emit(WaitingEnded())
    for call in waiting:
        judge_call(judge, call.line, call.action)


def judge_option(judge: Judgement, action: Accept | Decline) -> bool:
    """LHO says that he accepts, or that he does not (25B, 27, 29).

    Returns:
        False when no call is open that the seat could accept.
    """
    accepts = isinstance(action, Accept)
    options = judge.state.auction.options
    option = next(
        (o for o in reversed(options) if o.made.seat.lho is action.seat), None
    )
    if option is None:
        return False
    if option is not options[-1]:
        judge.emit(OptionChanged(replace(option, answer=accepts)))
        close_options(judge, option.made.line)
        return True
    if accepts:
        accept(judge, option)
    else:
        decline(judge, option)
    settle_answered(judge)
    if judge.state.auction.waiting and not judge.state.auction.options:
        _resume(judge)
    return True


def judge_offer(judge: Judgement, line: int, action: Replace | Keep) -> bool:
    """LHO changes or keeps the call he made over one that was changed (25A).

    Returns:
        False when the Laws offer the seat no change of a call.
    """
    offer = judge.state.auction.offer
    if offer is None or offer.made.seat is not action.seat:
        return False
    if isinstance(action, Replace) and isinstance(action.by, Call):
        by = MakeCall(action.seat, action.by)
        replace_call(judge, line, offer, by, judge_call)
    else:
        keep_call(judge)
    return True


def _simultaneous(judge: Judgement, line: int, action: MakeCall) -> bool:
    """33: the other call counts as made after that of the player whose turn it was.

    Returns:
        False when the calls were made in the right order anyway.
    """
    auction = judge.state.auction
    other = auction.calls[-1] if auction.calls else None
    if other is None or other.seat is action.seat or other.turn is not action.seat:
        return False
    at_once = auction.at_once
    option = auction.options[-1] if auction.options else None
    if at_once is not None and at_once.made.is_same(other):
        judge.emit(AtOnceSet(None))
        take_back(judge, at_once)
    elif option is not None and option.made.is_same(other):
        close_options(judge, other.line)
        judge.emit(CallTakenOut(other, action.seat))
    else:
        return False
    rule_on(judge, other, "simultaneous-calls", "33")
    judge_call(judge, line, replace(action, simultaneous=False))
    judge_call(judge, other.line, _remade(other))
    return True
