"""What an established revoke costs (Law 64), by each paragraph and footnote."""

from dataclasses import replace

import pytest

from laws.board import Edition
from laws.cards import Card, Denomination, Suit
from laws.contract import Contract, Risk
from laws.editions import rules_of
from laws.established_revokes import ratings_of, redress_of, transfer_of
from laws.incidents import Breach, Incidents, Notice, Revoke
from laws.play import Play, PlayedCard, Trick
from laws.seats import SIDES, Seat
from tests.laws.plays import DEAL, told

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])
N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST
HEARTS, CLUBS = Suit.HEARTS, Suit.CLUBS
ACES = {N: "SA", E: "SK", S: "SQ", W: "SJ"}


def won_by(seat: Seat) -> Trick:
    """A trick that the seat wins; its other cards do not matter here."""
    return Trick(seat, (PlayedCard(0, seat, Card(ACES[seat])),))


def played(winners: str, *revokes: Revoke, awarded: tuple[int, int] = (0, 0)) -> Play:
    """An ended play of South's, its tricks won by the seats named."""
    contract = Contract(3, Denomination.NOTRUMP, Risk.UNDOUBLED, S)
    return Play(
        contract,
        Trick(S),
        tuple(won_by(Seat(letter)) for letter in winners),
        awarded=awarded,
        ended=True,
        incidents=Incidents(revokes=revokes),
    )


def revoke(
    hand: Seat,
    trick: int,
    *,
    suit: Suit = HEARTS,
    corrected: str = "",
    notice: Notice = Notice.IN_TIME,
) -> Revoke:
    return Revoke(
        10 * trick + "NESW".index(hand),
        hand,
        trick,
        Card.CLUB_TWO,
        suit,
        notice=notice,
        established="" if corrected else "63A1",
        corrected=corrected,
    )


def rated(edition: str, play: Play) -> list[tuple[str, int]]:
    """Rule and tricks moved of each revoke, in order of play."""
    ratings = ratings_of(play, rules_of(Edition(edition)))
    return [(rating.rule, rating.moved) for rating in ratings.values()]


@EDITIONS
@pytest.mark.parametrize(
    ("winners", "rule", "moved"),
    [
        # The revoker wins the trick, and his side one, several or none later.
        ("SSEEESSSSSSSS", "64A1", 2),
        ("SSEWSSSSSSSSS", "64A1", 2),
        ("SSESSSSSSSSSS", "64A1", 1),
        # His partner wins it, or a later one: one trick.
        ("SSWSSSSSSSSSS", "64A2", 1),
        ("SSWEEEEEEEEEE", "64A2", 1),
        ("SSSSSSSSSSSSE", "64A2", 1),
        # Tricks before the revoke never move.
        ("EESSSSSSSSSSS", "64B1", 0),
    ],
)
def test_law_64_a_1_a_2_and_b_1(
    edition: str, winners: str, rule: str, moved: int
) -> None:
    assert rated(edition, played(winners, revoke(E, 3))) == [(rule, moved)]


@EDITIONS
def test_footnote_a_trick_won_in_dummy_is_not_won_by_declarer(edition: str) -> None:
    in_dummy = played("NEEEEEEEEEEEE", revoke(S, 1))
    assert rated(edition, in_dummy) == [("64A2", 1)]
    in_hand = played("SNEEEEEEEEEEE", revoke(S, 1))
    assert rated(edition, in_hand) == [("64A1", 2)]


@EDITIONS
def test_law_69_a_claimed_tricks_are_later_tricks(edition: str) -> None:
    claimed = played("SSSS", revoke(E, 2), awarded=(8, 1))
    assert rated(edition, claimed) == [("64A2", 1)]
    nothing = played("SSSS", revoke(E, 2), awarded=(9, 0))
    assert rated(edition, nothing) == [("64B1", 0)]
    in_progress = played("SSSS", revoke(E, 5), awarded=(7, 2))
    assert rated(edition, in_progress) == [("64A2", 1)]


@EDITIONS
def test_law_64_b_2_the_same_player_in_the_same_suit_again(edition: str) -> None:
    again = played("SSEEESSSSSSSS", revoke(E, 3), revoke(E, 4))
    assert rated(edition, again) == [("64A1", 2), ("64B2", 0)]
    another_suit = played("SSESSESSSSSSE", revoke(E, 3), revoke(E, 4, suit=CLUBS))
    assert rated(edition, another_suit) == [("64A1", 2), ("64A2", 1)]
    partner = played("SSESSESSSSSSE", revoke(E, 3), revoke(W, 4))
    assert rated(edition, partner) == [("64A1", 2), ("64A2", 1)]


