"""The contract: level, denomination, risk, declarer (Laws 1, 22, 19C)."""

from dataclasses import dataclass
from enum import StrEnum

from laws.cards import Denomination
from laws.seats import Seat


class Risk(StrEnum):
    """Undoubled, doubled or redoubled."""

    UNDOUBLED = ""
    DOUBLED = "X"
    REDOUBLED = "XX"


@dataclass(frozen=True, slots=True)
class Contract:
    """What declarer's side has undertaken: ``level`` tricks over six."""

    level: int
    denomination: Denomination
    risk: Risk
    declarer: Seat

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}{self.risk} {self.declarer}"
