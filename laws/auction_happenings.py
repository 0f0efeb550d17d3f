"""Which Law judges a happening that is one of the auction."""

from laws.actions import (
    Accept,
    Action,
    Answer,
    Attention,
    Change,
    Decline,
    ExposeCards,
    Keep,
    MakeCall,
    PlayCards,
    Replace,
    Word,
)
from laws.auction_events import AtOnceSet
from laws.calling import judge_call, judge_offer, judge_option
from laws.calls import Call
from laws.change_of_call import judge_change
from laws.exposed_in_auction import judge_exposed
from laws.judgement import Judgement
from laws.wrong_board import judge_wrong_board


def judge_in_auction(  # noqa: C901, PLR0912 - one branch a kind of happening
    judge: Judgement, line: int, action: Action
) -> bool:
    """Judge a happening as far as it is one of the auction.

    Returns:
        False when it is not, and the play has to judge it.
    """
    if isinstance(action, MakeCall):
        judge_call(judge, line, action)
        return True
    auction = judge.state.auction
    if auction.at_once is not None:
        # Something else happens: the call just ruled on cannot be overtaken any more.
        judge.emit(AtOnceSet(None))
    if auction.ended and isinstance(action, PlayCards):
        return False
    match action:
        case PlayCards(hand, cards):
            judge_exposed(judge, line, hand, cards, led=True)
        case ExposeCards(hand, cards) if not auction.ended:
            judge_exposed(judge, line, hand, cards, led=False)
        case Change(_, to) if isinstance(to, Call):
            judge_change(judge, line, action, to, judge_call)
        case Answer(Word.WRONG_BOARD, answer, seat):
            # The Director has found a wrong board: he says so when it is found.
            if answer:
                judge_wrong_board(judge, line, seat)
        case Accept() | Decline():
            return judge_option(judge, action)
        case Replace(seat, by) if isinstance(by, Call):
            if not judge_offer(judge, line, action):
                judge_call(judge, line, MakeCall(seat, by))
        case Keep():
            return judge_offer(judge, line, action)
        case Attention() if not auction.ended:
            pass
        case _:
            return False
    return True
