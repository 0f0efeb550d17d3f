"""Cards that go back from the table, whatever the reason (Laws 47, 62B).

What a hand may put in place of a card; what a replacement undoes: where the trick has
another winner the lead to the next one goes back; what becomes of the card withdrawn;
on trick 12 the last cards then play themselves (62D1).
"""

from dataclasses import replace

from laws.cards import Card
from laws.duties import following, in_order, right_cards
from laws.editions import rules_of
from laws.ending import finish
from laws.incident_events import LapseSeen, LapsesForgotten, RevokeDismissed
from laws.incidents import Lapse, Revoke
from laws.judgement import Judgement
from laws.penalty_cards import penalty_card, pick_up
from laws.play import Play, PlayedCard, Trick
from laws.play_events import CardPlayed, CardReplaced, CardsWithdrawn
from laws.revoke_attention import must_correct, waive_correction
from laws.rulings import Effect, EffectKind
from laws.seats import SEATS, Seat
from laws.state import State


def substitutes(state: State, hand: Seat, number: int) -> tuple[Card, ...]:
    """The legal cards in place of the hand's card to a trick; none if deal unknown."""
    play = state.play
    trick = play.trick_at(number) if play is not None else None
    held = play.cards_of(hand) if play is not None else None
    if play is None or trick is None or held is None:
        return ()
    played = trick.card_from(hand)
    cards = held | {played} if played is not None else held
    if number < len(play.tricks):
        # The card that he played to the later trick (12, then 13) is his again.
        cards |= {
            p.card for t in play.tricks[number:] for p in t.cards if p.hand is hand
        }
    elif number == 12 and play.number == 13:
        cards |= {p.card for p in play.current.cards if p.hand is hand}
    led = trick.suit_led if trick.place_of(hand) else None
    revoke = revoke_at(play, hand, number)
    if revoke is not None and revoke.duty is not None:
        right = revoke.duty.allowed(following(cards, led), led)
    else:
        right = right_cards(state, hand, cards, led)
    return in_order(right)


def revoke_at(play: Play, hand: Seat, number: int) -> Revoke | None:
    return next(
        (
            revoke
            for revoke in play.incidents.revokes
            if revoke.hand is hand and revoke.trick == number and not revoke.corrected
        ),
        None,
    )


def put_instead(judge: Judgement, number: int, by: PlayedCard, law: str) -> None:
    """Replace a hand's card to a trick, and take back what no longer follows from it.

    A lead of another suit undoes the rest of its trick; another winner of a complete
    trick undoes the lead to the next.
    """
    play = judge.state.play
    before = play.trick_at(number) if play is not None else None
    if before is None:
        return
    rank = pick_up(judge, by.card)
    judge.emit(CardReplaced(number, replace(by, penalty=rank), law))
    _note_lapse_anew(judge, number, before, by)
    another_suit = before.suit_led is not by.card.suit and len(before.cards) > 1
    if before.place_of(by.hand) == 0 and another_suit:
        forget(judge, number, 1)
        judge.emit(CardsWithdrawn(by.line, number, 1, law))
    play = judge.state.play
    if play is None or number >= play.number:
        return
    winner = play.tricks[number - 1].winner(play.trump)
    if play.current.cards and play.current.leader is not winner:
        forget(judge, number + 1, 0)
        judge.emit(CardsWithdrawn(by.line, number + 1, 0, law))


def _note_lapse_anew(
    judge: Judgement, number: int, before: Trick, by: PlayedCard
) -> None:
    """Deal unknown: what the old card may have been, the new one may be instead."""
    play = judge.state.play
    old = next((p for p in before.cards if p.hand is by.hand), None)
    if play is None or play.held is not None or old is None:
        return
    judge.emit(LapsesForgotten(frozenset({(old.line, old.hand)})))
    led = before.suit_led
    if before.cards[0].hand is not by.hand and by.card.suit is not led:
        judge.emit(LapseSeen(Lapse(by.line, by.hand, number, by.card, led)))


def forget(judge: Judgement, number: int, keep: int) -> None:
    """Cards of a trick after the first ones, and of later tricks, are to go back.

    What they did is undone with them: they were no revokes.
    """
    play = judge.state.play
    trick = play.trick_at(number) if play is not None else None
    if play is None or trick is None:
        return
    going = list(trick.cards[keep:])
    for later in (*play.tricks[number:], play.current):
        if later is not trick:
            going += later.cards
    gone = frozenset((played.line, played.hand) for played in going)
    for revoke in play.incidents.revokes:
        if (revoke.line, revoke.hand) in gone and not revoke.corrected:
            judge.emit(RevokeDismissed(revoke))
            waive_correction(judge, revoke)
    if any((lapse.line, lapse.hand) in gone for lapse in play.incidents.lapses):
        judge.emit(LapsesForgotten(gone))


def fate_of(judge: Judgement, withdrawn: PlayedCard) -> list[Effect]:
    """62B1: a defender's card is a major penalty card, unless it lay faced before.

    62B2: any other card goes back and nothing more; a card that had been a penalty
    card is one again. What a defender's withdrawn card tells is unauthorised for his
    partner.
    """
    play = judge.state.play
    hand = withdrawn.hand
    if play is None or not play.is_defender(hand):
        return []
    told = rules_of(judge.state.board.edition).withdrawn_information
    return [
        penalty_card(judge, hand, withdrawn.card, withdrawn.penalty or "major"),
        Effect(kind=EffectKind.UNAUTHORISED_INFORMATION, seat=hand.partner, law=told),
    ]


def penalty_effects(effects: list[Effect]) -> tuple[Effect, ...]:
    return tuple(e for e in effects if e.kind is EffectKind.PENALTY_CARD)


def play_last_cards(judge: Judgement, line: int) -> None:
    """62D1: trick 13, which went back for trick 12's sake, plays itself again."""
    play = judge.state.play
    if play is None or play.ended or len(play.tricks) != 12 or play.current.cards:
        return
    gone = [w for w in play.incidents.withdrawn if w.law == "62D1"]
    last = {seat: play.known_of(seat) for seat in SEATS}
    if len(gone) < 4 or play.incidents.changes or must_correct(judge.state):
        return
    if any(len(cards) != 1 for cards in last.values()):
        return
    while judge.state.play is not None and len(judge.state.play.tricks) < 13:
        hand = judge.state.play.current.next_hand()
        (card,) = last[hand]
        pick_up(judge, card)
        judge.emit(CardPlayed(PlayedCard(line, hand, card)))
    finish(judge, line)
