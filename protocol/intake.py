"""Which entries of a terminal's log the referee may take, and what to acknowledge.

Clauses A of ``protocol/README.md``: the referee takes only the entry after its last
one; to anything else it repeats the ACK of the last. One ``Intake`` for each serial
number; it is a value, so that the referee keeps it with the journal.
"""

from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile

from protocol.messages import Ack, EventFields, HelloFields, LostFields
from protocol.store import Position


class Verdict(Enum):
    """What an entry is to the referee."""

    NEXT = "next"
    """The one after the last: to be journalled, then acknowledged."""
    DUPLICATE = "duplicate"
    """Taken already."""
    GAP = "gap"
    """Something before it is missing."""


@dataclass(frozen=True, slots=True)
class Intake:
    """How far the referee has taken one terminal's log.

    Attributes:
        last: the last entry taken; number -1 when none of that boot has been.
        hello: what the terminal last said that it holds; None until it is known
            again after a restart of the referee.
    """

    last: Position
    hello: HelloFields | None = None

    @classmethod
    def begin(cls, hello: HelloFields) -> "Intake":
        """Take up a terminal's log where the terminal has it (A2).

        For a serial number that the journal does not know. What was acknowledged
        before this is someone else's.
        """
        oldest = hello.held[0] if hello.held else None
        if oldest is None:
            return cls(Position(hello.boot, -1), hello)
        return cls(Position(oldest.boot, oldest.first - 1), hello)

    def is_reset(self, hello: HelloFields) -> bool:
        """Whether a terminal's counter of restarts has fallen back (A6).

        Its numbers can then no longer be compared: the Director is told, and the log
        is taken up by ``begin``.
        """
        return not hello.volatile and hello.boot < self.last.boot

    def greet(self, hello: HelloFields) -> "Intake":
        """Note what a terminal holds; the log goes on from the last entry."""
        return self if self.is_reset(hello) else replace(self, hello=hello)

    @property
    def ack(self) -> Ack:
        """The ACK to send: at each HELLO, after taking, and to what cannot be taken."""
        return Ack(self.last.boot, self.last.n)

    def judge(self, entry: EventFields | LostFields) -> Verdict:
        """Whether an event, or a LOST, comes next (A3, A4)."""
        first, last = _range_of(entry)
        if entry.boot == self.last.boot:
            if last <= self.last.n:
                return Verdict.DUPLICATE
            return Verdict.NEXT if first <= self.last.n + 1 else Verdict.GAP
        if self._is_past(entry.boot):
            return Verdict.DUPLICATE
        return Verdict.NEXT if first == 0 and self._begins(entry.boot) else Verdict.GAP

    def take(self, entry: EventFields | LostFields) -> "Intake":
        """The state after an entry that comes next.

        Raises:
            ValueError: it does not come next.
        """
        verdict = self.judge(entry)
        if verdict is not Verdict.NEXT:
            raise ValueError(
                f"expected the entry after {self.last}, got boot {entry.boot} "
                f"{_range_of(entry)}: a {verdict.value}"
            )
        return replace(self, last=Position(entry.boot, _range_of(entry)[1]))

    def _is_past(self, boot: int) -> bool:
        """A boot other than the last entry's that can no longer send anything."""
        if self.hello is None:
            return False  # not known before the next HELLO: ask for it again
        if self.hello.volatile:
            return boot != self.hello.boot
        return boot < self.last.boot

    def _begins(self, boot: int) -> bool:
        """Whether entries of this boot may follow the last one: none is missing.

        The terminal's HELLO must know the boot, and must name no earlier boot of
        which something is still to come.
        """
        held = self.hello.held if self.hello is not None else ()
        if boot not in {h.boot for h in held}:
            return False
        return not any(
            h.boot >= self.last.boot and h.next > self._taken(h.boot)
            for h in takewhile(lambda h: h.boot != boot, held)
        )

    def _taken(self, boot: int) -> int:
        """How many entries of this boot, the last one's or a later one, are taken."""
        return self.last.n + 1 if boot == self.last.boot else 0


def _range_of(entry: EventFields | LostFields) -> tuple[int, int]:
    if isinstance(entry, EventFields):
        return (entry.n, entry.n)
    return (entry.first, entry.last)
