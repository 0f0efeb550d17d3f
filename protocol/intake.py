"""Which entries of a terminal's log the referee may take, and what to acknowledge.

Clauses A of ``protocol/README.md``: the referee takes only the entry after its last
one; to anything else it repeats its ACK. One ``Intake`` for each serial number; it is a
value, so that the referee keeps it with the journal.

HELLOs must come in the order of the openings that they belong to, each once, and before
the entries that came in that opening (J4): an ``Intake`` knows nothing of messages that
overtake one another.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol, cast

from protocol.messages import Ack, Held, HelloFields
from protocol.store import Position


class Verdict(Enum):
    """What an entry is to the referee."""

    NEXT = "next"
    """The one after the last: to be journalled, then acknowledged."""
    DUPLICATE = "duplicate"
    """Taken already."""
    GAP = "gap"
    """Something before it is missing."""


class Numbered(Protocol):
    """An event, malformed or not, by its place in the log."""

    @property
    def boot(self) -> int: ...
    @property
    def n(self) -> int: ...


class NumberedRange(Protocol):
    """Lost events by their places in the log."""

    @property
    def boot(self) -> int: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


Numbers = Numbered | NumberedRange
"""What an ``Intake`` looks at of an EVENT, a malformed EVENT or a LOST."""


@dataclass(frozen=True, slots=True)
class Boot:
    """How far the entries of one boot have been taken."""

    boot: int
    last: int
    """Number of the last one taken, -1 before any."""
    next: int | None
    """One more than the last that there is; None for the running boot."""

    @property
    def is_drained(self) -> bool:
        """Whether nothing of it is still to come."""
        return self.next is not None and self.last + 1 >= self.next


@dataclass(frozen=True, slots=True)
class Intake:
    """How far the referee has taken one terminal's log.

    Attributes:
        boots: those of which something is still to come, in order, the running one
            last; entries of one precede those of the next.
        last: the last entry taken, or the place before the first.
        volatile: boots are random numbers, so that none is later than another.
    """

    boots: tuple[Boot, ...]
    last: Position
    volatile: bool = False

    @classmethod
    def begin(cls, hello: HelloFields) -> "Intake":
        """Take up a terminal's log where the terminal has it (A2).

        For a serial number that the journal does not know, and for a memory that was
        reset. What was acknowledged before this is someone else's.
        """
        first, *rest = hello.held
        last = Position(first.boot, first.first - 1)
        boots = [_boot(hello, first, last.n)]
        boots += [_boot(hello, held, -1) for held in rest]
        return cls(_unfinished(boots), last, hello.volatile)

    @property
    def ack(self) -> Ack:
        """The ACK to send: at each opening, and to whatever comes (A7)."""
        return Ack(self.boots[0].boot, self.boots[0].last)

    def is_reset(self, hello: HelloFields) -> bool:
        """Whether a terminal's memory was reset, so that its numbers begin anew (A6).

        What it holds cannot follow what was taken: its counter of restarts has fallen
        back; or of the boot of the last entry it has numbered no more than what was
        taken, or nothing, while it still holds something of an earlier boot.
        """
        if hello.volatile != self.volatile:
            return True
        if not self.volatile and hello.boot < self.boots[-1].boot:
            return True
        for held in hello.held:
            if held.boot == self.last.boot:
                return held.next <= self.last.n
        return not self.volatile and hello.held[0].boot < self.last.boot

    def greet(self, hello: HelloFields) -> "Intake":
        """Note what a terminal holds when a link opens.

        The log goes on from the last entry; one whose memory was reset is taken up
        anew, and the Director is to be told (``is_reset``).
        """
        if self.is_reset(hello):
            return self.begin(hello)
        known = {boot.boot: boot for boot in self.boots}
        if hello.volatile and hello.boot not in known:
            return self.begin(hello)  # nothing of a new random boot was acknowledged
        boots = [
            _boot(hello, held, known[held.boot].last if held.boot in known else -1)
            for held in hello.held
            if held.boot in known or held.boot > self.boots[0].boot
        ]
        return replace(self, boots=_unfinished(boots))

    def judge(self, entry: Numbers) -> Verdict:
        """Whether an entry comes next (A3, A4, A5)."""
        first, last = _range_of(entry)
        head = self.boots[0]
        if entry.boot != head.boot:
            return Verdict.DUPLICATE if self._is_past(entry.boot) else Verdict.GAP
        if last <= head.last:
            return Verdict.DUPLICATE
        return Verdict.NEXT if first <= head.last + 1 else Verdict.GAP

    def take(self, entry: Numbers) -> "Intake":
        """The state after an entry that comes next.

        Raises:
            ValueError: it does not come next.
        """
        verdict = self.judge(entry)
        first, last = _range_of(entry)
        if verdict is not Verdict.NEXT:
            raise ValueError(
                f"expected the entry after {self.ack}, got boot {entry.boot} "
                f"{first} to {last}: a {verdict.value}"
            )
        head, *rest = self.boots
        return replace(
            self,
            boots=_unfinished([replace(head, last=last), *rest]),
            last=Position(entry.boot, last),
        )

    def covers(self, boot: int, following: int) -> bool:
        """Whether all entries before number ``following`` of a boot are taken."""
        head = self.boots[0]
        return head.boot == boot and head.last + 1 >= following

    def _is_past(self, boot: int) -> bool:
        """Whether nothing of a boot is still to come."""
        return self.volatile or boot < self.boots[0].boot


def _boot(hello: HelloFields, held: Held, last: int) -> Boot:
    return Boot(held.boot, last, None if held.boot == hello.boot else held.next)


def _unfinished(boots: list[Boot]) -> tuple[Boot, ...]:
    """Without the first ones of which nothing is still to come; the last one stays."""
    while len(boots) > 1 and boots[0].is_drained:
        boots = boots[1:]
    return tuple(boots)


def _range_of(entry: Numbers) -> tuple[int, int]:
    # To ask isinstance of a protocol takes as long as to judge a call.
    if hasattr(entry, "first"):
        lost = cast("NumberedRange", entry)
        return (lost.first, lost.last)
    return (entry.n, entry.n)
