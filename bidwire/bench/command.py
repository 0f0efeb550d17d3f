"""``bidwire bench laws`` as a person or a program reads it."""

import json
import platform
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

from bidwire.bench.boards import boards_of
from bidwire.bench.laws import Growth, Measured, measure
from laws.board import Edition


def bench_laws(  # noqa: PLR0913 - options of a command line
    paths: Sequence[Path],
    edition: Edition,
    *,
    boards: int,
    irregular: float,
    seed: int,
    rounds: int,
    as_json: bool,
    say: Callable[[str], None],
) -> None:
    """Measure and tell.

    Raises:
        NoBoardsError: the files have no record that could be judged.
    """
    made = boards_of(paths, edition, number=boards, seed=seed, irregular=irregular)
    measured = measure(made, edition, rounds)
    if as_json:
        plain = {"edition": edition.value, "seed": seed, "rounds": rounds}
        say(json.dumps(plain | as_object(measured), indent=2))
    else:
        for line in in_words(measured, edition, rounds):
            say(line)


def as_object(measured: Measured) -> dict[str, Any]:
    """The figures as one JSON object; times in microseconds."""
    median, p99 = measured.event_us
    endplay = measured.endplay_boards_per_second
    return {
        "boards": measured.boards,
        "irregular": measured.irregular,
        "events": measured.events,
        "rulings": measured.rulings,
        "boards_per_second": round(measured.boards_per_second, 1),
        "event_us": {"median": round(median, 2), "p99": round(p99, 2)},
        "endplay": {
            "version": version("endplay"),
            "boards_per_second": endplay and round(endplay, 1),
        },
        "ratio": measured.ratio and round(measured.ratio, 3),
        "growth": [
            {"kind": g.kind, "happenings": g.happenings, "event_us": round(g.us, 2)}
            for g in measured.growth
        ],
        "python": platform.python_version(),
    }


def in_words(measured: Measured, edition: Edition, rounds: int) -> Iterator[str]:
    """The figures for a person, line by line."""
    median, p99 = measured.event_us
    yield (
        f"{measured.boards} boards by the Laws of {edition.value}, {measured.events}"
        f" calls and cards, {measured.irregular} boards with an irregularity,"
        f" {measured.rulings} rulings"
    )
    yield (
        f"judged:   {measured.boards_per_second:,.0f} boards a second of one core"
        f" (median of {rounds})"
    )
    yield f"an event: {median:.1f} µs median, {p99:.1f} µs p99"
    if measured.endplay_boards_per_second is None:
        yield f"endplay {version('endplay')} can play none of them: no deal, or no card"
    else:
        yield (
            f"endplay {version('endplay')}, the same cards alone, not judged:"
            f" {measured.endplay_boards_per_second:,.0f} boards a second;"
            f" ratio {measured.ratio:.2f}"
        )
    yield "an event on a long board:"
    for kind, points in groupby(measured.growth, lambda growth: growth.kind):
        yield f"  {kind}: {_points(points)}"


def _points(points: Iterator[Growth]) -> str:
    return ", ".join(f"{g.us:,.0f} µs ({g.happenings} of them)" for g in points)
