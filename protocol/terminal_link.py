"""The terminal's end of a link: answers, logs events, sends them until acknowledged.

Clauses O, E, R, D of ``protocol/README.md``. The simulated terminal and the tests use
it; firmware in another language does the same.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.limits import (
    OPENING_S,
    REFUSED_S,
    REPEATED_ACK_S,
    VERSION,
    VITALS_S,
    WINDOW,
)
from protocol.link import (
    DownReason,
    Link,
    LinkMisuseError,
    LinkRefused,
    Received,
    Repeat,
    State,
    Trigger,
)
from protocol.messages import (
    Ack,
    Ask,
    Display,
    Encoding,
    Event,
    Hello,
    Message,
    Ping,
    Pong,
    Profile,
    Refused,
    Shown,
    Vitals,
    Welcome,
    encode,
)
from protocol.pairing import daemon_proof, terminal_proof, verify
from protocol.store import Entry, EventStore, LostRange, Position, outgoing


@dataclass(frozen=True, slots=True)
class Identity:
    """What a terminal is, as far as it does not change while it runs."""

    serial: str
    seats: tuple[Seat, ...]
    firmware: str = ""
    columns: int = 20
    rows: int = 4
    encoding: Encoding = Encoding.UTF_8
    profile: Profile = Profile.CALLS_AND_CARDS


class TerminalLink(Link):
    """The terminal's end of the link to its daemon.

    Args:
        identity: what HELLO says.
        store: the log of events.
        nonce: gives 16 fresh random bytes at each request.
        key: the terminal's key where links are paired, None where they are open.
    """

    def __init__(
        self,
        identity: Identity,
        store: EventStore,
        nonce: Callable[[], bytes],
        key: bytes | None = None,
    ) -> None:
        super().__init__(nonce, key)
        self.vitals = Vitals()
        """What PING says; the shell keeps it current."""
        self.displays: dict[Seat, Display] = {}
        """What each seat shows."""
        self._identity = identity
        self._store = store
        self._daemon_nonce = b""
        self._nonce = b""
        self._hello: Hello | None = None
        self._numbered: dict[Seat, tuple[int, int]] = {}
        self._acked: Position | None = None
        self._acked_here = False
        self._sent: dict[Position, float] = {}
        self._resend = Repeat()

    @property
    def unacknowledged(self) -> int:
        """How many events wait for their ACK."""
        return len(self._store.entries())

    def press(self, key: EventKey, now: float) -> Event:
        """Log what a user does now, as an answer to what his seat shows.

        Raises:
            InvalidMessageError: a field breaks a limit of the wire.
            StoreFullError: nothing can be logged; the key must be refused.
        """
        shown = self.displays.get(key.seat)
        event = Event(
            boot=self._store.boot,
            n=self._store.next,
            seat=key.seat,
            play=shown.play if shown else 0,
            rev=shown.rev if shown else 0,
            age_ms=0,
            kind=key.kind,
            hand=key.hand,
            data=key.data,
        )
        self._log(event, now, now)
        return event

    def send(self, message: Message, now: float) -> bool:
        """Log an Event; boot and n are set here, its age is kept.

        For a shell that chooses play and rev itself. Always True: what is logged
        arrives, sooner or later.

        Raises:
            LinkMisuseError: it is no Event.
            InvalidMessageError: a field breaks a limit of the wire.
            StoreFullError: nothing can be logged; the key must be refused.
        """
        if not isinstance(message, Event):
            raise LinkMisuseError(
                f"a terminal sends Event, not {type(message).__name__}"
            )
        numbered = msgspec.structs.replace(
            message, boot=self._store.boot, n=self._store.next, age_ms=0
        )
        self._log(numbered, now - message.age_ms / 1000, now)
        return True

    def _log(self, event: Event, pressed: float, now: float) -> None:
        encode(event)  # before it is kept: what cannot be sent must not block the log
        self._store.append(event, pressed)
        if self.state is State.UP:
            self._fill(now)

    # -- opening --------------------------------------------------------------------

    def _begin_opening(self, now: float) -> None:
        self._daemon_nonce = b""
        self._nonce = self._fresh_nonce()
        super()._begin_opening(now)

    def _announce(self, now: float) -> None:
        self._hello = self._make_hello()
        self._send(self._hello)
        refused = self.state is State.REFUSED
        self._announce_due = now + (REFUSED_S if refused else OPENING_S)

    def _make_hello(self) -> Hello:
        identity, store = self._identity, self._store
        proof = b""
        if self._key is not None and self._daemon_nonce:
            proof = terminal_proof(
                self._key, self._daemon_nonce, self._nonce, identity.serial
            )
        return Hello(
            version=VERSION,
            serial=identity.serial,
            boot=store.boot,
            volatile=store.volatile,
            held=store.held(),
            firmware=identity.firmware,
            seats=identity.seats,
            columns=identity.columns,
            rows=identity.rows,
            encoding=identity.encoding,
            profile=identity.profile,
            nonce=self._nonce,
            asked=self._daemon_nonce,
            proof=proof,
        )

    def _take_ask(self, ask: Ask, now: float) -> None:
        self._leave_up(DownReason.ASKED)
        self._fire(Trigger.ASK)
        self.parts.reset()
        if ask.nonce != self._daemon_nonce:
            self._daemon_nonce = ask.nonce
            self._nonce = self._fresh_nonce()
        self._announce(now)

    def _take_welcome(self, welcome: Welcome, now: float) -> None:
        if self.state is State.UP:
            return  # the answer to a HELLO that was repeated
        if self._hello is None or not self._is_valid(welcome):
            self._unexpected()
            return
        self._numbered.clear()
        self._acked_here = False
        self._sent.clear()
        self._resend.stop()
        self._come_up(self._hello, now)
        self._fill(now)

    def _is_valid(self, welcome: Welcome) -> bool:
        if welcome.version != VERSION or not self._daemon_nonce:
            return False  # it answers a HELLO of before (O4)
        if self._key is None:
            return True
        expected = daemon_proof(
            self._key, self._daemon_nonce, self._nonce, self._identity.serial
        )
        return verify(expected, welcome.proof)

    def _take_refused(self, refused: Refused, now: float) -> None:
        self._leave_up(DownReason.REFUSED)
        self._fire(Trigger.REFUSE)
        self._announce_due = now + REFUSED_S
        self._inbox.append(LinkRefused(refused.reason, refused.text, self._hello))

    # -- while up -------------------------------------------------------------------

    def _handle(self, message: Message, now: float) -> None:
        match message:
            case Ask():
                self._take_ask(message, now)
            case Welcome():
                self._take_welcome(message, now)
            case Refused():
                self._take_refused(message, now)
            case _ if self.state is not State.UP:
                self._unexpected()
            case Ping():
                self._send(Pong(message.token, self._store.boot, self._store.next))
            case Pong():
                pass  # that it was heard is all that it says
            case Ack():
                self._take_ack(message, now)
            case Display():
                self._take_display(message)
            case _:
                self._unexpected()

    def _ping_due(self) -> float:
        return min(super()._ping_due(), self._pinged + VITALS_S)

    def _ping(self, now: float) -> None:
        self._pinged = now
        self._send(Ping(0, self.vitals))

    def _take_display(self, display: Display) -> None:
        if display.seat not in self._identity.seats:
            self._unexpected()
            return
        number = (display.epoch, display.rev)
        shown = self._numbered.get(display.seat)
        if shown is None or number > shown:
            self._numbered[display.seat] = shown = number
            self.displays[display.seat] = display
            self._inbox.append(Received(display))
        self._send(Shown(*shown, display.seat))

    # -- the log --------------------------------------------------------------------

    def _take_ack(self, ack: Ack, now: float) -> None:
        position = Position(ack.boot, ack.n)
        if not self._may_name(position):
            self._unexpected()
            return
        before, self._acked = self._acked, position
        repeated, self._acked_here = self._acked_here, True
        if before is None or position > before:
            self._store.forget(position)
            self._sent = {p: sent for p, sent in self._sent.items() if p > position}
            self._resend.stop()
            self._fill(now)
            self._inbox.append(Received(ack))
        elif position < before or repeated:
            self._go_back(now)

    def _may_name(self, position: Position) -> bool:
        """Whether an ACK can name this position: it has been, or was before us (R7)."""
        if position.boot == self._store.boot:
            return position.n < self._store.next
        return position.boot < self._store.boot and not self._store.volatile

    def _go_back(self, now: float) -> None:
        """The referee waits for the event after its last (R4)."""
        for item in self._window():
            sent = self._sent.get(item.position)
            if sent is None or now >= sent + REPEATED_ACK_S:
                self._sent.clear()
                self._fill(now)
            else:
                self._resend.hasten(sent + REPEATED_ACK_S)
            break

    def _window(self) -> list[Entry | LostRange]:
        """What may be on its way at once: the first items after the last ACK."""
        store = self._store
        return outgoing(store.held(), store.entries(), self._acked)[:WINDOW]

    def _fill(self, now: float) -> None:
        """Send what of the window is not on its way."""
        window = self._window()
        if window and window[0].position not in self._sent:
            self._sent.clear()  # what comes after it would only make a gap
        for item in window:
            if item.position in self._sent:
                continue
            if not self._send(item.message(now)):
                break
            self._sent[item.position] = now
        if not window:
            self._resend.stop()
        elif self._resend.due is None:
            self._resend.start(now)

    def _repeat(self, now: float) -> None:
        if self._resend.is_due(now):
            self._resend.again(now)
            self._sent.clear()
            self._fill(now)

    def _repeats_due(self) -> list[float]:
        return [] if self._resend.due is None else [self._resend.due]
