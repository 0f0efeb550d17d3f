"""``bidwire replay`` as a person sees it: a progress bar, then what came of it."""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from bidwire.records.plan import Kind
from bidwire.replay.report import Report, encode
from bidwire.replay.run import Options, find_files, replay
from bidwire.stopping import run_stoppable

MOST_TOLD = 20
"""Boards with differences or errors that are told one by one."""


class InjectError(ValueError):
    """A word of ``--inject`` is none."""


def read_kinds(text: str) -> frozenset[Kind]:
    """The kinds of ``out-of-turn,revoke``.

    Raises:
        InjectError: says which word is wrong and what was expected.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    known = {kind.value for kind in Kind}
    for word in words:
        if word not in known:
            raise InjectError(f"expected some of {', '.join(Kind)}, got {word!r}")
    return frozenset(Kind(word) for word in words)


def run_replay(paths: Sequence[Path], options: Options, json: Path | None) -> int:
    """Play, tell, and write the report; returns the exit code, 0 if nothing differs."""
    console = Console(stderr=True)
    files = list(find_files(paths))
    with Progress(
        TextColumn("boards"), BarColumn(), MofNCompleteColumn(), console=console
    ) as bar:
        task = bar.add_task("boards", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        replayed = run_stoppable(replay(files, options, progress))
    if json is not None:
        data = encode(replayed.report)
        if str(json) == "-":
            sys.stdout.buffer.write(data)
        else:
            try:
                json.write_bytes(data)
            except OSError as error:
                console.print(f"{json}: {error.strerror}", style="red")
                return 2
    _tell(replayed.report, console)
    return 0 if replayed.is_clean else 1


def _tell(report: Report, console: Console) -> None:
    told = [board for board in report.boards if board.differences or board.error]
    for board in told[:MOST_TOLD]:
        where = f"{board.file}:{board.line} board {board.board}"
        for text in [*([board.error] if board.error else []), *board.differences]:
            console.print(f"{where}: {text}", markup=False, highlight=False)
    if len(told) > MOST_TOLD:
        console.print(f"… and {len(told) - MOST_TOLD} boards more")
    totals = report.totals
    latency = report.latency_ms
    measured = (
        f"; frame in to prompt out {latency.median:.1f} ms median,"
        f" {latency.p99:.1f} ms p99"
        if latency.median is not None and latency.p99 is not None
        else ""
    )
    console.print(
        f"{totals.boards} boards, {totals.events} happenings, {totals.rulings} rulings,"
        f" {totals.differences} differences, {totals.errors} errors"
        f" in {report.seconds:.1f} s{measured}",
        highlight=False,
    )
