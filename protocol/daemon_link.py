"""The daemon's end of a link: asks, admits, polls, repeats displays.

Clauses O, S, D of ``protocol/README.md``. It acknowledges no event by itself, since
the ACK is the referee's: events go up as they come, duplicates and gaps included.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from laws.seats import Seat
from protocol.decoding import Malformed, Rejected, RejectedHello
from protocol.limits import (
    ASTRAY_MAX,
    OPENING_S,
    POLLS_MAX,
    TEXT_MAX,
    VERSION,
    WELCOME_AGAIN_S,
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
    Event,
    Hello,
    Lost,
    Message,
    Ping,
    Pong,
    RefusalReason,
    Refused,
    Shown,
    Welcome,
    encode,
)
from protocol.pairing import daemon_proof, terminal_proof, verify


def admit_all(_hello: Hello) -> Refused | None:
    """Admit any terminal: for a bench, or where nothing is bound."""
    return None


@dataclass(slots=True)
class _Kept:
    """A seat's display and what the terminal has said that it shows."""

    display: Display
    repeat: Repeat = field(default_factory=Repeat)
    shown: Shown | None = None
    """What it said on this link, once that is this display or a later one."""


class DaemonLink(Link):
    """The daemon's end of the link to one terminal.

    Args:
        nonce: gives 16 fresh random bytes at each request.
        admit: says why a terminal is refused, or None; asked for every HELLO whose
            version and proof are right.
        key: the terminal's key where links are paired, None where they are open.
    """

    def __init__(
        self,
        nonce: Callable[[], bytes],
        admit: Callable[[Hello], Refused | None] = admit_all,
        key: bytes | None = None,
    ) -> None:
        super().__init__(nonce, key)
        self.hello: Hello | None = None
        """The last HELLO that was welcomed."""
        self._admit = admit
        self._nonce = b""
        self._welcomed = 0.0
        self._refused: Refused | None = None
        self._astray = 0
        self._has_strayed = False
        self._displays: dict[Seat, _Kept] = {}
        self._polls: dict[int, Repeat] = {}

    def send(self, message: Message, now: float) -> bool:
        """Send an Ack, a Display, or a Ping whose token makes it a poll.

        A display is kept, also while the link is not up, and repeated until the
        terminal shows it; a lower (epoch, rev) than the seat's last is not sent, nor
        one that comes before the first HELLO, since it was made for no terminal. The
        same one again is answered by what the terminal has said of it. A poll is
        repeated until its PONG, and ends with the link.

        Raises:
            InvalidMessageError: a field breaks a limit of the wire, or all of them
                together are too long for it.
            LinkMisuseError: it is none of the three.
        """
        match message:
            case Ack():
                return self.state is State.UP and self._send(message)
            case Display():
                return self._take_display(message, now)
            case Ping(token=token) if token > 0:
                return self._take_poll(token, now)
            case _:
                raise LinkMisuseError(
                    "a daemon sends Ack, Display and Ping with a token, "
                    f"not {type(message).__name__}"
                )

    def refuse(self, refused: Refused) -> None:
        """Refuse the terminal from now on, until it says HELLO and is admitted.

        Raises:
            LinkMisuseError: there is no carrier.
        """
        self._refuse(refused, self.hello)

    # -- opening --------------------------------------------------------------------

    def _begin_opening(self, now: float) -> None:
        self._nonce = self._fresh_nonce()
        self._astray = 0
        self._polls.clear()
        super()._begin_opening(now)

    def _announce(self, now: float) -> None:
        self._has_strayed = False
        self._send(Ask(VERSION, self._nonce))
        self._announce_due = now + OPENING_S

    def _greet(self, hello: Hello, now: float) -> None:
        if hello.version != VERSION:
            self._refuse(_OTHER_VERSION, hello)
        elif hello.asked != self._nonce:
            self._ask_again(hello, now)
        elif (refused := self._verdict(hello)) is not None:
            self._refuse(refused, hello)
        elif self._is_repeated(hello):
            if now >= self._welcomed + WELCOME_AGAIN_S:
                self._welcome(hello, now)
        else:
            self._leave_up(DownReason.REOPENED)
            if self.hello is not None and not _fits_alike(self.hello, hello):
                self._displays.clear()
            self.hello = hello
            self._polls.clear()
            self._welcome(hello, now)
            self._come_up(hello, now)
            for kept in self._displays.values():
                self._show(kept, now)

    def _ask_again(self, hello: Hello, now: float) -> None:
        """A HELLO that does not answer our last ASK opens nothing (O4)."""
        if self.state is not State.OPENING:  # else ASK is repeated anyway
            self._leave_up(DownReason.REOPENED)
            self._fire(Trigger.ASK)
            self._begin_opening(now)
        elif self._key is not None and hello.asked and not self._has_strayed:
            self._has_strayed = True
            self._astray += 1
            if self._astray >= ASTRAY_MAX:
                self._refuse(_REPLAYED, hello)

    def _reject(self, rejected: Rejected, now: float) -> None:
        match rejected:
            case RejectedHello(reason=reason, version=version):
                self.counters.rejected += 1
                if version in {None, VERSION}:
                    malformed = Refused(RefusalReason.MALFORMED, reason[:TEXT_MAX])
                    self._refuse(malformed, None)
                else:
                    self._refuse(_OTHER_VERSION, None)
            case Malformed() if self.state is State.UP:
                self.counters.rejected += 1
                self._heard = now
                if self._has_room():
                    self._inbox.append(Received(rejected))
            case _:
                super()._reject(rejected, now)

    def _verdict(self, hello: Hello) -> Refused | None:
        if self._key is not None:
            expected = terminal_proof(self._key, self._nonce, hello.nonce, hello.serial)
            if not hello.proof:
                return Refused(RefusalReason.PROOF, "it proves no key")
            if not hello.nonce or not verify(expected, hello.proof):
                return Refused(RefusalReason.PROOF, "the key is another")
        return self._admit(hello)

    def _is_repeated(self, hello: Hello) -> bool:
        """The terminal has not had our WELCOME and says the same HELLO again."""
        last = self.hello
        return (
            self.state is State.UP
            and last is not None
            and (hello.serial, hello.boot, hello.nonce)
            == (last.serial, last.boot, last.nonce)
        )

    def _welcome(self, hello: Hello, now: float) -> None:
        self._welcomed = now
        proof = b""
        if self._key is not None:
            proof = daemon_proof(self._key, self._nonce, hello.nonce, hello.serial)
        self._send(Welcome(VERSION, proof))

    def _refuse(self, refused: Refused, hello: Hello | None) -> None:
        again = self.state is State.REFUSED and refused == self._refused
        self._refused = refused
        self._leave_up(DownReason.REFUSED)
        self._fire(Trigger.REFUSE)
        self._announce_due = None
        self._send(refused)
        if not again:
            self._inbox.append(LinkRefused(refused.reason, refused.text, hello))

    # -- while up -------------------------------------------------------------------

    def _handle(self, message: Message, now: float) -> None:
        match message:
            case Hello():
                self._greet(message, now)
            case _ if self.state is not State.UP:
                self._unexpected()
            case Event() | Lost():
                self._inbox.append(Received(message))
            case Shown():
                self._take_shown(message)
            case Ping():
                self._send(Pong(message.token, 0, 0))
                if message.vitals is not None:
                    self._inbox.append(Received(message))
            case Pong():
                if self._polls.pop(message.token, None) is not None:
                    self._inbox.append(Received(message))
            case _:
                self._unexpected()

    def _ping(self, now: float) -> None:
        self._pinged = now
        self._send(Ping(0))

    def _take_display(self, display: Display, now: float) -> bool:
        kept = self._displays.get(display.seat)
        if self.hello is None:
            return False
        if kept is not None and _order(display) < _order(kept.display):
            return False
        if kept is not None and kept.display == display:
            if self.state is State.UP and kept.shown is not None:
                # Whoever asks has forgotten what it was told.
                self._inbox.append(Received(kept.shown))
            return True
        encode(display)  # before it is kept: it is repeated until it is shown
        kept = self._displays[display.seat] = _Kept(display)
        if self.state is State.UP:
            self._show(kept, now)
        return True

    def _show(self, kept: _Kept, now: float) -> None:
        kept.shown = None
        if self.hello is not None and kept.display.seat in self.hello.seats:
            kept.repeat.start(now)
            self._send(kept.display)

    def _take_shown(self, message: Shown) -> None:
        kept = self._displays.get(message.seat)
        if kept is not None and _order(message) >= _order(kept.display):
            kept.repeat.stop()
            kept.shown = message
        self._inbox.append(Received(message))

    def _take_poll(self, token: int, now: float) -> bool:
        if self.state is not State.UP:
            return False
        while len(self._polls) >= POLLS_MAX and token not in self._polls:
            del self._polls[next(iter(self._polls))]
        repeat = self._polls[token] = Repeat()
        repeat.start(now)
        return self._send(Ping(token))

    def _repeat(self, now: float) -> None:
        for kept in self._displays.values():
            if kept.repeat.is_due(now):
                kept.repeat.again(now)
                self.counters.repeated += 1
                self._send(kept.display)
        for token, repeat in self._polls.items():
            if repeat.is_due(now):
                repeat.again(now)
                self.counters.repeated += 1
                self._send(Ping(token))

    def _repeats_due(self) -> list[float]:
        repeats = [*(kept.repeat for kept in self._displays.values())]
        repeats += self._polls.values()
        return [repeat.due for repeat in repeats if repeat.due is not None]


_REPLAYED = Refused(
    RefusalReason.PROOF, "it goes on answering an earlier opening, as a replay does"
)

_OTHER_VERSION = Refused(RefusalReason.VERSION, f"this daemon speaks {VERSION}")


def _fits_alike(before: Hello, after: Hello) -> bool:
    """Whether what was fitted to one terminal's displays fits another's."""
    return (before.serial, before.columns, before.rows, before.encoding) == (
        *(after.serial, after.columns, after.rows, after.encoding),
    )


def _order(shown: Display | Shown) -> tuple[int, int]:
    return (shown.epoch, shown.rev)
