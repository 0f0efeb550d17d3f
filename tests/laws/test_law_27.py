"""Law 27: insufficient bids."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
MEANING = {"2007": "same-meaning", "2017": "comparable"}


@BOTH
def test_law_27_a_1_lho_has_the_option(edition: str) -> None:
    table = told(edition, "N 1S; E 1H")
    assert table.asked == [("S", "accept")]
    assert table.laws == []
    assert table.turn == "S"
    assert "1S" in table.legal  # over 1H, which he would accept


@BOTH
@pytest.mark.parametrize("word", ["accept", "1S", "P", "X"])
def test_law_27_a_1_lho_accepts(edition: str, word: str) -> None:
    table = told(edition, f"N 1S; E 1H; S {word}")
    assert table.laws == ["27A1"]
    assert table.ruling("27A1")["effects"] == []
    assert table.auction.startswith("N:1S E:1H")


@BOTH
def test_law_27_b_the_offender_calls_again(edition: str) -> None:
    table = told(edition, "N 1S; E 1H; S decline")
    assert table.laws == ["27B"]
    assert (table.turn, table.withdrawn) == ("E", "E:1H")
    assert table.bars == {}
    # A double is for the Director to allow (27B1b), and cancelled if he does not.
    assert ("X" in table.legal, "2H" in table.legal) == (False, True)
    word = "same-meaning" if edition == "2007" else "comparable"
    allowed = told(edition, f"N 1S; E 1H; S decline; director {word} E yes")
    assert "X" in allowed.legal


@BOTH
def test_law_27_b_1_a_the_lowest_sufficient_bid_of_the_denomination(
    edition: str,
) -> None:
    table = told(edition, "N 1S; E 1H; S decline; E 2H")
    assert table.laws == ["27B", "27B1(a)"]
    assert table.bars == {}
    assert table.leads == []
    assert table.adjustable == ["27D"]
    assert table.asked == []


@BOTH
def test_law_27_b_2_a_higher_bid_of_the_denomination(edition: str) -> None:
    table = told(edition, "N 1S; E 1H; S decline; E 3H")
    assert table.laws == ["27B", "27B2"]
    assert table.bars == {"W": "rest_of_auction"}


def test_law_27_b_1_a_2007_needs_both_bids_natural() -> None:
    text = "N 1NT; E 1H!; S decline; E 2H"
    table = told("2007", text)
    assert table.laws == ["27B", "27B2"]
    assert "artificial E: yes" in table.ruling("27B2")["assumptions"]
    natural = told("2007", text + "; director artificial no")
    assert natural.laws == ["27B", "27B1(a)"]


def test_law_27_b_1_a_2017_the_same_denomination_specified() -> None:
    # Both transfers show hearts, whatever they name.
    text = (
        "N 1NT; E P; S 2S; W P; N 2D! hearts; E decline; director shown H; "
        "N 3D! hearts; director shown N H"
    )
    assert told("2017", text).laws == ["27B", "27B1(a)"]
    other = text.replace("director shown N H", "director shown N D")
    assert told("2017", other).laws == ["27B", "27B2"]


@BOTH
def test_law_27_b_1_b_a_call_of_the_same_meaning(edition: str) -> None:
    text = f"N 1S; E 1H; S decline; E X; director {MEANING[edition]} yes"
    table = told(edition, text)
    assert table.laws == ["27B", "27B1(b)"]
    assert table.auction == "N:1S E:X"
    assert table.bars == {}
    assert table.leads == []
    assert "27D" in table.adjustable


def test_law_27_b_1_b_2007_leaves_the_information_unauthorised() -> None:
    text = "N 1S; E 1H; S decline; E X; director {} yes"
    informed = told("2007", text.format("same-meaning"))
    cured = told("2017", text.format("comparable"))
    kinds = [e["kind"] for e in informed.ruling("27B1(b)")["effects"]]
    assert "unauthorised_information" in kinds
    kinds = [e["kind"] for e in cured.ruling("27B1(b)")["effects"]]
    assert "unauthorised_information" not in kinds


@BOTH
@pytest.mark.parametrize("call", ["P", "2C", "4H"])
def test_law_27_b_2_any_other_call(edition: str, call: str) -> None:
    table = told(edition, f"N 1S; E 1H; S decline; E {call}")
    assert table.laws == ["27B", "27B2"]
    assert table.bars == {"W": "rest_of_auction"}
    assert table.adjustable == [{"2007": "23", "2017": "72C"}[edition]]
    assert table.ruling("27B2")["assumptions"] == [f"{MEANING[edition]} E: no"]
    if call == "P":
        mode = {"2007": ("require_or_forbid", "H"), "2017": ("forbid_one", "CDHS")}
        assert table.leads == [("W", *mode[edition])]


@BOTH
def test_law_27_b_3_a_double_that_does_not_help(edition: str) -> None:
    text = "N 1S; E 1H; S decline; E X"
    table = told(edition, text)
    assert table.laws == ["27B", "27B3"]
    assert table.bars == {"W": "rest_of_auction"}
    assert (table.turn, table.withdrawn) == ("E", "E:1H E:X")
    assert "X" not in table.legal
    assert "1NT" in table.legal
    assert told(edition, text + "; E X").refused == ["27B3"]
    passed = told(edition, text + "; E 2H")
    assert passed.laws == ["27B", "27B3"]
    assert passed.bars == {"W": "rest_of_auction"}


def test_law_27_b_3_restricts_the_lead() -> None:
    text = "N 1S; E 1H; S decline; E X; E P"
    assert told("2017", text).leads == [("W", "forbid_one", "CDHS")]
    # 2007: for the bid of hearts, and for the double.
    assert told("2007", text).leads == [
        ("W", "require_or_forbid", "H"),
        ("W", "forbid_one", "CDHS"),
    ]


@BOTH
def test_law_27_b_4_another_insufficient_bid(edition: str) -> None:
    text = "N 1S; E 1H; S decline; E 1D"
    again = told(edition, text)
    assert again.asked == [("S", "accept")]
    declined = told(edition, text + "; S decline")
    assert declined.laws == ["27B", "27B4"]
    assert declined.bars == {"W": "rest_of_auction"}
    assert declined.turn == "E"
    # No double will do any more, so the Director is not asked about it (27B3).
    doubled = told(edition, text + "; S decline; E X")
    assert doubled.laws == ["27B", "27B4", "27B3"]
    assert {question for _, question in doubled.asked} == {"aware"}
    done = told(edition, text + "; S decline; E 2H")
    assert done.laws == ["27B", "27B4"]
    accepted = told(edition, text + "; S accept")
    assert accepted.laws == ["27B", "27A1"]
    assert accepted.auction == "N:1S E:1D"
    assert accepted.bars == {}


@BOTH
def test_law_27_c_replaced_before_a_ruling(edition: str) -> None:
    text = "N 1S; E 1H; E 2H"
    table = told(edition, text)
    assert table.laws == []
    assert table.asked == [("S", "accept")]
    declined = told(edition, text + "; S decline")
    assert declined.laws == ["27B", "27B1(a)"]
    assert "27C" in declined.ruling("27B")["laws"]
    assert declined.auction == "N:1S E:2H"
    accepted = told(edition, text + "; S accept")
    assert accepted.laws == ["27A1"]
    assert (accepted.auction, accepted.withdrawn) == ("N:1S E:1H", "E:2H")
    called = told(edition, text + "; S 2S")
    assert called.auction == "N:1S E:2H S:2S"


@BOTH
def test_law_27_c_by_a_double(edition: str) -> None:
    table = told(edition, "N 1S; E 1H; E X; S decline")
    assert table.laws == ["27B", "27B3"]
    assert table.turn == "E"


@BOTH
def test_law_27_c_a_second_thought_leaves_the_last_correction(edition: str) -> None:
    table = told(edition, "N 1S; E 1H; E 3H; E 2H; S decline")
    assert table.auction == "N:1S E:2H"
    assert table.withdrawn == "E:1H E:3H"


@BOTH
def test_law_27_nobody_else_settles_it(edition: str) -> None:
    for seat in "NEW":
        assert len(told(edition, f"N 1S; E 1H; {seat} accept").refused) == 1
    table = told(edition, "N 1S; E 1H; W 2C; S 1NT")
    # West was out of rotation at South's turn (28B), and South accepted 1H.
    assert table.laws == ["28B", "27A1"]
    assert table.auction == "N:1S E:1H S:1NT"


@BOTH
def test_law_27_prevention_refuses_the_bid(edition: str) -> None:
    table = told(edition, "policy inadmissible prevent; N 1S; E 1H; E X")
    assert table.refused == ["18D"]
    assert table.auction == "N:1S E:X"
