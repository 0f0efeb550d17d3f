"""Taking events in: each once, in the order of its terminal and of its daemon.

Two orders meet here. A terminal numbers its events per boot: only the next one is
taken, so that a duplicate changes nothing and a gap is asked for again. A daemon
numbers what it forwards for a table: a message that overtook another waits for it.
The first order is journalled and never given up. The second only spares polls, so it
is forgotten with the connection, and a message that never comes is not waited for
longer than ``GAP_S``.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from protocol.messages import Held
from protocol.payloads import TerminalEvent, TerminalLost
from referee.entries import EventsLost, EventTaken, TerminalSeen

GAP_S = 2.0
"""Seconds to wait for a message that a later one of its daemon has overtaken."""

AHEAD_MAX = 1024
"""Messages of one daemon and table that wait for one that was overtaken."""


PAST_MAX = 8
"""Boots of a volatile terminal that are remembered after they are over."""


@dataclass(frozen=True, slots=True)
class Boot:
    """How far the events of one boot have been taken in."""

    boot: int
    last: int
    """Number of the last one taken or lost, -1 before any."""
    next: int | None
    """One more than the last that there is; None for the running boot."""

    @property
    def is_drained(self) -> bool:
        return self.next is not None and self.last + 1 >= self.next


@dataclass(frozen=True, slots=True)
class Numbering:
    """How far a terminal's events have been taken in.

    Attributes:
        terminal: its id.
        serial: its serial number.
        boots: those not wholly taken in, oldest first; the events of one precede those
            of the next.
        past: random boots of a volatile terminal that are over, newest last, should a
            status of that time arrive late.
    """

    terminal: str
    serial: str
    boots: tuple[Boot, ...]
    past: tuple[Boot, ...] = ()

    @property
    def acknowledged(self) -> tuple[int, int]:
        """Boot and number that ACK names now."""
        return (self.boots[0].boot, self.boots[0].last)

    def covers(self, boot: int, following: int) -> bool:
        """Whether all events before number ``following`` of a boot are taken in."""
        for known in self.boots:
            if known.boot == boot:
                return known is self.boots[0] and known.last + 1 >= following
        return False


class Turn(Enum):
    """Where an event stands in its terminal's log."""

    NEXT = auto()
    """The one to be taken."""
    DUPLICATE = auto()
    """It has been taken before."""
    EARLY = auto()
    """Others come first: they must be sent again."""
    STRANGE = auto()
    """Its boot is not known yet: the terminal's HELLO comes first."""


def turn_in_log(numbering: Numbering | None, boot: int, n: int) -> Turn:
    """Where the event (boot, n) of a terminal stands."""
    if numbering is None:
        return Turn.STRANGE
    head = numbering.boots[0]
    if boot == head.boot:
        if n == head.last + 1:
            return Turn.NEXT
        return Turn.DUPLICATE if n <= head.last else Turn.EARLY
    if any(known.boot == boot for known in numbering.boots):
        return Turn.EARLY
    return Turn.STRANGE


def is_reset(numbering: Numbering, seen: TerminalSeen) -> bool:
    """Whether a terminal's memory was reset: its log is another than before (A6)."""
    return not seen.volatile and seen.boot < numbering.boots[0].boot


def greet(numbering: Numbering | None, seen: TerminalSeen) -> Numbering:
    """The numbering after a terminal said what it holds (A2, A4, A6).

    A log that is new here begins where its terminal says, since nobody has
    acknowledged anything of it.

    Args:
        numbering: that of the terminal of this serial number, None when it is new.
        seen: what it said.
    """
    if numbering is None or is_reset(numbering, seen):
        first = seen.held[0]
        boots = [_boot(seen, h, h.first - 1 if h is first else -1) for h in seen.held]
        return _advanced(Numbering(seen.terminal, seen.serial, tuple(boots)))
    known = {b.boot: b for b in (*numbering.past, *numbering.boots)}
    oldest = numbering.boots[0].boot
    boots = []
    for held in seen.held:
        if held.boot in known:
            boots.append(_boot(seen, held, known[held.boot].last))
        elif seen.volatile:  # a random boot: nothing of it was acknowledged
            boots.append(_boot(seen, held, held.first - 1))
        elif held.boot > oldest:
            boots.append(_boot(seen, held, -1))
    past = numbering.past
    if seen.volatile:
        now = {b.boot for b in boots}
        past = tuple(b for b in known.values() if b.boot not in now)[-PAST_MAX:]
    return _advanced(Numbering(seen.terminal, seen.serial, tuple(boots), past))


