"""Cards to a trick in progress from a hand whose turn it is not (Laws 45E, 57).

Decides 57A (before partner), 57C (when that is not rectified, and declarer's own), 57D
(2017, at the right-hand opponent's turn; an exposed card in 2007) and 45E.
"""

from laws.cards import Card
from laws.effects import rules
from laws.incident_events import AheadSet
from laws.incidents import Ahead
from laws.judgement import Judgement
from laws.lead_choices import PREMATURE, offer_premature
from laws.penalty_cards import penalty_card
from laws.play import Play, PlayedCard
from laws.revokes import establish
from laws.rulings import Effect, EffectKind, Ruling
from laws.seats import Seat


def judge_premature(
    judge: Judgement, line: int, play: Play, hand: Seat, card: Card
) -> None:
    """57, 45E: a card to a trick in progress, not from the hand whose turn it is."""
    played = hand in {p.hand for p in play.current.cards}
    ahead = any(other.hand is hand for other in play.incidents.ahead)
    if not play.is_defender(hand):
        _premature_by_declarer(
            judge, play, PlayedCard(line, hand, card), again=played or ahead
        )
        return
    partner_played = hand.partner in {p.hand for p in play.current.cards}
    if not partner_played:
        if played:
            establish(judge, hand, "63A1", play.number + 1)
        _before_partner(judge, line, play, hand, card)
        return
    law = "45E" if played else rules(judge).premature_at_rho
    if law == "57D" and not ahead:
        kept = Ahead(line, hand, card, law)
        judge.emit(AheadSet((*play.incidents.ahead, kept)))
        rule_out_of_turn(judge, line, hand, (law,))
        return
    effect = penalty_card(judge, hand, card, "major")
    rule_out_of_turn(judge, line, hand, (law, "50B"), (effect,))


def _premature_by_declarer(
    judge: Judgement, play: Play, played: PlayedCard, *, again: bool
) -> None:
    """57C: declarer's premature play stands; 45E: a fifth card goes back."""
    line, hand, card = played.line, played.hand, played.card
    if again:
        rule_out_of_turn(judge, line, hand, ("45E",))
        return
    law = rules(judge).premature_by_declarer
    kept = Ahead(line, hand, card, law)
    judge.emit(AheadSet((*play.incidents.ahead, kept)))
    rule_out_of_turn(judge, line, hand, (law,))


def _before_partner(
    judge: Judgement, line: int, play: Play, hand: Seat, card: Card
) -> None:
    """57A: a penalty card, and declarer says what the partner has to play.

    57C: no rectification once declarer has played from both hands, or dummy has
    picked a card by himself or suggested one (45F).
    """
    declaring = {p.hand for p in play.current.cards if not play.is_defender(p.hand)}
    ahead = {other.hand for other in play.incidents.ahead}
    declaring |= {other for other in ahead if not play.is_defender(other)}
    uncalled = play.incidents.uncalled
    by_dummy = uncalled is not None and uncalled.trick == play.number
    by_dummy = by_dummy or _dummy_has_suggested(judge, play)
    if len(declaring) == 2 or by_dummy:
        law = rules(judge).premature_by_dummy if by_dummy else "57C1"
        rule_out_of_turn(judge, line, hand, (law, "57A"))
        kept = Ahead(line, hand, card, "57C1")
        judge.emit(AheadSet((*play.incidents.ahead, kept)))
        return
    effect = penalty_card(judge, hand, card, "major")
    rule_out_of_turn(judge, line, hand, ("57A", "50B"), (effect,))
    offer_premature(judge, line, hand)


def _dummy_has_suggested(judge: Judgement, play: Play) -> bool:
    """Whether dummy has touched a card during this trick (45F)."""
    since = play.current.cards[0].line
    return any(r.law == "45F" and r.line > since for r in judge.state.rulings)


def rule_out_of_turn(
    judge: Judgement,
    line: int,
    offender: Seat,
    laws: tuple[str, ...],
    effects: tuple[Effect, ...] = (),
) -> None:
    """Rule by the first of the paragraphs, which the others bear out."""
    bind = tuple(e for e in effects if e.kind is EffectKind.PENALTY_CARD)
    judge.rule(
        Ruling(
            law=laws[0],
            irregularity="play-out-of-turn",
            offender=offender,
            line=line,
            laws=laws,
            effects=effects,
        ),
        bind,
    )


def declarer_chooses(judge: Judgement) -> bool:
    """Whether 57A leaves the next play of the offender's partner to declarer."""
    return any(q.question == PREMATURE for q in judge.state.questions)
