"""The largest number of tables that one referee process serves in time."""

from collections.abc import Awaitable, Callable

from bidwire.bench.tables import Measured

LIMIT_MS = 100.0
"""What the 99th percentile of acknowledgements and prompts must stay under."""

FIRST = 125
MOST = 16_000
"""Tables to begin with, and to stop at."""

CLOSE_ENOUGH = 0.1
"""How far, in parts of itself, the number found may be from one that is too many."""


def is_in_time(measured: Measured) -> bool:
    """Whether all tables were served, and in time."""
    played = measured.played
    slowest = max(played.ack.p99_ms, played.prompt.p99_ms)
    return measured.is_complete and slowest < LIMIT_MS


async def largest(
    measure: Callable[[int], Awaitable[Measured]], first: int = FIRST
) -> int:
    """Double the tables until they are too many; then halve the doubt.

    Args:
        measure: plays so many tables.
        first: tables to begin with.

    Returns:
        The largest number that was served in time, 0 when none was.
    """
    well, tried = 0, first
    while is_in_time(await measure(tried)):
        well = tried
        if tried >= MOST:
            return well
        tried *= 2
    too_many = tried
    while too_many - well > max(1, CLOSE_ENOUGH * well):
        tried = (well + too_many) // 2
        if is_in_time(await measure(tried)):
            well = tried
        else:
            too_many = tried
    return well
