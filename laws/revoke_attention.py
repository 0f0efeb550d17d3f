"""Attention to revokes, and the order to correct them (Laws 62A, C3, D1, 63B, 43B).

When a revoke is spoken of it is corrected, or found to be established; under the
policies ``record`` and ``immediate`` the referee speaks of it himself.
"""

from dataclasses import replace

from laws.board import RevokePolicy
from laws.editions import rules_of
from laws.established_revokes import (
    AS_THOUGH_ESTABLISHED,
    rate_revokes,
    redress_of,
)
from laws.events import Released
from laws.incident_events import ClaimSet, RevokeKnown
from laws.incidents import Breach, Notice, Revoke
from laws.judgement import Judgement
from laws.play import Play
from laws.play_events import PlayReopened
from laws.rulings import Effect, EffectKind, Question, Ruling
from laws.seats import Seat
from laws.state import State


def notice_revoke(
    judge: Judgement,
    line: int,
    revoke: Revoke,
    by_dummy: Seat | None = None,
    assumptions: tuple[str, ...] = (),
) -> None:
    """Attention is drawn to a revoke: it is corrected, or found to be established.

    ``by_dummy`` is dummy, when he was the first to draw it and had no right left to do
    so: declarer's revoke is corrected and settled as though established (43B2b), a
    defender's is not rectified at all (43B3). ``assumptions`` go with the order to
    correct.
    """
    play = judge.state.play
    if play is None:
        return
    if not revoke.notice:
        notice = notice_now(play, revoke)
        if by_dummy is not None and play.is_defender(revoke.hand):
            notice = Notice.BY_DUMMY
        revoke = replace(revoke, notice=notice)
        judge.emit(RevokeKnown(revoke))
    else:
        by_dummy = None
    if revoke.notice is Notice.BY_DUMMY:
        if by_dummy is not None:
            _rule_by_dummy(judge, line, revoke)
        rate_revokes(judge)
        return
    law = correction_law(judge.state, play, revoke)
    if law and by_dummy is not None and revoke.hand is play.declarer:
        law = AS_THOUGH_ESTABLISHED
    if law:
        for each in _on_same_trick(play, revoke) if law == "62C3" else [revoke]:
            _order_correction(judge, line, each, law, assumptions)
    elif revoke.established and not revoke.corrected and not play.ended:
        _rule_established(judge, line, play, revoke)
    rate_revokes(judge)


def _rule_by_dummy(judge: Judgement, line: int, revoke: Revoke) -> None:
    """43B3: dummy was the first to point at it; nothing is rectified now.

    2007: damage is made good at the end (12B1). 2017: the defenders lose what they
    gained, and declarer's side keeps the score of the table.
    """
    law = rules_of(judge.state.board.edition).dummy_pointed
    judge.rule(
        Ruling(
            law="43B3",
            irregularity="revoke",
            offender=revoke.hand,
            line=line,
            laws=tuple(dict.fromkeys(("43A2", "43B3", law))),
            effects=(Effect(kind=EffectKind.ADJUST_POSSIBLE, law=law),),
        )
    )


def notice_now(play: Play, revoke: Revoke) -> Notice:
    """Whether attention comes too late for 64A (64B4, B5)."""
    incidents = play.incidents
    if any(seat.side is not revoke.hand.side for seat in incidents.called_next):
        return Notice.NEXT_BOARD
    return Notice.ROUND_OVER if incidents.round_over else Notice.IN_TIME


def correction_law(state: State, play: Play, revoke: Revoke) -> str:
    """The paragraph by which a revoke has to be corrected now; empty when by none.

    62A before it is established; 62D1 on the twelfth trick even then, until all four
    hands are back in the board; 62C3 (2017) when both sides revoked on the trick and
    only one of them has played on.
    """
    if revoke.corrected or not revoke.proven or revoke.notice is Notice.BY_DUMMY:
        return ""
    if (
        _one_side_played_on(play, revoke)
        and rules_of(state.board.edition).both_corrected
    ):
        return "62C3"
    if not revoke.established:
        return "62A"
    # A penalty card not played was accepted (52B1), a missing card supplied (67B1).
    correctable = revoke.breach in {Breach.SUIT, Breach.DUTY}
    last = revoke.trick == 12 and not play.incidents.hands_returned
    return "62D1" if last and correctable else ""


