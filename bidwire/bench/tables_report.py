"""What ``bidwire bench tables`` tells, to people and to programs."""

import io
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from bidwire.bench.largest import LIMIT_MS
from bidwire.bench.load_words import Times
from bidwire.bench.machine import Machine
from bidwire.bench.ptys import MeasuredPtys
from bidwire.bench.tables import Measured, Options, Restart

MB = 1_000_000

WIDTH = 150
"""Columns of the table, wherever it is shown."""

_COLUMNS = (
    "tables",
    "events/s",
    "ACK ms median, p99",
    "prompt ms median, p99",
    "messages in, out",
    "commits/s",
    "referee CPU, MB",
    "broker CPU, MB",
    "load CPU",
)


@dataclass(slots=True)
class Told:
    """All that was measured.

    Attributes:
        machine: that it was measured on, as it was before.
        events: those that were played, in order.
        largest: tables of the largest event that was served in time, 0 for none; None
            when it was not looked for.
        ptys: tables on ptys.
    """

    machine: Machine
    events: list[Measured] = field(default_factory=list)
    largest: int | None = None
    ptys: MeasuredPtys | None = None

    @property
    def memory_per_table(self) -> float | None:
        """Bytes by which the referee grows with each table; of two events at least."""
        few = min(self.events, key=lambda event: event.tables, default=None)
        many = max(self.events, key=lambda event: event.tables, default=None)
        if few is None or many is None or few.tables == many.tables:
            return None
        grown = many.referee.memory - few.referee.memory
        return grown / (many.tables - few.tables)


def as_object(told: Told, options: Options) -> dict[str, Any]:
    """The figures as one JSON object; memory in bytes."""
    return {
        "machine": told.machine.plain(),
        "seconds": options.seconds,
        "warm_up": options.warm_up,
        "period_s": options.period,
        "seed": options.seed,
        "events": [_plain(event) for event in told.events],
        "memory_per_table": told.memory_per_table,
        "largest": told.largest,
        "ptys": _plain_ptys(told.ptys) if told.ptys is not None else None,
    }


def _plain(event: Measured) -> dict[str, Any]:
    played = event.played
    return {
        "tables": event.tables,
        **msgspec.to_builtins(played),
        "load_was_busy": event.load_was_busy,
        "messages_in_per_event": _share(event.figures.messages_in, played.events),
        "messages_out_per_event": _share(event.figures.messages_out, played.events),
        "entries_per_event": _share(event.figures.entries, played.events),
        "commits_per_second": event.figures.commits / played.seconds,
        "referee": asdict(event.referee),
        "broker": asdict(event.broker),
        "restart": asdict(event.restart) if event.restart is not None else None,
    }


def _plain_ptys(ptys: MeasuredPtys) -> dict[str, Any]:
    return {
        "tables": ptys.tables,
        "events": ptys.events,
        "ack": msgspec.to_builtins(ptys.ack),
        "prompt": msgspec.to_builtins(ptys.prompt),
        "costs": {name: asdict(cost) for name, cost in ptys.costs.items()},
    }


def _share(count: float, events: int) -> float:
    return count / events if events else 0.0


def in_words(told: Told, options: Options) -> Iterator[str]:
    """The figures for a person, line by line."""
    yield str(told.machine)
    yield f"one event a table every {options.period:g} s, {options.seconds:g} s of it"
    if told.events:
        yield from _table(told.events)
    grown = told.memory_per_table
    if grown is not None:
        yield f"memory of the referee for each table: {grown / 1000:.0f} kB"
    yield from _warnings(told.events)
    for event in told.events:
        if event.restart is not None:
            yield from _restart(event.tables, event.restart)
    if told.largest is not None:
        yield (
            f"largest number of tables with p99 under {LIMIT_MS:g} ms: {told.largest:,}"
        )
    if told.ptys is not None:
        yield from _ptys(told.ptys)


def _table(events: list[Measured]) -> Iterator[str]:
    table = Table(box=None, pad_edge=False)
    for title in _COLUMNS:
        table.add_column(title, justify="right")
    for event in events:
        played, figures = event.played, event.figures
        table.add_row(
            f"{event.tables:,}",
            f"{played.events / played.seconds:.0f}",
            _times(played.ack),
            _times(played.prompt),
            f"{_share(figures.messages_in, played.events):.1f},"
            f" {_share(figures.messages_out, played.events):.1f}",
            f"{figures.commits / played.seconds:.0f}",
            f"{event.referee.cpu_share:.0%}, {event.referee.memory / MB:.0f}",
            f"{event.broker.cpu_share:.0%}, {event.broker.memory / MB:.0f}",
            f"{played.cpu_share:.0%}",
        )
    page = io.StringIO()
    Console(file=page, width=WIDTH, color_system=None).print(table)
    yield from (line.rstrip() for line in page.getvalue().splitlines())


def _times(times: Times) -> str:
    return f"{times.median_ms:.1f}, {times.p99_ms:.1f}"


def _warnings(events: list[Measured]) -> Iterator[str]:
    for event in events:
        played = event.played
        if event.load_was_busy:
            yield (
                f"{event.tables:,} tables: the load itself took"
                f" {played.cpu_share:.0%} of a core and may be what was too slow"
            )
        if not event.is_complete:
            yield (
                f"{event.tables:,} tables: of {played.events} events"
                f" {played.acknowledged} were acknowledged, {played.prompted} followed"
                " by a prompt"
            )


def _restart(tables: int, restart: Restart) -> Iterator[str]:
    yield (
        f"restart with {tables:,} tables in play, {restart.entries:,} entries in the"
        f" journal: read after {restart.folded:.1f} s, first ACK after"
        f" {restart.first_ack:.1f} s, all displays after {restart.prompted:.1f} s,"
        f" all ACKs after {restart.acknowledged:.1f} s"
    )


def _ptys(ptys: MeasuredPtys) -> Iterator[str]:
    yield (
        f"{ptys.tables} tables on ptys, {ptys.events} events: key press to ACK"
        f" {_times(ptys.ack)} ms (median, p99), to prompt {_times(ptys.prompt)} ms"
    )
    costs = ", ".join(
        f"{name} {cost.cpu_share:.0%} and {cost.memory / MB:.0f} MB"
        for name, cost in ptys.costs.items()
    )
    yield f"CPU and memory: {costs}"
