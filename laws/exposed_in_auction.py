"""Law 24: cards exposed or led while the auction goes on.

24A one card below an honour, not led; 24B an honour, or a card led; 24C several cards,
also one after the other. They stay face up until the auction ends; then, if their owner
defends, each of them is a penalty card.
"""

from dataclasses import replace

from laws.auction_events import CardsExposed
from laws.auction_state import Exposed
from laws.cards import Card
from laws.effects import aware, must_pass
from laws.events import Amended, Bound
from laws.judgement import ImpossibleActionError, Judgement
from laws.penalty_cards import penalty_card
from laws.play import Rank
from laws.rulings import (
    Binding,
    Effect,
    EffectKind,
    Ruling,
    Scope,
    Status,
    key_of,
)
from laws.seats import Seat


def judge_exposed(
    judge: Judgement, line: int, hand: Seat, cards: tuple[Card, ...], *, led: bool
) -> None:
    """24A, B, C: partner may have to pass once.

    Raises:
        ImpossibleActionError: the hand cannot hold one of the cards.
    """
    if not cards:
        judge.refuse(line, "24", "no trick is in progress")
        return
    _must_hold(judge, hand, cards)
    told = Effect(kind=EffectKind.UNAUTHORISED_INFORMATION, seat=hand.partner, law="24")
    faced = [c for e in judge.state.auction.exposed if e.hand is hand for c in e.cards]
    law = _paragraph((*faced, *cards), led=led)
    bars: tuple[Effect, ...] = ()
    if law != "24A":
        bars = (must_pass(hand.partner, Scope.NEXT_TURN),)
    effects = (*bars, told)
    if bars:
        effects += aware(judge, line, hand, " ".join(cards))
    ruling = Ruling(
        law=law,
        laws=("24", law),
        irregularity="premature-lead" if led else "exposed-card",
        offender=hand,
        line=line,
        effects=effects,
    )
    if judge.rule(ruling, bars):
        judge.emit(CardsExposed(Exposed(line, hand, cards, law)))


def _paragraph(cards: tuple[Card, ...], *, led: bool) -> str:
    if len(cards) > 1:
        return "24C"
    return "24B" if led or cards[0].is_honour else "24A"


def _must_hold(judge: Judgement, hand: Seat, cards: tuple[Card, ...]) -> None:
    held = judge.state.board.hand(hand)
    seen = [card for e in judge.state.auction.exposed for card in e.cards]
    for i, card in enumerate(cards):
        if held is not None and card not in held:
            raise ImpossibleActionError(f"{hand} does not hold {card}")
        if card in seen or card in cards[:i]:
            raise ImpossibleActionError(f"{card} has been exposed before")


def end_exposure(judge: Judgement) -> None:
    """24: the auction is over; a defender's exposed cards are penalty cards now."""
    contract = judge.state.contract
    if contract is None:
        return
    everything = judge.state.auction.exposed
    for exposed in everything:
        if exposed.hand.side is contract.declarer.side:
            continue
        effects = []
        alone = [e for e in everything if e.hand is exposed.hand] == [exposed]
        for card in exposed.cards:
            rank: Rank = "minor" if exposed.law == "24A" and alone else "major"
            effect = penalty_card(judge, exposed.hand, card, rank)
            judge.emit(Bound(Binding(effect, exposed.law, exposed.line)))
            effects.append(effect)
        _amend(judge, exposed, tuple(effects))


def resume_exposure(judge: Judgement) -> None:
    """The auction goes on after all: they are not penalty cards yet."""
    for binding in judge.state.bindings:
        if binding.effect.kind is EffectKind.PENALTY_CARD:
            judge.release(binding)
    for exposed in judge.state.auction.exposed:
        _amend(judge, exposed, ())


def _amend(judge: Judgement, exposed: Exposed, cards: tuple[Effect, ...]) -> None:
    key = (exposed.line, exposed.law, exposed.hand)
    for ruling in judge.state.rulings:
        if key_of(ruling) == key and ruling.status is Status.IN_FORCE:
            others = tuple(
                e for e in ruling.effects if e.kind is not EffectKind.PENALTY_CARD
            )
            judge.emit(Amended(replace(ruling, effects=(*others, *cards))))
            return
