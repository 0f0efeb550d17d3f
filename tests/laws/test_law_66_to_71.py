"""Defective tricks (67), claims and concessions (68 to 71), the end of play."""

import pytest

from tests.laws.plays import DEAL, NO_CLUB, judged, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

WON_BY_NORTH = "W H4, N HA, E H9, S H2"


@EDITIONS
def test_law_67_a_a_missing_card_is_supplied_in_its_place(edition: str) -> None:
    lines = "W H4, N HA, E -, S H2"
    table = told(edition, lines, deal=DEAL)
    assert (table.turn, table.tricks, table.laws) == ("N", (1, 0), [])
    asked = told(edition, f"{lines}, S attention", deal=DEAL)
    assert asked.asked == [("E", "supply")]
    assert told(edition, f"{lines}, S attention, N C2", deal=DEAL).refused == ["67"]
    wrong = told(edition, f"{lines}, S attention, E replace C7", deal=DEAL)
    assert wrong.refused == ["67A"]
    done = told(edition, f"{lines}, S attention, E replace H9, N C2", deal=DEAL)
    assert (done.laws, done.turn) == (["67A"], "E")
    assert "H9" not in done.legal


@EDITIONS
def test_law_67_a_the_hand_without_a_card_is_to_act(edition: str) -> None:
    table = told(edition, "W H4, N HA, E -, S H2, S attention", deal=DEAL)
    assert (table.turn, table.legal) == ("E", ["H9", "HT", "HJ"])


@EDITIONS
def test_law_67_a_another_winner_leads(edition: str) -> None:
    lines = "W H4, N H3, E -, S H2, W C3, S attention E 1, E HJ"
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["67A"]
    assert (table.turn, table.tricks) == ("E", (0, 1))


@EDITIONS
def test_law_67_b_1_b_who_could_not_follow_adds_any_card(edition: str) -> None:
    lines = (
        "W C3, N C2, E -, S C5, S SA, W S3, N S2, E S9, S attention E 1, E replace H9"
    )
    table = told(edition, lines, deal=NO_CLUB)
    assert table.laws == ["67B1(b)"]


