"""Dummy's rights, and what he loses by looking at another hand (Laws 42, 43)."""

import pytest

from tests.laws.plays import DEAL, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

DISCARDED = "W H4, N HA, E H9, S C5"
"""South, declarer, has three hearts."""


@EDITIONS
def test_law_42_a_dummy_moves_what_declarer_has_called_for(edition: str) -> None:
    table = told(edition, "W H4, S names HA, N HA, E H9", deal=DEAL)
    assert (table.refused, table.turn) == ([], "S")


@EDITIONS
def test_law_42_b_1_dummy_may_ask_declarer_whether_he_can_follow(
    edition: str,
) -> None:
    table = told(edition, f"{DISCARDED}, N attention S 1", deal=DEAL)
    assert (table.laws, table.refused) == (["62A"], [])
    assert table.ruling("62A")["assumptions"] == ["dummy-looked N: no"]
    assert (table.turn, table.legal) == ("S", ["H2", "H5", "HK"])
    not_looked = f"{DISCARDED}, N attention S 1, director dummy-looked no"
    table = told(edition, not_looked, deal=DEAL)
    assert (table.ruling("62A")["assumptions"], table.asked) == ([], [("S", "replace")])
    done = told(edition, f"{not_looked}, S H2", deal=DEAL)
    assert done.revokes == {"S1": "corrected"}
    # With the deal hidden declarer says himself.
    hidden = told(edition, f"{DISCARDED}, N attention S 1")
    assert ("S", "replace") in hidden.asked
    assert hidden.revokes == {"S1": "suspected"}


@EDITIONS
@pytest.mark.parametrize(
    "lines",
    [
        "W H4, N HA, E C7, N attention E 1",  # a defender
        "W H4, N HA, E H9, S H2, N attention S 1",  # he has followed suit
        f"{DISCARDED}, N C2, N attention S 1",  # too late to correct it
        "W H4, N attention S 1",  # he has not played
        f"{DISCARDED}, N attention",
    ],
)
def test_law_42_b_1_nothing_else_may_dummy_ask(edition: str, lines: str) -> None:
    table = told(edition, lines, deal=DEAL)
    assert table.refused == ["9A3" if edition == "2007" else "9A4"]
    assert table.laws == []


@EDITIONS
def test_law_42_b_3_dummy_may_draw_attention_when_play_is_over(edition: str) -> None:
    lines = (
        "W H4, N HA, E C7, S H2, N C2, E CK, S C5, W C3, S claim 9, W agree, E agree,"
        " N attention E 1"
    )
    table = told(edition, lines, deal=DEAL, policy="manual")
    assert table.refused == []
    assert table.transfer == ("NS", 1)


WARNED = "W H4, N HA, E H9, S H2, director dummy-warned yes"


@EDITIONS
def test_law_42_b_2_dummy_may_warn_of_the_wrong_hand(edition: str) -> None:
    table = told(edition, WARNED, deal=DEAL)
    assert table.ruling("42B2")["effects"] == []
    assert table.ruling("42B2")["assumptions"] == ["dummy-looked N: no"]
    assert table.asked == [("director", "dummy-looked")]
    assert len(table.legal) == 12
    no = told(edition, f"{WARNED}, director dummy-looked no", deal=DEAL)
    assert (no.laws, no.asked) == (["42B2"], [])
    assert told(edition, "W H4, director dummy-warned yes", deal=DEAL).refused == [
        "42B2"
    ]
    assert told(edition, WARNED.replace("yes", "no"), deal=DEAL).laws == []


@EDITIONS
def test_law_43_b_2_a_either_defender_chooses_the_hand_that_leads(
    edition: str,
) -> None:
    lines = f"{WARNED}, director dummy-looked yes"
    table = told(edition, lines, deal=DEAL)
    assert table.ruling("43B2(a)")["laws"] == ["43A2", "43B2(a)"]
    assert table.asked == [("E", "accept"), ("W", "accept")]
    assert (table.turn, table.legal) == ("N", [])
    for card in ("N C2", "S names C2", "E CK"):
        assert told(edition, f"{lines}, {card}", deal=DEAL).refused == ["9B2"]
    assert told(edition, f"{lines}, S accept", deal=DEAL).refused == ["10C2"]
    again = told(edition, f"{lines}, director dummy-warned yes", deal=DEAL)
    assert again.refused == ["42B2"]
    right = told(edition, f"{lines}, E accept", deal=DEAL)
    assert (right.turn, right.asked) == ("N", [])
    other = told(edition, f"{lines}, W decline", deal=DEAL)
    assert (other.turn, other.asked) == ("S", [])
    led = told(edition, f"{lines}, W decline, S C5", deal=DEAL)
    assert (led.turn, led.refused, led.laws) == ("W", [], ["43B2(a)"])


@EDITIONS
def test_law_43_a_2_looking_alone_changes_nothing(edition: str) -> None:
    table = told(edition, "W H4, N HA, E H9, director dummy-looked yes", deal=DEAL)
    assert (table.laws, table.turn) == ([], "S")
