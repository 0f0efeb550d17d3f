"""Law 12C2: what an artificial adjusted score is worth."""

from fractions import Fraction

import pytest

from laws.artificial_scores import artificial_imps, artificial_percent


@pytest.mark.parametrize(
    ("award", "others", "percent"),
    [
        ("A+", None, 60),
        ("A", None, 50),
        ("A-", None, 40),
        ("A+", 55, 60),
        ("A+", Fraction(6432, 100), Fraction(6432, 100)),
        ("A-", 45, 40),
        ("A-", Fraction(3520, 100), Fraction(3520, 100)),
        ("A", 70, 50),
        ("A", 30, 50),
    ],
)
def test_law_12_c_2_c_the_session_modifies_average_plus_and_minus(
    award: str, others: Fraction | None, percent: Fraction
) -> None:
    assert artificial_percent(award, others) == percent


@pytest.mark.parametrize(
    ("award", "others", "points"),
    [
        ("A+", None, 3),
        ("A", 2, 0),
        ("A-", None, -3),
        ("A+", Fraction(7, 2), Fraction(7, 2)),
        ("A-", Fraction(-4), -4),
    ],
)
def test_law_12_c_2_b_three_imps_or_the_session(
    award: str, others: Fraction | None, points: Fraction
) -> None:
    assert artificial_imps(award, others) == points
