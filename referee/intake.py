"""Taking events in: each once, in the order of its terminal and of its daemon.

Two orders meet here. A terminal numbers what it logs: only the next entry is taken, so
that a duplicate changes nothing and a gap is asked for again (``protocol.intake``). A
daemon numbers what it forwards for a table: a message that overtook another waits for
it. The first order is journalled and never given up. The second only spares polls, so
it is forgotten with the connection, and a message that never comes is not waited for
longer than ``GAP_S``.
"""

from dataclasses import dataclass, replace

from protocol.intake import Intake
from protocol.payloads import TerminalEvent, TerminalLost, TerminalMalformed

GAP_S = 2.0
"""Seconds to wait for a message that a later one of its daemon has overtaken."""

AHEAD_MAX = 1024
"""Messages of one daemon and table that wait for one that was overtaken."""


@dataclass(frozen=True, slots=True)
class TerminalLog:
    """How far a terminal's log has been taken in.

    Attributes:
        terminal: its id.
        serial: its serial number.
        session: the run of the daemon at which its link was opened last.
        opening: the number of that opening (J4): entries of another are not taken.
        intake: how far its entries have been taken.
    """

    terminal: str
    serial: str
    session: str
    opening: int
    intake: Intake

    @property
    def acknowledged(self) -> tuple[int, int]:
        """Boot and number that ACK names now."""
        ack = self.intake.ack
        return (ack.boot, ack.n)

    def has_opened(self, session: str, opening: int) -> bool:
        """Whether the HELLO of an opening, or of a later one, has been noted."""
        return session == self.session and opening <= self.opening


Stamped = TerminalEvent | TerminalLost | TerminalMalformed
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
