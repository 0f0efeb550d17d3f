"""Leads and plays out of turn (Laws 53 to 60)."""

import pytest

from tests.laws.plays import DEAL, NO_CLUB, judged, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

WON_BY_NORTH = "W H4, N HA, E H9, S H2"


@EDITIONS
def test_law_54_b_declarer_accepts_and_plays_second(edition: str) -> None:
    table = told(edition, "E HJ, S accept", deal=DEAL)
    assert table.ruling("54B")["effects"] == []
    assert table.turn == "S"
    by_playing = told(edition, "E HJ, S HK", deal=DEAL)
    assert (by_playing.laws, by_playing.turn) == (["53A"], "W")


@EDITIONS
def test_law_54_a_declarer_spreads_and_becomes_dummy(edition: str) -> None:
    table = told(edition, "E HJ, S spread", deal=DEAL)
    assert table.laws == ["54A"]
    assert table.contract["declarer"] == "N"
    assert table.turn == "S"
    # North calls for South's cards now.
    named = told(edition, "E HJ, S spread, N names HK", deal=DEAL)
    assert (named.refused, named.turn) == ([], "W")
    assert told(edition, "E HJ, N spread", deal=DEAL).refused == ["54A"]
    # At any other time a hand faced is a claim (48B2).
    assert ("W", "claim") in told(edition, "S spread", deal=DEAL).asked


@EDITIONS
def test_law_54_d_declarer_refuses_and_the_card_is_a_penalty_card(
    edition: str,
) -> None:
    table = told(edition, "E HJ, S decline", deal=DEAL)
    assert table.laws == ["54D"]
    assert table.penalty_cards == [("E", "HJ", "major")]
    assert (table.turn, table.asked) == ("W", [("S", "lead")])
    # Naming the restriction is refusing.
    required = told(edition, "E HJ, S require H", deal=DEAL)
    assert required.legal == ["H4", "H6", "H8", "HQ"]
    assert required.penalty_cards == []
    forbidden = told(edition, "E HJ, S forbid H", deal=DEAL)
    assert not any(card.startswith("H") for card in forbidden.legal)
    free = told(edition, "E HJ, S decline, S waive, W C3, N C2", deal=DEAL)
    assert free.penalty_cards == [("E", "HJ", "major")]


@EDITIONS
def test_law_54_c_declarer_who_could_have_seen_dummy_must_accept(
    edition: str,
) -> None:
    lines = "E HJ, director could-see yes, S decline"
    table = told(edition, lines, deal=DEAL)
    assert table.refused == ["54C"]
    assert table.asked == [("S", "accept")]
    assert told(edition, "E HJ, director could-see yes, S accept", deal=DEAL).laws == [
        "54B"
    ]


def test_law_54_c_2017_presumed_declarer_plays_the_hand() -> None:
    lines = "E HJ, director could-see yes"
    choices = {
        edition: told(edition, lines, deal=DEAL).plain["questions"][0]["choices"]
        for edition in ("2007", "2017")
    }
    assert choices == {"2007": ["spread", "accept"], "2017": ["accept"]}
    spread = {
        edition: told(edition, f"{lines}, S spread", deal=DEAL)
        for edition in ("2007", "2017")
    }
    assert (spread["2007"].laws, spread["2007"].refused) == (["54A"], [])
    assert spread["2007"].contract["declarer"] == "N"
    assert (spread["2017"].laws, spread["2017"].refused) == ([], ["54C"])
    assert spread["2017"].contract["declarer"] == "S"


@EDITIONS
def test_law_54_e_declarers_side_tries_to_make_the_opening_lead(edition: str) -> None:
    table = told(edition, "S HK", deal=DEAL)
    assert table.laws == ["54E"]
    assert table.turn == "W"


