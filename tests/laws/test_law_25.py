"""Law 25: changes of call."""

import pytest

from tests.laws.tables import told

BOTH = pytest.mark.parametrize("edition", ["2007", "2017"])


@BOTH
def test_law_25_a_asks_the_director_and_assumes_no(edition: str) -> None:
    table = told(edition, "S 1NT; S change 1C", dealer="S")
    assert ("director", "unintended") in table.asked
    assert ("W", "accept") in table.asked
    assert table.auction == "S:1NT"
    declined = told(edition, "S 1NT; S change 1C; W decline", dealer="S")
    assert declined.ruling("25B2")["assumptions"][0] == "unintended S: no"


@BOTH
def test_law_25_a_a_slip_is_changed(edition: str) -> None:
    table = told(edition, "S 1NT; S change 1C; director unintended yes", dealer="S")
    assert table.laws == ["25A1"]
    assert table.ruling("25A1")["effects"] == []
    assert (table.auction, table.withdrawn) == ("S:1C", "S:1NT")
    assert table.turn == "W"
    assert table.asked == []


@pytest.mark.parametrize(("edition", "law"), [("2007", "25A4"), ("2017", "25A6")])
def test_law_25_a_lho_may_change_the_call_he_made_over_it(
    edition: str, law: str
) -> None:
    text = "S 1NT; W 2C; S change 1C; director unintended yes"
    table = told(edition, text, dealer="S")
    assert table.asked == [("W", "change")]
    assert (table.auction, table.turn) == ("S:1C W:2C", "N")
    kept = told(edition, text + "; W keep", dealer="S")
    assert (kept.auction, kept.asked) == ("S:1C W:2C", [])
    went_on = told(edition, text + "; N P", dealer="S")
    assert (went_on.auction, went_on.asked) == ("S:1C W:2C N:P", [])
    for word in ("replace 1D", "1D"):
        changed = told(edition, f"{text}; W {word}", dealer="S")
        assert changed.auction == "S:1C W:1D"
        assert changed.withdrawn == "S:1NT W:2C"
        assert changed.laws == ["25A1", law]
        assert {seat for seat, _ in changed.informed} == {"N", "S"}
        assert changed.leads == []


@BOTH
def test_law_25_a_lhos_call_that_is_not_legal_over_it_is_withdrawn(
    edition: str,
) -> None:
    text = "S 1C; W 1H; S change 1NT; director unintended yes"
    table = told(edition, text, dealer="S")
    assert (table.auction, table.withdrawn) == ("S:1NT", "S:1C W:1H")
    assert table.turn == "W"


@BOTH
def test_law_25_a_the_first_call_counts_for_nothing(edition: str) -> None:
    """An insufficient bid that was a slip is no insufficient bid."""
    text = "N 1S; E 1H; E change 2H; director unintended yes"
    assert told(edition, text).laws == ["25A1"]
    assert told(edition, text).auction == "N:1S E:2H"
    over = told(edition, "N 1S; E 1H; S P; E change 2H; director unintended yes")
    assert over.laws == ["25A1"]
    assert "27A1" in over.superseded
    assert over.auction == "N:1S E:2H S:P"


@BOTH
def test_law_25_a_the_second_call_is_subject_to_its_own_law(edition: str) -> None:
    text = "N 1S; E 2H; E change 1H; director unintended yes"
    table = told(edition, text)
    assert table.asked == [("S", "accept")]
    declined = told(edition, text + "; S decline; E 2H")
    assert declined.laws == ["25A1", "27B", "27B1(a)"]
    over = told(edition, "N 1S; E 2H; S P; E change 1H; director unintended yes")
    assert over.asked == [("S", "accept")]
    assert over.withdrawn == "E:2H S:P"


@BOTH
def test_law_25_a_a_call_out_of_rotation_that_was_a_slip(edition: str) -> None:
    text = "S 1H; S change P; director unintended yes"
    table = told(edition, text)
    assert table.asked == [("W", "accept")]
    assert table.withdrawn == "S:1H"
    assert told(edition, text + "; W decline").laws == [
        "25A1",
        "30A" if edition == "2007" else "30B1(a)",
    ]


