"""Faults in opening a link (O), in silence and polls (S) and in pairing (X)."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from hil_tests.faulty.rules import Breaking, FaultyLink
from laws.seats import Seat
from protocol.decoding import Rejected, Unknown, decode
from protocol.limits import NONCE_BYTES, OPENING_S, PROOF_BYTES
from protocol.link import State, Trigger
from protocol.messages import (
    Ask,
    Display,
    Hello,
    Message,
    Ping,
    Pong,
    Profile,
    Refused,
    Vitals,
    Welcome,
)
from terminal.simulator import SimulatedSettings, SimulatedTerminal, TerminalWatcher
from terminal.simulator.wire import FarEnd, TcpEnd


class HelloLate(FaultyLink):
    """ASK is answered with the next repeat of HELLO (O3)."""

    def _take_ask(self, ask: Ask, now: float) -> None:
        sent = len(self._outbox)
        super()._take_ask(ask, now)
        del self._outbox[sent:]


class NonceReused(FaultyLink):
    """The terminal's nonce is always the same (O3, X1)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(*args, **kwargs)
        self._fresh_nonce = lambda: bytes(range(NONCE_BYTES))


class NonceChanging(FaultyLink):
    """The terminal's nonce is another in every HELLO (O3)."""

    def _announce(self, now: float) -> None:
        self._nonce = self._fresh_nonce()
        super()._announce(now)


class HelloOnce(FaultyLink):
    """HELLO is not repeated (O3)."""

    def _announce(self, now: float) -> None:
        super()._announce(now)
        self._announce_due = None


class HelloWithoutEnd(FaultyLink):
    """HELLO is repeated also while the link is up (O3)."""

    def _come_up(self, hello: Hello, now: float) -> None:
        super()._come_up(hello, now)
        self._announce_due = now + OPENING_S


class AnyVersionWelcome(FaultyLink):
    """A WELCOME of any version brings the link up (O4)."""

    def _is_valid(self, welcome: Welcome) -> bool:
        return super()._is_valid(msgspec.structs.replace(welcome, version=1))


class WelcomeWhileUp(FaultyLink):
    """A WELCOME on a link that is up brings it up again (O4)."""

    def _take_welcome(self, welcome: Welcome, now: float) -> None:
        if self.state is State.UP:
            self._numbered.clear()
        super()._take_welcome(welcome, now)


class WelcomeUnasked(FaultyLink):
    """A WELCOME brings the link up before any ASK (O4)."""

    def _is_valid(self, welcome: Welcome) -> bool:
        return not self._daemon_nonce or super()._is_valid(welcome)


class AskedWhileUp(FaultyLink):
    """Asked on a link that is up the terminal takes it for up still (O5)."""

    def _take_ask(self, ask: Ask, now: float) -> None:
        was_up = self.state is State.UP
        super()._take_ask(ask, now)
        if was_up:
            self._fire(Trigger.ACCEPT)


class RefusedIgnored(FaultyLink):
    """REFUSED changes nothing (O7)."""

    def _take_refused(self, refused: Refused, now: float) -> None:
        pass


class RefusedImpatient(FaultyLink):
    """A refused terminal says HELLO every 2 s (O7)."""

    def _take_refused(self, refused: Refused, now: float) -> None:
        super()._take_refused(refused, now)
        self._announce_due = now + OPENING_S


class HeardBeforeUp(FaultyLink):
    """DISPLAY and PING are taken before the link is up (O8)."""

    def _handle(self, message: Message, now: float) -> None:
        if isinstance(message, Ping):
            self._send(Pong(message.token, self._store.boot, self._store.next))
        elif isinstance(message, Display):
            self._take_display(message)
        else:
            super()._handle(message, now)


class SeatTwice(FaultyLink):
    """HELLO names a seat twice (O3)."""

    def _make_hello(self) -> Hello:
        hello = super()._make_hello()
        seats: tuple[Seat, ...] = (hello.seats[0], *hello.seats[:3])
        return msgspec.structs.replace(hello, seats=seats)


class OtherProfile(FaultyLink):
    """HELLO says another profile than the terminal has (K4)."""

    def _make_hello(self) -> Hello:
        return msgspec.structs.replace(super()._make_hello(), profile=Profile.CALLS)


class SilentStart(FaultyLink):
    """A terminal that starts waits for ASK (O6)."""

    def _announce(self, now: float) -> None:
        if self._daemon_nonce:
            super()._announce(now)


