"""Law 25: a player changes his call.

25A the call was not the one he meant: asked of the Director; the second call stands
and his LHO may change the call he made over it. 25B he changed his mind: LHO may
accept the second call (B1); else it is cancelled and the first stands (B2). A second
call at LHO's turn is this, not a call out of rotation (30B3, 31 footnote in 2007;
30B2, 31C, 32C in 2017).
"""

from collections.abc import Callable
from dataclasses import replace

from laws.actions import Change, HandsReturned, MakeCall, Word
from laws.auction import MadeCall, Standing, admissible
from laws.auction_events import (
    CallMade,
    CallOpened,
    CallsWithdrawn,
    CallTakenOut,
    ChangeOffered,
)
from laws.auction_state import OpenOption, OptionKind
from laws.calls import Call
from laws.effects import (
    close_options,
    close_questions,
    rule_on,
    rules,
    supersede,
    unauthorised,
)
from laws.insufficient_bids import accept_question
from laws.judgement import Judgement
from laws.lead_restrictions import consider
from laws.rulings import (
    Effect,
    EffectKind,
    Question,
    RulingKey,
    Status,
    key_of,
)
from laws.seats import Seat
from laws.standing_calls import is_barred, let_stand, reopen, stand, undo

CHANGE = "change-of-call"
UNINTENDED = "unintended-call"

JudgeCall = Callable[[Judgement, int, MakeCall], None]


def judge_change(
    judge: Judgement, line: int, action: Change, to: Call, judge_call: JudgeCall
) -> None:
    """25A: a player says that the call he made is not the one he meant.

    Args:
        judge: the pen.
        line: the happening.
        action: who says so.
        to: what he meant to call.
        judge_call: judges a call as it comes from a seat.
    """
    seat, law = action.seat, rules(judge)
    calls = judge.state.auction.calls
    first = next(
        (m for m in reversed(calls) if m.seat is seat and not m.withdrawn), None
    )
    if first is None or first.implied:
        judge.refuse(line, law.unintended, "he has made no call that could be changed")
        return
    over = [m for m in calls[calls.index(first) + 1 :] if not m.withdrawn]
    if any(made.seat is seat.partner for made in over):
        judge.refuse(line, law.change_too_late, "his partner has called since")
    elif _period_is_over(judge):
        judge.refuse(line, law.change_after_auction, "the auction period is over")
    elif to is first.call:
        judge.refuse(line, law.unintended, f"{to} is the call that he made")
    elif _is_unintended(judge, line, first, to):
        _substitute(judge, line, first, to, over, judge_call)
    elif over:
        _stands_as_meant(judge, line, first)
    else:
        second = MakeCall(seat, to)
        judge_call(judge, line, second)


def _period_is_over(judge: Judgement) -> bool:
    """Whether the auction period has ended (22B1 in 2007, 17D1 in 2017)."""
    if not judge.state.auction.ended:
        return False
    play = judge.state.play
    if play is None:
        steps = judge.state.steps
        return any(isinstance(step.action, HandsReturned) for step in steps)
    return bool(play.current.cards or play.tricks)


def _unintended_question(
    judge: Judgement, line: int, first: MadeCall, to: Call
) -> Question:
    return Question(
        to=None,
        question=Word.UNINTENDED.value,
        law=rules(judge).unintended,
        line=line,
        seat=first.seat,
        about=f"{to} for {first.call}",
        choices=("yes", "no"),
        holds=True,
    )


def _is_unintended(judge: Judgement, line: int, first: MadeCall, to: Call) -> bool:
    question = _unintended_question(judge, line, first, to)
    given = judge.director(Word.UNINTENDED, question)
    return given is not None and given.answer is True


def _assumed(judge: Judgement, line: int, seat: Seat) -> tuple[str, ...]:
    """What was assumed of a call that may have been unintended."""
    open_ = any(
        q.line == line and q.question == Word.UNINTENDED for q in judge.state.questions
    )
    return (f"{Word.UNINTENDED} {seat}: no",) if open_ else ()


def _stands_as_meant(judge: Judgement, line: int, first: MadeCall) -> None:
    """A call that was meant stands; what he said is information for partner (16B)."""
    told = Effect(
        kind=EffectKind.UNAUTHORISED_INFORMATION, seat=first.seat.partner, law="16B"
    )
    rule_on(
        judge,
        replace(first, line=line),
        CHANGE,
        rules(judge).intended,
        effects=(told,),
        assumptions=_assumed(judge, line, first.seat),
    )


def _substitute(  # noqa: PLR0913, PLR0917 - what 25A needs to know of the two calls
    judge: Judgement,
    line: int,
    first: MadeCall,
    to: Call,
    over: list[MadeCall],
    judge_call: JudgeCall,
) -> None:
    """25A: the second call stands in place of the first, subject to its own Law.

    What the first one led to is undone; a call made over it (by LHO) is made again if
    it still can be, and LHO may change it.
    """
    reopen(judge, first.seat)
    for made in reversed(over):
        _undo_all(judge, made)
        judge.emit(CallTakenOut(made, made.turn or made.seat))
    _undo_all(judge, first)
    judge.emit(CallsWithdrawn((first,), first.turn or first.seat))
    rule_on(judge, replace(first, line=line), UNINTENDED, rules(judge).unintended)
    judge_call(judge, line, MakeCall(first.seat, to))
    for made in over:
        _make_again(judge, line, first, made)


