"""``bidwire bench tables``: which events are played, one after the other."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from bidwire.bench.largest import largest
from bidwire.bench.machine import this_machine
from bidwire.bench.ptys import MOST_TABLES, measure_ptys
from bidwire.bench.tables import Measured, Options, measure
from bidwire.bench.tables_report import Told, as_object, in_words
from bidwire.stopping import run_stoppable


class TablesError(ValueError):
    """What is asked for cannot be measured: says what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be played.

    Attributes:
        tables: events by their number of tables, the fewest first.
        largest: look for the largest event that is served in time.
        ptys: tables on ptys; None for none.
    """

    tables: tuple[int, ...] = ()
    largest: bool = False
    ptys: int | None = None


def read_asked(tables: str | None, *, largest: bool, ptys: int | None) -> Asked:
    """What the command line asks for; events of several sizes if it names nothing.

    Raises:
        TablesError: says which option was expected to be what.
    """
    if ptys is not None and not 1 <= ptys <= MOST_TABLES:
        raise TablesError(
            f"--ptys: expected 1 to {MOST_TABLES} tables, got {ptys}: with more, the"
            " terminals would take the machine, and it would be measured instead"
        )
    if tables is None:
        tables = "" if largest or ptys is not None else "10,100,1000"
    words = tables.split(",") if tables else []
    numbers = [int(word) if word.isdecimal() else 0 for word in words]
    if 0 in numbers or numbers != sorted(set(numbers)):
        raise TablesError(
            "--tables: expected numbers with commas between them, each larger than the"
            f" one before, such as 10,100,1000, got {tables!r}"
        )
    return Asked(tables=tuple(numbers), largest=largest, ptys=ptys)


def bench_tables(
    asked: Asked, options: Options, *, as_json: bool, say: Callable[[str], None]
) -> None:
    """Measure and tell.

    Args:
        asked: what is played.
        options: how; only the last event of ``asked.tables`` has its referee killed.
        as_json: tell a program.
        say: is told it, line by line.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
    """
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=None)

        def begins(what: str) -> None:
            bar.update(task, description=what)

        told = run_stoppable(_measured(asked, options, begins))
    if as_json:
        say(json.dumps(as_object(told, options), indent=1))
        return
    for line in in_words(told, options):
        say(line)


async def _measured(
    asked: Asked, options: Options, begins: Callable[[str], None]
) -> Told:
    told = Told(this_machine(Path(gettempdir())))

    async def play(tables: int, *, restart: bool = False) -> Measured:
        begins(f"{tables:,} tables")
        measured = await measure(tables, replace(options, restart=restart))
        told.events.append(measured)
        return measured

    for tables in asked.tables:
        last = tables == asked.tables[-1]
        await play(tables, restart=options.restart and last)
    if asked.largest:
        told.largest = await largest(play)
    if asked.ptys is not None:
        begins(f"{asked.ptys} tables on ptys")
        told.ptys = await measure_ptys(asked.ptys, options)
    return told
