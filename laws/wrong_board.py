"""A player has called on cards that he took from a wrong board (17D 2007, 15A 2017).

His call is cancelled with those made over it; he looks at the right cards and calls
again, at his own turn if the call was out of rotation. When his partner has called
over it, or the opening lead has been faced, the Director adjusts the score. 2007: LHO,
if he had called over it, repeats his call when the new one is the same; when it is
not the score is adjusted (``standing_calls``).
"""

from laws.auction import MadeCall, Standing
from laws.auction_events import CallsWithdrawn, WaitingEnded, WrongBoardSet
from laws.change_of_call import period_is_over
from laws.changed_calls import keep_call, undo_all
from laws.effects import adjustable, rule_on, rules, unauthorised
from laws.judgement import Judgement
from laws.seats import Seat
from laws.standing_calls import WRONG_BOARD, reopen


def judge_wrong_board(judge: Judgement, line: int, named: Seat | None) -> None:
    """The Director has found it; the last to call is meant when no seat is named."""
    auction = judge.state.auction
    calls = [m for m in auction.calls if not m.withdrawn and not m.implied]
    seat = named or (calls[-1].seat if calls else None)
    first = next((m for m in calls if m.seat is seat), None)
    again, too_late, way = rules(judge).wrong_board
    if seat is None or first is None:
        judge.refuse(line, way, "he has made no call that could be changed")
        return
    over = calls[calls.index(first) + 1 :]
    partner = seat.partner
    if any(made.seat is partner for made in over) or period_is_over(judge):
        ruled = (first, WRONG_BOARD, too_late)
        rule_on(judge, *ruled, laws=(way,), effects=(adjustable(too_late),))
        return
    if auction.offer is not None:
        keep_call(judge)
    turn = _turn_before(judge, first)
    reopen(judge, turn)
    for made in (*reversed(over), first):
        undo_all(judge, made)
    if auction.waiting:
        judge.emit(WaitingEnded())
    judge.emit(CallsWithdrawn((first, *over), turn))
    told = unauthorised(judge, partner)
    key = rule_on(judge, first, WRONG_BOARD, again, laws=(way,), effects=told)
    by_lho = next((made for made in over if made.seat is seat.lho), None)
    if key is not None and by_lho is not None and rules(judge).wrong_board_lho_repeats:
        judge.emit(WrongBoardSet((first, by_lho)))


def _turn_before(judge: Judgement, first: MadeCall) -> Seat:
    """Whose turn it was: another's where the cancelled call was out of rotation."""
    calls = judge.state.auction.calls
    before = [m for m in calls[: calls.index(first)] if m.standing is Standing.LEGAL]
    return before[-1].seat.lho if before else judge.state.board.dealer
