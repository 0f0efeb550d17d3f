"""A call is judged (Laws 17-22 for the regular ones)."""

from laws.actions import MakeCall
from laws.auction import MadeCall, admissible, contract_of, is_over
from laws.auction_events import AuctionEnded, CallMade
from laws.judgement import Judgement
from laws.play_events import PlayBegan


def judge_call(judge: Judgement, line: int, action: MakeCall) -> None:
    """Judge a call as it comes from a seat."""
    auction = judge.state.auction
    if auction.turn is not action.seat:
        judge.refuse(line, "17C", "not the turn of this seat")
        return
    if not admissible(auction.legal_calls, action.seat, action.call):
        judge.refuse(line, "18", "not admissible")
        return
    made = MadeCall(line, action.seat, action.call, action.alerted)
    judge.emit(CallMade(made, action.seat.lho))
    calls = judge.state.auction.legal_calls
    if is_over(calls):
        contract = contract_of(calls)
        judge.emit(AuctionEnded(contract))
        if contract is not None:
            judge.emit(PlayBegan(contract))
