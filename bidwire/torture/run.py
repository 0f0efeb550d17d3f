"""Rounds of dealt boards under faults, until the time is up.

Every round is a room of its own: broker, referee, daemon and terminals start anew. Each
board has a call out of turn and a revoke, faults of its terminals and lines, and some
of what the room has in common. Afterwards the referee's report of each board must be
that of the engine alone, and the journal must hold what the players did, event for
event.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bidwire.children import ChildError
from bidwire.records.plan import Kind
from bidwire.replay.chain import Chain, Outcome
from bidwire.replay.comparison import script_differences
from bidwire.replay.plan import BoardPlan
from bidwire.replay.processes import Processes
from bidwire.replay.room import Room
from bidwire.replay.strikes import NO_CLOCK, FakeClock
from bidwire.torture.journalled import journal_differences
from bidwire.torture.rounds import room_of_round
from broker import EmbeddedBrokerError


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line asks for.

    Attributes:
        minutes: how long; a round that has begun is finished.
        rounds: at most so many; None for no limit but the time.
        tables: at a time.
        boards: of each table in a round.
        seed: of all chance.
    """

    minutes: float = 1.0
    rounds: int | None = None
    tables: int = 4
    boards: int = 2
    seed: int = 0


@dataclass(slots=True)
class Tortured:
    """What came of it.

    Attributes:
        rounds, boards, happenings, rulings: how many.
        faults: how often each kind struck.
        recoveries: seconds from a fault until its table went on, by kind.
        differences: what is not as it was played, with round and board.
        skipped: kinds that cannot strike here, and why.
        seconds: of the whole run.
    """

    rounds: int = 0
    boards: int = 0
    happenings: int = 0
    rulings: int = 0
    faults: Counter[Kind] = field(default_factory=Counter)
    recoveries: dict[Kind, list[float]] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    skipped: dict[Kind, str] = field(default_factory=dict)
    seconds: float = 0.0

    def plain(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "rounds": self.rounds,
            "boards": self.boards,
            "happenings": self.happenings,
            "rulings": self.rulings,
            "faults": {
                kind.value: {
                    "count": count,
                    "recovery_s": recovery(self.recoveries.get(kind, [])),
                }
                for kind, count in sorted(self.faults.items())
            },
            "differences": self.differences,
            "skipped": {kind.value: why for kind, why in self.skipped.items()},
            "seconds": round(self.seconds, 3),
        }


def recovery(seconds: list[float]) -> dict[str, float] | None:
    """Median and longest of recovery times; None where a board ended with the fault."""
    if not seconds:
        return None
    return {"median": round(median(seconds), 3), "longest": round(max(seconds), 3)}


async def torture(options: Options, progress: Callable[[Tortured], None]) -> Tortured:
    """Play rounds until the time is up.

    Args:
        options: how.
        progress: called after each board.
    """
    told = Tortured()
    if FakeClock.library_here() is None:
        told.skipped[Kind.CLOCK_JUMP] = NO_CLOCK
    began = time.monotonic()
    while _goes_on(told, options, began):
        await _round(told, options, progress)
        told.rounds += 1
        told.seconds = time.monotonic() - began
    return told


def _goes_on(told: Tortured, options: Options, began: float) -> bool:
    if options.rounds is not None and told.rounds >= options.rounds:
        return False
    return not told.rounds or time.monotonic() - began < options.minutes * 60


async def _round(
    told: Tortured, options: Options, progress: Callable[[Tortured], None]
) -> None:
    room = room_of_round(
        told.rounds,
        tables=options.tables,
        boards=options.boards,
        seed=options.seed,
        skipped=frozenset(told.skipped),
    )
    where = f"round {told.rounds + 1}"

    def at_end(processes: Processes) -> None:
        found = journal_differences(processes.journal, room)
        told.differences += [f"{where}: {text}" for text in found]

    def on_board(plan: BoardPlan) -> None:
        told.boards += 1
        told.faults += Counter(fault.kind for fault in plan.faults)
        progress(told)

    chain = Chain(room, on_board=on_board, at_end=at_end)
    unplayed = ""
    try:
        await chain.play()
    except (ChildError, EmbeddedBrokerError) as error:
        unplayed = f"the chain does not run: {error}"
    outcome = chain.outcome(unplayed)
    told.happenings += outcome.events
    for kind, seconds in outcome.recoveries.items():
        told.recoveries.setdefault(kind, []).extend(seconds)
    told.rulings += sum(len(judged["rulings"]) for judged in outcome.judged.values())
    told.differences += [f"{where}: {text}" for text in _differences(room, outcome)]


def _differences(room: Room, outcome: Outcome) -> Iterator[str]:
    """Where the referee's reports are not those of the engine alone."""
    for plans in room.tables.values():
        for plan in plans:
            error = outcome.errors.get(plan.number)
            if error is not None:
                yield f"board {plan.number}: {error}"
            elif plan.judged is not None:
                judged = outcome.judged[plan.number]
                for text in script_differences(plan.judged, judged):
                    yield f"board {plan.number}: {text}"
