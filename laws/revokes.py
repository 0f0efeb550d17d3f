"""Revokes: found and established (Laws 61, 63).

``revoke_attention`` speaks of them (9A, 62A), ``corrections`` corrects them (62B to
62D), ``established_revokes`` settles those that stand (64). With the deal known a
revoke is found at the play; else when the hand shows a card that it should have
played.
"""

from dataclasses import replace

from laws.cards import Card
from laws.duties import Fault
from laws.established_revokes import (
    rate_revokes,
)
from laws.incident_events import LapseSeen, RevokeKnown
from laws.incidents import Lapse, Revoke
from laws.judgement import Judgement
from laws.play import Play
from laws.revoke_attention import (
    correction_law,
    notice_now,
    speak_if_policy,
    waive_correction,
)
from laws.rulings import Question
from laws.seats import Seat


def note_fault(judge: Judgement, lapse: Lapse, fault: Fault) -> None:
    """Law 61A: a card was a revoke, or may have been one."""
    if not fault.certain:
        judge.emit(LapseSeen(lapse))
        return
    revoke = _revoke_of(lapse, faced=fault.faced)
    judge.emit(RevokeKnown(revoke))
    speak_if_policy(judge, lapse.line, revoke)


def _revoke_of(lapse: Lapse, *, faced: bool) -> Revoke:
    return Revoke(
        lapse.line,
        lapse.hand,
        lapse.trick,
        lapse.card,
        lapse.suit,
        lapse.breach,
        lapse.duty,
        faced,
    )


def suspect(judge: Judgement, play: Play, lapse: Lapse) -> None:
    """The deal is unknown: the player is asked, and his hand will tell (61B)."""
    revoke = _revoke_of(lapse, faced=lapse.hand is play.dummy)
    gone = "63A1" if played_on(play, lapse.hand, lapse.trick) else ""
    revoke = replace(revoke, proven=False, established=gone)
    judge.emit(RevokeKnown(replace(revoke, notice=notice_now(play, revoke))))
    if correction_law(judge.state, play, replace(revoke, proven=True)):
        judge.ask(
            Question(
                to=play.player_of(lapse.hand),
                question="replace",
                law="61B",
                line=lapse.line,
                seat=lapse.hand,
                about=lapse.card,
                choices=("replace", "keep"),
            )
        )


def prove_lapses(judge: Judgement, line: int, hand: Seat, shown: Card) -> None:
    """A card that a hand shows may prove earlier cards of it to have been revokes.

    Such a revoke is as far gone as the play is: a side that has played on since has
    established it (63A1).
    """
    play = judge.state.play
    if play is None or not play.incidents.lapses:
        return
    for lapse in play.incidents.lapses:
        if lapse.hand is hand and lapse.line != line and lapse.proven_by(shown):
            _prove(judge, line, play, lapse)


def _prove(judge: Judgement, line: int, play: Play, lapse: Lapse) -> None:
    known = next(
        (
            revoke
            for revoke in play.incidents.revokes
            if (revoke.line, revoke.hand) == (lapse.line, lapse.hand)
        ),
        None,
    )
    if known is not None:
        revoke = replace(known, proven=True)
    else:
        revoke = _revoke_of(lapse, faced=lapse.hand is play.dummy)
        if played_on(play, lapse.hand, lapse.trick):
            revoke = replace(revoke, established="63A1")
    judge.emit(RevokeKnown(revoke))
    for question in judge.state.questions:
        if question.question == "replace" and question.line == lapse.line:
            judge.close(question)
    if revoke.notice:
        rate_revokes(judge)
    else:
        speak_if_policy(judge, line, revoke)


def played_on(play: Play, hand: Seat, trick: int) -> bool:
    """Whether the hand's side has played to a later trick (63A1)."""
    later = (*play.tricks[trick:], play.current) if trick < play.number else ()
    return any(p.hand.side is hand.side for t in later for p in t.cards)


def establish(
    judge: Judgement, hand: Seat, law: str, number: int | None = None
) -> None:
    """Law 63A: what a side does establishes its open revokes.

    Args:
        judge: the pen.
        hand: whose side acts.
        law: the paragraph by which it establishes.
        number: the trick led or played to, legally or not (63A1) or designated for
            (63A2): revokes of earlier tricks are meant. None: all of them (63A3, A4).
    """
    play = judge.state.play
    if play is None:
        return
    for revoke in play.incidents.revokes:
        earlier = number is None or revoke.trick < number
        if earlier and revoke.is_open and revoke.hand.side is hand.side:
            judge.emit(RevokeKnown(replace(revoke, established=law)))
            waive_correction(judge, revoke)


def establish_no_more(judge: Judgement, hand: Seat) -> None:
    """63A1 (2017): a card retracted under 47E1 has not established a revoke."""
    play = judge.state.play
    for revoke in play.incidents.revokes if play is not None else ():
        own = revoke.hand.side is hand.side and revoke.established == "63A1"
        if play is not None and own and not played_on(play, hand, revoke.trick):
            judge.emit(RevokeKnown(replace(revoke, established="")))
