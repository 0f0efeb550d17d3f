"""The settings of a replay's processes: who plays what at which table."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bidwire.carrier import Carrier
from bidwire.records.plan import OF_TERMINALS
from bidwire.replay.plan import BoardPlan
from broker import BrokerSettings
from laws.board import Edition, Policies, format_deal
from laws.seats import SEATS, Seat
from protocol.happenings import fields_of
from referee.settings import (
    BoardSettings,
    PolicySettings,
    Questions,
    RefereeSettings,
    TableSettings,
)
from referee.settings import TerminalSettings as RefereeTerminal
from terminal.settings import BLUETOOTH, DaemonSettings, Security, TerminalSettings
from terminal.simulator.settings import (
    BoardScript,
    Fault,
    FaultKind,
    SimulatedSettings,
    SimulatorSettings,
    TableScript,
)
from terminal.simulator.settings import Happening as Scripted

EVENT = "replay"
DAEMON = "hall"

_FAULTS = {kind: FaultKind(kind.value) for kind in OF_TERMINALS}
"""Faults that the simulator makes; the others strike processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Tables that play on one chain: with one edition and one set of policies.

    Attributes:
        tables: the boards of each, in order.
        hide_deal: keep the hands from the referee.
        lock_compelled: lock the keys that a ruling leaves no choice about, as at a real
            table; a script may tell that a player called against it.
        answers_wait: a seat answers only what its display offers while the table waits
            for the Director; a script may tell that a player answered unasked.
        pace: seconds between a display that lets a seat act and its key press.
        columns, rows: of every display.
        carrier: what lies between terminals and daemon.
        one_terminal: each table has one terminal for its four seats, in place of four.
        faketime: the library that gives referee and daemon a clock that can jump; None
            leaves them the machine's.
    """

    edition: Edition
    policies: Policies
    tables: dict[str, tuple[BoardPlan, ...]] = field(default_factory=dict)
    hide_deal: bool = False
    lock_compelled: bool = True
    answers_wait: bool = True
    pace: float = 0.0
    seed: int = 0
    columns: int = 20
    rows: int = 4
    carrier: Carrier = Carrier.SERIAL
    one_terminal: bool = False
    faketime: Path | None = None

    def simulator(self, run: Path) -> SimulatorSettings:
        """The terminals of each table, with their seats' part of every board."""
        return SimulatorSettings(
            run_directory=str(run / "terminals"),
            terminals=tuple(
                SimulatedSettings(
                    id=name,
                    table=table,
                    seats=seats,
                    serial=name.upper(),
                    columns=self.columns,
                    rows=self.rows,
                )
                for table, seats, name in self.terminals()
            ),
            tables=tuple(
                TableScript(
                    table=table,
                    boards=tuple(map(_script, plans)),
                    answers_wait=self.answers_wait,
                )
                for table, plans in self.tables.items()
            ),
            pace=self.pace,
            seed=self.seed,
            wait_for_start=True,
        )

    def daemon(self, run: Path, broker: BrokerSettings) -> DaemonSettings:
        """One daemon that serves every terminal."""
        return DaemonSettings(
            event=EVENT,
            daemon=DAEMON,
            broker=broker,
            terminals=tuple(
                TerminalSettings(
                    id=name,
                    port=self._port(run, number, name),
                    table=table,
                    seats=seats,
                    serial=name.upper(),
                    security=Security.OPEN,
                )
                for number, (table, seats, name) in enumerate(self.terminals())
            ),
            log_level="WARNING",
        )

    def referee(self, run: Path, broker: BrokerSettings) -> RefereeSettings:
        """A referee who assumes the usual answers, since nobody gives any."""
        return RefereeSettings(
            event=EVENT,
            broker=broker,
            journal=str(journal_of(run)),
            edition=self.edition,
            tables=tuple(
                TableSettings(
                    id=table,
                    terminals=tuple(
                        RefereeTerminal(daemon=DAEMON, id=name, seats=seats)
                        for at, seats, name in self.terminals()
                        if at == table
                    ),
                    boards=tuple(self._board(plan) for plan in plans),
                )
                for table, plans in self.tables.items()
            ),
            policies=PolicySettings(
                revoke=self.policies.revoke,
                out_of_turn=self.policies.out_of_turn,
                inadmissible=self.policies.inadmissible,
                rulings=self.policies.rulings,
            ),
            questions=Questions.ASSUME,
            lock_compelled=self.lock_compelled,
        )

    def terminals(self) -> Iterator[tuple[str, tuple[Seat, ...], str]]:
        """Table, seats and id of every terminal."""
        for table in self.tables:
            for seats in [SEATS] if self.one_terminal else [(seat,) for seat in SEATS]:
                yield table, seats, f"{table}-{''.join(seats).lower()}"

    def _port(self, run: Path, number: int, name: str) -> str:
        if self.carrier is Carrier.BLE:
            high, low = divmod(number, 256)
            return f"{BLUETOOTH}C0:00:00:01:{high:02X}:{low:02X}"
        return str(run / "terminals" / name)

    def _board(self, plan: BoardPlan) -> BoardSettings:
        hands = None if self.hide_deal else plan.board.hands
        return BoardSettings(
            number=plan.number,
            dealer=plan.board.dealer,
            vulnerable=tuple(sorted(plan.board.vulnerable)),
            deal=format_deal(hands) if hands is not None else None,
        )


def journal_of(run: Path) -> Path:
    """The referee's journal in the folder of a run."""
    return run / "journal.sqlite"


def _script(plan: BoardPlan) -> BoardScript:
    """The seats' part of a board; what the Director says leaves a gap."""
    scripted = []
    for number, happening in enumerate(plan.happenings):
        if happening.actor is None:
            continue
        key = fields_of(happening.action, happening.actor)
        scripted.append(
            Scripted(
                number=number,
                seat=key.seat,
                kind=key.kind,
                hand=key.hand,
                data=key.data,
            )
        )
    return BoardScript(
        board=plan.number,
        happenings=tuple(scripted),
        count=len(plan.happenings),
        faults=tuple(
            Fault(number=fault.at, fault=_FAULTS[fault.kind], seconds=fault.seconds)
            for fault in plan.faults
            if fault.kind in _FAULTS
        ),
    )
