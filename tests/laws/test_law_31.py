"""Law 31: bids out of rotation, and what counts as one (30C)."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])


@BOTH
def test_law_31_asks_lho_and_rules_nothing_before_he_chooses(edition: str) -> None:
    table = told(edition, "S 1H", dealer="E")
    assert table.asked == [("W", "accept")]
    assert table.laws == []
    assert table.auction == ""
    assert table.turn == "E"


@BOTH
def test_law_31_a_1_rho_passes_and_the_bid_is_repeated(edition: str) -> None:
    table = told(edition, "S 1S; W decline; E P", dealer="E")
    assert table.laws == ["29B", "31A1"]
    assert table.effects("must_repeat") == [{"seat": "S", "call": "1S"}]
    assert table.bound == [("must_repeat", "S")]
    assert (table.turn, table.legal) == ("S", ["1S"])
    done = told(edition, "S 1S; W decline; E P; S 1S", dealer="E")
    assert done.auction == "E:P S:1S"
    assert done.bound == []
    assert done.leads == []
    assert done.bars == {}
    assert done.turn == "W"


@BOTH
def test_law_31_a_1_nothing_is_repeated_when_rhos_pass_ends_the_auction(
    edition: str,
) -> None:
    table = told(edition, "N 1D; E P; S 1NT; W P; N P; S 2C; W decline; E P")
    assert table.laws == ["29B"]
    assert table.effects("must_repeat") == []
    assert table.bound == []
    assert (table.auction.split()[-1], table.turn) == ("E:P", "W")
    # The withdrawn call of a defender, which nothing has replaced, is for Law 26.
    text = "S 1S; W X; N P; E P; W 2H; N decline; S P"
    doubled = told(edition, text, dealer="S")
    assert doubled.laws == ["29B"]
    assert len(doubled.leads) == 1


@BOTH
def test_law_31_a_1_another_call_is_refused(edition: str) -> None:
    table = told(edition, "S 1S; W decline; E P; S 2S", dealer="E")
    assert table.refused == ["31A1"]
    assert table.turn == "S"
    assert table.auction == "E:P"


@BOTH
def test_law_31_a_1_a_repeated_bid_that_is_insufficient_is_for_27(
    edition: str,
) -> None:
    text = "N 1S; S 1H; W decline; E P; S 1H"
    table = told(edition, text)
    assert table.asked == [("W", "accept")]
    assert table.laws == ["29B", "31A1"]
    assert "27A2" in table.ruling("29B")["laws"]
    # What he must repeat is no legal call.
    due = told(edition, "N 1S; S 1H; W decline; E P")
    assert (due.turn, due.legal, due.bound) == ("S", [], [("must_repeat", "S")])
    declined = told(edition, text + "; W decline; S 3C")
    assert declined.laws == ["29B", "31A1", "27B", "27B2"]
    assert declined.bars == {"N": "rest_of_auction"}


@BOTH
def test_law_31_a_1_of_two_calls_the_later_one_is_repeated(edition: str) -> None:
    text = "N 1C; S 1S; W decline; S 2H; W decline; E P"
    table = told(edition, text)
    assert (table.turn, table.legal) == ("S", ["2H"])
    assert table.effects("must_repeat") == [{"seat": "S", "call": "2H"}]
    done = told(edition, text + "; S 2H")
    assert (done.auction, done.turn) == ("N:1C E:P S:2H", "W")
    assert done.bars == {}


def test_law_31_a_2_a_2007_repeats_the_denomination() -> None:
    table = told("2007", "S 1S; W decline; E 2C; S 3S", dealer="E")
    assert table.laws == ["29B", "31A2(a)"]
    assert table.bars == {"N": "next_turn"}
    assert table.leads == []
    assert table.adjustable == ["23"]
    assert ("N", "16D2") in table.informed


def test_law_31_a_2_a_2007_partner_passes_once_only() -> None:
    text = "S 1S; W decline; E 2C; S 2S; W P"
    table = told("2007", text, dealer="E")
    assert (table.turn, table.legal) == ("N", ["P"])
    later = told("2007", text + "; N P; E 3C; S P; W P", dealer="E")
    assert later.turn == "N"
    assert "3H" in later.legal
    assert later.bound == []
    assert later.bars == {"N": "next_turn"}


@pytest.mark.parametrize("call", ["P", "X", "2H", "2NT"])
def test_law_31_a_2_b_2007_anything_else(call: str) -> None:
    table = told("2007", f"S 1S; W decline; E 2C; S {call}", dealer="E")
    assert table.laws == ["29B", "31A2(b)"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.leads == [("N", "require_or_forbid", "S")]
    assert table.adjustable == ["23"]
    assert "26A2" in table.ruling("31A2(b)")["laws"]


def test_law_31_a_2_2007_a_notrump_bid_repeated_at_another_level() -> None:
    table = told("2007", "S 1NT; W decline; E 2C; S 2NT", dealer="E")
    assert table.laws == ["29B", "31A2(a)"]
    assert table.leads == []


def test_law_31_a_2_b_2007_after_a_notrump_bid_any_suit_may_be_forbidden() -> None:
    table = told("2007", "S 1NT; W decline; E 2C; S P", dealer="E")
    assert table.leads == [("N", "forbid_one", "CDHS")]


@pytest.mark.parametrize("rho", ["2C", "X"])
def test_law_31_a_2_rho_bids_or_doubles(rho: str) -> None:
    table = told("2007", f"N 1H; S 2H; W decline; E {rho}; S 2H")
    assert table.ruling("31A2(a)")["laws"][0] == "29B"


def test_law_31_a_2_2017_a_comparable_call() -> None:
    table = told(
        "2017", "S 1S; W decline; E 2C; S 2S; director comparable yes", dealer="E"
    )
    assert table.laws == ["29B", "31A2(a)"]
    assert table.bars == {}
    assert table.leads == []
    assert table.adjustable == ["23C"]
    assert ("director", "comparable") not in table.asked


def test_law_31_a_2_2017_a_call_that_is_not_comparable() -> None:
    table = told("2017", "S 1S; W decline; E 2C; S 2S", dealer="E")
    assert table.laws == ["29B", "31A2(b)"]
    assert table.bars == {"N": "next_turn"}
    assert table.adjustable == ["72C"]
    # South has specified spades in the legal auction.
    assert table.leads == [("N", "forbid_one", "CDH")]
    assert ("director", "comparable") in table.asked
    assert table.ruling("31A2(b)")["assumptions"] == ["comparable S: no"]


def test_law_31_a_2_2017_the_same_call_is_taken_for_comparable() -> None:
    table = told("2017", "N 1C; S 2H; W decline; E X; S 2H")
    assert table.laws == ["29B", "31A2(a)"]
    assert table.ruling("31A2(a)")["assumptions"] == ["comparable S: yes"]


@BOTH
def test_law_31_footnote_an_illegal_call_of_rho_is_rectified_first(
    edition: str,
) -> None:
    text = "N 1S; S 2H; W decline; E 1H; S decline; E P"
    table = told(edition, text)
    assert table.effects("must_repeat") == [{"seat": "S", "call": "2H"}]
    other = told(edition, text.replace("E P", "E 2C"))
    assert other.effects("must_repeat") == []
    assert (other.turn, "X" in other.legal) == ("S", True)


def test_law_31_b_2007_partner_is_barred_at_once() -> None:
    table = told("2007", "S 1D; W decline")
    assert table.laws == ["31B"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.adjustable == ["23"]
    assert (table.turn, table.legal) == ("N", ["P"])
    assert table.leads == []


def test_law_31_b_2007_restricts_the_lead_when_the_bid_is_replaced() -> None:
    table = told("2007", "S 1D; W decline; N P; E 1H; S P")
    assert table.leads == [("N", "require_or_forbid", "D")]
    assert told("2007", "S 1D; W decline; N P; E 1H; S 2D").leads == []


def test_law_31_b_2007_the_same_call_of_another_meaning() -> None:
    text = "S 1D; W decline; N P; E P; S 1D"
    table = told("2007", text)
    assert table.leads == []
    assert ("director", "different-meaning") in table.asked
    assert "different-meaning S: no" in table.ruling("31B")["assumptions"]
    # Spades too were shown the first time, and are not specified now.
    shown = told(
        "2007", "director shown DS; " + text + "; director different-meaning yes"
    )
    assert shown.leads == [("N", "require_or_forbid", "S")]


def test_law_31_b_2007_partner_bids_all_the_same() -> None:
    table = told("2007", "S 1D; W decline; N 1S; E P; S 2D")
    assert "37A" in table.laws
    assert table.auction == "N:1S E:P S:2D"
    assert table.bars == {"N": "rest_of_auction"}


def test_law_31_b_1_2017_partner_is_free() -> None:
    table = told("2017", "S 1D; W decline")
    assert table.laws == ["31B1"]
    assert table.bars == {}
    assert table.informed == {("N", "16C2")}
    assert table.turn == "N"
    assert "7NT" in table.legal


def test_law_31_b_2_2017_the_offenders_call_decides() -> None:
    text = "S 1D; W decline; N 1H; E P; S 2D; director comparable "
    comparable = told("2017", text + "yes")
    assert comparable.laws == ["31B1", "31A2(a)"]
    assert "31B2" in comparable.ruling("31A2(a)")["laws"]
    assert comparable.bars == {}
    other = told("2017", text + "no")
    assert other.laws == ["31B1", "31A2(b)"]
    assert other.bars == {"N": "next_turn"}
    assert other.leads == [("N", "forbid_one", "CHS")]


@pytest.mark.parametrize(("edition", "law"), [("2007", "31B"), ("2017", "31B1")])
def test_law_31_b_at_lhos_turn_by_one_who_has_not_called(
    edition: str, law: str
) -> None:
    table = told(edition, "S 1H; W decline", dealer="W")
    assert table.laws == [law]
    assert table.turn == "W"


@pytest.mark.parametrize(("edition", "law"), [("2007", "31"), ("2017", "31C")])
def test_law_31_at_lhos_turn_by_one_who_has_called_is_25(
    edition: str, law: str
) -> None:
    table = told(edition, "S 1H; S 2C; W decline", dealer="S")
    assert table.laws == ["25B2"]
    assert law in table.ruling("25B2")["laws"]


def test_law_31_artificial_pass_2007() -> None:
    text = "N 1H; S P!; W decline; E X"
    table = told("2007", text + "; S 2H")
    assert table.laws == ["29B", "31A2(b)"]
    assert "30C" in table.ruling("29B")["laws"]
    assert table.bars == {"N": "rest_of_auction"}
    natural = told("2007", text + "; director artificial no")
    assert natural.laws == ["30B1"]


def test_law_31_pass_of_partners_artificial_call() -> None:
    table = told("2017", "N 2C!; S P; W decline")
    assert table.laws == ["29B"]
    assert "31A" in table.ruling("29B")["laws"]
    assert ("director", "artificial") in table.asked
    assert table.ruling("29B")["assumptions"] == ["artificial S: yes"]
    assert told("2017", "N 2C!; S P; W decline; director artificial no").laws == ["30A"]


def test_law_31_artificial_pass_at_partners_turn() -> None:
    assert told("2007", "S P!; W decline").bars == {"N": "rest_of_auction"}
    assert told("2017", "S P!; W decline").laws == ["31B1"]


def test_law_29_c_the_denomination_specified_not_the_one_named() -> None:
    text = "N 1NT; S 2D!; W decline; director shown {}; E X; S {}"
    assert told("2007", text.format("H", "2H")).laws == ["29B", "31A2(a)"]
    assert told("2007", text.format("H", "2D")).laws == ["29B", "31A2(b)"]
    none = told("2007", text.format("none", "3C"))
    assert none.laws == ["29B", "31A2(b)"]
    assert none.leads == [("N", "forbid_one", "CDHS")]


def test_law_29_c_until_told_the_suit_shown_is_the_one_named() -> None:
    table = told("2007", "N 1NT; S 2D!; W decline; E X; S 2H")
    assert table.laws == ["29B", "31A2(b)"]
    assert ("director", "shown") in table.asked
    assert "shown S: D" in table.ruling("31A2(b)")["assumptions"]


def test_law_29_c_a_late_answer_is_applied_from_where_it_belongs() -> None:
    table = told(
        "2007", "N 1NT; S 2D!; W decline; E X; S 2H; W P; director shown H; N P"
    )
    assert table.laws == ["29B", "31A2(a)"]
    assert table.superseded == ["31A2(b)"]
    assert table.bars == {"N": "next_turn"}
    assert table.bound == []


@pytest.mark.parametrize(
    ("edition", "laws"),
    [("2007", ["29B", "31A2(b)", "29A"]), ("2017", ["29B", "31A2(b)", "29A"])],
)
def test_law_31_a_2_the_offender_calls_again_before_rho(
    edition: str, laws: list[str]
) -> None:
    """Out of rotation once more, and LHO accepts that call."""
    table = told(edition, "S 1S; W decline; S 2H; W accept", dealer="E")
    assert sorted(table.laws) == sorted(laws)
    assert table.auction == "S:2H"
