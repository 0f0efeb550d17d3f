"""Pairs across the tables: adjusted scores among results, and what is not played."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bidwire.results.methods import Scoring
from bidwire.results.session import Material, score
from bidwire.results.travellers import lines_of
from laws.seats import SIDES, Side
from protocol.payloads import TableResult
from protocol.scores import SideScore
from tests.bidwire.results.by_pairs import worth_of
from tests.bidwire.results.samples import (
    AVERAGE,
    MINUS,
    PLUS,
    assigned,
    both,
    result,
    scored,
    worths,
)
from tests.long import examples

POINTS = st.integers(-200, 200).map(lambda tens: 10 * tens)
SCORE = st.sampled_from([-100, -50, 170, 420]) | POINTS


def side_scores() -> st.SearchStrategy[SideScore]:
    """Artificial ones, and assigned ones of one or two outcomes."""
    two = st.tuples(st.integers(1, 99), SCORE, SCORE).map(
        lambda drawn: assigned((drawn[0], drawn[1]), (100 - drawn[0], drawn[2]))
    )
    one = SCORE.map(lambda points: assigned((100, points)))
    return st.sampled_from([PLUS, AVERAGE, MINUS]) | one | two


@st.composite
def events(draw: st.DrawFn) -> list[TableResult]:
    """Results of some boards, in a movement in which pairs meet others each board."""
    tables, boards = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    adjustments = st.none() | st.builds(both, side_scores(), side_scores())
    return [
        result(
            f"t{table}",
            f"N{table}",
            f"E{(table + board) % tables}",
            draw(st.none() | SCORE),
            board=board,
            adjustment=draw(adjustments),
        )
        for board in range(1, boards + 1)
        for table in range(tables)
        if draw(st.integers(0, 9))
    ]


def field(*points: int | None, board: int = 1) -> list[TableResult]:
    """A result at each table: t1 of pairs 1 and 11, t2 of 2 and 12, and so on."""
    return [
        result(f"t{n}", str(n), str(n + 10), each, board=board)
        for n, each in enumerate(points, 1)
    ]


def test_law_78_a_a_traveller_of_four_tables() -> None:
    session = scored(*field(420, 450, -50, 420))
    assert worths(session) == [(3, 3), (6, 0), (0, 6), (3, 3)]
    (traveller,) = session.travellers
    assert traveller.top == 6


def test_law_12_c_1_c_a_weighted_score_is_compared_by_its_outcomes() -> None:
    given = both(assigned((60, 620), (40, -100)))
    session = scored(*field(170, 140), result("t3", "3", "13", 0, adjustment=given))
    # Of two pairs 620 beats both and -100 neither: 0.6 * 4.
    assert worths(session)[2] == (2.4, 1.6)
    # 170 beats 140, and the adjusted pair in 40 of 100.
    assert worths(session)[:2] == [(2.8, 1.2), (0.8, 3.2)]


def test_law_12_c_1_f_a_split_score_counts_in_each_sides_own_field() -> None:
    split = both(assigned((100, 620)), assigned((100, -100)))
    session = scored(*field(170, -110), result("t3", "3", "13", 140, adjustment=split))
    ns, ew = zip(*worths(session), strict=True)
    assert ns == (2, 0, 4)  # among 170, -110 and 620
    assert ew == (0, 4, 2)  # among -170, 110 and 100


def test_law_12_c_2_artificial_scores_stand_outside_and_the_rest_is_factored() -> None:
    given = both(PLUS, MINUS)
    session = scored(
        *field(170, 140, 110), result("t4", "4", "14", None, adjustment=given)
    )
    # Four scores, a top of 6: three of them compared, 4 / 3 * (m + 1) - 1.
    # Nothing else was played by the last pairs: 60 and 40 per cent of 6.
    assert worths(session) == [(17 / 3, 1 / 3), (3, 3), (1 / 3, 17 / 3), (3.6, 2.4)]


def test_law_12_c_2_c_a_good_session_is_worth_more_than_average_plus() -> None:
    given = both(PLUS, PLUS)
    session = scored(
        *field(170, 140, board=1),
        result("t1", "1", "11", None, board=2, adjustment=given),
        *field(170, 140, board=2)[1:],
        *field(90, 90, board=3),
    )
    # Pair 1 has a top and an average on its other boards, 75 per cent; pair 11 a
    # bottom and an average.
    assert worths(session, 2)[0] == (1.5, 1.2)


def test_law_12_c_2_b_artificial_scores_are_three_imps() -> None:
    given = both(AVERAGE, MINUS)
    for scoring in (Scoring.CROSS_IMPS, Scoring.BUTLER):
        session = scored(
            *field(170, 140),
            result("t3", "3", "13", None, adjustment=given),
            scoring=scoring,
        )
        assert worths(session)[2] == (0, -3)


def test_a_board_that_was_not_played_counts_for_nobody() -> None:
    session = scored(*field(170, 140, None))
    assert worths(session) == [(2, 0), (0, 2), (None, None)]
    assert session.travellers[0].top == 2
    assert [s.boards for s in session.rankings[0].standings] == [1, 1, 0]


def test_a_board_of_one_table_is_compared_with_nothing() -> None:
    for scoring in (Scoring.MATCHPOINTS, Scoring.CROSS_IMPS, Scoring.BUTLER):
        session = scored(*field(170), scoring=scoring)
        assert worths(session) == [(None, None)]


def test_a_board_played_less_often_is_factored_to_the_same_top() -> None:
    session = scored(*field(170, 140, 110, board=1), *field(170, 140, board=2))
    # 3 / 2 * (2 + 1) - 1 of a top of 4.
    assert worths(session, 2) == [(3.5, 0.5), (0.5, 3.5)]


def test_the_last_playing_with_a_score_counts() -> None:
    again = result("t1", "1", "11", 90, play=3)
    closed = result("t1", "1", "11", None, play=4)
    session = scored(again, closed, *field(170, 140))
    assert worths(session) == [(0, 2), (2, 0)]


def test_law_78_b_butler_shows_the_datum_of_each_side() -> None:
    split = both(assigned((100, 600)), assigned((100, 200)))
    session = scored(
        *field(400),
        result("t2", "2", "12", 0, adjustment=split),
        scoring=Scoring.BUTLER,
    )
    assert session.travellers[0].datums == (500, 300)
    assert worths(session) == [(-3, -3), (3, 3)]


def test_law_78_c_total_points() -> None:
    session = scored(*field(420, -50), scoring=Scoring.TOTAL_POINTS)
    assert worths(session) == [(420, -420), (-50, 50)]


@given(st.lists(POINTS, min_size=2, max_size=8))
def test_law_78_a_matchpoints_of_a_board_sum_to_its_tops(points: list[int]) -> None:
    session = scored(*field(*points))
    top = 2 * (len(points) - 1)
    won = [worth for row in worths(session) for worth in row if worth is not None]
    assert sum(won) == top * len(points)


@given(st.lists(POINTS, min_size=2, max_size=8))
def test_law_78_b_cross_imps_of_a_board_sum_to_zero(points: list[int]) -> None:
    material = Material("friday", tuple(field(*points)), scoring=Scoring.CROSS_IMPS)
    (traveller,) = score(material).travellers
    for side in Side:
        assert sum(row.worth(side) or 0 for row in traveller.rows) == 0


@pytest.mark.parametrize("scoring", [Scoring.MATCHPOINTS, Scoring.CROSS_IMPS])
@settings(max_examples=examples(100))
@given(events())
def test_law_78_boards_are_worth_what_their_pairs_compared_are(
    scoring: Scoring, results: list[TableResult]
) -> None:
    session = scored(*results, scoring=scoring)
    expected = worth_of(lines_of(results), scoring)
    rows = [row for traveller in session.travellers for row in traveller.rows]
    assert {
        (place, side): worth
        for place, row in enumerate(rows)
        for side in SIDES
        if (worth := row.worth(side)) is not None
    } == expected
