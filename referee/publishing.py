"""What has been published of a table, and what has to be published anew.

The views are computed after each batch; only what has changed goes out. After a new
broker connection everything goes out again, since the broker may have lost it.
"""

import hashlib
from collections import deque
from dataclasses import dataclass, field

from protocol.payloads import encode_payload
from protocol.topics import Topics
from referee.double_dummy import Solver, nothing_known
from referee.playing import Playing
from referee.record import Record
from referee.table import Table
from referee.views import (
    desk,
    public_playing,
    public_table,
    result,
    rulings,
    table_state,
)

DIGEST_BYTES = 16
"""Bytes of a digest: no two contents of a topic have the same."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A retained message."""

    topic: str
    payload: bytes


@dataclass(slots=True)
class Publisher:
    """The retained topics of one table.

    Attributes:
        topics: of the event.
        session: the referee's.
        delay_s: seconds by which spectators are behind; None until a board is over.
        solver: of the evidence on the desk.
    """

    topics: Topics
    session: str
    delay_s: float | None
    solver: Solver = nothing_known
    _sent: dict[str, bytes] = field(default_factory=dict)
    """A digest of what each topic holds: the whole would be most of a table."""
    _plays: dict[int, Playing] = field(default_factory=dict)
    _public: Playing | None = None
    _delayed: deque[tuple[float, bytes]] = field(default_factory=deque)

    def forget(self) -> None:
        """Everything is to be published again."""
        self._sent.clear()
        self._plays.clear()
        self._public = None

    def forget_topic(self, topic: str) -> None:
        """The topic is to be published again: the broker has not taken it."""
        self._sent.pop(topic, None)
        self._plays.clear()
        self._public = None

    def has(self, topic: str) -> bool:
        """Whether the topic holds something of this event as the journal knows it."""
        return topic in self._sent

    def publications(self, table: Table, now: float) -> list[Publication]:
        """What has changed since the last time."""
        record, name = table.record, table.record.table.id
        due: list[Publication] = []
        state = table_state(table, self.session)
        self._add(due, self.topics.table_state(name), encode_payload(state))
        for playing in record.plays:
            if self._plays.get(playing.number) is not playing:
                self._plays[playing.number] = playing
                self._add_play(due, record, playing)
        self._add_public(due, record, now)
        for_directors = encode_payload(desk(table, self.session, self.solver))
        self._add(due, self.topics.table_desk(name), for_directors)
        return due

    def next_due(self) -> float | None:
        """When spectators see more though nothing happens."""
        return self._delayed[0][0] if self._delayed else None

    def _add(self, due: list[Publication], topic: str, encoded: bytes) -> None:
        digest = hashlib.blake2b(encoded, digest_size=DIGEST_BYTES).digest()
        if self._sent.get(topic) != digest:
            self._sent[topic] = digest
            due.append(Publication(topic, encoded))

    def _add_play(
        self, due: list[Publication], record: Record, playing: Playing
    ) -> None:
        name = record.table.id
        for ruling in rulings(playing, self.session):
            topic = self.topics.table_ruling(name, ruling.number)
            self._add(due, topic, encode_payload(ruling))
        outcome = result(record, playing, self.session)
        if outcome is not None:
            topic = self.topics.table_result(name, playing.number)
            self._add(due, topic, encode_payload(outcome))

    def _add_public(self, due: list[Publication], record: Record, now: float) -> None:
        topic = self.topics.public(record.table.id)
        playing = public_playing(record, live=self.delay_s is not None)
        if playing is not None and playing is not self._public:
            self._public = playing
            encoded = encode_payload(public_table(record, playing, self.session))
            self._delayed.append((now + (self.delay_s or 0.0), encoded))
        while self._delayed and self._delayed[0][0] <= now:
            self._add(due, topic, self._delayed.popleft()[1])
