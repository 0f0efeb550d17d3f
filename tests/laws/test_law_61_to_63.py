"""Revokes: found, spoken of, corrected, established (Laws 61 to 63)."""

import pytest

from laws.engine import ImpossibleActionError
from tests.laws.plays import DEAL, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

REVOKE = "W H4, N HA, E C7, S H2"
"""East has three hearts, and dummy wins the trick."""
SPADES = "S 4S; W P; N P; E P"


@EDITIONS
def test_law_61_a_with_the_deal_known_a_revoke_is_found_at_the_play(
    edition: str,
) -> None:
    table = told(edition, "W H4, N HA, E C7", deal=DEAL)
    assert table.revokes == {"E1": "correctable"}
    revoke = table.plain["revokes"][0]
    assert (revoke["card"], revoke["suit"], revoke["law"]) == ("C7", "H", "62A")
    # Under `record` the table is not told.
    assert table.laws == []
    assert table.turn == "S"


@EDITIONS
def test_law_61_a_who_cannot_follow_does_not_revoke(edition: str) -> None:
    lines = "W C3, N C2, E C7, S CJ, S CQ, W CT, N C4, E C9, S C5, W D4, N C6, E CA"
    assert told(edition, lines, deal=DEAL).revokes == {}


@EDITIONS
def test_law_61_a_with_the_deal_hidden_it_is_found_when_the_suit_shows(
    edition: str,
) -> None:
    hidden = f"{REVOKE}, N C2, E CK, S C5, W C3"
    assert told(edition, hidden).revokes == {}
    table = told(edition, f"{hidden}, E HT")
    assert table.revokes == {"E1": "established"}
    assert table.plain["revokes"][0]["law"] == "63A1"


@EDITIONS
def test_law_61_b_with_the_deal_hidden_a_suspect_is_asked(edition: str) -> None:
    asked = f"{REVOKE}, S attention E 1"
    table = told(edition, asked)
    assert table.revokes == {"E1": "suspected"}
    assert table.asked == [("E", "replace")]
    assert table.turn == "N"
    assert told(edition, f"{asked}, E replace H9").revokes == {"E1": "corrected"}
    kept = told(edition, f"{asked}, E keep")
    assert kept.revokes == {}
    assert kept.asked == []
    # His hand tells all the same.
    shown = told(edition, f"{asked}, E keep, N H3, E H9")
    assert shown.revokes == {"E1": "established"}


@EDITIONS
def test_law_61_a_attention_without_a_revoke_is_a_ruling_without_effect(
    edition: str,
) -> None:
    table = told(edition, "W H4, N HA, E H9, S attention E 1", deal=DEAL)
    assert table.ruling("61A")["effects"] == []
    assert table.revokes == {}
    early = told(edition, "W H4, N HA, S attention E 1", deal=DEAL)
    assert early.refused == ["61A"]


@EDITIONS
def test_law_9_a_dummy_may_not_draw_attention_during_play(edition: str) -> None:
    table = told(edition, f"{REVOKE}, N attention E 1", deal=DEAL)
    assert table.refused == ["9A3" if edition == "2007" else "9A4"]
    assert table.revokes == {"E1": "correctable"}
    assert table.asked == [("director", "dummy-looked")]


@EDITIONS
def test_law_43_b_3_dummy_who_looked_points_at_a_defender(edition: str) -> None:
    lines = f"{REVOKE}, N attention E 1, director dummy-looked yes"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["43B3"]
    # 2007: damage is made good; 2017: only the defenders' score is adjusted.
    assert table.adjustable == ["12B1" if edition == "2007" else "43B3"]
    assert (table.turn, table.bound) == ("N", [])
    after = f"{lines}, N C2, E CK, S C5, W C3, S claim 9, W agree, E agree"
    end = told(edition, after, deal=DEAL)
    assert end.settled == {"E1": ("43B3", 0)}
    assert end.transfer is None


