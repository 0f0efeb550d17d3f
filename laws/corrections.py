"""Revokes corrected (Law 62B, D1).

Decides 62B1 and B2 (a legal card, and what becomes of the other) and which cards 62C1
lets the innocent side change.
"""

from dataclasses import replace

from laws.cards import Card
from laws.changes import offer_changes
from laws.editions import rules_of
from laws.established_revokes import rate_revokes
from laws.events import Released
from laws.incident_events import RevokeDismissed, RevokeKnown
from laws.incidents import ChangeOption, Revoke
from laws.judgement import Judgement
from laws.penalty_cards import penalty_card
from laws.play import Play, PlayedCard, Trick
from laws.play_events import CardsWithdrawn, PlayReopened
from laws.possession import check_held
from laws.revoke_attention import correction_law, must_correct, notice_revoke
from laws.revokes import played_on, suspect
from laws.rulings import Effect, EffectKind, Ruling
from laws.seats import Seat
from laws.state import State
from laws.taking_back import (
    fate_of,
    forget,
    penalty_effects,
    play_last_cards,
    put_instead,
    revoke_at,
    substitutes,
)


def correct_revoke(judge: Judgement, line: int, hand: Seat, card: Card) -> None:
    """Law 62B: the revoker puts a legal card in place of the one he revoked with."""
    play = judge.state.play
    due = must_correct(judge.state, hand)
    revoke = revoke_at(play, hand, due[1]) if play is not None and due else None
    trick = play.trick_at(revoke.trick) if play is not None and revoke else None
    if play is None or revoke is None or trick is None:
        judge.refuse(line, "62B", f"{hand} has no revoke to correct")
        return
    dealt = judge.state.board.hand(hand)
    if dealt is not None and card not in dealt:
        check_held(judge.state, hand, card)
    if not _is_legal(judge.state, play, revoke, trick, card):
        legal = substitutes(judge.state, hand, revoke.trick)
        expected = " ".join(legal) or f"a card of {revoke.suit}"
        judge.refuse(line, "62B", f"expected a legal card ({expected}), got {card}")
        return
    law = _law_of_order(judge, hand, revoke)
    last_trick = _take_back_last_trick(judge, line, revoke)
    check_held(judge.state, hand, card)
    place = trick.place_of(hand) or 0
    withdrawn = trick.cards[place]
    gone = len(judge.state.play.incidents.withdrawn) if judge.state.play else 0
    put_instead(judge, revoke.trick, PlayedCard(line, hand, card), law)
    judge.emit(RevokeKnown(replace(revoke, proven=True, corrected=law)))
    _release_order(judge, hand)
    effects = [*fate_of(judge, withdrawn), *_undone(judge, hand, law, gone)]
    options = _options_of_innocent(judge, line, revoke, place)
    effects += [
        Effect(kind=EffectKind.MAY_CHANGE, seat=o.hand, card=o.card) for o in options
    ]
    effects += _before_partner(judge, hand, revoke)
    fate = "62B1" if play.is_defender(hand) and not withdrawn.penalty else "62B2"
    judge.rule(
        Ruling(
            law=fate,
            irregularity="revoke",
            offender=hand,
            line=line,
            laws=("61A", law, fate, *(("62C1",) if options else ())),
            effects=tuple(effects),
        ),
        penalty_effects(effects),
    )
    offer_changes(judge, options)
    if last_trick:
        play_last_cards(judge, line)
    rate_revokes(judge)


def _before_partner(judge: Judgement, hand: Seat, revoke: Revoke) -> list[Effect]:
    """62D2: trick 12, a defender revoked before it was his partner's turn.

    2007: the partner, with cards of two suits, may not choose the play that the card
    could have suggested; 2017: the information is unauthorised like any other.
    """
    play = judge.state.play
    trick = play.trick_at(12) if play is not None and revoke.trick == 12 else None
    if play is None or trick is None or not play.is_defender(hand):
        return []
    if trick.card_from(hand.partner) is not None:
        return []
    left = play.cards_of(hand.partner)
    if left is not None and len({card.suit for card in left}) == 1:
        return []
    law = rules_of(judge.state.board.edition).last_trick_information
    kind = EffectKind.UNAUTHORISED_INFORMATION
    return [Effect(kind=kind, seat=hand.partner, law=law)]


def _undone(judge: Judgement, hand: Seat, law: str, gone: int) -> list[Effect]:
    """What becomes of later cards that the correction undid.

    A defender's on the offending side is a penalty card, as under 62C2; under 62C3
    every defender's is. ``gone`` counts the cards withdrawn before, the revoke card
    is the next.
    """
    play = judge.state.play
    if play is None:
        return []
    return [
        penalty_card(judge, withdrawn.hand, withdrawn.card, "major")
        for withdrawn in play.incidents.withdrawn[gone + 1 :]
        if play.is_defender(withdrawn.hand)
        and (withdrawn.hand.side is hand.side or law == "62C3")
    ]


