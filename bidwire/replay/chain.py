"""One room of tables, played by the processes of a chain.

The seats play by themselves, going by their displays. This follows them, says the
Director's lines of a script in his name, kills processes at the moments drawn for it,
and takes the results.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from bidwire.records.plan import OF_PROCESSES, Kind
from bidwire.replay.plan import BoardPlan
from bidwire.replay.processes import Processes, embedded_broker, run_processes
from bidwire.replay.progress import TableProgress
from bidwire.replay.room import Room
from bidwire.replay.strikes import FakeClock, OpenBroker, Victims, cut_off
from desk.director import DirectorClient
from laws.script import format_action
from protocol.payloads import Payload, TableResult
from terminal.simulator.reports import (
    FaultReport,
    FinishedReport,
    LatencyReport,
    ReadyReport,
    RefusedKeyReport,
    Report,
    ScreenReport,
    StartCommand,
    StrayedReport,
)

STALL = 45.0
"""Seconds without any progress after which a table is given up."""


@dataclass
class Outcome:
    """What became of a room.

    Attributes:
        judged: the referee's report of each board, by number.
        errors: why a board was given up, by number.
        recoveries: seconds from each fault until its table went on, by its kind.
        latencies: seconds from frame in to prompt out.
        events: happenings judged.
    """

    judged: dict[int, dict[str, Any]] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    recoveries: dict[Kind, list[float]] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    events: int = 0

    @property
    def over(self) -> frozenset[int]:
        """The boards that were played, or given up."""
        return frozenset(self.judged) | frozenset(self.errors)


class Chain:
    """One run of a room; ``play`` does it all."""

    def __init__(
        self,
        room: Room,
        *,
        on_board: Callable[[BoardPlan], None],
        at_end: Callable[[Processes], None] | None = None,
        open_broker: OpenBroker = embedded_broker,
    ) -> None:
        """Prepare.

        Args:
            room: what is played.
            on_board: called when a board is over.
            at_end: called when all boards are, before anything is stopped.
            open_broker: opens the broker.
        """
        self._open_broker = open_broker
        self._at_end = at_end
        self._room = room
        self._on_board = on_board
        self._latencies: list[float] = []
        self._tables = {
            name: TableProgress(plans) for name, plans in room.tables.items()
        }
        self._table_of = {
            plan.number: name for name, plans in room.tables.items() for plan in plans
        }
        self._chance = Random(f"{room.seed}/strikes")  # noqa: S311 - reproducible
        self._ready = asyncio.Event()

    async def play(self) -> None:
        """Start everything, play every board, stop everything.

        Raises:
            ChildError: a process refuses to start.
            EmbeddedBrokerError: the broker cannot be started.
        """
        faketime = FakeClock.library_here() if self._jumps else None
        await run_processes(
            replace(self._room, faketime=faketime),
            self._play_all,
            on_report=self._take,
            on_payload=self._hear,
            open_broker=cut_off(self._open_broker)
            if self._is_cut
            else self._open_broker,
        )

    @property
    def _is_cut(self) -> bool:
        return Kind.CUT_BROKER in self._kinds

    @property
    def _jumps(self) -> bool:
        return Kind.CLOCK_JUMP in self._kinds

    @property
    def _kinds(self) -> set[Kind]:
        plans = (plan for table in self._tables.values() for plan in table.plans)
        return {fault.kind for plan in plans for fault in plan.faults}

    def outcome(self, unplayed: str = "") -> Outcome:
        """What became of the room.

        Args:
            unplayed: why the boards that are not over were not played.
        """
        outcome = Outcome(latencies=self._latencies)
        for table in self._tables.values():
            outcome.judged |= table.judged
            outcome.errors |= table.errors
            for kind, seconds in table.recoveries:
                outcome.recoveries.setdefault(kind, []).append(seconds)
            outcome.events += sum(table.at.values())
            if unplayed:
                missing = table.at.keys() - table.over
                outcome.errors |= dict.fromkeys(missing, unplayed)
        return outcome

    async def _play_all(self, processes: Processes) -> None:
        await self._ready.wait()
        processes.command(StartCommand())
        async with asyncio.TaskGroup() as group:
            for name in self._tables:
                group.create_task(self._play_table(processes, name))
        if self._at_end is not None:
            self._at_end(processes)

    async def _play_table(self, processes: Processes, name: str) -> None:
        director = processes.director
        table = self._tables[name]
        beside = {
            asyncio.create_task(self._watch(director, name)),
            asyncio.create_task(self._confirm(director, name)),
        }
        try:
            for plan in table.plans:
                speak = asyncio.create_task(self._speak(director, name, plan))
                await self._strike(processes, table, plan)
                await table.until_over(plan.number)
                await self._collect(director, name, plan)
                speak.cancel()
                await asyncio.wait({speak})
                self._on_board(plan)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.wait(beside)

    # -- what the terminals and the referee say -----------------------------------

    def _take(self, report: Report) -> None:
        match report:
            case ReadyReport():
                self._ready.set()
            case ScreenReport(board=board, at=at) if board in self._table_of:
                self._tables[self._table_of[board]].shows(board, at)
            case FaultReport(terminal=terminal, fault=fault, number=at):
                table = self._tables[terminal.rpartition("-")[0]]
                running = table.running()
                if running is not None:
                    table.struck(Kind(fault.value), running.number, at)
            case LatencyReport(ms=ms):
                self._latencies.append(ms / 1000)
            case FinishedReport(table=name, board=board):
                self._tables[name].over.add(board)
                self._tables[name].moved()
            case RefusedKeyReport(terminal=terminal, reason=reason, kind=kind):
                name = terminal.rpartition("-")[0]
                self._note(name, f"{terminal} refused the key {kind}: {reason}")
            case StrayedReport(table=name, expected=expected, board=board):
                self._note(name, f"board {board} is shown, not {expected}")
            case _:
                pass

    def _note(self, name: str, text: str) -> None:
        """Keep what may explain why the running board of a table goes no further."""
        table = self._tables[name]
        running = table.running()
        if running is not None:
            table.errors.setdefault(running.number, text)

    def _hear(self, payload: Payload) -> None:
        if isinstance(payload, TableResult) and payload.judged is not None:
            table = self._tables[payload.table]
            if payload.board in table.at:
                table.judged[payload.board] = payload.judged
                table.moved()

    # -- what is done for each board ----------------------------------------------

    async def _collect(
        self, director: DirectorClient, name: str, plan: BoardPlan
    ) -> None:
        """Take the result of a board that is over."""
        table = self._tables[name]
        if plan.planned is None:
            # A script may end anywhere, and speak of a board after its last trick.
            table.judged[plan.number] = await director.judged_when_closed(name)
        await table.until(lambda: plan.number in table.judged)

    async def _speak(
        self, director: DirectorClient, name: str, plan: BoardPlan
    ) -> None:
        """Say the Director's lines of a board when it is their turn."""
        table = self._tables[name]
        for at, happening in enumerate(plan.happenings):
            if happening.actor is not None:
                continue
            await table.until_shown(plan.number, at)
            line = format_action(happening.action)
            reply = await director.happening(name, line)
            if not reply.done:
                table.errors[plan.number] = f"{line}: refused: {reply.reason}"
                table.over.add(plan.number)
                table.moved()
                return

    async def _confirm(self, director: DirectorClient, name: str) -> None:
        """Put each proposed ruling into effect at once: nobody else would do it."""
        while True:
            await director.confirm_next(name)

    async def _strike(
        self,
        processes: Processes,
        table: TableProgress,
        plan: BoardPlan,
    ) -> None:
        """Let faults of processes strike at the moments drawn for a board."""
        victims = Victims(
            processes.broker,
            processes.referee,
            processes.daemon,
            processes.clock,
            self._chance,
        )
        for fault in sorted(plan.faults, key=lambda fault: fault.at):
            if fault.kind in OF_PROCESSES:
                await table.until_shown(plan.number, fault.at)
                table.struck(fault.kind, plan.number, table.at[plan.number])
                await victims.strike(fault.kind)

    async def _watch(self, director: DirectorClient, name: str) -> None:
        """Give the running board of a table up when nothing moves for long."""
        table = self._tables[name]
        while True:
            moves = table.moves
            await asyncio.sleep(STALL)
            plan = table.running()
            if plan is not None and table.moves == moves:
                await self._give_up(director, name, plan)

    async def _give_up(
        self, director: DirectorClient, name: str, plan: BoardPlan
    ) -> None:
        table = self._tables[name]
        at = table.at[plan.number]
        rest = plan.happenings[at:]
        waiting = format_action(rest[0].action) if rest else "its end"
        earlier = table.errors.get(plan.number)
        why = f" ({earlier})" if earlier else ""
        table.errors[plan.number] = (
            f"nothing moved for {STALL:.0f} s at happening {at + 1}: {waiting}{why}"
        )
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(director.close_play(name), STALL)
        table.over.add(plan.number)
        table.judged.setdefault(plan.number, {})
        table.moved()