@EDITIONS
def test_policy_prevent_refuses_the_card(edition: str) -> None:
    table = told(edition, "W H4, N HA, E C7", deal=DEAL, policy="prevent")
    assert table.refused == ["61A"]
    assert table.revokes == {}
    assert (table.turn, table.legal) == ("E", ["H9", "HT", "HJ"])


@EDITIONS
def test_policy_immediate_has_it_corrected_at_once(edition: str) -> None:
    table = told(edition, "W H4, N HA, E C7", deal=DEAL, policy="immediate")
    assert table.laws == ["62A"]
    assert (table.turn, table.legal) == ("E", ["H9", "HT", "HJ"])


@EDITIONS
def test_policy_manual_says_nothing_until_a_player_does(edition: str) -> None:
    table = told(edition, REVOKE, deal=DEAL, policy="manual")
    assert (table.plain["revokes"], table.laws) == ([], [])
    spoken = told(edition, f"{REVOKE}, S attention E 1", deal=DEAL, policy="manual")
    assert spoken.revokes == {"E1": "correctable"}


@EDITIONS
def test_law_62_a_the_table_waits_for_the_correction(edition: str) -> None:
    lines = f"{REVOKE}, S attention E 1"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["62A"]
    assert table.bound == [("must_correct", "E")]
    assert table.asked == [("E", "replace")]
    assert (table.turn, table.legal) == ("E", ["H9", "HT", "HJ"])
    assert told(edition, f"{lines}, N C2", deal=DEAL).refused == ["9B2"]
    assert told(edition, f"{lines}, E replace CK", deal=DEAL).refused == ["62B"]
    with pytest.raises(ImpossibleActionError, match="in the hand of W"):
        told(edition, f"{lines}, E replace H8", deal=DEAL)


@EDITIONS
def test_law_62_a_the_card_itself_corrects_too(edition: str) -> None:
    table = told(edition, f"{REVOKE}, S attention E 1, E H9", deal=DEAL)
    assert table.revokes == {"E1": "corrected"}
    assert table.turn == "N"


@EDITIONS
def test_law_62_a_bare_attention_means_what_has_just_happened(edition: str) -> None:
    table = told(edition, "W H4, N HA, E C7, S attention", deal=DEAL)
    assert table.laws == ["62A"]
    assert told(edition, "W H4, N HA, S attention", deal=DEAL).refused == ["9A"]


@EDITIONS
def test_law_62_a_the_revoker_notices_it_himself(edition: str) -> None:
    table = told(edition, f"{REVOKE}, E replace H9", deal=DEAL)
    assert table.laws == ["62A", "62B1"]
    assert table.revokes == {"E1": "corrected"}
    assert table.penalty_cards == [("E", "C7", "major")]
    hidden = told(edition, f"{REVOKE}, E replace H9")
    assert hidden.revokes == {"E1": "corrected"}
    # Too late once his side has played on; nor is there anything to correct else.
    late = told(edition, f"{REVOKE}, N C2, E CK, E replace H9", deal=DEAL)
    assert (late.refused, late.revokes) == (["62C"], {"E1": "established"})
    none = told(edition, "W H4, N HA, E H9, E replace HJ", deal=DEAL)
    assert none.refused == ["62C"]


@EDITIONS
def test_law_62_b_1_a_defenders_card_is_a_major_penalty_card(edition: str) -> None:
    table = told(edition, f"{REVOKE}, S attention E 1, E replace H9", deal=DEAL)
    assert table.ruling("62B1")["laws"] == ["61A", "62A", "62B1", "62C1"]
    assert table.penalty_cards == [("E", "C7", "major")]
    assert table.changeable == ["S"]
    law = "16D2" if edition == "2007" else "16C2"
    assert table.informed == {("W", law)}


@EDITIONS
def test_law_62_b_2_declarers_and_dummys_cards_go_back(edition: str) -> None:
    south = "W H4, N HA, E H9, S C5, W attention S 1, S replace H2"
    table = told(edition, south, deal=DEAL)
    assert table.laws == ["62A", "62B2"]
    assert (table.penalty_cards, table.changeable) == ([], [])
    north = "W H4, N C2, W attention N 1, N replace H3"
    assert told(edition, north, deal=DEAL).laws == ["62A", "62B2"]


