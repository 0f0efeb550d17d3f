"""Events of the play are total: whatever the state, they apply and judge nothing."""

import pytest

from laws.board import Board, Edition
from laws.cards import Card, Denomination, Suit
from laws.contract import Contract, Risk
from laws.engine import begin
from laws.events import Event
from laws.incident_events import (
    AheadSet,
    CalledOnNextBoard,
    ChangesOffered,
    ClaimSet,
    DesignationSet,
    DutySet,
    HandsBack,
    LapseSeen,
    LapsesForgotten,
    RevokeDismissed,
    RevokeKnown,
    RoundEnded,
    SeveralSet,
    UncalledSet,
    WrongPlaySet,
)
from laws.incidents import Breach, Duty, DutyKind, Lapse, Revoke
from laws.play import PlayedCard
from laws.play_events import (
    CardAdded,
    CardInserted,
    CardOmitted,
    CardPlayed,
    CardReplaced,
    CardShown,
    CardsWithdrawn,
    DeclarerChanged,
    LeadAccepted,
    PlayBegan,
    PlayEnded,
    PlayReopened,
)
from laws.seats import Seat

CARD = Card.HEART_FOUR
PLAYED = PlayedCard(1, Seat.WEST, CARD)
REVOKE = Revoke(1, Seat.WEST, 1, CARD, Suit.CLUBS)
LAPSE = Lapse(1, Seat.WEST, 1, CARD, Suit.CLUBS)

WITHOUT_A_PLAY: list[Event] = [
    CardPlayed(PLAYED),
    CardOmitted(Seat.WEST),
    CardAdded(1, PLAYED),
    CardInserted(1, PLAYED),
    CardReplaced(1, PLAYED, "62A"),
    CardsWithdrawn(1, 1, 0, "62A"),
    CardShown(Seat.WEST, CARD),
    LeadAccepted(Seat.WEST),
    DeclarerChanged(Seat.NORTH),
    PlayEnded(),
    PlayReopened(),
    LapseSeen(LAPSE),
    RevokeKnown(REVOKE),
    RevokeDismissed(REVOKE),
    LapsesForgotten(frozenset({(1, Seat.WEST)})),
    ChangesOffered(()),
    DutySet(None),
    WrongPlaySet(None),
    AheadSet(()),
    SeveralSet(None),
    DesignationSet(None),
    UncalledSet(None),
    ClaimSet(None),
    CalledOnNextBoard(Seat.WEST),
    RoundEnded(),
    HandsBack(),
]


@pytest.mark.parametrize("event", WITHOUT_A_PLAY, ids=lambda e: type(e).__name__)
def test_without_a_play_nothing_changes(event: Event) -> None:
    state = begin(Board(Edition.LAWS_2017, Seat.NORTH))
    assert event.apply_to(state) == state


@pytest.mark.parametrize(
    "event",
    [
        CardOmitted(Seat.WEST),
        CardAdded(1, PLAYED),
        CardInserted(1, PLAYED),
        CardReplaced(1, PLAYED, "62A"),
        CardsWithdrawn(1, 7, 0, "62A"),
    ],
    ids=lambda e: type(e).__name__,
)
def test_without_the_trick_nothing_changes(event: Event) -> None:
    contract = Contract(1, Denomination.NOTRUMP, Risk.UNDOUBLED, Seat.SOUTH)
    state = begin(Board(Edition.LAWS_2017, Seat.NORTH))
    state = PlayBegan(contract).apply_to(state)
    assert event.apply_to(state) == state


@pytest.mark.parametrize(
    ("duty", "shown", "proven"),
    [
        (Duty(Seat.WEST, DutyKind.REQUIRE, (Suit.SPADES,), "50D2"), "S2", True),
        (Duty(Seat.WEST, DutyKind.REQUIRE, (Suit.SPADES,), "50D2"), "C2", False),
        (Duty(Seat.WEST, DutyKind.FORBID, (Suit.HEARTS,), "50D2"), "H2", False),
        (Duty(Seat.WEST, DutyKind.FORBID, (Suit.HEARTS,), "50D2"), "C2", True),
        (Duty(Seat.WEST, DutyKind.HIGHEST, (), "57A1"), "H5", True),
        (Duty(Seat.WEST, DutyKind.HIGHEST, (), "57A1"), "H3", False),
        (Duty(Seat.WEST, DutyKind.LOWEST, (), "57A2"), "H3", True),
        (Duty(Seat.WEST, DutyKind.LOWEST, (), "57A2"), "C2", False),
        (Duty(Seat.WEST, DutyKind.CARD, (), "51A", card=Card.CLUB_TWO), "C2", True),
    ],
)
def test_a_card_shown_later_proves_that_a_duty_could_be_met(
    duty: Duty, shown: str, *, proven: bool
) -> None:
    lapse = Lapse(1, Seat.WEST, 1, CARD, None, Breach.DUTY, duty)
    assert lapse.proven_by(Card(shown)) is proven