class _OneConnection(TcpEnd):
    def connected(self, transport: asyncio.Transport) -> None:
        if self._transport is None:
            super().connected(transport)
        else:
            transport.abort()


class OldConnectionKept(SimulatedTerminal):
    """A second TCP connection is hung up, the first one is kept (F9)."""

    def __init__(
        self,
        settings: SimulatedSettings,
        directory: Path,
        watcher: TerminalWatcher,
        random: Random,
        _end: FarEnd | None,
    ) -> None:
        end = _OneConnection(settings.tcp or 0)
        super().__init__(settings, directory, watcher, random, end)


# -- silence ------------------------------------------------------------------------


class NoPing(FaultyLink):
    """No PING comes, whatever happens (S1)."""

    def _ping(self, now: float) -> None:
        self._pinged = now


class NoVitals(FaultyLink):
    """PING comes without vitals (S3)."""

    def _send(self, message: Message) -> bool:
        return super()._send(Ping(0) if isinstance(message, Ping) else message)


class VitalsOnSilenceAlone(FaultyLink):
    """PING comes after silence alone (S3)."""

    def _ping_due(self) -> float:
        return max(self._heard, self._pinged) + 2


class UptimeStopped(FaultyLink):
    """The uptime in the vitals does not grow (S3)."""

    def _ping(self, now: float) -> None:
        self.vitals = Vitals()
        super()._ping(now)


class NoiseHeard(FaultyLink):
    """Noise counts as a sign of life (S1)."""

    def receive_data(self, data: bytes, now: float) -> None:
        super().receive_data(data, now)
        self._heard = now


class RejectedHeard(FaultyLink):
    """A rejected message counts as a sign of life (S1)."""

    def _reject(self, rejected: Rejected, now: float) -> None:
        self._heard = now
        super()._reject(rejected, now)


class UnknownNotHeard(FaultyLink):
    """An unknown message is no sign of life (S1)."""

    def _receive_body(self, body: bytes, now: float) -> None:
        heard = self._heard
        super()._receive_body(body, now)
        if isinstance(decode(body), Unknown):
            self._heard = heard


class NeverDown(FaultyLink):
    """Silence never takes the link down (S2)."""

    def tick(self, now: float) -> None:
        silent_since, self._heard = self._heard, max(self._heard, now - 5)
        super().tick(now)
        self._heard = max(self._heard, silent_since)


class NoPong(FaultyLink):
    """PING is not answered (S4)."""

    def _send(self, message: Message) -> bool:
        return isinstance(message, Pong) or super()._send(message)


class PongWithoutBoot(FaultyLink):
    """PONG says boot 0 (S4)."""

    def _send(self, message: Message) -> bool:
        if isinstance(message, Pong):
            message = Pong(message.token, 0, message.next)
        return super()._send(message)


# -- pairing ------------------------------------------------------------------------


class NoProof(FaultyLink):
    """The proof in HELLO is empty (X2)."""

    def _make_hello(self) -> Hello:
        return msgspec.structs.replace(super()._make_hello(), proof=b"")


class ProofAlways(FaultyLink):
    """A proof stands in every HELLO (X2)."""

    def _make_hello(self) -> Hello:
        hello = super()._make_hello()
        return msgspec.structs.replace(hello, proof=hello.proof or bytes(PROOF_BYTES))


class AnyProofTaken(FaultyLink):
    """The proof in WELCOME is not looked at (X3)."""

    def _is_valid(self, welcome: Welcome) -> bool:
        return bool(self._daemon_nonce) and welcome.version == 1


OPENING_FAULTS: tuple[Breaking, ...] = (
    HelloLate,
    NonceReused,
    NonceChanging,
    HelloOnce,
    HelloWithoutEnd,
    AnyVersionWelcome,
    WelcomeWhileUp,
    WelcomeUnasked,
    AskedWhileUp,
    RefusedIgnored,
    RefusedImpatient,
    HeardBeforeUp,
    SeatTwice,
    OtherProfile,
    SilentStart,
    OldConnectionKept,
    NoPing,
    NoVitals,
    VitalsOnSilenceAlone,
    UptimeStopped,
    NoiseHeard,
    RejectedHeard,
    UnknownNotHeard,
    NeverDown,
    NoPong,
    PongWithoutBoot,
    NoProof,
    ProofAlways,
    AnyProofTaken,
)
