"""The header of a table script."""

import pytest

from laws.board import (
    Edition,
    IrregularCallPolicy,
    Policies,
    RevokePolicy,
    RulingsPolicy,
)
from laws.header import ScriptError
from laws.script import parse_script
from laws.seats import SIDES, Seat

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def test_a_board_by_its_number() -> None:
    board = parse_script("edition 2007\nboard 7\n").board
    assert (board.edition, board.dealer) == (Edition.LAWS_2007, Seat.SOUTH)
    assert board.vulnerable == frozenset(SIDES)
    assert board.hands is None
    assert board.policies == Policies()


@pytest.mark.parametrize(
    ("word", "sides"),
    [
        ("none", []),
        ("NS", [SIDES[0]]),
        ("EW", [SIDES[1]]),
        ("all", SIDES),
        ("both", SIDES),
    ],
)
def test_a_board_by_dealer_and_vulnerability(word: str, sides: list[object]) -> None:
    board = parse_script(f"edition 2007\ndealer W\nvul {word}\n").board
    assert board.dealer is Seat.WEST
    assert board.vulnerable == frozenset(sides)


def test_the_dealer_alone_will_do() -> None:
    assert not parse_script("edition 2007\ndealer W\n").board.vulnerable


def test_the_deal() -> None:
    board = parse_script(f"edition 2007\nboard 1\ndeal {DEAL}\n").board
    north = board.hand(Seat.NORTH)
    assert north is not None
    assert {card.suit for card in north} == {"S"}


def test_tabs_do_as_spaces_do() -> None:
    spaced = "edition 2017\nboard 2\npolicy revoke manual\nS 1S\n"
    tabbed = "edition\t2017\nboard\t \t2\t\npolicy\trevoke\t\tmanual\nS\t1S\n"
    assert parse_script(tabbed) == parse_script(spaced)


def test_policies() -> None:
    board = parse_script(
        "edition 2017\nboard 1\npolicy revoke manual\npolicy out_of_turn prevent\n"
        "policy inadmissible prevent\npolicy rulings confirm\n"
    ).board
    assert board.policies == Policies(
        RevokePolicy.MANUAL,
        IrregularCallPolicy.PREVENT,
        IrregularCallPolicy.PREVENT,
        RulingsPolicy.CONFIRM,
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("board 0", "expected a board number from 1"),
        ("board x", "expected a board number from 1"),
        ("board 1\ndealer N", "either board, or dealer and vul"),
        ("vul all\nboard 1", "either board, or dealer and vul"),
        ("board 1\nvul all", "either board, or dealer and vul"),
        ("dealer X", "expected a seat"),
        ("vul some", "expected vul none, NS, EW or all"),
        ("board 1\nboard 2", "line 3: a second board line"),
        ("policy speed high", "expected a policy of revoke"),
        ("policy revoke often", "policy revoke to be one of record"),
        ("policy revoke record\npolicy revoke manual", "a second policy revoke"),
        ("deal A.B.C.D", "a deal begins with its first seat"),
        ("deal N:AK.Q.J.T", "a deal has 4 hands, got 1"),
        ("deal " + DEAL.replace("...AKQ", "...AAQ"), "CA is already in the hand of W"),
        ("deal " + DEAL.replace("...AKQ", "...AK"), "expected 13 cards, got 12"),
        ("deal " + DEAL.replace("...AKQ", "...AKx"), "'X' is no rank"),
        ("deal " + DEAL.replace("...AKQ", "..AKQ"), "expected 4 suits"),
    ],
)
def test_a_wrong_header_says_what_was_expected(line: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        parse_script("edition 2017\n" + line + "\n")
