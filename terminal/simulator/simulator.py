"""The simulator: terminals, the players at them, reports out and commands in."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import msgspec

from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.messages import Display
from terminal.simulator.player import Move, Player, TablePart
from terminal.simulator.reports import (
    AcknowledgedReport,
    Command,
    ErrorReport,
    FaultReport,
    FinishedReport,
    HoldCommand,
    KeyReport,
    LatencyReport,
    LinkReport,
    PaceCommand,
    PortReport,
    PressCommand,
    ReadyReport,
    RefusedKeyReport,
    Report,
    RestartCommand,
    ScreenReport,
    StartCommand,
    StopCommand,
    StrayedReport,
    TurnCommand,
    UnplugCommand,
    decode_command,
)
from terminal.simulator.settings import (
    FaultKind,
    SimulatorSettings,
    TableScript,
)
from terminal.simulator.terminal import (
    KeyRefusedError,
    MemoryFullError,
    SimulatedTerminal,
)
from terminal.simulator.wire import FarEnd

logger = logging.getLogger(__name__)

JITTER = 0.3
"""A player is at most this share of the pace faster or slower."""


@dataclass(slots=True)
class _Place:
    """A player at his terminal."""

    player: Player
    part: TablePart
    terminal: SimulatedTerminal
    seat: Seat
    waiting: asyncio.TimerHandle | None = None
    sent: tuple[int, int, float] | None = None
    """Play and number of his last happening, and when its frame went out."""


class Simulator:
    """All simulated terminals of one process.

    Args:
        settings: the terminals and what is played at them.
        report: takes every report.
        ends: by terminal id where the daemon reaches it, for those that have neither
            a pty nor a TCP port.
        make: makes a terminal, as ``SimulatedTerminal`` does; another one for
            terminals that break rules.
    """

    def __init__(
        self,
        settings: SimulatorSettings,
        report: Callable[[Report], None],
        *,
        ends: Mapping[str, FarEnd] | None = None,
        make: Callable[..., SimulatedTerminal] = SimulatedTerminal,
    ) -> None:
        self._settings = settings
        self._report = report
        self._random = Random(settings.seed)  # noqa: S311 - pace and faults
        self._pace = settings.pace
        self._playing = not settings.wait_for_start
        self._stop = asyncio.Event()
        directory = Path(settings.run_directory)
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.terminals = {
            terminal.id: make(
                terminal,
                directory,
                self,
                Random(f"{settings.seed} {terminal.id}"),  # noqa: S311 - faults
                (ends or {}).get(terminal.id),
            )
            for terminal in settings.terminals
        }
        parts = {script.table: TablePart(script) for script in settings.tables}
        self._places = {
            (terminal.settings.id, seat): self._seated(terminal, seat, parts)
            for terminal in self.terminals.values()
            for seat in terminal.settings.seats
        }

    def _seated(
        self, terminal: SimulatedTerminal, seat: Seat, parts: dict[str, TablePart]
    ) -> _Place:
        table = terminal.settings.table
        part = parts.setdefault(table, TablePart(TableScript(table=table)))
        return _Place(Player(seat, part), part, terminal, seat)

    async def run(self) -> None:
        """Simulate until cancelled or told to stop.

        Raises:
            OSError: a port or a memory cannot be made.
        """
        self._loop = asyncio.get_running_loop()
        async with contextlib.AsyncExitStack() as stack:
            stack.callback(self._stop_waiting)
            for terminal in self.terminals.values():
                await terminal.start()
                stack.push_async_callback(terminal.close)
            ports = tuple(PortReport(n, t.port) for n, t in self.terminals.items())
            self._report(ReadyReport(t=self._loop.time(), ports=ports))
            await self._stop.wait()

    def _stop_waiting(self) -> None:
        for place in self._places.values():
            if place.waiting is not None:
                place.waiting.cancel()

    def stop(self) -> None:
        """End ``run``."""
        self._stop.set()

    # -- commands -------------------------------------------------------------------

    def command(self, line: bytes | str) -> None:
        """Do what a line of the parent says; one that is no command is reported."""
        try:
            self._do(decode_command(line))
        except msgspec.MsgspecError as error:
            self._report(ErrorReport(t=self._loop.time(), text=f"no command: {error}"))
        except KeyError as error:
            self._report(
                ErrorReport(t=self._loop.time(), text=f"there is no {error.args[0]}")
            )

    def _do(self, command: Command) -> None:
        match command:
            case StartCommand():
                self._playing = True
                self._look_everywhere()
            case PaceCommand(seconds=seconds):
                self._pace = seconds
            case HoldCommand(terminal=name, seconds=seconds):
                self.terminals[name].wire.hold(seconds)
            case RestartCommand(terminal=name):
                self.terminals[name].restart()
            case UnplugCommand(terminal=name, seconds=seconds):
                self.terminals[name].unplug(seconds)
            case PressCommand(terminal=name, seat=seat):
                key = EventKey(command.kind, seat, command.hand, command.data)
                self._press(self._places[name, seat], key, None)
            case TurnCommand(terminal=name, seat=seat):
                self._places[name, seat].terminal.turn_page(seat)
            case StopCommand():
                self.stop()

    # -- the terminals call these ---------------------------------------------------

    def screen_changed(self, terminal: SimulatedTerminal, seat: Seat) -> None:
        """A seat's screen shows something else."""
        screen = terminal.screens[seat]
        shown = screen.shown
        report = ScreenReport(
            t=self._loop.time(),
            terminal=terminal.settings.id,
            seat=seat,
            lines=screen.lines(terminal.notice),
            page=screen.page + 1,
            pages=screen.pages,
        )
        if shown is not None:
            report = msgspec.structs.replace(
                report,
                epoch=shown.epoch,
                rev=shown.rev,
                play=shown.play,
                board=shown.board,
                at=shown.at,
                ask=shown.ask,
                hand=shown.hand,
                choices=shown.choices,
                locks=shown.locks,
            )
        self._report(report)

    def display_came(self, terminal: SimulatedTerminal, display: Display) -> None:
        """A new display came over the wire, and is shown."""
        place = self._places[terminal.settings.id, display.seat]
        self._measure(place, display)
        self._finish(place, display)  # the running board, when this begins another
        strayed = place.player.see(display)
        if strayed is not None:
            following = place.player.index + 1
            boards = place.player.boards
            self._report(
                StrayedReport(
                    t=self._loop.time(),
                    table=terminal.settings.table,
                    seat=display.seat,
                    expected=boards[following].board
                    if following < len(boards)
                    else None,
                    board=strayed,
                )
            )
        self._finish(place, display)
        self._look(place)

    def acknowledged(self, terminal: SimulatedTerminal) -> None:
        """A terminal's memory has room again."""
        self._report(
            AcknowledgedReport(
                t=self._loop.time(),
                terminal=terminal.settings.id,
                waiting=terminal.unacknowledged,
            )
        )
        for seat in terminal.settings.seats:
            self._look(self._places[terminal.settings.id, seat])

    def link_changed(self, terminal: SimulatedTerminal, text: str) -> None:
        """The link is up, or is no longer."""
        self._report(
            LinkReport(
                t=self._loop.time(),
                terminal=terminal.settings.id,
                state=terminal.state.value,
                text=text,
            )
        )

    # -- the players ----------------------------------------------------------------

    def _measure(self, place: _Place, display: Display) -> None:
        if place.sent is None:
            return
        play, number, left = place.sent
        before = place.part.happened_before(place.player.index, number)
        if display.play == play and display.at <= before:
            return
        place.sent = None
        now = self._loop.time()
        self._report(
            LatencyReport(
                t=now,
                terminal=place.terminal.settings.id,
                seat=place.seat,
                play=play,
                number=number,
                ms=(now - left) * 1000,
            )
        )

    def _finish(self, place: _Place, display: Display) -> None:
        player = place.player
        if player.index in place.part.finished or not player.is_finished(display):
            return
        place.part.finished.add(player.index)
        self._report(
            FinishedReport(
                t=self._loop.time(),
                table=place.part.script.table,
                index=player.index,
                board=player.boards[player.index].board,
                play=player.play,
            )
        )

    def _look_everywhere(self) -> None:
        for place in self._places.values():
            self._look(place)

    def _look(self, place: _Place) -> None:
        """Let a player look at his display, and act after a while if it lets him."""
        if not self._playing or place.waiting is not None:
            return
        shown = place.terminal.screens[place.seat].shown
        if shown is None or place.player.next_move(shown) is None:
            return
        # Always by way of the loop: he acts on what is shown, never in the middle of
        # showing it.
        place.waiting = self._loop.call_later(self._delay(), self._act, place)

    def _delay(self) -> float:
        return self._pace * self._random.uniform(1 - JITTER, 1 + JITTER)

    def _act(self, place: _Place) -> None:
        place.waiting = None
        shown = place.terminal.screens[place.seat].shown
        move = place.player.next_move(shown) if shown is not None else None
        if move is None:
            return  # the display has changed meanwhile
        place.player.made(move)
        self._strike_before(place, move)
        self._press(place, move.key, move)
        self._strike_after(place, move)

    def _press(self, place: _Place, key: EventKey, move: Move | None) -> None:
        terminal = place.terminal
        number = move.number if move is not None else None
        now = self._loop.time()
        try:
            event = terminal.press(key)
        except KeyRefusedError as refusal:
            self._report(
                RefusedKeyReport(
                    t=now,
                    terminal=terminal.settings.id,
                    seat=key.seat,
                    kind=key.kind,
                    data=key.data,
                    reason=str(refusal),
                    number=number,
                )
            )
            if move is not None:
                self._give_up(place, move, refusal)
            return
        if number is not None:
            place.sent = (event.play, number, now)
        self._report(
            KeyReport(
                t=now,
                terminal=terminal.settings.id,
                seat=key.seat,
                kind=event.kind,
                hand=event.hand,
                data=event.data,
                boot=event.boot,
                n=event.n,
                play=event.play,
                number=number,
            )
        )

    def _give_up(self, place: _Place, move: Move, refusal: KeyRefusedError) -> None:
        """A key did nothing: try again after the next ACK, or go on without it."""
        if isinstance(refusal, MemoryFullError):
            place.player.not_made(move)
        elif move.number is not None:
            place.part.skip(move.index, move.number)
            self._look_everywhere()

    # -- faults ---------------------------------------------------------------------

    def _strike_before(self, place: _Place, move: Move) -> None:
        for fault in move.faults:
            self._report(
                FaultReport(
                    t=self._loop.time(),
                    terminal=place.terminal.settings.id,
                    fault=fault.fault,
                    number=fault.number,
                )
            )
            if fault.fault is FaultKind.HOLD:
                place.terminal.wire.hold(fault.seconds)
            elif fault.fault is FaultKind.UNPLUG:
                place.terminal.unplug(fault.seconds)
            else:
                place.terminal.wire.spoil_next(fault.fault)

    def _strike_after(self, place: _Place, move: Move) -> None:
        if any(fault.fault is FaultKind.RESET for fault in move.faults):
            place.terminal.restart()