@EDITIONS
def test_law_62_b_2_a_faced_card_stays_what_it_was(edition: str) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N C2, E exposes D5, director penalty yes,"
        " E D5, S CJ, W C3, S attention E 2, E replace CK"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.ruling("62B2")["offender"] == "E"
    assert table.penalty_cards == [("E", "D5", "minor")]


@EDITIONS
def test_law_62_c_1_the_innocent_side_keeps_or_changes(edition: str) -> None:
    lines = f"{REVOKE}, S attention E 1, E replace H9"
    assert told(edition, lines, deal=DEAL).asked == [("S", "change")]
    kept = told(edition, f"{lines}, S keep", deal=DEAL)
    assert kept.asked == []
    changed = told(edition, f"{lines}, S replace HK", deal=DEAL)
    assert changed.ruling("62C1")["laws"] == ["62C1"]
    law = "16D2" if edition == "2007" else "16C2"
    assert changed.informed == {("W", law), ("E", law)}
    assert changed.asked == []
    wrong = told(edition, f"{lines}, S replace C5", deal=DEAL)
    assert wrong.refused == ["44C"]
    assert told(edition, f"{lines}, N C2", deal=DEAL).asked == []
    assert told(edition, f"{lines}, W keep", deal=DEAL).refused == ["62C"]


@EDITIONS
@pytest.mark.parametrize("who", ["N", "S"])
def test_law_62_c_1_declarer_keeps_dummys_card_too(edition: str, who: str) -> None:
    lines = "W H4; N H3; E H9; S HK; S SA; W D4; N S2; S attention W 2; W replace S3"
    assert told(edition, lines, deal=DEAL).asked == [("S", "change")]
    kept = told(edition, f"{lines}; {who} keep", deal=DEAL)
    assert not kept.refused
    assert not kept.asked
    assert kept.turn == "E"


@EDITIONS
def test_law_62_c_1_the_lead_to_the_next_trick_may_be_changed(edition: str) -> None:
    lines = f"{REVOKE}, N C2, S attention E 1, E replace H9"
    table = told(edition, lines, deal=DEAL)
    assert table.changeable == ["N", "S"]
    led = told(edition, f"{lines}, S keep, N replace D6", deal=DEAL)
    assert led.asked == []
    assert led.turn == "E"


@EDITIONS
def test_law_62_c_2_only_after_an_innocent_player_before_him(edition: str) -> None:
    lines = "W H4, N C2, E H9, S H2, W attention N 1, N replace H3"
    table = told(edition, lines, deal=DEAL)
    assert table.changeable == ["E"]
    kept = told(edition, f"{lines}, E keep", deal=DEAL)
    assert kept.asked == []
    assert told(edition, f"{lines}, E keep, S replace HK", deal=DEAL).refused == ["62C"]
    changed = told(edition, f"{lines}, E replace HJ", deal=DEAL)
    assert changed.asked == [("S", "change")]
    again = told(edition, f"{lines}, E replace HJ, S replace HK", deal=DEAL)
    assert again.laws == ["62A", "62B2", "62C1", "62C2"]
    assert again.tricks == (1, 0)


@EDITIONS
def test_law_62_c_2_the_offenders_partner_changes_and_47_d_after_him(
    edition: str,
) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N C2, E CK, S CJ, W C3,"
        " E D5, S H5, W D4, N DQ,"
        " W attention S 3, S replace D2"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.changeable == ["W"]
    west = told(edition, f"{lines}, W replace DT", deal=DEAL)
    assert west.asked == [("S", "change")]
    assert west.ruling("62C1")["laws"] == ["62C1", "62C2"]
    north = told(edition, f"{lines}, W replace DT, N replace DA", deal=DEAL)
    assert "62C2" in north.laws
    # Dummy's card just goes back.
    assert north.penalty_cards == []


