"""Laws 35 to 39: inadmissible calls.

35 names them; 36 a double or redouble that Law 19 does not allow; 37 a call other than
a pass by a player who must pass; 39 a call after the final pass. (38, a bid above
seven, cannot be made on a terminal or written in a table script.) Nobody can accept
them, so they are ruled on at once as if LHO had not called (36B, 37B, 39C); LHO's call
on the very next happening was made before that ruling, which it changes (36A, 37A,
39).
"""

from dataclasses import replace

from laws.actions import MakeCall
from laws.auction import MadeCall, Standing
from laws.auction_events import (
    AtOnceSet,
    CallMade,
    CallTakenOut,
    ReplacementDue,
    ReplacementSettled,
    RestrictionDropped,
)
from laws.auction_state import Due, DueKind, RuledAtOnce
from laws.calls import Call
from laws.effects import (
    aware_of_call,
    must_pass,
    rule_on,
    supersede,
    unauthorised,
)
from laws.judgement import Judgement
from laws.lead_restrictions import claim
from laws.rulings import Scope
from laws.seats import Seat
from laws.standing_calls import let_stand, reopen, stand, undo

DOUBLE = "inadmissible-double"
BARRED = "call-by-barred-player"
AFTER_AUCTION = "call-after-auction"

_REST = Scope.REST_OF_AUCTION


def rule_on_double(judge: Judgement, made: MadeCall, turn: Seat) -> None:
    """36B: the double or redouble is cancelled and bars partner for the rest.

    In turn the offender makes a legal call now (B2), else the auction goes back to the
    player whose turn it was (B4).
    """
    in_turn = turn is made.seat
    made = replace(made, standing=Standing.WITHDRAWN, turn=None if in_turn else turn)
    judge.emit(CallMade(made, turn))
    law = "36B2" if in_turn else "36B4"
    partner = made.seat.partner
    key = rule_on(
        judge,
        made,
        DOUBLE,
        law,
        laws=("35A", "36B1", "36B3"),
        effects=(
            must_pass(partner, _REST),
            *aware_of_call(judge, made),
            *unauthorised(judge, partner),
        ),
    )
    if key is not None:
        judge.emit(ReplacementDue(Due(DueKind.RESTRICTION, made, key)))
        judge.emit(AtOnceSet(RuledAtOnce(made, law, turn)))


def rule_on_barred(judge: Judgement, made: MadeCall) -> bool:
    """37B: the call is cancelled for a pass, and both members of the side are barred.

    Returns:
        False when the Director has overruled that: the call stands.
    """
    withdrawn = replace(made, standing=Standing.WITHDRAWN)
    partner = made.seat.partner
    key = rule_on(
        judge,
        withdrawn,
        BARRED,
        "37B",
        laws=("35B",),
        effects=(
            must_pass(made.seat, _REST),
            must_pass(partner, _REST),
            *aware_of_call(judge, withdrawn),
            *unauthorised(judge, partner),
        ),
    )
    if key is None:
        return False
    judge.emit(CallMade(withdrawn, made.seat))
    claim(judge, key, withdrawn)
    stand(judge, MadeCall(made.line, made.seat, Call.PASS, implied=True))
    judge.emit(AtOnceSet(RuledAtOnce(withdrawn, "37B", made.seat)))
    return True


def rule_on_late_call(judge: Judgement, made: MadeCall) -> None:
    """39: a call after the final pass is cancelled (A).

    Nothing more follows a pass, or a call of declarer's side (B); any other call of a
    defender may restrict his partner's lead (C).
    """
    made = replace(made, standing=Standing.WITHDRAWN)
    judge.emit(CallMade(made, None))
    contract = judge.state.contract
    partner = made.seat.partner
    if contract is None:
        rule_on(judge, made, AFTER_AUCTION, "39A", laws=("35D",))
    elif made.call is Call.PASS or contract.declarer.side is made.seat.side:
        rule_on(judge, made, AFTER_AUCTION, "39B", laws=("35D", "39A"))
    else:
        key = rule_on(
            judge,
            made,
            AFTER_AUCTION,
            "39C",
            laws=("35D", "39A"),
            effects=unauthorised(judge, partner),
        )
        if key is not None:
            claim(judge, key, made)
            judge.emit(AtOnceSet(RuledAtOnce(made, "39C", None)))


def overtaken(
    judge: Judgement, line: int, action: MakeCall, at_once: RuledAtOnce
) -> bool:
    """LHO had called before the ruling on an inadmissible call.

    Returns:
        Whether his call is cancelled with it (36A) and needs no more judging.
    """
    made = at_once.made
    if at_once.law == "37B":
        _let_barred_call_stand(judge, at_once)
        return False
    _drop(judge, at_once)
    if at_once.law == "39C":
        rule_on(judge, made, AFTER_AUCTION, "39A", laws=("35D",))
        return False
    over = MadeCall(line, action.seat, action.call, action.alerted, Standing.WITHDRAWN)
    judge.emit(CallMade(over, at_once.turn))
    rule_on(judge, made, DOUBLE, "36A", laws=("35A",))
    return True


def take_back(judge: Judgement, at_once: RuledAtOnce) -> None:
    """The call just ruled on was simultaneous, and is judged again (33)."""
    made = at_once.made
    _drop(judge, at_once)
    judge.emit(CallTakenOut(made, at_once.turn or made.seat))


def _let_barred_call_stand(judge: Judgement, at_once: RuledAtOnce) -> None:
    """37A: the call stands, and so do later ones; earlier bars go on."""
    made = at_once.made
    implied = MadeCall(made.line, made.seat, Call.PASS, implied=True)
    reopen(judge, made.seat)
    undo(judge, implied)
    _drop(judge, at_once)
    judge.emit(CallTakenOut(implied, made.seat))
    rule_on(judge, made, BARRED, "37A", laws=("35B",))
    let_stand(judge, made, in_rotation=True)


def _drop(judge: Judgement, at_once: RuledAtOnce) -> None:
    """Undo the ruling with all that hangs on it."""
    key = (at_once.made.line, at_once.law, at_once.made.seat)
    supersede(judge, key)
    for due in judge.state.auction.dues:
        if due.ruling == key:
            judge.emit(ReplacementSettled(due))
    for claimed in judge.state.auction.claims:
        if claimed.ruling == key:
            judge.emit(RestrictionDropped(claimed))
    for question in judge.state.questions:
        if question.line == key[0]:
            judge.close(question)
