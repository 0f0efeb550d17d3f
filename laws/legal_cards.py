"""Whose turn it is in the play, and the cards that the Laws leave to that hand, now."""

from laws.actions import PlayCards
from laws.cards import Card
from laws.duties import following, in_order, right_cards
from laws.judgement import Judgement
from laws.lead_choices import LEAD
from laws.play import Play
from laws.playing import judge_cards
from laws.revoke_attention import must_correct
from laws.rulings import Question
from laws.seats import Seat
from laws.state import State
from laws.taking_back import substitutes


def hand_to_play(state: State) -> Seat | None:
    """The hand to act by the Laws; None while nobody is, and when play is over.

    That is one with a revoke to correct (62A) or a card to supply (67) before any
    other.
    """
    play = state.play
    if play is None:
        return None
    due, missing = must_correct(state), card_missing(state)
    if due is not None:
        return due[0]
    if missing is not None:
        return missing.seat
    claim = play.incidents.claim
    if play.ended or (claim is not None and not claim.settled):
        return None
    return play.current.next_hand()


def card_missing(state: State) -> Question | None:
    """The question for a card that is missing from a trick (67)."""
    return next((q for q in state.questions if q.question == "supply"), None)


def legal_cards(state: State) -> tuple[Card, ...]:
    """The cards that the hand to act may play now, in order.

    None when the deal is unknown, and while the hand has to wait for another's
    choice (9B2, 50D2, 57A). Those that mend a revoke or a defective trick when that is
    what is awaited.
    """
    play, hand = state.play, hand_to_play(state)
    held = play.cards_of(hand) if play is not None and hand is not None else None
    if play is None or hand is None or held is None:
        return ()
    due, missing = must_correct(state), card_missing(state)
    if due is not None:
        return substitutes(state, *due)
    if missing is not None:
        return _to_supply(play, missing, held)
    if any(q.question == LEAD and q.seat is hand for q in state.questions):
        return ()
    waiting = play.incidents
    if not (
        state.bindings
        or state.questions
        or waiting.ahead
        or waiting.wrong
        or waiting.several
    ):
        return in_order(right_cards(state, hand, held, play.current.suit_led))
    line = 1 + max(step.line for step in state.steps)
    return in_order(frozenset(c for c in held if _is_regular(state, hand, c, line)))


def _to_supply(
    play: Play, missing: Question, held: frozenset[Card]
) -> tuple[Card, ...]:
    trick = play.trick_at(int(missing.about))
    if trick is None or play.incidents.wrong is not None:
        return ()
    return in_order(following(held, trick.suit_led))


def _is_regular(state: State, hand: Seat, card: Card, line: int) -> bool:
    """Whether the card, if played now, is neither refused nor an irregularity."""
    judge = Judgement(state)
    judge_cards(judge, line, PlayCards(hand, (card,)))
    after = judge.state
    play = after.play
    if play is None or len(after.refused) > len(state.refused):
        return False
    wrong = play.incidents.wrong
    return not (
        (wrong is not None and wrong.line == line)
        or any(revoke.line == line for revoke in play.incidents.revokes)
        or any((r.line, r.offender) == (line, hand) for r in after.rulings)
    )
