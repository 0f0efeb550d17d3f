"""Cards seen during play (Laws 48, 49, 50 head, 58B).

Declarer's and dummy's are nothing (48). A defender's becomes a penalty card unless the
Director designates otherwise; below an honour and by accident a minor one (50B).
"""

from laws.actions import ExposeCards, Word
from laws.cards import Card
from laws.incident_events import SeveralSet
from laws.judgement import Judgement
from laws.lead_choices import offer_lead_choices
from laws.penalty_cards import information, penalty_card
from laws.play import Rank
from laws.play_events import CardShown
from laws.possession import check_held
from laws.revokes import prove_lapses
from laws.rulings import Effect, Question, Ruling
from laws.seats import Seat


def expose_cards(judge: Judgement, line: int, action: ExposeCards) -> None:
    """Laws 48, 49: cards of a hand are seen, though not played."""
    play = judge.state.play
    if play is None:
        judge.refuse(line, "24", "nothing is being played")
        return
    for card in action.cards:
        check_held(judge.state, action.hand, card)
        judge.emit(CardShown(action.hand, card))
        prove_lapses(judge, line, action.hand, card)
    if play.ended or not play.is_defender(action.hand):
        return
    if play.incidents.claim is not None and not play.incidents.claim.settled:
        # Cards faced with a claim, or while it is settled, are none (68B2, 68C).
        return
    become_penalty_cards(judge, line, action.hand, action.cards, "49")


def become_penalty_cards(
    judge: Judgement, line: int, hand: Seat, cards: tuple[Card, ...], law: str
) -> None:
    """50: a defender's cards stay faced, unless the Director says otherwise."""
    faced = {b.effect.card for b in judge.state.bindings}
    cards = tuple(card for card in cards if card not in faced)
    penalty = _asked(judge, line, hand, Word.PENALTY, cards)
    if not cards or penalty is False:
        return
    assumptions = [] if penalty is not None else [f"penalty {hand}: yes"]
    rank: Rank = "major"
    if len(cards) == 1 and not cards[0].is_honour:
        accidental = _asked(judge, line, hand, Word.ACCIDENTAL, cards)
        if accidental is None:
            assumptions.append(f"accidental {hand}: yes")
        if accidental is not False:
            rank = "minor"
    effects: list[Effect] = [penalty_card(judge, hand, card, rank) for card in cards]
    judge.rule(
        Ruling(
            law=law,
            irregularity="exposed-card",
            offender=hand,
            line=line,
            laws=(law, "50B"),
            effects=(*effects, information(judge, hand)),
            assumptions=tuple(assumptions),
        ),
        tuple(effects),
    )
    offer_lead_choices(judge, line)


def _asked(
    judge: Judgement, line: int, hand: Seat, word: Word, cards: tuple[Card, ...]
) -> bool | None:
    """The Director's yes or no, None while he has not answered."""
    question = Question(
        to=None,
        question=word,
        law="50B" if word is Word.ACCIDENTAL else "50",
        line=line,
        seat=hand,
        about=" ".join(cards),
        choices=("yes", "no"),
    )
    given = judge.director(word, question)
    return None if given is None else given.answer is not False


def show_several(
    judge: Judgement, line: int, hand: Seat, cards: tuple[Card, ...]
) -> None:
    """58B2: several cards at once; their player designates the one he plays."""
    play = judge.state.play
    if play is None:
        return
    if play.current.next_hand() is not hand or play.incidents.wrong is not None:
        judge.refuse(line, "58B", "not the turn of this hand")
        return
    for card in cards:
        check_held(judge.state, hand, card)
        judge.emit(CardShown(hand, card))
    judge.emit(SeveralSet((line, hand, cards)))
    judge.ask(
        Question(
            to=play.player_of(hand),
            question="designate",
            law="58B2",
            line=line,
            seat=hand,
            about=" ".join(cards),
            choices=tuple(cards),
            holds=True,
        )
    )


def designate_one(
    judge: Judgement, line: int, hand: Seat, card: Card
) -> tuple[bool, tuple[Card, ...]]:
    """58B2: which of the cards is played.

    Returns:
        Whether the card may be played now, and the cards that are left over.
    """
    play = judge.state.play
    several = play.incidents.several if play is not None else None
    if several is None:
        return True, ()
    _, owner, cards = several
    if hand is not owner or card not in cards:
        judge.refuse(line, "58B2", f"{owner} has to say which of his cards he plays")
        return False, ()
    judge.emit(SeveralSet(None))
    for question in judge.state.questions:
        if (question.law, question.seat) == ("58B2", owner):
            judge.close(question)
    return True, tuple(other for other in cards if other is not card)
