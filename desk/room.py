"""The room as the Director's topics tell it: tables, rulings, results, terminals.

Whoever shows it waits for ``changed`` and asks ``changed_since`` which tables to draw
anew; any number may wait.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

import msgspec

from protocol.payloads import (
    Assignments,
    DaemonStatus,
    Desk,
    Payload,
    RulingPublished,
    TableDisplays,
    TableLog,
    TableResult,
    TableState,
    TerminalStatus,
    decode_payload,
)
from protocol.topics import Topic, TopicKind

TABLE_KINDS = (
    TopicKind.TABLE_DESK,
    TopicKind.TABLE_STATE,
    TopicKind.TABLE_RULING,
    TopicKind.TABLE_RESULT,
)
"""The topics that tell how play goes."""

ALL_KINDS = (
    *TABLE_KINDS,
    TopicKind.TABLE_LOG,
    TopicKind.TABLE_DISPLAYS,
    TopicKind.TERMINAL_STATUS,
    TopicKind.DAEMON_STATUS,
    TopicKind.DAEMON_ASSIGNMENTS,
)
"""All that the Director may hear."""

LOW_BATTERY = 20
"""Percent from which on a battery is told as low."""


@dataclass
class Room:
    """What is known of the room, by id; what was not heard of is not in it.

    Attributes:
        clock: seconds, of which only differences count.
        desks, states: the last of each table.
        results: by table and play.
        results_at: when each was first heard of, by the clock.
        rulings: those that the tables know, by table and number.
        displays: what the displays of each table show.
        daemons, terminals: the last status of each.
        assignments: the boxes of each daemon's terminals.
        daemon_of: the daemon of each terminal.
        moved_at: when the public facts of a table last changed, by the clock; of one
            that has not been seen to move, when it was first heard of.
        seen_moving: the tables that have moved since they were first heard of.
        number: how many changes there have been.
    """

    clock: Callable[[], float] = time.monotonic
    desks: dict[str, Desk] = field(default_factory=dict)
    states: dict[str, TableState] = field(default_factory=dict)
    results: dict[tuple[str, int], TableResult] = field(default_factory=dict)
    results_at: dict[tuple[str, int], float] = field(default_factory=dict)
    rulings: dict[tuple[str, int], RulingPublished] = field(default_factory=dict)
    displays: dict[str, TableDisplays] = field(default_factory=dict)
    daemons: dict[str, DaemonStatus] = field(default_factory=dict)
    assignments: dict[str, Assignments] = field(default_factory=dict)
    terminals: dict[str, TerminalStatus] = field(default_factory=dict)
    daemon_of: dict[str, str] = field(default_factory=dict)
    moved_at: dict[str, float] = field(default_factory=dict)
    seen_moving: set[str] = field(default_factory=set)
    number: int = 0
    _touched: dict[str, int] = field(default_factory=dict)
    _said: dict[Topic, bytes] = field(default_factory=dict)
    _logs: dict[tuple[str, int], bytes] = field(default_factory=dict)
    _at: dict[str, set[str]] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, topic: Topic, data: bytes) -> Payload | None:
        """Take a message of the Director's topics; returns what it says.

        An empty one clears what was there. One that says what its topic has said last,
        as when a broker repeats what it keeps, changes nothing. For both it is None.

        Raises:
            PayloadError: it is none of that topic's.
        """
        said = blake2b(data, digest_size=16).digest()  # a payload may be long
        if self._said.get(topic) == said:
            return None
        if not data:
            self._clear(topic)
            return None
        self._said[topic] = said
        payload = decode_payload(topic.kind, data)
        name = topic.names[0]
        match payload:
            case DaemonStatus():
                self.daemons[name] = payload
            case Assignments():
                self.assignments[name] = payload
            case TerminalStatus():
                self._touch_tables_of(topic.names[1])  # one that it may have left
                self._take_terminal(name, topic.names[1], payload)
            case TableLog():
                self._logs[name, payload.play] = data  # long, and seldom read
            case _:
                self._take_of_table(name, payload)
        self._touch_about(topic)
        return payload

    def _take_of_table(self, table: str, payload: Payload) -> None:
        match payload:
            case Desk():
                self.desks[table] = payload
            case TableState():
                self._take_state(table, payload)
            case RulingPublished():
                self.rulings[table, payload.number] = payload
            case TableResult():
                self.results[table, payload.play] = payload
                self.results_at.setdefault((table, payload.play), self.clock())
            case TableDisplays():
                self.displays[table] = payload
            case _:
                pass  # of no topic that the Director hears

    def _take_state(self, table: str, state: TableState) -> None:
        before = self.states.get(table)
        if before is None:
            self.moved_at[table] = self.clock()
        elif _played(before) != _played(state):
            self.moved_at[table] = self.clock()
            self.seen_moving.add(table)
        self.states[table] = state

    def _take_terminal(self, daemon: str, name: str, status: TerminalStatus) -> None:
        self._drop_terminal(name)
        self.terminals[name] = status
        self.daemon_of[name] = daemon
        self._at.setdefault(status.table, set()).add(name)

    def _drop_terminal(self, name: str) -> None:
        before = self.terminals.pop(name, None)
        if before is not None:
            self._at[before.table].discard(name)

    def _clear(self, topic: Topic) -> None:
        name, last = topic.names[0], topic.names[-1]
        self._said.pop(topic, None)
        self._touch_about(topic)
        match topic.kind:
            case TopicKind.TABLE_DESK:
                self.desks.pop(name, None)
            case TopicKind.TABLE_STATE:
                self.states.pop(name, None)
                self.moved_at.pop(name, None)
                self.seen_moving.discard(name)
            case TopicKind.TABLE_RULING:
                self.rulings.pop((name, int(last)), None)
            case TopicKind.TABLE_RESULT:
                self.results.pop((name, int(last)), None)
                self.results_at.pop((name, int(last)), None)
            case TopicKind.TABLE_LOG:
                self._logs.pop((name, int(last)), None)
            case TopicKind.TABLE_DISPLAYS:
                self.displays.pop(name, None)
            case TopicKind.DAEMON_STATUS:
                self.daemons.pop(name, None)
            case TopicKind.DAEMON_ASSIGNMENTS:
                self.assignments.pop(name, None)
            case TopicKind.TERMINAL_STATUS:
                self._drop_terminal(last)
            case _:
                pass

    def forget(self) -> None:
        """Forget everything: another broker tells it anew."""
        tables = self.tables()
        for of_tables in (self.desks, self.states, self.displays, self.moved_at):
            of_tables.clear()
        for of_plays in (self.results, self.results_at, self.rulings, self._logs):
            of_plays.clear()
        for others in (self.daemons, self.terminals, self.daemon_of, self.assignments):
            others.clear()
        self.seen_moving.clear()
        self._said.clear()
        self._at.clear()
        self.touch(tables)

    # -- what has changed -----------------------------------------------------------

    def _touch_about(self, topic: Topic) -> None:
        match topic.kind:
            case TopicKind.DAEMON_STATUS:
                for terminal, daemon in self.daemon_of.items():
                    if daemon == topic.names[0]:
                        self._touch_tables_of(terminal)
            case TopicKind.DAEMON_ASSIGNMENTS:
                self.touch()
            case TopicKind.TERMINAL_STATUS:
                self._touch_tables_of(topic.names[1])
            case _:
                self.touch([topic.names[0]])

    def _touch_tables_of(self, terminal: str) -> None:
        status = self.terminals.get(terminal)
        self.touch([status.table] if status is not None else [])

    def touch(self, tables: Iterable[str] = ()) -> None:
        """Count a change, that concerns these tables."""
        self.number += 1
        for table in tables:
            self._touched[table] = self.number

    def changed_since(self, number: int) -> set[str]:
        """Tables of which something has changed after that change."""
        return {table for table, at in self._touched.items() if at > number}

    def wake(self) -> None:
        """Let everyone who waits for a change look."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def changed(self) -> None:
        """Wait until there is something new to see."""
        await self._news.wait()

    # -- what it comes to -----------------------------------------------------------

    def tables(self) -> list[str]:
        """The tables that a referee was heard of, in order of their ids."""
        return sorted(self.states.keys() | self.desks.keys())

    def log(self, table: str, play: int) -> TableLog | None:
        """What happened in a playing, None where nothing was heard of it."""
        data = self._logs.get((table, play))
        return msgspec.json.decode(data, type=TableLog) if data is not None else None

    def logs(self, table: str) -> list[TableLog]:
        """Every log of a table, in order of its playings."""
        plays = sorted(play for of, play in self._logs if of == table)
        found = (self.log(table, play) for play in plays)
        return [log for log in found if log is not None]

    def terminals_of(self, table: str) -> list[str]:
        """The terminals that say that they are at a table, in order."""
        named = self.states[table].terminals if table in self.states else {}
        return sorted(self._at.get(table, set()) | named.keys())

    def link(self, terminal: str) -> tuple[str, str]:
        """How a terminal's link stands, and why; of a dead daemon nothing counts."""
        status = self.terminals.get(terminal)
        if status is None:
            return "unknown", "nothing was heard of it"
        name = self.daemon_of[terminal]
        daemon = self.daemons.get(name)
        if daemon is None or not daemon.online:
            return "offline", f"its daemon {name} is not there"
        if daemon.session != status.session:
            return "unknown", f"its daemon {name} has started anew"
        return status.link.value, status.reason

    def battery(self, terminal: str) -> int | None:
        """Charge of a terminal's battery in percent; None where it has told none."""
        status = self.terminals.get(terminal)
        vitals = status.vitals if status is not None else None
        return vitals.battery if vitals is not None else None


def uncounted(state: TableState) -> TableState:
    """The facts of a table, without what the equipment and the journal count."""
    return msgspec.structs.replace(state, session="-", epoch=0, number=0, terminals={})


def _played(state: TableState) -> TableState:
    """What players do."""
    return msgspec.structs.replace(uncounted(state), waiting="")
