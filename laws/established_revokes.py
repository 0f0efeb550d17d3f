"""What an established revoke costs (Law 64).

Decides 64A1, 64A2 with the footnote on dummy, 64B1 to 64B8 and the question of 64C,
once play has ended. Judged again whenever what they rest on changes: attention drawn
late, a claim settled anew.
"""

from dataclasses import dataclass, replace

from laws.actions import Word
from laws.editions import Rules, rules_of
from laws.events import Amended, Superseded
from laws.incident_events import RevokeKnown
from laws.incidents import Breach, Notice, Revoke
from laws.judgement import Judgement
from laws.play import Play
from laws.rulings import Effect, EffectKind, Question, Ruling
from laws.seats import SIDES, Seat, Side

AS_THOUGH_ESTABLISHED = "43B2(b)"
"""Corrected because of dummy's word, who had no right to it: Law 64 applies too."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The paragraph of Law 64 that settles a revoke, and the tricks it moves."""

    rule: str
    moved: int = 0


@dataclass(frozen=True, slots=True)
class _Won:
    """A trick as won: by a side and, if it was played, by a hand."""

    number: int
    side: Side
    hand: Seat | None


def rate_revokes(judge: Judgement) -> None:
    """Settle by Law 64 every revoke that attention has been drawn to."""
    play = judge.state.play
    if play is None or not play.incidents.revokes:
        return
    rules = rules_of(judge.state.board.edition)
    ratings = ratings_of(play, rules) if play.ended else {}
    for revoke in play.incidents.revokes:
        rating = ratings.get((revoke.line, revoke.hand), Rating(""))
        key = (revoke.line, rating.rule, revoke.hand)
        if key in judge.state.overruled:
            rating = Rating(rating.rule)
        if (rating.rule, rating.moved) == (revoke.rule, revoke.moved):
            continue
        if revoke.rule and revoke.rule != rating.rule:
            judge.emit(Superseded((revoke.line, revoke.rule, revoke.hand)))
        judge.emit(RevokeKnown(replace(revoke, rule=rating.rule, moved=rating.moved)))
        if not rating.rule:
            continue
        ruling = _ruling(judge, play, revoke, rating, rules)
        if revoke.rule == rating.rule:
            judge.emit(Amended(ruling))
        else:
            judge.rule(ruling)


def ratings_of(play: Play, rules: Rules) -> dict[tuple[int, Seat], Rating]:
    """Law 64 for each revoke of a play that has ended, by its line and hand."""
    known = [r for r in play.incidents.revokes if r.proven and r.notice]
    known.sort(key=lambda revoke: (revoke.trick, revoke.line))
    won = _tricks_won(play)
    ratings = {}
    moved: set[int] = set()
    for revoke in known:
        if revoke.corrected and revoke.corrected != AS_THOUGH_ESTABLISHED:
            rule = _rule_of_corrected(revoke)
            rating = Rating(rule) if rule else None
        elif revoke.established or revoke.corrected:
            spared = _spared(play, rules, known, revoke)
            rating = Rating(spared) if spared else _moved(revoke, known, won, moved)
        else:
            rating = None
        if rating is not None:
            ratings[revoke.line, revoke.hand] = rating
    return ratings


def _rule_of_corrected(revoke: Revoke) -> str:
    """64B8 (corrected under 62C3) and 64B6 (trick 12, corrected though established)."""
    return {"62C3": "64B8", "62D1": "64B6"}.get(revoke.corrected, "")


def _spared(play: Play, rules: Rules, known: list[Revoke], revoke: Revoke) -> str:
    """The paragraph of 64B2 to 64B7, or 43B3, that spares an established revoke."""
    side = revoke.hand.side
    reasons = {
        "43B3": revoke.notice is Notice.BY_DUMMY,
        "64B7": any(
            other.hand.side is not side and (rules.both_spared or _stands(other))
            for other in known
        ),
        "64B3": revoke.hand is play.dummy or revoke.faced,
        "64B6": revoke.trick == 12,
        "64B4": revoke.notice is Notice.NEXT_BOARD,
        "64B5": revoke.notice is Notice.ROUND_OVER,
        "64B2": any(
            _same_again(earlier, revoke) and (rules.repeat_spared or _stands(earlier))
            for earlier in known
        ),
    }
    return next((law for law, holds in reasons.items() if holds), "")


