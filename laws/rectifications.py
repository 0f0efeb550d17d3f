"""What Laws 30, 31 and 32 prescribe, by what was called and whose turn it was.

Two tables of facts, one for each edition; ``out_of_rotation`` applies them and
``editions`` says which one is in force.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from laws.auction_state import CallClass, DueKind, Position
from laws.rulings import Scope


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows when the offender has made the call in place of a cancelled one.

    Attributes:
        law: the paragraph that decides.
        laws: others on the way.
        partner: how long his partner must pass.
        restricts: Law 26 applies.
        awareness: Law 23 (2007) or 72C (2017) is named.
    """

    law: str
    laws: tuple[str, ...] = ()
    partner: Scope | None = None
    restricts: bool = False
    awareness: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectification:
    """What follows when LHO has not accepted a call out of rotation.

    Attributes:
        law: the paragraph that decides at once.
        laws: others on the way.
        offender: how long the offender must pass.
        partner: how long his partner must pass.
        no_double: his partner may not double or redouble at this turn.
        awareness: Law 23 (2007) is named.
        then: what the offender's call in its place decides.
        repeat: the paragraph by which he must repeat the call when RHO passes.
        acted: what follows as soon as RHO does anything else.
        same: what follows when his call repeats the denomination (2007) or is
            comparable (2017).
        other: what follows when it is not.
    """

    law: str
    laws: tuple[str, ...] = ()
    offender: Scope | None = None
    partner: Scope | None = None
    no_double: bool = False
    awareness: bool = False
    then: DueKind | None = None
    repeat: str = ""
    acted: Outcome | None = None
    same: Outcome | None = None
    other: Outcome | None = None


Rectifications = Mapping[tuple[CallClass, Position], Rectification]

_NEXT, _REST = Scope.NEXT_TURN, Scope.REST_OF_AUCTION
_BEFORE, _PASS = CallClass.PASS_BEFORE_BID, CallClass.PASS
_BID, _DOUBLE = CallClass.BID, CallClass.DOUBLE
_RHO, _PARTNER, _LHO = Position.RHO, Position.PARTNER, Position.LHO

_30A_2007 = Rectification(law="30A", laws=("29B",), offender=_NEXT, awareness=True)
_30B1_2007 = Rectification(law="30B1", laws=("29B",), offender=_NEXT)
_31B_2007 = Rectification(
    law="31B",
    laws=("29B",),
    partner=_REST,
    awareness=True,
    then=DueKind.RESTRICTION,
)
_32A_2007 = Rectification(
    law="32A",
    laws=("29B",),
    partner=_REST,
    awareness=True,
    then=DueKind.RESTRICTION,
)

RECTIFICATIONS_2007: Rectifications = {
    (_BEFORE, _RHO): _30A_2007,
    (_BEFORE, _PARTNER): _30A_2007,
    (_BEFORE, _LHO): _30A_2007,
    (_PASS, _RHO): _30B1_2007,
    (_PASS, _PARTNER): Rectification(
        law="30B2(a)",
        laws=("29B", "30B2(b)"),
        offender=_REST,
        no_double=True,
        awareness=True,
    ),
    # Somebody has bid and the dealer has not called: no auction leads here, since an
    # earlier caller at this turn is one who changes his call (30B3).
    (_PASS, _LHO): _30B1_2007,
    (_BID, _RHO): Rectification(
        law="29B",
        laws=("31A",),
        then=DueKind.REPLACES_OUT_OF_ROTATION,
        repeat="31A1",
        same=Outcome("31A2(a)", partner=_NEXT, awareness=True),
        other=Outcome("31A2(b)", partner=_REST, restricts=True, awareness=True),
    ),
    (_BID, _PARTNER): _31B_2007,
    (_BID, _LHO): _31B_2007,
    (_DOUBLE, _RHO): Rectification(
        law="29B",
        laws=("32B",),
        then=DueKind.REPLACES_OUT_OF_ROTATION,
        repeat="32B1",
        acted=Outcome("32B2", partner=_REST, restricts=True, awareness=True),
    ),
    (_DOUBLE, _PARTNER): _32A_2007,
    (_DOUBLE, _LHO): _32A_2007,
}


def _chosen(same: str, other: str, *on_the_way: str) -> tuple[Outcome, Outcome]:
    return (
        Outcome(same, (*on_the_way, "23C")),
        Outcome(other, on_the_way, _NEXT, restricts=True, awareness=True),
    )


def _at_rho(repeat: str, way: str, same: str, other: str) -> Rectification:
    comparable, not_comparable = _chosen(same, other)
    return Rectification(
        law="29B",
        laws=(way,),
        then=DueKind.REPLACES_OUT_OF_ROTATION,
        repeat=repeat,
        same=comparable,
        other=not_comparable,
    )


def _elsewhere(law: str, way: str, same: str, other: str) -> Rectification:
    comparable, not_comparable = _chosen(same, other, way)
    return Rectification(
        law=law,
        laws=("29B",),
        then=DueKind.REPLACES_OUT_OF_ROTATION,
        same=comparable,
        other=not_comparable,
    )


_30A_2017 = Rectification(law="30A", laws=("29B",), offender=_NEXT)
_30B1_2017 = _elsewhere("30B1(a)", "30B1(b)", "30B1(b)(i)", "30B1(b)(ii)")
_31B1_2017 = _elsewhere("31B1", "31B2", "31A2(a)", "31A2(b)")
_32B1_2017 = _elsewhere("32B1", "32B2", "32A2(a)", "32A2(b)")

RECTIFICATIONS_2017: Rectifications = {
    (_BEFORE, _RHO): _30A_2017,
    (_BEFORE, _PARTNER): _30B1_2017,
    (_BEFORE, _LHO): _30B1_2017,
    (_PASS, _RHO): _30A_2017,
    (_PASS, _PARTNER): _30B1_2017,
    (_PASS, _LHO): _30B1_2017,
    (_BID, _RHO): _at_rho("31A1", "31A", "31A2(a)", "31A2(b)"),
    (_BID, _PARTNER): _31B1_2017,
    (_BID, _LHO): _31B1_2017,
    (_DOUBLE, _RHO): _at_rho("32A1", "32A", "32A2(a)", "32A2(b)"),
    (_DOUBLE, _PARTNER): _32B1_2017,
    (_DOUBLE, _LHO): _32B1_2017,
}
