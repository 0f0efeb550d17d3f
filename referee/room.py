"""A table in the service: its state, and what has been and must be sent of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from protocol.payloads import Acknowledge, Payload, Poll, encode_payload
from protocol.topics import Topics
from referee.displays import (
    Displays,
    by_urgency,
    is_due,
    next_due,
    refreshed,
    sent,
    shown_again,
)
from referee.prompts import BoardText
from referee.publishing import Publisher
from referee.slow_views import SlowViews
from referee.table import Acknowledges, Output, Polls, ShowsAgain, Table

BEHIND_S = 0.1
"""Seconds to wait when the broker is behind with confirming."""

SENT_MAX = 100
"""Messages that a table has to send at a time, at most, but for one that has gone on
for very long."""

Send = Callable[[str, bytes, bool], bool]
"""Sends topic, payload, retained; False when it cannot be sent now."""


@dataclass(slots=True)
class Room:
    """A table and what has been sent of it.

    Attributes:
        table: the aggregate.
        publisher: of the retained topics.
        slow: those of them that go out after a pause.
        topics: of the event.
        displays: of the seats.
        outputs: what the steps since the last sending want sent, in order.
        kept: topics of rulings and results that the broker held already; those of
            an earlier event by the same name are cleared.
        retry_at: when to send again what the broker did not take.
        touched: whether the table may have changed since the last sending.
    """

    table: Table
    publisher: Publisher
    slow: SlowViews
    topics: Topics
    displays: Displays = field(default_factory=dict)
    outputs: dict[Output, None] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)
    retry_at: float | None = None
    touched: bool = True

    def next_due(self) -> float | None:
        """When something is to be sent though nothing happens."""
        times = (
            next_due(self.displays),
            self.publisher.next_due(),
            self.slow.next_due(),
            self.retry_at,
        )
        return min((t for t in times if t is not None), default=None)

    def send(self, send: Send, flush: Callable[[], object], now: float) -> None:
        """Send what is due: prompts first, then acknowledgements, then views.

        Args:
            send: takes a message.
            flush: lets those leave that it has taken.
            now: on the clock of ``Moment.now``.
        """
        epoch = self.table.traffic.epoch
        if self.retry_at is not None and self.retry_at <= now:
            self.retry_at, self.touched = None, True
        self._send_displays(send, flush, now)
        for output in self.outputs:
            match output:
                case Acknowledges(terminal):
                    self._acknowledge(send, terminal)
                case Polls(terminal, token):
                    self._send(send, terminal, Poll(epoch, token))
                case ShowsAgain():
                    pass
        self.outputs.clear()
        self._send_views(send, now)
        self._send_slowly(send, now)

    def _send_slowly(self, send: Send, now: float) -> None:
        self.slow.see(self.displays, now)
        for publication in self.slow.publications(now):
            if not send(publication.topic, publication.payload, True):
                self.slow.again(publication, now + BEHIND_S)

    def _send_displays(
        self, send: Send, flush: Callable[[], object], now: float
    ) -> None:
        """The most urgent leaves before the next is made, since the table waits."""
        first = True
        record, epoch = self.table.record, self.table.traffic.epoch
        board = BoardText(record)
        for at in by_urgency(record):
            terminal, seat = at
            before = shown = self.displays.get((terminal.id, seat))
            if shown is None or self.touched:
                shown = refreshed(shown, board, at, epoch, now)
            if ShowsAgain(terminal.id) in self.outputs:
                shown = shown_again(shown, now)
            if is_due(shown, now):
                topic = self.topics.terminal_display(terminal.daemon, terminal.id)
                # One that cannot be sent now is repeated like one that was lost.
                send(topic, encode_payload(shown.display), False)
                if first:
                    flush()
                    first = False
                shown = sent(shown, now)
            if shown is not before:
                self.displays = {**self.displays, (terminal.id, seat): shown}

    def _acknowledge(self, send: Send, terminal: str) -> None:
        log = self.table.record.log(terminal)
        if log is not None:
            boot, n = log.acknowledged
            ack = Acknowledge(
                epoch=self.table.traffic.epoch,
                session=log.session,
                opening=log.opening,
                boot=boot,
                n=n,
            )
            self._send(send, terminal, ack)

    def _send(self, send: Send, terminal: str, payload: Payload) -> None:
        topic = self.topics.terminal_ack(self._daemon(terminal), terminal)
        send(topic, encode_payload(payload), False)

    def _send_views(self, send: Send, now: float) -> None:
        spectators = self.publisher.next_due()
        late = spectators is not None and spectators <= now
        if not self.touched and not late:
            return
        self.touched = False
        for publication in self.publisher.publications(self.table, now):
            if not send(publication.topic, publication.payload, True):
                self.publisher.forget_topic(publication.topic)
                self.retry_at = now + BEHIND_S
        for topic in self.kept:
            if not self.publisher.has(topic):
                send(topic, b"", True)
        self.kept.clear()

    def was_kept(self, topic: str) -> None:
        """The broker held a ruling or a result: it may be of an earlier event."""
        self.kept.add(topic)

    def _daemon(self, terminal: str) -> str:
        settings = self.table.record.table.terminal(terminal)
        if settings is None:
            raise KeyError(terminal)
        return settings.daemon