@EDITIONS
def test_law_67_b_1_both_sides_have_played_on(edition: str) -> None:
    lines = (
        "W H4, N H3, E -, S H2, W C3, N C2, E CK, S C5, S attention E 1, E replace HJ"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.laws == ["67B1(a)"]
    # The winner of the trick stays.
    assert table.tricks == (0, 2)
    assert table.revokes == {"E1": "established"}
    settled = told(edition, f"{lines}, S claim 9, W agree, E agree", deal=DEAL)
    assert settled.settled == {"E1": ("64A2", 1)}


@EDITIONS
def test_law_67_b_1_found_when_a_claim_has_been_agreed(edition: str) -> None:
    played = "W H4, N HA, E -, S H2, W C3, N C2, E CK, S C5"
    claimed = f"{played}, S claim 9, W agree, E agree"
    table = told(edition, claimed, deal=DEAL)
    assert (table.asked, table.turn) == ([("E", "supply")], "E")
    settled = told(edition, f"{claimed}, E replace HJ", deal=DEAL)
    assert settled.revokes == {"E1": "established"}
    assert settled.settled == {"E1": ("64A2", 1)}
    assert settled.transfer == ("NS", 1)


@EDITIONS
@pytest.mark.parametrize(
    ("late", "law"), [("next S P", "64B4"), ("round ends", "64B5")]
)
def test_law_67_b_1_found_too_late_moves_no_trick(
    edition: str, late: str, law: str
) -> None:
    lines = (
        "W H4, N HA, E -, S H2, W C3, N C2, E CK, S C5, S claim 9, W agree, E agree,"
        f" {late}, S attention E 1, E replace HJ"
    )
    table = told(edition, lines, deal=DEAL, policy="manual")
    assert table.settled == {"E1": (law, 0)}
    assert table.transfer is None


@EDITIONS
def test_law_67_a_trick_begins_with_a_card(edition: str) -> None:
    assert told(edition, "W -", deal=DEAL).refused == ["44A"]
    assert told(edition, "W H4, E -", deal=DEAL).refused == ["67"]


@EDITIONS
def test_law_68_a_claim_agreed_ends_play(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S claim 9"
    table = told(edition, lines, deal=DEAL)
    assert sorted(table.asked) == [("E", "claim"), ("W", "claim")]
    assert (table.turn, table.legal, table.result) == (None, [], None)
    one = told(edition, f"{lines}, W agree", deal=DEAL)
    assert one.result is None
    both = told(edition, f"{lines}, W agree, E agree", deal=DEAL)
    assert (both.tricks, both.result) == ((10, 3), (10, 430))
    assert (both.laws, both.asked, both.refused) == ([], [], [])


@EDITIONS
def test_law_68_a_who_faces_his_hand_claims_what_remains(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S spread"
    table = told(edition, lines, deal=DEAL)
    assert sorted(table.asked) == [("E", "claim"), ("W", "claim")]
    assert (table.turn, table.refused) == (None, [])
    agreed = told(edition, f"{lines}, W agree, E agree", deal=DEAL)
    assert (agreed.tricks, agreed.asked) == ((13, 0), [])
    doubted = told(edition, f"{lines}, W object, director award S 8", deal=DEAL)
    assert doubted.tricks == (9, 4)
    # A defender may do so too; his partner need not agree, nor dummy.
    defender = told(edition, f"{WON_BY_NORTH}, E spread, S agree", deal=DEAL)
    assert defender.tricks == (1, 12)


@EDITIONS
def test_law_68_c_he_may_still_say_how_many(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S spread, S claim 9"
    table = told(edition, f"{lines}, W agree, E agree", deal=DEAL)
    assert (table.tricks, table.refused) == ((10, 3), [])
    answered = told(edition, f"{WON_BY_NORTH}, S spread, W agree, S claim 9", deal=DEAL)
    assert answered.refused == ["68D"]
    # With a claim, or while it is settled, it only shows the cards.
    shown = f"{WON_BY_NORTH}, S claim 9, S spread, W spread, W agree, E agree"
    assert told(edition, shown, deal=DEAL).tricks == (10, 3)


@EDITIONS
def test_law_41_d_dummys_hand_is_spread_anyway(edition: str) -> None:
    table = told(edition, "W H4, N spread, N HA", deal=DEAL)
    assert (table.turn, table.asked, table.refused) == ("E", [], [])
    assert told(edition, "N spread", deal=DEAL).refused == ["43A1"]
    over = told(edition, f"{WON_BY_NORTH}, S claim 9, round ends, S spread", deal=DEAL)
    assert over.refused == ["68A"]


@EDITIONS
def test_law_68_b_1_a_concession_claims_the_rest(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E concede 9, S agree"
    table = told(edition, lines, deal=DEAL)
    # Dummy need not agree.
    assert table.tricks == (10, 3)
    assert told(edition, f"{lines}, N agree", deal=DEAL).refused == []
    all_conceded = told(edition, f"{WON_BY_NORTH}, E concede 12, S agree", deal=DEAL)
    assert all_conceded.tricks == (13, 0)


@EDITIONS
def test_law_68_what_cannot_be_claimed(edition: str) -> None:
    assert told(edition, f"{WON_BY_NORTH}, S claim 13", deal=DEAL).refused == ["68A"]
    assert told(edition, f"{WON_BY_NORTH}, N claim 9", deal=DEAL).refused == ["43A1"]
    again = told(edition, f"{WON_BY_NORTH}, S claim 9, E claim 3", deal=DEAL)
    assert again.refused == ["68D"]
    for line in ("S agree", "S object", "S play-on", "director award S 3"):
        assert len(told(edition, f"{WON_BY_NORTH}, {line}", deal=DEAL).refused) == 1
    over = told(edition, f"{WON_BY_NORTH}, S claim 9, W agree, E agree, S claim 1")
    assert over.refused == ["68A"]


@EDITIONS
def test_law_68_b_2_a_defenders_partner_objects_at_once(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E concede 10, W object"
    table = told(edition, lines, deal=DEAL)
    assert table.informed == {("W", "16D2" if edition == "2007" else "16C2")}
    assert (table.turn, table.asked) == ("N", [])
    # Cards shown then are no penalty cards, and play goes on.
    assert told(edition, f"{lines}, N C2", deal=DEAL).turn == "E"


@EDITIONS
def test_law_68_d_a_disputed_claim_goes_to_the_director(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S claim 11, W object"
    table = told(edition, lines, deal=DEAL)
    assert table.asked == [("director", "claim")]
    assert told(edition, f"{lines}, N C2", deal=DEAL).refused == ["68D"]
    assert told(edition, f"{lines}, E agree", deal=DEAL).refused == ["68D"]
    awarded = told(edition, f"{lines}, director award E 4", deal=DEAL)
    assert awarded.laws == ["70A"]
    assert (awarded.tricks, awarded.asked) == ((9, 4), [])
    too_many = told(edition, f"{lines}, director award E 13", deal=DEAL)
    assert too_many.refused == ["70A"]
    # Dummy may doubt it too.
    defenders = told(edition, f"{WON_BY_NORTH}, E claim 12, N object", deal=DEAL)
    assert defenders.asked == [("director", "claim")]


@EDITIONS
def test_law_68_d_cards_faced_with_a_claim_are_no_penalty_cards(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E claim 3, E exposes CA"
    assert told(edition, lines, deal=DEAL).penalty_cards == []


def test_law_68_d_2_b_playing_on_needs_the_other_side_to_ask() -> None:
    lines = f"{WON_BY_NORTH}, S claim 11"
    assert told("2017", f"{lines}, S play-on", deal=DEAL).refused == ["68D2(b)"]
    three = told("2017", f"{lines}, W play-on, N play-on, S play-on", deal=DEAL)
    assert three.turn is None
    four = f"{lines}, W play-on, N play-on, S play-on, E play-on"
    table = told("2017", f"{four}, N C2, E CK", deal=DEAL)
    assert (table.laws, table.turn) == (["68D2(b)"], "S")
    assert told("2007", f"{lines}, W play-on", deal=DEAL).refused == ["68D"]


@EDITIONS
def test_law_69_a_an_objection_counts_until_the_sides_next_call(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S claim 11, W agree, E agree"
    in_time = told(edition, f"{lines}, W object", deal=DEAL)
    assert in_time.result is None
    assert in_time.asked == [("director", "claim")]
    late = told(edition, f"{lines}, next E P, W object", deal=DEAL)
    assert late.result == (12, 490)
    (question,) = late.plain["questions"]
    assert question["law"] == "69B"
    awarded = told(
        edition, f"{lines}, next E P, W object, director award W 2", deal=DEAL
    )
    assert (awarded.laws, awarded.result) == (["69B"], (11, 460))
    own = told(edition, f"{lines}, round ends, S object", deal=DEAL)
    assert own.plain["questions"][0]["law"] == "71"


@EDITIONS
def test_law_69_a_no_objection_before_the_next_call_is_assent(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, S claim 11"
    own = told(edition, f"{lines}, next N P", deal=DEAL)
    assert own.result is None
    assert told(edition, f"{lines}, next E P", deal=DEAL).result == (12, 490)
    assert told(edition, f"{lines}, round ends", deal=DEAL).result == (12, 490)


@EDITIONS
def test_a_revoke_is_corrected_before_a_claim_is_settled(edition: str) -> None:
    lines = "W H4, N HA, E C7, S H2, S claim 9, S attention E 1"
    table = told(edition, lines, deal=DEAL)
    assert ("director", "claim") in table.asked
    assert table.turn == "E"
    assert told(edition, f"{lines}, director award S 9", deal=DEAL).refused == ["62A"]
    unresolved = told(edition, f"{lines}, W agree", deal=DEAL)
    assert unresolved.result is None
    fixed = told(
        edition, f"{lines}, E replace H9, S keep, director award S 8", deal=DEAL
    )
    assert fixed.result == (9, 400)


@EDITIONS
def test_law_62_d_1_at_the_end_the_table_is_told_of_trick_12(edition: str) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N H3, E HT, S HK, W H6, S SA, W S3, N S2, E S9,"
        " S SK, W S6, N S4, E ST, S S5, W S8, N SQ, E SJ, N D6, E D5, S D2, W D9,"
        " W DT, N DQ, E D7, S D3, N DA, E DK, S D8, W D4, N C2, E C7, S C5, W C3,"
        " E C9, S CJ, W CT, N C4, S CQ, W H8, N C6, E CK, E HJ, S H5, W DJ, N H7,"
        " E CA, S S7, W HQ, N C8"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.revokes == {"W12": "established"}
    assert table.settled == {"W12": ("64B6", 0)}
    assert (table.turn, table.legal) == ("W", ["HQ"])
    assert table.ruling("62D1")["effects"] == [
        {"kind": "must_correct", "seat": "W", "trick": 12}
    ]
    assert table.tricks == (8, 5)
    fixed = told(edition, f"{lines}, W replace HQ", deal=DEAL)
    # As during play the card alone will do; nobody else may play one.
    alone = told(edition, f"{lines}, W HQ", deal=DEAL)
    assert (alone.revokes, alone.asked) == (fixed.revokes, fixed.asked)
    assert told(edition, f"{lines}, N HA", deal=DEAL).refused == ["44"]
    # North had played after him and may change.
    assert fixed.asked[-1] == ("S", "change")
    assert fixed.result is None
    done = told(edition, f"{lines}, W replace HQ, N keep", deal=DEAL)
    assert done.revokes == {"W12": "corrected"}
    assert done.settled == {"W12": ("64B6", 0)}
    assert done.tricks == (8, 5)
    back = told(edition, f"{lines}, hands returned", deal=DEAL)
    assert back.revokes == {"W12": "established"}
    assert (back.turn, back.bound) == (None, [])
    late = told(edition, f"{lines}, hands returned, W replace HQ", deal=DEAL)
    assert late.refused == ["62C"]


@EDITIONS
def test_hands_go_back_only_after_play(edition: str) -> None:
    table = told(edition, f"{WON_BY_NORTH}, hands returned", deal=DEAL)
    assert table.refused == ["65"]


@EDITIONS
def test_a_misread_card_is_corrected_and_all_is_judged_anew(edition: str) -> None:
    # Line 11 is East's card to the first trick.
    lines = "W H4, N HA, E C7, S H2, N C2, E CK, S C5, W C3"
    claimed = f"{lines}, S claim 9, W agree, E agree"
    assert told(edition, claimed, deal=DEAL).transfer == ("NS", 1)
    table = told(edition, f"{claimed}, director correct 11 E H9", deal=DEAL)
    assert (table.revokes, table.transfer, table.laws) == ({}, None, [])
    assert table.superseded == ["64A2"]
    assert table.tricks == (10, 3)
    gone = told(edition, f"{claimed}, director correct 19", deal=DEAL)
    assert gone.result is None


@EDITIONS
def test_law_62_d_2_trick_12_before_the_partners_turn(edition: str) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N H3, E HT, S HK, W H6, S SA, W S3, N S2, E S9,"
        " S SK, W S6, N S4, E ST, S S5, W S8, N SQ, E SJ, N D6, E D5, S D2, W D9,"
        " W DT, N DQ, E D7, S D3, N DA, E DK, S D8, W D4, N C2, E C7, S C5, W C3,"
        " E C9, S CJ, W CT, N C4, S S7, W H8, N C6, E CK, S H5, W DJ"
    )
    partner_to_play = f"{lines}, S attention W 12, W replace HQ"
    law = "62D2" if edition == "2007" else "16C2"
    assert ("E", law) in told(edition, partner_to_play, deal=DEAL).informed
    played = f"{lines}, N H7, E HJ, S attention W 12, W replace HQ"
    assert ("E", "62D2") not in told(edition, played, deal=DEAL).informed


@EDITIONS
def test_law_67_b_1_no_card_is_added_while_it_may_be_wanted_elsewhere(
    edition: str,
) -> None:
    """The penalty card that East did not play (52B) cannot mend trick 1 as well."""
    missing = "W SK, N S2, E -, S S5, E exposes ST, W SQ, N S4, E SJ, S attention E 1"
    deal = "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"
    head = {"deal": deal, "auction": "S 1NT; W P; N P; E P"}
    table = told(edition, f"{missing}, E replace ST, S decline", **head)
    assert table.refused == ["9B2"]
    state = judged(edition, f"{missing}, E replace ST, S decline", **head)
    assert state.play is not None
    tricks = (*state.play.tricks, state.play.current)
    played = [p.card for trick in tricks for p in trick.cards]
    assert len(played) == len(set(played))


SEVEN = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT98.JT 6543.876.76.9876 2.5432.5432.5432"


@pytest.mark.parametrize(
    ("edition", "west", "applies"),
    [
        ("2007", ("C2", "C4", "D2", "D3", "D4"), True),  # left: a diamond and a club
        ("2007", ("C2", "D2", "D3", "D4", "D5"), False),  # two clubs
    ],
)
def test_law_62_d_2_only_a_partner_with_cards_of_two_suits(
    edition: str, west: tuple[str, ...], *, applies: bool
) -> None:
    first, second, *diamonds = west
    lines = (
        "E ST, S S3, W S2, N SJ, N SA, E S9, S S4, W H2,"
        f" N SK, E S8, S S5, W {first}, N SQ, E S7, S S6, W {second},"
        " N HA, E HJ, S H8, W H3, N HK, E HT, S H7, W H4, N HQ, E H9, S H6, W H5,"
        f" N DA, E DJ, S D7, W {diamonds[0]}, N DK, E DT, S D6, W {diamonds[1]},"
        f" N DQ, E D9, S C6, W {diamonds[2]}, N CA, E CT, S C7, W C3,"
        " N CK, E D8, N attention E 12, E replace CJ"
    )
    head = {"deal": SEVEN, "dealer": "N", "auction": "N 7NT; E P; S P; W P"}
    told_to = told(edition, lines, **head).informed
    assert (("W", "62D2") in told_to) is applies
    assert ("W", "16D2") in told_to
    # 2017: unauthorised like any other.
    assert told("2017", lines, **head).informed == {("W", "16C2")}
