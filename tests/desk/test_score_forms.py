"""Scores as Directors type them (Laws 12C1, 12C2, 77, 90)."""

import pytest

from desk.catalogue import catalogue
from desk.score_forms import ScoreError, ScoreForm, outcome_of
from laws.seats import Side
from protocol.scores import Artificial, Outcome, Penalty, PenaltyUnit

NS, EW = Side
ENGLISH, SPANISH = catalogue("en"), catalogue("es")

WHY = {"reason": "Law 16B"}


@pytest.mark.parametrize(
    ("typed", "score", "told"),
    [
        ("4HX-1 N", -100, "4HX-1 N"),
        ("4♥-1 O", 50, "4H-1 W"),
        ("4hx-1n", -100, "4HX-1 N"),
        ("4♥×−1 N", -100, "4HX-1 N"),  # noqa: RUF001 - as people type
        ("3NT= S", 400, "3NT= S"),
        ("3N S =", 400, "3NT= S"),
        ("2S+1 E", -140, "2S+1 E"),
        ("1NTXX+2 W", -960, "1NTXX+2 W"),
        ("7NT-13 N", -650, "7NT-13 N"),
        ("pass", 0, "Pass"),
        ("-420", -420, ""),
        ("+50", 50, ""),
        ("0", 0, ""),
    ],
)
def test_an_outcome_is_a_contract_with_its_result_or_points(
    typed: str, score: int, told: str
) -> None:
    assert outcome_of(typed, (), 60, ENGLISH) == Outcome(score, 60, told)


def test_law_77_scores_by_who_is_vulnerable() -> None:
    assert outcome_of("4HX-1 N", (NS,), 100, ENGLISH).score_ns == -200
    assert outcome_of("4HX-1 N", (EW,), 100, ENGLISH).score_ns == -100
    assert outcome_of("4H= W", (EW,), 100, ENGLISH).score_ns == -620


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "expected a contract"),
        ("4H", "expected a contract"),
        ("4H=", "expected a contract"),
        ("N 4H= S", "expected a contract"),
        ("8H= N", "expected a contract"),
        ("4HXXX= N", "expected a contract"),
        ("4H+4 N", "14 tricks"),
        ("1C-8 N", "-1 tricks"),
        ("425", "end in 0"),
        ("7610", "7600 at most"),
        ("<b>", "expected a contract"),
    ],
)
def test_what_is_no_outcome_is_told(typed: str, told: str) -> None:
    with pytest.raises(ScoreError, match=told):
        outcome_of(typed, (), 100, ENGLISH)


def test_one_outcome_needs_no_weight_and_counts_for_both_sides() -> None:
    form = ScoreForm({"ns": "assigned", "ns-outcome-2": "4S= N", "ew": "same"} | WHY)
    given = form.adjustment((), ENGLISH)
    assert form.wrong == []
    assert given is not None
    assert given.ns == given.ew
    assert given.ns is not None
    assert given.ns.outcomes == (Outcome(420, 100, "4S= N"),)
    assert given.reason == "Law 16B"


def test_law_12c1c_weighs_outcomes_and_splits_the_score() -> None:
    form = ScoreForm(
        {
            "ns": "assigned",
            "ns-outcome-1": "4S= N",
            "ns-weight-1": "60 %",
            "ns-outcome-2": "-50",
            "ns-weight-2": "40",
            "ew": "A-",
        }
        | WHY
    )
    given = form.adjustment((), ENGLISH)
    assert given is not None
    assert given.ns is not None
    assert [outcome.percent for outcome in given.ns.outcomes] == [60, 40]
    assert given.ew is not None
    assert given.ew.artificial is Artificial.MINUS


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"ns": "A+", "ew": "A-", "reason": " "}, "Reason: it stands in the log"),
        ({"ns": "A+", "ew": "A-", "reason": "x" * 121}, "Reason: 120 characters"),
        ({"ns": "A+", "ew": "same"}, "East-West: an artificial score"),
        ({"ew": "A"}, "NS: choose a score."),
        ({"ns": "A"}, "EW: choose a score."),
        ({"ns": "assigned", "ew": "A"}, "NS: write at least one outcome."),
        (
            {
                "ns": "assigned",
                "ns-outcome-1": "0",
                "ns-weight-1": "50",
                "ns-outcome-2": "100",
                "ns-weight-2": "40",
                "ew": "same",
            },
            "NS: the weights make 90 %, not 100 %.",
        ),
        (
            {"ns": "assigned", "ns-outcome-1": "0", "ns-weight-1": "0", "ew": "same"},
            "NS: weight: expected 1 to 100, got 0",
        ),
        (
            {"ns": "A", "ew": "assigned", "ew-outcome-1": "4H", "ew-weight-1": ""},
            "EW: 4H: expected a contract",
        ),
    ],
)
def test_what_is_wrong_with_an_adjusted_score_is_told(
    fields: dict[str, str], told: str
) -> None:
    form = ScoreForm(WHY | fields)
    assert form.adjustment((), ENGLISH) is None
    assert any(line.startswith(told) for line in form.wrong), form.wrong


def test_all_that_is_wrong_is_told_at_once_and_in_spanish() -> None:
    form = ScoreForm({"ns": "assigned", "ns-outcome-1": "4H"})
    assert form.adjustment((), SPANISH) is None
    assert len(form.wrong) == 3
    assert form.wrong[0].startswith("Motivo:")


def test_an_adjusted_score_is_taken_back_with_a_reason() -> None:
    given = ScoreForm(WHY).withdrawal(ENGLISH)
    assert given is not None
    assert given.is_withdrawn
    assert ScoreForm().withdrawal(ENGLISH) is None


def test_a_penalty_takes_a_decimal_comma_too() -> None:
    form = ScoreForm({"side": "EW", "amount": "0,5", "unit": "vps", "reason": "late"})
    assert form.penalty(ENGLISH) == Penalty(EW, 0.5, PenaltyUnit.VPS, "late")


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": "-1"},
        {"amount": ""},
        {"amount": "1e9"},
        {"amount": "nan"},
        {"side": "N"},
        {"unit": "matchpoints"},
        {"reason": ""},
    ],
)
def test_what_is_no_penalty_is_told(fields: dict[str, str]) -> None:
    whole = {"side": "NS", "amount": "10", "unit": "percent", "reason": "slow play"}
    form = ScoreForm(whole | fields)
    assert form.penalty(ENGLISH) is None
    assert len(form.wrong) == 1
