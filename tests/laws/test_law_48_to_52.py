"""Exposed cards and penalty cards (Laws 48 to 52)."""

import pytest

from tests.laws.plays import DEAL, NO_CLUB, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

WON_BY_NORTH = "W H4, N HA, E H9, S H2"
SPADES = "S 4S; W P; N P; E P"


@EDITIONS
def test_law_48_declarers_and_dummys_cards_are_never_penalty_cards(
    edition: str,
) -> None:
    table = told(edition, "W H4, S exposes HK, N exposes HA", deal=DEAL)
    assert (table.laws, table.penalty_cards) == ([], [])


@EDITIONS
def test_law_49_a_defenders_card_is_one_unless_the_director_says_otherwise(
    edition: str,
) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK"
    table = told(edition, lines, deal=DEAL)
    assert table.penalty_cards == [("E", "CK", "major")]
    assert table.ruling("49")["assumptions"] == ["penalty E: yes"]
    # 50E: what partner sees may not be used, or (2017) is looked at afterwards.
    if edition == "2007":
        assert table.informed == {("W", "50E2")}
    else:
        assert table.adjustable == ["50E3"]
    spared = told(edition, f"{lines}, director penalty no", deal=DEAL)
    assert (spared.laws, spared.penalty_cards) == ([], [])


