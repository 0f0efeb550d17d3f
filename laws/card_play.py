"""A card is played: in its turn, and what that sets off (Laws 44, 45, 61, 63A1, 65).

``out_of_turn_leads`` judges the others. Nothing here looks back over earlier tricks:
what may still matter is in the state's incidents.
"""

from laws.board import RevokePolicy
from laws.cards import Card
from laws.changes import close_changes
from laws.claims import refuse_card_after_claim
from laws.defective_tricks import order_missing_cards
from laws.dummys_rights import CHOSEN_BY_DEFENDER
from laws.duties import Fault, faults_of
from laws.ending import finish
from laws.incident_events import AheadSet
from laws.incidents import Breach, Lapse, WrongKind, WrongPlay
from laws.judgement import Judgement
from laws.lead_choices import led, offer_lead_choices, play_went_on, trick_over
from laws.penalty_card_not_played import accept_by_play, ask_to_accept
from laws.penalty_cards import ask_which, close_which, penalty_card, pick_up
from laws.play import PlayedCard
from laws.play_events import CardPlayed
from laws.revoke_attention import must_correct
from laws.revokes import establish, note_fault, prove_lapses
from laws.rulings import Ruling
from laws.seats import Seat


def waits(judge: Judgement, line: int) -> bool:
    """Whether the table has to wait, so that nobody may play now; it is refused."""
    state = judge.state
    due = must_correct(state) if state.bindings else None
    if due is not None:
        reason = f"{due[0]} has to correct the revoke at trick {due[1]} first"
        judge.refuse(line, "9B2", reason)
        return True
    if any(question.law == CHOSEN_BY_DEFENDER for question in state.questions):
        judge.refuse(line, "9B2", "a defender has to say which hand leads")
        return True
    return refuse_card_after_claim(judge, line)


def play_card(
    judge: Judgement, line: int, hand: Seat, card: Card, *, called: bool = True
) -> None:
    """A card of the hand whose turn it is.

    Args:
        judge: the pen.
        line: the happening.
        hand: the hand to play.
        card: a card that it holds.
        called: False for a card of dummy that declarer did not call for (45D), which
            establishes nothing.
    """
    state = judge.state
    play = state.play
    if play is None:
        return
    if play.incidents.changes:
        close_changes(judge, line)
        if judge.state.play is not None and judge.state.play.ended:
            # The last trick has played itself (62D1), this card included.
            return
        state = judge.state
        play = state.play or play
    number, leading = play.number, not play.current.cards
    faults = faults_of(state, play, hand, card)
    if faults and _prevented(judge, line, hand, faults[0]):
        return
    if called and play.incidents.revokes:
        establish(judge, hand, "63A1", number)
    rank = pick_up(judge, card) if state.bindings else None
    judge.emit(CardPlayed(PlayedCard(line, hand, card, rank)))
    if state.questions:
        play_went_on(judge, hand)
        accept_by_play(judge, line, hand)
        close_which(judge)
    for fault in faults:
        _note(judge, PlayedCard(line, hand, card), number, fault)
    if play.incidents.lapses:
        prove_lapses(judge, line, hand, card)
    if leading and (state.bindings or play.incidents.duty):
        led(judge, hand)
    _after_card(judge, line, number)


def _prevented(judge: Judgement, line: int, hand: Seat, fault: Fault) -> bool:
    """Policy ``prevent``: a card that would be a revoke is refused."""
    prevents = judge.state.board.policies.revoke is RevokePolicy.PREVENT
    if not prevents or not fault.certain:
        return False
    judge.refuse(line, "61A", f"{hand} has to {fault.breach} ({fault.suit or ''})")
    return True


def _note(judge: Judgement, played: PlayedCard, number: int, fault: Fault) -> None:
    """What the card failed to do: a revoke, or a penalty card not played (52)."""
    line, hand, card = played.line, played.hand, played.card
    if fault.breach is Breach.PENALTY_CARD:
        kind = WrongKind.NOT_THE_PENALTY_CARD
        ask_to_accept(judge, WrongPlay(line, hand, card, kind, number, fault.owed))
        return
    lapse = Lapse(line, hand, number, card, fault.suit, fault.breach, fault.duty)
    note_fault(judge, lapse, fault)


def _after_card(judge: Judgement, line: int, number: int) -> None:
    """The trick, or the play, may be over; premature plays may have their turn."""
    play = judge.state.play
    if play is None or play.ended:
        return
    if len(play.tricks) == number:
        if number == 13:
            finish(judge, line)
            order_missing_cards(judge, line)
            return
        if play.incidents.duty is not None:
            trick_over(judge)
        if judge.state.bindings:
            offer_lead_choices(judge, line)
    if play.incidents.ahead:
        _play_ahead(judge)
    if judge.state.bindings:
        ask_which(judge, line)


def _play_ahead(judge: Judgement) -> None:
    """57C, D: a premature play that stands is played when its turn comes.

    If it is not legal then it goes back; a defender's becomes a major penalty card
    (57D). Declarer's stands in 2007 all the same (57C2).
    """
    play = judge.state.play
    if play is None or not play.current.cards or must_correct(judge.state):
        return
    turn = play.current.next_hand()
    ahead = next((other for other in play.incidents.ahead if other.hand is turn), None)
    if ahead is None or ahead.card not in play.known_of(turn):
        return
    left = tuple(other for other in play.incidents.ahead if other != ahead)
    judge.emit(AheadSet(left))
    faults = faults_of(judge.state, play, turn, ahead.card)
    if ahead.law == "57C2" or not any(fault.certain for fault in faults):
        play_card(judge, ahead.line, turn, ahead.card)
    elif ahead.law == "57D":
        effect = penalty_card(judge, turn, ahead.card, "major")
        judge.rule(
            Ruling(
                law="57D",
                irregularity="play-out-of-turn",
                offender=turn,
                line=ahead.line,
                laws=("57D", "44C", "50B"),
                effects=(effect,),
            ),
            (effect,),
        )
