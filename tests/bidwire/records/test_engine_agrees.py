"""Engine and planner, made apart, come to the same rulings on injected boards."""

from typing import Any

import pytest

from bidwire.records import Injected, Kind, Plan, board_random, plan_board
from laws.board import Edition
from laws.engine import begin, decide
from laws.report import report
from laws.steps import Step
from tests.bidwire.records.test_inject import make_record

BOTH = {Kind.OUT_OF_TURN, Kind.REVOKE}


def judged(plan: Plan, *, hide_deal: bool) -> dict[str, Any]:
    state = begin(plan.record.board_for(plan.edition, hide_deal=hide_deal))
    for number, happening in enumerate(plan.happenings, 1):
        state = decide(state, Step(number, happening.action)).state
    return report(state)


@pytest.mark.parametrize("hide_deal", [False, True], ids=["deal known", "deal hidden"])
@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("kinds", [set(), {Kind.OUT_OF_TURN}, {Kind.REVOKE}, BOTH])
def test_every_injected_irregularity_is_found_and_none_is_invented(
    kinds: set[Kind], edition: Edition, hide_deal: bool
) -> None:
    for seed in range(60):
        plan = plan_board(make_record(seed), edition, kinds, board_random(seed, 1))
        found = judged(plan, hide_deal=hide_deal)
        assert found["refused"] == []
        assert contract_in(found) == str(plan.contract)
        assert found["tricks"] == {s.value: n for s, n in plan.tricks.items()}
        transfer = plan.transfer
        assert found["transfer"] == (
            transfer and {"to": transfer.to.value, "tricks": transfer.tricks}
        )
        assert [
            (r["seat"], r["trick"], r["rule"], r["moved"]) for r in found["revokes"]
        ] == [
            (i.seat.value, i.trick, i.law, i.moved)
            for i in plan.injected
            if i.kind is Kind.REVOKE
        ]
        calls = [i for i in plan.injected if i.kind is Kind.OUT_OF_TURN]
        ruled = [r for r in found["rulings"] if r["irregularity"] != "revoke"]
        assert bool(calls) == bool(ruled)
        for injected in calls:
            assert_ruled(injected, ruled)


def assert_ruled(injected: Injected, rulings: list[dict[str, Any]]) -> None:
    assert {r["offender"] for r in rulings} == {injected.seat.value}
    assert {r["irregularity"] for r in rulings} == {injected.irregularity}
    assert injected.law in {r["law"] for r in rulings}
    effects = [effect for ruling in rulings for effect in ruling["effects"]]
    for effect in injected.effects:
        assert dict(effect) in effects


def contract_in(found: dict[str, Any]) -> str:
    contract = found["contract"]
    if contract == "passed out":
        return str(contract)
    text = f"{contract['level']}{contract['denomination']}{contract['risk']}"
    return f"{text} by {contract['declarer']}"
