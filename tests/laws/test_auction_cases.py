"""Rulings of the casebook that take more than a plain sequence of calls."""

from pathlib import Path

from laws.engine import begin, decide
from laws.report import report
from laws.script import parse_script
from tests.laws.tables import Told

CASES = Path(__file__).parent / "cases"


def case(name: str) -> Told:
    """What is told after a case's table script."""
    script = parse_script((CASES / f"{name}.table").read_text())
    state = begin(script.board)
    for step in script.steps:
        state = decide(state, step).state
    return Told(report(state))


def test_r_call_59_law_26_b_after_a_call_withdrawn_under_21_b_2() -> None:
    table = case("R-CALL-59-2017")
    assert table.laws == ["21B1", "21B2"]
    assert "26B" in table.ruling("21B2")["laws"]
    assert table.leads == [("N", "forbid_one", "CDHS")]
    assert table.bars == {}
    assert table.auction == "W:1H N:2H E:P S:P"
    assert table.withdrawn == "E:3H S:3S"
