"""The four seats and the two sides.

Turn goes clockwise, North, East, South, West (Laws 17 and 44).
"""

from enum import StrEnum


class Seat(StrEnum):
    """A player's place at the table, by compass."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def lho(self) -> "Seat":
        """The left-hand opponent: next in clockwise turn."""
        return _LHO[self]

    @property
    def partner(self) -> "Seat":
        return _PARTNER[self]

    @property
    def rho(self) -> "Seat":
        """The right-hand opponent: whose turn comes just before."""
        return _RHO[self]

    @property
    def side(self) -> "Side":
        return _SIDE[self]


class Side(StrEnum):
    """A partnership."""

    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"

    @property
    def other(self) -> "Side":
        return _OTHER[self]

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return _SEATS[self]


SEATS = tuple(Seat)
SIDES = tuple(Side)

_LHO = {seat: SEATS[(i + 1) % 4] for i, seat in enumerate(SEATS)}
_PARTNER = {seat: SEATS[(i + 2) % 4] for i, seat in enumerate(SEATS)}
_RHO = {seat: SEATS[(i + 3) % 4] for i, seat in enumerate(SEATS)}
_SIDE = {seat: SIDES[i % 2] for i, seat in enumerate(SEATS)}
_OTHER = {Side.NORTH_SOUTH: Side.EAST_WEST, Side.EAST_WEST: Side.NORTH_SOUTH}
_SEATS = {side: (SEATS[i], SEATS[i + 2]) for i, side in enumerate(SIDES)}


def rotation_from(seat: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four seats in clockwise turn, beginning with the one given."""
    return (seat, seat.lho, seat.partner, seat.rho)
