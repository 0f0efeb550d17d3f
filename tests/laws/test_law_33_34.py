"""Laws 33 and 34: simultaneous calls, and players who missed their turn."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])


@BOTH
def test_law_33_the_call_of_the_player_on_turn_comes_first(edition: str) -> None:
    table = told(edition, "E 1H; & N 1C")
    assert table.laws == ["33"]
    assert table.ruling("33")["effects"] == []
    assert table.auction == "N:1C E:1H"
    assert (table.turn, table.asked) == ("S", [])


@BOTH
def test_law_33_the_other_may_be_insufficient(edition: str) -> None:
    table = told(edition, "E 1H; & N 1S")
    assert table.laws == ["33"]
    assert table.auction == "N:1S"
    assert table.asked == [("S", "accept")]


@BOTH
def test_law_33_the_other_may_still_be_out_of_rotation(edition: str) -> None:
    table = told(edition, "S 1H; & N 1C")
    assert table.auction == "N:1C"
    assert table.asked == [("W", "accept")]
    assert table.turn == "E"


@BOTH
def test_law_33_a_double_that_is_admissible_after_the_other_call(edition: str) -> None:
    table = told(edition, "E X; & N 1C")
    assert table.laws == ["33"]
    assert table.superseded == ["36B4"]
    assert table.auction == "N:1C E:X"
    assert table.bound == []


@BOTH
def test_law_33_changes_nothing_in_the_right_order(edition: str) -> None:
    table = told(edition, "N 1C; & E 1H")
    assert table.laws == []
    assert table.auction == "N:1C E:1H"


@pytest.mark.parametrize(("edition", "law"), [("2007", "17E2"), ("2017", "17D3")])
def test_law_34_the_auction_goes_back_to_the_player_who_missed_his_turn(
    edition: str, law: str
) -> None:
    table = told(edition, "W P; N P; S P; W P", dealer="W")
    assert table.laws == ["29A", law]
    assert table.ruling(law)["offender"] == "S"
    assert "34" in table.ruling(law)["laws"]
    assert table.auction == "W:P N:P"
    assert table.withdrawn == "S:P W:P"
    assert (table.turn, table.contract) == ("E", None)
    assert "1C" in table.legal
    assert table.bars == {}
    after_bid = told(edition, "N 1H; E P; W P; N P")
    assert after_bid.auction == "N:1H E:P"
    assert after_bid.turn == "S"


@BOTH
def test_law_34_not_before_three_passes_follow_a_call(edition: str) -> None:
    table = told(edition, "S P; W P; N P", dealer="E")
    assert table.laws == ["29A"]
    assert (table.auction, table.turn) == ("S:P W:P N:P", "E")
    out = told(edition, "S P; W P; N P; E P", dealer="E")
    assert out.contract == "passed out"


@BOTH
def test_law_34_a_turn_lost_through_an_accepted_bid_is_lost(edition: str) -> None:
    table = told(edition, "N P; S 1H; W P; N P; E P")
    assert table.laws == ["29A"]
    assert table.contract["declarer"] == "S"


@BOTH
def test_law_34_a_skip_before_the_last_bid_does_not_matter(edition: str) -> None:
    table = told(edition, "N 1H; E P; W P; N 1S; E P; S P; W P")
    assert table.laws == ["29A"]
    assert table.contract["level"] == 1
