"""The casebook's revokes and plays that are told as stories, as played boards.

Each ``.table`` under ``cases`` embodies the story of the case whose name it bears.
"""

import pytest

from tests.laws.plays import case

SETTLED = {
    "R-REV-01-2007": ({"E2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-01-2017": ({"E2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-02-2007": ({"E2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-02-2017": ({"E2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-03-2007": ({"E2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-03-2017": ({"E2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-04-2007": ({"W4": ("64A2", 1)}, ("NS", 1)),
    "R-REV-04-2017": ({"W4": ("64A2", 1)}, ("NS", 1)),
    "R-REV-05-2017": ({"W3": ("64A2", 1), "W4": ("64B2", 0)}, ("NS", 1)),
    "R-REV-06-2017": ({"S1": ("64A1", 2), "S3": ("64B2", 0)}, ("EW", 2)),
    "R-REV-07-2017": ({"E2": ("64A1", 2), "E4": ("64B2", 0)}, ("NS", 2)),
    "R-REV-09-2017": ({"E2": ("64B3", 0)}, None),
    "R-REV-13-2007": ({"W3": ("64B7", 0), "S12": ("64B6", 0)}, None),
    "R-REV-19-2007": ({"S2": ("64A2", 1), "S3": ("64B2", 0)}, ("EW", 1)),
    "R-REV-21-2017": ({"E9": ("64A2", 1)}, ("NS", 1)),
    "R-REV-22-2007": ({"S1": ("64A2", 1)}, ("EW", 1)),
    "R-REV-23-2007": ({"E5": ("64A1", 2)}, ("NS", 2)),
    "R-REV-25-2007": ({"W3": ("64A2", 1)}, ("NS", 1)),
    "R-REV-31-2007": ({"N1": ("64B3", 0)}, None),
    "R-REV-31-2017": ({"N1": ("64B3", 0)}, None),
    "R-REV-32-2007": ({"N1": ("64B3", 0)}, None),
    "R-REV-33-2017": ({"N1": ("64B3", 0)}, None),
    "R-REV-37-2007": ({"S1": ("64A2", 1)}, ("EW", 1)),
    "R-REV-37-2017": ({"S1": ("64A2", 1)}, ("EW", 1)),
    "R-REV-40-2007": ({"E2": ("64B7", 0), "S2": ("64B7", 0)}, None),
    "R-REV-40-2017": ({"E2": ("64B7", 0), "S2": ("64B7", 0)}, None),
    "R-REV-42-2017": ({"E5": ("64A2", 1)}, ("NS", 1)),
    "R-REV-43-2017": ({"E5": ("64A2", 1)}, ("NS", 1)),
    "R-REV-45-2007": ({"S9": ("64B4", 0)}, None),
    "R-REV-50-2007": ({"W2": ("64A2", 1)}, ("NS", 1)),
    "R-REV-50-2017": ({"W2": ("64A2", 1)}, ("NS", 1)),
}
"""What Law 64 makes of the revokes, and the tricks that go over."""


@pytest.mark.parametrize("name", SETTLED)
def test_law_64_settles_the_case(name: str) -> None:
    settled, transfer = SETTLED[name]
    table = case(name)
    assert table.settled == settled
    assert table.transfer == transfer
    assert not table.refused
    redress = "64C" if name.endswith("2007") else "64C1"
    assert any(law.startswith(redress[:3]) for law in table.adjustable)
    if len(settled) == 1:
        assert table.adjustable[-1] == redress


RESULTS = {
    "R-REV-05-2017": 11,
    "R-REV-21-2017": 6,
    "R-REV-22-2007": 11,
    "R-REV-23-2007": 7,
}


@pytest.mark.parametrize("name", RESULTS)
def test_the_result_counts_transferred_tricks(name: str) -> None:
    result = case(name).result
    assert result is not None
    assert result[0] == RESULTS[name]


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_04_equity_and_transfer_are_alternatives(edition: str) -> None:
    table = case(f"R-REV-04-{edition}")
    assert table.tricks == (10, 3)
    assert table.result == (11, 450)


def test_r_rev_05_each_redress_is_named_in_2017() -> None:
    table = case("R-REV-05-2017")
    assert table.adjustable == ["64C1", "64C2(a)"]


def test_r_rev_09_law_52_b_1_a_declarer_accepts() -> None:
    table = case("R-REV-09-2017")
    assert "52B1(a)" in table.laws
    assert table.penalty_cards == [("E", "DK", "major")]


def test_r_rev_10_law_61_a_a_forbidden_lead_is_a_revoke() -> None:
    table = case("R-REV-10-2017")
    assert table.revokes == {"W1": "corrected"}
    assert table.ruling("62A")["laws"] == ["61A", "62A", "62B1"]
    assert table.penalty_cards == [("W", "SK", "major")]
    assert table.plain["transfer"] is None


def test_r_rev_11_law_62_c_dummy_changes_and_then_east_may() -> None:
    table = case("R-REV-11-2017")
    assert table.laws == ["62A", "62B1", "62C1", "62C2"]
    assert table.ruling("62B1")["effects"][-1]["seat"] == "N"
    assert table.ruling("62C1")["effects"][-1] == {
        "kind": "may_change",
        "seat": "E",
        "card": "HK",
    }
    assert table.penalty_cards == [("W", "S2", "major"), ("E", "HK", "major")]


def test_r_rev_13_law_62_d_1_trick_12_is_corrected_though_established() -> None:
    table = case("R-REV-13-2007")
    assert table.revokes == {"W3": "established", "S12": "corrected"}
    assert "62D1" in table.laws


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_17_law_70_a_revoke_found_before_the_claim_is_agreed(
    edition: str,
) -> None:
    table = case(f"R-REV-17-{edition}")
    assert table.revokes == {"E9": "corrected"}
    assert table.laws == ["62A", "62B1", "70A"]
    assert table.plain["transfer"] is None
    assert table.ruling("70A")["offender"] == "S"
    # Seven of the first eight, trick 9, three more: East makes his master trump.
    assert table.tricks == (11, 2)


def test_r_rev_25_law_63_a_1_a_card_tabled_later_is_a_penalty_card() -> None:
    table = case("R-REV-25-2007")
    assert table.plain["revokes"][0]["law"] == "63A1"
    assert table.effects("penalty_card") == [
        {"seat": "W", "card": "C5", "rank": "minor"}
    ]


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_30_law_63_a_3_the_other_sides_claim_establishes_nothing(
    edition: str,
) -> None:
    table = case(f"R-REV-30-{edition}")
    assert table.revokes == {"E8": "corrected"}
    assert table.laws == ["62A", "62B1", "70A"]
    assert table.plain["transfer"] is None
    # The queen makes one of the last six.
    assert table.tricks == (8, 5)


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_36_law_70_a_disputed_claim_after_a_correction(edition: str) -> None:
    table = case(f"R-REV-36-{edition}")
    assert table.revokes == {"E2": "corrected"}
    assert table.laws == ["62A", "62B1", "70A"]
    assert table.tricks == (11, 2)


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_37_law_43_b_2_b_corrected_and_settled_as_though_established(
    edition: str,
) -> None:
    table = case(f"R-REV-37-{edition}")
    assert table.revokes == {"S1": "corrected"}
    assert table.plain["revokes"][0]["law"] == "43B2(b)"
    assert "43B2(b)" in table.laws


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_38_law_45_d_an_uncalled_card_is_no_play_by_declarer(
    edition: str,
) -> None:
    table = case(f"R-REV-38-{edition}")
    assert table.revokes == {"S9": "correctable"}
    assert table.laws == ["45D1", "62A"]
    assert table.turn == "S"


def test_r_rev_40_redress_for_two_sides_is_64_c_2_b_in_2017() -> None:
    assert case("R-REV-40-2007").adjustable == ["64C", "64C"]
    assert case("R-REV-40-2017").adjustable == ["64C2(b)", "64C2(b)"]


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_41_law_62_c_1_the_next_hand_may_change(edition: str) -> None:
    table = case(f"R-REV-41-{edition}")
    assert table.changeable == ["W"]
    assert table.penalty_cards == []
    assert table.ruling("62B2")["offender"] == "S"


@pytest.mark.parametrize(
    ("name", "law"), [("R-REV-42-2017", "67B1(a)"), ("R-REV-43-2017", "67B1(b)")]
)
def test_law_67_b_1_a_missing_card_is_deemed_a_revoke(name: str, law: str) -> None:
    table = case(name)
    assert law in table.laws
    assert table.plain["revokes"][0]["law"] == law


def test_r_rev_46_law_62_b_2_declarers_card_just_goes_back() -> None:
    table = case("R-REV-46-2017")
    assert table.laws == ["62A", "62B2"]
    assert table.penalty_cards == []


def test_r_rev_47_law_62_b_1_a_defenders_card_is_a_major_penalty_card() -> None:
    table = case("R-REV-47-2017")
    assert table.laws == ["62A", "62B1"]
    assert table.penalty_cards == [("E", "H2", "major")]


def test_r_rev_49_law_62_c_1_west_plays_the_king_instead() -> None:
    table = case("R-REV-49-2017")
    assert table.laws == ["62A", "62B2", "62C1"]
    assert table.changeable == ["W"]
    assert table.informed == {("S", "16C2")}


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_r_rev_50_law_63_a_1_a_lead_out_of_turn_establishes(edition: str) -> None:
    table = case(f"R-REV-50-{edition}")
    assert table.plain["revokes"][0]["law"] == "63A1"
    assert table.penalty_cards == [("W", "CA", "major")]
    assert table.tricks == (10, 3)


def test_r_rev_51_law_52_b_1_b_declarer_who_has_played_must_accept() -> None:
    table = case("R-REV-51-2007")
    assert table.laws == ["49", "52B1(b)"]
    assert table.penalty_cards == [("E", "C5", "major")]
    assert table.plain["transfer"] is None


def test_m_play_01_law_45_c_4_b_a_pause_for_thought_forfeits_the_change() -> None:
    table = case("M-PLAY-01-2007")
    assert table.ruling("45C4(b)")["effects"] == []
    assert table.plain["turn"] == "S"


def test_m_play_02_law_45_c_4_b_a_slip_may_be_changed_and_east_after_it() -> None:
    table = case("M-PLAY-02-2017")
    assert table.changeable == ["E"]
    assert table.ruling("45C4(b)")["laws"] == ["45C4(b)", "47D"]


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_m_play_04_law_46_b_5_either_defender_may_choose(edition: str) -> None:
    table = case(f"M-PLAY-04-{edition}")
    assert table.asked == []
    assert table.turn == "E"


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_m_play_05_law_46_b_3_a_the_suit_in_which_dummy_won(edition: str) -> None:
    table = case(f"M-PLAY-05-{edition}")
    # East has to follow to spades.
    assert all(card.startswith("S") for card in table.legal)
    assert table.turn == "E"


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_m_play_06_law_54_five_options(edition: str) -> None:
    (question,) = case(f"M-PLAY-06-{edition}").plain["questions"]
    assert (question["to"], question["law"]) == ("S", "54")
    assert question["choices"] == [
        "spread",
        "accept",
        "decline",
        "require H",
        "forbid H",
    ]


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_m_play_09_law_51_a_declarer_chooses(edition: str) -> None:
    table = case(f"M-PLAY-09-{edition}")
    assert ("S", "penalty-card") in table.asked
    assert table.legal == ["CT", "CK"]


@pytest.mark.parametrize("edition", ["2007", "2017"])
def test_m_play_12_law_55_a_the_next_in_turn_decides(edition: str) -> None:
    table = case(f"M-PLAY-12-{edition}")
    assert table.ruling("53A")["laws"] == ["53A", "55A"]
    assert table.turn == "W"


def test_m_play_14_law_68_d_2_b_all_four_play_on_in_2017() -> None:
    table = case("M-PLAY-14-2017")
    assert table.ruling("68D2(b)")["effects"] == []
    assert table.turn == "E"
    assert table.asked == []


def test_m_play_15_law_68_d_play_has_ceased_in_2007() -> None:
    table = case("M-PLAY-15-2007")
    assert table.refused == ["68D", "68D"]
    assert table.asked == [("director", "claim")]
