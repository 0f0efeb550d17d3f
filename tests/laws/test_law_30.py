"""Law 30: passes out of rotation."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])


@BOTH
def test_law_30_a_at_rhos_turn_the_offender_passes_once(edition: str) -> None:
    table = told(edition, "E P; S decline")
    assert table.laws == ["30A"]
    assert table.bars == {"E": "next_turn"}
    assert table.turn == "N"
    later = told(edition, "E P; S decline; N 1H")
    assert (later.turn, later.legal) == ("E", ["P"])
    free = told(edition, "E P; S decline; N 1H; E P; S P; W P; N 2C")
    assert free.contract is not None
    on = told(edition, "E P; S decline; N 1H; E P; S 2H; W P; N P")
    assert on.turn == "E"
    assert "3C" in on.legal
    assert on.bound == []
    assert on.leads == []


def test_law_30_a_2007_names_23() -> None:
    assert told("2007", "E P; S decline").adjustable == ["23"]
    assert told("2017", "E P; S decline").adjustable == []


def test_law_30_a_2007_at_partners_turn_before_any_bid() -> None:
    table = told("2007", "S P; W decline")
    assert table.laws == ["30A"]
    assert table.bars == {"S": "next_turn"}
    assert "1NT" in table.legal


def test_law_30_a_2007_at_lhos_turn_before_any_bid() -> None:
    assert told("2007", "S P; W decline", dealer="W").laws == ["30A"]
    # By its text also when he has called before, where a bid would be for 25.
    again = told("2007", "S P; S P", dealer="S")
    assert again.asked == [("W", "accept")]
    assert told("2007", "S P; S P; W decline", dealer="S").laws == ["30A"]


def test_law_30_b_1_2007_at_rhos_turn_after_a_bid() -> None:
    table = told("2007", "N 1H; S P; W decline; E 2C")
    assert table.laws == ["30B1"]
    assert table.bars == {"S": "next_turn"}
    assert table.legal == ["P"]


def test_law_30_b_2_2007_at_partners_turn_after_a_bid() -> None:
    text = "W 1C; S P; W decline"
    table = told("2007", text, dealer="W")
    assert table.laws == ["30B2(a)"]
    assert "30B2(b)" in table.ruling("30B2(a)")["laws"]
    assert table.bars == {"S": "rest_of_auction"}
    assert table.effects("may_not") == [
        {"seat": "N", "calls": ["X", "XX"], "scope": "this_turn"}
    ]
    assert table.turn == "N"
    assert "X" not in table.legal
    assert "1D" in table.legal
    assert table.adjustable == ["23"]
    refused = told("2007", text + "; N X", dealer="W")
    assert refused.refused == ["30B2(a)"]
    # At that turn only.
    later = told("2007", text + "; N P; E 1S; S P; W P; N X", dealer="W")
    assert later.auction.endswith("N:X")
    barred = told("2007", text + "; N X; N 1D; E P", dealer="W")
    assert barred.legal == ["P"]


def test_law_30_b_3_2007_at_lhos_turn_by_one_who_has_called_is_25() -> None:
    table = told("2007", "S 1H; S P; W decline", dealer="S")
    assert table.laws == ["25B2"]
    assert "30B3" in table.ruling("25B2")["laws"]


def test_law_30_b_2_2017_at_lhos_turn_by_one_who_has_called_is_25() -> None:
    table = told("2017", "S P; S P; W decline", dealer="S")
    assert table.laws == ["25B2"]
    assert "30B2" in table.ruling("25B2")["laws"]


def test_law_30_b_1_a_2017_partner_is_free() -> None:
    table = told("2017", "S P; W decline")
    assert table.laws == ["30B1(a)"]
    assert table.bars == {}
    assert table.informed == {("N", "16C2")}
    assert "X" not in table.legal
    assert "1NT" in table.legal


def test_law_30_b_1_b_2017_the_offenders_call_decides() -> None:
    text = "S P; W decline; N 1D; E P; S 1H; director comparable "
    comparable = told("2017", text + "yes")
    assert comparable.laws == ["30B1(a)", "30B1(b)(i)"]
    assert comparable.bars == {}
    assert comparable.leads == []
    assert comparable.adjustable == ["23C"]
    other = told("2017", text + "no")
    assert other.laws == ["30B1(a)", "30B1(b)(ii)"]
    assert other.bars == {"N": "next_turn"}
    assert other.leads == [("N", "forbid_one", "CDS")]
    assert other.adjustable == ["72C"]


@BOTH
def test_law_30_the_bar_waits_when_his_turn_is_skipped(edition: str) -> None:
    # East must pass at his next turn; South's bid at that turn is accepted.
    table = told(edition, "E P; S decline; N 1H; S 2H")
    # East has to pass anyway, so that South is in rotation (28A).
    assert table.laws == ["30A", "28A"]
    assert table.bound == []


@BOTH
def test_law_30_a_pass_out_of_rotation_accepted_is_a_pass(edition: str) -> None:
    table = told(edition, "N 1H; S P; W 2C")
    assert table.laws == ["29A"]
    assert table.auction == "N:1H S:P W:2C"
    assert table.bars == {}
