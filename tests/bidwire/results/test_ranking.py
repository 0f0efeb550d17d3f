"""Ranking: percentages, shared places, directions, penalties."""

import pytest

from bidwire.desk.complaints import is_known
from bidwire.results.methods import Scoring
from bidwire.results.session import Material, NothingPlayedError, score
from bidwire.results.telling import number, percent
from laws.seats import Side
from protocol.payloads import Pairs, TableResult
from protocol.scores import Penalty, PenaltyUnit
from tests.bidwire.results.samples import places, result, scored

NS, EW = Side


def evening() -> list[TableResult]:
    """Three tables, two boards."""
    return [
        result("t1", "1", "11", 420),
        result("t2", "2", "12", 420),
        result("t3", "3", "13", -50),
        result("t1", "1", "11", 100, board=2),
        result("t2", "2", "12", -100, board=2),
        result("t3", "3", "13", 50, board=2),
    ]


def test_pairs_are_ranked_by_direction_with_two_decimals() -> None:
    session = scored(*evening())
    ns, ew = session.rankings
    assert (ns.side, ew.side) == (NS, EW)
    assert places(session) == [
        [(1, "1"), (2, "2"), (3, "3")],
        [(1, "13"), (2, "12"), (3, "11")],
    ]
    told = [(percent(s.percent), number(s.points)) for s in ns.standings]
    assert told == [("87.50", "7"), ("37.50", "3"), ("25.00", "2")]


def test_equal_pairs_share_a_place_and_the_next_one_is_left_out() -> None:
    session = scored(
        result("t1", "1", "11", 420),
        result("t2", "2", "12", 420),
        result("t3", "3", "13", -50),
    )
    assert places(session)[0] == [(1, "1"), (1, "2"), (3, "3")]
    assert [s.tied for s in session.rankings[0].standings] == [True, True, False]


def test_pairs_that_change_direction_are_ranked_together() -> None:
    played = [result("t1", "1", "2", 420), result("t2", "3", "4", 400)]
    session = scored(*played, result("t1", "2", "1", 50, board=2, round_number=2))
    assert [ranking.side for ranking in session.rankings] == [None]
    # Nobody has changed yet, but the event will have them do it.
    session = scored(*played, seatings=(Pairs("2", "1"),))
    assert [ranking.side for ranking in session.rankings] == [None]


def test_law_90_a_penalty_in_per_cent_of_a_top_is_taken_away() -> None:
    late = Penalty(side=NS, amount=25, unit=PenaltyUnit.PERCENT, reason="late")
    session = scored(
        result("t1", "1", "11", 420, penalties=[late]),
        result("t2", "2", "12", 100),
        result("t3", "3", "13", 90),
    )
    first = session.rankings[0].standings[0]
    assert first.contestant == "1"
    assert (number(first.points), number(first.penalty)) == ("4", "1")
    assert percent(first.percent) == "75.00"
    assert not session.remarks


def test_law_91_a_penalty_in_another_unit_is_told_and_not_counted() -> None:
    spoke = Penalty(side=EW, amount=2, unit=PenaltyUnit.VPS, reason="")
    session = scored(result("t1", "1", "11", 420, penalties=[spoke]))
    (told,) = session.remarks
    assert "a penalty of 2 vps for 11 is not in the ranking" in told
    assert is_known(told)


def test_a_penalty_in_imps_counts_among_imps() -> None:
    slow = Penalty(side=NS, amount=1.5, unit=PenaltyUnit.IMPS, reason="")
    session = scored(
        result("t1", "1", "11", 420, penalties=[slow]),
        result("t2", "2", "12", 420),
        scoring=Scoring.CROSS_IMPS,
    )
    assert places(session)[0] == [(1, "2"), (2, "1")]
    assert number(session.rankings[0].standings[1].total) == "-1.50"


def test_a_penalty_survives_a_board_that_is_played_again() -> None:
    late = Penalty(side=NS, amount=10, unit=PenaltyUnit.PERCENT, reason="")
    session = scored(
        result("t1", "1", "11", None, penalties=[late]),
        result("t1", "1", "11", 420, play=2),
        result("t2", "2", "12", 420),
    )
    penalties = {s.contestant: number(s.penalty) for s in session.rankings[0].standings}
    assert penalties == {"1": "0.20", "2": "0"}


def test_a_round_is_ranked_by_comparison_with_all_who_played_the_board() -> None:
    material = Material(
        "friday",
        (
            result("t1", "1", "11", 420),
            result("t1", "2", "12", 100, round_number=2),
        ),
    )
    session = score(material, round_number=2)
    assert places(session) == [[(1, "2")], [(1, "12")]]
    assert [s.points for r in session.rankings for s in r.standings] == [0, 2]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"board": 9}, "--board: expected one of 1, 2, got 9"),
        ({"round_number": 4}, "--round: expected one of 1, got 4"),
    ],
)
def test_what_was_not_played_is_told_with_what_was(
    asked: dict[str, int], told: str
) -> None:
    material = Material("friday", tuple(evening()))
    with pytest.raises(NothingPlayedError, match=told):
        score(material, **asked)


def test_pairs_without_an_id_are_known_by_their_place() -> None:
    session = scored(result("t1", "", "", 420), result("t2", "", "", 100))
    assert places(session) == [
        [(1, "t1 NS"), (2, "t2 NS")],
        [(1, "t2 EW"), (2, "t1 EW")],
    ]


def test_ids_that_are_numbers_stand_in_their_order() -> None:
    tied = [result(f"t{n}", str(n), f"e{n}", 420) for n in (10, 2, 1)]
    assert [pair for _, pair in places(scored(*tied))[0]] == ["1", "2", "10"]
