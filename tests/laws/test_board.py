"""The board: dealer, vulnerability (Law 2), and the deal in PBN."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.board import (
    Board,
    Edition,
    dealer_of,
    format_deal,
    format_hand,
    parse_deal,
    vulnerable_of,
)
from laws.cards import DECK, Card
from laws.seats import SEATS, SIDES, Seat

VULNERABILITY = "none NS EW both NS EW both none EW both none NS both none NS EW"
"""Boards 1 to 16, as printed on them."""


def test_law_2_dealer_and_vulnerability_of_the_sixteen_boards() -> None:
    names = {(): "none", (SIDES[0],): "NS", (SIDES[1],): "EW", SIDES: "both"}
    found = [
        names[tuple(side for side in SIDES if side in vulnerable_of(n))]
        for n in range(1, 17)
    ]
    assert " ".join(found) == VULNERABILITY
    assert [dealer_of(n).value for n in range(1, 17)] == list("NESW" * 4)


def test_law_2_begins_again_after_sixteen() -> None:
    for n in range(1, 33):
        assert dealer_of(n) == dealer_of(n + 16)
        assert vulnerable_of(n) == vulnerable_of(n + 16)


@given(st.permutations(DECK), st.sampled_from(SEATS))
def test_a_deal_is_written_and_read_from_any_seat(
    deck: list[Card], first: Seat
) -> None:
    hands = tuple(frozenset(deck[i : i + 13]) for i in range(0, 52, 13))
    assert parse_deal(format_deal(hands)) == hands
    turned = (
        first.value
        + ":"
        + " ".join(format_hand(hands[(SEATS.index(first) + i) % 4]) for i in range(4))
    )
    assert parse_deal(turned) == hands
    board = Board(Edition.LAWS_2017, Seat.NORTH, hands=hands)
    assert [board.hand(seat) for seat in SEATS] == list(hands)


def test_a_ten_may_be_written_10() -> None:
    text = "N:AKQJ1098765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    assert Card.SPADE_TEN in parse_deal(text)[0]


def test_a_deal_that_is_not_known() -> None:
    assert Board(Edition.LAWS_2017, Seat.NORTH).hand(Seat.NORTH) is None


@pytest.mark.parametrize("text", ["", "N", "Q:A", "AKQ.. . . ."])
def test_no_deal(text: str) -> None:
    with pytest.raises(ValueError, match="a deal begins with its first seat"):
        parse_deal(text)