@EDITIONS
def test_a_correction_takes_back_the_lead_of_who_no_longer_wins(edition: str) -> None:
    lines = "W H4, N H3, E C7, S H5, S C5, S attention E 1, E replace HJ"
    table = told(edition, lines, deal=DEAL)
    assert table.turn == "E"
    assert table.legal == ["C7"]
    assert table.tricks == (0, 1)


@pytest.mark.parametrize(
    ("edition", "laws", "revokes"),
    [
        ("2007", ["62A"], {"E1": "correctable", "S1": "established"}),
        ("2017", ["62C3", "62C3"], {"E1": "correctable", "S1": "correctable"}),
    ],
)
def test_law_62_c_3_both_sides_revoked_and_one_has_played_on(
    edition: str, laws: list[str], revokes: dict[str, str]
) -> None:
    lines = "W H4, N H7, E C7, S C5, N C2, S attention E 1"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == laws
    assert table.revokes == revokes


def test_law_62_c_3_both_correct_and_64_b_8_moves_nothing() -> None:
    lines = (
        "W H4, N H7, E C7, S C5, N C2, S attention E 1, E replace H9, S replace HK,"
        " S C5, W C3, N C2, E C7, S claim 9, W agree, E agree"
    )
    table = told("2017", lines, deal=DEAL)
    assert table.revokes == {"E1": "corrected", "S1": "corrected"}
    assert table.settled == {"E1": ("64B8", 0), "S1": ("64B8", 0)}
    assert "62B1" in table.laws
    assert table.penalty_cards == []


@EDITIONS
def test_law_62_c_2_a_lead_replaced_takes_its_trick_along(edition: str) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N C2, E CA, S C5, W C3, W exposes HQ, S forbid H,"
        " E HJ, S HK, W H6, N H3, S attention E 3, E replace CK"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.penalty_cards == [("E", "HJ", "major"), ("W", "H6", "major")]
    assert (table.turn, table.asked[-1]) == ("S", ("director", "penalty"))


def test_law_62_c_3_every_defenders_card_that_goes_back_is_a_penalty_card() -> None:
    lines = "W H4, N H3, E C7, S C5, W C3, S attention E 1, E replace HJ, S replace HK"
    table = told("2017", lines, deal=DEAL)
    assert table.revokes == {"E1": "corrected", "S1": "corrected"}
    assert table.turn == "S"
    assert table.penalty_cards == [("E", "C7", "major"), ("W", "C3", "major")]


@EDITIONS
def test_law_63_a_1_any_play_of_the_side_to_the_next_trick(edition: str) -> None:
    opponent_leads = told(edition, f"{REVOKE}, N C2", deal=DEAL)
    assert opponent_leads.revokes == {"E1": "correctable"}
    revoker_plays = told(edition, f"{REVOKE}, N C2, E CK", deal=DEAL)
    assert revoker_plays.revokes == {"E1": "established"}
    out_of_turn = told(edition, f"{REVOKE}, W C3", deal=DEAL)
    assert out_of_turn.revokes == {"E1": "established"}
    assert out_of_turn.plain["revokes"][0]["law"] == "63A1"


@EDITIONS
def test_law_63_a_2_declarer_names_a_card(edition: str) -> None:
    lines = "W H4, N HA, E H9, S C5"
    assert told(edition, lines, deal=DEAL).revokes == {"S1": "correctable"}
    table = told(edition, f"{lines}, S names C2", deal=DEAL)
    assert table.plain["revokes"][0]["law"] == "63A2"
    hidden = told(edition, f"{lines}, W attention S 1, S names C")
    assert hidden.revokes == {"S1": "suspected"}
    proven = told(edition, f"{lines}, W attention S 1, S names C, S exposes H2")
    assert proven.revokes == {"S1": "established"}


@EDITIONS
def test_law_63_a_3_making_a_claim_establishes(edition: str) -> None:
    lines = "W H4, N HA, E H9, S C5, S claim 9"
    table = told(edition, lines, deal=DEAL)
    assert table.plain["revokes"][0]["law"] == "63A3"
    conceded = told(edition, f"{REVOKE}, E concede 9", deal=DEAL)
    assert conceded.plain["revokes"][0]["law"] == "63A3"


