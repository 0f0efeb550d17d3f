"""Laws 35 to 39: inadmissible calls."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
AWARENESS = {"2007": "23", "2017": "72C"}
DOUBLES_PARTNER = "W 1S; N X; E P; S X"
BARRED_WEST = "N 1S; E 1H; S decline; E P; S 2S; W 3C"
"""West, who must pass for the rest (27B2), bids."""


@BOTH
def test_law_36_b_2_in_turn(edition: str) -> None:
    table = told(edition, DOUBLES_PARTNER, dealer="W")
    assert table.laws == ["36B2"]
    assert table.ruling("36B2")["laws"] == ["35A", "36B1", "36B3", "36B2"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.adjustable == [AWARENESS[edition]]
    assert (table.turn, table.withdrawn) == ("S", "S:X")
    assert table.leads == []
    done = told(edition, DOUBLES_PARTNER + "; N attention; S 2C", dealer="W")
    assert done.auction == "W:1S N:X E:P S:2C"
    suits = {"2007": "CDHS", "2017": "DHS"}[edition]
    assert done.leads == [("N", "forbid_one", suits)]


@BOTH
def test_law_36_b_4_out_of_turn(edition: str) -> None:
    table = told(edition, "N 1C; S X")
    assert table.laws == ["36B4"]
    assert table.bars == {"N": "rest_of_auction"}
    assert table.turn == "E"
    later = told(edition, "N 1C; S X; E P; S 1H; W P")
    assert later.auction == "N:1C E:P S:1H W:P"
    assert later.legal == ["P"]


@BOTH
@pytest.mark.parametrize("dealer", ["N", "E"])
def test_law_36_a_lho_had_called(edition: str, dealer: str) -> None:
    start = {"N": "N 1C; S X", "E": "E P; S X"}[dealer]
    table = told(edition, start + "; W 1H", dealer=dealer)
    assert table.laws == ["36A"]
    assert len(table.superseded) == 1
    assert table.ruling("36A")["effects"] == []
    assert table.withdrawn == "S:X W:1H"
    assert table.bound == []
    assert table.turn == {"N": "E", "E": "S"}[dealer]
    assert table.asked == []


@BOTH
@pytest.mark.parametrize("between", ["N attention", "E exposes C2"])
def test_law_36_a_not_once_it_has_been_ruled_on(edition: str, between: str) -> None:
    table = told(edition, f"N 1C; S X; {between}; W 1H")
    assert "36B4" in table.laws
    assert table.asked[-1] == ("N", "accept")


@BOTH
def test_law_36_a_the_directors_word_between_changes_nothing(edition: str) -> None:
    table = told(edition, "N 1C; S X; director aware no; W 1H")
    assert table.laws == ["36A"]


@BOTH
@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("N X", "36B2"),
        ("N XX", "36B2"),
        ("N 1C; E XX", "36B2"),
        ("N 1C; E X; S P; W XX", "36B2"),
        ("N 1C; E X; S XX; W X", "36B2"),
        ("N 1C; E P; S X", "36B2"),
        ("N P; E X", "36B2"),
        ("N 1C; E X; S XX; W XX", "36B2"),
    ],
)
def test_law_36_what_law_19_does_not_allow(edition: str, text: str, law: str) -> None:
    assert told(edition, text).laws == [law]


@BOTH
def test_law_36_before_37(edition: str) -> None:
    """A double that 19 does not allow is for 36 even by a player who must pass."""
    table = told(edition, "N 1S; E 1H; S decline; E 2C; S P; W X; N attention; W P")
    assert table.laws == ["27B", "27B2", "36B2"]
    assert table.bars == {"W": "rest_of_auction", "E": "rest_of_auction"}


@BOTH
def test_law_37_b_cancelled_for_a_pass(edition: str) -> None:
    table = told(edition, BARRED_WEST)
    assert table.laws == ["27B", "27B2", "37B"]
    assert table.ruling("37B")["laws"] == (
        ["35B", "37B", {"2007": "26A2", "2017": "26B"}[edition]]
    )
    assert table.auction == "N:1S E:P S:2S W:P"
    assert table.withdrawn == "E:1H W:3C"
    assert table.bars == {"W": "rest_of_auction", "E": "rest_of_auction"}
    mode = {"2007": ("require_or_forbid", "C"), "2017": ("forbid_one", "CDHS")}
    assert ("E", *mode[edition]) in table.leads
    assert table.turn == "N"


@BOTH
def test_law_37_b_the_pass_he_makes_after_it_is_the_one_put_there(
    edition: str,
) -> None:
    table = told(edition, BARRED_WEST + "; N attention; W P; N 3S; E P")
    assert table.laws == ["27B", "27B2", "37B"]
    assert table.auction == "N:1S E:P S:2S W:P N:3S E:P"


@BOTH
def test_law_37_a_lho_had_called(edition: str) -> None:
    table = told(edition, BARRED_WEST + "; N 3S")
    assert table.laws == ["27B", "27B2", "37A"]
    assert table.superseded == ["37B"]
    assert table.ruling("37A")["effects"] == []
    assert table.auction == "N:1S E:P S:2S W:3C N:3S"
    assert table.bars == {"W": "rest_of_auction"}
    # The restriction for the insufficient bid stays.
    assert len(table.leads) == 1
    later = told(edition, BARRED_WEST + "; N 3S; E 4C; S P")
    assert later.legal == ["P"]


@BOTH
def test_law_37_a_undoes_the_end_of_the_auction(edition: str) -> None:
    """With a pass in its place the auction would have been over."""
    text = "N 1S; E 1H; S decline; E P; S P; W 2C"
    over = told(edition, text)
    assert over.auction == "N:1S E:P S:P W:P"
    assert over.contract["denomination"] == "S"
    called = told(edition, text + "; N P")
    assert called.laws[-1] == "37A"
    assert called.auction == "N:1S E:P S:P W:2C N:P"
    assert (called.contract, called.turn) == (None, "E")


@BOTH
def test_law_37_a_bar_for_one_turn_only(edition: str) -> None:
    table = told(edition, "E P; S decline; N 1H; E 2C; S attention")
    assert table.laws == ["30A", "37B"]
    # Both must pass for the rest, though he was to pass but once.
    assert table.effects("must_pass")[1:] == [
        {"seat": "E", "scope": "rest_of_auction"},
        {"seat": "W", "scope": "rest_of_auction"},
    ]


@BOTH
def test_law_37_overruled_the_call_stands(edition: str) -> None:
    table = told(edition, BARRED_WEST + "; director overrule 3")
    assert table.superseded == ["37B"]
    assert table.auction == "N:1S E:P S:2S W:3C"


@BOTH
def test_law_39_b_nothing_follows(edition: str) -> None:
    over = "N 1NT; E P; S P; W P; "
    for late in ("E P", "N P", "N 2NT", "S X"):
        table = told(edition, over + late)
        assert table.laws == ["39B"]
        assert table.ruling("39B")["effects"] == []
        assert table.contract["level"] == 1
        assert table.turn == "E"


@BOTH
def test_law_39_c_a_defenders_bid_or_double(edition: str) -> None:
    over = "N 1NT; E P; S P; W P; "
    double = told(edition, over + "E X")
    assert double.laws == ["39C"]
    assert double.leads == [("W", "forbid_one", "CDHS")]
    bid = told(edition, over + "W 2H")
    mode = {"2007": ("require_or_forbid", "H"), "2017": ("forbid_one", "CDHS")}
    assert bid.leads == [("E", *mode[edition])]


@BOTH
def test_law_39_lho_had_called(edition: str) -> None:
    table = told(edition, "N 1NT; E P; S P; W P; E X; S P")
    assert table.laws == ["39A", "39B"]
    assert table.superseded == ["39C"]
    assert table.leads == []
    assert table.bound == []


@BOTH
def test_law_39_after_four_passes(edition: str) -> None:
    table = told(edition, "N P; E P; S P; W P; N 1NT")
    assert table.laws == ["39A"]
    assert table.contract == "passed out"


@BOTH
def test_law_39_not_once_a_lead_has_been_faced(edition: str) -> None:
    table = told(edition, "N 1NT; E P; S P; W P; E S2; W X")
    assert table.refused == ["39A"]
    assert table.laws == []


@BOTH
def test_prevention_refuses_the_keys(edition: str) -> None:
    table = told(edition, "policy inadmissible prevent; N X; N 1C; E XX; E P")
    assert table.refused == ["19A1", "19B1"]
    assert table.auction == "N:1C E:P"
    barred = told(
        edition, "policy inadmissible prevent; E P; S decline; N 1H; E 2C; E P"
    )
    assert barred.refused == ["30A"]
    late = told(edition, "policy out_of_turn prevent; N 1NT; E P; S P; W P; N P; E 2C")
    assert late.refused == ["17C", "17C"]
