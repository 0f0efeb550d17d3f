"""Attention drawn by a player (Law 9A, with 42B3, 43B and 61B).

To a revoke, or to what has just happened. Dummy may draw it only after play; he may ask
declarer, who did not follow suit, whether he can (42B1).
"""

from laws.actions import Attention
from laws.cards_of_dummy import let_uncalled_stand, take_back_uncalled
from laws.defective_tricks import missing, order_card
from laws.dummys_rights import assumed, has_looked, may_be_asked
from laws.editions import rules_of
from laws.incidents import Revoke
from laws.judgement import Judgement
from laws.play import Play
from laws.revoke_attention import correction_law, notice_revoke
from laws.revokes import suspect
from laws.rulings import Ruling
from laws.seats import Seat


def draw_attention(judge: Judgement, line: int, action: Attention) -> None:
    """Law 9A: somebody draws attention to an irregularity in the play."""
    play = judge.state.play
    if play is None:
        judge.refuse(line, "9A", "nothing has been played")
        return
    dummy: Seat | None = None
    assumptions: tuple[str, ...] = ()
    if action.seat is play.dummy and not play.ended:
        looked: bool | None = False
        if action.accused is not None:
            about = f"{action.accused} {action.trick}"
            looked = has_looked(judge, line, play.dummy, about)
        if not looked and not may_be_asked(play, action):
            law = rules_of(judge.state.board.edition).dummy_silent
            judge.refuse(line, law, "dummy may not draw attention during play (42B3)")
            return
        if looked:
            dummy = play.dummy
        assumptions = assumed(looked, play.dummy)
    moved = play.incidents.uncalled is not None
    back = take_back_uncalled(judge, line)
    if action.accused is None or action.trick is None:
        begun = bool(play.tricks or play.current.cards)
        if not begun or back or _notice_latest(judge, line):
            return
        if moved and judge.state.play and judge.state.play.incidents.uncalled is None:
            let_uncalled_stand(judge, line)
        else:
            judge.refuse(line, "9A", "nothing irregular to rule on")
        return
    _accuse(judge, line, action.accused, action.trick, dummy, assumptions=assumptions)


def _notice_latest(judge: Judgement, line: int) -> bool:
    """Attention to what has just happened: a revoke that can still be corrected."""
    play = judge.state.play
    if play is None:
        return False
    for number in (play.number, play.number - 1):
        trick = play.trick_at(number) if number else None
        for hand in trick.absent if trick is not None else ():
            if missing(play, hand, number):
                order_card(judge, line, hand, number)
                return True
    for revoke in reversed(play.incidents.revokes):
        if correction_law(judge.state, play, revoke) == "62A":
            notice_revoke(judge, line, revoke)
            return True
    return False


def _accuse(  # noqa: PLR0913 - who says it of whom, and what is assumed
    judge: Judgement,
    line: int,
    hand: Seat,
    number: int,
    dummy: Seat | None,
    *,
    assumptions: tuple[str, ...],
) -> None:
    """A hand is said to have revoked at a trick."""
    play = judge.state.play
    trick = play.trick_at(number) if play is not None else None
    if play is not None and missing(play, hand, number):
        order_card(judge, line, hand, number)
        return
    played = next((p for p in trick.cards if p.hand is hand), None) if trick else None
    if play is None or trick is None or played is None:
        judge.refuse(line, "61A", f"{hand} has played no card to trick {number}")
        return
    revoke = _known(play, hand, number)
    if revoke is not None:
        notice_revoke(judge, line, revoke, dummy, assumptions)
        return
    lapse = next(
        (
            lapse
            for lapse in play.incidents.lapses
            if (lapse.hand, lapse.trick) == (hand, number)
        ),
        None,
    )
    if lapse is not None:
        suspect(judge, play, lapse)
        return
    judge.rule(Ruling(law="61A", irregularity="no-revoke", offender=hand, line=line))


def _known(play: Play, hand: Seat, number: int) -> Revoke | None:
    """The revoke of a hand at a trick; one not corrected before one that is."""
    found = [
        revoke
        for revoke in play.incidents.revokes
        if (revoke.hand, revoke.trick) == (hand, number)
    ]
    return min(found, key=lambda revoke: bool(revoke.corrected), default=None)