def _stands(revoke: Revoke) -> bool:
    """Established, and not corrected all the same."""
    return bool(revoke.established) and not revoke.corrected


def _same_again(earlier: Revoke, later: Revoke) -> bool:
    """Whether the later revoke repeats the earlier: the same hand, the same suit."""
    return (
        earlier.hand is later.hand
        and earlier.suit is later.suit
        and later.suit is not None
        and (earlier.trick, earlier.line) < (later.trick, later.line)
    )


def _tricks_won(play: Play) -> list[_Won]:
    """Every trick of the board as won; claimed ones come last (69A)."""
    won = []
    for number, trick in enumerate(play.tricks, 1):
        hand = trick.winner(play.trump)
        won.append(_Won(number, hand.side, hand))
    for side, tricks in zip(SIDES, play.awarded, strict=True):
        won += [_Won(len(won) + i, side, None) for i in range(1, tricks + 1)]
    return won


def _moved(
    revoke: Revoke, known: list[Revoke], won: list[_Won], moved: set[int]
) -> Rating:
    """64A1, 64A2 and 64B1: which tricks go over; each trick goes once.

    By the footnote a trick won in dummy is not won by declarer, though by his side.
    """
    side, number = revoke.hand.side, revoke.trick
    pool = [
        trick.number
        for trick in won
        if trick.side is side and trick.number >= number and trick.number not in moved
    ]
    # A trick that another revoke takes by 64A1 is left to it while there is a choice.
    others = {r.trick for r in known if r is not revoke and _own_trick(r, won)}
    if _own_trick(revoke, won):
        going = [number] if number in pool else []
        later = [trick for trick in pool if trick > number]
        going += [trick for trick in later if trick not in others][:1] or later[:1]
        moved.update(going)
        return Rating("64A1", len(going))
    if not pool:
        return Rating("64B1")
    moved.add(next((trick for trick in pool if trick not in others), pool[0]))
    return Rating("64A2", 1)


def _own_trick(revoke: Revoke, won: list[_Won]) -> bool:
    """Whether the revoker himself won the trick of his revoke.

    A card put to a trick afterwards does not count (67B1 goes by 64A2).
    """
    if revoke.breach is Breach.NO_CARD or revoke.trick > len(won):
        return False
    return won[revoke.trick - 1].hand is revoke.hand


def _ruling(
    judge: Judgement, play: Play, revoke: Revoke, rating: Rating, rules: Rules
) -> Ruling:
    """The ruling on a revoke when play has ended, with the question of 64C."""
    law = redress_of(play, rules, revoke)
    question = Question(
        to=None,
        question=Word.DAMAGE,
        law=law,
        line=revoke.line,
        seat=revoke.hand,
        about=f"{revoke.hand} {revoke.trick}",
        choices=("yes", "no"),
    )
    given = judge.director(Word.DAMAGE, question)
    effects = []
    if rating.moved:
        effects.append(
            Effect(
                kind=EffectKind.TRANSFER,
                to=revoke.hand.side.other,
                tricks=rating.moved,
            )
        )
    if given is None or given.answer is not False:
        effects.append(Effect(kind=EffectKind.ADJUST_POSSIBLE, law=law))
    laws = ("61A", revoke.corrected or revoke.established, rating.rule, law)
    return Ruling(
        law=rating.rule,
        irregularity="revoke",
        offender=revoke.hand,
        line=revoke.line,
        laws=laws,
        effects=tuple(effects),
    )


def redress_of(play: Play, rules: Rules, revoke: Revoke) -> str:
    """The paragraph of 64C under which the Director may adjust for the revoke."""
    general, repeated, both = rules.redress
    standing = [other for other in play.incidents.revokes if _stands(other)]
    if any(other.hand.side is not revoke.hand.side for other in standing):
        return both
    again = any(_same_again(other, revoke) for other in standing)
    return repeated if again else general


def transfer_of(play: Play) -> tuple[Side, int] | None:
    """The tricks transferred, net, and the side they go to; None when none are."""
    balance = 0
    for revoke in play.incidents.revokes:
        to_first = revoke.hand.side is SIDES[1]
        balance += revoke.moved if to_first else -revoke.moved
    if balance == 0:
        return None
    return (SIDES[0], balance) if balance > 0 else (SIDES[1], -balance)
