"""What people read of a table at leisure: its log, and what its seats see.

Both are long and change with every key press, so they go out after a pause (J10). To a
log, key presses alone are worth a longer one: the state has the auction and the cards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from protocol.payloads import (
    LogKind,
    LogLine,
    SeatDisplay,
    TableDisplays,
    TableLog,
    encode_payload,
    schema_of,
)
from protocol.topics import Topics
from referee.displays import Displays, pages_without_names
from referee.entries import Entry, PlayOpened
from referee.folding import received
from referee.publishing import Publication
from referee.record import Folded, Record, fold
from referee.story import lines_of

PAUSE_S = 1.0
"""Seconds between two publications of the same thing, at least."""

KEYS_S = 10.0
"""The same of a log to which nothing was added but key presses."""

_LONG_AGO = float("-inf")


@dataclass(slots=True)
class Pause:
    """When something may go out that does not at once.

    Attributes:
        due: when it goes out; None while nothing is new.
        sent: when it last did.
    """

    due: float | None = None
    sent: float = _LONG_AGO

    def wants(self, now: float, pause: float) -> None:
        """Something is new."""
        wanted = max(now, self.sent + pause)
        self.due = wanted if self.due is None else min(self.due, wanted)

    def ends(self, now: float) -> bool:
        """Whether it goes out now."""
        if self.due is None or self.due > now:
            return False
        self.due, self.sent = None, now
        return True


class _Log(msgspec.Struct, tag_field="schema", tag=schema_of(TableLog), frozen=True):
    """``TableLog``, its lines encoded as they came."""

    session: str
    table: str
    play: int
    board: int
    round: int
    lines: msgspec.Raw


@dataclass(slots=True)
class Log:
    """The log of the last play of a table.

    Attributes:
        record: the table as far as its entries have been told.
        lines: of that play, each as JSON, since most are never read again here.
    """

    record: Record
    lines: list[bytes] = field(default_factory=list)
    _before: list[Entry] = field(default_factory=list)
    _at: float = 0.0

    def fold(self, before: Record, entry: Entry) -> None:
        """Take in an entry of an earlier term; of earlier plays nothing is kept."""
        if isinstance(entry, PlayOpened):
            self.record, self._before = before, []
        self._before.append(entry)

    def tell_before(self) -> None:
        """Tell what was taken in by ``fold``."""
        entries, self._before = self._before, []
        for entry in entries:
            before = self.record
            self.tell(Folded(before, entry, fold(before, entry)))

    def tell(self, folded: Folded) -> list[LogLine]:
        """Tell what the journal has got of the same play, or as the first of one."""
        if isinstance(folded.entry, PlayOpened):
            self.lines = []
        self.record = folded.after
        self._at = received(folded.entry) or self._at
        lines = list(lines_of(folded.entry, folded.before, folded.after, self._at))
        self.lines += [_ENCODER.encode(line) for line in lines]
        return lines

    def told(self, topics: Topics, session: str) -> Publication:
        """The log so far."""
        playing = self.record.play
        log = _Log(
            session=session,
            table=self.record.table.id,
            play=playing.number if playing else 0,
            board=playing.board.number if playing else 0,
            round=playing.board.round if playing else 0,
            lines=msgspec.Raw(b"[%b]" % b",".join(self.lines)),
        )
        topic = topics.table_log(log.table, log.play)
        return Publication(topic, _ENCODER.encode(log))


_ENCODER = msgspec.json.Encoder()


@dataclass(slots=True)
class SlowViews:
    """Log and displays of a table, as they are to be published.

    Attributes:
        topics: of the event.
        session: the referee's.
        log: of the table.
    """

    topics: Topics
    session: str
    log: Log
    _ended: list[Publication] = field(default_factory=list)
    _again: list[Publication] = field(default_factory=list)
    _again_at: float = 0.0
    _log_pause: Pause = field(default_factory=Pause)
    _displays: Displays = field(default_factory=dict)
    _displays_pause: Pause = field(default_factory=Pause)

    def add(self, folded: Iterable[Folded], now: float) -> None:
        """The journal has got entries of the table."""
        new: list[LogLine] = []
        for each in folded:
            self.log.tell_before()
            if isinstance(each.entry, PlayOpened) and self.log.lines:
                self._ended.append(self.log.told(self.topics, self.session))
            new += self.log.tell(each)
        if new:
            only_keys = all(line.kind is LogKind.KEY for line in new)
            self._log_pause.wants(now, KEYS_S if only_keys else PAUSE_S)

    def see(self, displays: Displays, now: float) -> None:
        """The displays as they are now."""
        if displays is not self._displays:
            self._displays = displays
            self._displays_pause.wants(now, PAUSE_S)

    def forget(self, now: float) -> None:
        """The broker may have lost them."""
        self._displays_pause.wants(now, 0.0)
        if self.log.lines:
            self._log_pause.wants(now, 0.0)

    def again(self, publication: Publication, at: float) -> None:
        """The broker has not taken it: it is due again at this time."""
        self._again.append(publication)
        self._again_at = at

    def next_due(self) -> float | None:
        """When something is to be published though nothing happens."""
        again = self._again_at if self._again else None
        times = (again, self._log_pause.due, self._displays_pause.due)
        return min((t for t in times if t is not None), default=None)

    def publications(self, now: float) -> list[Publication]:
        """What is due."""
        if self._again and self._again_at > now:
            return []
        again, self._again = self._again, []
        return [*again, *self._due(now)]

    def _due(self, now: float) -> list[Publication]:
        table = self.log.record.table.id
        due, self._ended = self._ended, []
        if self._log_pause.ends(now):
            due.append(self.log.told(self.topics, self.session))
        if self._displays_pause.ends(now):
            shown = TableDisplays(self.session, table, self._seat_displays())
            topic = self.topics.table_displays(table)
            due.append(Publication(topic, encode_payload(shown)))
        return due

    def _seat_displays(self) -> tuple[SeatDisplay, ...]:
        return tuple(
            SeatDisplay(
                terminal=shown.terminal,
                seat=shown.display.seat,
                rev=shown.display.rev,
                pages=pages_without_names(self.log.record, shown),
                choices=tuple(choice.label for choice in shown.display.choices),
                locks=shown.display.locks,
                shown=shown.due is None,
            )
            for shown in self._displays.values()
        )
