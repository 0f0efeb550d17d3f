"""A table without wires, brokers or clocks: what the relay's tests drive by hand.

Real ``TerminalLink``s at one end, a real ``Relay`` in the middle, and a referee that
only takes entries in the order of their logs.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from broker.settings import BrokerSettings
from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.intake import Intake, Verdict
from protocol.messages import Asked
from protocol.payloads import (
    Acknowledge,
    DisplayPrompt,
    LinkState,
    Payload,
    Poll,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
    TerminalStatus,
    decode_payload,
    encode_payload,
)
from protocol.store import MemoryStore
from protocol.terminal_link import Identity, TerminalLink
from protocol.topics import TopicKind, Topics
from terminal.relay import Publication, Relay
from terminal.settings import DaemonSettings, Security, TerminalSettings
from terminal.web.settings import WebSettings

EVENT, DAEMON, SESSION = "test", "d1", "run-1"
TOPICS = Topics(EVENT)

Entry = TerminalEvent | TerminalLost | TerminalMalformed


def nonces() -> Iterable[bytes]:
    return (number.to_bytes(16, "big") for number in range(10**6))


def terminal_settings(seat: Seat, **changes: object) -> TerminalSettings:
    fields: dict[str, object] = {
        "id": f"t1-{seat.lower()}",
        "port": f"/dev/none-{seat}",
        "table": "t1",
        "seats": (seat,),
        "security": Security.OPEN,
    }
    return TerminalSettings(**(fields | changes))  # type: ignore[arg-type]


def display(seat: Seat, rev: int = 1, **changes: object) -> DisplayPrompt:
    fields: dict[str, object] = {
        "epoch": 1,
        "rev": rev,
        "seat": seat,
        "play": 1,
        "board": 1,
        "at": 0,
        "ask": Asked.CALL,
        "hand": None,
        "pages": (("your call",),),
    }
    return DisplayPrompt(**(fields | changes))  # type: ignore[arg-type]


@dataclass
class Far:
    """A terminal and its wire to the relay."""

    name: str
    seat: Seat
    store: MemoryStore = field(default_factory=lambda: MemoryStore(1, volatile=False))
    serial: str = ""
    up: bytearray = field(default_factory=bytearray)
    down: bytearray = field(default_factory=bytearray)
    is_open: bool = False

    def __post_init__(self) -> None:
        self._nonces = iter(nonces())
        self.switch_on()

    def switch_on(self, *seats: Seat) -> None:
        identity = Identity(self.serial or f"SN-{self.seat}", seats or (self.seat,))
        self.link = TerminalLink(identity, self.store, lambda: next(self._nonces))

    def restart(self, now: float) -> None:
        self.store = self.store.restarted()
        self.switch_on()
        if self.is_open:
            self.link.opened(now)

    def press(self, now: float, *data: str) -> None:
        self.link.press(EventKey("call", self.seat, None, data or ("P",)), now)


class Room:
    """A relay with its terminals, its broker and its referee, moved by hand."""

    def __init__(self, *terminals: TerminalSettings) -> None:
        settings = terminals or (terminal_settings(Seat.NORTH),)
        made = iter(nonces())
        self.now = 100.0
        self.took: list[float] = []
        """Seconds from each entry's arrival to its ACK."""
        self.relay = Relay(
            DaemonSettings(
                event=EVENT,
                daemon=DAEMON,
                broker=BrokerSettings(),
                terminals=settings,
                web=WebSettings(codes="codes"),
            ),
            SESSION,
            lambda: next(made),
            wall=self.wall,
            took=self.took.append,
        )
        self.far = {t.id: Far(t.id, t.seats[0]) for t in settings}
        self.published: list[Publication] = []
        """All publications, oldest first."""
        self.inbox: list[Publication] = []
        """Publications that the referee has not seen yet."""
        self.intakes: dict[str, Intake] = {}
        self.heard: dict[str, int] = {}
        """For each terminal the last opening whose HELLO the referee has taken."""
        self.taken: list[Entry] = []
        self.answers: list[TerminalShown | TerminalClear] = []

    def far_of(self, seat: Seat = Seat.NORTH) -> Far:
        return self.far[f"t1-{seat.lower()}"]

    # -- the wires ------------------------------------------------------------------

    def open_line(self, far: Far) -> None:
        far.is_open = True
        far.link.opened(self.now)
        far.link.data_to_send()  # opening the port flushes it
        far.up.clear()
        far.down.clear()
        self.relay.line_opened(far.name, self.now)
        self.collect()

    def lose_line(self, far: Far) -> None:
        far.is_open = False
        far.up.clear()
        far.down.clear()
        self.relay.line_lost(far.name, "unplugged", self.now)
        far.link.closed()
        self.collect()

    def collect(self) -> None:
        """Put what everyone has to say on the wires and to the broker."""
        for far in self.far.values():
            far.up += far.link.data_to_send()
            far.link.events_received()
            far.down += self.relay.data_to_send(far.name)
        fresh = self.relay.publications(self.now)
        self.published += fresh
        self.inbox += fresh

    def carry(self, far: Far, *, up: bool = True, down: bool = True) -> None:
        """Let what is on a wire arrive."""
        if up and far.up:
            data, far.up = bytes(far.up), bytearray()
            self.relay.line_received(far.name, data, self.now)
        if down and far.down:
            data, far.down = bytes(far.down), bytearray()
            far.link.receive_data(data, self.now)
        self.collect()

    def settle(self, *, referee: bool = True) -> None:
        """Let everything arrive until nothing is under way."""
        self.collect()
        while any(f.up or f.down for f in self.far.values()) or (
            referee and self.inbox
        ):
            for far in self.far.values():
                self.carry(far)
            if referee:
                self.read()

    def pass_time(self, seconds: float) -> None:
        """Let time go by in small steps, and everybody do what is due."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(self.now + 0.5, until)
            for far in self.far.values():
                far.link.tick(self.now)
                self.relay.tick(far.name, self.now)
            self.collect()

    def live(self, seconds: int) -> None:
        """Let time go by while everything arrives at once."""
        for _ in range(seconds):
            self.pass_time(1)
            self.settle()

    # -- the referee ----------------------------------------------------------------

    def tell(self, kind: str, far: Far, payload: Payload) -> None:
        """Deliver a message of the referee."""
        topic = f"bidwire/{EVENT}/daemons/{DAEMON}/terminals/{far.name}/{kind}"
        self.relay.message(topic, encode_payload(payload), self.now)
        self.collect()

    def show(self, far: Far, rev: int = 1, **changes: object) -> None:
        self.tell("display", far, display(far.seat, rev, **changes))

    def poll(self, far: Far, token: int) -> None:
        self.tell("ack", far, Poll(epoch=1, token=token))

    def acknowledge(self, far: Far) -> None:
        ack = self.intakes[far.name].ack
        self.tell("ack", far, self.ack_of(far, ack.boot, ack.n))

    def ack_of(self, far: Far, boot: int, n: int, *, epoch: int = 1) -> Acknowledge:
        """An ACK as a referee sends it that knows the terminal's last opening."""
        opening = self.heard.get(far.name, 0)
        return Acknowledge(
            epoch=epoch, boot=boot, n=n, session=SESSION, opening=opening
        )

    def read(self) -> None:
        """The referee reads what has come, and answers."""
        publications, self.inbox = self.inbox, []
        for publication in publications:
            topic = TOPICS.parse(publication.topic)
            if topic.kind is TopicKind.DAEMON_STATUS:
                continue
            far = self.far[topic.names[-1]]
            payload = decode_payload(topic.kind, publication.payload)
            match payload:
                case TerminalEvent() | TerminalLost() | TerminalMalformed():
                    self._take(far, payload)
                case TerminalStatus():
                    self._take_status(far, payload)
                case TerminalShown() | TerminalClear():
                    self.answers.append(payload)
                case _:
                    raise AssertionError(payload)

    def _take(self, far: Far, entry: Entry) -> None:
        intake = self.intakes.get(far.name)
        if intake is None or entry.opening != self.heard[far.name]:
            return  # its HELLO comes, or has come: it sends the entry again
        if intake.judge(entry) is Verdict.NEXT:
            self.intakes[far.name] = intake.take(entry)
            self.taken.append(entry)
        self.acknowledge(far)

    def _take_status(self, far: Far, status: TerminalStatus) -> None:
        if status.link is not LinkState.ONLINE or status.hello is None:
            return
        heard, intake = self.heard.get(far.name, 0), self.intakes.get(far.name)
        if status.opening < heard:
            return  # delivered late
        if status.opening > heard:
            begun = Intake.begin(status.hello)
            self.intakes[far.name] = intake.greet(status.hello) if intake else begun
            self.heard[far.name] = status.opening
        self.acknowledge(far)

    def wall(self) -> float:
        """The time by the wall clock."""
        return 1_000_000.0 + self.now

    # -- what tests ask -------------------------------------------------------------

    def events(self) -> list[Entry]:
        """Every event published, copies included."""
        entries = []
        for publication in self.published:
            if publication.topic.endswith("/events"):
                kind = TOPICS.parse(publication.topic).kind
                entry = decode_payload(kind, publication.payload)
                assert isinstance(entry, Entry)
                entries.append(entry)
        return entries

    def status(self, far: Far) -> TerminalStatus:
        """The last status published of a terminal."""
        for publication in reversed(self.published):
            if publication.topic.endswith(f"/{far.name}/status"):
                return msgspec.json.decode(publication.payload, type=TerminalStatus)
        raise AssertionError("no status")


def room_online(*terminals: TerminalSettings) -> Room:
    """A room whose terminals are all online and whose broker is there."""
    room = Room(*terminals)
    room.relay.broker_connected(room.now)
    for far in room.far.values():
        room.open_line(far)
    room.settle()
    return room