def _is_legal(
    state: State, play: Play, revoke: Revoke, trick: Trick, card: Card
) -> bool:
    """Whether the card is one that should have been played; deal unknown: may be."""
    if play.held is not None:
        return card in substitutes(state, revoke.hand, revoke.trick)
    if revoke.duty is not None:
        return (
            card in revoke.duty.allowed(frozenset({card, revoke.card}), trick.suit_led)
            and card is not revoke.card
        )
    return card.suit is revoke.suit


def _law_of_order(judge: Judgement, hand: Seat, revoke: Revoke) -> str:
    """The paragraph under which the correction was ordered: 62A, 62C3 or 62D1."""
    return next(
        (
            b.law
            for b in judge.state.bindings
            if b.effect.kind is EffectKind.MUST_CORRECT
            and (b.effect.seat, b.effect.trick) == (hand, revoke.trick)
        ),
        "62A",
    )


def _take_back_last_trick(judge: Judgement, line: int, revoke: Revoke) -> bool:
    """62D1: the cards of trick 13 go back; whether that trick had been completed."""
    play = judge.state.play
    if play is None:
        return False
    if play.ended:
        judge.emit(PlayReopened())
    thirteenth = play.trick_at(13)
    if revoke.trick != 12 or thirteenth is None or not thirteenth.cards:
        return False
    forget(judge, 13, 0)
    judge.emit(CardsWithdrawn(line, 13, 0, "62D1"))
    return thirteenth.is_complete


def _release_order(judge: Judgement, hand: Seat) -> None:
    """The revoke is corrected: the order is used up, its question closed."""
    for binding in judge.state.bindings:
        effect = binding.effect
        if effect.kind is EffectKind.MUST_CORRECT and effect.seat is hand:
            judge.emit(Released(binding))
    for question in judge.state.questions:
        if question.question == "replace" and question.seat is hand:
            judge.close(question)


def _options_of_innocent(
    judge: Judgement, line: int, revoke: Revoke, place: int
) -> tuple[ChangeOption, ...]:
    """62C1: cards of the other side, played after the revoke, its next lead included.

    Not a card that is itself a revoke to be corrected, or an established one (63B).
    """
    play = judge.state.play
    trick = play.trick_at(revoke.trick) if play is not None else None
    if play is None or trick is None:
        return ()
    later = [(revoke.trick, played) for played in trick.cards[place + 1 :]]
    if revoke.trick < play.number:
        later += [(play.number, played) for played in play.current.cards[:1]]
    revoked = {r.line for r in play.incidents.revokes if not r.corrected}
    return tuple(
        ChangeOption(line, p.hand, number, p.card, "62C1", revoke.hand)
        for number, p in later
        if p.hand.side is not revoke.hand.side and p.line not in revoked
    )


def confirm_revoke(judge: Judgement, line: int, hand: Seat) -> bool:
    """A player who was asked (61B) admits by replacing that he had revoked.

    Returns:
        Whether he now has a revoke to correct.
    """
    suspected = _suspected(judge, hand)
    if suspected is None:
        return False
    proven = replace(suspected, proven=True)
    judge.emit(RevokeKnown(proven))
    _close_enquiry(judge, suspected)
    notice_revoke(judge, line, proven)
    return must_correct(judge.state, hand) is not None


def own_up(judge: Judgement, line: int, hand: Seat, card: Card) -> bool:
    """62A: a player notices his revoke himself, and puts another card in its place.

    So he draws attention to it. Deal unknown: the card proves it.

    Returns:
        Whether he now has a revoke to correct.
    """
    play = judge.state.play
    if play is None or play.ended:
        return False
    for revoke in reversed(play.incidents.revokes):
        own = revoke.hand is hand and revoke.proven
        if own and correction_law(judge.state, play, revoke) == "62A":
            notice_revoke(judge, line, revoke)
            return must_correct(judge.state, hand) is not None
    for lapse in reversed(play.incidents.lapses):
        late = played_on(play, hand, lapse.trick)
        if lapse.hand is hand and lapse.proven_by(card) and not late:
            suspect(judge, play, lapse)
            return confirm_revoke(judge, line, hand)
    return False


def deny_revoke(judge: Judgement, hand: Seat) -> bool:
    """A player who was asked (61B) has no card of the suit; his hand will tell.

    Returns:
        False when he was not asked.
    """
    suspected = _suspected(judge, hand)
    if suspected is None:
        return False
    judge.emit(RevokeDismissed(suspected))
    _close_enquiry(judge, suspected)
    return True


def _suspected(judge: Judgement, hand: Seat) -> Revoke | None:
    play = judge.state.play
    revokes = play.incidents.revokes if play is not None else ()
    return next((r for r in revokes if r.hand is hand and not r.proven), None)


def _close_enquiry(judge: Judgement, revoke: Revoke) -> None:
    for question in judge.state.questions:
        if question.question == "replace" and question.line == revoke.line:
            judge.close(question)
