"""What a check has at hand: the daemon's side of a link, hands at the terminal.

The assertions of a check are here and in ``watch``, not in ``assert`` statements: what
is named ``expect…``, and ``require``, raises a ``Deviation``, an ``AssertionError``
that says what was expected, what came, and the bytes of both sides. So does
whatever needs an answer to go on: ``ask``, ``link_up``, ``up``, ``poll``, ``show``,
``ready``, ``barrier`` and ``restarted``.
"""

import itertools
import secrets
from collections.abc import Callable
from typing import TypeVar

import msgspec

from hil_tests.carrier import Carrier
from hil_tests.hands import CannotCauseError, Hands
from hil_tests.watch import Watch
from laws.seats import Seat
from protocol.happenings import MOVES_CARD, EventKey, Kind
from protocol.limits import NONCE_BYTES, VERSION
from protocol.messages import (
    Ack,
    Ask,
    Asked,
    Display,
    Event,
    Hello,
    Message,
    Ping,
    Pong,
    Profile,
    Shown,
    Welcome,
)
from protocol.pairing import daemon_proof

ASKS = 3
"""ASKs that are sent, each after the wait of O2, before a terminal counts as mute."""

OPENING_WAIT = 2.5
"""Seconds for the answer to one ASK; HELLO is repeated every 2 s (O3)."""

RESTART_WAIT = 10.0
"""Seconds for a terminal that was restarted to say HELLO."""

FIRST_REV = 100
"""Revision of the first display that a check shows."""

TOLERANCE = 0.5
"""Seconds by which a time may be off, unless told."""

_M = TypeVar("_M", bound=Message)


