"""Law 26: lead restrictions, from the ruling to the lead."""

import pytest

from laws.lead_restrictions import lead_options, lead_question
from laws.seats import Seat
from tests.laws.tables import judged, told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
PASSED = "S 1H; W decline; E 1S; S P; W 2S; N P; E P; S P"
"""East declares 2S; South showed hearts in a withdrawn bid only."""


def test_law_26_a_2_2007_require_or_forbid_the_suit_shown() -> None:
    table = told("2007", PASSED, dealer="E")
    assert table.leads == [("N", "require_or_forbid", "H")]
    assert ("lead_restriction", "N") in table.bound
    # South has the opening lead, so nothing is asked yet.
    assert table.turn == "S"
    assert ("E", "lead") not in table.asked


UNREPLACED = "N 1S; E P; S P; E X; S decline; W P"
"""The auction ends before East has called in his turn."""


def test_law_26_b_2017_a_withdrawn_call_that_nothing_replaced() -> None:
    table = told("2017", UNREPLACED)
    assert table.leads == [("W", "forbid_one", "CDHS")]
    # West's last pass was a slip: the auction goes on, and East may still replace it.
    again = UNREPLACED + "; director unintended W yes; W change 2C; N P"
    assert told("2017", again).leads == []
    assert told("2017", f"{again}; E 2D").leads == [("W", "forbid_one", "CHS")]


def test_law_26_2007_speaks_of_another_final_call() -> None:
    assert told("2007", UNREPLACED).leads == []


def test_law_26_b_2017_forbid_one_suit_not_specified() -> None:
    table = told("2017", PASSED, dealer="E")
    assert table.leads == [("N", "forbid_one", "CDHS")]


@BOTH
def test_law_26_declarer_is_asked_when_the_partner_is_first_to_lead(
    edition: str,
) -> None:
    text = "S 1S; W decline; W 1NT; N P; E 3NT; S P; W P; N P"
    state = judged(edition, text, dealer="W")
    table = told(edition, text, dealer="W")
    assert ("W", "lead") in table.asked
    question = lead_question(state, 1, Seat.NORTH)
    assert question is not None
    choices = {
        "2007": ("require S", "forbid S", "waive"),
        "2017": ("forbid C", "forbid D", "forbid H", "forbid S", "waive"),
    }
    assert question.choices == choices[edition]
    assert question.law == {"2007": "26A2", "2017": "26B"}[edition]
    assert len(lead_options(state, Seat.NORTH)) == 1
    assert lead_options(state, Seat.SOUTH) == ()
    assert lead_question(state, 1, Seat.SOUTH) is None


@BOTH
def test_law_26_goes_when_the_offenders_side_declares(edition: str) -> None:
    text = "S 1H; W decline; E P; S 1H; W P; N P; E P"
    assert told(edition, text, dealer="E").leads == []
    bid = "S 1D; W decline; N P; E P; S 2C; W P; N P; E P"
    table = told(edition, bid)
    assert table.contract["declarer"] == "S"
    assert table.leads == []
    assert ("lead_restriction", "N") not in table.bound
    open_still = told(edition, bid.rsplit(";", 1)[0])
    assert open_still.leads


def test_law_26_suits_follow_the_auction() -> None:
    text = "S 1H; W decline; E 1S; S P; W 2S; N P; E P; S 3C"
    assert told("2017", text, dealer="E").leads == [("N", "forbid_one", "DHS")]
    hearts = text.replace("3C", "3H")
    assert told("2017", hearts, dealer="E").leads == [("N", "forbid_one", "CDS")]
    assert told("2007", hearts, dealer="E").leads == []
    laws = told("2007", hearts, dealer="E").ruling("31A2(b)")["laws"]
    assert laws[-1] == "26A1"


def test_law_26_2017_goes_when_every_suit_has_been_specified() -> None:
    text = (
        "S 1NT; W decline; E 1C; S 2C; W 2D; N P; E P; S 2H; W 3D; N P; E P; S 3S;"
        " W 4C; N P; E P"
    )
    assert told("2017", text, dealer="E").leads == [("N", "forbid_one", "D")]
    table = told("2017", text + "; S 4D", dealer="E")
    assert table.leads == []
    assert table.laws == ["29B", "31A2(b)"]


def test_law_26_2007_several_suits_shown() -> None:
    text = "S 2D!; W decline; director shown HS; E 3C; S {}; W 4C; N P; E P; S P;"
    one = told("2007", text.format("3S"), dealer="E")
    assert one.laws == ["29B", "31A2(a)"]
    none = told("2007", text.format("P"), dealer="E")
    assert none.leads == [("N", "require_or_forbid", "HS")]
    other = told("2007", text.format("4D"), dealer="E")
    assert other.leads == [("N", "require_or_forbid", "HS")]


@BOTH
def test_law_26_suits_that_artificial_calls_showed_are_asked_for(
    edition: str,
) -> None:
    text = "S 1H; W decline; E 1S; S 2D! hearts; W P; N P; E 2S; S P"
    table = told(edition, text, dealer="E")
    questions = [q for q in table.plain["questions"] if q["question"] == "shown"]
    assert [q["about"] for q in questions] == ["2D"]
    told_so = told(edition, text + "; director shown H", dealer="E")
    assert told_so.leads == {"2007": [], "2017": [("N", "forbid_one", "CDS")]}[edition]


@BOTH
def test_law_26_a_word_that_was_not_asked_is_kept(edition: str) -> None:
    text = "S 1H; W decline; director shown HS; E 1NT; S P; W P; N P; E P"
    table = told(edition, text, dealer="E")
    mode = {"2007": ("require_or_forbid", "HS"), "2017": ("forbid_one", "CDHS")}
    assert table.leads == [("N", *mode[edition])]


@BOTH
def test_law_26_an_overruled_ruling_restricts_nothing(edition: str) -> None:
    table = told(edition, PASSED + "; director overrule 2", dealer="E")
    assert table.superseded == ["31A2(b)"]
    assert table.leads == []
    assert table.bound == []


@BOTH
def test_law_26_the_side_that_did_not_offend_is_never_restricted(
    edition: str,
) -> None:
    """LHO who withdraws his call after 25A has withdrawn nothing of his side's."""
    text = "S 1NT; W 2C; S change 1C; director unintended yes; W replace P; N P; E 1D"
    assert told(edition, text, dealer="S").leads == []
