"""A replay from its files to its report."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from bidwire.children import ChildError
from bidwire.records import Record, RecordError, ScriptRecord, read_records
from bidwire.records.inject import board_random, plan_board, with_strikes
from bidwire.records.plan import IRREGULARITIES, Kind
from bidwire.replay.chain import Chain, Outcome
from bidwire.replay.comparison import (
    contract_text,
    injection_differences,
    record_differences,
    script_differences,
)
from bidwire.replay.plan import (
    BoardPlan,
    UnplayableError,
    plan_record,
    plan_script,
    with_lines,
)
from bidwire.replay.report import BoardReport, Report, make_report
from bidwire.replay.room import Room
from broker import EmbeddedBrokerError
from laws.board import Board, Edition, Policies

MOST_TABLES = 40
"""Tables at a time that scripts are played at, each script at one of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line asks for.

    Attributes:
        edition: the Laws that records are played by; a script names its own.
        tables: tables at a time.
        kinds: what is injected.
        seed: of all chance.
        hide_deal: keep the hands from the referee.
        boards: play no more records than this; None plays all.
    """

    edition: Edition = Edition.LAWS_2017
    tables: int = 1
    kinds: frozenset[Kind] = frozenset()
    seed: int = 0
    hide_deal: bool = False
    boards: int | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay's report.

    ``is_clean`` tells whether nothing differs and every record that tells a whole
    board could be played.
    """

    report: Report
    is_clean: bool


@dataclass(slots=True)
class _Board:
    """One entry of the report, and its plan unless it cannot be played."""

    report: BoardReport
    plan: BoardPlan | None = None
    is_incomplete: bool = False


async def replay(
    files: Sequence[Path],
    options: Options,
    progress: Callable[[int, int], None],
) -> Replayed:
    """Play all records of the files; the report has them in their order.

    Where a chain does not run, the boards that it has not played say so, and the
    others are played all the same.

    Args:
        files: PBN, LIN and table-script files.
        options: how.
        progress: called with the boards played so far and their total.
    """
    started = time.monotonic()
    boards = _with_strikes(await _read(files, options), options)
    playable = [b for b in boards if b.plan is not None]
    done = 0

    def on_board(_: BoardPlan) -> None:
        nonlocal done
        done += 1
        progress(done, len(playable))

    progress(0, len(playable))
    events = 0
    latencies: list[float] = []
    for room in _rooms([b.plan for b in playable if b.plan is not None], options):
        outcome = await _outcome(Chain(room, on_board=on_board))
        events += outcome.events
        latencies += outcome.latencies
        for board in playable:
            if board.plan is not None and board.plan.number in outcome.over:
                _fill(board.report, board.plan, outcome)
    report = make_report(
        (b.report for b in boards), events, latencies, time.monotonic() - started
    )
    failed = any(b.report.error and not b.is_incomplete for b in boards)
    return Replayed(report, is_clean=not (failed or report.totals.differences))


async def _outcome(chain: Chain) -> Outcome:
    """Play a room; what became of it, also where its processes do not run."""
    try:
        await chain.play()
    except (ChildError, EmbeddedBrokerError) as error:
        return chain.outcome(f"the chain does not run: {error}")
    return chain.outcome()


async def _read(files: Sequence[Path], options: Options) -> list[_Board]:
    boards: list[_Board] = []
    for file in files:
        await asyncio.sleep(0)  # many files take long: a signal is heard between them
        for item in read_records(file):
            if options.boards is not None and len(boards) >= options.boards:
                return boards
            report = BoardReport(file=item.file, board=item.board, line=item.line)
            boards.append(_planned(report, item, len(boards) + 1, options))
    return boards


def _planned(
    report: BoardReport,
    item: Record | ScriptRecord | RecordError,
    number: int,
    options: Options,
) -> _Board:
    """The plan of a record; one that cannot be played says why in its report."""
    match item:
        case RecordError():
            report.error = item.message
        case ScriptRecord():
            return _told(report, lambda: plan_script(number, item))
        case Record() if item.error is not None:
            report.line = item.error.line
            report.error = item.error.message
        case Record() if not item.is_playable:
            report.error = "not played: the record does not tell the whole board"
            return _Board(report, is_incomplete=True)
        case Record():
            random = board_random(options.seed, number)
            plan = plan_board(item, options.edition, options.kinds, random)
            report.injected = [
                *(injected.plain() for injected in plan.injected),
                *(fault.plain() for fault in plan.faults),
            ]
            return _told(report, lambda: plan_record(number, plan, Policies()))
    return _Board(report)


def _told(report: BoardReport, plan: Callable[[], BoardPlan]) -> _Board:
    """A board with its plan; one that has none says in its report why."""
    try:
        return _Board(report, plan())
    except UnplayableError as error:
        report.line, report.error = error.line, str(error)
        return _Board(report)


def _with_strikes(boards: list[_Board], options: Options) -> list[_Board]:
    """Draw when processes are killed, over all records together."""
    with_records = [b for b in boards if b.plan is not None and b.plan.planned]
    plans = [b.plan.planned for b in with_records if b.plan and b.plan.planned]
    random = Random(f"{options.seed}/kills")  # noqa: S311 - reproducible, guards nothing
    for board, plan in zip(
        with_records, with_strikes(plans, options.kinds, random), strict=True
    ):
        assert board.plan is not None  # noqa: S101 - chosen above
        fresh = plan.faults[len(board.plan.faults) :]
        board.report.injected += [fault.plain() for fault in fresh]
        board.plan = replace(board.plan, faults=plan.faults)
    return boards


def _rooms(plans: Sequence[BoardPlan], options: Options) -> Iterator[Room]:
    """The rooms to play, one after the other."""
    records = [plan for plan in plans if plan.planned is not None]
    if records:
        tables = min(options.tables, len(records))
        yield Room(
            edition=options.edition,
            policies=Policies(),
            tables={f"t{i + 1}": tuple(records[i::tables]) for i in range(tables)},
            hide_deal=options.hide_deal,
            seed=options.seed,
        )
    alike: dict[tuple[Edition, Policies], list[BoardPlan]] = defaultdict(list)
    for plan in plans:
        if plan.planned is None:
            alike[plan.board.edition, plan.board.policies].append(plan)
    for (edition, policies), scripts in alike.items():
        for i in range(0, len(scripts), MOST_TABLES):
            # A script may go on after its last trick, so no board follows it.
            yield Room(
                edition=edition,
                policies=policies,
                tables={f"t{p.number}": (p,) for p in scripts[i : i + MOST_TABLES]},
                hide_deal=options.hide_deal,
                lock_compelled=False,
                answers_wait=False,
                seed=options.seed,
            )


def _fill(report: BoardReport, plan: BoardPlan, outcome: Outcome) -> None:
    """Complete the report of a board that has been played."""
    report.error = outcome.errors.get(plan.number)
    judged: dict[str, Any] = outcome.judged.get(plan.number, {})
    if not judged:
        return
    report.contract, report.declarer = contract_text(judged)
    report.tricks = judged["tricks"]
    report.rulings = with_lines(judged, plan.lines)["rulings"]
    if isinstance(plan.source, Record) and plan.planned is not None:
        if IRREGULARITIES.isdisjoint(i.kind for i in plan.planned.injected):
            report.differences = record_differences(plan.source, judged)
        else:
            report.differences = injection_differences(plan.planned, judged)
    elif plan.judged is not None and isinstance(plan.board, Board):
        report.differences = script_differences(plan.judged, judged)
