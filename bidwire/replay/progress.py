"""How far a table of a chain has come, and who waits for it to go on."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from bidwire.records.plan import Kind
from bidwire.replay.plan import BoardPlan


class TableProgress:
    """What is known of one table; ``moved`` wakes who waits for news of it.

    Attributes:
        plans: its boards, in order.
        at: how many happenings its displays have reflected, by the board's number.
        over: the boards that were played, or given up.
        judged: the referee's report of each board.
        errors: why a board was given up, or goes no further.
        moves: counts the news.
        recoveries: kind of each fault, and seconds until the table went on.
    """

    def __init__(self, plans: Sequence[BoardPlan]) -> None:
        """Begin, with nothing played."""
        self.plans = plans
        self.at = {plan.number: 0 for plan in plans}
        self.over: set[int] = set()
        self.judged: dict[int, dict[str, Any]] = {}
        self.errors: dict[int, str] = {}
        self.moves = 0
        self.recoveries: list[tuple[Kind, float]] = []
        self._struck: list[tuple[Kind, int, int, float]] = []
        self._news = asyncio.Event()

    def moved(self) -> None:
        """Tell who waits that there is news."""
        self.moves += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    def struck(self, kind: Kind, number: int, at: int) -> None:
        """A fault has struck a board before it showed more happenings than these."""
        self._struck.append((kind, number, at, time.monotonic()))

    def shows(self, number: int, at: int) -> None:
        """A display of a board reflects so many happenings."""
        if at <= self.at[number]:
            return
        self.at[number] = at
        now = time.monotonic()
        for fault in tuple(self._struck):
            kind, board, before, since = fault
            if board == number and at > before:
                self._struck.remove(fault)
                self.recoveries.append((kind, now - since))
        self.moved()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something about the table has become true."""
        while not true():
            await self._news.wait()

    async def until_shown(self, number: int, at: int) -> None:
        """Wait until a display of a board reflects so many happenings."""
        await self.until(lambda: self.at[number] >= at or number in self.over)

    async def until_over(self, number: int) -> None:
        """Wait until a board has been played, or given up."""
        await self.until(lambda: number in self.over)

    def running(self) -> BoardPlan | None:
        """The board that is being played; None when all are over."""
        return next((p for p in self.plans if p.number not in self.over), None)
