"""``bidwire bench chain`` as a person or a program reads it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import Progress

from bidwire.bench.chain import Measured, Options, Spread, measure
from bidwire.bench.chain_lanes import Lane
from bidwire.stopping import run_stoppable

_FLOORS = (Lane.FLOOR, Lane.BARE)


def bench_chain(options: Options, *, as_json: bool, say: Callable[[str], None]) -> None:
    """Measure and tell.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: a broker cannot be started.
        OSError: the folder for temporary files cannot be written.
        UnansweredError: an event brought about no prompt.
    """
    with Progress(console=Console(stderr=True), transient=True) as bar:
        total = len(Lane) * (options.warm_up + options.events)
        task = bar.add_task("events", total=total)
        measured = run_stoppable(
            measure(options, lambda done: bar.update(task, completed=done))
        )
    if as_json:
        say(json.dumps(as_object(measured), indent=2))
    else:
        for line in in_words(measured):
            say(line)


def as_object(measured: Measured) -> dict[str, Any]:
    """The figures as one JSON object; times in milliseconds."""
    options = measured.options
    return {
        "events": options.events,
        "warm_up": options.warm_up,
        "seed": options.seed,
        "prompt_ms": {_key(lane): _plain(measured.prompt(lane)) for lane in Lane},
        "ack_ms": {_key(lane): _plain(measured.ack(lane)) for lane in Lane},
        "ratio": {_key(floor): _plain(measured.ratio(floor)) for floor in _FLOORS},
        "machine": measured.machine.plain(),
    }


def _key(lane: Lane) -> str:
    return lane.replace(" ", "_")


def _plain(spread: Spread) -> dict[str, float]:
    return {"median": round(spread.median, 3), "p99": round(spread.p99, 3)}


def in_words(measured: Measured) -> Iterator[str]:
    """The figures for a person, line by line."""
    options = measured.options
    yield (
        f"{options.events} events of one table on each chain"
        f" (seed {options.seed}, after {options.warm_up} that do not count)"
    )
    yield f"{'ms, median and p99':<22}{'event to prompt':>18}{'event to ACK':>18}"
    for lane in Lane:
        prompt, ack = measured.prompt(lane), measured.ack(lane)
        yield f"{lane:<22}{_pair(prompt):>18}{_pair(ack):>18}"
    for floor in _FLOORS:
        ratio = measured.ratio(floor)
        yield (
            f"referee over {floor}: {ratio.median:.2f} at the median,"
            f" {ratio.p99:.2f} at p99"
        )
    yield str(measured.machine)


def _pair(spread: Spread) -> str:
    return f"{spread.median:.2f} {spread.p99:7.2f}"
