"""Law 11A: acting on an irregularity before the Director has been called."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
SEVERAL = "S 1H; E 2C; S 2D"
"""Two calls out of turn; South accepts the second by calling over it."""


@BOTH
def test_law_11_a_the_auction_goes_on_over_a_call_that_nobody_accepted(
    edition: str,
) -> None:
    table = told(edition, SEVERAL)
    assert table.auction == "S:1H E:2C S:2D"
    (question,) = table.plain["questions"]
    assert (question["question"], question["law"], question["seat"]) == (
        "gained",
        "11A",
        "S",
    )
    # Nothing is lost by itself.
    assert "11A" not in table.laws
    assert "11A" not in told(edition, f"{SEVERAL}; director gained no").laws


def test_law_11_a_2007_the_right_may_be_lost() -> None:
    table = told("2007", f"{SEVERAL}; director gained yes")
    assert table.ruling("11A")["effects"] == []
    assert table.asked == []


def test_law_11_a_2017_the_score_of_the_side_that_gained_is_adjusted() -> None:
    table = told("2017", f"{SEVERAL}; director gained yes")
    assert table.ruling("11A")["effects"] == [{"kind": "adjust_possible", "law": "11A"}]


@BOTH
def test_law_11_a_the_director_may_say_so_of_any_ruling(edition: str) -> None:
    text = "N 1S; E 1H; S decline; E 2H"
    unasked = told(edition, f"{text}; director gained yes; S P")
    assert unasked.laws == ["27B", "27B1(a)", "11A"]
    assert unasked.ruling("11A")["line"] == unasked.ruling("27B")["line"]
    # Of a seat that has done nothing it is kept, and answers what may yet be asked.
    assert told(edition, f"{text}; director gained W yes").laws == ["27B", "27B1(a)"]
