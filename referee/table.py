"""The table as a pure aggregate: what comes in, what the journal gets, what goes out.

    outcome = step(table, message, moment)

Nothing here waits, reads a clock or sends: the time comes in with each message, and
what is to be sent goes out in the outcome. Only ``outcome.entries`` are durable; the
traffic around them (who is online, what is held and for whom) is found out again
after a restart.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from protocol.intake import Verdict
from protocol.objects import HelloReport
from protocol.payloads import (
    DaemonStatus,
    DirectorCommand,
    LinkState,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalStatus,
)
from referee import order
from referee.director import UnreadCommand
from referee.entries import (
    Alarmed,
    Entry,
    EventMalformed,
    EventsLost,
    EventTaken,
    LinkLost,
    TerminalSeen,
)
from referee.intake import GAP_S, Arrived, Stream, arrange, give_up_gap
from referee.judging import Judging
from referee.record import Folded, Record
from referee.settings import RefereeSettings, TableSettings
from referee.traffic import Line, Session, TerminalReport, Traffic


class Moment(NamedTuple):
    """The time as the service sees it."""

    now: float
    """Seconds of a clock that never goes back."""
    wall: float
    """Seconds since 1970, for people."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """A terminal answered a poll."""

    terminal: str
    clear: TerminalClear


@dataclass(frozen=True, slots=True)
class DaemonReport:
    """Birth or death of a daemon."""

    daemon: str
    status: DaemonStatus


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command of the Director, or what should have been one."""

    command: DirectorCommand | UnreadCommand


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The broker connection is new: what was under way may be missing."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing came, but time has passed."""


Input = (
    Arrived | Cleared | TerminalReport | DaemonReport | Commanded | Reconnected | Tick
)


@dataclass(frozen=True, slots=True)
class Acknowledges:
    """Send ACK to a terminal, as its numbering stands."""

    terminal: str


@dataclass(frozen=True, slots=True)
class Polls:
    """Poll a terminal."""

    terminal: str
    token: int


@dataclass(frozen=True, slots=True)
class ShowsAgain:
    """Send a terminal its displays again, shown before or not."""

    terminal: str