def test_law_63_a_3_acquiescing_establishes_in_2007() -> None:
    table = told("2007", f"{REVOKE}, S claim 9, W agree", deal=DEAL)
    assert table.plain["revokes"][0]["law"] == "63A3"


def test_law_63_a_4_only_the_69_a_moment_establishes_in_2017() -> None:
    lines = f"{REVOKE}, S claim 9, W agree, E agree"
    agreed = told("2017", lines, deal=DEAL, policy="manual")
    assert agreed.plain["revokes"] == []
    assert agreed.result is not None
    attention = told("2017", f"{lines}, S attention E 1", deal=DEAL, policy="manual")
    assert attention.revokes == {"E1": "correctable"}
    assert attention.plain["result"] is None
    for moment in ("next E P", "round ends"):
        late = told(
            "2017", f"{lines}, {moment}, S attention E 1", deal=DEAL, policy="manual"
        )
        assert late.plain["revokes"][0]["law"] == "63A4"
    other = told(
        "2017", f"{lines}, next S P, S attention E 1", deal=DEAL, policy="manual"
    )
    assert other.revokes == {"E1": "correctable"}


def test_told_at_the_end_a_revoke_of_the_last_trick_is_corrected_in_2017() -> None:
    lines = f"{REVOKE}, S claim 9, W agree, E agree"
    table = told("2017", lines, deal=DEAL)
    assert table.laws == ["62A"]
    assert table.turn == "E"
    fixed = told("2017", f"{lines}, E replace H9, director award S 8", deal=DEAL)
    assert fixed.result is not None
    assert fixed.result[0] == 9
    assert fixed.transfer is None


@EDITIONS
def test_law_63_b_an_established_revoke_is_not_corrected(edition: str) -> None:
    lines = f"{REVOKE}, N C2, E CK, S attention E 1"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["63B"]
    assert table.adjustable == ["64C" if edition == "2007" else "64C1"]
    assert told(edition, f"{lines}, E replace H9", deal=DEAL).refused == ["62C"]


@EDITIONS
def test_impossible_cards_are_named(edition: str) -> None:
    for lines, message in [
        ("W H9", "H9 is in the hand of E"),
        ("W H4, N H3, E HJ, S HK, S HK", "still holds, but HK is played"),
    ]:
        with pytest.raises(ImpossibleActionError, match=message):
            told(edition, lines, deal=DEAL)
    for lines, message in [
        ("W H4, N H3, E H4", "seen in the hand of W"),
        ("W H4, N H3, E HJ, S HK, S HK", "has been played"),
    ]:
        with pytest.raises(ImpossibleActionError, match=message):
            told(edition, lines)


@EDITIONS
def test_law_63_a_an_opponents_claim_establishes_nothing(edition: str) -> None:
    table = told(edition, f"{REVOKE}, S claim 9", deal=DEAL)
    assert table.revokes == {"E1": "correctable"}
    attention = told(edition, f"{REVOKE}, S claim 9, S attention E 1", deal=DEAL)
    assert attention.laws == ["62A"]


@EDITIONS
def test_law_63_a_3_68_b_2_one_defender_assents_and_the_other_objects(
    edition: str,
) -> None:
    lines = f"{REVOKE}, S claim 9, W agree, E object"
    table = told(edition, lines, deal=DEAL)
    state = "established" if edition == "2007" else "correctable"
    assert table.revokes == {"E1": state}
    assert ("director", "claim") in table.asked


@EDITIONS
def test_law_63_a_1_a_card_of_dummy_not_called_for_is_no_play(edition: str) -> None:
    lines = "W H4, N HA, E H9, S C5, N moves C2"
    assert told(edition, lines, deal=DEAL).revokes == {"S1": "correctable"}
    attention = told(edition, f"{lines}, W attention S 1", deal=DEAL)
    assert attention.legal == ["H2", "H5", "HK"]
    assert told(edition, lines.replace("moves ", ""), deal=DEAL).revokes == {
        "S1": "established"
    }
