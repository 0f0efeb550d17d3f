"""A table's record: what the journal's entries add up to. Folding judges nothing."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import msgspec

from laws.engine import begin
from laws.seats import Seat, Side
from laws.state import RulingKey
from protocol.intake import Intake, Verdict
from protocol.messages import Encoding
from protocol.payloads import (
    Alarm,
    CommandReply,
    DirectorCommand,
    HeldEvent,
    Service,
    SilentCall,
)
from referee.codec import decode_event
from referee.entries import (
    Alarmed,
    Attended,
    CommandJudged,
    CommandTaken,
    CommandUnread,
    DirectorCalled,
    Entry,
    EventJudged,
    EventMalformed,
    EventServed,
    EventSetAside,
    EventsLost,
    EventTaken,
    LinkLost,
    PlayClosed,
    PlayOpened,
    RulingConfirmed,
    RulingTold,
    SeatsConfirmed,
    TerminalSeen,
)
from referee.happened import told_happening
from referee.intake import TerminalLog
from referee.playing import Playing, Told, adjusted, judged, penalized
from referee.settings import BoardSettings, RefereeSettings, TableSettings

REPLIES_MAX = 32
"""Replies to commands that the desk still shows."""

ASIDE_MAX = 50
"""Events set aside that the desk still shows, and alarms."""


UNDO = "undo: the last key press was a mistake"
"""Why the Director is called, of a seat that asks to undo; the others are not told."""


class Aside(StrEnum):
    """Why an event was not applied."""

    MALFORMED = "malformed"
    """Its data are not what its kind has."""
    NOT_SERVED = "seat not served"
    """The terminal does not serve the seat."""
    NO_BOARD = "no board shown"
    """The seat was shown no board when the key was pressed."""
    CLOSED_PLAY = "closed play"
    """It belongs to a playing that is closed."""
    OLD_PROMPT = "older prompt"
    """It answers a prompt whose option is gone."""
    IMPOSSIBLE = "impossible"
    """It cannot have happened: a card not held, or played before."""
    FAILED = "engine failed"
    """The engine failed on it: a defect of ours, which must not stop the room."""
    WRONG_BOARD = "wrong board"
    """Another board lies on the table than is to be played."""
    DROPPED = "dropped"
    """The Director dropped it."""
    ROUND = "round not begun"
    """The board is placed before the Director has opened its round."""
    SEATS = "seats not confirmed"
    """The board is placed before the pairs have confirmed their seats."""
    UNASKED = "unasked"
    """It answers a question that nobody put."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a seat is told because of its own last key press."""

    seat: Seat
    reason: Aside
    happening: str
    """What the key press said, in words of the table script."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a terminal says its display is."""

    columns: int
    rows: int
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class Record:
    """A table as its journal has it.

    Attributes:
        event: the settings of the event.
        table: the settings of the table.
        number: how many entries the table has: its journal number.
        logs: of the terminals that have said HELLO, as far as they have been taken in.
        retired: logs of those that another serial number has replaced.
        screens: displays of the terminals, by terminal.
        waiting: events taken in and not judged yet, in the order of arrival.
        waiting_since: for each of them the journal number at which it was taken.
        lost: terminals of which events were lost, until the Director releases.
        lost_at: journal number of the last loss.
        plays: all playings, in order.
        calls: Director calls.
        alarms: what the Director must know.
        aside: events that were not applied since the last play was opened, newest
            last.
        notices: what seats are told of their last key press.
        replies: what became of the Director's last commands.
        commands: ids of all commands that have come.
        rulings_told: how many rulings the table has been told of.
        seated: sides that have confirmed their seats for the next board.
        rounds_open: rounds that the Director has opened.
        deals: hands that the Director has given of boards still to be played, in
            PBN, by number.
        moved: journal number of the last entry that changed what is judged.
    """

    event: RefereeSettings
    table: TableSettings
    number: int = 0
    logs: tuple[TerminalLog, ...] = ()
    retired: tuple[TerminalLog, ...] = ()
    screens: tuple[tuple[str, Screen], ...] = ()
    waiting: tuple[EventTaken, ...] = ()
    waiting_since: tuple[int, ...] = ()
    lost: frozenset[str] = frozenset()
    lost_at: int = 0
    plays: tuple[Playing, ...] = ()
    calls: tuple[SilentCall, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    aside: tuple[HeldEvent, ...] = ()
    notices: tuple[Notice, ...] = ()
    replies: tuple[CommandReply, ...] = ()
    commands: frozenset[str] = frozenset()
    rulings_told: int = 0
    seated: frozenset[Side] = frozenset()
    rounds_open: frozenset[int] = frozenset()
    deals: tuple[tuple[int, str], ...] = ()
    moved: int = 0

    @property
    def play(self) -> Playing | None:
        """The last playing, closed or not; None before the first."""
        return self.plays[-1] if self.plays else None

    @property
    def open_play(self) -> Playing | None:
        """The playing that displays name and events must (D10)."""
        return None if self.play is None or self.play.closed else self.play

    @property
    def next_place(self) -> int | None:
        """Place in the list of the board to be played next, None after the last."""
        place = self.plays[-1].place + 1 if self.plays else 0
        return place if place < len(self.table.boards) else None

    @property
    def is_finished(self) -> bool:
        """Whether every board of the table has been played, or closed."""
        playing = self.play
        if self.next_place is not None or playing is None:
            return False
        return playing.closed or playing.is_over

    def board(self, place: int) -> BoardSettings:
        """The board at a place of the list, with the hands that it has."""
        board = self.table.boards[place]
        deal = dict(self.deals).get(board.number, board.deal)
        return msgspec.structs.replace(board, deal=deal)

    def log(self, terminal: str) -> TerminalLog | None:
        return next((log for log in self.logs if log.terminal == terminal), None)

    def log_of(self, terminal: str, serial: str) -> TerminalLog | None:
        """The log of a terminal of this serial number, in its place now or not."""
        for log in (*self.logs, *self.retired):
            if (log.terminal, log.serial) == (terminal, serial):
                return log
        return None

    def screen(self, terminal: str) -> Screen:
        """What is known of a terminal's display."""
        for name, screen in self.screens:
            if name == terminal:
                return screen
        settings = self.table.terminal(terminal)
        if settings is None:
            raise KeyError(terminal)
        return Screen(settings.columns, settings.rows, settings.encoding)

    def playing(self, number: int) -> Playing | None:
        return next((p for p in self.plays if p.number == number), None)


class Folded(NamedTuple):
    """An entry, and the record before and after it."""

    before: Record
    entry: Entry
    after: Record


def fold(record: Record, entry: Entry) -> Record:  # noqa: C901, PLR0911, PLR0912 - one line a kind of entry
    """The record after an entry; total, so that old journals can be read."""
    number = record.number + 1
    record = replace(record, number=number)
    match entry:
        case TerminalSeen():
            return _fold_seen(record, entry)
        case LinkLost():
            return record
        case EventTaken():
            return replace(
                _numbered(record, entry),
                waiting=(*record.waiting, entry),
                waiting_since=(*record.waiting_since, record.number),
            )
        case EventMalformed():
            held = HeldEvent(
                entry.terminal,
                entry.boot,
                entry.n,
                None,
                "an event",
                f"{Aside.MALFORMED}: {entry.reason}",
            )
            return _kept_aside(_numbered(record, entry), held)
        case EventsLost():
            return replace(
                _numbered(record, entry),
                lost=record.lost | {entry.terminal},
                lost_at=record.number,
                alarms=_alarmed(
                    record,
                    f"events {entry.first} to {entry.last} of its boot {entry.boot} "
                    "are lost",
                    entry.terminal,
                ),
            )
        case EventJudged():
            taken = _waiting(record, entry)
            record = _fold_judged(record, entry.play, entry.events)
            return _without_notice(_no_longer_waiting(record, taken), taken)
        case EventSetAside():
            return _fold_aside(record, entry)
        case EventServed():
            taken = _waiting(record, entry)
            return _without_notice(_no_longer_waiting(record, taken), taken)
        case SeatsConfirmed():
            taken = _waiting(record, entry)
            record = _without_notice(_no_longer_waiting(record, taken), taken)
            return replace(record, seated=record.seated | {entry.side})
        case DirectorCalled():
            call = SilentCall(number, entry.seat, entry.silent, entry.reason)
            record = _no_longer_waiting(record, _waiting(record, entry))
            return replace(record, calls=(*record.calls, call))
        case CommandTaken():
            return _fold_command(record, entry)
        case CommandUnread():
            reply = CommandReply(entry.id, entry.by, False, entry.reason, number)
            return _replied(record, reply)
        case CommandJudged():
            return _fold_judged(record, entry.play, entry.events)
        case PlayOpened():
            return _fold_opened(record, entry)
        case PlayClosed():
            return replace(_fold_closed(record, entry), moved=number)
        case RulingTold():
            key = (entry.line, entry.law, entry.offender)
            record = replace(record, rulings_told=entry.number)
            return _fold_told(record, entry.play, key, entry.number)
        case RulingConfirmed():
            key = (entry.line, entry.law, entry.offender)
            return replace(_fold_confirmed(record, entry.play, key), moved=number)
        case Attended():
            return _fold_attended(record, entry.subject)
        case Alarmed():
            return replace(record, alarms=_alarmed(record, entry.text, entry.terminal))


def _fold_seen(record: Record, entry: TerminalSeen) -> Record:
    terminal, hello = entry.terminal, entry.hello
    known, before = record.log_of(terminal, hello.serial), record.log(terminal)
    intake = Intake.begin(hello) if known is None else known.intake.greet(hello)
    log = TerminalLog(terminal, hello.serial, entry.session, entry.opening, intake)
    retired = tuple(other for other in record.retired if other is not known)
    if before is not None and before is not known:
        retired = (*retired, before)
    screen = Screen(hello.columns, hello.rows, hello.encoding)
    return replace(
        record,
        logs=(*(x for x in record.logs if x.terminal != terminal), log),
        retired=retired,
        screens=(*(s for s in record.screens if s[0] != terminal), (terminal, screen)),
    )


def _numbered(
    record: Record, entry: EventTaken | EventMalformed | EventsLost
) -> Record:
    """The entry was the next of its terminal's log."""
    logs = tuple(
        replace(log, intake=log.intake.take(entry))
        if log.terminal == entry.terminal and log.intake.judge(entry) is Verdict.NEXT
        else log
        for log in record.logs
    )
    return replace(record, logs=logs)


def _alarmed(record: Record, text: str, terminal: str) -> tuple[Alarm, ...]:
    alarm = Alarm(record.number, text, terminal)
    return (*record.alarms, alarm)[-ASIDE_MAX:]


def _waiting(
    record: Record,
    entry: EventJudged | EventSetAside | EventServed | SeatsConfirmed | DirectorCalled,
) -> EventTaken | None:
    name = (entry.terminal, entry.boot, entry.n)
    return next((e for e in record.waiting if (e.terminal, e.boot, e.n) == name), None)


def _no_longer_waiting(record: Record, taken: EventTaken | None) -> Record:
    left = [
        (event, number)
        for event, number in zip(record.waiting, record.waiting_since, strict=True)
        if event is not taken
    ]
    return replace(
        record,
        waiting=tuple(event for event, _ in left),
        waiting_since=tuple(number for _, number in left),
    )


def _without_notice(record: Record, taken: EventTaken | None) -> Record:
    if taken is None:
        return record
    notices = tuple(n for n in record.notices if n.seat is not taken.seat)
    return replace(record, notices=notices)


def _fold_judged(record: Record, play: int, events: tuple[object, ...]) -> Record:
    decoded = tuple(decode_event(plain) for plain in events)
    plays = tuple(
        judged(p, decoded, record.number) if p.number == play else p
        for p in record.plays
    )
    return replace(record, plays=plays, moved=record.number)


def _fold_aside(record: Record, entry: EventSetAside) -> Record:
    taken = _waiting(record, entry)
    record = _no_longer_waiting(record, taken)
    if taken is None:
        return record
    reason = Aside(entry.reason)
    text = f"{reason}: {entry.detail}" if entry.detail else str(reason)
    held = HeldEvent(
        entry.terminal, entry.boot, entry.n, taken.seat, told_happening(taken), text
    )
    others = tuple(n for n in record.notices if n.seat is not taken.seat)
    notice = Notice(taken.seat, reason, held.happening)
    if reason in _TOLD_TO_SEAT:
        record = replace(record, notices=(*others, notice))
    return _kept_aside(record, held)


def _kept_aside(record: Record, held: HeldEvent) -> Record:
    return replace(record, aside=(*record.aside, held)[-ASIDE_MAX:])


_TOLD_TO_SEAT = frozenset(Aside) - {Aside.NOT_SERVED, Aside.DROPPED}


def _fold_command(record: Record, entry: CommandTaken) -> Record:
    command = entry.command
    reply = CommandReply(
        command.id,
        command.by,
        entry.done,
        entry.reason,
        record.number,
        entry.outdated,
    )
    if entry.done:
        record = _fold_service(record, command)
    return _replied(record, reply)


def _fold_service(record: Record, command: DirectorCommand) -> Record:
    """What a service changes by itself; other entries tell what the rest led to."""
    match command.service:
        case Service.RELEASE:
            return record if command.drop else replace(record, lost=frozenset())
        case Service.ROUND:
            return replace(record, rounds_open=record.rounds_open | {command.round})
        case Service.DEAL:
            deals = dict(record.deals) | {command.board: command.deal}
            return replace(record, deals=tuple(deals.items()))
        case _:
            meant = command.play or len(record.plays)
            playing = record.playing(meant)
            served = _served(playing, command, record.number) if playing else None
            return _on_play(record, meant, served)


def _served(playing: Playing, command: DirectorCommand, number: int) -> Playing:
    """A playing after a service that is about it alone."""
    match command.service:
        case Service.HANDS:
            return replace(playing, hands_asked=True)
        case Service.ADJUST if command.adjustment is not None:
            return adjusted(playing, command.adjustment, number)
        case Service.PENALTY if command.penalty is not None:
            return penalized(playing, command.penalty, number)
        case _:
            return playing


def _replied(record: Record, reply: CommandReply) -> Record:
    return replace(
        record,
        commands=record.commands | {reply.id},
        replies=(*record.replies, reply)[-REPLIES_MAX:],
    )


def _fold_opened(record: Record, entry: PlayOpened) -> Record:
    state = begin(entry.board.board(entry.edition, entry.policies.policies()))
    playing = Playing(entry.play, entry.place, entry.board, state)
    return replace(
        record,
        plays=(*record.plays, playing),
        notices=(),
        aside=(),
        seated=frozenset(),
        moved=record.number,
    )


def _on_play(record: Record, number: int, changed: Playing | None) -> Record:
    plays = tuple(
        changed if changed is not None and p.number == number else p
        for p in record.plays
    )
    return replace(record, plays=plays)


def _fold_closed(record: Record, entry: PlayClosed) -> Record:
    playing = record.playing(entry.play)
    closed = replace(playing, closed=True) if playing else None
    return replace(_on_play(record, entry.play, closed), lost=frozenset())


def _fold_told(record: Record, play: int, key: RulingKey, number: int) -> Record:
    playing = record.playing(play)
    if playing is None:
        return record
    told = Told(key, number, at=len(playing.state.steps))
    return _on_play(record, play, replace(playing, told=(*playing.told, told)))


def _fold_confirmed(record: Record, play: int, key: RulingKey) -> Record:
    playing = record.playing(play)
    if playing is None:
        return record
    return _on_play(record, play, replace(playing, confirmed=playing.confirmed | {key}))


def _fold_attended(record: Record, subject: int) -> Record:
    calls = tuple(
        msgspec.structs.replace(c, attended=True) if c.id == subject else c
        for c in record.calls
    )
    alarms = tuple(a for a in record.alarms if a.id != subject)
    return replace(record, calls=calls, alarms=alarms)