@BOTH
def test_law_25_a_what_the_first_call_decided_is_decided_anew(edition: str) -> None:
    text = "S 1S; W decline; E 2C; S P; director comparable no; S change 2S"
    if edition == "2007":
        text = text.replace("director comparable no; ", "")
    table = told(edition, text + "; director unintended yes", dealer="E")
    second = {"2007": "31A2(a)", "2017": "31A2(b)"}[edition]
    assert table.laws == ["29B", "25A1", second]
    assert table.bars == {"N": "next_turn"}
    assert [kind for kind, _ in table.bound].count("must_pass") == 1


@BOTH
def test_law_25_a_a_bar_that_the_first_call_used_up_binds_again(edition: str) -> None:
    text = "E P; S decline; N 1H; E P; E change 2C; director unintended yes"
    table = told(edition, text)
    # He has to pass: the second call is for 37.
    assert table.laws == ["30A", "25A1", "37B"]
    assert table.auction == "N:1H E:P"


@pytest.mark.parametrize(("edition", "law"), [("2007", "25A2"), ("2017", "25A4")])
def test_law_25_a_not_once_partner_has_called(edition: str, law: str) -> None:
    table = told(edition, "W 1H; N P; E 2H; W change 1S", dealer="W")
    assert table.refused == [law]
    assert table.auction == "W:1H N:P E:2H"
    assert table.asked == []


@BOTH
def test_law_25_a_until_the_auction_period_ends(edition: str) -> None:
    text = "N 1NT; E P; S P; W P; W change 2C; director unintended yes"
    table = told(edition, text)
    assert table.auction == "N:1NT E:P S:P W:2C"
    assert (table.turn, table.contract) == ("N", None)
    out = told(edition, "N P; E P; S P; W P; W change 1C; director unintended yes")
    assert (out.turn, out.contract) == ("N", None)


@pytest.mark.parametrize(("edition", "law"), [("2007", "25A3"), ("2017", "25A5")])
def test_law_25_a_not_once_it_has_ended(edition: str, law: str) -> None:
    faced = told(edition, "N 1NT; E P; S P; W P; E S2; W change 2C")
    assert faced.refused == [law]
    passed_out = "N P; E P; S P; W P; hands returned; W change 1C"
    assert told(edition, passed_out).refused == [law]


@pytest.mark.parametrize(("edition", "law"), [("2007", "25A1"), ("2017", "25A2")])
def test_law_25_a_a_call_that_was_meant_stands(edition: str, law: str) -> None:
    table = told(edition, "S 1NT; W P; S change 1C; director unintended no", dealer="S")
    assert table.laws == [law]
    assert table.informed == {("N", "16B")}
    assert (table.auction, table.turn) == ("S:1NT W:P", "N")


@BOTH
@pytest.mark.parametrize(
    "text", ["S change 1C", "N 1C; S change 1D", "N 1C; N change 1C"]
)
def test_law_25_nothing_to_change(edition: str, text: str) -> None:
    table = told(edition, text)
    assert table.refused == ["25A1"]


@BOTH
def test_law_25_b_1_lho_accepts(edition: str) -> None:
    table = told(edition, "S 1S; S 2C; W accept", dealer="S")
    assert table.laws == ["25B1"]
    assert (table.auction, table.withdrawn, table.turn) == ("S:2C", "S:1S", "W")
    assert {seat for seat, _ in table.informed} == {"N"}
    called = told(edition, "S 1S; S 2C; W 2D", dealer="S")
    assert called.auction == "S:2C W:2D"


@BOTH
def test_law_25_b_1_a_call_that_is_not_legal_over_the_second_is_no_acceptance(
    edition: str,
) -> None:
    table = told(edition, "S 1S; S 2C; W 1NT", dealer="S")
    assert table.laws == ["25B2"]
    assert table.auction == "S:1S W:1NT"


@BOTH
def test_law_25_b_2_lho_does_not(edition: str) -> None:
    table = told(edition, "S 1S; S 2C; W decline", dealer="S")
    assert table.laws == ["25B2"]
    assert (table.auction, table.withdrawn, table.turn) == ("S:1S", "S:2C", "W")


