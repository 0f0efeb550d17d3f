"""The end of play: revokes are spoken of and settled (Laws 62D1, 64, 69A, 79A)."""

from dataclasses import replace

from laws.board import RevokePolicy
from laws.established_revokes import rate_revokes
from laws.incident_events import HandsBack, RevokeKnown
from laws.incidents import Notice
from laws.judgement import Judgement
from laws.play_events import PlayEnded
from laws.revoke_attention import correction_law, notice_revoke, waive_correction


def finish(judge: Judgement, line: int, awarded: tuple[int, int] = (0, 0)) -> None:
    """Play has ended; under all policies but ``manual`` the table is told of revokes.

    Telling it is drawing attention: what is not established has to be corrected, and
    so has trick 12 (62D1).
    """
    judge.emit(PlayEnded(awarded))
    play = judge.state.play
    if play is None or not play.incidents.revokes:
        return
    if judge.state.board.policies.revoke is not RevokePolicy.MANUAL:
        for revoke in play.incidents.revokes:
            if revoke.proven and not revoke.notice:
                judge.emit(RevokeKnown(replace(revoke, notice=Notice.IN_TIME)))
    order_corrections(judge, line)
    rate_revokes(judge)


def order_corrections(judge: Judgement, line: int) -> None:
    """Order the corrections that are due of all revokes spoken of."""
    play = judge.state.play
    if play is None:
        return
    for revoke in play.incidents.revokes:
        if revoke.notice and correction_law(judge.state, play, revoke):
            notice_revoke(judge, line, revoke)


def return_hands(judge: Judgement, line: int) -> None:
    """All four hands are back in the board: nothing is corrected any more (62D1)."""
    play = judge.state.play
    if play is None:
        # After four passes they go back unplayed, which ends Law 25A for good.
        if not judge.state.auction.ended:
            judge.refuse(line, "22", "the auction has not ended")
        return
    if not play.ended:
        judge.refuse(line, "65", "play has not ended")
        return
    judge.emit(HandsBack())
    for revoke in play.incidents.revokes:
        if revoke.trick == 12 and not revoke.corrected:
            waive_correction(judge, revoke)
    rate_revokes(judge)
