"""Calls on cards from a wrong board (Laws 17D of 2007, 15A of 2017)."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
AGAIN = {"2007": "17D1", "2017": "15A2(b)"}
TOO_LATE = {"2007": "17D2", "2017": "15A2(a)"}


@BOTH
def test_law_15_a_17_d_the_call_is_cancelled_and_made_again(edition: str) -> None:
    table = told(edition, "N P; E 1S; director wrong-board E yes")
    assert table.laws == [AGAIN[edition]]
    assert (table.turn, table.withdrawn, table.auction) == ("E", "E:1S", "N:P")
    assert table.informed == {("W", "16D2" if edition == "2007" else "16C2")}
    on = told(edition, "N P; E 1S; director wrong-board E yes; E 1H; S P")
    assert on.auction == "N:P E:1H S:P"
    assert (on.bars, on.leads, on.laws) == ({}, [], [AGAIN[edition]])


@BOTH
def test_law_15_a_17_d_the_last_to_call_is_meant(edition: str) -> None:
    table = told(edition, "N P; E 1S; director wrong-board yes")
    assert table.withdrawn == "E:1S"
    assert told(edition, "N P; director wrong-board no").laws == []


LHO_CALLED = "N P; E 1S; S 2C; director wrong-board E yes"


def test_law_17_d_2_2007_lho_repeats_his_call_over_the_same() -> None:
    table = told("2007", LHO_CALLED)
    assert table.withdrawn == "E:1S S:2C"
    same = told("2007", f"{LHO_CALLED}; E 1S")
    assert (same.turn, same.legal) == ("S", ["2C"])
    assert same.adjustable == []
    assert told("2007", f"{LHO_CALLED}; E 1S; S 2C; W P").auction == (
        "N:P E:1S S:2C W:P"
    )
    other = told("2007", f"{LHO_CALLED}; E 1H")
    assert other.adjustable == ["17D2"]
    assert "2C" in other.legal
    assert "1S" in other.legal


def test_law_15_a_1_2017_lho_calls_anew() -> None:
    for call in ("1S", "1H"):
        table = told("2017", f"{LHO_CALLED}; E {call}")
        assert table.laws == ["15A2(b)"]
        assert {"2C", "2D", "P"} <= set(table.legal)


@BOTH
def test_law_15_a_17_d_too_late_when_his_partner_has_called(edition: str) -> None:
    text = "N P; E 1S; S 2C; W 2S; director wrong-board E yes"
    table = told(edition, text)
    assert table.laws == [TOO_LATE[edition]]
    assert table.adjustable == [TOO_LATE[edition]]
    assert (table.turn, table.auction) == ("N", "N:P E:1S S:2C W:2S")
    last = "N 1S; E P; S P; W P; {}director wrong-board W yes"
    assert told(edition, last.format("")).turn == "W"
    # Once the opening lead is faced there is no auction to go back to.
    assert told(edition, last.format("E H4; ")).laws == [TOO_LATE[edition]]


@BOTH
def test_law_15_a_17_d_what_the_call_had_led_to_goes_with_it(edition: str) -> None:
    # 1H was insufficient; it had been made on a wrong board's cards.
    text = "N 1S; E 1H; S decline; E 3H; director wrong-board E yes"
    table = told(edition, text)
    assert table.bars == {}
    assert (table.turn, table.auction) == ("E", "N:1S")
    assert told(edition, "director wrong-board E yes").refused == [
        "17D1" if edition == "2007" else "15A1"
    ]
    over = told(edition, "N P; E 1S; director wrong-board E yes; director overrule 1")
    assert over.superseded == [AGAIN[edition]]


@BOTH
def test_law_15_a_17_d_later_answers_keep_it(edition: str) -> None:
    text = "N P; E 1S!; director wrong-board E yes; S 1H; director shown E H"
    table = told(edition, text)
    assert table.laws[0] == AGAIN[edition]
    assert table.withdrawn == "E:1S"


@BOTH
def test_law_15_a_17_d_a_cancelled_call_out_of_rotation_leaves_the_turn(
    edition: str,
) -> None:
    # South called at East's turn, on a wrong board's cards: East has lost no turn,
    # whether West has called over it or not.
    for over in ("", "W P; "):
        table = told(edition, f"N 1S; S 2C; {over}director wrong-board S yes")
        assert table.laws == [AGAIN[edition]]
        assert (table.turn, table.auction, table.asked) == ("E", "N:1S", [])
        on = told(edition, f"N 1S; S 2C; {over}director wrong-board S yes; E P; S 2D")
        assert on.auction == "N:1S E:P S:2D"
        assert (on.bars, on.leads, on.laws[0]) == ({}, [], AGAIN[edition])
