"""Laws 17 to 19 and 22: turn, admissible calls, the end and the contract."""

import pytest

from laws.auction import admissible_calls
from laws.seats import Seat
from tests.laws.tables import judged, told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])


@BOTH
def test_law_17_the_dealer_calls_first_and_the_turn_goes_clockwise(
    edition: str,
) -> None:
    assert told(edition, "", dealer="E").turn == "E"
    assert told(edition, "E P; S 1C", dealer="E").turn == "W"


@BOTH
@pytest.mark.parametrize(
    ("text", "lowest", "doubles"),
    [
        ("", "1C", []),
        ("N P", "1C", []),
        ("N 1H", "1S", ["X"]),
        ("N 1NT; E P", "2C", []),
        ("N 1H; E P; S P", "1S", ["X"]),
        ("N 1H; E X", "1S", ["XX"]),
        ("N 1H; E X; S P", "1S", []),
        ("N 1H; E X; S P; W P", "1S", ["XX"]),
        ("N 1H; E X; S XX", "1S", []),
        ("N 1H; E 2C", "2D", ["X"]),
        ("N 1H; E X; S 2H", "2S", ["X"]),
        ("N 7NT", None, ["X"]),
    ],
)
def test_law_18_19_legal_calls(
    edition: str, text: str, lowest: str | None, doubles: list[str]
) -> None:
    legal = told(edition, text).legal
    assert legal[0] == "P"
    assert [call for call in legal if call in {"X", "XX"}] == doubles
    bids = [call for call in legal if call[0].isdigit()]
    assert (bids[0] if bids else None) == lowest
    assert len(legal) == len(set(legal))


@BOTH
def test_law_22_a_four_passes(edition: str) -> None:
    table = told(edition, "N P; E P; S P; W P")
    assert table.contract == "passed out"
    assert table.turn is None
    assert table.plain["result"] == {"declarer_tricks": None, "score_NS": 0}


@BOTH
@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("N 1H; E P; S P; W P", (1, "H", "", "N")),
        ("N P; E P; S P; W 1C; N P; E P; S P", (1, "C", "", "W")),
        ("N 1H; E P; S 2H; W P; N P; E P", (2, "H", "", "N")),
        ("N 1H; E 2H; S X; W P; N P; E P", (2, "H", "X", "E")),
        ("N 1H; E P; S 1S; W P; N 2S; E P; S P; W P", (2, "S", "", "S")),
        ("N 1C; E X; S XX; W P; N P; E P", (1, "C", "XX", "N")),
        ("N 1C; E X; S 1H; W P; N P; E P", (1, "H", "", "S")),
        ("N 1NT; E X; S 2NT; W P; N P; E P", (2, "NT", "", "N")),
    ],
)
def test_law_22_three_passes_end_it_in_the_last_bid(
    edition: str, text: str, contract: tuple[int, str, str, str]
) -> None:
    table = told(edition, text)
    level, denomination, risk, declarer = contract
    assert table.contract == {
        "level": level,
        "denomination": denomination,
        "risk": risk,
        "declarer": declarer,
    }
    assert table.turn == Seat(declarer).lho
    assert table.plain["rulings"] == []


@BOTH
def test_law_22_is_not_over_before(edition: str) -> None:
    for text in ("N P; E P; S P", "N 1H; E P; S P", "N P; E P; S P; W 1C; N P; E P"):
        assert told(edition, text).contract is None


def test_calls_are_offered_in_order() -> None:
    state = judged("2017", "N 1H; E X")
    calls = admissible_calls(state.auction.legal_calls, Seat.SOUTH)
    assert calls[:3] == ("P", "XX", "1S")
    assert calls[-1] == "7NT"


@BOTH
def test_law_22_hands_do_not_go_back_before_the_auction_has_ended(
    edition: str,
) -> None:
    assert told(edition, "N P; E P; S P; hands returned").refused == ["22"]
    assert told(edition, "N P; E P; S P; W P; hands returned").refused == []
