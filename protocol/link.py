"""What both ends of a link share: opening, silence, parts, queues. No I/O, no clock.

Clauses O and S of ``protocol/README.md``. The rules that govern the state stand in one
table, ``TRANSITIONS``: a pair that is not in it raises ``LinkMisuseError`` and changes
nothing. A shell drives a link so:

* ``opened`` and ``closed`` say that the carrier (port, socket, radio) came and went;
* ``receive_data`` takes bytes, whatever they are; it never raises;
* ``send`` takes a message of ours;
* ``data_to_send`` are the bytes for the carrier, to be asked for after every call;
* ``events_received`` is what the shell must act on, likewise;
* ``deadline`` is the time at which ``tick`` wants to be called.

Time is a number of seconds from a clock that never goes back.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum

from protocol.decoding import Malformed, Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.limits import (
    DOWN_S,
    INBOX_MAX,
    OUTBOX_MAX,
    REPEAT_S,
    SILENCE_S,
)
from protocol.messages import (
    Hello,
    Message,
    Part,
    RefusalReason,
    encode,
)
from protocol.parts import Reassembler


class LinkMisuseError(Exception):
    """Our own code used a link in a way that its state or role does not allow."""


class State(Enum):
    """The states of a link, the same at both ends."""

    CLOSED = "closed"
    """There is no carrier."""
    OPENING = "opening"
    """ASK and HELLO are on their way."""
    UP = "up"
    """The daemon has sent WELCOME, the terminal has received it."""
    REFUSED = "refused"
    """The daemon has sent REFUSED, the terminal has received it."""


class Trigger(Enum):
    """What changes the state of a link."""

    OPEN = "carrier opened"
    CLOSE = "carrier closed"
    ASK = "asked anew"
    ACCEPT = "welcomed"
    REFUSE = "refused"
    SILENCE = "silence"


TRANSITIONS: dict[State, dict[Trigger, State]] = {
    State.CLOSED: {
        Trigger.OPEN: State.OPENING,
        Trigger.CLOSE: State.CLOSED,
    },
    State.OPENING: {
        Trigger.CLOSE: State.CLOSED,
        Trigger.ASK: State.OPENING,
        Trigger.ACCEPT: State.UP,
        Trigger.REFUSE: State.REFUSED,
    },
    State.UP: {
        Trigger.CLOSE: State.CLOSED,
        Trigger.ASK: State.OPENING,
        Trigger.ACCEPT: State.UP,
        Trigger.REFUSE: State.REFUSED,
        Trigger.SILENCE: State.OPENING,
    },
    State.REFUSED: {
        Trigger.CLOSE: State.CLOSED,
        Trigger.ASK: State.OPENING,
        Trigger.ACCEPT: State.UP,
        Trigger.REFUSE: State.REFUSED,
    },
}
"""State by trigger; what is not here cannot happen."""


class DownReason(StrEnum):
    """Why a link that was up no longer is."""

    CARRIER = "carrier"
    """The carrier was closed or lost."""
    SILENCE = "silence"
    """Nothing was heard for ``DOWN_S``."""
    ASKED = "asked"
    """The daemon opens the link anew."""
    REFUSED = "refused"
    """The daemon no longer takes the terminal."""
    REOPENED = "reopened"
    """The terminal says HELLO anew: it has restarted, or heard nothing for long."""


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The link is up; ``hello`` is what the terminal said of itself."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The link was up and is no longer."""

    reason: DownReason


@dataclass(frozen=True, slots=True)
class LinkRefused:
    """The daemon refuses the terminal."""

    reason: RefusalReason
    text: str
    hello: Hello | None


@dataclass(frozen=True, slots=True)
class Received:
    """A message that the shell must act on; one of a daemon may be malformed (M6)."""

    message: Message | Malformed


@dataclass(frozen=True, slots=True)
class BodyRejected:
    """A body came that is no message; the shell should log why, once."""

    reason: str


Occurrence = LinkUp | LinkDown | LinkRefused | Received | BodyRejected
"""What a link hands to its shell; LinkUp and LinkDown take turns."""


@dataclass(slots=True)
class LinkCounters:
    """What went wrong on a link since it was made; none of it is fatal."""

    rejected: int = 0
    """Bodies that are no message, malformed ones among them."""
    unknown: int = 0
    """Messages of a tag that this version does not know."""
    unexpected: int = 0
    """Messages that do not belong in this direction, state or seat."""
    dropped_in: int = 0
    """Messages dropped because the shell had not fetched ``INBOX_MAX`` others."""
    dropped_out: int = 0
    """Messages dropped because the carrier had not taken ``OUTBOX_MAX`` bytes."""
    repeated: int = 0
    """Displays and polls sent again because they had not been answered."""


class Repeat:
    """A timer for repeats: after 1, 2, 4 … 30 s, then every 30 s (R1)."""

    def __init__(self) -> None:
        self.due: float | None = None
        self._step = 0

    def start(self, now: float) -> None:
        """Begin anew."""
        self._step = 0
        self.due = now + REPEAT_S[0]

    def again(self, now: float) -> None:
        """It has been due; wait longer for the next time."""
        self._step = min(self._step + 1, len(REPEAT_S) - 1)
        self.due = now + REPEAT_S[self._step]

    def hasten(self, due: float) -> None:
        """Be due at that time, if not before."""
        self.due = due if self.due is None else min(self.due, due)

    def stop(self) -> None:
        self.due = None

    def is_due(self, now: float) -> bool:
        return self.due is not None and now >= self.due


