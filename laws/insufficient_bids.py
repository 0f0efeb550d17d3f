"""Law 27: insufficient bids in rotation.

27A1 LHO accepts, in words or by calling; 27B the bid is cancelled and the offender
replaces it (``replacements`` decides 27B1 and 27B2); 27B3 by a double or redouble that
does not help; 27B4 by another insufficient bid; 27C before a ruling. A bid out of
rotation is for Law 31 first (27A2), in ``out_of_rotation``.
"""

from dataclasses import replace

from laws.auction import MadeCall, Standing
from laws.auction_events import (
    CallMade,
    CallOpened,
    CallsWithdrawn,
    OptionChanged,
    ReplacementDue,
    ReplacementSettled,
)
from laws.auction_state import Due, DueKind, OpenOption, OptionKind
from laws.calls import Call
from laws.effects import (
    aware_of_call,
    close_options,
    may_not_double,
    must_pass,
    rule_on,
    unauthorised,
)
from laws.judgement import Judgement
from laws.meanings import Finding
from laws.replacements import INSUFFICIENT, replaces_in_meaning
from laws.rulings import EffectKind, Question, Scope
from laws.standing_calls import let_stand


def open_insufficient(judge: Judgement, made: MadeCall) -> None:
    """27A1: LHO may accept the bid, which stands open until he has chosen."""
    made = replace(made, standing=Standing.OPEN)
    option = OpenOption(OptionKind.INSUFFICIENT, made, made.seat)
    judge.emit(CallOpened(option, made.seat.lho))
    judge.ask(accept_question(made, "27A1"))


def accept_question(made: MadeCall, law: str) -> Question:
    """Does LHO accept the call?"""
    return Question(
        to=made.seat.lho,
        question="accept",
        law=law,
        line=made.line,
        seat=made.seat,
        about=made.call.value,
        choices=("accept", "decline"),
        holds=True,
    )


def replaced_early(judge: Judgement, option: OpenOption, early: MadeCall) -> None:
    """27C: the offender has changed the bid before a ruling.

    LHO may still accept the bid; unless he does, the change is what replaces it.
    """
    if option.early is not None:
        before = replace(option.early, standing=Standing.WITHDRAWN)
        judge.emit(CallMade(before, judge.state.auction.turn))
    judge.emit(OptionChanged(replace(option, early=early)))


def accept_insufficient(judge: Judgement, option: OpenOption) -> None:
    """27A1: the insufficient bid is treated as legal."""
    made = option.made
    close_options(judge, made.line)
    rule_on(judge, made, INSUFFICIENT, "27A1")
    due = _due(judge, made)
    if due is not None:
        # He accepts the second of two insufficient bids; nothing replaces the first.
        judge.emit(ReplacementSettled(due))
    if option.early is not None:
        early = replace(option.early, standing=Standing.WITHDRAWN)
        judge.emit(CallMade(early, made.seat.lho))
    let_stand(judge, made, in_rotation=True)


def decline_insufficient(judge: Judgement, option: OpenOption) -> MadeCall | None:
    """27B: the bid is cancelled, and its maker calls again.

    A second one in a row bars his partner whatever comes (27B4).

    Returns:
        The call that he has already put in its place (27C), to be judged now.
    """
    made = option.made
    close_options(judge, made.line)
    judge.emit(CallsWithdrawn((made,), made.seat))
    for binding in judge.state.bindings:
        effect = binding.effect
        if effect.kind is EffectKind.MUST_REPEAT and effect.seat is made.seat:
            judge.release(binding)
    earlier = _due(judge, made)
    partner = made.seat.partner
    if earlier is None:
        key = rule_on(
            judge,
            made,
            INSUFFICIENT,
            "27B",
            laws=("27A1",) if option.early is None else ("27A1", "27C"),
            effects=unauthorised(judge, partner),
        )
        due = Due(DueKind.REPLACES_INSUFFICIENT, made, key) if key else None
    else:
        key = rule_on(
            judge,
            made,
            INSUFFICIENT,
            "27B4",
            laws=("27B3",),
            effects=(
                must_pass(partner, Scope.REST_OF_AUCTION),
                *aware_of_call(judge, made),
                *unauthorised(judge, partner),
            ),
        )
        if key is not None:
            judge.emit(ReplacementSettled(earlier))
            judge.emit(ReplacementDue(replace(earlier, ruling=key, barred=True)))
        due = Due(DueKind.RESTRICTION, made, key) if key else None
    if due is not None:
        judge.emit(ReplacementDue(due))
    return option.early


def double_in_its_place(judge: Judgement, made: MadeCall) -> bool:
    """27B3: a double or redouble that 27B1(b) does not cover is cancelled too.

    Returns:
        Whether it was; the offender then bids or passes, and his partner is barred.
    """
    due = _due(judge, made)
    if due is None or made.call not in (Call.DOUBLE, Call.REDOUBLE):
        return False
    cured = Finding(value=False)
    if not due.barred:
        cured = replaces_in_meaning(judge, made, due.withdrawn)
    if cured.value:
        return False
    partner = made.seat.partner
    key = rule_on(
        judge,
        made,
        INSUFFICIENT,
        "27B3",
        laws=("27B",),
        effects=(
            must_pass(partner, Scope.REST_OF_AUCTION),
            may_not_double(made.seat),
            *aware_of_call(judge, made),
            *unauthorised(judge, partner),
        ),
        assumptions=cured.assumptions,
    )
    if key is None:
        return False
    made = replace(made, standing=Standing.WITHDRAWN)
    judge.emit(CallMade(made, made.seat))
    judge.emit(ReplacementSettled(due))
    judge.emit(ReplacementDue(replace(due, ruling=key, barred=True)))
    judge.emit(ReplacementDue(Due(DueKind.RESTRICTION, made, key)))
    return True


def _due(judge: Judgement, made: MadeCall) -> Due | None:
    """What is awaited of the seat for an insufficient bid of his."""
    for due in judge.state.auction.dues:
        if due.seat is made.seat and due.kind is DueKind.REPLACES_INSUFFICIENT:
            return due
    return None