class Bench(Watch):
    """One terminal under test, for one check after the other.

    Attributes:
        hands: who acts at the terminal.
        key: the pairing key, None on an open link.
        tolerance: seconds by which a time may be off.
        profile: what the terminal is expected to say of itself, None for anything.
        hello: what the terminal said last when the bench opened the link.
    """

    def __init__(
        self,
        carrier: Carrier,
        hands: Hands,
        key: bytes | None = None,
        *,
        tolerance: float = TOLERANCE,
        profile: Profile | None = None,
    ) -> None:
        super().__init__(carrier)
        self.hands = hands
        self.key = key
        self.tolerance = tolerance
        self.profile = profile
        self.hello: Hello
        self._nonce = b""
        self._is_up = False
        self._events: set[tuple[int, int]] = set()
        self._tokens = itertools.count(secrets.randbelow(1_000_000) + 1)
        self._revs = itertools.count(FIRST_REV)

    async def begin(self) -> None:
        """Begin a check: what was before is no matter."""
        self._is_up = False
        await super().begin()

    def forget(self) -> None:
        """What has come up to now is not waited for any more."""
        super().forget()
        self._events.clear()

    # -- opening --------------------------------------------------------------------

    async def ask(self, nonce: bytes | None = None) -> Hello:
        """Send ASK, as often as a daemon would, until HELLO answers it."""
        self._is_up = False
        self._nonce = secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce
        begin = self.mark()
        for _ in range(ASKS):
            self.wire.send(Ask(VERSION, self._nonce))
            if await self.wire.until(
                lambda: self._answer(begin) is not None, self.now() + OPENING_WAIT
            ):
                break
        hello = self._answer(begin)
        if hello is None:
            raise self.deviation("HELLO whose asked is the nonce of ASK")
        self.hello = hello
        return hello

    def _answer(self, begin: int) -> Hello | None:
        answers = (h for _, h in self.heard(Hello, begin) if h.asked == self._nonce)
        return next(answers, None)

    def welcome(self, body: bytes | None = None) -> None:
        """Send the WELCOME that takes the terminal, or a body that is one."""
        if body is None:
            self.wire.send(Welcome(VERSION, self.proof()))
        else:
            self.wire.send_body(body)
        self._is_up = True

    def proof(self) -> bytes:
        """The daemon's proof for this opening, empty on an open link."""
        if self.key is None:
            return b""
        hello = self.hello
        return daemon_proof(self.key, self._nonce, hello.nonce, hello.serial)

    async def link_up(self) -> Hello:
        """Open the link; the log stays as it is."""
        hello = await self.ask()
        self.welcome()
        await self.poll()
        return hello

    async def up(self) -> Hello:
        """Open the link anew, and take everything that the terminal has kept."""
        hello = await self.ask()
        self.welcome()
        self.take_all(hello)
        await self.poll()
        self.forget()
        return hello

    def take_all(self, hello: Hello) -> None:
        """Acknowledge all that a HELLO holds."""
        self.wire.send(Ack(hello.boot, hello.held[-1].next - 1))

    # -- while it is up -------------------------------------------------------------

    def token(self) -> int:
        """The token of a new poll."""
        return next(self._tokens)

    async def poll(self) -> Pong:
        """Ask for a sign of life; it comes after all that was sent before (S4)."""
        token = self.token()
        self.wire.send(Ping(token))
        return await self.expect(
            Pong,
            f"PONG with token {token}, since the link is up",
            lambda pong: pong.token == token,
        )

    async def expect_down(self, expected: str) -> None:
        """Deviation if the terminal takes the link for up: it answers a PING (O8)."""
        token, begin = self.token(), self.mark()
        self.wire.send(Ping(token))
        await self.ask(self._nonce)
        self.expect_none_since(Pong, expected, begin, lambda pong: pong.token == token)

    def display(self, seat: Seat, **fields: object) -> Display:
        """A display with the next revision, fitted to the terminal."""
        columns = self.hello.columns
        rev = next(self._revs)
        plain = Display(
            epoch=1,
            rev=rev,
            seat=seat,
            play=rev + 1000,
            board=3,
            at=0,
            ask=Asked.CALL,
            hand=None,
            pages=(("Conformance"[:columns],),),
        )
        return msgspec.structs.replace(plain, **fields)

    async def show(self, display: Display) -> Shown:
        """Send a display and wait for the SHOWN that answers it."""
        self.wire.send(display)
        return await self.expect_shown(display.seat)

    async def expect_shown(self, seat: Seat) -> Shown:
        """Wait for what a seat says that it shows; Deviation when it does not say."""
        return await self.expect(
            Shown, f"SHOWN for {seat.value}", lambda shown: shown.seat is seat
        )

    async def expect_display_shown(self, display: Display, why: str) -> None:
        """The next SHOWN of its seat must name this display, else Deviation (D3)."""
        shown = await self.expect_shown(display.seat)
        told, known = (shown.epoch, shown.rev), (display.epoch, display.rev)
        self.require(told == known, f"SHOWN with {known}: {why}", f"it says {told}")

    async def barrier(self) -> None:
        """Wait until the terminal has done everything that came before (S4, O3)."""
        if self._is_up:
            await self.poll()
        else:
            await self.ask(self._nonce)

    async def expect_nothing(
        self,
        kind: type[_M],
        expected: str,
        since: int,
        where: Callable[[_M], bool] = lambda _: True,
    ) -> None:
        """Deviation if such a message came since a mark, or comes before a barrier."""
        await self.barrier()
        self.expect_none_since(kind, expected, since, where)

    # -- the user -------------------------------------------------------------------

    @property
    def seat(self) -> Seat:
        """The seat at which a check acts when any will do."""
        return self.hello.seats[0]

    async def ready(self, **fields: object) -> Display:
        """Link up, nothing kept, a display shown: keys work."""
        await self.up()
        display = self.display(self.seat, **fields)
        await self.show(display)
        return display

    async def press(
        self,
        kind: str = Kind.CALL,
        *data: str | int | bool,
        seat: Seat | None = None,
        hand: Seat | None = None,
    ) -> None:
        """Let the hands enter something; a pass unless told otherwise."""
        at = seat or self.seat
        if kind in MOVES_CARD and hand is None:
            hand = at
        given = data if data or kind != Kind.CALL else ("P",)
        await self.hands.press(EventKey(kind, at, hand, given))

    async def press_many(self, count: int) -> None:
        """Let the hands pass so many times."""
        self.need_quick_hands(count)
        for _ in range(count):
            await self.press()

    async def expect_event(self, expected: str = "EVENT of the key") -> Event:
        """Wait for the next event; Deviation when only repeats of earlier ones come."""
        event = await self.expect(
            Event, expected, lambda event: (event.boot, event.n) not in self._events
        )
        self._events.add((event.boot, event.n))
        return event

    async def restarted(self) -> Hello:
        """Let the hands restart the terminal; the HELLO that it says by itself then."""
        begin = self.mark()
        self._is_up = False

        def fresh() -> list[Hello]:
            return [h for _, h in self.heard(Hello, begin) if not h.asked]

        await self.hands.restart()
        deadline = self.now() + RESTART_WAIT
        while not fresh() and self.now() < deadline:
            await self.reopen()
            await self.wire.until(
                lambda: bool(fresh()) or not self.wire.is_open, deadline
            )
        if not fresh():
            raise self.deviation("HELLO with asked empty after the restart")
        self.hello = fresh()[0]
        return self.hello

    # -- what a check needs ---------------------------------------------------------

    def need_quick_hands(self, count: int) -> None:
        """Skip the check where a person would have to press so many keys."""
        if not self.hands.are_quick:
            raise CannotCauseError(f"{count} keys must be pressed in a moment")

    def need_key(self) -> bytes:
        """Skip the check on an open link."""
        if self.key is None:
            raise CannotCauseError("the link is open: give its key with --key")
        return self.key

    def need_cards(self) -> None:
        """Skip the check at a terminal for calls alone."""
        if self.hello.profile is Profile.CALLS:
            raise CannotCauseError("this terminal enters calls alone")
