"""The Director's commands as he types them."""

import pytest
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.orders import SERVICES, OrderError, read_order
from desk.director import Order
from laws.seats import Side
from protocol.payloads import (
    Adjustment,
    Artificial,
    Outcome,
    Penalty,
    PenaltyUnit,
    Service,
    SideScore,
)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("director comparable yes", Order(happening="director comparable yes")),
        ("director award E 3", Order(happening="director award E 3")),
        ("next S P", Order(happening="next S P")),
        ("confirm 2", Order(service=Service.CONFIRM, ruling=2)),
        ("reject 2", Order(service=Service.REJECT, ruling=2)),
        ("attend 7", Order(service=Service.ATTEND, subject=7)),
        ("open 12", Order(service=Service.OPEN, board=12)),
        ("round 2", Order(service=Service.ROUND, round=2)),
        ("hands", Order(service=Service.HANDS)),
        (
            "adjust NS A+ EW A-: board fouled",
            Order(
                service=Service.ADJUST,
                adjustment=Adjustment(
                    SideScore(artificial=Artificial.PLUS),
                    SideScore(artificial=Artificial.MINUS),
                    "board fouled",
                ),
            ),
        ),
        (
            "adjust NS +420 (4S by N) 60 %, -50 40 % EW -50",
            Order(
                service=Service.ADJUST,
                adjustment=Adjustment(
                    SideScore(outcomes=(Outcome(420, 60, "4S by N"), Outcome(-50, 40))),
                    SideScore(outcomes=(Outcome(-50),)),
                ),
            ),
        ),
        ("adjust off", Order(service=Service.ADJUST, adjustment=Adjustment())),
        (
            "penalty EW 2.5 imps: late",
            Order(
                service=Service.PENALTY,
                penalty=Penalty(Side.EAST_WEST, 2.5, PenaltyUnit.IMPS, "late"),
            ),
        ),
        ("close", Order(service=Service.CLOSE)),
        ("release t1-n", Order(service=Service.RELEASE, terminal="t1-n")),
        ("drop t1-n", Order(service=Service.RELEASE, terminal="t1-n", drop=True)),
    ],
)
def test_commands_are_the_table_script_and_a_few_services(
    text: str, order: Order
) -> None:
    assert read_order(text) == order


def test_a_command_may_be_about_an_earlier_playing() -> None:
    assert read_order("director damage yes", 3).play == 3
    assert read_order("confirm 1", 3).play == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected a happening, got an empty line; or a service: confirm, reject"),
        ("director comparable", "expected an answer to comparable, got nothing"),
        ("confirm", "expected the number of a proposed ruling, got nothing"),
        ("open seven", "expected the number of a board, got 'seven'"),
        ("close 3", "close: expected nothing else"),
        ("release", "expected the id of a terminal, got nothing"),
        ("release T1", "expected 1 to 32 of the characters a-z, 0-9, _ and -"),
        ("hands N", "hands: expected nothing else, got 'N'"),
        ("adjust NS A+", "adjust: expected NS SCORE EW SCORE: REASON, or off, got"),
        ("adjust NS A+ EW B", "adjust: expected A+, A, A- or points such as +420 60 %"),
        ("adjust NS 420 60 % EW A", "outcomes: expected 100 % together, got 60 %"),
        ("adjust NS 425 EW A", "score_ns: expected a score that ends in 0, got 425"),
        ("adjust NS 9990 EW A", "Expected `int` <= 7600"),
        ("penalty EW 10", "penalty: expected NS or EW, an amount and one of percent"),
        (f"adjust off: {'x' * 121}", "length <= 120"),
        (f"S 1S {'x' * 200}", "expected"),
    ],
)
def test_what_is_no_command_says_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(OrderError) as caught:
        read_order(text)
    assert expected in str(caught.value)


def test_the_help_lists_every_service() -> None:
    help_text = CliRunner().invoke(app, ["direct", "--help"], env={"COLUMNS": "200"})
    assert [word for word in SERVICES if word not in help_text.output] == []
