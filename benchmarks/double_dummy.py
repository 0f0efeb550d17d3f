"""How long DDS takes for the evidence of Law 64C, on real boards with revokes put in.

    python benchmarks/double_dummy.py [--positions 100] [--seed 1] FILE…

FILEs are PBN or LIN records with deal, auction and 52 cards. Each board gets a revoke
or two, is judged as the referee would judge it, and the positions before its
established revokes are solved, each from nothing. Printed are the times for one
position, and by how much the event loop was late while they were solved in a thread of
its own.
"""
# ruff: noqa: INP001 - a script, not part of a package

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bidwire.records.inject import board_random, plan_board
from bidwire.records.plan import Kind, Plan
from bidwire.records.reading import read_records
from bidwire.records.record import Record
from laws.board import Edition
from laws.engine import ImpossibleActionError, begin, decide
from laws.state import State
from laws.steps import Step
from referee.double_dummy import Position, solve
from referee.evidence import evidence

LATE_AT = 0.001
"""Seconds between two looks at how late the event loop is."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    positions: list[Position] = []
    for plan in plans(options.files, options.seed):
        positions += positions_of(plan)
        if len(positions) >= options.positions:
            break
    del positions[options.positions :]
    if not positions:
        parser.error("no board of these files could be given a revoke")

    first = timed(positions[0])
    times = sorted(timed(position) for position in positions)
    left = sorted(position.left for position in positions)
    late = asyncio.run(lateness(positions))
    sys.stdout.write(
        f"{len(positions)} positions, {left[0]} to {left[-1]} tricks left,"
        f" median {statistics.median(left):g}\n"
        f"first call, loading included: {first * 1000:.1f} ms\n"
        f"median {statistics.median(times) * 1000:.2f} ms,"
        f" p99 {times[round(0.99 * (len(times) - 1))] * 1000:.1f} ms,"
        f" most {times[-1] * 1000:.1f} ms\n"
        f"event loop late meanwhile: p99"
        f" {late[round(0.99 * (len(late) - 1))] * 1000:.2f} ms,"
        f" most {late[-1] * 1000:.2f} ms\n"
    )


def plans(files: list[Path], seed: int) -> Iterator[Plan]:
    """Each complete record with a revoke put in, in either edition by turns."""
    number = 0
    for file in files:
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


def positions_of(plan: Plan) -> list[Position]:
    """The positions that the evidence on the board's revokes asks for."""
    asked: dict[Position, None] = {}
    evidence(judged(plan), asked.setdefault)
    return list(asked)


def judged(plan: Plan) -> State:
    state = begin(plan.record.board_for(plan.edition))
    for line, happening in enumerate(plan.happenings, 1):
        try:
            state = decide(state, Step(line, happening.action)).state
        except ImpossibleActionError as error:
            sys.exit(f"{plan.record.file}, board {plan.record.board}: {error}")
    return state


def timed(position: Position) -> float:
    """Seconds for one position."""
    begun = time.perf_counter()
    solve(position)
    return time.perf_counter() - begun


async def lateness(positions: list[Position]) -> list[float]:
    """By how many seconds the event loop wakes late while a thread solves."""
    solving = asyncio.create_task(
        asyncio.to_thread(lambda: [solve(p) for p in positions])
    )
    late = []
    while not solving.done():
        begun = time.perf_counter()
        await asyncio.sleep(LATE_AT)
        late.append(time.perf_counter() - begun - LATE_AT)
    return sorted(late)


if __name__ == "__main__":
    main()