Output = Acknowledges | Polls | ShowsAgain


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its record, and the traffic around it."""

    record: Record
    traffic: Traffic


class Outcome(NamedTuple):
    """What a step led to."""

    table: Table
    folded: tuple[Folded, ...]
    """What is for the journal, with the record before and after each."""
    outputs: tuple[Output, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """For the journal; nothing of the rest may be sent before it has them."""
        return tuple(each.entry for each in self.folded)


def begin_table(event: RefereeSettings, table: TableSettings, epoch: int) -> Table:
    """A table before its first entry; fold the journal into its record next."""
    return Table(Record(event, table), Traffic(epoch))


def of_term(table: Table, epoch: int) -> Table:
    """The table as the referee of a new term finds it."""
    return Table(table.record, Traffic(epoch))


def step(table: Table, message: Input, moment: Moment) -> Outcome:
    """Take in a message and do all that follows from it."""
    work = _Work(table, moment)
    match message:
        case Arrived():
            work.take_arrived(message)
        case Cleared(terminal, clear):
            work.take_clear(terminal, clear)
        case TerminalReport():
            work.take_terminal(message)
            work.note_lost_links(table.traffic, message.status.reason)
        case DaemonReport(daemon, status):
            work.take_daemon(daemon, status)
            again = "restarted" if status.online else "is gone"
            work.note_lost_links(table.traffic, f"its daemon {again}")
        case Commanded(command):
            work.take_command(command)
        case Reconnected():
            work.forget_traffic()
        case Tick():
            work.tick()
    work.go_on()
    return Outcome(
        Table(work.judging.record, work.traffic),
        tuple(work.judging.folded),
        tuple(dict.fromkeys(work.outputs)),
    )


def deadline(table: Table) -> float | None:
    """When ``Tick`` has something to do, on the clock of ``Moment.now``."""
    traffic = table.traffic
    due = [s.since + GAP_S for s in traffic.streams if s.since is not None]
    for held in traffic.rounds:
        due.append(held.polled + order.POLL_AGAIN_S)
        if not held.told:
            due.append(held.since + order.TELL_DIRECTOR_S)
    return min(due, default=None)


class _Work:
    """One step: the entries and outputs it has led to so far."""

    def __init__(self, table: Table, moment: Moment) -> None:
        self.judging = Judging(table.record)
        self.traffic = table.traffic
        self.moment = moment
        self.outputs: list[Output] = []

    @property
    def record(self) -> Record:
        return self.judging.record

    # -- events -------------------------------------------------------------------

    def take_arrived(self, arrived: Arrived) -> None:
        """Put a stamped message in order, and take in what is due."""
        stream = self.traffic.stream(arrived.daemon)
        session = arrived.message.session
        if stream is None or stream.session != session:
            known = self.traffic.session(arrived.daemon)
            if stream is not None and known is not None and known.session != session:
                # A run that is over, or whose birth is to come.
                self.traffic = self.traffic.with_unheard(arrived)
                return
            stream = Stream(arrived.daemon, session, None)
        stream, due = arrange(stream, arrived, self.moment.now)
        self.traffic = self.traffic.with_stream(stream)
        for message in due:
            self._take(message)

    def _take(self, arrived: Arrived) -> None:
        """Take an entry that is the next of its log; acknowledge what is taken."""
        message, log = arrived.message, self.record.log(arrived.terminal)
        if log is None or not log.has_opened(message.session, message.opening):
            self.traffic = self.traffic.with_unheard(arrived)
            return
        if (message.serial, message.opening) != (log.serial, log.opening):
            return  # of an earlier opening: the terminal sends it again in this one
        if log.intake.judge(message) is Verdict.NEXT:
            self.judging.write(_entry(arrived, self.moment.wall))
        self.outputs.append(Acknowledges(arrived.terminal))

    def _take_unheard(self) -> None:
        """A HELLO, or a daemon's birth, is there: what overtook it may be taken."""
        unheard, self.traffic = self.traffic.without_unheard()
        for arrived in unheard:
            self.take_arrived(arrived)

    # -- statuses -----------------------------------------------------------------

    def take_daemon(self, daemon: str, status: DaemonStatus) -> None:
        """A birth begins a new count of k; a death of another run is an old one."""
        known = self.traffic.session(daemon)
        new = known is None or known.session != status.session
        if new and known is not None and not status.online:
            return
        if new:
            first = 0 if known is not None else None
            stream = Stream(daemon, status.session, first)
            self.traffic = self.traffic.with_stream(stream)
        self.traffic = self.traffic.with_session(
            Session(daemon, status.session, status.online)
        )
        early, self.traffic = self.traffic.without_early(daemon)
        for report in early:
            if report.status.session == status.session:
                self._take_status(report)
        self._take_unheard()
        if status.online:
            self._show_all_of(daemon)

    def _show_all_of(self, daemon: str) -> None:
        for terminal in self.record.table.terminals:
            if terminal.daemon == daemon:
                self._greet(terminal.id)

    def _greet(self, terminal: str) -> None:
        """Send what a terminal has to have again."""
        if self.record.log(terminal) is not None:
            self.outputs.append(Acknowledges(terminal))
        self.outputs.append(ShowsAgain(terminal))
        for held in self.traffic.rounds:
            self._poll(held, terminal)

    def take_terminal(self, report: TerminalReport) -> None:
        """A link came up or went down; the birth of its daemon's run comes first."""
        session = self.traffic.session(report.daemon)
        if session is None or session.session != report.status.session:
            self.traffic = self.traffic.with_early(report)
        else:
            self._take_status(report)

    def _take_status(self, report: TerminalReport) -> None:
        terminal, status = report.terminal, report.status
        before = self.traffic.line(terminal)
        if before is not None and _is_older(status, before):
            return  # delivered out of order
        refused = status.reason if status.link is LinkState.REFUSED else ""
        line = Line(
            terminal,
            report.daemon,
            status.session,
            status.link,
            status.opening,
            refused,
            status.intruder,
        )
        self.traffic = self.traffic.with_line(line)
        if refused and (before is None or before.refused != refused):
            self._alarm_once(f"refused: {refused}", terminal)
        if line.intruder and (before is None or before.intruder != line.intruder):
            self._alarm_once(f"refused: {line.intruder}", terminal)
        if status.hello is not None:
            self._see(terminal, status, status.hello)
        if status.link is not LinkState.ONLINE:
            return
        if before is None or replace(before, intruder=line.intruder) != line:
            self._greet(terminal)
        elif self.record.log(terminal) is not None:
            self.outputs.append(Acknowledges(terminal))  # it has not had the ACK (J4)

    def note_lost_links(self, before: Traffic, reason: str) -> None:
        """Keep for disputes which links were up and are not any more."""
        for terminal in self.record.table.terminals:
            was, now = before.link(terminal.id), self.traffic.link(terminal.id)
            if was is LinkState.ONLINE and now is not LinkState.ONLINE:
                self.judging.write(
                    LinkLost(
                        terminal=terminal.id,
                        received=self.moment.wall,
                        reason=reason or str(now),
                    )
                )

    def _see(self, terminal: str, status: TerminalStatus, hello: HelloReport) -> None:
        """The HELLO of an opening: journalled once, before anything that came in it."""
        before = self.record.log(terminal)
        known = self.record.log_of(terminal, hello.serial)
        if before is not None and before.serial != hello.serial:
            boot, n = before.acknowledged
            last = "nothing" if n < 0 else f"no event after {n} of boot {boot}"
            self._alarm_once(
                f"replaced: serial number {hello.serial} instead of {before.serial}, "
                f"of which {last} was taken",
                terminal,
            )
        elif known is not None:
            if known.has_opened(status.session, status.opening):
                return
            if known.intake.is_reset(hello):
                self._alarm_once(
                    "its memory was reset: its events are numbered anew", terminal
                )
        self.judging.write(
            TerminalSeen(
                terminal=terminal,
                session=status.session,
                opening=status.opening,
                hello=hello,
                received=self.moment.wall,
            )
        )
        self._take_unheard()

    def _alarm_once(self, text: str, terminal: str) -> None:
        known = {(alarm.text, alarm.terminal) for alarm in self.record.alarms}
        if (text, terminal) not in known:
            received = self.moment.wall
            self.judging.write(Alarmed(text=text, terminal=terminal, received=received))

    def forget_traffic(self) -> None:
        """After a new connection: no k is known to be due, and polls are repeated."""
        streams = tuple(Stream(s.daemon, s.session, None) for s in self.traffic.streams)
        ahead = [a for s in self.traffic.streams for a in s.ahead]
        self.traffic = replace(self.traffic, streams=streams)
        for arrived in ahead:
            self._take(arrived)
        for terminal in self.record.table.terminals:
            self._greet(terminal.id)

    # -- time ---------------------------------------------------------------------

    def tick(self) -> None:
        """Give up gaps, poll again, tell the Director of what is held."""
        now = self.moment.now
        for stream in self.traffic.streams:
            patient, due = give_up_gap(stream, now)
            self.traffic = self.traffic.with_stream(patient)
            for message in due:
                self._take(message)
        for held in self.traffic.rounds:
            told = held.told or now - held.since >= order.TELL_DIRECTOR_S
            again = now - held.polled >= order.POLL_AGAIN_S
            if again:
                others = self._others(held.event[0])
                for terminal in order.missing(held, others, self.record.logs):
                    self._poll(held, terminal)
            polled = now if again else held.polled
            self.traffic = self.traffic.with_round(
                replace(held, told=told, polled=polled)
            )

    def take_command(self, command: DirectorCommand | UnreadCommand) -> None:
        """A command is done or refused; what is none is told its sender."""
        if isinstance(command, UnreadCommand):
            self.judging.unread(command, self.moment.wall)
        else:
            self.judging.command(command, self.moment.wall)

    # -- holding ------------------------------------------------------------------

    def take_clear(self, terminal: str, clear: TerminalClear) -> None:
        """Note a terminal's answer to a poll."""
        for held in self.traffic.rounds:
            if held.token == clear.token:
                answered = order.answered(held, terminal, clear.boot, clear.next)
                self.traffic = self.traffic.with_round(answered)

    def go_on(self) -> None:
        """Judge what can be judged now, and hold the rest."""
        held = self.judging.judge_waiting(self._is_clear)
        for taken in held:
            if self._round(taken) is None:
                self._hold(taken)
        names = {_name(taken) for taken in held}
        rounds = tuple(r for r in self.traffic.rounds if r.event in names)
        self.traffic = replace(self.traffic, rounds=rounds)
        self.judging.turn_boards()

    def _hold(self, taken: EventTaken) -> None:
        token, now = self.traffic.next_token(), self.moment.now
        held = order.Round(_name(taken), token, since=now, polled=now)
        self.traffic = replace(
            self.traffic.with_round(held), polls=self.traffic.polls + 1
        )
        for terminal in self._others(taken.terminal):
            self._poll(held, terminal)

    def _poll(self, held: order.Round, terminal: str) -> None:
        if terminal != held.event[0]:
            self.outputs.append(Polls(terminal, held.token))

    def _is_clear(self, taken: EventTaken) -> bool:
        """Whether nothing that was pressed before an event can still be missing."""
        if self.record.lost:
            return False
        others = self._others(taken.terminal)
        held = self._round(taken)
        if held is None:
            return not others
        return not order.missing(held, others, self.record.logs)

    def _round(self, taken: EventTaken) -> order.Round | None:
        name = _name(taken)
        return next((r for r in self.traffic.rounds if r.event == name), None)

    def _others(self, terminal: str) -> tuple[str, ...]:
        return tuple(t.id for t in self.record.table.terminals if t.id != terminal)


def _name(taken: EventTaken) -> order.Name:
    return (taken.terminal, taken.boot, taken.n)


def _entry(arrived: Arrived, wall: float) -> EventTaken | EventMalformed | EventsLost:
    """What the journal gets of a message that was taken in."""
    terminal, message = arrived.terminal, arrived.message
    match message:
        case TerminalLost():
            return EventsLost(
                terminal=terminal,
                boot=message.boot,
                first=message.first,
                last=message.last,
                received=wall,
            )
        case TerminalMalformed():
            return EventMalformed(
                terminal=terminal,
                received=wall,
                boot=message.boot,
                n=message.n,
                raw=message.raw,
                reason=message.reason,
            )
        case TerminalEvent():
            return EventTaken(
                terminal=terminal,
                daemon=arrived.daemon,
                session=message.session,
                k=message.k,
                received=wall,
                boot=message.boot,
                n=message.n,
                seat=message.seat,
                play=message.play,
                rev=message.rev,
                age_ms=message.age_ms,
                kind=message.kind,
                hand=message.hand,
                data=message.data,
            )


def _is_older(status: TerminalStatus, line: Line) -> bool:
    return status.session == line.session and status.opening < line.opening
