"""Law 25: a player changes his call.

25A the call was not the one he meant: asked of the Director; the second call stands
and his LHO may change the call he made over it. 25B he changed his mind: LHO may
accept the second call (B1); else it is cancelled and the first stands (B2). A second
call at LHO's turn is this, not a call out of rotation (30B3, 31 footnote in 2007;
30B2, 31C, 32C in 2017).
"""

from dataclasses import replace

from laws.actions import Change, HandsReturned, MakeCall, Word
from laws.auction import MadeCall, Standing, admissible
from laws.auction_events import CallOpened, CallsWithdrawn
from laws.auction_state import Grounds, OpenOption, OptionKind
from laws.calls import Call
from laws.changed_calls import JudgeCall, substitute, undo_all
from laws.effects import close_options, rule_on, rules, unauthorised
from laws.insufficient_bids import accept_question
from laws.judgement import Judgement
from laws.lead_restrictions import consider
from laws.misinformation import (
    ask_whether_misinformed,
    grounds_of_misinformation,
    too_late_to_change,
    was_misinformed,
)
from laws.rulings import Effect, EffectKind, Question, RulingKey
from laws.seats import Seat
from laws.standing_calls import let_stand

CHANGE = "change-of-call"
UNINTENDED = "unintended-call"


def judge_change(
    judge: Judgement, line: int, action: Change, to: Call, judge_call: JudgeCall
) -> None:
    """25A, 21B1: a player wants another call than the one he made.

    Args:
        judge: the pen.
        line: the happening.
        action: who wants it.
        to: what he wants to call.
        judge_call: judges a call as it comes from a seat.
    """
    seat, law = action.seat, rules(judge)
    calls = judge.state.auction.calls
    first = _call_to_change(calls, seat)
    if first is None:
        judge.refuse(line, law.unintended, "he has made no call that could be changed")
        return
    over = [m for m in calls[calls.index(first) + 1 :] if not m.withdrawn]
    misinformed = was_misinformed(judge, line, first)
    too_late = _too_late(judge, first, over)
    if too_late is not None:
        if misinformed:
            too_late_to_change(judge, line, first)
        judge.refuse(line, *too_late)
    elif to is first.call:
        judge.refuse(line, law.unintended, f"{to} is the call that he made")
    elif misinformed:
        grounds = grounds_of_misinformation(judge, first)
        substitute(judge, line, first, to, grounds, judge_call)
    elif _is_unintended(judge, line, first, to):
        grounds = Grounds(law.unintended, law.change_offered, UNINTENDED, seat)
        substitute(judge, line, first, to, grounds, judge_call)
    else:
        ask_whether_misinformed(judge, line, first)
        if over or (first.withdrawn and judge.state.auction.turn is not seat):
            _stands_as_meant(judge, line, first)
        else:
            judge_call(judge, line, MakeCall(seat, to))


def _call_to_change(calls: tuple[MadeCall, ...], seat: Seat) -> MadeCall | None:
    """The call that the player means: the last he made, even if it was cancelled.

    A cancelled one only while nobody has called since, and unless it was itself an
    attempt to change the one before it (25B2).
    """
    own = [made for made in calls if made.seat is seat and not made.implied]
    stands = next((made for made in reversed(own) if not made.withdrawn), None)
    if not own or own[-1] is stands:
        return stands

    def others_since(made: MadeCall) -> bool:
        later = calls[calls.index(made) + 1 :]
        return any(m.seat is not seat and not m.withdrawn for m in later)

    if others_since(own[-1]) or (stands is not None and not others_since(stands)):
        return stands
    return own[-1]


def _too_late(
    judge: Judgement, first: MadeCall, over: list[MadeCall]
) -> tuple[str, str] | None:
    """The paragraph that no longer allows a change, and why; None while one may be."""
    law = rules(judge)
    if any(made.seat is first.seat.partner for made in over):
        return law.change_too_late, "his partner has called since"
    if period_is_over(judge):
        return law.change_after_auction, "the auction period is over"
    return None


def period_is_over(judge: Judgement) -> bool:
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
    undo_all(judge, first)
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
