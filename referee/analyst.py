"""The referee's analyst: solves double dummy in a thread of its own.

Prompts and acknowledgements never wait for it: asking costs nothing, and what was
asked is told when it is known.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from laws.board import parse_deal
from laws.seats import Seat
from referee.double_dummy import DoubleDummyError, Position, solve

logger = logging.getLogger(__name__)


class Analyst:
    """Answers how many tricks a side takes; remembers every answer.

    Example:
        analyst = Analyst(on_solved=lambda tables: …)
        analyst.start()
        analyst.ask("t1", position)  # None: not known yet
    """

    def __init__(self, on_solved: Callable[[frozenset[str]], None]) -> None:
        """Nothing is loaded before ``start``.

        Args:
            on_solved: called on the event loop with the tables that asked for what has
                just become known.
        """
        self._on_solved = on_solved
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="double-dummy")
        self._known: dict[Position, int | None] = {}
        self._asked: dict[Position, set[str]] = {}

    def start(self) -> None:
        """Load DDS and let it build its tables, before anybody asks."""
        self._thread.submit(_warm_up)

    def close(self) -> None:
        """Leave unsolved what is not being solved."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def ask(self, table: str, position: Position) -> int | None:
        """Tricks for the side on play; None while it is not known.

        A position that is new is solved next; one that cannot be solved stays unknown.
        """
        if position in self._known:
            return self._known[position]
        if position in self._asked:
            self._asked[position].add(table)
            return None
        self._asked[position] = {table}
        loop = asyncio.get_running_loop()
        solving = loop.run_in_executor(self._thread, _solve, position)
        solving.add_done_callback(lambda done: self._solved(position, done))
        return None

    def _solved(
        self, position: Position, solving: "asyncio.Future[int | None]"
    ) -> None:
        tables = self._asked.pop(position)
        if solving.cancelled():
            return
        self._known[position] = solving.result()
        self._on_solved(frozenset(tables))


_FULL_DEAL = "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"


def _warm_up() -> None:
    """The first search builds the tables that later ones use."""
    try:
        solve(Position(None, Seat.NORTH, (), parse_deal(_FULL_DEAL)))
    except DoubleDummyError as error:
        logger.warning("rulings come without double-dummy evidence: %s", error)


def _solve(position: Position) -> int | None:
    try:
        return solve(position)
    except DoubleDummyError as error:
        logger.warning("no double-dummy evidence for a revoke: %s", error)
        return None