def _undo_all(judge: Judgement, made: MadeCall) -> None:
    """Undo what a call has led to, the rulings on it included."""
    undo(judge, made)
    for ruling in judge.state.rulings:
        concerns = (ruling.line, ruling.offender) == (made.line, made.seat)
        if concerns and ruling.status is Status.IN_FORCE:
            supersede(judge, key_of(ruling))
    close_questions(judge, made.line)


def _make_again(judge: Judgement, line: int, first: MadeCall, made: MadeCall) -> None:
    """Let LHO's call over the first one stand over the second, if it can."""
    auction = judge.state.auction
    if (
        made.seat is not first.seat.lho
        or auction.turn is not made.seat
        or not auction.is_settled
        or not admissible(auction.legal_calls, made.seat, made.call)
        or (made.call is not Call.PASS and is_barred(judge, made.seat))
    ):
        gone = replace(made, standing=Standing.WITHDRAWN)
        judge.emit(CallMade(gone, auction.turn))
        return
    again = replace(made, standing=Standing.LEGAL, turn=None)
    stand(judge, again)
    judge.emit(ChangeOffered(again))
    judge.ask(
        Question(
            to=made.seat,
            question="change",
            law=rules(judge).change_offered,
            line=line,
            seat=first.seat,
            about=made.call.value,
            choices=("keep", "replace"),
            holds=True,
        )
    )


def keep_call(judge: Judgement) -> None:
    """25A: LHO keeps the call he made over the first one (by calling on, too)."""
    for question in judge.state.questions:
        if question.question == "change" and question.to is not None:
            judge.close(question)
    judge.emit(ChangeOffered(None))


def replace_call(
    judge: Judgement, line: int, made: MadeCall, by: MakeCall, judge_call: JudgeCall
) -> None:
    """25A: LHO withdraws his call and makes another.

    What his call told is authorised for his own side only.
    """
    offender = made.seat.rho
    keep_call(judge)
    reopen(judge, made.seat)
    undo(judge, made)
    judge.emit(CallsWithdrawn((made,), made.seat))
    rule_on(
        judge,
        MadeCall(line, offender, by.call),
        UNINTENDED,
        rules(judge).change_offered,
        effects=unauthorised(judge, offender, offender.partner),
    )
    judge_call(judge, line, by)


def open_change(judge: Judgement, made: MadeCall, first: MadeCall, turn: Seat) -> None:
    """25B: LHO may accept the second call."""
    made = replace(made, standing=Standing.OPEN, turn=turn)
    judge.emit(CallOpened(OpenOption(OptionKind.CHANGE, made, turn, first), turn))
    judge.ask(accept_question(made, "25B1"))
    if not can_stand(judge, made, first):
        decline_change(judge, judge.state.auction.options[-1])


def can_stand(judge: Judgement, made: MadeCall, first: MadeCall) -> bool:
    """Whether the second call can be accepted: not a double that 19 does not allow."""
    if made.call not in (Call.DOUBLE, Call.REDOUBLE):
        return True
    before = tuple(m for m in judge.state.auction.legal_calls if not m.is_same(first))
    return admissible(before, made.seat, made.call)


def accept_change(judge: Judgement, option: OpenOption) -> None:
    """25B1: the first call is withdrawn, the second stands."""
    made, first = option.made, option.first
    if first is None:
        raise AssertionError(option)
    assumptions = _assumed(judge, made.line, made.seat)
    close_options(judge, made.line)
    _undo_all(judge, first)
    judge.emit(CallsWithdrawn((first,), made.seat))
    key = _rule_on_change(judge, made, "25B1", assumptions)
    let_stand(judge, made, in_rotation=first.turn is None)
    _restrict(judge, key, first, made)


def decline_change(judge: Judgement, option: OpenOption) -> None:
    """25B2: the second call is cancelled, the first stands."""
    made, first = option.made, option.first
    if first is None:
        raise AssertionError(option)
    assumptions = _assumed(judge, made.line, made.seat)
    close_options(judge, made.line)
    judge.emit(CallsWithdrawn((made,), option.turn))
    key = _rule_on_change(judge, made, "25B2", assumptions)
    _restrict(judge, key, made, first)


def _rule_on_change(
    judge: Judgement, made: MadeCall, law: str, assumptions: tuple[str, ...]
) -> RulingKey | None:
    by_pass, by_bid, by_double = rules(judge).change_of_call
    if made.call.is_bid:
        way = by_bid
    else:
        way = by_pass if made.call is Call.PASS else by_double
    return rule_on(
        judge,
        made,
        CHANGE,
        law,
        laws=(way, "25B3"),
        effects=unauthorised(judge, made.seat.partner),
        assumptions=assumptions,
    )


def _restrict(
    judge: Judgement, key: RulingKey | None, withdrawn: MadeCall, final: MadeCall
) -> None:
    """Law 26 may apply in 2017, the call that stands not being comparable."""
    if key is not None and rules(judge).changed_call_restricts:
        consider(judge, key, withdrawn, final)
