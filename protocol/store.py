"""The log that a terminal keeps until it is acknowledged, and what is to be sent of it.

Clauses E and R of ``protocol/README.md``. A terminal that keeps its log on disk or in
flash gives ``TerminalLink`` a store of its own; the one here lives in memory.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from protocol.limits import AGE_UNKNOWN_MS, FIRST_BOOT_MAX, HELD_MAX
from protocol.messages import Event, Held, Lost


class Position(NamedTuple):
    """A place in a terminal's log; later boots come after earlier ones."""

    boot: int
    n: int


class Entry(NamedTuple):
    """An event in the store."""

    event: Event
    """With age 0; the age is told when it is sent."""
    pressed: float | None
    """When the key was pressed, None when that was before the last restart."""

    @property
    def position(self) -> Position:
        return Position(self.event.boot, self.event.n)

    def age_ms(self, now: float) -> int:
        """Milliseconds since the key was pressed (E5)."""
        if self.pressed is None:
            return AGE_UNKNOWN_MS
        return min(max(round((now - self.pressed) * 1000), 0), AGE_UNKNOWN_MS - 1)

    def message(self, now: float) -> Event:
        """The EVENT to send now."""
        return msgspec.structs.replace(self.event, age_ms=self.age_ms(now))


class LostRange(NamedTuple):
    """Numbers of the log that are no longer in the store."""

    boot: int
    first: int
    last: int

    @property
    def position(self) -> Position:
        return Position(self.boot, self.last)

    def message(self, _now: float) -> Lost:
        """The LOST to send."""
        return Lost(self.boot, self.first, self.last)


class StoreFullError(Exception):
    """The store can take no more events: the key must be refused, nothing is lost."""


class EventStore(Protocol):
    """What ``TerminalLink`` needs of a terminal's log."""

    @property
    def boot(self) -> int:
        """The running boot."""

    @property
    def volatile(self) -> bool:
        """The boot is random and nothing outlives a restart."""

    @property
    def next(self) -> int:
        """The number that the next event of the running boot gets."""

    def append(self, event: Event, pressed: float) -> None:
        """Keep an event numbered (boot, next); durable when it returns.

        Raises:
            StoreFullError: there is no room.
        """

    def entries(self) -> Sequence[Entry]:
        """The events that are kept, in order."""

    def held(self) -> tuple[Held, ...]:
        """What HELLO says of them: every boot not wholly acknowledged, in order.

        The running boot comes last, even when nothing of it is kept. ``first`` is the
        first event kept of the boot, ``next`` one more than the last that it had. At
        most ``HELD_MAX``: a store that keeps so many boots when it restarts goes on
        with the numbers of the last one instead of counting another (E4).
        """

    def forget(self, through: Position) -> None:
        """The events up to this position, of all boots, are acknowledged."""


def first_boot(below: Callable[[int], int]) -> int:
    """The boot of a terminal that finds no stored counter (E3).

    A random one: a memory that was wiped must not come back with a boot that the
    referee knows, or its new events would be taken for old ones.

    Args:
        below: gives a random number from 0 to below the one that it is given.
    """
    return 1 + below(FIRST_BOOT_MAX)


class MemoryStore:
    """A log in memory, which does not outlive its process.

    Args:
        boot: the running boot: ``first_boot`` where none is stored, and any random
            number on a volatile terminal.
        volatile: the boot is a random number at each start.
        capacity: events that are kept at most.
        after: the number of the next event.
    """

    def __init__(
        self, boot: int, *, volatile: bool = True, capacity: int = 1000, after: int = 0
    ) -> None:
        self.boot = boot
        self.volatile = volatile
        self.capacity = capacity
        self._entries: list[Entry] = []
        self._next = {boot: after}
        self._acked = Position(-1, -1)

    @property
    def next(self) -> int:
        """The number that the next event gets."""
        return self._next[self.boot]

    def append(self, event: Event, pressed: float) -> None:
        """Keep an event; StoreFullError at ``capacity``."""
        if len(self._entries) >= self.capacity:
            raise StoreFullError(f"{self.capacity} events wait to be acknowledged")
        self._entries.append(Entry(event, pressed))
        self._next[self.boot] += 1

    def entries(self) -> Sequence[Entry]:
        """The events that are kept, in order."""
        return tuple(self._entries)

    def held(self) -> tuple[Held, ...]:
        """What HELLO says of them."""
        firsts = {e.event.boot: e.event.n for e in reversed(self._entries)}
        return tuple(
            Held(boot, firsts.get(boot, after), after)
            for boot, after in self._next.items()
        )

    def forget(self, through: Position) -> None:
        """Drop what is acknowledged."""
        self._acked = max(self._acked, through)
        self._entries = [e for e in self._entries if e.position > through]
        self._next = self._unfinished() | {self.boot: self.next}

    def lose(self, position: Position) -> None:
        """Lose an event, as a worn memory may; its number stays given."""
        self._entries = [e for e in self._entries if e.position != position]

    def restarted(self, boot: int = 0) -> "MemoryStore":
        """The log as the terminal finds it after a restart.

        Args:
            boot: the new random boot of a volatile store, which then is empty. One
                that is not volatile counts on and keeps its events (E4).
        """
        if self.volatile:
            return MemoryStore(boot, capacity=self.capacity)
        kept = self._unfinished()
        boot = self.boot if len(kept) >= HELD_MAX else self.boot + 1
        store = MemoryStore(boot, volatile=False, capacity=self.capacity)
        store._acked = self._acked
        store._entries = [Entry(e.event, None) for e in self._entries]
        store._next = kept | {boot: kept.get(boot, 0)}
        return store

    def _unfinished(self) -> dict[int, int]:
        """The boots of which something is still to be acknowledged."""
        return {
            boot: after
            for boot, after in self._next.items()
            if after > 0 and Position(boot, after - 1) > self._acked
        }


def outgoing(
    held: Sequence[Held], entries: Sequence[Entry], acked: Position | None
) -> list[Entry | LostRange]:
    """What is to be sent after an acknowledged position, in the order of the log.

    Args:
        held: as the store has it.
        entries: as the store has it.
        acked: what the referee's last ACK names, None before any. Numbers after it
            that the store no longer has go as LOST (R6).
    """
    out: list[Entry | LostRange] = []
    for boot, first, after in map(msgspec.structs.astuple, held):
        if acked is None:
            due = first
        elif acked.boot < boot:
            due = 0
        else:
            due = acked.n + 1 if acked.boot == boot else after
        for entry in entries:
            if entry.event.boot != boot or entry.event.n < due:
                continue
            if entry.event.n > due:
                out.append(LostRange(boot, due, entry.event.n - 1))
            out.append(entry)
            due = entry.event.n + 1
        if due < after:
            out.append(LostRange(boot, due, after - 1))
    return out
