"""``bidwire replay`` as a person sees it: a progress bar, then what came of it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from bidwire.records.files import SUFFIXES, find_files
from bidwire.records.plan import Kind
from bidwire.replay.report import Report, encode
from bidwire.replay.run import Options, replay
from bidwire.replay.strikes import NO_CLOCK, FakeClock
from bidwire.stopping import run_stoppable

STDOUT = "-"
"""The name of standard output in place of a file for the report."""

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


class ReplayError(ValueError):
    """A replay cannot begin; the text says why."""


def run_replay(paths: Sequence[Path], options: Options, json: Path | None) -> int:
    """Play, tell, and write the report.

    Returns:
        The exit code: 0 if nothing differs, 1 if something does, 2 when the report
        could not be written.

    Raises:
        ReplayError: there is nothing to play, or the report could not be written.
    """
    files = list(find_files(paths))
    if not files:
        named = ", ".join(str(path) for path in paths)
        kinds = ", ".join(SUFFIXES)
        raise ReplayError(f"{named}: no records found, expected files of {kinds}")
    if Kind.CLOCK_JUMP in options.kinds and FakeClock.library_here() is None:
        raise ReplayError(f"--inject {Kind.CLOCK_JUMP}: {NO_CLOCK}")
    if json is not None and str(json) != STDOUT:
        _check_writable(json)
    console = Console(stderr=True)
    with Progress(
        TextColumn("boards"), BarColumn(), MofNCompleteColumn(), console=console
    ) as bar:
        task = bar.add_task("boards", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        replayed = run_stoppable(replay(files, options, progress))
    _tell(replayed.report, console)
    if json is not None:
        try:
            _write(json, encode(replayed.report))
        except BrokenPipeError:
            raise  # who reads standard output has gone
        except OSError as error:
            console.print(f"{json}: {error.strerror}", style="red", markup=False)
            return 2
    return 0 if replayed.is_clean else 1


def _check_writable(report: Path) -> None:
    """Find out before a long run whether the report could be written.

    Nothing is opened: a pipe would take that for its end.
    """
    try:
        if report.is_dir():
            raise ReplayError(f"{report}: expected a file for the report, got a folder")
        if not report.parent.is_dir():
            raise ReplayError(f"{report}: there is no folder {report.parent}")
        if not os.access(report if report.exists() else report.parent, os.W_OK):
            raise ReplayError(f"{report}: the report may not be written there")
    except OSError as error:
        raise ReplayError(f"{report}: {error.strerror}") from None


def _write(report: Path, data: bytes) -> None:
    if str(report) != STDOUT:
        report.write_bytes(data)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()


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