def test_law_25_b_restricts_the_lead_in_2017_unless_comparable() -> None:
    accepted = "S 1S; S 2C; W accept"
    assert told("2017", accepted, dealer="S").leads == [("N", "forbid_one", "DHS")]
    declined = "S 1S; S 2C; W decline"
    assert told("2017", declined, dealer="S").leads == [("N", "forbid_one", "CDH")]
    comparable = declined + "; director comparable yes"
    assert told("2017", comparable, dealer="S").leads == []
    assert told("2007", accepted, dealer="S").leads == []
    assert told("2007", declined, dealer="S").leads == []


@BOTH
def test_law_25_b_a_second_call_that_nobody_can_accept(edition: str) -> None:
    table = told(edition, "S 1S; S X", dealer="S")
    assert table.laws == ["25B2"]
    assert table.auction == "S:1S"
    assert ("W", "accept") not in table.asked


@BOTH
def test_law_25_b_before_lho_has_chosen_on_a_call_out_of_rotation(
    edition: str,
) -> None:
    text = "S 1H; S 1S"
    assert told(edition, text).asked == [("W", "accept"), ("W", "accept")]
    accepted = told(edition, text + "; W accept")
    assert accepted.laws == ["25B1"]
    assert (accepted.auction, accepted.turn) == ("S:1S", "W")
    declined = told(edition, text + "; W decline")
    assert declined.laws == ["25B2"]
    assert declined.asked[0] == ("W", "accept")
    overtaken = told(edition, "N P; S 1H; S 1S; E 1C")
    assert overtaken.laws == ["25B2", "28B"]
    assert overtaken.auction == "N:P E:1C"


@BOTH
def test_law_25_prevention_refuses_a_second_call(edition: str) -> None:
    table = told(edition, "policy out_of_turn prevent; S 1S; S 2C", dealer="S")
    assert table.refused == ["17C"]


@BOTH
@pytest.mark.parametrize(
    ("text", "to", "auction"),
    [
        ("N 1C; S X", "P", "N:1C"),  # 36B4: it is East's turn
        ("W 1S; N X; E P; S X", "2C", "W:1S N:X E:P S:2C"),  # 36B2
        ("N 1S; E 1H; S decline", "2H", "N:1S E:2H"),  # 27B
        ("N 1S; E 1H; S decline; E X", "2H", "N:1S E:2H"),  # 27B3
        ("E P; S decline; N 1H; E 2C", "P", "N:1H E:P"),  # 37B
    ],
)
def test_law_25_a_a_slip_that_has_been_cancelled(
    edition: str, text: str, to: str, auction: str
) -> None:
    caller = text.replace("; S decline", "").split("; ")[-1].split()[0]
    dealer = text[0] if text[0] != "E" else "N"
    table = told(
        edition, f"{text}; {caller} change {to}; director unintended yes", dealer=dealer
    )
    assert "25A1" in table.laws
    assert not {"36B2", "36B4", "27B3", "37B"} & set(table.laws)
    assert table.auction == auction
    if to == "P" and auction == "N:1C":
        assert table.asked == [("W", "accept")]


@BOTH
def test_law_25_a_a_slip_out_of_rotation_that_was_declined(edition: str) -> None:
    text = "S 1D; W decline; S change P"
    table = told(edition, text + "; director unintended yes")
    assert table.laws == ["25A1"]
    assert table.asked == [("W", "accept")]
    assert table.bound == []
    meant = told(edition, text + "; director unintended no")
    assert meant.laws[0] in {"31B", "31B1"}
    assert ("N", "16B") in meant.informed
    late = told(edition, "S 1D; W decline; N P; S change P")
    assert late.refused == ["25A1"]


@BOTH
def test_law_25_a_the_first_of_two_calls_after_25_b_2(edition: str) -> None:
    text = "S 1S; S 2C; W decline; S change 1NT; director unintended yes"
    table = told(edition, text, dealer="S")
    assert table.auction == "S:1NT"


@BOTH
def test_law_25_a_lhos_call_that_cannot_stand_over_the_second_is_withdrawn(
    edition: str,
) -> None:
    text = "N 1C; E 1H; N change 1S; director unintended yes"
    table = told(edition, text)
    offered, told_by = {"2007": ("25A4", "16D2"), "2017": ("25A6", "16C2")}[edition]
    assert table.laws == ["25A1", offered]
    assert (table.turn, table.auction) == ("E", "N:1S")
    # What East's call told is not for the side that changed its call.
    assert table.informed == {("N", told_by), ("S", told_by)}
