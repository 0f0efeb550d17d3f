"""One call takes the place of another that was made, and calls made over it follow.

What Laws 25A (a call not meant) and 21B (a call made on misinformation) have in common:
the first call is undone with all that it led to, the second is judged as made at that
turn, and LHO, if he had called, may change his call.
"""

from collections.abc import Callable
from dataclasses import replace

from laws.actions import MakeCall
from laws.auction import MadeCall, Standing, admissible
from laws.auction_events import (
    CallMade,
    CallsWithdrawn,
    CallTakenOut,
    ChangeOffered,
    ReplacementSettled,
    RestrictionDropped,
)
from laws.auction_state import Grounds, Offer
from laws.calls import Call
from laws.effects import close_questions, rule_on, supersede, unauthorised
from laws.judgement import Judgement
from laws.lead_restrictions import consider
from laws.rulings import Question, RulingKey, Status, key_of
from laws.standing_calls import is_barred, reopen, stand, undo

JudgeCall = Callable[[Judgement, int, MakeCall], None]
"""Judges a call as it comes from a seat."""


def substitute(  # noqa: PLR0913, PLR0917 - what there is to know of the two calls
    judge: Judgement,
    line: int,
    first: MadeCall,
    to: Call,
    grounds: Grounds,
    judge_call: JudgeCall,
) -> None:
    """Put a call in the place of the first, subject to its own Law.

    A call made over the first one (by LHO) is made again if it still can be.
    """
    calls = judge.state.auction.calls
    over = [m for m in calls[calls.index(first) + 1 :] if not m.withdrawn]
    reopen(judge, first.seat)
    for made in reversed(over):
        undo_all(judge, made)
        judge.emit(CallTakenOut(made, made.turn or made.seat))
    undo_all(judge, first)
    judge.emit(CallsWithdrawn((first,), first.turn or first.seat))
    ruled = MadeCall(line, grounds.offender, to)
    rule_on(judge, ruled, grounds.irregularity, grounds.law)
    judge_call(judge, line, MakeCall(first.seat, to))
    for made in over:
        if not made.implied:
            _make_again(judge, line, first, made, grounds)


def undo_all(judge: Judgement, made: MadeCall) -> None:
    """Undo what a call has led to, the rulings on it included."""
    undo(judge, made)
    keys = {
        key_of(ruling)
        for ruling in judge.state.rulings
        if (ruling.line, ruling.offender) == (made.line, made.seat)
        and ruling.status is Status.IN_FORCE
    }
    for key in sorted(keys):
        supersede(judge, key)
    for due in judge.state.auction.dues:
        if due.ruling in keys:
            judge.emit(ReplacementSettled(due))
    for claimed in judge.state.auction.claims:
        if claimed.ruling in keys:
            judge.emit(RestrictionDropped(claimed))
    close_questions(judge, made.line)


def _make_again(
    judge: Judgement, line: int, first: MadeCall, made: MadeCall, grounds: Grounds
) -> None:
    """Let LHO's call over the first one stand over the second, if it can.

    If not it is withdrawn, and what it told is unauthorised for the offending side.
    """
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
        if made.seat is first.seat.lho:
            _rule_withdrawn(judge, MadeCall(line, grounds.offender, made.call), grounds)
        return
    again = replace(made, standing=Standing.LEGAL, turn=None)
    stand(judge, again)
    judge.emit(ChangeOffered(Offer(again, grounds)))
    judge.ask(
        Question(
            to=made.seat,
            question="change",
            law=grounds.offer,
            line=line,
            seat=first.seat,
            about=made.call.value,
            choices=("keep", "replace"),
            holds=True,
        )
    )


def _rule_withdrawn(
    judge: Judgement, ruled: MadeCall, grounds: Grounds
) -> RulingKey | None:
    """25A4, 21B2 (2007), 25A6, 21B2 (2017): LHO's call over the first is withdrawn."""
    told = unauthorised(judge, grounds.offender, grounds.offender.partner)
    return rule_on(judge, ruled, grounds.irregularity, grounds.offer, effects=told)


def keep_call(judge: Judgement) -> None:
    """LHO keeps the call he made over the first one."""
    for question in judge.state.questions:
        if question.question == "change" and question.to is not None:
            judge.close(question)
    judge.emit(ChangeOffered(None))


def replace_call(
    judge: Judgement, line: int, offer: Offer, by: MakeCall, judge_call: JudgeCall
) -> None:
    """LHO withdraws the call he made over the first one and makes another.

    What it told is unauthorised for the offending side.
    """
    made, grounds = offer.made, offer.grounds
    keep_call(judge)
    reopen(judge, made.seat)
    undo(judge, made)
    judge.emit(CallsWithdrawn((made,), made.seat))
    ruled = MadeCall(line, grounds.offender, by.call)
    key = _rule_withdrawn(judge, ruled, grounds)
    judge_call(judge, line, by)
    if key is not None and grounds.restricts:
        for final in judge.state.auction.legal_calls:
            if (final.line, final.seat) == (line, made.seat):
                consider(judge, key, made, final)
