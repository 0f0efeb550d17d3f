"""How long a table waits from an event to the prompt: ``bidwire bench chain``.

Through a pty, a daemon, the embedded broker and the referee with his journal; beside
it, in the same run, the floor: the same path with an echo and the same commit in the
referee's place, and once more without the commit. The chains take turns, block by
block, so that whatever else the machine does meets all of them.
"""

import asyncio
import statistics
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from bidwire.bench.chain_lanes import Lane, open_lane
from bidwire.bench.chain_script import Script, ScriptedEvent, rehearse, room_of
from bidwire.bench.chain_terminal import ChainTerminal
from bidwire.bench.machine import Machine, this_machine
from bidwire.children import RunFolder, run_until

Result = TypeVar("Result")

BLOCK = 25
"""Events in a row on one chain before the next chain has its turn."""

LOST_S = 30.0
"""Seconds after which a prompt is given up: links repeat what is lost sooner."""

PAUSE_S = 0.01
"""Seconds between two events: what follows a prompt is done with by then."""


class UnansweredError(RuntimeError):
    """An event brought about no prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line asks for.

    Attributes:
        events: measured on each chain.
        warm_up: events before them, on each chain, that do not count.
        seed: of the boards.
    """

    events: int = 1000
    warm_up: int = 100
    seed: int = 0


@dataclass(slots=True)
class Times:
    """What a chain took for its events, in seconds.

    Attributes:
        prompts: from the event's frame to the prompt's.
        acks: from the event's frame to that of its ACK.
    """

    prompts: list[float] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 99th percentile."""

    median: float
    p99: float

    def over(self, other: "Spread") -> "Spread":
        """How many times the other it is."""
        return Spread(self.median / other.median, self.p99 / other.p99)


def spread(times: Sequence[float]) -> Spread:
    """Of times in seconds, in milliseconds."""
    ordered = sorted(times)
    p99 = ordered[round(0.99 * (len(ordered) - 1))]
    return Spread(statistics.median(ordered) * 1000, p99 * 1000)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured.

    Attributes:
        options: what was asked for.
        machine: on which.
        times: of each chain.
    """

    options: Options
    machine: Machine
    times: Mapping[Lane, Times]

    def prompt(self, lane: Lane) -> Spread:
        """From event to prompt, milliseconds."""
        return spread(self.times[lane].prompts)

    def ack(self, lane: Lane) -> Spread:
        """From event to ACK, milliseconds."""
        return spread(self.times[lane].acks)

    def ratio(self, floor: Lane) -> Spread:
        """How many times the floor's the referee's chain takes to the prompt."""
        return self.prompt(Lane.REFEREE).over(self.prompt(floor))


async def measure(options: Options, progress: Callable[[int], None]) -> Measured:
    """Play the boards on each chain.

    Args:
        options: how many.
        progress: told how many events have been played on all chains.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: a broker cannot be started.
        UnansweredError: an event brought about no prompt.
    """
    number = options.warm_up + options.events
    script = rehearse(room_of(number, options.seed), number)
    with RunFolder() as run:
        folders = {lane: _folder(run.path, lane) for lane in Lane}
        machine = this_machine(run.path)
        async with AsyncExitStack() as stack:
            terminals, children = {}, []
            for lane in Lane:
                opened = open_lane(lane, script, folders[lane])
                terminals[lane], more = await stack.enter_async_context(opened)
                children += more
            played = _play(script, terminals, options.warm_up, progress)
            times = await run_until(played, children)
    return Measured(options, machine, times)


def _folder(run: Path, lane: Lane) -> Path:
    folder = run / lane.name.lower()
    (folder / "terminals").mkdir(parents=True)
    return folder


async def _play(
    script: Script,
    terminals: Mapping[Lane, ChainTerminal],
    warm_up: int,
    progress: Callable[[int], None],
) -> dict[Lane, Times]:
    for lane, terminal in terminals.items():
        await _answered(
            terminal.shows(script.begins_with), f"{lane}: its first display"
        )
    times = {lane: Times() for lane in terminals}
    lanes = list(terminals)
    done = 0
    for begin in range(0, len(script.events), BLOCK):
        block = script.events[begin : begin + BLOCK]
        for lane in lanes:
            for at, event in enumerate(block, begin):
                prompt, ack = await _pressed(terminals[lane], lane, at, event)
                if at >= warm_up:
                    times[lane].prompts.append(prompt)
                    times[lane].acks.append(ack)
            done += len(block)
            progress(done)
        lanes.append(lanes.pop(0))
    return times


async def _pressed(
    terminal: ChainTerminal, lane: Lane, at: int, event: ScriptedEvent
) -> tuple[float, float]:
    what = f"{lane}: event {at + 1}, {event.key.kind} of {event.key.seat}"
    took = await _answered(terminal.press(event), what)
    await asyncio.sleep(PAUSE_S)
    return took


async def _answered(waiting: Coroutine[Any, Any, Result], what: str) -> Result:
    try:
        return await asyncio.wait_for(waiting, LOST_S)
    except TimeoutError:
        raise UnansweredError(f"{what}: no answer within {LOST_S:.0f} s") from None
