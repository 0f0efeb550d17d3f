"""The play, and cards of dummy (Laws 41 to 47)."""

import pytest

from tests.laws.plays import DEAL, judged, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])


@EDITIONS
def test_law_41_a_a_face_down_lead_is_nothing_until_it_is_faced(edition: str) -> None:
    table = told(edition, "W down, W H4", deal=DEAL)
    assert table.refused == []
    assert table.turn == "N"
    wrong = told(edition, "E down", deal=DEAL)
    assert wrong.refused == ["41A"]
    assert wrong.turn == "W"
    assert told(edition, "W H4, N down", deal=DEAL).refused == ["41A"]


@EDITIONS
def test_law_44_the_winner_leads_and_suit_is_followed(edition: str) -> None:
    table = told(edition, "W H4, N H3, E HJ", deal=DEAL)
    assert (table.turn, table.legal) == ("S", ["H2", "H5", "HK"])
    after = told(edition, "W H4, N H3, E HJ, S HK", deal=DEAL)
    assert after.turn == "S"
    assert len(after.legal) == 12
    assert after.tricks == (1, 0)


@EDITIONS
def test_law_44_e_a_trump_wins(edition: str) -> None:
    spades = "S 4S; W P; N P; E P"
    lines = "W C3, N C2, E CA, S C5, E CK, S CJ, W CT, N C4, E C9, S CQ, W S3, N C6"
    table = told(edition, lines, deal=DEAL, auction=spades)
    assert table.turn == "W"
    assert table.tricks == (0, 3)


@EDITIONS
def test_law_45_c_4_a_a_named_card_is_played(edition: str) -> None:
    table = told(edition, "W H4, S names HA", deal=DEAL)
    assert table.turn == "E"
    moved = told(edition, "W H4, S names HA, N HA, E H9", deal=DEAL)
    assert (moved.refused, moved.turn) == ([], "S")


@EDITIONS
def test_law_46_a_only_declarer_names(edition: str) -> None:
    for line in ("E names HA", "N names HA"):
        assert told(edition, f"W H4, {line}", deal=DEAL).refused == ["46A"]


def led_card(edition: str, lines: str) -> str | None:
    """The card that dummy has in the trick in progress."""
    play = judged(edition, lines, deal=DEAL).play
    assert play is not None
    trick = play.current if play.current.cards else play.tricks[-1]
    return trick.card_from(play.dummy)


@EDITIONS
@pytest.mark.parametrize(
    ("named", "card"),
    [
        ("high", "HA"),
        ("low", "H3"),
        ("win", "H7"),
        ("H", "H3"),
        ("7", "H7"),
        ("A", "HA"),
        ("HA", "HA"),
    ],
)
def test_law_46_b_incomplete_designations_following_suit(
    edition: str, named: str, card: str
) -> None:
    assert led_card(edition, f"W H4, S names {named}") == card


