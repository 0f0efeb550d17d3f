"""Laws 23 (2007) and 72C (2017), and the comparable call (23, 2017)."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
LAW = {"2007": "23", "2017": "72C"}
OFFENCE = "S 1S; W decline; E 2C; S P"


@BOTH
def test_law_23_possible_until_the_director_says_no(edition: str) -> None:
    table = told(edition, OFFENCE, dealer="E")
    assert table.adjustable == [LAW[edition]]
    assert ("director", "aware") in table.asked
    yes = told(edition, OFFENCE + "; director aware yes", dealer="E")
    assert yes.adjustable == [LAW[edition]]
    no = told(edition, OFFENCE + "; W P; director aware no", dealer="E")
    assert no.adjustable == []
    for answered in (yes, no):
        assert ("director", "aware") not in answered.asked


@BOTH
def test_law_23_an_answer_names_the_seat_where_two_are_asked(edition: str) -> None:
    text = OFFENCE + "; W X; N attention; W 3C; director aware W no"
    table = told(edition, text, dealer="E")
    still = [q["seat"] for q in table.plain["questions"] if q["question"] == "aware"]
    assert still == ["S"]


def test_law_23_a_2017_is_asked_and_until_then_only_the_same_call_will_do() -> None:
    text = "S 1D; W decline; N P; E P; S {}"
    assert told("2017", text.format("1D")).laws == ["31B1", "31A2(a)"]
    table = told("2017", text.format("1H"))
    assert table.laws == ["31B1", "31A2(b)"]
    question = next(
        q for q in table.plain["questions"] if q["question"] == "comparable"
    )
    assert question["about"] == "1H for 1D"
    assert question["law"] == "23A"
    assert question["holds"]
    assert question["choices"] == ["yes", "no"]


def test_law_23_c_2017_the_score_may_be_adjusted_after_a_comparable_call() -> None:
    text = "S 1D; W decline; N P; E P; S 1H; director comparable yes"
    assert told("2017", text).adjustable == ["23C"]


def test_law_23_a_late_answer_undoes_what_was_assumed() -> None:
    text = "S 1D; W decline; N P; E P; S 1H; W P; N P; E 1S; director comparable yes"
    table = told("2017", text)
    assert table.laws == ["31B1", "31A2(a)"]
    assert table.superseded == ["31A2(b)"]
    assert table.bars == {}
    # North's pass, which he would not have had to make, stands.
    assert table.auction.endswith("W:P N:P E:1S")
