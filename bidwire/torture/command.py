"""``bidwire torture`` as a person sees it: what strikes, and what came of it."""

import json
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from bidwire.stopping import run_stoppable
from bidwire.torture.run import Options, Tortured, recovery, torture

MOST_TOLD = 20
"""Differences that are told one by one."""


def run_torture(options: Options, report: Path | None) -> bool:
    """Torture, tell, and write the report; returns whether nothing differs.

    Raises:
        OSError: the report cannot be written.
    """
    if report is not None:
        report.touch()  # found out before, not after an hour
    console = Console(stderr=True)
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), console=console
    ) as bar:
        task = bar.add_task("starting", total=None)

        def progress(told: Tortured) -> None:
            bar.update(
                task,
                description=f"round {told.rounds + 1}: {told.boards} boards,"
                f" {told.faults.total()} faults, {len(told.differences)} differences",
            )

        told = run_stoppable(torture(options, progress))
    _tell(told, console, options.seed)
    if report is not None:
        plain = {"seed": options.seed, **told.plain()}
        report.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    return not told.differences


def _tell(told: Tortured, console: Console, seed: int) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("fault")
    for title in ("struck", "table went on after (median)", "longest"):
        table.add_column(title, justify="right")
    for kind, count in sorted(told.faults.items()):
        after = recovery(told.recoveries.get(kind, []))
        times = (
            (f"{after['median']:.2f} s", f"{after['longest']:.2f} s")
            if after
            else ("", "")
        )
        table.add_row(kind.value, str(count), *times)
    console.print(table)
    for kind, why in told.skipped.items():
        console.print(f"{kind.value} did not strike: {why}", highlight=False)
    for text in told.differences[:MOST_TOLD]:
        console.print(text, markup=False, highlight=False)
    if len(told.differences) > MOST_TOLD:
        console.print(f"… and {len(told.differences) - MOST_TOLD} differences more")
    console.print(
        f"seed {seed}: {told.rounds} rounds, {told.boards} boards,"
        f" {told.happenings} happenings, {told.rulings} rulings,"
        f" {told.faults.total()} faults, {len(told.differences)} differences"
        f" in {told.seconds:.1f} s",
        highlight=False,
    )
