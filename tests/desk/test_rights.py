"""The table of rights."""

import pytest

from desk.director import Order
from desk.rights import RIGHTS, SERVICES, Right, may, right_for
from desk.role import Role
from protocol.payloads import Service


def test_every_right_and_every_service_stands_in_the_table() -> None:
    assert set(RIGHTS) == set(Right)
    assert set(SERVICES) == set(Service)


@pytest.mark.parametrize(
    ("right", "roles"),
    [
        (Right.LOOK, "director assistant readonly"),
        (Right.KNOW, "director assistant"),
        (Right.DIRECT, "director assistant"),
        (Right.OVERRULE, "director"),
        (Right.ADJUST, "director"),
    ],
)
def test_who_has_a_right(right: Right, roles: str) -> None:
    assert {role for role in Role if may(role, right)} == set(roles.split())


@pytest.mark.parametrize(
    ("order", "right"),
    [
        (Order(happening="director overrule 2"), Right.OVERRULE),
        (Order(happening="  director   overrule  2 "), Right.OVERRULE),
        (Order(service=Service.REJECT, ruling=2), Right.OVERRULE),
        (Order(happening="director comparable yes"), Right.DIRECT),
        (Order(happening="director correct 7"), Right.DIRECT),
        (Order(happening="nonsense"), Right.DIRECT),
        (Order(service=Service.CONFIRM, ruling=2), Right.DIRECT),
        (Order(service=Service.HANDS, play=2), Right.KNOW),
        (Order(service=Service.ADJUST, play=2), Right.ADJUST),
        (Order(service=Service.PENALTY, play=2), Right.ADJUST),
    ],
)
def test_the_right_that_a_command_asks_for(order: Order, right: Right) -> None:
    assert right_for(order) is right
