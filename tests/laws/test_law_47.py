"""Cards taken back after they have been played (Law 47)."""

import pytest

from laws.seats import Seat
from tests.laws.plays import DEAL, judged, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

MISINFORMED = "director misinformed yes"


@EDITIONS
def test_law_47_e_1_a_player_misled_by_an_opponent_takes_his_lead_back(
    edition: str,
) -> None:
    lines = "E HJ, director misled yes"
    offered = told(edition, lines, deal=DEAL).plain["questions"]
    assert [question["choices"] for question in offered] == [["decline"]]
    for by in ("accept", "spread"):
        assert told(edition, f"{lines}, S {by}", deal=DEAL).refused == ["47E1"]
    back = told(edition, f"{lines}, S decline", deal=DEAL)
    assert (back.laws, back.penalty_cards, back.asked) == (["47E1"], [], [])


@EDITIONS
def test_law_47_e_1_no_defender_accepts_declarers_misled_lead(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, S SA, director misled yes"
    for card in ("W S3", "E S9"):
        table = told(edition, f"{lines}, {card}", deal=DEAL)
        assert (table.refused, table.turn) == (["9B2"], "N")
    for seat in ("W", "E"):
        back = told(edition, f"{lines}, {seat} decline", deal=DEAL)
        assert (back.laws, back.asked, back.turn) == (["47E1"], [], "N")


def test_law_47_e_1_a_misled_lead_establishes_no_revoke_in_2017() -> None:
    lines = (
        "W H4, N HA, E C7, S H2, W C3, director misled yes, S decline, S attention E 1"
    )
    assert told("2007", lines, deal=DEAL).revokes == {"E1": "established"}
    assert told("2017", lines, deal=DEAL).revokes == {"E1": "correctable"}


@EDITIONS
def test_law_47_e_2_a_a_card_played_on_a_mistaken_explanation(edition: str) -> None:
    lines = "W H4, N HA, E H9, E change HJ"
    asked = told(edition, lines, deal=DEAL)
    assert asked.asked == [("director", "misinformed")]
    table = told(edition, f"{lines}, {MISINFORMED}", deal=DEAL)
    assert table.ruling("47E2(a)")["laws"] == ["47E2", "47E2(a)"]
    assert table.refused == []
    # It goes back without more; the offending side may not use what it told.
    assert (table.penalty_cards, table.turn) == ([], "S")
    assert table.informed == {("S", "16D2" if edition == "2007" else "16C2")}
    play = judged(edition, f"{lines}, {MISINFORMED}", deal=DEAL).play
    assert play is not None
    assert play.current.card_from(Seat.EAST) == "HJ"


@EDITIONS
def test_law_47_e_2_b_too_late_once_another_has_played(edition: str) -> None:
    lines = f"W H4, N HA, E H9, S H2, E change HJ, {MISINFORMED}"
    table = told(edition, lines, deal=DEAL)
    assert (table.laws, table.adjustable) == (["47E2(b)"], ["47E2(b)"])
    assert table.turn == "N"


@EDITIONS
def test_law_47_e_2_a_an_opening_lead_until_dummy_has_faced_a_card(
    edition: str,
) -> None:
    in_time = told(edition, f"W H4, W change C3, {MISINFORMED}", deal=DEAL)
    assert in_time.laws == ["47E2(a)"]
    assert in_time.legal == ["C2", "C4", "C6", "C8"]
    late = told(edition, f"W H4, N spread, W change C3, {MISINFORMED}", deal=DEAL)
    assert late.laws == ["47E2(b)"]
    assert late.legal == ["H3", "H7", "HA"]


@EDITIONS
def test_law_47_e_2_a_another_winner_leads(edition: str) -> None:
    lines = f"W H4, N H3, E H9, S HK, S change H5, {MISINFORMED}"
    table = told(edition, lines, deal=DEAL)
    assert (table.turn, table.tricks) == ("E", (0, 1))


@EDITIONS
def test_law_47_e_2_a_the_card_in_its_place_is_a_legal_one(edition: str) -> None:
    lines = f"W H4, N HA, E H9, E change CK, {MISINFORMED}"
    assert told(edition, lines, deal=DEAL).refused == ["47E2(a)"]
    # Nor is what he took back a revoke any more.
    lines = f"W H4, N HA, E C7, E change HJ, {MISINFORMED}"
    assert told(edition, lines, deal=DEAL).revokes == {}


@EDITIONS
def test_law_47_e_2_a_a_penalty_card_is_one_again(edition: str) -> None:
    played = "W H4, N HA, E H9, S H2, E exposes C7, N C2, E C7"
    table = told(edition, f"{played}, E change CK, {MISINFORMED}", deal=DEAL)
    assert table.penalty_cards == [("E", "C7", "minor")]


@EDITIONS
def test_law_47_f_2_for_any_other_reason_it_stays_played(edition: str) -> None:
    lines = "W H4, N HA, E H9, E change HJ"
    assert told(edition, lines, deal=DEAL).refused == ["47F2"]
    denied = told(edition, f"{lines}, director misinformed no", deal=DEAL)
    assert (denied.refused, denied.asked, denied.turn) == (["47F2"], [], "S")
    hidden = told(edition, lines)
    assert hidden.refused == ["47F2"]
    while_one_waits = "W H4, N HA, E H9, S H2, E CK, S change H5"
    assert told(edition, while_one_waits, deal=DEAL).refused == ["47F2"]


@EDITIONS
def test_law_47_f_1_a_lead_out_of_turn_goes_back(edition: str) -> None:
    table = told(edition, "W H4, N HA, E H9, S H2, E CK, N S2", deal=DEAL)
    assert table.laws == ["53C" if edition == "2007" else "53B"]
    assert table.penalty_cards == []
