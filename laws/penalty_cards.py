"""Exposed cards and penalty cards (Laws 48 to 52).

Decides 48 (declarer and dummy have none), 49, 50B (major and minor), 50D and 50E. What
the owner must play is in ``duties``, what declarer may ask of the partner on lead in
``lead_options``.
"""

from dataclasses import replace

from laws.cards import Card
from laws.duties import following, in_order, penalty_cards
from laws.editions import rules_of
from laws.events import Bound, Released
from laws.judgement import Judgement
from laws.play import Rank
from laws.rulings import Effect, EffectKind, Question
from laws.seats import Seat

WHICH = "penalty-card"
"""Declarer's question which of several penalty cards is played (51A)."""


def penalty_card(judge: Judgement, hand: Seat, card: Card, rank: Rank) -> Effect:
    """Law 50B: a defender's card becomes a penalty card.

    A second one of the same defender makes all of his major. A card that is one
    already gets this rank anew.
    """
    others = []
    for binding in penalty_cards(judge.state, hand):
        if binding.effect.card is card:
            judge.emit(Released(binding))
            continue
        others.append(binding)
        if binding.effect.rank == "minor":
            judge.emit(Released(binding))
            effect = replace(binding.effect, rank="major")
            judge.emit(Bound(replace(binding, effect=effect)))
    return Effect(
        kind=EffectKind.PENALTY_CARD,
        seat=hand,
        card=card,
        rank="major" if others else rank,
    )


def information(judge: Judgement, hand: Seat) -> Effect:
    """50E: what the sight of a defender's penalty card tells his partner.

    2007: he may not use it, but for the duty to play the card. 2017: he may while the
    card lies there, and the score is adjusted if that helped.
    """
    rules = rules_of(judge.state.board.edition)
    law = rules.penalty_card_information
    if rules.penalty_card_authorised:
        return Effect(kind=EffectKind.ADJUST_POSSIBLE, law=law)
    kind = EffectKind.UNAUTHORISED_INFORMATION
    return Effect(kind=kind, seat=hand.partner, law=law)


def pick_up(judge: Judgement, card: Card) -> Rank | None:
    """A penalty card is one no longer: played, or picked up; its rank if it was one."""
    for binding in judge.state.bindings:
        effect = binding.effect
        if effect.kind is EffectKind.PENALTY_CARD and effect.card is card:
            judge.emit(Released(binding))
            return effect.rank
    return None


def ask_which(judge: Judgement, line: int) -> None:
    """51A: of several penalty cards playable now declarer says which is played."""
    play = judge.state.play
    if play is None or play.ended:
        return
    hand = play.current.next_hand()
    owned = penalty_cards(judge.state, hand)
    if len(owned) < 2:
        return
    cards = frozenset(b.effect.card for b in owned if b.effect.card is not None)
    held = play.cards_of(hand)
    known = following(held if held is not None else cards, play.current.suit_led)
    playable = in_order(known & cards)
    if len(playable) < 2 or play.incidents.duty is not None:
        return
    judge.ask(
        Question(
            to=play.declarer,
            question=WHICH,
            law="51A",
            line=line,
            seat=hand,
            about=" ".join(playable),
            choices=tuple(f"names {card}" for card in playable),
            holds=True,
        )
    )


def close_which(judge: Judgement) -> None:
    """Declarer has chosen, or one of them has been played without his word."""
    for question in judge.state.questions:
        if question.question == WHICH:
            judge.close(question)