def _boot(seen: TerminalSeen, held: Held, last: int) -> Boot:
    return Boot(held.boot, last, None if held.boot == seen.boot else held.next)


def _advanced(numbering: Numbering) -> Numbering:
    boots = numbering.boots
    while len(boots) > 1 and boots[0].is_drained:
        boots = boots[1:]
    return replace(numbering, boots=boots)


def is_lost_now(numbering: Numbering, lost: TerminalLost) -> bool:
    """Whether a LOST is the next entry of the log (A5)."""
    head = numbering.boots[0]
    return lost.boot == head.boot and lost.first <= head.last + 1 <= lost.last


def take(numbering: Numbering, entry: EventTaken | EventsLost) -> Numbering:
    """The numbering after an event was taken, or found lost."""
    last = entry.n if isinstance(entry, EventTaken) else entry.last
    head, *rest = numbering.boots
    if entry.boot != head.boot:
        return numbering
    head = replace(head, last=max(head.last, last))
    return _advanced(replace(numbering, boots=(head, *rest)))


Stamped = TerminalEvent | TerminalLost
"""What a daemon stamps with its session and k."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A stamped message and where it came from."""

    daemon: str
    terminal: str
    message: Stamped


@dataclass(frozen=True, slots=True)
class Stream:
    """The messages of one daemon for one table, in the order of its k.

    Attributes:
        daemon: its name.
        session: the run of the daemon that counts.
        next: the k that is due; None when it is not known where we came in.
        ahead: messages that overtook the one that is due, by k.
        since: when the first of them came.
    """

    daemon: str
    session: str
    next: int | None
    ahead: tuple[Arrived, ...] = ()
    since: float | None = None


def arrange(
    stream: Stream, arrived: Arrived, now: float
) -> tuple[Stream, tuple[Arrived, ...]]:
    """Put a message of the stream's session in order.

    Returns:
        The stream, and the messages whose turn it is now. One that comes late, after
        its gap was given up, has its turn at once: its terminal's numbers decide.
    """
    k = arrived.message.k
    if stream.next is None or k < stream.next:
        following = stream.next if stream.next is not None else k + 1
        return replace(stream, next=following), (arrived,)
    others = [a for a in stream.ahead if a.message.k != k]
    ahead = sorted([*others, arrived], key=lambda a: a.message.k)
    full = len(ahead) > AHEAD_MAX
    return _due(replace(stream, ahead=tuple(ahead)), now, give_up=full)


def give_up_gap(stream: Stream, now: float) -> tuple[Stream, tuple[Arrived, ...]]:
    """Stop waiting for a missing message once ``GAP_S`` have passed."""
    if stream.since is None or now - stream.since < GAP_S:
        return stream, ()
    return _due(stream, now, give_up=True)


def _due(
    stream: Stream, now: float, *, give_up: bool
) -> tuple[Stream, tuple[Arrived, ...]]:
    following = stream.next
    if give_up and stream.ahead:
        following = stream.ahead[0].message.k
    ready = []
    ahead = list(stream.ahead)
    while ahead and ahead[0].message.k == following:
        ready.append(ahead.pop(0))
        following += 1
    since = None
    if ahead:
        since = now if ready or stream.since is None else stream.since
    stream = replace(stream, next=following, ahead=tuple(ahead), since=since)
    return stream, tuple(ready)
