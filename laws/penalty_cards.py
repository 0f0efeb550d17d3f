"""Exposed cards and penalty cards (Laws 48 to 52).

Decides 48 (declarer and dummy have none), 49, 50B (major and minor) and 50D. What the
owner must play is in ``duties``, what declarer may ask of the partner on lead in
``lead_options``.
"""

from dataclasses import replace

from laws.cards import Card
from laws.duties import penalty_cards
from laws.events import Bound, Released
from laws.judgement import Judgement
from laws.play import Rank
from laws.rulings import Effect, EffectKind
from laws.seats import Seat


def penalty_card(judge: Judgement, hand: Seat, card: Card, rank: Rank) -> Effect:
    """Law 50B: a defender's card becomes a penalty card.

    A second one of the same defender makes all of his major.
    """
    others = penalty_cards(judge.state, hand)
    for binding in others:
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


def pick_up(judge: Judgement, card: Card) -> Rank | None:
    """A penalty card is one no longer: played, or picked up; its rank if it was one."""
    for binding in judge.state.bindings:
        effect = binding.effect
        if effect.kind is EffectKind.PENALTY_CARD and effect.card is card:
            judge.emit(Released(binding))
            return effect.rank
    return None