@EDITIONS
def test_law_50_b_below_an_honour_and_by_accident_it_is_minor(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E exposes C7"
    minor = told(edition, lines, deal=DEAL)
    assert minor.penalty_cards == [("E", "C7", "minor")]
    meant = told(edition, f"{lines}, director accidental no", deal=DEAL)
    assert meant.penalty_cards == [("E", "C7", "major")]


@EDITIONS
def test_law_50_b_a_second_card_makes_all_major(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E exposes C7, E exposes D5"
    table = told(edition, lines, deal=DEAL)
    assert table.penalty_cards == [("E", "C7", "major"), ("E", "D5", "major")]
    partners = f"{WON_BY_NORTH}, E exposes C7, W exposes D4"
    table = told(edition, partners, deal=DEAL)
    assert table.penalty_cards == [("E", "C7", "minor"), ("W", "D4", "minor")]


@EDITIONS
def test_law_50_c_a_minor_card_goes_before_others_below_an_honour(
    edition: str,
) -> None:
    lines = f"{WON_BY_NORTH}, E exposes C7, N C2"
    table = told(edition, lines, deal=DEAL)
    # The honours of the suit and the card itself.
    assert table.legal == ["C7", "CK", "CA"]
    played = told(edition, f"{lines}, E C7", deal=DEAL)
    assert played.penalty_cards == []
    other = told(edition, f"{lines}, E C9", deal=DEAL)
    assert other.asked[-1] == ("S", "accept")


@EDITIONS
def test_law_50_d_1_a_major_card_is_played_at_the_first_legal_opportunity(
    edition: str,
) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK"
    assert told(edition, f"{lines}, N C2", deal=DEAL).legal == ["CK"]
    # Following suit comes first (44C).
    assert told(edition, f"{lines}, N S2", deal=DEAL).legal == ["S9", "ST", "SJ"]
    led = told(edition, f"{lines}, N C2, E CK", deal=DEAL)
    assert led.penalty_cards == []
    # Another card waits for declarer's word; his own card is that word (52B1b).
    wrong = told(edition, f"{lines}, N C2, E C7", deal=DEAL)
    assert (wrong.turn, wrong.legal) == ("S", ["C5", "CJ", "CQ"])
    west = told(edition, f"{lines}, N C2, E C7, S C5, W CT", deal=DEAL)
    assert "52B1(b)" in west.laws


@EDITIONS
def test_law_51_a_declarer_chooses_between_two(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK, E exposes CA, N C2"
    table = told(edition, lines, deal=DEAL)
    assert table.legal == ["CK", "CA"]
    assert ("S", "penalty-card") in table.asked
    chosen = told(edition, f"{lines}, S names CA", deal=DEAL)
    assert chosen.legal == ["CA"]
    assert ("S", "penalty-card") not in chosen.asked
    own = told(edition, f"{lines}, E CK", deal=DEAL)
    assert ("S", "penalty-card") not in own.asked


LEADS = f"{WON_BY_NORTH}, N C2, E CA, S C5, W C3"
"""East is on lead, and knows nothing of hearts."""


@EDITIONS
def test_law_50_d_2_declarer_may_require_or_forbid_the_suit(edition: str) -> None:
    lines = f"{LEADS}, W exposes HQ"
    table = told(edition, lines, deal=DEAL)
    question = table.plain["questions"][-1]
    assert (question["to"], question["law"]) == ("S", "50D2")
    assert question["choices"] == ["require H", "forbid H", "waive"]
    # He may not lead before declarer has chosen.
    assert (table.turn, table.legal) == ("E", [])
    required = told(edition, f"{lines}, S require H", deal=DEAL)
    assert required.legal == ["HT", "HJ"]
    assert required.penalty_cards == []
    forbidden = told(edition, f"{lines}, S forbid H", deal=DEAL)
    assert not any(card.startswith("H") for card in forbidden.legal)
    assert forbidden.penalty_cards == []
    waived = told(edition, f"{lines}, S waive", deal=DEAL)
    assert len(waived.legal) == 11
    assert waived.penalty_cards == [("W", "HQ", "major")]
    assert told(edition, f"{lines}, S require S", deal=DEAL).refused == ["50D2"]
    assert told(edition, f"{lines}, W waive", deal=DEAL).refused == ["10C2"]


@EDITIONS
def test_law_50_d_2_forbidden_while_he_keeps_the_lead_required_once(
    edition: str,
) -> None:
    forbidden = f"{LEADS}, W exposes HQ, S forbid H, E CK, S CJ, W CT, N C4"
    table = told(edition, forbidden, deal=DEAL)
    assert table.turn == "E"
    assert not any(card.startswith("H") for card in table.legal)
    required = f"{LEADS}, W exposes S8, director accidental no, S require S, E SJ"
    after = told(edition, f"{required}, S S5, W S3, N S4", deal=DEAL)
    assert after.turn == "E"
    assert len({card[0] for card in after.legal}) == 4


@EDITIONS
def test_law_50_d_2_b_waived_the_card_stays_and_he_is_asked_again(
    edition: str,
) -> None:
    lines = f"{LEADS}, W exposes HQ, S waive, E CK, S CJ, W CT, N C4"
    table = told(edition, lines, deal=DEAL)
    assert table.penalty_cards == [("W", "HQ", "major")]
    assert table.asked[-1] == ("S", "lead")


@EDITIONS
def test_law_50_d_2_b_what_he_has_left_free_he_is_not_asked_again(
    edition: str,
) -> None:
    """Another card exposed before the lead gives a choice of its own suit only."""
    waived = f"{LEADS}, W exposes HQ, S waive"
    same = told(edition, f"{waived}, W exposes H6", deal=DEAL)
    assert ("S", "lead") not in same.asked
    assert len(same.legal) == 11
    other = told(edition, f"{waived}, W exposes DJ", deal=DEAL)
    (question,) = [q for q in other.plain["questions"] if q["question"] == "lead"]
    assert question["law"] == "50D2"
    assert question["choices"] == ["require D", "forbid D", "waive"]
    require = f"{waived}, W exposes DJ, S require"
    assert told(edition, f"{require} H", deal=DEAL).refused == ["50D2"]
    required = told(edition, f"{require} D", deal=DEAL)
    assert required.legal == ["D5", "D7", "DK"]
    assert required.penalty_cards == [("W", "HQ", "major")]
    both = f"{waived}, W exposes DJ, S waive, W exposes H6"
    assert ("S", "lead") not in told(edition, both, deal=DEAL).asked
    # At the next lead he is asked anew, about all of them.
    later = f"{waived}, W exposes DJ, S waive, E CK, S CJ, W CT, N C4"
    laws = [q["law"] for q in told(edition, later, deal=DEAL).plain["questions"]]
    assert "51B2" in laws


def test_law_50_e_2_2017_picked_up_it_may_not_be_used() -> None:
    for choice in ("require H", "forbid H"):
        lines = f"{LEADS}, W exposes HQ, S {choice}"
        table = told("2017", lines, deal=DEAL)
        assert table.ruling("50E2")["laws"] == ["50D2(a)", "50E2"]
        assert table.ruling("50E2")["offender"] == "W"
        assert table.informed == {("E", "50E2")}
    # While it lies there partner may use it (50E1).
    assert told("2017", f"{LEADS}, W exposes HQ, S waive", deal=DEAL).informed == set()
    # 2007: from the beginning, but for the duty to play it.
    old = told("2007", f"{LEADS}, W exposes HQ", deal=DEAL)
    assert old.informed == {("E", "50E2")}
    picked_up = told("2007", f"{LEADS}, W exposes HQ, S forbid H", deal=DEAL)
    assert picked_up.laws == ["49"]


@EDITIONS
def test_law_50_d_2_with_cards_of_both_defenders_declarers_choice_comes_first(
    edition: str,
) -> None:
    lines = f"{LEADS}, W exposes HQ, E exposes DK"
    table = told(edition, lines, deal=DEAL)
    # He is asked once, though a second card came.
    assert table.asked.count(("S", "lead")) == 1
    assert (table.turn, table.legal) == ("E", [])
    required = told(edition, f"{lines}, S require H", deal=DEAL)
    assert required.legal == ["HT", "HJ"]
    assert required.penalty_cards == [("E", "DK", "major")]
    waived = told(edition, f"{lines}, S waive", deal=DEAL)
    assert waived.legal == ["DK"]
    # His own card, led against the choice, is a revoke (61A).
    disobeyed = told(edition, f"{lines}, S require H, E DK", deal=DEAL)
    assert disobeyed.revokes == {"E3": "correctable"}
    more = told(edition, f"{LEADS}, W exposes HQ, W exposes DJ", deal=DEAL)
    assert [q["law"] for q in more.plain["questions"] if q["to"] == "S"] == ["51B2"]


@EDITIONS
def test_law_49_a_lead_before_declarer_has_chosen(edition: str) -> None:
    lines = f"{LEADS}, W exposes HQ, E HJ"
    forbidden = told(edition, f"{lines}, S forbid H", deal=DEAL)
    assert forbidden.turn == "E"
    assert forbidden.penalty_cards == [("E", "HJ", "major")]
    complied = told(edition, f"{lines}, S require H", deal=DEAL)
    assert complied.turn == "S"
    # By playing on declarer lets his choice go.
    waived = told(edition, f"{lines}, S HK", deal=DEAL)
    assert ("S", "lead") not in waived.asked


@EDITIONS
def test_law_51_b_1_cards_of_one_suit_are_picked_up_together(edition: str) -> None:
    lines = f"{LEADS}, W exposes HQ, W exposes H6"
    assert len(told(edition, lines, deal=DEAL).penalty_cards) == 2
    for choice in ("require", "forbid"):
        table = told(edition, f"{lines}, S {choice} H", deal=DEAL)
        assert table.penalty_cards == []
        assert ("HT" in table.legal) is (choice == "require")


@EDITIONS
def test_law_51_b_cards_of_several_suits(edition: str) -> None:
    lines = f"{LEADS}, W exposes HQ, W exposes DJ"
    table = told(edition, lines, deal=DEAL)
    question = table.plain["questions"][-1]
    assert question["law"] == "51B2"
    assert "forbid D H" in question["choices"]
    free = told(edition, f"{lines}, S waive", deal=DEAL)
    assert len(free.penalty_cards) == 2
    assert {card[0] for card in free.legal} == {"S", "H", "D", "C"}
    both = told(edition, f"{lines}, S forbid D H", deal=DEAL)
    assert {card[0] for card in both.legal} == {"S", "C"}
    assert both.penalty_cards == []
    one = told(edition, f"{lines}, S require D", deal=DEAL)
    assert one.legal == ["D5", "D7", "DK"]
    assert one.penalty_cards == [("W", "HQ", "major")]


@EDITIONS
def test_law_59_unable_to_obey_he_leads_anything(edition: str) -> None:
    lines = (
        "W C3, N C2, E C7, S C5, E C9, S CJ, W CT, N C4, S H2, W HQ, N H3, E H9,"
        " E exposes CA, S require C"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.turn == "W"
    assert len(table.legal) == 10
    assert told(edition, f"{lines}, W H4", deal=DEAL).revokes == {}


@EDITIONS
def test_law_61_a_a_lead_against_declarers_option_is_a_revoke(edition: str) -> None:
    lines = f"{LEADS}, W exposes HQ, S forbid H, E HJ"
    table = told(edition, lines, deal=DEAL)
    assert table.revokes == {"E3": "correctable"}
    noticed = told(edition, f"{lines}, S attention E 3", deal=DEAL)
    assert noticed.turn == "E"
    assert not any(card.startswith("H") for card in noticed.legal)
    fixed = told(edition, f"{lines}, S HK, S attention E 3, E replace CK", deal=DEAL)
    assert fixed.revokes == {"E3": "corrected"}
    # Another suit is led now, so that what was played to it goes back.
    assert fixed.turn == "S"
    assert fixed.penalty_cards == [("E", "HJ", "major")]


@EDITIONS
def test_law_61_a_hidden_hands_show_a_disobeyed_option_later(edition: str) -> None:
    required = "E exposes SQ, S require S, W C3, N C2, E SQ"
    table = told(edition, required)
    assert table.revokes == {}
    shown = told(edition, f"{required}, S C5, S SA, W S3")
    assert shown.revokes == {"W1": "established"}


@EDITIONS
def test_law_52_b_1_declarer_accepts(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK, N C2, E C7"
    table = told(edition, lines, deal=DEAL)
    assert table.asked[-1] == ("S", "accept")
    accepted = told(edition, f"{lines}, S accept", deal=DEAL)
    assert accepted.laws[-1] == "52B1(a)"
    assert accepted.penalty_cards == [("E", "CK", "major")]
    assert accepted.revokes == {"E2": "established"}
    played = told(edition, f"{lines}, S CQ", deal=DEAL)
    assert played.laws[-1] == "52B1(b)"
    assert told(edition, f"{lines}, W accept", deal=DEAL).refused == ["52B1"]
    assert told(edition, f"{lines}, W C3", deal=DEAL).refused == ["52B1"]


@EDITIONS
def test_law_52_b_2_declarer_refuses_and_every_card_becomes_major(
    edition: str,
) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK, N C2, E C7, S decline"
    table = told(edition, lines, deal=DEAL)
    assert table.laws[-1] == "52B2"
    assert table.penalty_cards == [("E", "C7", "major")]
    assert table.revokes == {}
    assert table.turn == "S"


@EDITIONS
def test_law_58_b_several_cards_at_once(edition: str) -> None:
    lines = "W H4, N HA, E H9 C7"
    table = told(edition, lines, deal=DEAL)
    assert table.asked == [("E", "designate")]
    assert told(edition, f"{lines}, S H2", deal=DEAL).refused == ["58B2"]
    one = told(edition, f"{lines}, E H9", deal=DEAL)
    assert one.turn == "S"
    assert one.penalty_cards == [("E", "C7", "minor")]
    dummy = told(edition, "W H4, N HA H3, N HA", deal=DEAL)
    assert (dummy.turn, dummy.penalty_cards) == ("E", [])
    assert told(edition, "W H4, E H9 HT", deal=DEAL).refused == ["58B"]


SHOWN = "W 2H; N decline; S 1NT; W P; {said} N 3NT; E P; S P; W P"
"""West's heart bid at South's turn is withdrawn, and he passes."""


def restricted(edition: str) -> str:
    said = "" if edition == "2007" else "director comparable no;"
    return SHOWN.format(said=said)


@EDITIONS
def test_law_26_at_the_partners_first_lead_declarer_chooses(edition: str) -> None:
    head = {"auction": restricted(edition), "deal": DEAL}
    opening = told(edition, "", **head)
    # West is on lead, not his partner.
    assert opening.asked.count(("S", "lead")) == 0
    table = told(edition, LEADS, **head)
    question = next(q for q in table.plain["questions"] if q["question"] == "lead")
    assert question["to"] == "S"
    assert ("require H" in question["choices"]) is (edition == "2007")
    forbidden = told(edition, f"{LEADS}, S forbid H", **head)
    assert not any(card.startswith("H") for card in forbidden.legal)
    assert ("lead_restriction", "E") in table.bound
    assert ("lead_restriction", "E") not in forbidden.bound
    waived = told(edition, f"{LEADS}, S waive, E CK", **head)
    assert ("lead_restriction", "E") not in waived.bound
    assert told(edition, f"{LEADS}, S require D", **head).refused[-1][:2] == "26"


def test_law_26_a_2_requires_in_2007_only() -> None:
    head = {"auction": restricted("2007"), "deal": DEAL}
    required = told("2007", f"{LEADS}, S require H", **head)
    assert required.legal == ["HT", "HJ"]
    lines = f"{LEADS}, S require H, E CK"
    table = told("2007", lines, **head)
    assert table.revokes == {"E3": "correctable"}
    late = told("2017", f"{LEADS}, S require H", auction=restricted("2017"), deal=DEAL)
    assert late.refused == ["26B"]


@EDITIONS
def test_law_26_a_lead_before_declarers_choice_goes_back(edition: str) -> None:
    head = {"auction": restricted(edition), "deal": DEAL}
    table = told(edition, f"{LEADS}, E HT, S forbid H", **head)
    assert table.penalty_cards == [("E", "HT", "major")]
    assert table.turn == "E"
    unused = told(edition, f"{LEADS}, E HT, S HK", **head)
    assert ("lead_restriction", "E") not in unused.bound


@EDITIONS
def test_law_26_what_he_has_left_free_he_is_not_asked_again(edition: str) -> None:
    head = {"auction": restricted(edition), "deal": DEAL}
    table = told(edition, f"{LEADS}, S waive, W exposes DJ", **head)
    (question,) = [q for q in table.plain["questions"] if q["question"] == "lead"]
    assert question["law"] == "50D2"
    refused = told(edition, f"{LEADS}, S waive, W exposes DJ, S forbid H", **head)
    assert refused.refused == ["50D2"]


@EDITIONS
def test_law_26_with_the_deal_hidden(edition: str) -> None:
    head = {"auction": restricted(edition)}
    lines = f"{LEADS}, E HT, S forbid H"
    assert told(edition, lines, **head).penalty_cards == [("E", "HT", "major")]
    obeyed = told(edition, f"{LEADS}, E CK, S forbid H", **head)
    assert (obeyed.turn, obeyed.penalty_cards) == ("S", [])
    disobeyed = f"{LEADS}, S forbid H, E HT, S HK, W H6, N H3, S CJ, W CT, N C4, E CK"
    assert told(edition, disobeyed, **head).revokes == {"E3": "established"}


@EDITIONS
def test_law_52_with_the_deal_hidden(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK, N C2, E C7"
    table = told(edition, lines)
    assert table.asked[-1] == ("S", "accept")
    declined = told(edition, f"{lines}, S decline")
    assert declined.penalty_cards == [("E", "C7", "major")]


@EDITIONS
def test_law_50_d_2_disobeyed_with_the_deal_hidden(edition: str) -> None:
    # What is known of the leader's hand shows at once that he could have obeyed.
    lines = f"{LEADS}, W exposes HQ, E exposes D5, S forbid H, E HT"
    assert told(edition, lines).revokes == {"E3": "correctable"}


@EDITIONS
def test_law_50_c_other_suits_are_free_and_partners_lead_too(edition: str) -> None:
    lines = f"{LEADS}, E exposes D5"
    table = told(edition, lines, deal=DEAL)
    # On lead himself: no other small card of the suit.
    assert "D7" not in table.legal
    assert {"D5", "DK", "C7", "HT"} <= set(table.legal)
    assert ("S", "lead") not in table.asked
    partners = told(edition, f"{LEADS}, W exposes D4", deal=DEAL)
    assert partners.penalty_cards == [("W", "D4", "minor")]
    assert ("S", "lead") not in partners.asked
    assert len(partners.legal) == 11


@EDITIONS
@pytest.mark.parametrize("card", ["DK", "S9"])
def test_law_50_d_1_a_major_card_is_discarded_or_ruffed_with(
    edition: str, card: str
) -> None:
    # East has no club; spades are trumps.
    exposed = f"E exposes {card}, director accidental no"
    lines = f"W H8, N HA, E H9, S H2, {exposed}, N C2"
    table = told(edition, lines, deal=NO_CLUB, auction=SPADES)
    assert table.legal == [card]
    played = told(edition, f"{lines}, E {card}", deal=NO_CLUB, auction=SPADES)
    assert (played.penalty_cards, played.refused) == ([], [])
    other = told(edition, f"{lines}, E D5", deal=NO_CLUB, auction=SPADES)
    assert other.asked[-1] == ("S", "accept")


@EDITIONS
def test_law_52_a_he_may_not_take_the_other_card_back_himself(edition: str) -> None:
    lines = f"{WON_BY_NORTH}, E exposes CK, N C2, E C7"
    assert told(edition, f"{lines}, E replace CK", deal=DEAL).refused == ["62C"]
    assert told(edition, f"{lines}, E change CK", deal=DEAL).refused == ["47F2"]
    assert told(edition, f"{lines}, E CK", deal=DEAL).refused == ["52B1"]


@EDITIONS
def test_law_52_b_1_b_by_a_card_of_dummy_too(edition: str) -> None:
    lines = "W H4, N H3, E HJ, S HK, W exposes CT, S C5, W C3, S names C2"
    table = told(edition, lines, deal=DEAL)
    assert table.laws[-1] == "52B1(b)"
    # 52B1(c): it stays a penalty card.
    assert table.penalty_cards == [("W", "CT", "major")]


@EDITIONS
def test_law_64_b_3_a_penalty_card_not_played_moves_no_trick(edition: str) -> None:
    lines = (
        f"{WON_BY_NORTH}, E exposes CK, N C2, E CA, S accept, S C5, W C3,"
        " E CK, S CJ, W CT, N C4, S claim 8, W agree, E agree"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.settled == {"E2": ("64B3", 0)}


@EDITIONS
def test_law_64_a_a_lead_against_declarers_option_is_not_spared(edition: str) -> None:
    lines = (
        f"{LEADS}, W exposes HQ, S forbid H, E HJ, S HK, W H6, N H3,"
        " S CJ, W CT, N C4, E CK, S claim 8, W agree, E agree"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.settled == {"E3": ("64A2", 1)}


@EDITIONS
def test_law_59_the_penalty_card_has_been_picked_up_all_the_same(edition: str) -> None:
    lines = (
        "W C3, N C2, E C7, S C5, E C9, S CJ, W CT, N C4, S H2, W HQ, N H3, E H9,"
        " E exposes CA, S require C"
    )
    table = told(edition, lines, deal=DEAL)
    assert (table.penalty_cards, len(table.legal)) == ([], 10)
