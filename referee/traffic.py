"""What is on its way to and from a table now: nothing of it is journalled.

After a restart it is found out again: statuses are retained by the broker, events are
sent again until they are acknowledged, polls begin anew.
"""

from dataclasses import dataclass, replace

from protocol.payloads import LinkState, TerminalStatus
from referee.intake import Arrived, Stream
from referee.order import Round

UNHEARD_MAX = 64
"""Entries that wait for a HELLO, at most; their terminals repeat the rest."""


@dataclass(frozen=True, slots=True)
class Session:
    """The run of a daemon that counts, and whether it is online."""

    daemon: str
    session: str
    online: bool


@dataclass(frozen=True, slots=True)
class Line:
    """How a terminal's link stands, by what its daemon said last."""

    terminal: str
    daemon: str
    session: str
    state: LinkState
    opening: int
    refused: str = ""
    """Why it is refused, while it is."""
    intruder: str = ""
    """Who was refused beside it last."""


@dataclass(frozen=True, slots=True)
class TerminalReport:
    """A daemon said how a terminal stands."""

    daemon: str
    terminal: str
    status: TerminalStatus


@dataclass(frozen=True, slots=True)
class Traffic:
    """The traffic of one table.

    Attributes:
        epoch: the referee's term.
        polls: how many polls this term has begun.
        sessions: of the daemons.
        lines: of the terminals.
        early: reports of runs of daemons whose birth has not been seen yet.
        unheard: entries of openings whose HELLO has not been seen yet: brokers deliver
            a status after events that were published later.
        streams: messages of the daemons, put in order.
        rounds: polls for the events that are held.
    """

    epoch: int
    polls: int = 0
    sessions: tuple[Session, ...] = ()
    lines: tuple[Line, ...] = ()
    early: tuple[TerminalReport, ...] = ()
    unheard: tuple[Arrived, ...] = ()
    streams: tuple[Stream, ...] = ()
    rounds: tuple[Round, ...] = ()

    def session(self, daemon: str) -> Session | None:
        return next((s for s in self.sessions if s.daemon == daemon), None)

    def line(self, terminal: str) -> Line | None:
        return next((x for x in self.lines if x.terminal == terminal), None)

    def stream(self, daemon: str) -> Stream | None:
        return next((s for s in self.streams if s.daemon == daemon), None)

    def link(self, terminal: str) -> LinkState:
        """How the terminal's link stands; offline when its daemon has died since."""
        line = self.line(terminal)
        if line is None:
            return LinkState.OFFLINE
        session = self.session(line.daemon)
        if session is None or (session.session, True) == (line.session, session.online):
            return line.state
        return LinkState.OFFLINE

    def with_session(self, session: Session) -> "Traffic":
        others = [s for s in self.sessions if s.daemon != session.daemon]
        return replace(self, sessions=(*others, session))

    def with_line(self, line: Line) -> "Traffic":
        others = [x for x in self.lines if x.terminal != line.terminal]
        return replace(self, lines=(*others, line))

    def with_early(self, report: TerminalReport) -> "Traffic":
        others = [r for r in self.early if r.terminal != report.terminal]
        return replace(self, early=(*others, report))

    def without_early(
        self, daemon: str
    ) -> tuple[tuple[TerminalReport, ...], "Traffic"]:
        """The early reports of a daemon, and the traffic without them."""
        early = tuple(r for r in self.early if r.daemon == daemon)
        rest = tuple(r for r in self.early if r.daemon != daemon)
        return early, replace(self, early=rest)

    def with_unheard(self, arrived: Arrived) -> "Traffic":
        entries = (*(a for a in self.unheard if a != arrived), arrived)
        return replace(self, unheard=entries[-UNHEARD_MAX:])

    def without_unheard(self) -> tuple[tuple[Arrived, ...], "Traffic"]:
        """The entries that came before their HELLO, and the traffic without them."""
        return self.unheard, replace(self, unheard=())

    def with_stream(self, stream: Stream) -> "Traffic":
        others = [s for s in self.streams if s.daemon != stream.daemon]
        return replace(self, streams=(*others, stream))

    def with_round(self, round_: Round) -> "Traffic":
        others = [r for r in self.rounds if r.event != round_.event]
        return replace(self, rounds=(*others, round_))

    def next_token(self) -> int:
        """A token that no poll of this or an earlier term has had lately."""
        return ((self.epoch & 0xFFFF) << 16 | (self.polls + 1) & 0xFFFF) or 1
