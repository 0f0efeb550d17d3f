"""The 38 calls: pass, double, redouble and the 35 bids (Laws 3, 17-19)."""

from enum import StrEnum

from laws.cards import Denomination


class Call(StrEnum):
    """A call, as the table script writes it: ``P``, ``X``, ``XX``, ``1C`` … ``7NT``.

    Attributes:
        level: tricks over six, 1 to 7, of a bid; 0 of any other call.
        denomination: of a bid; None of any other call.
        height: place of a bid among the 35, 1 (1C) to 35 (7NT), so that a bid is
            sufficient over another when its height is greater (Law 18); 0 of any
            other call.
    """

    level: int
    denomination: Denomination | None
    height: int

    def __init__(self, value: str) -> None:
        if value[0].isdigit():
            self.level = int(value[0])
            self.denomination = Denomination(value[1:])
            order = list(Denomination).index(self.denomination)
            self.height = 5 * (self.level - 1) + order + 1
        else:
            self.level, self.denomination, self.height = 0, None, 0

    @property
    def is_bid(self) -> bool:
        """Whether it is a bid: neither pass, double nor redouble."""
        return self.height > 0

    PASS = "P"
    DOUBLE = "X"
    REDOUBLE = "XX"
    ONE_CLUB = "1C"
    ONE_DIAMOND = "1D"
    ONE_HEART = "1H"
    ONE_SPADE = "1S"
    ONE_NOTRUMP = "1NT"
    TWO_CLUBS = "2C"
    TWO_DIAMONDS = "2D"
    TWO_HEARTS = "2H"
    TWO_SPADES = "2S"
    TWO_NOTRUMP = "2NT"
    THREE_CLUBS = "3C"
    THREE_DIAMONDS = "3D"
    THREE_HEARTS = "3H"
    THREE_SPADES = "3S"
    THREE_NOTRUMP = "3NT"
    FOUR_CLUBS = "4C"
    FOUR_DIAMONDS = "4D"
    FOUR_HEARTS = "4H"
    FOUR_SPADES = "4S"
    FOUR_NOTRUMP = "4NT"
    FIVE_CLUBS = "5C"
    FIVE_DIAMONDS = "5D"
    FIVE_HEARTS = "5H"
    FIVE_SPADES = "5S"
    FIVE_NOTRUMP = "5NT"
    SIX_CLUBS = "6C"
    SIX_DIAMONDS = "6D"
    SIX_HEARTS = "6H"
    SIX_SPADES = "6S"
    SIX_NOTRUMP = "6NT"
    SEVEN_CLUBS = "7C"
    SEVEN_DIAMONDS = "7D"
    SEVEN_HEARTS = "7H"
    SEVEN_SPADES = "7S"
    SEVEN_NOTRUMP = "7NT"


BIDS = tuple(call for call in Call if call.is_bid)
"""The 35 bids in ascending order."""


def bid_of(level: int, denomination: Denomination) -> Call:
    """The bid of a level (1 to 7) and a denomination.

    Raises:
        ValueError: the level is out of range.
    """
    return Call(f"{level}{denomination.value}")
