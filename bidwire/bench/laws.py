"""How fast the engine judges whole boards: ``bidwire bench laws``.

Boards are timed by the processor time of this process, which is that of one core and
does not count what else runs on the machine; single happenings by the clock, which is
finer.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bidwire.bench.boards import BenchBoard
from bidwire.bench.long_boards import LongBoard, long_boards
from laws.board import Edition
from laws.engine import begin, decide
from laws.state import State
from laws.steps import Step


@dataclass(frozen=True, slots=True)
class Growth:
    """What one of many happenings on a board costs.

    Attributes:
        kind: what the happenings are (`bidwire.bench.long_boards`).
        happenings: how many on the board.
        us: microseconds for one, on average.
    """

    kind: str
    happenings: int
    us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was measured.

    Attributes:
        boards: judged in each round.
        irregular: of them, those with an irregularity put in.
        events: happenings on them, calls and cards.
        rulings: given on them.
        boards_per_second: median of the rounds.
        event_us: for a single happening, median and 99th percentile, microseconds.
        endplay_boards_per_second: median of the rounds; None when endplay could play
            none of the boards.
        growth: what a happening costs as a board gets long.
    """

    boards: int
    irregular: int
    events: int
    rulings: int
    boards_per_second: float
    event_us: tuple[float, float]
    endplay_boards_per_second: float | None
    growth: tuple[Growth, ...]

    @property
    def ratio(self) -> float | None:
        """Boards judged in the time in which endplay plays one."""
        other = self.endplay_boards_per_second
        return self.boards_per_second / other if other else None


def measure(boards: Sequence[BenchBoard], edition: Edition, rounds: int) -> Measured:
    """Judge the boards in rounds; in each endplay plays their cards beside it."""
    # endplay draws in a plotting library, which takes a second to load.
    from bidwire.bench.endplay_play import playable, seconds_for  # noqa: PLC0415

    others = playable(boards)
    states = [_judged(begin(board.board), board.steps) for board in boards]
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(_seconds_for(boards))
        theirs.append(seconds_for(others))
    single = sorted(_each_event(boards))
    p99 = single[round(0.99 * (len(single) - 1))]
    return Measured(
        boards=len(boards),
        irregular=sum(board.irregular for board in boards),
        events=sum(len(board.steps) for board in boards),
        rulings=sum(len(state.rulings) for state in states),
        boards_per_second=len(boards) / statistics.median(ours),
        event_us=(statistics.median(single) / 1000, p99 / 1000),
        endplay_boards_per_second=(
            len(others) / statistics.median(theirs) if others else None
        ),
        growth=tuple(_growth(long, rounds) for long in long_boards(edition)),
    )


def _judged(state: State, steps: Sequence[Step]) -> State:
    for step in steps:
        state = decide(state, step).state
    return state


def _seconds_for(boards: Sequence[BenchBoard]) -> float:
    begun = time.process_time()
    for board in boards:
        _judged(begin(board.board), board.steps)
    return time.process_time() - begun


def _each_event(boards: Sequence[BenchBoard]) -> list[int]:
    """Nanoseconds for each single happening."""
    times = []
    for board in boards:
        state = begin(board.board)
        for step in board.steps:
            begun = time.perf_counter_ns()
            decision = decide(state, step)
            times.append(time.perf_counter_ns() - begun)
            state = decision.state
    return times


def _growth(long: LongBoard, rounds: int) -> Growth:
    state = _judged(begin(long.board), long.before)
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        _judged(state, long.timed)
        times.append(time.process_time() - begun)
    number = len(long.timed)
    return Growth(long.kind, number, statistics.median(times) / number * 1_000_000)
