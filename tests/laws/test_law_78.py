"""Law 78: matchpoints, IMPs and total points across the tables that played a board."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.duplicate_scoring import (
    IMP_STEPS,
    Score,
    butler,
    cross_imps,
    datum,
    imps,
    matchpoints,
    neuberg,
    plain,
    reversed_score,
    team_imps,
    total_points,
    victory_points,
    weighted,
)
from tests.laws import scoring_by_pairs
from tests.long import examples

# The Law's table, written out: from how many points on, and how many IMPs that is.
IMP_TABLE = """
20 1  50 2  90 3  130 4  170 5  220 6  270 7  320 8  370 9  430 10  500 11  600 12
750 13  900 14  1100 15  1300 16  1500 17  1750 18  2000 19  2250 20  2500 21
3000 22  3500 23  4000 24
"""

POINTS = st.integers(-760, 760).map(lambda tens: 10 * tens)
FIELD = st.lists(POINTS.map(plain), min_size=1, max_size=12)
TIES = st.sampled_from([-100, -50, 0, 50, 170, 420, 430, 620])
OUTCOMES = st.lists(
    st.tuples(st.integers(1, 100), POINTS | TIES), min_size=1, max_size=3
)
SCORE = TIES.map(plain) | POINTS.map(plain) | OUTCOMES.map(weighted)


def field(*points: int) -> list[Score]:
    return [plain(each) for each in points]


def half(one: int, other: int) -> Score:
    return weighted([(50, one), (50, other)])


def numbers(worth: tuple[Fraction, ...]) -> list[float]:
    return [float(each) for each in worth]


def test_law_78_a_two_for_each_pair_beaten_and_one_for_each_tie() -> None:
    # Five tables, reckoned by hand: 430 beats all, the two 420 tie, -50 beats -100.
    scores = field(420, 430, -50, 420, -100)
    assert numbers(matchpoints(scores)) == [5, 8, 2, 5, 0]
    other_side = [reversed_score(score) for score in scores]
    assert numbers(matchpoints(other_side)) == [3, 0, 6, 3, 8]


def test_law_78_a_a_weighted_score_counts_the_mean_of_its_outcomes() -> None:
    # 620 alone would have 4 of 4, -100 alone 0: half of each is 2. The others have
    # against it the mean of a loss and a win.
    scores = [half(620, -100), plain(170), plain(140)]
    assert numbers(matchpoints(scores)) == [2, 3, 1]


@pytest.mark.parametrize(
    ("points", "scores", "of", "expected"),
    [
        (12, 7, 7, 12),  # nobody is missing
        (12, 7, 8, Fraction(97, 7)),  # a top of 7 scores, factored to 8: 13.857 of 14
        (0, 7, 8, Fraction(1, 7)),  # and the bottom: 0.143
        (6, 7, 8, 7),  # average stays average
        (0, 1, 8, 7),  # a score alone is average
    ],
)
def test_law_78_a_neuberg_factors_a_board_with_fewer_scores(
    points: int, scores: int, of: int, expected: Fraction
) -> None:
    assert neuberg(Fraction(points), scores, of) == expected


@given(FIELD, st.integers(0, 5))
def test_law_78_a_the_mean_of_a_board_is_average(
    scores: list[Score], missing: int
) -> None:
    of = len(scores) + missing
    top = 2 * (of - 1)
    assert sum(matchpoints(scores, of)) == Fraction(top, 2) * len(scores)


@given(FIELD)
def test_law_78_a_both_sides_share_the_top(scores: list[Score]) -> None:
    top = 2 * (len(scores) - 1)
    other_side = matchpoints([reversed_score(score) for score in scores])
    both = zip(matchpoints(scores), other_side, strict=True)
    assert {ours + theirs for ours, theirs in both} == {top}


@settings(max_examples=examples(100))
@given(st.lists(SCORE, max_size=8), st.integers(0, 5))
def test_law_78_a_b_a_field_counted_is_worth_what_its_pairs_compared_are(
    scores: list[Score], missing: int
) -> None:
    of = len(scores) + missing
    assert matchpoints(scores, of) == scoring_by_pairs.matchpoints(scores, of)
    assert cross_imps(scores) == scoring_by_pairs.cross_imps(scores)


def test_law_78_b_the_table_of_imps() -> None:
    words = IMP_TABLE.split()
    table = dict(zip(map(int, words[::2]), map(int, words[1::2]), strict=True))
    assert tuple(table) == IMP_STEPS
    for difference in range(0, 7610, 10):
        worth = max((n for d, n in table.items() if d <= difference), default=0)
        assert (imps(difference), imps(-difference)) == (worth, -worth)


def test_law_78_b_cross_imps_are_the_mean_against_all_others() -> None:
    # 620 against 170 and -100: 450 is 10, 720 is 12. 170 against -100: 270 is 7.
    assert numbers(cross_imps(field(620, 170, -100))) == [11, -1.5, -9.5]
    assert numbers(cross_imps(field(620))) == [0]


@given(FIELD)
def test_law_78_b_cross_imps_of_a_board_sum_to_zero(scores: list[Score]) -> None:
    assert sum(cross_imps(scores)) == 0


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((420, 430), 430),  # 425: a five goes away from zero
        ((-420, -430), -430),
        ((420, 430, 420, -50), 310),  # 305, nothing trimmed
        ((1430, 420, 430, 420, -50), 420),  # without 1430 and -50
    ],
)
def test_law_78_b_the_datum_is_a_trimmed_mean_to_ten(
    points: tuple[int, ...], expected: int
) -> None:
    assert datum(field(*points)) == expected


def test_law_78_b_butler_is_against_the_datum() -> None:
    # Datum 420: 1430 is 1010 over, 14 IMPs; 430 is 10 over, nothing; -50 is -10.
    assert numbers(butler(field(1430, 420, 430, 420, -50))) == [14, 0, 0, 0, -10]
    # Half of 620 and half of 170 in a field of 400: datum 400, (6 - 6) / 2.
    assert numbers(butler([half(620, 180), plain(400)])) == [0, 0]


def test_law_78_b_a_team_has_the_imps_of_both_tables() -> None:
    assert team_imps(plain(620), plain(-170)) == 10
    # Assigned: 60 % of 620 and 40 % of -100 beside -170: 0.6 * 10 - 0.4 * 7.
    assigned = weighted([(60, 620), (40, -100)])
    assert team_imps(assigned, plain(-170)) == Fraction(32, 10)


def test_law_78_c_total_points_are_the_points() -> None:
    assert total_points(plain(-430)) == -430
    assert total_points(half(620, -100)) == 260


@pytest.mark.parametrize(
    ("margin", "boards", "expected"),
    [(0, 16, "10"), (10, 16, "12.80"), (-10, 16, "7.20"), (60, 16, "20"), (99, 1, 20)],
)
def test_victory_points_rise_steeply_and_end_at_20(
    margin: int, boards: int, expected: str
) -> None:
    assert victory_points(Fraction(margin), boards) == Fraction(expected)


@given(st.integers(-200, 200), st.integers(1, 48))
def test_victory_points_of_a_match_are_20(margin: int, boards: int) -> None:
    lost = victory_points(Fraction(-margin), boards)
    assert victory_points(Fraction(margin), boards) + lost == 20
