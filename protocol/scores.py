"""What the Director gives in place of a result, and what he takes away.

Adjusted scores (Laws 12, 86) and procedural penalties (Laws 90, 91), as they stand in
commands, in the journal and in results.
"""

import re
from enum import StrEnum
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from laws.cards import Denomination
from laws.seats import Seat, Side
from protocol.limits import TEXT_MAX

SCORE_MAX = 7600
"""No contract scores more: seven no trumps redoubled, vulnerable, thirteen down."""

WHOLE = 100
"""Per cent of an assigned score's outcomes together."""


class Artificial(StrEnum):
    """An artificial adjusted score (Law 12C2)."""

    PLUS = "A+"
    """Average plus: to a side in no way at fault."""
    AVERAGE = "A"
    """Average: to a side partially at fault."""
    MINUS = "A-"
    """Average minus: to a side directly at fault."""


class Outcome(msgspec.Struct, frozen=True):
    """One of the outcomes that an assigned score is made of (Law 12C1c)."""

    score_ns: Annotated[int, Meta(ge=-SCORE_MAX, le=SCORE_MAX)]
    """Score of North-South in points."""
    percent: Annotated[int, Meta(ge=1, le=WHOLE)] = WHOLE
    """Its weight."""
    told: Annotated[str, Meta(max_length=TEXT_MAX)] = ""
    """The outcome in words: ``4H by S, 10 tricks``."""

    def __post_init__(self) -> None:
        if self.score_ns % 10:
            raise ValueError(
                f"score_ns: expected a score that ends in 0, got {self.score_ns}"
            )


SYMBOLS = {
    Denomination.CLUBS: "\N{BLACK CLUB SUIT}",
    Denomination.DIAMONDS: "\N{BLACK DIAMOND SUIT}",
    Denomination.HEARTS: "\N{BLACK HEART SUIT}",
    Denomination.SPADES: "\N{BLACK SPADE SUIT}",
    Denomination.NOTRUMP: "NT",
}
"""The denominations for readers of any language: ``C`` is hearts in Spanish."""


class ContractTold(NamedTuple):
    """A contract with its result, as an outcome tells it."""

    level: str
    denomination: Denomination
    result: str
    """The double or redouble, and the tricks over or short: ``X-1``."""
    declarer: Seat


_CONTRACT_TOLD = re.compile(
    r"([1-7])(NT|[CDHS])((?:XX|X|)(?:=|[+-][0-9]{1,2})) ([NESW])"
)


def contract_told(told: str) -> ContractTold | None:
    """The parts of an outcome such as ``4HX-1 N``; None for other words."""
    found = _CONTRACT_TOLD.fullmatch(told)
    if found is None:
        return None
    level, denomination, result, declarer = found.groups()
    return ContractTold(level, Denomination(denomination), result, Seat(declarer))


class SideScore(msgspec.Struct, frozen=True):
    """What one side gets: an artificial score or an assigned one, never both."""

    artificial: Artificial | None = None
    outcomes: Annotated[tuple[Outcome, ...], Meta(max_length=10)] = ()

    def __post_init__(self) -> None:
        if bool(self.outcomes) == (self.artificial is not None):
            raise ValueError("expected either artificial or outcomes")
        weight = sum(outcome.percent for outcome in self.outcomes)
        if self.outcomes and weight != WHOLE:
            raise ValueError(f"outcomes: expected {WHOLE} % together, got {weight} %")


class Adjustment(msgspec.Struct, frozen=True):
    """An adjusted score of a playing; the scores of the sides need not balance."""

    ns: SideScore | None = None
    ew: SideScore | None = None
    """Both null take an earlier adjustment back; never one alone."""
    reason: Annotated[str, Meta(max_length=TEXT_MAX)] = ""

    def __post_init__(self) -> None:
        if (self.ns is None) != (self.ew is None):
            raise ValueError("expected a score for each side, or for none")

    @property
    def is_withdrawn(self) -> bool:
        """Whether it takes an earlier adjustment back."""
        return self.ns is None


class PenaltyUnit(StrEnum):
    """What a procedural penalty is counted in."""

    PERCENT = "percent"
    """Of the matchpoints that could be won on a board."""
    IMPS = "imps"
    VPS = "vps"


class Penalty(msgspec.Struct, frozen=True):
    """A procedural penalty; a later one of the same side and unit replaces it."""

    side: Side
    amount: Annotated[float, Meta(ge=0, le=1000)]
    """What the side loses; 0 takes the penalty back."""
    unit: PenaltyUnit
    reason: Annotated[str, Meta(max_length=TEXT_MAX)] = ""
