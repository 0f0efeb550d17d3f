"""Law 24: cards exposed or led while the auction goes on."""

import pytest

from laws.engine import ImpossibleActionError
from tests.laws.tables import judged, told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])
AWARENESS = {"2007": "23", "2017": "72C"}


@BOTH
def test_law_24_a_one_card_below_an_honour(edition: str) -> None:
    table = told(edition, "N 1H; E exposes C9")
    assert table.laws == ["24A"]
    assert table.bars == {}
    assert table.informed == {("W", "24")}
    assert table.adjustable == []


@BOTH
@pytest.mark.parametrize(
    ("text", "law"),
    [("E exposes CT", "24B"), ("E C2", "24B"), ("E exposes C2 D3", "24C")],
)
def test_law_24_b_c_partner_passes_once(edition: str, text: str, law: str) -> None:
    table = told(edition, f"N 1H; {text}; E P; S 1S")
    assert table.laws == [law]
    assert table.bars == {"W": "next_turn"}
    assert table.legal == ["P"]
    assert table.adjustable == [AWARENESS[edition]]


@BOTH
def test_law_24_c_also_one_after_the_other(edition: str) -> None:
    lines = "N 1H; E exposes C9; E exposes C8"
    table = told(edition, lines)
    assert table.laws == ["24A", "24C"]
    assert table.bars == {"W": "next_turn"}
    # At the end both are major: a second card makes all of his major (50B).
    ended = told(edition, f"{lines}; E P; S P; W P")
    assert {e["rank"] for e in ended.effects("penalty_card")} == {"major"}
    # A partner's is another matter.
    both = told(edition, "N 1H; E exposes C9; W exposes C8")
    assert both.laws == ["24A", "24A"]


@BOTH
def test_law_24_a_defenders_cards_become_penalty_cards(edition: str) -> None:
    rest = "; E P; S P; W P"
    minor = told(edition, "N 1H; E exposes C9" + rest)
    assert minor.effects("penalty_card") == [
        {"seat": "E", "card": "C9", "rank": "minor"}
    ]
    honour = told(edition, "N 1H; E exposes CT" + rest)
    assert honour.effects("penalty_card")[0]["rank"] == "major"
    two = told(edition, "N 1H; E exposes C2 D3" + rest)
    assert [e["card"] for e in two.effects("penalty_card")] == ["C2", "D3"]
    assert {e["rank"] for e in two.effects("penalty_card")} == {"major"}
    declares = told(edition, "N 1H; S exposes C2; E P; S P; W P")
    assert declares.effects("penalty_card") == []


@BOTH
def test_law_24_ends_when_the_auction_goes_on_after_all(edition: str) -> None:
    text = "N 1H; E exposes C9; E P; S P; W P; W change 1S; director unintended yes"
    table = told(edition, text)
    assert table.turn == "N"
    assert table.effects("penalty_card") == []
    assert ("penalty_card", "E") not in table.bound


@BOTH
def test_law_24_no_card_is_no_card(edition: str) -> None:
    assert told(edition, "N -").refused == ["24"]


def test_law_24_a_card_can_be_exposed_once() -> None:
    with pytest.raises(ImpossibleActionError, match="C9 has been exposed before"):
        judged("2017", "E exposes C9; S exposes C9")
    with pytest.raises(ImpossibleActionError, match="C9 has been exposed before"):
        judged("2017", "E exposes C9 C9")
    deal = "deal N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    with pytest.raises(ImpossibleActionError, match="E does not hold S2"):
        judged("2017", f"{deal}; E exposes S2")
