"""Law 32: doubles and redoubles out of rotation."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])

AT_RHO = "W 1S; N P; S X; W decline"
"""East is to call."""
AT_PARTNER = "W 1S; S X; W decline"
"""North is to call."""


@pytest.mark.parametrize(("edition", "law"), [("2007", "32B1"), ("2017", "32A1")])
def test_law_32_rho_passes_and_the_double_is_repeated(edition: str, law: str) -> None:
    table = told(edition, AT_RHO + "; E P", dealer="W")
    assert table.laws == ["29B", law]
    assert table.effects("must_repeat") == [{"seat": "S", "call": "X"}]
    assert table.legal == ["X"]
    assert told(edition, AT_RHO + "; E P; S P", dealer="W").refused == [law]


def test_law_32_b_2_2007_rho_bids() -> None:
    table = told("2007", AT_RHO + "; E 2S", dealer="W")
    assert table.laws == ["29B", "32B2"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.adjustable == ["23"]
    assert "P" in table.legal
    assert "3C" in table.legal
    passed = told("2007", AT_RHO + "; E 2S; S P", dealer="W")
    assert passed.leads == [("N", "forbid_one", "CDHS")]
    doubled = told("2007", AT_RHO + "; E 2S; S X", dealer="W")
    assert doubled.leads == []
    assert ("director", "different-meaning") in doubled.asked


def test_law_32_a_2007_at_partners_turn() -> None:
    table = told("2007", AT_PARTNER, dealer="W")
    assert table.laws == ["32A"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.adjustable == ["23"]
    assert table.legal == ["P"]
    later = told("2007", AT_PARTNER + "; N P; E 2S; S P", dealer="W")
    assert later.leads == [("N", "forbid_one", "CDHS")]


def test_law_32_a_2_2017_rho_bids() -> None:
    text = AT_RHO + "; E 2S; S X; director comparable "
    comparable = told("2017", text + "yes", dealer="W")
    assert comparable.laws == ["29B", "32A2(a)"]
    assert comparable.bars == {}
    other = told("2017", text + "no", dealer="W")
    assert other.laws == ["29B", "32A2(b)"]
    assert other.bars == {"N": "next_turn"}
    assert other.leads == [("N", "forbid_one", "CDHS")]


def test_law_32_b_2017_at_partners_turn() -> None:
    table = told("2017", AT_PARTNER, dealer="W")
    assert table.laws == ["32B1"]
    assert table.bars == {}
    assert table.informed == {("N", "16C2")}
    text = AT_PARTNER + "; N P; E 4S; S P; director comparable no"
    later = told("2017", text, dealer="W")
    assert later.laws == ["32B1", "32A2(b)"]
    assert "32B2" in later.ruling("32A2(b)")["laws"]
    assert later.bars == {"N": "next_turn"}


@BOTH
def test_law_32_at_lhos_turn_by_one_who_has_called_is_25(edition: str) -> None:
    table = told(edition, "W 1H; N P; E P; S P; S X", dealer="W")
    assert table.laws == ["39C"]
    table = told(edition, "W 1H; N P; E 2H; S P; S X; W decline", dealer="W")
    assert table.laws == ["25B2"]


@BOTH
def test_law_32_a_double_accepted(edition: str) -> None:
    table = told(edition, "W 1S; S X; W XX", dealer="W")
    assert table.laws == ["29A"]
    assert table.auction == "W:1S S:X W:XX"


@BOTH
def test_law_32_an_inadmissible_double_can_not_be_accepted(edition: str) -> None:
    table = told(edition, "N 1C; S X")
    assert table.laws == ["36B4"]
    assert table.asked == [("director", "aware")]
    assert table.turn == "E"


def test_law_32_b_2_2007_the_offender_calls_again_before_rho() -> None:
    table = told("2007", AT_RHO + "; S 2C; W accept", dealer="W")
    assert table.laws == ["29B", "29A", "32B2"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.leads == [("N", "forbid_one", "CDHS")]
