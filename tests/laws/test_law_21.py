"""Law 21B: calls made on misinformation."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
MISINFORMED = "W 1H; N 2H! majors; E 3H; S 3S; E change P; director misinformed E yes"


@BOTH
def test_law_21_b_1_the_misinformed_player_changes_his_call(edition: str) -> None:
    table = told(
        edition, "W 1H; N 2H!; E 3H; E change P; director misinformed yes", dealer="W"
    )
    assert table.laws == ["21B1"]
    assert table.ruling("21B1")["offender"] == "N"
    assert (table.auction, table.withdrawn) == ("W:1H N:2H E:P", "E:3H")
    assert table.leads == []


@BOTH
def test_law_21_b_2_his_lho_may_change_a_later_call(edition: str) -> None:
    table = told(edition, MISINFORMED, dealer="W")
    assert table.asked == [("S", "change")]
    assert table.auction == "W:1H N:2H E:P S:3S"
    changed = told(edition, MISINFORMED + "; S replace P", dealer="W")
    assert changed.laws == ["21B1", "21B2"]
    assert changed.auction == "W:1H N:2H E:P S:P"
    assert {seat for seat, _ in changed.informed} == {"N", "S"}
    # The withdrawn call was the offending side's own: Law 26 may apply.
    mode = {"2007": ("require_or_forbid", "S"), "2017": ("forbid_one", "CDHS")}
    assert changed.leads == [("N", *mode[edition])]


@BOTH
def test_law_21_b_2_a_later_call_that_cannot_stand_is_withdrawn(edition: str) -> None:
    text = "W 1H; N 2H! majors; E 3H; S 3S; E change 4H; director misinformed E yes"
    table = told(edition, text, dealer="W")
    assert table.laws == ["21B1", "21B2"]
    assert (table.turn, table.auction) == ("S", "W:1H N:2H E:4H")
    assert {seat for seat, _ in table.informed} == {"N", "S"}


def test_law_21_b_2_2017_no_restriction_after_a_comparable_call() -> None:
    text = MISINFORMED + "; S replace 4S; director comparable yes"
    assert told("2017", text, dealer="W").leads == []


@BOTH
def test_law_21_b_3_too_late(edition: str) -> None:
    text = "W 1H; N 2H!; E 3H; S P; W 4H; director misinformed E yes; E change P"
    table = told(edition, text, dealer="W")
    assert table.laws == ["21B3"]
    assert table.adjustable == ["21B3"]
    assert len(table.refused) == 1
    assert table.auction == "W:1H N:2H E:3H S:P W:4H"


@BOTH
def test_law_21_b_the_director_is_asked_when_an_opponent_has_alerted(
    edition: str,
) -> None:
    table = told(edition, "W 1H; N 2H!; E 3H; S P; E change P", dealer="W")
    assert ("director", "misinformed") in table.asked
    plain = told(edition, "W 1H; N 2H; E 3H; S P; E change P", dealer="W")
    assert ("director", "misinformed") not in plain.asked
