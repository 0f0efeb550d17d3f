"""Laws 28 to 32: calls out of rotation.

28A and 28B, what counts as in rotation; 29A LHO accepts; 29B he does not, and the call
is cancelled, with what 30 (pass), 31 (bid) and 32 (double or redouble) prescribe then
(tabled in ``rectifications``; ``replacements`` decides what waits for a later call);
29C what an artificial call specified; 30C an artificial pass is for 31.
"""

from dataclasses import replace

from laws.auction import MadeCall, Standing, is_sufficient, last_bid
from laws.auction_events import (
    CallOpened,
    CallsWithdrawn,
    ReplacementDue,
)
from laws.auction_state import (
    CallClass,
    Due,
    OpenOption,
    OptionKind,
    Position,
)
from laws.calls import Call
from laws.effects import (
    aware_of_call,
    close_options,
    may_not_double,
    must_pass,
    rule_on,
    rules,
    unauthorised,
)
from laws.insufficient_bids import accept_question
from laws.judgement import Judgement
from laws.meanings import is_artificial_pass, suits_shown
from laws.replacements import OUT_OF_TURN
from laws.seats import Seat
from laws.standing_calls import let_stand, stand


def open_out_of_rotation(judge: Judgement, made: MadeCall, turn: Seat) -> None:
    """29A: LHO may accept the call, which stands open until he has chosen."""
    made = replace(made, standing=Standing.OPEN, turn=turn)
    judge.emit(CallOpened(OpenOption(OptionKind.OUT_OF_ROTATION, made, turn), turn))
    judge.ask(accept_question(made, "29A"))


def accept_out_of_rotation(
    judge: Judgement, option: OpenOption, assumptions: tuple[str, ...] = ()
) -> None:
    """29A: LHO has accepted; seats that were skipped lose that turn.

    He accepts an insufficient bid out of rotation as both (27A2).
    """
    made = option.made
    close_options(judge, made.line)
    both = made.call.is_bid and not is_sufficient(
        judge.state.auction.legal_calls, made.call
    )
    laws = ("27A2", "27A1") if both else ()
    rule_on(judge, made, OUT_OF_TURN, "29A", laws=laws, assumptions=assumptions)
    let_stand(judge, made, in_rotation=False)


def overtake(judge: Judgement, option: OpenOption) -> None:
    """28B: the opponent whose turn it was has called before a ruling.

    His call is in rotation, the other is cancelled without rectification.
    """
    made = option.made
    close_options(judge, made.line)
    judge.emit(CallsWithdrawn((made,), option.turn))
    rule_on(
        judge,
        made,
        OUT_OF_TURN,
        "28B",
        effects=unauthorised(judge, made.seat.partner, made.seat),
    )


def decline_out_of_rotation(judge: Judgement, option: OpenOption) -> None:
    """29B: the call is cancelled; the turn is where it was; 30, 31 or 32 applies."""
    made = option.made
    close_options(judge, made.line)
    before = judge.state.auction.legal_calls
    turn = judge.state.auction.turn or option.turn
    judge.emit(CallsWithdrawn((made,), turn))
    call_class, assumptions = _class_of(judge, made, before)
    if rules(judge).restriction_requires:
        # What the call showed decides 29C with 31A2, and 26; it is asked in good time.
        assumptions += suits_shown(judge, made, "29C").assumptions
    position = _position(made.seat, option.turn)
    row = rules(judge).out_of_rotation[(call_class, position)]
    partner = made.seat.partner
    effects = [*unauthorised(judge, partner)]
    if row.offender is not None:
        effects.append(must_pass(made.seat, row.offender))
    if row.partner is not None:
        effects.append(must_pass(partner, row.partner))
    if row.no_double:
        effects.append(may_not_double(partner))
    if row.awareness:
        effects += aware_of_call(judge, made)
    laws = row.laws
    if made.call.is_bid and not is_sufficient(before, made.call):
        laws = ("27A2", *laws)
    if made.call is Call.PASS and call_class is CallClass.BID:
        laws = ("30C", *laws)
    key = rule_on(
        judge,
        made,
        OUT_OF_TURN,
        row.law,
        laws=laws,
        effects=tuple(effects),
        assumptions=assumptions,
    )
    if row.then is not None and key is not None:
        judge.emit(ReplacementDue(Due(row.then, made, key, call_class, position)))


def _class_of(
    judge: Judgement, made: MadeCall, before: tuple[MadeCall, ...]
) -> tuple[CallClass, tuple[str, ...]]:
    """Which Law the call falls under, and what was assumed in saying so (30C)."""
    if made.call.is_bid:
        return CallClass.BID, ()
    if made.call is not Call.PASS:
        return CallClass.DOUBLE, ()
    artificial = is_artificial_pass(judge, made, before)
    if artificial.value:
        return CallClass.BID, artificial.assumptions
    if last_bid(before) is None:
        return CallClass.PASS_BEFORE_BID, artificial.assumptions
    return CallClass.PASS, artificial.assumptions


def _position(seat: Seat, turn: Seat) -> Position:
    if turn is seat.rho:
        return Position.RHO
    return Position.LHO if turn is seat.lho else Position.PARTNER


def call_before_enforced_pass(judge: Judgement, made: MadeCall, turn: Seat) -> None:
    """28A: a call at RHO's turn is in rotation when he must pass anyway.

    His pass is put where it belongs.
    """
    stand(judge, MadeCall(made.line, turn, Call.PASS, implied=True))
    if not judge.state.auction.ended:
        rule_on(judge, made, OUT_OF_TURN, "28A")
