"""Matches of teams: both tables, adjusted scores, victory points, penalties."""

import pytest

from bidwire.results.methods import Scoring
from bidwire.results.session import Session
from bidwire.results.teams import NoSuchTeamError
from bidwire.results.telling import number
from laws.seats import Side
from protocol.payloads import TableResult
from protocol.scores import Penalty, PenaltyUnit
from tests.bidwire.results.samples import (
    AVERAGE,
    MINUS,
    PLUS,
    assigned,
    both,
    places,
    result,
    scored,
)

TEAMS = {"1": "Reds", "2": "Blues", "3": "Reds", "4": "Blues"}


def match(*results: TableResult) -> Session:
    return scored(*results, scoring=Scoring.TEAMS, teams=TEAMS)


def boards(session: Session) -> dict[int, tuple[float, ...] | None]:
    """IMPs of Blues and Reds by board."""
    (played,) = session.matches
    return {
        board: tuple(float(each) for each in won) if won is not None else None
        for board, won in played.boards.items()
    }


def test_law_78_b_a_team_scores_what_its_two_tables_made() -> None:
    session = match(
        result("t1", "1", "2", 620),
        result("t2", "4", "3", 170),
        result("t1", "1", "2", -50, board=2),
        result("t2", "4", "3", 100, board=2),
        result("t1", "1", "2", 400, board=3),
    )
    # 620 against 170 is 450, 10 IMPs; -50 against 100 is 150, 4 IMPs.
    assert boards(session) == {1: (-10, 10), 2: (4, -4), 3: None}
    (played,) = session.matches
    assert [(part.team, number(part.imps)) for part in played.parts] == [
        ("Blues", "-6"),
        ("Reds", "6"),
    ]
    # 6 IMPs in two boards: 10 * (1 - 0.618 ** (18 / 21.21)) / 0.764 more than 10.
    assert [float(part.vps) for part in played.parts] == [5.61, 14.39]
    assert places(session) == [[(1, "Reds"), (2, "Blues")]]


def test_pairs_that_stand_in_no_team_are_teams() -> None:
    session = scored(
        result("t1", "7", "8", 620), result("t2", "8", "7", 620), scoring=Scoring.TEAMS
    )
    assert boards(session) == {1: (0, 0)}


def test_law_12_c_1_c_a_weighted_score_weighs_the_imps() -> None:
    given = both(assigned((60, 620), (40, -100)))
    session = match(
        result("t1", "1", "2", 170, adjustment=given), result("t2", "4", "3", 170)
    )
    assert boards(session) == {1: (-3.2, 3.2)}  # 0.6 * 10 - 0.4 * 7


def test_law_86_split_scores_need_not_balance() -> None:
    given = both(assigned((100, 620)), assigned((100, 170)))
    session = match(
        result("t1", "1", "2", 170, adjustment=given), result("t2", "4", "3", 170)
    )
    assert boards(session) == {1: (0, 10)}


def test_law_12_c_2_b_an_artificial_score_decides_the_board() -> None:
    given = both(PLUS, MINUS)
    session = match(
        result("t1", "1", "2", None, adjustment=given), result("t2", "4", "3", 170)
    )
    assert boards(session) == {1: (-3, 3)}
    session = match(
        result("t1", "1", "2", None, adjustment=both(PLUS, AVERAGE)),
        result("t2", "4", "3", 170),
    )
    assert boards(session) == {1: (0, 3)}


def test_penalties_in_imps_count_in_the_match_and_in_vps_after_it() -> None:
    ns, ew = Side
    session = match(
        result(
            "t1",
            *("1", "2", 620),
            penalties=[
                Penalty(ns, 10, PenaltyUnit.IMPS),
                Penalty(ew, 0.5, PenaltyUnit.VPS),
            ],
        ),
        result("t2", "4", "3", 170),
    )
    blues, reds = session.matches[0].parts
    assert reds.imps == reds.penalty == reds.vps == 10
    assert float(blues.vps) == 1.91
    last = session.rankings[0].standings[1]
    assert (last.contestant, float(last.total)) == ("Blues", 1.41)


def test_a_pair_against_its_own_team_is_told() -> None:
    with pytest.raises(
        NoSuchTeamError, match=r"board 1 at table t1: .* got Reds twice"
    ):
        match(result("t1", "1", "3", 620))
