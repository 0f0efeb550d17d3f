"""What a hand must play: which cards are right, and what a wrong one fails to do.

Decides Laws 44C, D (following suit comes first), then an exercised option of declarer
(26, 50D2, 51B, 57A), then the owner's duty to his penalty cards (50C, 50D1), in the
order in which one gives way to another; 59 where a duty cannot be met; and with that
what a revoke is (61A).
"""

from dataclasses import dataclass

from laws.cards import SUITS, Card, Suit
from laws.incidents import Breach, Duty
from laws.play import Play
from laws.rulings import EffectKind
from laws.seats import Seat
from laws.state import Binding, State


@dataclass(frozen=True, slots=True)
class Fault:
    """What a card fails to do.

    Attributes:
        breach: which demand.
        suit: the suit led or demanded; None where only a rank is demanded.
        duty: the option disobeyed, when that is the breach.
        faced: a card faced on the table, or of dummy, would have been right (64B3).
        certain: the hand is known to have been able.
        owed: the penalty card that should have been played, when that is the breach.
    """

    breach: Breach
    suit: Suit | None
    duty: Duty | None = None
    faced: bool = False
    certain: bool = True
    owed: Card | None = None


def penalty_cards(state: State, hand: Seat | None = None) -> list[Binding]:
    """Penalty cards on the table, of one hand or of all, oldest first."""
    return [
        binding
        for binding in state.bindings
        if binding.effect.kind is EffectKind.PENALTY_CARD
        and (hand is None or binding.effect.seat is hand)
    ]


def following(cards: frozenset[Card], led: Suit | None) -> frozenset[Card]:
    """The cards of the suit led, or all of them when there is none (44C, D)."""
    if led is None:
        return cards
    return frozenset(card for card in cards if card.suit is led) or cards


def right_cards(
    state: State, hand: Seat, cards: frozenset[Card], led: Suit | None
) -> frozenset[Card]:
    """Those of a hand's cards that the Laws let it lead, or play to the suit led."""
    right = following(cards, led)
    duty = _duty_now(state, hand, led)
    if duty is not None:
        right = duty.allowed(right, led)
    return after_penalty_cards(right, penalty_cards(state, hand))


def in_order(cards: frozenset[Card]) -> tuple[Card, ...]:
    """Cards by suit, then rank, both ascending."""
    return tuple(sorted(cards, key=lambda c: (SUITS.index(c.suit), c.strength)))


def faults_of(state: State, play: Play, hand: Seat, card: Card) -> tuple[Fault, ...]:
    """What a card, played in turn, fails to do or (deal unknown) may fail to do."""
    cards = play.cards_of(hand)
    if cards is None:
        return _possible_faults(state, play, hand, card)
    led = play.current.suit_led
    if led is not None and card.suit is not led:
        right = following(cards, led)
        if card not in right:
            faced = hand is play.dummy or _faced(state, hand, right)
            return (Fault(Breach.SUIT, led, faced=faced),)
    if not state.bindings and play.incidents.duty is None:
        return ()
    right = following(cards, led)
    duty = _duty_now(state, hand, led)
    if duty is not None:
        right = duty.allowed(right, led)
        if card not in right:
            suit = duty.suits[0] if duty.suits else None
            return (Fault(Breach.DUTY, suit, duty, _faced(state, hand, right)),)
    owed = _owed(right, card, penalty_cards(state, hand))
    return (_not_played(owed),) if owed is not None else ()


def _possible_faults(
    state: State, play: Play, hand: Seat, card: Card
) -> tuple[Fault, ...]:
    """The same where the hand is unknown: what is certain, and what may be."""
    led = play.current.suit_led
    faults = []
    known = play.known_of(hand)
    off_suit = led is not None and card.suit is not led
    if off_suit:
        able = any(other.suit is led for other in known)
        faced = hand is play.dummy or (able and _faced(state, hand, known))
        faults.append(Fault(Breach.SUIT, led, faced=faced, certain=able))
        if able:
            return tuple(faults)
    duty = _duty_now(state, hand, led)
    if duty is not None and card not in duty.allowed(known | {card}, led):
        suit = duty.suits[0] if duty.suits else None
        return (*faults, Fault(Breach.DUTY, suit, duty))
    if duty is not None and duty.allowed(frozenset({card}), led) and not off_suit:
        # It complies only if nothing better was in the hand, which may yet show up.
        obeys = duty.suits and (card.suit in duty.suits) is (duty.kind == "require")
        if not obeys:
            suit = duty.suits[0] if duty.suits else None
            faults.append(Fault(Breach.DUTY, suit, duty, certain=False))
    # His penalty cards are all that is known of the hand.
    right = frozenset(
        b.effect.card for b in penalty_cards(state, hand) if b.effect.card is not None
    )
    if right:
        right = following(right | {card}, None if off_suit else led)
        if duty is not None:
            right = duty.allowed(right, led)
        owed = _owed(right, card, penalty_cards(state, hand))
        if owed is not None:
            faults.append(_not_played(owed))
    return tuple(faults)


def _duty_now(state: State, hand: Seat, led: Suit | None) -> Duty | None:
    """The exercised option that governs this card of the hand, if any."""
    duty = state.play.incidents.duty if state.play is not None else None
    if duty is None or duty.hand is not hand or duty.leads is not (led is None):
        return None
    return duty


def after_penalty_cards(
    right: frozenset[Card], owned: list[Binding]
) -> frozenset[Card]:
    """What his penalty cards leave of a defender's cards (Laws 50C, 50D1a).

    With several major ones playable all of them stay: declarer chooses (51A).
    """
    if not owned:
        return right
    cards = {b.effect.card: b.effect.rank for b in owned}
    major = frozenset(card for card in right if cards.get(card) == "major")
    if major:
        return major
    for card in right:
        if cards.get(card) == "minor":
            suit = card.suit
            return frozenset(
                c for c in right if c is card or c.suit is not suit or c.is_honour
            )
    return right


def _owed(right: frozenset[Card], card: Card, owned: list[Binding]) -> Card | None:
    """The penalty card that should have been played instead of the card, if any."""
    if card in after_penalty_cards(right, owned):
        return None
    return next(b.effect.card for b in owned if b.effect.card in right)


def _not_played(owed: Card) -> Fault:
    """Law 52A: another card than the penalty card that was due."""
    return Fault(Breach.PENALTY_CARD, owed.suit, faced=True, owed=owed)


def _faced(state: State, hand: Seat, right: frozenset[Card]) -> bool:
    """Whether one of the right cards lies faced as a penalty card (64B3)."""
    return any(b.effect.card in right for b in penalty_cards(state, hand))
