"""Who may do what at the desk: the one table that every page and command asks."""

from enum import StrEnum

from desk.director import Order
from desk.role import Role
from laws.actions import Overrule
from laws.header import ScriptError
from laws.script import parse_line
from protocol.payloads import Service


class Right(StrEnum):
    """What a page or a command asks for."""

    LOOK = "look"
    """See the public facts of the tables, and the terminals."""
    KNOW = "know"
    """See what waits for the Director: calls, questions, suspicions, hands."""
    DIRECT = "direct"
    """Give the commands that every Director gives."""
    OVERRULE = "overrule"
    """Undo a ruling, or drop one that is proposed."""
    ADJUST = "adjust"
    """Adjust a score, or take a penalty from one."""


_ALL = frozenset(Role)
_DIRECTING = frozenset({Role.DIRECTOR, Role.ASSISTANT})

RIGHTS: dict[Right, frozenset[Role]] = {
    Right.LOOK: _ALL,
    Right.KNOW: _DIRECTING,
    Right.DIRECT: _DIRECTING,
    Right.OVERRULE: frozenset({Role.DIRECTOR}),
    Right.ADJUST: frozenset({Role.DIRECTOR}),
}
"""The roles that have each right."""

SERVICES: dict[Service, Right] = {
    Service.OPEN: Right.DIRECT,
    Service.CLOSE: Right.DIRECT,
    Service.RELEASE: Right.DIRECT,
    Service.CONFIRM: Right.DIRECT,
    Service.REJECT: Right.OVERRULE,
    Service.ATTEND: Right.DIRECT,
    Service.ROUND: Right.DIRECT,
    Service.DEAL: Right.DIRECT,
    Service.HANDS: Right.KNOW,
    Service.ADJUST: Right.ADJUST,
    Service.PENALTY: Right.ADJUST,
}
"""The right that each service asks for."""


def may(role: Role, right: Right) -> bool:
    """Whether a role has a right."""
    return role in RIGHTS[right]


def right_for(order: Order) -> Right:
    """The right that a command asks for."""
    if order.service is not None:
        return SERVICES[order.service]
    try:
        action = parse_line(order.happening)
    except ScriptError:
        return Right.DIRECT  # the referee refuses it, with the reason
    return Right.OVERRULE if isinstance(action, Overrule) else Right.DIRECT
