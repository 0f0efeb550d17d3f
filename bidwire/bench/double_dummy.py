"""How long DDS takes for the evidence of Law 64C: ``bidwire bench double-dummy``.

Each complete record gets a revoke or two, is judged as the referee would judge it, and
the positions before its established revokes are solved, each from nothing. Told are the
times for one position, and by how much the event loop was late while they were solved
in a thread of its own.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bidwire.bench.boards import NoBoardsError
from bidwire.records.files import find_files
from bidwire.records.inject import board_random, plan_board
from bidwire.records.plan import Kind, Plan
from bidwire.records.reading import read_records
from bidwire.records.record import Record
from laws.board import Edition
from laws.engine import begin, decide
from laws.state import State
from laws.steps import Step
from referee.double_dummy import Position, solve
from referee.evidence import evidence

LATE_AT = 0.001
"""Seconds between two looks at how late the event loop is."""


def bench_double_dummy(
    paths: Sequence[Path], number: int, seed: int, say: Callable[[str], None]
) -> None:
    """Measure and tell.

    Raises:
        NoBoardsError: no board of the files could be given a revoke.
    """
    positions: list[Position] = []
    for plan in _plans(paths, seed):
        positions += _positions_of(plan)
        if len(positions) >= number:
            break
    del positions[number:]
    if not positions:
        raise NoBoardsError("no board of these files could be given a revoke")

    first = _timed(positions[0])
    times = sorted(_timed(position) for position in positions)
    left = sorted(position.left for position in positions)
    late = asyncio.run(_lateness(positions))
    say(
        f"{len(positions)} positions, {left[0]} to {left[-1]} tricks left,"
        f" median {statistics.median(left):g}"
    )
    say(f"first call, loading included: {first * 1000:.1f} ms")
    say(
        f"median {statistics.median(times) * 1000:.2f} ms,"
        f" p99 {_p99(times) * 1000:.1f} ms, most {times[-1] * 1000:.1f} ms"
    )
    say(
        f"event loop late meanwhile: p99 {_p99(late) * 1000:.2f} ms,"
        f" most {late[-1] * 1000:.2f} ms"
    )


def _p99(ordered: Sequence[float]) -> float:
    return ordered[round(0.99 * (len(ordered) - 1))]


def _plans(paths: Sequence[Path], seed: int) -> Iterator[Plan]:
    """Each complete record with a revoke put in, in either edition by turns."""
    number = 0
    for file in find_files(paths):
        for record in read_records(file):
            if not isinstance(record, Record) or not record.is_complete:
                continue
            edition = list(Edition)[number % 2]
            plan = plan_board(
                record, edition, {Kind.REVOKE}, board_random(seed, number)
            )
            number += 1
            if plan.injected:
                yield plan


def _positions_of(plan: Plan) -> list[Position]:
    """The positions that the evidence on the board's revokes asks for."""
    asked: dict[Position, None] = {}
    evidence(_judged(plan), asked.setdefault)
    return list(asked)


def _judged(plan: Plan) -> State:
    state = begin(plan.record.board_for(plan.edition))
    for line, happening in enumerate(plan.happenings, 1):
        state = decide(state, Step(line, happening.action)).state
    return state


def _timed(position: Position) -> float:
    """Seconds for one position."""
    begun = time.perf_counter()
    solve(position)
    return time.perf_counter() - begun


async def _lateness(positions: Sequence[Position]) -> list[float]:
    """By how many seconds the event loop wakes late while a thread solves."""
    solving = asyncio.create_task(
        asyncio.to_thread(lambda: [solve(p) for p in positions])
    )
    late = [0.0]
    while not solving.done():
        begun = time.perf_counter()
        await asyncio.sleep(LATE_AT)
        late.append(time.perf_counter() - begun - LATE_AT)
    return sorted(late)
