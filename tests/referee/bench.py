"""A table on the bench: terminals that a test drives without any wire.

``Bench`` stands in for the daemons: it stamps what its terminals send, hands it to
the pure table, and keeps what the journal got and what went out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from broker.settings import BrokerSettings
from laws.actions import Action
from laws.board import Edition
from laws.script import parse_line
from laws.seats import SEATS, Seat
from protocol.happenings import Request, fields_of
from protocol.messages import Encoding, Held, Profile
from protocol.payloads import (
    DaemonStatus,
    DirectorCommand,
    DisplayPrompt,
    HelloReport,
    LinkState,
    TerminalClear,
    TerminalEvent,
    TerminalStatus,
)
from referee.displays import display_of
from referee.entries import Entry, EventSetAside
from referee.intake import Arrived
from referee.playing import Playing
from referee.prompts import BoardText
from referee.record import Folded, Record, fold
from referee.settings import (
    Boards,
    BoardSettings,
    RefereeSettings,
    TableSettings,
    TerminalSettings,
)
from referee.table import (
    Cleared,
    Commanded,
    DaemonReport,
    Input,
    Moment,
    Output,
    Polls,
    Table,
    Tick,
    begin_table,
    step,
)
from referee.traffic import TerminalReport
from referee.views import desk

DEAL = "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
"""Every hand has a solid suit: N spades, E clubs, S diamonds, W hearts."""


def settings(
    *,
    terminals: Sequence[TerminalSettings] | None = None,
    boards: Sequence[BoardSettings] = (BoardSettings(number=1, deal=DEAL),),
    language: str = "en",
    **event: Any,  # noqa: ANN401 - any key of the settings
) -> RefereeSettings:
    """Settings of one table, four terminals on daemon d1 unless said.

    Args:
        terminals: of the table.
        boards: of the table.
        language: of these four.
        event: other keys of the settings; ``opening`` is ``boards``.
    """
    if terminals is None:
        terminals = [
            TerminalSettings(
                daemon="d1",
                id=f"t1-{seat.lower()}",
                seats=(seat,),
                language=language,
            )
            for seat in SEATS
        ]
    table = TableSettings(id="t1", terminals=tuple(terminals), boards=tuple(boards))
    values = {
        "event": "test",
        "broker": BrokerSettings(),
        "journal": "journal.sqlite",
        "edition": Edition.LAWS_2017,
        "boards": event.pop("opening", Boards.AUTO),
        **event,
    }
    return RefereeSettings(tables=(table,), **values)


@dataclass
class Terminal:
    """A terminal: its log, and what it has been told is acknowledged."""

    id: str
    daemon: str
    seats: tuple[Seat, ...]
    serial: str
    boot: int = 1
    next: int = 0
    opening: int = 0
    said: tuple[Held, ...] | None = None
    """What it held when its link last opened."""
    log: list[TerminalEvent] = field(default_factory=list)
    """What is not acknowledged."""
    boots: list[tuple[int, int]] = field(default_factory=list)
    """Earlier boots, each with the number its next event would have had."""

    def held(self) -> tuple[Held, ...]:
        """What HELLO says: every boot with events in the log, the running one last."""
        held = []
        for boot, following in [*self.boots, (self.boot, self.next)]:
            kept = [event.n for event in self.log if event.boot == boot]
            if kept or boot == self.boot:
                held.append(Held(boot, min(kept, default=following), following))
        return tuple(held)


class Bench:
    """One table, its terminals and its daemons."""

    def __init__(self, event: RefereeSettings | None = None) -> None:
        self.event = event or settings()
        (table,) = self.event.tables
        self.table: Table = begin_table(self.event, table, epoch=1)
        self.entries: list[Entry] = []
        self.folded: list[Folded] = []
        self.outputs: list[Output] = []
        self.now = 1000.0
        self.terminals = {
            t.id: Terminal(t.id, t.daemon, t.seats, serial=t.id.upper())
            for t in table.terminals
        }
        self.k: dict[str, int] = {}
        self.stamped: dict[tuple[str, str, int, int], int] = {}
        self.session: dict[str, str] = {}
        for daemon in dict.fromkeys(t.daemon for t in table.terminals):
            self.start_daemon(daemon, f"{daemon}-1")
        for terminal in self.terminals.values():
            self.come_up(terminal.id)

    # -- the table ------------------------------------------------------------------

    def feed(self, message: Input) -> tuple[Output, ...]:
        """Hand a message to the table."""
        outcome = step(self.table, message, Moment(self.now, 1.7e9 + self.now))
        self.table = outcome.table
        self.entries += outcome.entries
        self.folded += outcome.folded
        self.outputs += outcome.outputs
        return outcome.outputs

    @property
    def record(self) -> Record:
        return self.table.record

    @property
    def play(self) -> Playing:
        assert self.record.play is not None
        return self.record.play

    def refolded(self) -> Record:
        """The record as a restart gives it."""
        record = Record(self.event, self.event.tables[0])
        for entry in self.entries:
            record = fold(record, entry)
        return record

    def pass_time(self, seconds: float) -> tuple[Output, ...]:
        """Let time go by."""
        self.now += seconds
        return self.feed(Tick())

    # -- daemons and terminals ------------------------------------------------------

    def start_daemon(self, daemon: str, session: str) -> None:
        """A daemon starts; its numbers begin anew."""
        self.session[daemon], self.k[daemon] = session, 0
        for terminal in self.terminals.values():
            if terminal.daemon == daemon:
                terminal.opening = 0
        self.say_born(daemon)

    def restart_daemon(self, daemon: str) -> None:
        """A daemon restarts; its terminals' links come up again."""
        run = int(self.session[daemon].rpartition("-")[2])
        self.start_daemon(daemon, f"{daemon}-{run + 1}")
        for terminal in self.terminals.values():
            if terminal.daemon == daemon:
                self.come_up(terminal.id)

    def say_born(self, daemon: str) -> None:
        """The referee sees the daemon's birth, which the broker retains."""
        status = DaemonStatus(session=self.session[daemon], online=True)
        self.feed(DaemonReport(daemon, status))

    def come_up(
        self,
        name: str,
        *,
        held: Iterable[Held] | None = None,
        volatile: bool = False,
        **status: Any,  # noqa: ANN401 - any field of the status
    ) -> tuple[Output, ...]:
        """A terminal's link comes up, or what else the status says."""
        terminal = self.terminals[name]
        terminal.opening = status.get("opening", terminal.opening + 1)
        terminal.said = tuple(held) if held is not None else terminal.held()
        hello = HelloReport(
            version=1,
            serial=terminal.serial,
            boot=terminal.boot,
            volatile=volatile,
            held=terminal.said,
            firmware="bench",
            seats=terminal.seats,
            columns=20,
            rows=4,
            encoding=Encoding.UTF_8,
            profile=Profile.CALLS_AND_CARDS,
        )
        values = {
            "session": self.session[terminal.daemon],
            "table": "t1",
            "link": LinkState.ONLINE,
            "opening": terminal.opening,
            "hello": hello,
            **status,
        }
        report = TerminalReport(terminal.daemon, name, TerminalStatus(**values))
        return self.feed(report)

    def of(self, seat: Seat) -> Terminal:
        """The terminal of a seat."""
        return next(t for t in self.terminals.values() if seat in t.seats)

    def press(
        self,
        happening: str | Action | Request,
        *,
        seat: Seat | None = None,
        play: int | None = None,
        rev: int | None = None,
    ) -> TerminalEvent:
        """A user presses a key: the event is in his terminal's log, not sent yet."""
        action = parse_line(happening) if isinstance(happening, str) else happening
        key = fields_of(action, seat)
        terminal = self.of(key.seat)
        current = self.record.play
        if play is None:
            play = current.number if current else 0
        event = TerminalEvent(
            boot=terminal.boot,
            n=terminal.next,
            seat=key.seat,
            play=play,
            rev=self.record.number if rev is None else rev,
            age_ms=0,
            kind=key.kind,
            hand=key.hand,
            data=key.data,
            session=self.session[terminal.daemon],
            table="t1",
            k=0,
            opening=terminal.opening,
            serial=terminal.serial,
        )
        terminal.next += 1
        terminal.log.append(event)
        return event

    def stamp(self, event: TerminalEvent) -> Arrived:
        """The daemon gets an event and stamps it."""
        terminal = next(t for t in self.terminals.values() if t.serial == event.serial)
        daemon = terminal.daemon
        # A copy of an entry has the k that the entry had (J3).
        entry = (self.session[daemon], event.serial, event.boot, event.n)
        k = self.stamped.setdefault(entry, self.k[daemon])
        self.k[daemon] = max(self.k[daemon], k + 1)
        stamped = msgspec.structs.replace(
            event, session=self.session[daemon], k=k, opening=terminal.opening
        )
        return Arrived(daemon, terminal.id, stamped)

    def send(self, event: TerminalEvent) -> tuple[Output, ...]:
        """The event reaches the referee through its daemon."""
        return self.feed(self.stamp(event))

    def does(self, *happenings: str | Action | Request) -> None:
        """Press and send, one after the other; polls are answered at once."""
        for happening in happenings:
            outputs = self.send(self.press(happening, seat=self.actor(happening)))
            self.answer(outputs)

    def actor(self, happening: str | Action | Request) -> Seat | None:
        """Who presses the key for a card: declarer for dummy's."""
        action = parse_line(happening) if isinstance(happening, str) else happening
        hand = getattr(action, "hand", None)
        play = self.play.state.play if self.record.play else None
        if play is not None and hand is play.dummy:
            return play.declarer
        return None

    def answer(self, outputs: Iterable[Output]) -> None:
        """The terminals polled answer that nothing more is on its way."""
        for output in outputs:
            if isinstance(output, Polls):
                self.clear(output)

    def clear(self, poll: Polls) -> tuple[Output, ...]:
        """A terminal answers a poll."""
        terminal = self.terminals[poll.terminal]
        clear = TerminalClear(
            token=poll.token,
            boot=terminal.boot,
            next=terminal.next,
            session=self.session[terminal.daemon],
        )
        return self.feed(Cleared(terminal.id, clear))

    # -- what is seen ---------------------------------------------------------------

    def display(self, seat: Seat) -> DisplayPrompt:
        """What a seat's display has to show."""
        terminal = self.record.table.terminal(self.of(seat).id)
        assert terminal is not None
        return display_of(BoardText(self.record), terminal, seat, epoch=1)

    def direct(self, happening: str = "", **fields: Any) -> None:  # noqa: ANN401 - any field of the command
        """The Director gives a command."""
        values = {
            "id": f"c{len(self.record.commands) + 1}",
            "by": "director",
            "expects": self.record.number,
            **fields,
        }
        command = DirectorCommand(happening=happening, **values)
        self.answer(self.feed(Commanded(command)))


def calls(bench: Bench) -> list[str]:
    """The legal auction, as a script writes it."""
    return [f"{m.seat} {m.call}" for m in bench.play.state.auction.legal_calls]


def aside(bench: Bench) -> list[str]:
    """Why events were set aside, in order."""
    return [e.reason for e in bench.entries if isinstance(e, EventSetAside)]


def text(bench: Bench, seat: Seat) -> str:
    """All that a seat reads, unwrapped."""
    return " ".join(line for page in bench.display(seat).pages for line in page)


def reply(bench: Bench) -> tuple[bool, str]:
    """Whether the last command was done, and what was said of it."""
    last = desk(bench.table, "s").replies[-1]
    return last.done, last.reason
