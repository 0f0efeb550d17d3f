"""Two links over a wire that loses, doubles, spoils and cuts, under a clock of its own.

Everything that chance decides comes from one seed, so that a failure repeats.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from laws.seats import Seat
from protocol.daemon_link import DaemonLink, admit_all
from protocol.happenings import EventKey
from protocol.intake import Intake, Verdict
from protocol.limits import REPEAT_S
from protocol.link import Link, LinkUp, Occurrence, Received, State
from protocol.messages import Event, Hello, Lost, Refused
from protocol.store import EventStore, MemoryStore
from protocol.terminal_link import Identity, TerminalLink

ALL_SEATS = tuple(Seat)
IDENTITY = Identity(serial="SN-1", seats=ALL_SEATS, firmware="t1")


def nonces(first: int = 0) -> Callable[[], bytes]:
    """Nonces that differ, without chance."""
    numbers = iter(range(first, first + 10**6))
    return lambda: next(numbers).to_bytes(16, "big")


def passed(seat: Seat = Seat.NORTH) -> EventKey:
    """The key for a pass."""
    return EventKey("call", seat, None, ("P",))


def is_in(state: State, *links: Link) -> bool:
    """Whether all these links are in a state now."""
    return all(link.state is state for link in links)


@dataclass
class Referee:
    """A toy: it journals the next entry, and to anything else repeats its ACK."""

    intake: Intake | None = None
    journal: list[Event | Lost] = field(default_factory=list)
    resets: int = 0
    """How often a memory was found to have been reset."""

    def act(self, occurrence: Occurrence, link: DaemonLink, now: float) -> None:
        match occurrence:
            case LinkUp(hello=hello):
                intake = self.intake or Intake.begin(hello)
                self.resets += intake.is_reset(hello)
                self.intake = intake.greet(hello)
            case Received(message=Event() | Lost() as entry) if self.intake:
                if self.intake.judge(entry) is Verdict.NEXT:
                    self.intake = self.intake.take(entry)
                    self.journal.append(entry)
            case _:
                return
        link.send(self.intake.ack, now)


@dataclass
class Wire:
    """One direction of a wire, or of a better one when all chances are 0."""

    seed: int = 0
    loss: float = 0.0
    double: float = 0.0
    spoil: float = 0.0
    cut: bool = False

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - no secret

    def carry(self, data: bytes) -> Iterable[bytes]:
        """The chunks that arrive of what was sent."""
        for frame in _frames(data):
            copies = 1 + (self.chance.random() < self.double)
            if self.chance.random() < self.loss:
                copies = 0
            for _ in range(copies):
                yield from self._cut(self._spoil(frame))

    def _spoil(self, frame: bytes) -> bytes:
        if self.chance.random() >= self.spoil:
            return frame
        at = self.chance.randrange(len(frame))
        return frame[:at] + self.chance.randbytes(1) + frame[at + 1 :]

    def _cut(self, frame: bytes) -> Iterable[bytes]:
        while self.cut and len(frame) > 1:
            at = self.chance.randrange(1, len(frame))
            yield frame[:at]
            frame = frame[at:]
        yield frame


def _frames(data: bytes) -> list[bytes]:
    return [b"\0" + frame + b"\0" for frame in data.split(b"\0") if frame]


@dataclass
class Pair:
    """A daemon's and a terminal's end, their wire, their shells and the time."""

    wire: Wire = field(default_factory=Wire)
    key: bytes | None = None
    terminal_key: bytes | None = None
    store: EventStore = field(default_factory=lambda: MemoryStore(7))
    identity: Identity = IDENTITY
    admit: Callable[[Hello], Refused | None] = admit_all
    now: float = 100.0
    connected: bool = True
    stalled: bool = False
    """What is sent is held up, and comes when this is over."""
    referee: Referee = field(default_factory=Referee)
    seen: list[Occurrence] = field(default_factory=list)
    """What the daemon's end has handed up."""
    shown: list[Occurrence] = field(default_factory=list)
    """What the terminal's end has handed up."""

    def __post_init__(self) -> None:
        self.fresh = nonces()
        self._held_up: list[tuple[bytes, bool]] = []
        self.said = bytearray()
        """What the daemon has sent."""
        self.daemon = DaemonLink(self.fresh, self.admit, self.key)
        self.terminal = TerminalLink(
            self.identity, self.store, self.fresh, self.terminal_key or self.key
        )

    def open(self) -> None:
        self.terminal.opened(self.now)
        self.daemon.opened(self.now)
        self.settle()

    def restart_daemon(self) -> None:
        """The daemon's process is killed and started again."""
        self.daemon = DaemonLink(self.fresh, self.admit, self.key)
        self.daemon.opened(self.now)

    def restart_terminal(self, store: EventStore) -> None:
        """The terminal loses its power and comes back with this store."""
        self.terminal = TerminalLink(self.identity, store, self.fresh, self.key)
        self.terminal.opened(self.now)

    def settle(self) -> None:
        """Carry what is there to be carried, until nothing is."""
        while self._step():
            pass

    def _step(self) -> bool:
        for occurrence in self.daemon.events_received():
            self.seen.append(occurrence)
            self.referee.act(occurrence, self.daemon, self.now)
        self.shown += self.terminal.events_received()
        down, up = self.daemon.data_to_send(), self.terminal.data_to_send()
        self.said += down
        if self.stalled:
            self._held_up += [(down, True), (up, False)]
            return bool(down or up)
        held_up, self._held_up = self._held_up, []
        for data, to_terminal in held_up:
            self._carry(data, self.terminal if to_terminal else self.daemon)
        self._carry(down, self.terminal)
        self._carry(up, self.daemon)
        return bool(down or up or held_up)

    def _carry(self, data: bytes, to: Link) -> None:
        if data and self.connected:
            for chunk in self.wire.carry(data):
                to.receive_data(chunk, self.now)

    def run(self, seconds: float) -> None:
        """Let time pass, from deadline to deadline."""
        self.settle()
        end = self.now + seconds
        while True:
            dues = [self.daemon.deadline(), self.terminal.deadline()]
            due = min((d for d in dues if d is not None), default=end)
            if due > end:
                break
            self.now = max(due, self.now)
            self.daemon.tick(self.now)
            self.terminal.tick(self.now)
            self.settle()
        self.now = end


LONG_S = 40 * REPEAT_S[-1]
"""Long enough for every repeat on a bad wire."""
