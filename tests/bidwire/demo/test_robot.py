"""The robots of `bidwire demo --play`: they call and play within the Laws."""

import itertools

import pytest

from bidwire.demo.play import deals, fragment
from bidwire.demo.robot import chosen_answer, chosen_call, chosen_card
from laws.actions import MakeCall, PlayCards
from laws.board import Board, Edition
from laws.calls import Call
from laws.cards import Card, Suit
from laws.engine import begin, decide
from laws.report import turn_of
from laws.seats import SEATS, Seat
from laws.steps import Step
from protocol.messages import Choice
from protocol.payloads import PublicCall, PublicCard


def cards(text: str) -> frozenset[Card]:
    return frozenset(Card(card) for card in text.split())


def trick(text: str) -> tuple[PublicCard, ...]:
    played = (card.split(":") for card in text.split())
    return tuple(PublicCard(hand=Seat(hand), card=Card(card)) for hand, card in played)


@pytest.mark.parametrize("seed", range(8))
def test_four_robots_bid_and_play_a_board_without_an_irregularity(seed: int) -> None:
    hands = deals(seed)[1]
    state = begin(
        Board(
            edition=Edition.LAWS_2017,
            dealer=SEATS[seed % 4],
            hands=tuple(hands[seat] for seat in SEATS),
        )
    )
    auction: list[PublicCall] = []
    numbers = itertools.count(1)
    while (turn := turn_of(state)) is not None and state.play is None:
        call = chosen_call(hands[turn], turn, auction, ())
        auction.append(PublicCall(seat=turn, call=call))
        state = decide(state, Step(next(numbers), MakeCall(turn, call))).state
    left = {seat: set(hands[seat]) for seat in SEATS}
    tricks: list[PublicCard] = []
    contract = state.auction.contract
    trump = contract.denomination.suit if contract is not None else None
    while (turn := turn_of(state)) is not None:
        now = tricks[len(tricks) // 4 * 4 :]
        card = chosen_card(left[turn], now, trump, ())
        left[turn].remove(card)
        tricks.append(PublicCard(hand=turn, card=card))
        state = decide(state, Step(next(numbers), PlayCards(turn, (card,)))).state
    assert len(tricks) == (52 if contract is not None else 0)
    assert not state.rulings
    assert not state.refused


def test_a_robot_follows_suit_low_and_wins_cheaply_when_it_is_last() -> None:
    hand = cards("SA SK S3 H2")
    assert chosen_card(hand, trick("N:S9"), None, ()) == "S3"
    assert chosen_card(hand, trick("N:S9 E:S2 S:SQ"), None, ()) == "SK"
    assert chosen_card(hand, trick("N:D9"), Suit.HEARTS, ()) == "S3"


def test_a_robot_presses_no_locked_key() -> None:
    hand = next(iter(deals(1)[1].values()))
    locks = [call.value for call in Call if call is not Call.PASS]
    opening = chosen_call(hand, Seat.NORTH, (), ())
    assert chosen_call(hand, Seat.NORTH, (), [opening.value]) is not opening
    assert chosen_call(hand, Seat.NORTH, (), locks) is Call.PASS
    assert chosen_card(cards("S2 S3"), trick("N:S9"), None, ["S2"]) == "S3"


def test_a_robot_takes_no_advantage_of_an_irregularity() -> None:
    accept, decline = Choice("accept", (), "yes"), Choice("decline", (), "no")
    assert chosen_answer([accept, decline]) == decline
    forbid = Choice("forbid", ("H",), "forbid hearts")
    assert chosen_answer([forbid, Choice("waive", (), "as it is")]).kind == "waive"


def test_the_address_has_the_persons_hands_alone() -> None:
    boards = deals(3)
    told = fragment(boards, (Seat.SOUTH,))
    assert told.startswith("&hands=1S:")
    assert told.count(";") == len(boards) - 1
    assert "N:" not in told
