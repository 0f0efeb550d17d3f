"""Tricks with a card missing (Law 67).

Decides 67A (it is supplied while a side has not played on) and 67B1 (both sides have:
a card is added, the trick's winner stays, and it counts as a revoke that moves one
trick at most, by 64A2).
"""

from dataclasses import replace

from laws.board import RevokePolicy
from laws.cards import Card
from laws.duties import following, in_order
from laws.established_revokes import rate_revokes
from laws.incident_events import RevokeKnown
from laws.incidents import Breach, Revoke
from laws.judgement import Judgement
from laws.play import Play, PlayedCard
from laws.play_events import CardAdded, CardInserted, CardOmitted, CardsWithdrawn
from laws.possession import check_held
from laws.revoke_attention import notice_now
from laws.rulings import Question, Ruling
from laws.seats import Seat
from laws.taking_back import forget


def omit_card(judge: Judgement, line: int, hand: Seat) -> None:
    """67: a hand contributes no card to the trick."""
    play = judge.state.play
    if play is None:
        return
    if play.current.next_hand() is not hand:
        judge.refuse(line, "67", "not the turn of this hand")
    elif not play.current.cards:
        judge.refuse(line, "44A", "a trick begins with a card")
    elif play.number == 13:
        judge.refuse(line, "67", "the last card is played")
    else:
        judge.emit(CardOmitted(hand))


def missing(play: Play, hand: Seat, number: int) -> bool:
    """Whether a hand contributed no card to a trick, and none has been added since."""
    trick = play.trick_at(number)
    if trick is None or hand not in trick.absent:
        return False
    return all(played.hand is not hand for played in trick.added)


def order_card(judge: Judgement, line: int, hand: Seat, number: int) -> None:
    """Attention to the missing card: its hand has to supply one."""
    play = judge.state.play
    about = (hand, "supply", str(number))
    if play is None or any(
        (q.seat, q.question, q.about) == about for q in judge.state.questions
    ):
        return
    judge.ask(
        Question(
            to=play.player_of(hand),
            question="supply",
            law="67B1" if _both_played_on(play, number) else "67A",
            line=line,
            seat=hand,
            about=str(number),
            choices=("replace",),
            holds=True,
        )
    )


def order_missing_cards(judge: Judgement, line: int) -> None:
    """Play has ended; what is missing from tricks is spoken of, unless ``manual``."""
    play = judge.state.play
    if play is None or judge.state.board.policies.revoke is RevokePolicy.MANUAL:
        return
    for number, trick in enumerate(play.tricks, 1):
        for hand in trick.absent:
            if missing(play, hand, number):
                order_card(judge, line, hand, number)


def _both_played_on(play: Play, number: int) -> bool:
    later = (*play.tricks[number:], play.current) if number < play.number else ()
    sides = {p.hand.side for trick in later for p in trick.cards}
    return len(sides) == 2


def supply_card(judge: Judgement, line: int, hand: Seat, card: Card) -> bool:
    """67A, 67B1: a card for the trick that has none from this hand.

    Returns:
        False when no card is asked of the hand.
    """
    play = judge.state.play
    question = next(
        (q for q in judge.state.questions if q.question == "supply" and q.seat is hand),
        None,
    )
    if play is None or question is None:
        return False
    number = int(question.about)
    trick = play.trick_at(number)
    if trick is None:
        return False
    check_held(judge.state, hand, card)
    if play.incidents.wrong is not None:
        # The card may be wanted for the trick in progress (52B2).
        judge.refuse(line, "9B2", "a card out of order waits for declarer's choice")
        return True
    held = play.cards_of(hand)
    able = held is not None and any(c.suit is trick.suit_led for c in held)
    if held is not None and card not in following(held, trick.suit_led):
        expected = " ".join(in_order(following(held, trick.suit_led)))
        judge.refuse(line, question.law, f"expected one of {expected}, got {card}")
        return True
    judge.close(question)
    played = PlayedCard(line, hand, card)
    if _both_played_on(play, number):
        _add(judge, play, number, played, able=able or card.suit is trick.suit_led)
        rate_revokes(judge)
    else:
        _insert(judge, number, played)
    return True


def _add(
    judge: Judgement, play: Play, number: int, played: PlayedCard, *, able: bool
) -> None:
    """67B1: the winner stays; deemed a revoke whether he could follow or not."""
    judge.emit(CardAdded(number, played))
    law = "67B1(a)" if able else "67B1(b)"
    trick = play.trick_at(number)
    revoke = Revoke(
        played.line,
        played.hand,
        number,
        played.card,
        trick.suit_led if trick is not None else None,
        Breach.NO_CARD,
        faced=played.hand is play.dummy,
        established=law,
    )
    revoke = replace(revoke, notice=notice_now(play, revoke))
    judge.emit(RevokeKnown(revoke))
    judge.rule(
        Ruling(
            law=law,
            irregularity="missing-card",
            offender=played.hand,
            line=played.line,
            laws=("67B1", law, "64A2"),
        )
    )


def _insert(judge: Judgement, number: int, played: PlayedCard) -> None:
    """67A: the card takes its place in the trick; another winner leads anew."""
    judge.emit(CardInserted(number, played))
    play = judge.state.play
    if play is not None and number < play.number:
        winner = play.tricks[number - 1].winner(play.trump)
        if play.current.cards and play.current.leader is not winner:
            forget(judge, number + 1, 0)
            judge.emit(CardsWithdrawn(played.line, number + 1, 0, "67A"))
    judge.rule(
        Ruling(
            law="67A",
            irregularity="missing-card",
            offender=played.hand,
            line=played.line,
            laws=("67A",),
        )
    )
