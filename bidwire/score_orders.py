"""Scores and penalties as the Director types them, and as the log tells them.

adjust NS A+ EW A-: board fouled
adjust NS +420 60 %, -50 40 % EW -50: slow signal      the weighted outcomes of Law 12C1
adjust off
penalty EW 10 percent: late
"""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from laws.seats import Side
from protocol.payloads import (
    Adjustment,
    Artificial,
    Outcome,
    Penalty,
    PenaltyUnit,
    SideScore,
)

T = TypeVar("T", bound=msgspec.Struct)


class ScoreError(ValueError):
    """No score, or no penalty: says what was expected."""


_ADJUST = re.compile(r"NS (?P<ns>.+) EW (?P<ew>.+)")
_OUTCOME = re.compile(
    r"(?P<score>[+-]?[0-9]{1,4})(?: \((?P<told>.+)\))?(?: (?P<percent>[0-9]{1,3}) ?%)?"
)
_PENALTY = re.compile(r"(?P<side>NS|EW) (?P<amount>[0-9]+(?:\.[0-9]+)?) (?P<unit>\w+)")


def read_adjustment(text: str) -> Adjustment:
    """What stands after ``adjust``.

    Raises:
        ScoreError: it is none; says what was expected.
    """
    said, _, reason = (part.strip() for part in text.partition(":"))
    if said == "off":
        return _checked(lambda: Adjustment(reason=reason))
    match = _ADJUST.fullmatch(said)
    if match is None:
        raise ScoreError(
            f"adjust: expected NS SCORE EW SCORE: REASON, or off, got {text!r}"
        )
    ns, ew = _side_score(match["ns"]), _side_score(match["ew"])
    return _checked(lambda: Adjustment(ns, ew, reason))


def _side_score(text: str) -> SideScore:
    if text in {each.value for each in Artificial}:
        return SideScore(artificial=Artificial(text))
    outcomes = []
    for part in text.split(","):
        match = _OUTCOME.fullmatch(part.strip())
        if match is None:
            raise ScoreError(
                f"adjust: expected A+, A, A- or points such as +420 60 %, got {text!r}"
            )
        score, percent = int(match["score"]), int(match["percent"] or 100)
        outcomes.append(_outcome(score, percent, match["told"] or ""))
    return _checked(lambda: SideScore(outcomes=tuple(outcomes)))


def _outcome(score: int, percent: int, told: str) -> Outcome:
    return _checked(lambda: Outcome(score, percent, told))


def read_penalty(text: str) -> Penalty:
    """What stands after ``penalty``.

    Raises:
        ScoreError: it is none; says what was expected.
    """
    said, _, reason = (part.strip() for part in text.partition(":"))
    match = _PENALTY.fullmatch(said)
    units = [unit.value for unit in PenaltyUnit]
    if match is None or match["unit"] not in units:
        raise ScoreError(
            f"penalty: expected NS or EW, an amount and one of {', '.join(units)}, "
            f"got {text!r}"
        )
    side, amount, unit = match["side"], float(match["amount"]), match["unit"]
    return _checked(lambda: Penalty(Side(side), amount, PenaltyUnit(unit), reason))


def _checked(make: Callable[[], T]) -> T:
    """Check what is made as a message on its way would be."""
    try:
        made = make()
        return msgspec.convert(msgspec.to_builtins(made), type(made))
    except (ValueError, msgspec.ValidationError) as error:
        raise ScoreError(str(error)) from None