def _one_side_played_on(play: Play, revoke: Revoke) -> bool:
    """Both sides revoked on the trick, and only one of them has played on (62C3)."""
    if play.ended or len(play.tricks) != revoke.trick:
        return False
    sides = {played.hand.side for played in play.current.cards}
    return len(sides) == 1 and len(_on_same_trick(play, revoke)) > 1


def _on_same_trick(play: Play, revoke: Revoke) -> list[Revoke]:
    """The revoke and those of the other side on its trick, uncorrected (62C3)."""
    side = revoke.hand.side
    return [
        other
        for other in play.incidents.revokes
        if other.trick == revoke.trick
        and other.proven
        and not other.corrected
        and (other.hand is revoke.hand or other.hand.side is not side)
    ]


def _order_correction(
    judge: Judgement,
    line: int,
    revoke: Revoke,
    law: str,
    assumptions: tuple[str, ...],
) -> None:
    """Law 62A, C3 or D1: the revoker has to replace his card; the table waits."""
    play = judge.state.play
    if play is None or must_correct(judge.state, revoke.hand):
        return
    changed = replace(revoke, notice=revoke.notice or Notice.IN_TIME)
    if law == "62C3":
        changed = replace(changed, established="")
    if changed != revoke:
        judge.emit(RevokeKnown(changed))
    effect = Effect(kind=EffectKind.MUST_CORRECT, seat=revoke.hand, trick=revoke.trick)
    fate = "62B1" if play.is_defender(revoke.hand) else "62B2"
    ruling = Ruling(
        law=law,
        irregularity="revoke",
        offender=revoke.hand,
        line=line,
        laws=("61A", law, fate),
        effects=(effect,),
        assumptions=assumptions,
    )
    if not judge.rule(ruling, (effect,)):
        return
    _reopen_claim(judge, line, play)
    judge.ask(
        Question(
            to=play.player_of(revoke.hand),
            question="replace",
            law="62B",
            line=line,
            seat=revoke.hand,
            about=revoke.card,
            choices=("replace",),
            holds=True,
        )
    )


def _reopen_claim(judge: Judgement, line: int, play: Play) -> None:
    """A claim made while a revoke was open is settled anew, by the Director (70)."""
    claim = play.incidents.claim
    if claim is None or len(play.tricks) == 13:
        return
    law = "69B" if claim.settled else "70A"
    judge.emit(ClaimSet(replace(claim, settled=False, agreed=frozenset())))
    if play.ended:
        judge.emit(PlayReopened())
    judge.ask(
        Question(
            to=None,
            question="claim",
            law=law,
            line=line,
            seat=claim.seat,
            about=f"{claim.tricks} of {claim.remaining} tricks",
            choices=("award",),
            holds=True,
        )
    )


def _rule_established(judge: Judgement, line: int, play: Play, revoke: Revoke) -> None:
    """Law 63B: it stands, play goes on, and Law 64 is applied when play ends."""
    law = redress_of(play, rules_of(judge.state.board.edition), revoke)
    judge.rule(
        Ruling(
            law="63B",
            irregularity="revoke",
            offender=revoke.hand,
            line=line,
            laws=("61A", revoke.established, "63B"),
            effects=(Effect(kind=EffectKind.ADJUST_POSSIBLE, law=law),),
        )
    )


def waive_correction(judge: Judgement, revoke: Revoke) -> None:
    """63B, 62D1: a revoke is corrected no more."""
    for binding in judge.state.bindings:
        effect = binding.effect
        of_this = (effect.seat, effect.trick) == (revoke.hand, revoke.trick)
        if effect.kind is EffectKind.MUST_CORRECT and of_this:
            judge.emit(Released(binding))
    for question in judge.state.questions:
        if question.question == "replace" and question.seat is revoke.hand:
            judge.close(question)


def must_correct(state: State, hand: Seat | None = None) -> tuple[Seat, int] | None:
    """The hand (the first if several) that has a revoke to correct, and its trick."""
    for binding in state.bindings:
        effect = binding.effect
        if effect.kind is not EffectKind.MUST_CORRECT or effect.seat is None:
            continue
        if effect.trick is not None and hand in (None, effect.seat):
            return effect.seat, effect.trick
    return None


def speak_if_policy(judge: Judgement, line: int, revoke: Revoke) -> None:
    """Under ``immediate`` the table is told at once, which is drawing attention."""
    if judge.state.board.policies.revoke is RevokePolicy.IMMEDIATE:
        notice_revoke(judge, line, revoke)
