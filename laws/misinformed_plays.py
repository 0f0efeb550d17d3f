"""Laws 47E2 and 47F2: a player wants a card back that he has played.

47E2(a) he had played it on an opponent's mistaken explanation: another takes its place
as long as nothing has been played after it, an opening lead not once dummy has faced a
card; 47E2(b) too late, the Director may adjust the score; 47F2 for any other reason it
stays played. That there was a mistaken explanation is the Director's word.
"""

from laws.actions import Change, Spread, Word
from laws.card_play import waits
from laws.cards import Card
from laws.changes import told_to_offenders
from laws.effects import adjustable
from laws.incident_events import RevokeDismissed
from laws.judgement import Judgement
from laws.lead_choices import offer_lead_choices
from laws.misinformation import MISINFORMATION, informant
from laws.play import Play, PlayedCard
from laws.possession import check_held
from laws.rulings import Effect, Question, Ruling
from laws.seats import Seat
from laws.state import State
from laws.taking_back import (
    fate_of,
    penalty_effects,
    put_instead,
    revoke_at,
    substitutes,
)


def wants_it_back(state: State, change: Change) -> bool:
    """Whether a change of card is of one that the hand itself has played.

    Otherwise it is of a card that declarer has called for (45C4b).
    """
    play = state.play
    if play is None or _latest_of(play, change.seat) is None:
        return False
    if change.seat is not play.declarer or play.incidents.designated is None:
        return True
    dealt = state.board.hand(change.seat)
    return dealt is not None and change.to in dealt


def _latest_of(play: Play, hand: Seat) -> tuple[int, PlayedCard] | None:
    """The hand's card in the trick in progress, else in the last, and its trick."""
    for number in (play.number, play.number - 1):
        trick = play.trick_at(number) if number else None
        for played in trick.cards if trick is not None else ():
            if played.hand is hand:
                return number, played
    return None


def take_back_misinformed(judge: Judgement, line: int, hand: Seat, by: Card) -> None:
    """47E2, 47F2: the card goes back, or may cost the opponents, or just stays."""
    play = judge.state.play
    found = _latest_of(play, hand) if play is not None else None
    if play is None or found is None or waits(judge, line):
        return
    if play.ended or play.incidents.wrong is not None:
        judge.refuse(line, "47F2", "a card once played stays played")
        return
    number, played = found
    check_held(judge.state, hand, by)
    if not _was_misinformed(judge, line, hand, played.card):
        judge.refuse(line, "47F2", "a card once played stays played")
        return
    offender = informant(judge, hand)
    if _is_too_late(judge.state, play, played):
        effects: tuple[Effect, ...] = (adjustable("47E2(b)"),)
        _rule(judge, line, offender, "47E2(b)", effects)
        return
    legal = substitutes(judge.state, hand, number)
    if play.held is not None and by not in legal:
        reason = f"expected a legal card ({' '.join(legal)}), got {by}"
        judge.refuse(line, "47E2(a)", reason)
        return
    revoke = revoke_at(play, hand, number)
    if revoke is not None:
        judge.emit(RevokeDismissed(revoke))
    put_instead(judge, number, PlayedCard(line, hand, by), "47E2(a)")
    # A card that had been a penalty card is one again; any other just goes back.
    back = fate_of(judge, played) if played.penalty else []
    effects = (*back, *told_to_offenders(judge, offender))
    _rule(judge, line, offender, "47E2(a)", effects)
    offer_lead_choices(judge, line)


def _was_misinformed(judge: Judgement, line: int, hand: Seat, card: Card) -> bool:
    question = Question(
        to=None,
        question=Word.MISINFORMED,
        law="47E2",
        line=line,
        seat=hand,
        about=card,
        choices=("yes", "no"),
        holds=True,
    )
    given = judge.director(Word.MISINFORMED, question)
    return given is not None and given.answer is True


def _is_too_late(state: State, play: Play, played: PlayedCard) -> bool:
    """Something was played after it, or dummy has faced a card after the lead."""
    last = play.current.cards or (play.tricks[-1].cards if play.tricks else ())
    return last[-1] != played or any(
        step.line > played.line and step.action == Spread(play.dummy)
        for step in state.steps
    )


def _rule(
    judge: Judgement, line: int, offender: Seat, law: str, effects: tuple[Effect, ...]
) -> None:
    judge.rule(
        Ruling(
            law=law,
            irregularity=MISINFORMATION,
            offender=offender,
            line=line,
            laws=("47E2", law),
            effects=effects,
        ),
        penalty_effects(list(effects)),
    )
