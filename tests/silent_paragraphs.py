"""Paragraphs that Bidwire answers for without citing them.

What the engine cites has its sentence in ``referee.paragraphs``. A regular auction and
a regular play cite nothing, although the Laws decide every turn and trick of them.
Those paragraphs stand here, each with the event that shows it at work.
"""

from collections.abc import Callable
from dataclasses import dataclass

from laws.actions import Designation, Forbid, NameCard, PlayCards, Require, Waive
from laws.auction import last_action, last_bid
from laws.auction_events import AuctionEnded, AuctionReopened, CallMade
from laws.board import Edition
from laws.cards import Card, Suit
from laws.contract import Risk
from laws.duties import penalty_cards
from laws.events import Event, Happened, Ruled
from laws.incident_events import DesignationSet, LeadRetracted
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
"""Whether an event, in the state before it, shows the paragraph at work."""

_2007, _2017 = (Edition.LAWS_2007,), (Edition.LAWS_2017,)


@dataclass(frozen=True, slots=True)
class Silent:
    """A paragraph that decides without being cited.

    Attributes:
        law: the paragraph.
        says: what it says, in one sentence of our own.
        seen: the event that shows it at work.
        editions: those that have it.
    """

    law: str
    says: str
    seen: Seen
    editions: tuple[Edition, ...] = tuple(Edition)


def _passed_out(_state: State, event: Event) -> bool:
    return isinstance(event, AuctionEnded) and event.contract is None


def _contract(_state: State, event: Event) -> bool:
    return isinstance(event, AuctionEnded) and event.contract is not None


def _doubled(_state: State, event: Event) -> bool:
    return (
        isinstance(event, AuctionEnded)
        and event.contract is not None
        and event.contract.risk is not Risk.UNDOUBLED
    )


def _higher_bid(state: State, event: Event) -> bool:
    return _bid(event) and last_bid(state.auction.legal_calls) is not None


def _double_lapses(state: State, event: Event) -> bool:
    last = last_action(state.auction.legal_calls)
    return _bid(event) and last is not None and not last.call.is_bid


def _bid(event: Event) -> bool:
    return isinstance(event, CallMade) and event.made.call.is_bid


def _opening_lead(state: State, event: Event) -> bool:
    play = state.play
    return (
        isinstance(event, CardPlayed)
        and play is not None
        and not (play.tricks or play.current.cards)
    )


def _lead(state: State, event: Event) -> bool:
    play = state.play
    return (
        isinstance(event, CardPlayed)
        and play is not None
        and bool(play.tricks)
        and not play.current.cards
    )


def _plays(state: State, event: Event) -> bool:
    return isinstance(event, CardPlayed) and _is_led(state)


def _is_led(state: State) -> bool:
    return state.play is not None and bool(state.play.current.cards)


def _discards(state: State, event: Event) -> bool:
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


def _with_trump(state: State, event: Event) -> bool:
    return _completes(state, event) and _trumped(state, event)


def _without_trump(state: State, event: Event) -> bool:
    return _completes(state, event) and not _trumped(state, event)


def _trumped(state: State, event: Event) -> bool:
    play = state.play
    if play is None or not isinstance(event, CardPlayed):
        return False
    cards = [played.card for played in (*play.current.cards, event.played)]
    return any(card.suit is play.trump for card in cards)


def _names(kind: type | tuple[Designation, ...]) -> Seen:
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


def _resolved_rank(*, leads: bool) -> Seen:
    """A rank alone that came to mean one card, dummy leading or not."""

    def seen(state: State, event: Event) -> bool:
        if not isinstance(event, DesignationSet) or event.designated is None:
            return False
        named, card = event.designated.named, event.designated.card
        return card is not None and named == card.rank and _is_led(state) is not leads

    return seen


def _rectified(_state: State, event: Event) -> bool:
    return isinstance(event, CardReplaced | LeadRetracted)


def _designation_changed(_state: State, event: Event) -> bool:
    return isinstance(event, CardReplaced | CardsWithdrawn) and event.law == "45C4(b)"


def _penalty_card_played(_state: State, event: Event) -> bool:
    return isinstance(event, CardPlayed) and event.played.penalty is not None


def _beside_a_minor(state: State, event: Event) -> bool:
    if not isinstance(event, CardPlayed):
        return False
    owned = penalty_cards(state, event.played.hand)
    return any(
        b.effect.rank == "minor" and b.effect.card is not event.played.card
        for b in owned
    )


def _several_of_a_suit(state: State, event: Event) -> bool:
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


def _unable_to_lead(state: State, event: Event) -> bool:
    return _unable(state, event, leads=True)


