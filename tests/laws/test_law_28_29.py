"""Laws 28 and 29: what is in rotation, and what becomes of a call that is not."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])

BARRED_EAST = "N 1H; E X; S P; W X; W 2C; N 2H"
"""West's double of his partner's double bars East for the rest (36B2)."""


@BOTH
def test_law_28_a_a_call_at_the_turn_of_one_who_must_pass(edition: str) -> None:
    table = told(edition, BARRED_EAST + "; S 3H")
    assert table.laws == ["36B2", "28A"]
    assert table.ruling("28A")["effects"] == []
    assert table.auction.endswith("N:2H E:P S:3H")
    assert table.turn == "W"
    assert ("N", "accept") not in table.asked


@BOTH
def test_law_28_a_the_pass_made_late_is_the_one_already_there(edition: str) -> None:
    table = told(edition, BARRED_EAST + "; S 3H; E P; W P")
    assert table.laws == ["36B2", "28A"]
    assert table.auction.endswith("E:P S:3H W:P")
    assert table.refused == []


@BOTH
def test_law_28_a_a_call_after_the_enforced_pass_ended_the_auction(
    edition: str,
) -> None:
    # East's pass, which he has to make, is the third after 2D.
    start = BARRED_EAST.replace("N 2H", "N P")
    table = told(edition, start + "; E P; S 2D; W P; N P; S 3D")
    assert table.laws == ["36B2", "39B"]
    assert table.contract["denomination"] == "D"
    assert table.contract["level"] == 2


@BOTH
def test_law_28_a_not_for_one_who_must_repeat_a_call(edition: str) -> None:
    # South must repeat 1S; West's call at his turn is out of rotation.
    table = told(edition, "S 1S; W decline; E P; W 2C", dealer="E")
    assert table.laws == ["29B", "31A1"]
    assert table.asked[-1] == ("N", "accept")


@BOTH
def test_law_28_b_the_opponent_whose_turn_it_was_calls(edition: str) -> None:
    table = told(edition, "N 1H; W 1C", dealer="W")
    assert table.laws == ["28B"]
    assert table.auction == "W:1C"
    assert table.withdrawn == "N:1H"
    assert {seat for seat, _ in table.informed} == {"N", "S"}
    assert table.bars == {}
    assert table.leads == []
    assert (table.turn, "1H" in table.legal) == ("N", True)
    again = told(edition, "N 1H; W 1C; N P; E P; S 1S", dealer="W")
    assert again.laws == ["28B"]


@BOTH
def test_law_28_b_is_not_for_the_offenders_partner(edition: str) -> None:
    """Partner at his own turn settles nothing: his call waits for LHO's choice."""
    table = told(edition, "S 1D; N P")
    assert table.laws == []
    assert table.asked == [("W", "accept")]
    assert table.auction == ""
    declined = told(edition, "S 1D; N P; W decline")
    assert declined.auction == "N:P"
    assert declined.turn == "E"


def test_law_28_b_the_partners_call_that_waited_is_judged_by_the_ruling() -> None:
    barred = told("2007", "S 1D; N 1H; W decline")
    assert barred.laws == ["31B", "37B"]
    assert barred.auction == "N:P"
    assert told("2017", "S 1D; N 1H; W decline").auction == "N:1H"


@BOTH
def test_law_28_b_the_partners_call_that_waited_is_out_of_turn_after_29_a(
    edition: str,
) -> None:
    table = told(edition, "S 1D; N 1H; W accept")
    assert table.laws == ["29A"]
    assert table.asked == [("E", "accept")]
    assert (table.auction, table.turn) == ("S:1D", "W")


@BOTH
def test_law_28_b_not_once_the_call_has_been_ruled_on(edition: str) -> None:
    table = told(edition, "N 1H; E decline; W 1C", dealer="W")
    assert "28B" not in table.laws
    assert table.auction == "W:1C"


@BOTH
def test_law_29_a_lho_calls(edition: str) -> None:
    table = told(edition, "W P; N P; S P; W 1D", dealer="W")
    assert table.laws == ["29A"]
    assert table.ruling("29A")["effects"] == []
    assert table.auction == "W:P N:P S:P W:1D"
    assert table.turn == "N"


@BOTH
def test_law_29_a_lho_says_so(edition: str) -> None:
    table = told(edition, "S 1H; W accept")
    assert table.laws == ["29A"]
    assert (table.auction, table.turn) == ("S:1H", "W")
    assert table.asked == []