@EDITIONS
def test_law_46_b_2_a_suit_is_its_lowest_card(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, S names S"
    assert led_card(edition, lines) == "S2"


@EDITIONS
def test_law_46_b_3_a_the_suit_in_which_dummy_won(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, S names 7"
    assert led_card(edition, lines) == "H7"


@EDITIONS
def test_law_46_b_3_b_of_two_cards_declarer_says_which(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, S names Q"
    table = told(edition, lines, deal=DEAL)
    (question,) = table.plain["questions"]
    assert (question["to"], question["law"]) == ("S", "46B3(b)")
    assert question["choices"] == ["names DQ", "names SQ"]
    assert led_card(edition, f"{lines}, S names DQ") == "DQ"


@EDITIONS
def test_law_46_b_4_a_card_not_in_dummy_is_void(edition: str) -> None:
    for named in ("HK", "K"):
        table = told(edition, f"W H4, S names {named}", deal=DEAL)
        assert table.refused == ["46B4"]
        assert table.turn == "N"


@EDITIONS
def test_law_46_b_5_anything_is_for_a_defender_to_say(edition: str) -> None:
    table = told(edition, "W H4, S names any", deal=DEAL)
    assert table.asked == [("E", "designate"), ("W", "designate")]
    chosen = told(edition, "W H4, S names any, E names HA", deal=DEAL)
    assert (chosen.asked, chosen.turn) == ([], "E")


def test_law_46_b_1_high_of_a_lead_differs_by_edition() -> None:
    """2007: the highest card; 2017: of the suit led, so that it says nothing."""
    lines = "W H4, N HA, E H9, S H2, S names high"
    assert led_card("2007", lines) == "DA"
    assert told("2017", lines, deal=DEAL).refused == ["46B4"]
    # Two cards are the lowest: declarer says which.
    low = told("2007", lines.replace("high", "low"), deal=DEAL)
    assert low.plain["questions"][0]["choices"] == ["names C2", "names S2"]
    assert told("2017", lines.replace("high", "low"), deal=DEAL).refused == ["46B4"]
    # Nothing can be won of a lead.
    won = lines.replace("high", "win")
    assert told("2007", won, deal=DEAL).refused == ["46B4"]


def test_law_46_b_1_high_without_the_suit_led_differs_by_edition() -> None:
    lines = (
        "W H4, N H3, E H9, S H2, E HT, S H5, W H6, N H7, E HJ, S HK, W H8, N HA,"
        " N C2, E C7, S C5, W CT, W HQ, S names high"
    )
    assert led_card("2007", lines) == "DA"
    assert told("2017", lines, deal=DEAL).refused == ["46B4"]
    assert led_card("2017", lines.replace("high", "C")) == "C4"


@EDITIONS
def test_law_46_with_the_deal_hidden_dummys_line_tells_the_card(edition: str) -> None:
    table = told(edition, "W H4, S names H")
    assert table.turn == "N"
    moved = told(edition, "W H4, S names H, N H3")
    assert (moved.turn, moved.refused) == ("E", [])


@EDITIONS
def test_law_45_d_1_an_uncalled_card_goes_back_when_attention_is_drawn(
    edition: str,
) -> None:
    lines = "W H4, N moves HA"
    table = told(edition, lines, deal=DEAL)
    assert (table.turn, table.laws) == ("E", [])
    back = told(edition, f"{lines}, E H9, E attention", deal=DEAL)
    assert back.laws == ["45D1"]
    assert back.turn == "N"
    # It stands once each side has played to the next trick.
    later = f"{lines}, E H9, S H2, N C2, E CK, W attention"
    stands = told(edition, later, deal=DEAL)
    assert stands.laws == ["45D" if edition == "2007" else "45D2"]
    assert (stands.ruling(stands.laws[0])["effects"], stands.turn) == ([], "S")
    # Attention to something else says nothing of it.
    other = told(edition, later.replace("W attention", "W attention E 1"), deal=DEAL)
    assert other.laws == ["61A"]


@EDITIONS
def test_law_45_d_1_another_card_than_the_one_called_for(edition: str) -> None:
    lines = "W H4, S names HA, N moves H3, E H9"
    table = told(edition, f"{lines}, S attention", deal=DEAL)
    assert table.laws == ["45D1"]
    assert table.asked == [("E", "change")]
    assert led_card(edition, f"{lines}, S attention") == "HA"
    # A card line of dummy that is not the card called for is the same.
    assert led_card(edition, "W H4, S names HA, N H3") == "H3"


@EDITIONS
@pytest.mark.parametrize("then", ["S claim 9", "S claim 9, W agree"])
def test_law_45_d_1_not_once_a_claim_has_been_made(edition: str, then: str) -> None:
    lines = f"W H4, N moves HA, E H9, {then}, W attention"
    assert told(edition, lines, deal=DEAL).laws == []
    assert led_card(edition, lines) == "HA"


@EDITIONS
def test_law_45_d_1_not_while_another_card_awaits_a_ruling(edition: str) -> None:
    lines = "W H4, N moves HA, E H9, S H2, E CK, W attention"
    table = told(edition, lines, deal=DEAL)
    assert table.asked == [("S", "accept")]
    assert table.laws == []
    assert led_card(edition, lines) == "HA"


@EDITIONS
def test_law_45_f_dummy_may_not_move_a_card_before_his_turn(edition: str) -> None:
    assert told(edition, "N moves HA", deal=DEAL).refused == ["45F"]
    assert told(edition, "W H4, E moves H9", deal=DEAL).refused == ["45D"]
    table = told(edition, "W H4, N HA, N moves H7", deal=DEAL)
    # It may have suggested a play: the Director may adjust, and play goes on.
    assert (table.laws, table.adjustable, table.refused) == (["45F"], ["45F"], [])
    assert table.turn == "E"


@EDITIONS
def test_law_57_c_45_f_no_choice_once_dummy_has_suggested_a_play(edition: str) -> None:
    suggested = "W H4, N HA, E H9, S H2, N C2, N moves H7"
    table = told(edition, f"{suggested}, W C3", deal=DEAL)
    assert table.laws == ["45F", "57C1" if edition == "2007" else "57C2"]
    assert (table.penalty_cards, table.asked) == ([], [])
    # In an earlier trick it was another matter.
    later = told(edition, "W H4, N HA, N moves H7, E H9, S H2, N C2, W C3", deal=DEAL)
    assert later.laws == ["45F", "57A"]


@EDITIONS
def test_law_45_c_4_b_a_slip_of_the_tongue(edition: str) -> None:
    lines = "W H4, S names H3, E H9, S change HA"
    asked = told(edition, lines, deal=DEAL)
    assert asked.asked == [("director", "unintended")]
    assert asked.ruling("45C4(b)")["assumptions"] == ["unintended S: no"]
    yes = told(edition, f"{lines}, director unintended yes", deal=DEAL)
    assert yes.changeable == ["E"]
    assert led_card(edition, f"{lines}, director unintended yes") == "HA"
    no = told(edition, f"{lines}, director unintended no", deal=DEAL)
    assert (no.changeable, no.asked) == ([], [])


@EDITIONS
def test_law_45_c_4_b_too_late_once_declarer_has_played(edition: str) -> None:
    # 2017: from either hand; 2007: his partner, from dummy.
    lines = "W H4, S names H3, E H9, S HK, S change HA"
    refused = told(edition, lines, deal=DEAL).refused
    assert refused == (["45C4(b)"] if edition == "2017" else [])
    dummys = "W H4, S names HA, E H9, S H2, N C2, S change H3"
    assert told(edition, dummys, deal=DEAL).refused == ["45C4(b)"]
    assert told(edition, "W H4, N H3, S change HA", deal=DEAL).refused == ["45C4(b)"]
    other = "W H4, S names H3, E change HA"
    assert told(edition, other, deal=DEAL).refused == ["45C4(b)"]


@EDITIONS
def test_law_46_b_an_intention_beyond_dispute_comes_first(edition: str) -> None:
    lines = "W H4, S names low, director intended HA"
    assert led_card(edition, lines) == "HA"
    assert led_card(edition, "W H4, S names low, director intended no") == "H3"
    later = "W H4, S names low, E H9, S H2, director intended HA"
    table = told(edition, later, deal=DEAL)
    assert (table.turn, table.tricks) == ("N", (1, 0))
    void = "W H4, S names K, director intended H7"
    assert told(edition, void, deal=DEAL).refused == ["46B4"]


@EDITIONS
def test_law_44_no_card_is_played_when_play_is_over(edition: str) -> None:
    table = told(edition, "W H4, S claim 13, W agree, E agree, N HA", deal=DEAL)
    assert table.refused == ["44"]


@EDITIONS
def test_law_57_c_dummy_has_picked_a_card_by_himself(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, N moves C2, W C3"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["57C1" if edition == "2007" else "57C2"]
    assert (table.penalty_cards, table.asked) == ([], [])


# Dummy's card that was not called (45D) ----------------------------------------------


@EDITIONS
def test_law_45_d_1_declarer_may_change_after_the_defender_at_his_right(
    edition: str,
) -> None:
    lines = "W H4, S names HA, N moves H3, E HJ, S HK, W attention"
    back = told(edition, lines, deal=DEAL)
    assert (back.laws, back.asked) == (["45D1"], [("E", "change")])
    kept = told(edition, f"{lines}, E keep", deal=DEAL)
    assert kept.asked == []
    changed = told(edition, f"{lines}, E replace H9", deal=DEAL)
    assert changed.asked == [("S", "change")]
    assert changed.in_force[-1]["laws"] == ["45D1"]
    both = told(edition, f"{lines}, E replace H9, S replace H2", deal=DEAL)
    assert both.laws == ["45D1", "45D1", "45D1"]
    assert (both.turn, both.tricks, both.penalty_cards) == ("N", (1, 0), [])
    # What East's first card told, declarer may not use.
    assert ("S", "16D2" if edition == "2007" else "16C2") in changed.informed


@EDITIONS
def test_law_45_d_2_a_lead_not_called_for_stands_and_is_followed(edition: str) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N moves C2, E D5, S C5, W C3, S SA, W S3, W attention"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["45D" if edition == "2007" else "45D2"]
    assert table.revokes == {"E2": "established"}


@EDITIONS
def test_law_45_d_2_dummys_own_revoke_moves_no_trick(edition: str) -> None:
    lines = (
        "W H4, N moves S2, E H9, S HK, S SA, W S3, N S4, W attention,"
        " E S9, S claim 9, W agree, E agree"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.settled == {"N1": ("64B3", 0)}
    assert table.transfer is None


@EDITIONS
def test_law_46_b_head_a_suit_named_may_mean_another_card(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, S names C, director intended C8"
    assert led_card(edition, lines) == "C8"


@EDITIONS
def test_law_44_c_following_suit_comes_before_a_penalty_card(edition: str) -> None:
    lines = "W H4, N HA, E H9, S H2, E exposes CK, N D6"
    table = told(edition, lines, deal=DEAL)
    assert table.legal == ["D5", "D7", "DK"]
    followed = told(edition, f"{lines}, E D5", deal=DEAL)
    assert (followed.refused, followed.revokes) == ([], {})
    assert followed.penalty_cards == [("E", "CK", "major")]


@EDITIONS
def test_law_41_c_once_the_lead_is_faced_no_call_is_changed(edition: str) -> None:
    before = told(edition, "E change X", deal=DEAL)
    assert before.asked == [("director", "unintended")]
    faced = told(edition, "W H4, E change X", deal=DEAL)
    assert faced.refused == ["25A3" if edition == "2007" else "25A5"]


@EDITIONS
def test_law_54_head_a_face_down_lead_of_the_partner_goes_back(edition: str) -> None:
    table = told(edition, "W down, E HJ, S accept", deal=DEAL)
    assert (table.laws, table.turn) == (["54B"], "S")
    assert "H4" in told(edition, "W down, E HJ, S accept, S H2", deal=DEAL).legal