@pytest.mark.parametrize(
    ("edition", "expected"),
    [("2007", [("64B2", 0)]), ("2017", [("64A2", 1)])],
)
def test_law_64_b_2_after_a_corrected_revoke_the_editions_differ(
    edition: str, expected: list[tuple[str, int]]
) -> None:
    play = played("SSSEESSSSSSSS", revoke(E, 1, corrected="62A"), revoke(E, 3))
    assert rated(edition, play) == expected


@EDITIONS
def test_law_64_b_3_dummy_and_faced_cards(edition: str) -> None:
    assert rated(edition, played("N" * 13, revoke(N, 2))) == [("64B3", 0)]
    faced = played("E" * 13, replace(revoke(E, 2), faced=True))
    assert rated(edition, faced) == [("64B3", 0)]


@EDITIONS
@pytest.mark.parametrize(
    ("notice", "rule"),
    [(Notice.NEXT_BOARD, "64B4"), (Notice.ROUND_OVER, "64B5")],
)
def test_law_64_b_4_b_5_attention_drawn_late(
    edition: str, notice: Notice, rule: str
) -> None:
    assert rated(edition, played("E" * 13, revoke(E, 2, notice=notice))) == [(rule, 0)]


@EDITIONS
def test_law_64_b_6_trick_12(edition: str) -> None:
    assert rated(edition, played("E" * 13, revoke(E, 12))) == [("64B6", 0)]
    corrected = played("E" * 13, revoke(E, 12, corrected="62D1"))
    assert rated(edition, corrected) == [("64B6", 0)]


@EDITIONS
def test_law_64_b_7_both_sides_revoked(edition: str) -> None:
    play = played("ESESESESESESE", revoke(E, 1), revoke(S, 4))
    assert rated(edition, play) == [("64B7", 0), ("64B7", 0)]


@pytest.mark.parametrize(
    ("edition", "expected"),
    [("2007", [("64B7", 0)]), ("2017", [("64A1", 2)])],
)
def test_law_64_b_7_the_other_sides_was_corrected_and_the_editions_differ(
    edition: str, expected: list[tuple[str, int]]
) -> None:
    play = played("ESESESESESESE", revoke(E, 1), revoke(S, 4, corrected="62A"))
    assert rated(edition, play) == expected


def test_law_64_b_8_corrected_under_62_c_3() -> None:
    play = played("E" * 13, revoke(E, 3, corrected="62C3"))
    assert rated("2017", play) == [("64B8", 0)]


@EDITIONS
def test_each_trick_moves_once(edition: str) -> None:
    # East's revoke might take the trick that West's takes by 64A1.
    shared = played("SSWWWSSSSSSSS", revoke(E, 3, suit=CLUBS), revoke(W, 3))
    assert rated(edition, shared) == [("64A2", 1), ("64A1", 2)]
    own = played("SSEEESSSSSSSS", revoke(E, 3), revoke(E, 4, suit=CLUBS))
    assert rated(edition, own) == [("64A1", 2), ("64A1", 1)]
    scarce = played("SSWSSSSSSSSSS", revoke(E, 3, suit=CLUBS), revoke(W, 3))
    assert sum(moved for _, moved in rated(edition, scarce)) == 1


@EDITIONS
def test_law_67_b_1_goes_by_64_a_2(edition: str) -> None:
    missing = replace(revoke(E, 3), breach=Breach.NO_CARD, established="67B1(a)")
    assert rated(edition, played("SSEEESSSSSSSS", missing)) == [("64A2", 1)]


@EDITIONS
def test_unproven_unspoken_and_uncorrected_revokes_are_not_settled(
    edition: str,
) -> None:
    silent = revoke(E, 3, notice=Notice.NONE)
    assert rated(edition, played("E" * 13, silent)) == []


@pytest.mark.parametrize(
    ("edition", "general", "again", "both"),
    [("2007", "64C", "64C", "64C"), ("2017", "64C1", "64C2(a)", "64C2(b)")],
)
def test_law_64_c_names_the_redress(
    edition: str, general: str, again: str, both: str
) -> None:
    rules = rules_of(Edition(edition))
    first, second, other = revoke(E, 3), revoke(E, 4), revoke(S, 5)
    assert redress_of(played("E" * 13, first), rules, first) == general
    assert redress_of(played("E" * 13, first, second), rules, second) == again
    assert redress_of(played("E" * 13, first, other), rules, first) == both