@BOTH
def test_law_29_a_accepts_an_insufficient_bid_as_both(edition: str) -> None:
    table = told(edition, "N 1S; S 1H; W accept")
    assert table.laws == ["29A"]
    assert "27A1" in table.ruling("29A")["laws"]
    assert table.auction == "N:1S S:1H"


@BOTH
def test_law_29_a_at_lhos_own_turn_a_call_without_a_word_accepts(
    edition: str,
) -> None:
    table = told(edition, "S 1H; W 1S", dealer="W")
    assert table.laws == ["29A"]
    assert table.ruling("29A")["assumptions"] == ["accept W: yes, by calling"]
    assert table.auction == "S:1H W:1S"


@BOTH
def test_law_29_a_at_lhos_own_turn_a_call_that_would_be_insufficient(
    edition: str,
) -> None:
    table = told(edition, "S 1H; W 1C", dealer="W")
    assert table.laws == ["28B"]
    assert table.auction == "W:1C"


@BOTH
def test_law_29_a_lhos_insufficient_call_has_accepted(edition: str) -> None:
    table = told(edition, "N 1C; S 1S; W 1H")
    assert table.laws == ["29A"]
    assert table.asked == [("N", "accept")]


@BOTH
@pytest.mark.parametrize("seat", ["N", "E", "S"])
def test_law_29_a_the_choice_is_lhos_alone(edition: str, seat: str) -> None:
    table = told(edition, f"S 1H; {seat} accept")
    assert len(table.refused) == 1
    assert table.asked == [("W", "accept")]


@BOTH
def test_law_29_the_latest_of_several_is_settled_first(edition: str) -> None:
    text = "N 1C; S 1S; W 1H; E 1D"
    table = told(edition, text)
    assert table.laws == ["29A"]
    assert table.asked == [("N", "accept"), ("S", "accept")]
    back = told(edition, text + "; S decline")
    assert back.asked[0] == ("N", "accept")
    assert back.turn == "N"
    accepted = told(edition, text + "; S accept")
    assert accepted.laws == ["29A", "27A1", "29A"]
    assert accepted.auction == "N:1C S:1S W:1H E:1D"


@BOTH
def test_law_29_an_answer_to_an_earlier_one_is_kept(edition: str) -> None:
    text = "N 1C; S 1S; W 1H; E 1D; N decline"
    table = told(edition, text)
    assert table.asked == [("S", "accept")]
    both = told(edition, text + "; S decline")
    assert "27B" in both.laws
    assert both.turn == "W"


@BOTH
def test_law_29_b_the_turn_goes_back(edition: str) -> None:
    table = told(edition, "N 1C; S 1S; W decline")
    assert table.laws == ["29B"]
    assert (table.auction, table.withdrawn) == ("N:1C", "S:1S")
    assert table.turn == "E"
    assert table.asked == []


def test_law_29_prevention_refuses_the_call() -> None:
    table = told("2017", "policy out_of_turn prevent; S 1H; N 1C; N 1D")
    assert table.laws == []
    assert table.refused == ["17C", "17C"]
    assert table.auction == "N:1C"


@BOTH
def test_law_29_an_earlier_pass_that_was_the_final_one(edition: str) -> None:
    # West changes 1D to a pass; South bids at North's turn, and West accepts that.
    table = told(edition, "N 1C; E P; S P; W 1D; W P; S 2C; W accept")
    assert table.laws == ["25B1", "39B"]
    assert table.auction == "N:1C E:P S:P W:P"
    assert table.contract["level"] == 1
    assert table.turn == "E"


@BOTH
def test_law_29_a_correction_out_of_turn_waits_for_the_option(edition: str) -> None:
    text = "S 1D; N P; E 1S; N P"
    waiting = told(edition, text)
    assert waiting.laws == []
    assert waiting.asked == [("W", "accept")]
    table = told(edition, text + "; W decline")
    assert table.auction.startswith("N:P E:1S")


@BOTH
def test_law_29_lho_calls_while_others_wait(edition: str) -> None:
    """Accepted, the partner's call that waited is overtaken by LHO's (28B)."""
    table = told(edition, "S 1D; N 1H; W 1S")
    assert table.laws == ["29A", "28B"]
    assert table.auction == "S:1D W:1S"
    assert table.withdrawn == "N:1H"
