"""The events that show at work a paragraph that the engine does not cite.

Each is a function of the state before an event and the event; `silent_paragraphs` says
which paragraph it is a sign of.
"""

from collections.abc import Callable

from laws.actions import (
    Attention,
    Designation,
    ExposeCards,
    Forbid,
    NameCard,
    PlayCards,
    Require,
    Waive,
)
from laws.auction import last_action, last_bid
from laws.auction_events import AuctionEnded, AuctionReopened, CallMade
from laws.contract import Risk
from laws.dummys_rights import may_be_asked
from laws.duties import penalty_cards
from laws.editions import rules_of
from laws.events import Asked, Bound, Event, Happened, Ruled
from laws.incident_events import ClaimSet, DesignationSet, HandsBack, LeadRetracted
from laws.incidents import DutyKind
from laws.play_events import (
    CardPlayed,
    CardReplaced,
    CardsWithdrawn,
    LeadAccepted,
    PlayEnded,
)
from laws.rulings import EffectKind
from laws.state import State

Seen = Callable[[State, Event], bool]
"""Whether an event, in the state before it, shows a paragraph at work."""


def passed_out(_state: State, event: Event) -> bool:
    return isinstance(event, AuctionEnded) and event.contract is None


def contract(_state: State, event: Event) -> bool:
    return isinstance(event, AuctionEnded) and event.contract is not None


def doubled(_state: State, event: Event) -> bool:
    return (
        isinstance(event, AuctionEnded)
        and event.contract is not None
        and event.contract.risk is not Risk.UNDOUBLED
    )


def higher_bid(state: State, event: Event) -> bool:
    return _bid(event) and last_bid(state.auction.legal_calls) is not None


def double_lapses(state: State, event: Event) -> bool:
    last = last_action(state.auction.legal_calls)
    return _bid(event) and last is not None and not last.call.is_bid


def _bid(event: Event) -> bool:
    return isinstance(event, CallMade) and event.made.call.is_bid


def opening_lead(state: State, event: Event) -> bool:
    play = state.play
    return (
        isinstance(event, CardPlayed)
        and play is not None
        and not (play.tricks or play.current.cards)
    )


def lead(state: State, event: Event) -> bool:
    play = state.play
    return (
        isinstance(event, CardPlayed)
        and play is not None
        and bool(play.tricks)
        and not play.current.cards
    )


def plays(state: State, event: Event) -> bool:
    return isinstance(event, CardPlayed) and _is_led(state)


def _is_led(state: State) -> bool:
    return state.play is not None and bool(state.play.current.cards)


def discards(state: State, event: Event) -> bool:
    play = state.play
    return (
        isinstance(event, CardPlayed)
        and play is not None
        and play.current.suit_led not in (None, event.played.card.suit)
    )


def _completes(state: State, event: Event) -> bool:
    play = state.play
    return (
        isinstance(event, CardPlayed)
        and play is not None
        and len(play.current.cards) == 3
    )


def with_trump(state: State, event: Event) -> bool:
    return _completes(state, event) and _trumped(state, event)


def without_trump(state: State, event: Event) -> bool:
    return _completes(state, event) and not _trumped(state, event)


def _trumped(state: State, event: Event) -> bool:
    play = state.play
    if play is None or not isinstance(event, CardPlayed):
        return False
    cards = [played.card for played in (*play.current.cards, event.played)]
    return any(card.suit is play.trump for card in cards)


def names(kind: type | tuple[Designation, ...]) -> Seen:
    """A designation of a kind, or by one of these words."""

    def seen(_state: State, event: Event) -> bool:
        if not isinstance(event, Happened) or not isinstance(
            event.step.action, NameCard
        ):
            return False
        named = event.step.action.named
        if isinstance(kind, tuple):
            return named in kind
        return isinstance(named, kind) and not isinstance(named, Designation)

    return seen


def resolved_rank(*, leads: bool) -> Seen:
    """A rank alone that came to mean one card, dummy leading or not."""

    def seen(state: State, event: Event) -> bool:
        if not isinstance(event, DesignationSet) or event.designated is None:
            return False
        named, card = event.designated.named, event.designated.card
        return card is not None and named == card.rank and _is_led(state) is not leads

    return seen


def rectified(_state: State, event: Event) -> bool:
    return isinstance(event, CardReplaced | LeadRetracted)


def designation_changed(_state: State, event: Event) -> bool:
    return isinstance(event, CardReplaced | CardsWithdrawn) and event.law == "45C4(b)"


def penalty_card_played(_state: State, event: Event) -> bool:
    return isinstance(event, CardPlayed) and event.played.penalty is not None


def beside_a_minor(state: State, event: Event) -> bool:
    if not isinstance(event, CardPlayed):
        return False
    owned = penalty_cards(state, event.played.hand)
    return any(
        b.effect.rank == "minor" and b.effect.card is not event.played.card
        for b in owned
    )


def several_of_a_suit(state: State, event: Event) -> bool:
    """Declarer's option on a lead while two penalty cards of one suit lie there."""
    if not isinstance(event, Happened) or not isinstance(
        event.step.action, Require | Forbid
    ):
        return False
    cards = [
        b.effect.card
        for b in state.bindings
        if b.effect.kind is EffectKind.PENALTY_CARD and b.effect.card is not None
    ]
    return len({card.suit for card in cards}) == 1 < len(cards)


def _unable(state: State, event: Event, *, leads: bool) -> bool:
    """A card that no card of the hand could have obeyed declarer's option."""
    play = state.play
    duty = play.incidents.duty if play is not None else None
    if play is None or duty is None or not isinstance(event, CardPlayed):
        return False
    if duty.hand is not event.played.hand or duty.leads is not leads:
        return False
    held = play.known_of(duty.hand)
    if not held:
        return False
    led = play.current.suit_led
    if duty.kind in (DutyKind.HIGHEST, DutyKind.LOWEST):
        return all(card.suit is not led for card in held)
    wanted = duty.kind is DutyKind.REQUIRE
    return all((card.suit in duty.suits) is not wanted for card in held)