def test_the_transfer_is_to_the_side_that_did_not_revoke() -> None:
    play = played("E" * 13)
    assert transfer_of(play) is None
    by_east = Revoke(1, E, 3, Card.CLUB_TWO, HEARTS, moved=2)
    assert transfer_of(played("E" * 13, by_east)) == (SIDES[0], 2)
    by_south = Revoke(1, S, 3, Card.CLUB_TWO, HEARTS, moved=1)
    assert transfer_of(played("E" * 13, by_south)) == (SIDES[1], 1)


# At the table ---------------------------------------------------------------------

REVOKE = "W H4, N HA, E C7, S H2, N C2, E CK, S C5, W C3"
CLAIMED = f"{REVOKE}, S claim 9, W agree, E agree"


@EDITIONS
def test_the_table_is_told_when_play_ends(edition: str) -> None:
    table = told(edition, CLAIMED, deal=DEAL)
    ruling = table.ruling("64A2")
    law = "64C" if edition == "2007" else "64C1"
    assert ruling["laws"] == ["61A", "63A1", "64A2", law]
    assert ruling["effects"] == [
        {"kind": "transfer", "to": "NS", "tricks": 1},
        {"kind": "adjust_possible", "law": law},
    ]
    assert (table.tricks, table.transfer, table.result) == (
        (10, 3),
        ("NS", 1),
        (11, 460),
    )
    assert table.asked == [("director", "damage")]


@EDITIONS
def test_law_64_c_the_director_answers(edition: str) -> None:
    no = told(edition, f"{CLAIMED}, director damage no", deal=DEAL)
    assert (no.adjustable, no.asked) == ([], [])
    assert no.transfer == ("NS", 1)
    yes = told(edition, f"{CLAIMED}, director damage yes", deal=DEAL)
    assert yes.asked == []
    assert len(yes.adjustable) == 1


@EDITIONS
def test_an_overruled_transfer_moves_nothing(edition: str) -> None:
    table = told(edition, f"{CLAIMED}, director overrule 1", deal=DEAL)
    assert (table.laws, table.superseded) == ([], ["64A2"])
    assert table.transfer is None
    assert table.result == (10, 430)


@EDITIONS
def test_law_64_b_4_an_offending_sides_call_does_not_matter(edition: str) -> None:
    manual = {"deal": DEAL, "policy": "manual"}
    quiet = told(edition, CLAIMED, **manual)
    assert (quiet.laws, quiet.transfer) == ([], None)
    offending = f"{CLAIMED}, next W P, S attention E 1"
    assert told(edition, offending, **manual).settled == {"E1": ("64A2", 1)}
    innocent = f"{CLAIMED}, next N P, S attention E 1"
    late = told(edition, innocent, **manual)
    assert late.settled == {"E1": ("64B4", 0)}
    assert len(late.adjustable) == 1
    over = f"{CLAIMED}, round ends, S attention E 1"
    assert told(edition, over, **manual).settled == {"E1": ("64B5", 0)}
    in_time = f"{CLAIMED}, N attention E 1"
    assert told(edition, in_time, **manual).settled == {"E1": ("64A2", 1)}


@EDITIONS
def test_a_second_revoke_spoken_of_later_supersedes(edition: str) -> None:
    lines = f"{REVOKE}, E HJ, S CQ, W H6, N H3, S claim 0, W agree, E agree"
    manual = {"deal": DEAL, "policy": "manual"}
    one = told(edition, f"{lines}, S attention E 1", **manual)
    assert one.settled == {"E1": ("64A2", 1)}
    both = told(edition, f"{lines}, S attention E 1, W attention S 3", **manual)
    assert both.settled == {"E1": ("64B7", 0), "S3": ("64B7", 0)}
    assert both.superseded == ["64A2"]
    assert both.transfer is None


@EDITIONS
def test_law_64_b_1_the_side_wins_neither_that_trick_nor_a_later_one(
    edition: str,
) -> None:
    lines = (
        "W H4, N HA, E H9, S H2, N SQ, E D5, S S5, W S3, N S2, E SJ, S SK, W S6,"
        "S claim 10, W agree, E agree, round ends"
    )
    table = told(edition, lines, deal=DEAL)
    assert table.settled == {"E2": ("64B1", 0)}
    assert table.transfer is None
    assert table.adjustable[-1] == ("64C" if edition == "2007" else "64C1")