@EDITIONS
def test_law_53_a_a_defenders_lead_out_of_turn_accepted(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E CK"
    table = told(edition, lines, deal=DEAL)
    assert table.asked == [("S", "accept")]
    assert table.turn == "N"
    accepted = told(edition, f"{lines}, S accept", deal=DEAL)
    assert (accepted.laws, accepted.turn) == (["53A"], "S")
    by_playing = told(edition, f"{lines}, S C5", deal=DEAL)
    assert (by_playing.laws, by_playing.turn) == (["53A"], "W")
    assert told(edition, f"{lines}, W accept", deal=DEAL).refused == ["10C2"]


@EDITIONS
def test_law_60_c_the_offending_side_plays_before_a_ruling(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E CK, W C3"
    table = told(edition, lines, deal=DEAL)
    # Declarer keeps his choice, and West's card is a penalty card (49).
    assert (table.laws, table.refused) == (["60C"], [])
    assert table.asked == [("S", "accept")]
    assert table.penalty_cards == [("W", "C3", "major")]
    accepted = told(edition, f"{lines}, S accept, S C5", deal=DEAL)
    assert (accepted.turn, accepted.legal) == ("W", ["C3"])
    refused = told(edition, f"{lines}, S decline", deal=DEAL)
    assert refused.laws == ["60C", "56"]
    assert len(refused.penalty_cards) == 2
    # The card that lies there already is no other.
    assert told(edition, f"{WON_BY_NORTH}, E CK, E CK", deal=DEAL).refused == ["9B2"]


@EDITIONS
def test_law_60_c_the_right_defender_leads_before_declarer_has_chosen(
    edition: str,
) -> None:
    table = told(edition, "E HJ, W H4", deal=DEAL)
    assert (table.laws, table.asked) == (["60C"], [("S", "accept")])
    refused = told(edition, "E HJ, W H4, S decline", deal=DEAL)
    # West waits for declarer's choice about hearts before he leads his own card.
    assert (refused.turn, refused.legal) == ("W", [])
    free = told(edition, "E HJ, W H4, S decline, S waive", deal=DEAL)
    assert free.legal == ["H4"]


@EDITIONS
def test_law_60_a_declarers_side_does_not_play_before_a_ruling(edition: str) -> None:
    table = told(edition, f"{WON_BY_NORTH}, S SA, N S2", deal=DEAL)
    assert table.refused == ["9B2"]
    assert sorted(table.asked) == [("E", "accept"), ("W", "accept")]


@EDITIONS
def test_law_60_a_by_playing_only_the_new_right_is_lost(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E CK, S C5"
    table = told(edition, lines, deal=DEAL)
    assert table.ruling("53A")["laws"] == ["53A", "60A2"]
    # West's penalty card stays one, and binds him at once (60A3).
    lines = f"{WON_BY_NORTH}, W exposes CT, E CK, S C5"
    table = told(edition, lines, deal=DEAL)
    assert table.ruling("53A")["laws"] == ["53A", "60A2", "60A3"]
    assert (table.turn, table.legal) == ("W", ["CT"])
    assert told(edition, f"{lines}, W C3", deal=DEAL).asked[-1] == ("S", "accept")
    # In words nothing is let go: the lead is accepted.
    words = told(edition, f"{WON_BY_NORTH}, E CK, S accept", deal=DEAL)
    assert words.ruling("53A")["laws"] == ["53A"]


@EDITIONS
def test_law_53_c_or_b_whose_lead_it_was_leads(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E CK, N S2"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["53C" if edition == "2007" else "53B"]
    assert (table.turn, table.penalty_cards) == ("E", [])
    assert table.informed == {("W", "16D2" if edition == "2007" else "16C2")}


@EDITIONS
def test_law_53_b_or_c_the_defender_at_the_right_plays(edition: str) -> None:
    # South leads out of dummy's turn; East is at its right.
    lines = f"{WON_BY_NORTH}, S SA, E S9"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["53B" if edition == "2007" else "53C", "57A"]
    assert table.penalty_cards == [("E", "S9", "major")]
    assert table.turn == "W"


@EDITIONS
def test_law_55_declarers_lead_from_the_wrong_hand(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S SA"
    table = told(edition, lines, deal=DEAL)
    assert sorted(table.asked) == [("E", "accept"), ("W", "accept")]
    retracted = told(edition, f"{lines}, W decline", deal=DEAL)
    assert (retracted.laws, retracted.turn) == (["55B2"], "N")
    assert retracted.penalty_cards == []
    assert len(retracted.legal) == 12
    either = told(edition, f"{lines}, E accept", deal=DEAL)
    assert (either.laws, either.turn) == (["53A"], "W")
    next_plays = told(edition, f"{lines}, W S3", deal=DEAL)
    assert (next_plays.laws, next_plays.turn) == (["53A"], "N")


@EDITIONS
def test_law_55_a_the_next_in_turn_prevails_over_his_partner(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S SA, E decline"
    waiting = told(edition, lines, deal=DEAL)
    assert waiting.asked == [("W", "accept")]
    assert told(edition, f"{lines}, W accept", deal=DEAL).laws == ["53A"]
    # West says nothing, and declarer leads from the right hand.
    silent = told(edition, f"{lines}, N S2", deal=DEAL)
    assert (silent.laws, silent.turn) == (["55B2"], "E")


@EDITIONS
def test_law_55_b_1_it_was_a_defenders_lead(edition: str) -> None:
    lines = "W H4, N H3, E HJ, S H2, S SA, W decline"
    table = told(edition, lines, deal=DEAL)
    assert (table.laws, table.turn) == (["55B1"], "E")


@EDITIONS
@pytest.mark.parametrize(
    "lines", [f"{WON_BY_NORTH}, S SA", "W H4, N H3, E HJ, S H2, S SA"]
)
def test_law_55_c_a_line_that_may_rest_on_what_the_card_told(
    edition: str, lines: str
) -> None:
    retracted = told(edition, f"{lines}, W decline", deal=DEAL)
    assert retracted.adjustable == ["55C"]
    # A lead that stands has told nobody anything.
    assert told(edition, f"{lines}, W accept", deal=DEAL).adjustable == []


@EDITIONS
def test_law_56_a_defenders_lead_retracted(edition: str) -> None:
    table = told(edition, f"{WON_BY_NORTH}, E CK, S decline", deal=DEAL)
    assert table.laws == ["56"]
    assert table.penalty_cards == [("E", "CK", "major")]
    # North is on lead, not East's partner: declarer has nothing to choose.
    assert table.asked == []


@EDITIONS
def test_law_56_with_the_partner_on_lead_declarer_chooses(edition: str) -> None:
    lines = "W H4, N H3, E HJ, S H2, W C3, S decline"
    table = told(edition, lines, deal=DEAL)
    assert table.asked == [("S", "lead")]
    assert told(edition, f"{lines}, S require C", deal=DEAL).legal == [
        "C7",
        "C9",
        "CK",
        "CA",
    ]
    direct = told(edition, "W H4, N H3, E HJ, S H2, W C3, S forbid C", deal=DEAL)
    assert not any(card.startswith("C") for card in direct.legal)


TWELVE = (
    "W H4, N HA, E H9, S H2, N H3, E HT, S HK, W H6, S SA, W S3, N S2, E S9,"
    " S SK, W S6, N S4, E ST, S S5, W S8, N SQ, E SJ, N D6, E D5, S D2, W D9,"
    " W DT, N DQ, E D7, S D3, N DA, E DK, S D8, W D4, N C2, E C7, S C5, W C3,"
    " E C9, S CJ, W CT, N C4, S CQ, W H8, N C6, E CK, E CA, S H5, W HQ, N C8"
)


@pytest.mark.parametrize(
    ("edition", "asked"), [("2007", [("S", "accept")]), ("2017", [("S", "lead")])]
)
def test_law_53_a_a_lead_to_the_last_trick_differs_by_edition(
    edition: str, asked: list[tuple[str, str]]
) -> None:
    table = told(edition, f"{TWELVE}, W DJ", deal=DEAL)
    assert table.asked == asked
    if edition == "2017":
        assert table.laws == ["56"]
        assert table.penalty_cards == [("W", "DJ", "major")]


@EDITIONS
def test_law_57_a_a_defender_plays_before_his_partner(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, N C2, W C3"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["57A"]
    assert table.penalty_cards == [("W", "C3", "major")]
    (question,) = table.plain["questions"]
    assert question["choices"][:2] == ["require highest", "require lowest"]
    assert ("require D" in question["choices"]) is (edition == "2017")
    assert told(edition, f"{lines}, E C7", deal=DEAL).refused == ["57A"]
    highest = told(edition, f"{lines}, S require highest", deal=DEAL)
    assert highest.legal == ["CA"]
    lowest = told(edition, f"{lines}, S require lowest", deal=DEAL)
    assert lowest.legal == ["C7"]
    free = told(edition, f"{lines}, S waive", deal=DEAL)
    assert free.legal == ["C7", "C9", "CK", "CA"]
    after = told(edition, f"{lines}, S require lowest, E C7, S C5, W C3", deal=DEAL)
    assert after.tricks == (1, 1)
    assert after.penalty_cards == []


@EDITIONS
def test_law_57_a_disobeying_is_a_revoke(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, N C2, W C3, S require highest, E C7"
    table = told(edition, lines, deal=DEAL)
    assert table.revokes == {"E2": "correctable"}
    fixed = told(edition, f"{lines}, S attention E 2, E replace CA", deal=DEAL)
    assert fixed.revokes == {"E2": "corrected"}


def test_law_57_a_a_suit_may_be_required_only_in_2017() -> None:
    lines = f"{WON_BY_NORTH}, N C2, W C3"
    forbid = told("2007", f"{lines}, S forbid D", deal=DEAL)
    assert forbid.refused == []
    assert told("2007", f"{lines}, S require D", deal=DEAL).refused == ["57A"]
    required = told("2017", f"{lines}, S require D", deal=DEAL)
    # Following suit comes first (44C).
    assert required.legal == ["C7", "C9", "CK", "CA"]
    assert told("2017", f"{lines}, S forbid C", deal=DEAL).refused == ["57A"]


@EDITIONS
def test_law_57_c_declarer_has_played_from_both_hands(edition: str) -> None:
    # South plays dummy's and his own card before East has played.
    lines = f"{WON_BY_NORTH}, N C2, S C5, W C3"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["57C2" if edition == "2007" else "57C3", "57C1"]
    assert table.penalty_cards == []
    done = told(edition, f"{lines}, E CK", deal=DEAL)
    assert done.tricks == (1, 1)


@EDITIONS
def test_law_57_c_declarers_premature_play_stands(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, N C2, S CQ, E CK"
    table = told(edition, lines, deal=DEAL)
    assert table.turn == "W"
    assert table.laws == ["57C2" if edition == "2007" else "57C3"]


@pytest.mark.parametrize(
    ("edition", "law", "penalty"),
    [("2007", "49", [("W", "C3", "major")]), ("2017", "57D", [])],
)
def test_law_57_d_a_play_at_the_right_hand_opponents_turn(
    edition: str, law: str, penalty: list[tuple[str, str, str]]
) -> None:
    lines = f"{WON_BY_NORTH}, N C2, E CK, W C3"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == [law]
    assert table.penalty_cards == penalty
    assert table.turn == "S"
    if edition == "2017":
        assert told(edition, f"{lines}, S C5", deal=DEAL).tricks == (1, 1)


def test_law_57_d_not_legal_when_its_turn_comes_it_is_a_penalty_card() -> None:
    lines = f"{WON_BY_NORTH}, N C2, E CK, W S3, S C5"
    table = told("2017", lines, deal=DEAL)
    assert table.penalty_cards == [("W", "S3", "major")]
    assert table.turn == "W"


@EDITIONS
def test_law_45_e_a_fifth_card(edition: str) -> None:
    defender = told(edition, "W H4, N HA, W H6", deal=DEAL)
    assert defender.penalty_cards == [("W", "H6", "major")]
    declarer = told(edition, "W H4, N HA, N H3", deal=DEAL)
    assert (declarer.laws, declarer.turn) == (["45E"], "E")


@EDITIONS
def test_law_58_a_two_leads_at_once(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E CK, & N S2"
    table = told(edition, lines, deal=DEAL)
    assert table.laws[0] == "58A"
    play = judged(edition, lines, deal=DEAL).play
    assert play is not None
    assert play.current.leader == "N"
    # East's card is after dummy's, in turn, though it does not follow suit.
    assert table.revokes == {"E2": "correctable"}


@EDITIONS
def test_law_60_b_a_defender_plays_before_declarer_has_led_anew(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S SA, W decline"
    table = told(edition, f"{lines}, E CK", deal=DEAL)
    assert table.laws == ["55B2", "60B"]
    assert table.penalty_cards == [("E", "CK", "major")]
    assert (table.turn, table.asked) == ("N", [])


@EDITIONS
def test_law_47_e_1_the_directors_word_may_come_late(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E CK, S decline, director misled yes"
    table = told(edition, lines, deal=DEAL)
    assert (table.laws, table.superseded) == (["47E1"], ["56"])
    assert table.penalty_cards == []


@EDITIONS
@pytest.mark.parametrize(
    "lines",
    [
        "E HJ",  # 54
        f"{WON_BY_NORTH}, S SA",  # 55
        f"{WON_BY_NORTH}, E CK",  # 56
        "W H4, E HJ",  # 57A
        "W H4, N HA, S H2",  # 57C
        "S names HA",  # by naming it
    ],
)
def test_law_53_to_57_prevention_refuses_the_card(edition: str, lines: str) -> None:
    table = told(edition, lines, deal=DEAL, out_of_turn="prevent")
    assert table.refused == ["44"]
    assert table.laws == []
    *before, _ = lines.split(", ")
    unchanged = told(edition, ", ".join(before), deal=DEAL)
    assert (table.turn, table.legal) == (unchanged.turn, unchanged.legal)


@EDITIONS
def test_law_57_b_a_partner_who_cannot_obey_plays_any_card(edition: str) -> None:
    lines = "W S3, N SQ, E S9, S S5, N C2, W C3, S require highest"
    table = told(edition, lines, deal=NO_CLUB)
    assert len(table.legal) == 12
    after = told(edition, f"{lines}, E D5", deal=NO_CLUB)
    assert after.revokes == {}
    assert after.turn == "S"


@EDITIONS
def test_law_57_a_a_suit_may_be_forbidden_to_who_cannot_follow(edition: str) -> None:
    lines = "W S3, N SQ, E S9, S S5, N C2, W C3, S forbid D"
    table = told(edition, lines, deal=NO_CLUB)
    assert {card[0] for card in table.legal} == {"S", "H"}
    disobeyed = told(edition, f"{lines}, E D5", deal=NO_CLUB)
    assert disobeyed.revokes == {"E2": "correctable"}


@EDITIONS
def test_law_53_c_or_b_a_defender_whose_lead_it_was_leads(edition: str) -> None:
    lines = "W H4, N H3, E HJ, S H2, S SA, E CK"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["53C" if edition == "2007" else "53B"]
    assert (table.turn, table.penalty_cards, table.asked) == ("S", [], [])
    assert "SA" not in table.legal


@EDITIONS
def test_law_54_b_a_second_card_from_dummy_stays(edition: str) -> None:
    lines = "E HJ, S accept, N HA"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["54B", "57C2" if edition == "2007" else "57C3"]
    done = told(edition, f"{lines}, S H2, W H4", deal=DEAL)
    assert (done.turn, done.tricks) == ("N", (1, 0))


@EDITIONS
def test_law_57_c_declarers_premature_play_that_is_not_legal(edition: str) -> None:
    """2007: it is played all the same, a revoke; 2017: only if it is legal."""
    lines = f"{WON_BY_NORTH}, N C2, S S5, E CK"
    table = told(edition, lines, deal=DEAL)
    if edition == "2007":
        assert table.revokes == {"S2": "correctable"}
        assert table.turn == "W"
    else:
        assert table.revokes == {}
        assert (table.turn, table.legal) == ("S", ["C5", "CJ", "CQ"])


@EDITIONS
def test_law_57_c_a_singleton_of_dummy_is_not_played_until_called_for(
    edition: str,
) -> None:
    deal = "N:Q432.A73.AQ642.8 JT9.JT9.K75.AK97 AK75.K52.83.QJ52 86.Q864.JT9.T643"
    lines = "W H4, N HA, E H9, S H2, N D2, E D5, S D3, W D9, W C3, E CK"
    table = told(edition, lines, deal=deal)
    # East has played at dummy's turn, whatever dummy has to play.
    assert table.laws == ["49" if edition == "2007" else "57D"]
    assert table.turn == "N"


@EDITIONS
def test_law_55_a_the_defender_next_in_turn_accepts_against_his_partner(
    edition: str,
) -> None:
    accepted = told(edition, f"{WON_BY_NORTH}, S SA, E decline, W accept", deal=DEAL)
    assert (accepted.laws, accepted.turn) == (["53A"], "W")
    declined = told(edition, f"{WON_BY_NORTH}, S SA, W decline", deal=DEAL)
    assert (declined.laws, declined.asked) == (["55B2"], [])


@EDITIONS
def test_law_60_b_not_before_declarer_had_to_take_a_lead_back(edition: str) -> None:
    # He has led anew: East's card is in turn.
    lines = f"{WON_BY_NORTH}, S SA, W decline, N C2, E CK"
    assert told(edition, lines, deal=DEAL).laws == ["55B2"]