def unable_to_lead(state: State, event: Event) -> bool:
    return _unable(state, event, leads=True)


def unable_to_play(state: State, event: Event) -> bool:
    return _unable(state, event, leads=False)


def accepted_by_play(state: State, event: Event) -> bool:
    return isinstance(event, LeadAccepted) and isinstance(
        state.steps[-1].action, PlayCards
    )


def changed_after_four_passes(state: State, event: Event) -> bool:
    return isinstance(event, AuctionReopened) and state.play is None


def comparable(_state: State, event: Event) -> bool:
    laws = {"30B1(b)(i)", "31A2(a)", "32A2(a)"}
    return isinstance(event, Ruled) and event.ruling.law in laws


def waives_several(state: State, event: Event) -> bool:
    suits = {b.effect.card.suit for b in penalty_cards(state) if b.effect.card}
    waives = isinstance(event, Happened) and isinstance(event.step.action, Waive)
    return waives and len(suits) > 1


def ended(_state: State, event: Event) -> bool:
    return isinstance(event, PlayEnded)


def told_to_offenders(state: State, event: Event) -> bool:
    """A ruling that keeps what was withdrawn from one side, and not from the other."""
    if not isinstance(event, Ruled):
        return False
    law = rules_of(state.board.edition).withdrawn_information
    seats = [effect.seat for effect in event.ruling.effects if effect.law == law]
    side = event.ruling.offender.side
    return bool(seats) and all(seat and seat.side is side for seat in seats)


def told_of_wrong_board(state: State, event: Event) -> bool:
    ruled = isinstance(event, Ruled) and event.ruling.law == "15A2(b)"
    return ruled and told_to_offenders(state, event)


def dummy_moves_it(state: State, event: Event) -> bool:
    """Dummy puts the card that declarer has called for where it is played."""
    if state.play is None or not isinstance(event, DesignationSet):
        return False
    designated, action = event.designated, state.steps[-1].action
    return (
        designated is not None
        and designated.moved
        and isinstance(action, PlayCards)
        and action.cards == (designated.card,)
    )


def asks(asker: str) -> Seen:
    """A player asks another who did not follow suit whether he can."""

    def seen(state: State, event: Event) -> bool:
        play = state.play
        if play is None or not isinstance(event, Happened):
            return False
        action = event.step.action
        if not isinstance(action, Attention) or action.accused is None:
            return False
        trick = play.trick_at(action.trick or 0)
        card = trick.card_from(action.accused) if trick is not None else None
        if trick is None or card is None or card.suit is trick.suit_led or play.ended:
            return False
        if asker == "dummy":
            return action.seat is play.dummy and may_be_asked(play, action)
        if asker == "declarer":
            return action.seat is play.declarer and play.is_defender(action.accused)
        return play.is_defender(action.seat)

    return seen


def dummy_after_play(state: State, event: Event) -> bool:
    play = state.play
    return (
        play is not None
        and play.ended
        and isinstance(event, Happened)
        and isinstance(event.step.action, Attention)
        and event.step.action.seat is play.dummy
    )


def ruled_by(*laws: str) -> Seen:
    def seen(_state: State, event: Event) -> bool:
        return isinstance(event, Ruled) and event.ruling.law in laws

    return seen


def exposed_by_declarers_side(state: State, event: Event) -> bool:
    play = state.play
    if play is None or not isinstance(event, Happened):
        return False
    action = event.step.action
    return isinstance(action, ExposeCards) and not play.is_defender(action.hand)


def faced_to_claim(_state: State, event: Event) -> bool:
    return isinstance(event, ClaimSet) and event.claim is not None and event.claim.faced


def not_yet_legal(state: State, event: Event) -> bool:
    """Who has a major penalty card plays another, since he has to follow suit."""
    play = state.play
    if play is None or not isinstance(event, CardPlayed):
        return False
    suit, hand = play.current.suit_led, event.played.hand
    cards = [
        b.effect.card for b in penalty_cards(state, hand) if b.effect.rank == "major"
    ]
    follows = suit is not None and event.played.card.suit is suit
    return bool(cards) and follows and all(c and c.suit is not suit for c in cards)


def waives_with_penalty_card(state: State, event: Event) -> bool:
    waives = isinstance(event, Happened) and isinstance(event.step.action, Waive)
    asked = {q.law for q in state.questions if q.question == "lead"}
    return waives and "50D2" in asked


def penalty_card(_state: State, event: Event) -> bool:
    return (
        isinstance(event, Bound)
        and event.binding.effect.kind is EffectKind.PENALTY_CARD
    )


def stays_though_accepted(state: State, event: Event) -> bool:
    accepted = ruled_by("52B1(a)", "52B1(b)")(state, event)
    return accepted and bool(penalty_cards(state))


def doubted(_state: State, event: Event) -> bool:
    return (
        isinstance(event, Asked)
        and event.question.to is None
        and event.question.question == "claim"
    )


def hands_back(state: State, event: Event) -> bool:
    return isinstance(event, HandsBack) and state.play is not None and state.play.ended


def picked_up_by_declarers_side(state: State, event: Event) -> bool:
    if not isinstance(event, AuctionEnded) or event.contract is None:
        return False
    side = event.contract.declarer.side
    return any(exposed.hand.side is side for exposed in state.auction.exposed)


def penalty_card_of_the_auction(state: State, event: Event) -> bool:
    of_auction = isinstance(event, Bound) and event.binding.law.startswith("24")
    return of_auction and penalty_card(state, event)