def _unable_to_play(state: State, event: Event) -> bool:
    return _unable(state, event, leads=False)


def _accepted_by_play(state: State, event: Event) -> bool:
    return isinstance(event, LeadAccepted) and isinstance(
        state.steps[-1].action, PlayCards
    )


def _changed_after_four_passes(state: State, event: Event) -> bool:
    return isinstance(event, AuctionReopened) and state.play is None


def _comparable(_state: State, event: Event) -> bool:
    laws = {"30B1(b)(i)", "31A2(a)", "32A2(a)"}
    return isinstance(event, Ruled) and event.ruling.law in laws


def _waives_several(state: State, event: Event) -> bool:
    suits = {b.effect.card.suit for b in penalty_cards(state) if b.effect.card}
    waives = isinstance(event, Happened) and isinstance(event.step.action, Waive)
    return waives and len(suits) > 1


def _ended(_state: State, event: Event) -> bool:
    return isinstance(event, PlayEnded)


_LOW_HIGH = (Designation.HIGH, Designation.LOW)

_UNTIL_RETURNED = "After four passes a call may be changed until the hands are back."

SILENT = (
    Silent(
        "17D1", "The auction period ends when the lead is faced.", _opening_lead, _2017
    ),
    Silent("17D2", _UNTIL_RETURNED, _changed_after_four_passes, _2017),
    Silent(
        "18B",
        "A bid supersedes the last one by more tricks, or as many in a higher "
        "denomination.",
        _higher_bid,
    ),
    Silent("19C", "A later bid lets a double or redouble lapse.", _double_lapses),
    Silent(
        "19D", "If it does not lapse the contract is doubled or redoubled.", _doubled
    ),
    Silent(
        "22A",
        "Three passes after the last bid leave it the contract.",
        _contract,
        _2017,
    ),
    Silent("22A1", "Four passes end the board unplayed.", _passed_out, _2007),
    Silent(
        "22A2",
        "Three passes after the last bid leave it the contract.",
        _contract,
        _2007,
    ),
    Silent("22B", "Four passes end the board unplayed.", _passed_out, _2017),
    Silent(
        "22B1", "The auction period ends when the lead is faced.", _opening_lead, _2007
    ),
    Silent("22B2", _UNTIL_RETURNED, _changed_after_four_passes, _2007),
    Silent(
        "23B",
        "After a comparable call auction and play go on without rectification.",
        _comparable,
        _2017,
    ),
    Silent("41C", "When the opening lead is faced play has begun.", _opening_lead),
    Silent("44B", "After the lead each hand in turn plays a card.", _plays),
    Silent("44D", "Who cannot follow suit may play any card.", _discards),
    Silent("44E", "The highest trump wins a trick that has one.", _with_trump),
    Silent(
        "44F", "Otherwise the highest card of the suit led wins it.", _without_trump
    ),
    Silent("44G", "The hand that won the trick leads to the next.", _lead),
    Silent("45C4(a)", "A card is played when its player names it.", _names(Card)),
    Silent("46B1", "High or low is the highest or lowest card.", _names(_LOW_HIGH)),
    Silent(
        "46B1(b)",
        "Win it is the lowest card known to win.",
        _names((Designation.WIN,)),
    ),
    Silent("46B2", "A suit alone is its lowest card.", _names(Suit)),
    Silent(
        "46B3(a)",
        "A rank alone, dummy leading, is of the suit that dummy has just won with.",
        _resolved_rank(leads=True),
    ),
    Silent("47B", "A card goes back to correct an illegal play.", _rectified),
    Silent(
        "47C", "A card goes back when its designation is changed.", _designation_changed
    ),
    Silent(
        "50A", "A penalty card stays faced until it is played.", _penalty_card_played
    ),
    Silent(
        "50C",
        "Beside a minor penalty card its owner plays an honour of the suit, or another "
        "suit.",
        _beside_a_minor,
    ),
    Silent(
        "51B1",
        "Penalty cards of one suit are picked up together when declarer requires or "
        "forbids it.",
        _several_of_a_suit,
    ),
    Silent(
        "51B2(c)",
        "Declarer leaves the lead free, and the penalty cards stay.",
        _waives_several,
        _2017,
    ),
    Silent("57B", "A partner who cannot obey plays any card.", _unable_to_play),
    Silent("59", "Who cannot lead as required leads any card.", _unable_to_lead),
    Silent(
        "60A1", "Who plays to a lead out of turn has let it stand.", _accepted_by_play
    ),
    Silent("77", "The contract and the tricks give the score.", _ended),
)
