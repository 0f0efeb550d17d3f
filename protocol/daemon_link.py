"""The daemon's end of a link: asks, admits, polls, repeats displays.

Clauses O, S, D of ``protocol/README.md``. It acknowledges no event by itself, since
the ACK is the referee's: events go up as they come, duplicates and gaps included.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from laws.seats import Seat
from protocol.limits import OPENING_S, POLLS_MAX, VERSION
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
class _Shown:
    """A seat's display and whether the terminal has said that it shows it."""

    display: Display
    repeat: Repeat = field(default_factory=Repeat)


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
        self._displays: dict[Seat, _Shown] = {}
        self._polls: dict[int, Repeat] = {}

    def send(self, message: Message, now: float) -> bool:
        """Send an Ack, a Display, or a Ping whose token makes it a poll.

        A display is kept, also while the link is not up, and repeated until the
        terminal shows it; a lower (epoch, rev) than the seat's last is not sent. A
        poll is repeated until its PONG, and ends with the link.

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
        self._polls.clear()
        super()._begin_opening(now)

    def _announce(self, now: float) -> None:
        self._send(Ask(VERSION, self._nonce))
        self._announce_due = now + OPENING_S

    def _greet(self, hello: Hello, now: float) -> None:
        if self._key is not None and hello.asked != self._nonce:
            self._ask_again(now)
            return
        refused = self._verdict(hello)
        if refused is not None:
            self._refuse(refused, hello)
        elif self._is_repeated(hello):
            self._welcome(hello)
        else:
            self._leave_up(DownReason.REOPENED)
            self.hello = hello
            self._polls.clear()
            self._welcome(hello)
            self._come_up(hello, now)
            for shown in self._displays.values():
                self._show(shown, now)

    def _ask_again(self, now: float) -> None:
        """A terminal has not seen our last ASK: its proof says nothing (X5)."""
        if self.state is not State.OPENING:  # else ASK is repeated anyway
            self._leave_up(DownReason.REOPENED)
            self._fire(Trigger.ASK)
            self._begin_opening(now)

    def _verdict(self, hello: Hello) -> Refused | None:
        if hello.version != VERSION:
            return Refused(RefusalReason.VERSION, f"this daemon speaks {VERSION}")
        if self._key is not None:
            expected = terminal_proof(self._key, self._nonce, hello.nonce, hello.serial)
            if not hello.nonce or not verify(expected, hello.proof):
                return Refused(RefusalReason.PROOF, "the key is another")
        return self._admit(hello)

    def _is_repeated(self, hello: Hello) -> bool:
        """The terminal has not had our WELCOME and says the same HELLO again."""
        last = self.hello
        return (
            self.state is State.UP
            and last is not None
            and hello.nonce != b""
            and (hello.boot, hello.nonce) == (last.boot, last.nonce)
        )

    def _welcome(self, hello: Hello) -> None:
        proof = b""
        if self._key is not None:
            proof = daemon_proof(self._key, self._nonce, hello.nonce, hello.serial)
        self._send(Welcome(VERSION, proof))

    def _refuse(self, refused: Refused, hello: Hello | None) -> None:
        again = self.state is State.REFUSED
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
        if kept is not None and _order(display) < _order(kept.display):
            return False
        encode(display)  # before it is kept: it is repeated until it is shown
        shown = self._displays[display.seat] = _Shown(display)
        if self.state is State.UP:
            self._show(shown, now)
        return True

    def _show(self, shown: _Shown, now: float) -> None:
        if self.hello is not None and shown.display.seat in self.hello.seats:
            shown.repeat.start(now)
            self._send(shown.display)

    def _take_shown(self, message: Shown) -> None:
        kept = self._displays.get(message.seat)
        if kept is not None and _order(message) >= _order(kept.display):
            kept.repeat.stop()
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
        for shown in self._displays.values():
            if shown.repeat.is_due(now):
                shown.repeat.again(now)
                self._send(shown.display)
        for token, repeat in self._polls.items():
            if repeat.is_due(now):
                repeat.again(now)
                self._send(Ping(token))

    def _repeats_due(self) -> list[float]:
        repeats = [*(shown.repeat for shown in self._displays.values())]
        repeats += self._polls.values()
        return [repeat.due for repeat in repeats if repeat.due is not None]


def _order(shown: Display | Shown) -> tuple[int, int]:
    return (shown.epoch, shown.rev)
