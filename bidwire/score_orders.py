"""Scores and penalties as the Director types them, and as the log tells them.

adjust NS A+ EW A-: board fouled
adjust NS +420 60 %, -50 40 % EW -50: slow signal      the weighted outcomes of Law 12C1
adjust off
penalty EW 10 percent: late
"""

import re
from typing import TypeVar

import msgspec

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
        return _checked(Adjustment, reason=reason)
    match = _ADJUST.fullmatch(said)
    if match is None:
        raise ScoreError(
            f"adjust: expected NS SCORE EW SCORE: REASON, or off, got {text!r}"
        )
    ns, ew = _side_score(match["ns"]), _side_score(match["ew"])
    return _checked(Adjustment, ns=ns, ew=ew, reason=reason)


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
        outcome = _checked(
            Outcome,
            score_ns=int(match["score"]),
            percent=int(match["percent"] or 100),
            told=match["told"] or "",
        )
        outcomes.append(outcome)
    return _checked(SideScore, outcomes=outcomes)


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
    return _checked(
        Penalty,
        side=match["side"],
        amount=float(match["amount"]),
        unit=match["unit"],
        reason=reason,
    )


def _checked(kind: type[T], **fields: object) -> T:
    """Make a part of a message, held to the limits of one that comes."""
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise ScoreError(str(error)) from None
