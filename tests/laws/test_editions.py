"""The two editions differ by the table of differences, and by nothing else."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laws import editions
from laws.actions import Action
from laws.board import Board, Edition
from laws.calls import Call
from laws.engine import ImpossibleActionError, begin, decide
from laws.report import report
from laws.steps import Step
from tests.laws.test_auction_properties import ACTIONS, BOARDS
from tests.laws.test_play_properties import CONTRACTS, Hands, bid, boards, happenings
from tests.long import examples

TABLE = settings(
    max_examples=examples(30),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.fixture(params=list(Edition))
def one_table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both editions by the table of one of them."""
    rules = editions.rules_of(request.param)
    monkeypatch.setattr(editions, "_RULES", dict.fromkeys(Edition, rules))


def assert_judged_alike(board: Board, actions: list[Action]) -> None:
    """Both editions judge the same happenings to the same report, line by line."""
    older = begin(replace(board, edition=Edition.LAWS_2007))
    newer = begin(replace(board, edition=Edition.LAWS_2017))
    for line, action in enumerate(actions, 1):
        try:
            older = decide(older, Step(line, action)).state
        except ImpossibleActionError:
            with pytest.raises(ImpossibleActionError):
                decide(newer, Step(line, action))
            continue
        newer = decide(newer, Step(line, action)).state
        assert {**report(older), "edition": ""} == {**report(newer), "edition": ""}


@pytest.mark.usefixtures("one_table")
@TABLE
@given(BOARDS, ACTIONS)
def test_by_one_table_both_editions_judge_every_auction_alike(
    board: Board, actions: list[Action]
) -> None:
    assert_judged_alike(board, actions)


@pytest.mark.usefixtures("one_table")
@TABLE
@given(boards(), CONTRACTS, st.data())
def test_by_one_table_both_editions_judge_every_play_alike(
    table: tuple[Board, Hands], call: Call, data: st.DataObject
) -> None:
    board, hands = table
    state, _ = bid(board, call)
    actions = [step.action for step in state.steps]
    for line in range(5, 5 + data.draw(st.integers(1, 60))):
        action = data.draw(happenings(state, hands))
        try:
            state = decide(state, Step(line, action)).state
        except ImpossibleActionError:
            continue
        actions.append(action)
    assert_judged_alike(board, actions)
