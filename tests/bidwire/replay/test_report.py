"""The report of a replay: its shape is an interface."""

import json

import pytest

from bidwire.replay.report import BoardReport, encode, make_report, percentile


def test_the_report_has_the_documented_shape() -> None:
    board = BoardReport(
        file="a.pbn",
        board="7",
        line=12,
        contract="4SX",
        declarer="N",
        tricks={"NS": 10, "EW": 3},
    )
    report = json.loads(encode(make_report([board], 56, [0.001, 0.004], 1.5)))
    assert report == {
        "boards": [
            {
                "file": "a.pbn",
                "board": "7",
                "line": 12,
                "contract": "4SX",
                "declarer": "N",
                "tricks": {"NS": 10, "EW": 3},
                "rulings": [],
                "injected": [],
                "differences": [],
                "error": None,
            }
        ],
        "totals": {
            "boards": 1,
            "differences": 0,
            "rulings": 0,
            "errors": 0,
            "events": 56,
        },
        "latency_ms": {"median": 1.0, "p99": 4.0},
        "seconds": 1.5,
    }


@pytest.mark.parametrize(
    ("percent", "expected"), [(50, 50.0), (99, 99.0), (100, 100.0), (1, 1.0)]
)
def test_percentiles_are_by_nearest_rank(percent: float, expected: float) -> None:
    assert percentile([n / 1000 for n in range(100, 0, -1)], percent) == expected


def test_nothing_measured_has_no_percentile() -> None:
    assert percentile([], 50) is None
