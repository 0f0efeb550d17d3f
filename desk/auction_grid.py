"""The auction as it is written down, with withdrawn calls in their place."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from laws.seats import Seat

COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The seats from left to right, as Directors write them down."""


class Call(Protocol):
    """A call; a public one is never withdrawn."""

    @property
    def seat(self) -> Seat:
        """Who made it."""


T = TypeVar("T", bound=Call)


def rows_of(calls: Iterable[T], dealer: Seat | None) -> list[tuple[tuple[T, ...], ...]]:
    """The rows of the grid: each has a cell a column, a cell the calls made there.

    A call that was withdrawn stands where its seat calls next, so that the call in its
    place is beside it.

    Args:
        calls: in order.
        dealer: whose column the auction begins in; None begins with the first call's.
    """
    calls = list(calls)
    first = dealer or (calls[0].seat if calls else COLUMNS[0])
    place = COLUMNS.index(first)
    cells: dict[int, list[T]] = {}
    for call in calls:
        there = place + (COLUMNS.index(call.seat) - place) % 4
        cells.setdefault(there, []).append(call)
        if not getattr(call, "withdrawn", False):
            place = there + 1
    count = max(cells, default=-1) // 4 + 1
    return [
        tuple(tuple(cells.get(4 * row + column, ())) for column in range(4))
        for row in range(count)
    ]
