"""The report of a replay: an interface, ``docs/replay.md``."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

Plain = dict[str, Any]


class BoardReport(msgspec.Struct, kw_only=True):
    """What became of one board.

    Attributes:
        file, board, line: where the record stands.
        contract: as in ``4SX``, ``passed out``, or None when there is none.
        declarer: the seat, None without a contract.
        tricks: as played, by side.
        rulings: as in ``bidwire rule --json``.
        injected: what was synthesised into the record.
        differences: from the file's own tags and from what was injected.
        error: why the board could not be played, else None.
    """

    file: str
    board: str
    line: int
    contract: str | None = None
    declarer: str | None = None
    tricks: dict[str, int] = msgspec.field(default_factory=lambda: {"NS": 0, "EW": 0})
    rulings: list[Plain] = []
    injected: list[Plain] = []
    differences: list[str] = []
    error: str | None = None


class Totals(msgspec.Struct):
    """Sums over the boards; ``events`` are happenings that the referee judged."""

    boards: int
    differences: int
    rulings: int
    errors: int
    events: int


class Latency(msgspec.Struct):
    """Milliseconds from frame in to prompt out; None when nothing was measured."""

    median: float | None
    p99: float | None


class Report(msgspec.Struct):
    """A whole replay."""

    boards: list[BoardReport]
    totals: Totals
    latency_ms: Latency
    seconds: float


def make_report(
    boards: Iterable[BoardReport], events: int, latencies: Sequence[float], took: float
) -> Report:
    """Sum up.

    Args:
        boards: in the order of the files.
        events: happenings judged.
        latencies: seconds from frame in to prompt out, one per happening.
        took: seconds of the whole replay.
    """
    listed = list(boards)
    return Report(
        listed,
        Totals(
            boards=len(listed),
            differences=sum(len(board.differences) for board in listed),
            rulings=sum(len(board.rulings) for board in listed),
            errors=sum(board.error is not None for board in listed),
            events=events,
        ),
        Latency(percentile(latencies, 50), percentile(latencies, 99)),
        round(took, 3),
    )


def percentile(seconds: Sequence[float], percent: float) -> float | None:
    """The nearest-rank percentile, in milliseconds; None of nothing."""
    if not seconds:
        return None
    rank = max(1, math.ceil(len(seconds) * percent / 100))
    return round(sorted(seconds)[rank - 1] * 1000, 3)


def encode(report: Report) -> bytes:
    """The report as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"