class Link(ABC):
    """One end of a link.

    Args:
        nonce: gives 16 fresh random bytes at each request.
        key: the terminal's key where links are paired, None where they are open.
    """

    def __init__(self, nonce: Callable[[], bytes], key: bytes | None = None) -> None:
        self.state = State.CLOSED
        self.counters = LinkCounters()
        self.decoder = FrameDecoder()
        self.parts = Reassembler()
        self._fresh_nonce = nonce
        self._key = key
        self._inbox: list[Occurrence] = []
        self._outbox = bytearray()
        self._part_id = 0
        self._announce_due: float | None = None
        self._heard = 0.0
        self._pinged = 0.0

    # -- the shell's side -----------------------------------------------------------

    def opened(self, now: float) -> None:
        """The carrier is open: begin to open the link.

        Raises:
            LinkMisuseError: it was open already.
        """
        self._fire(Trigger.OPEN)
        self.decoder.reset()
        self._begin_opening(now)

    def closed(self) -> None:
        """The carrier is closed or lost; what was to be sent on it is dropped."""
        self._leave_up(DownReason.CARRIER)
        self._fire(Trigger.CLOSE)
        self._outbox.clear()
        self._announce_due = None

    def receive_data(self, data: bytes, now: float) -> None:
        """Take bytes from the carrier; any bytes whatever."""
        if self.state is State.CLOSED:
            return
        for body in self.decoder.receive(data):
            self._receive_body(body, now)

    @abstractmethod
    def send(self, message: Message, now: float) -> bool:
        """Send a message, and see to it that it arrives if its kind is repeated.

        Returns:
            Whether it is on its way; False when the link is not up or it is outdated.

        Raises:
            LinkMisuseError: it is no message for this end's shell to send.
        """

    def data_to_send(self) -> bytes:
        """Bytes for the carrier, each once."""
        data = bytes(self._outbox)
        self._outbox.clear()
        return data

    def events_received(self) -> list[Occurrence]:
        """What the shell must act on, each once, in order."""
        occurrences, self._inbox = self._inbox, []
        return occurrences

    def deadline(self) -> float | None:
        """The time at which ``tick`` wants to be called, None for never."""
        return min(self._deadlines(), default=None)

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self.state is State.UP and now >= self._heard + DOWN_S:
            self._leave_up(DownReason.SILENCE)
            self._fire(Trigger.SILENCE)
            self._begin_opening(now)
        if self._announce_due is not None and now >= self._announce_due:
            self._announce(now)
        if self.state is State.UP:
            if now >= self._ping_due():
                self._ping(now)
            self._repeat(now)

    # -- what the two ends do differently -------------------------------------------

    @abstractmethod
    def _announce(self, now: float) -> None:
        """Send ASK or HELLO and say when to do so again."""

    @abstractmethod
    def _ping(self, now: float) -> None:
        """Send a PING."""

    @abstractmethod
    def _handle(self, message: Message, now: float) -> None:
        """Act on a message from the far side."""

    @abstractmethod
    def _repeat(self, now: float) -> None:
        """Send again what is due; only asked while the link is up."""

    @abstractmethod
    def _repeats_due(self) -> list[float]:
        """When ``_repeat`` has something to do."""

    def _ping_due(self) -> float:
        return max(self._heard, self._pinged) + SILENCE_S

    # -- shared ---------------------------------------------------------------------

    def _deadlines(self) -> list[float]:
        due = [] if self._announce_due is None else [self._announce_due]
        if self.state is State.UP:
            due += [self._heard + DOWN_S, self._ping_due(), *self._repeats_due()]
        return due

    def _fire(self, trigger: Trigger) -> None:
        state = TRANSITIONS[self.state].get(trigger)
        if state is None:
            raise LinkMisuseError(
                f"{trigger.value} cannot happen to a link that is {self.state.value}"
            )
        self.state = state

    def _begin_opening(self, now: float) -> None:
        """Forget the link that was and announce ourselves."""
        self.parts.reset()
        self._announce(now)

    def _come_up(self, hello: Hello, now: float) -> None:
        self.parts.reset()
        self._fire(Trigger.ACCEPT)
        self._announce_due = None
        self._heard = self._pinged = now
        self._inbox.append(LinkUp(hello))

    def _leave_up(self, reason: DownReason) -> None:
        if self.state is State.UP:
            self._inbox.append(LinkDown(reason))

    def _receive_body(self, body: bytes, now: float) -> None:
        message = decode(body)
        if isinstance(message, Part):
            self._heard = now
            whole = self.parts.receive(message)
            if whole is None:
                return
            message = decode(whole)
        match message:
            case Part():
                self._reject(Rejected("PART: a part of a part"), now)
            case Rejected():
                self._reject(message, now)
            case Unknown():
                self._heard = now
                self.counters.unknown += 1
            case _:
                self._heard = now
                if self._has_room():
                    self._handle(message, now)

    def _reject(self, rejected: Rejected, _now: float) -> None:
        """Count a body that is no message, and tell the shell."""
        self.counters.rejected += 1
        if self._has_room():
            self._inbox.append(BodyRejected(rejected.reason))

    def _has_room(self) -> bool:
        """Whether the shell has fetched enough; what comes is dropped else."""
        if len(self._inbox) < INBOX_MAX:
            return True
        self.counters.dropped_in += 1
        return False

    def _unexpected(self) -> None:
        self.counters.unexpected += 1

    def _send(self, message: Message) -> bool:
        """Put a message into the queue for the carrier, whole or not at all.

        Returns False, and sends nothing, when the carrier has not kept up.
        """
        bodies = encode(message, self._part_id)
        if len(bodies) > 1:
            self._part_id = (self._part_id + 1) % 256
        frames = b"".join(encode_frame(body) for body in bodies)
        if len(self._outbox) + len(frames) > OUTBOX_MAX:
            self.counters.dropped_out += 1
            return False
        self._outbox += frames
        return True
