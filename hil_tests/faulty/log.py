"""Faults in the log of events (E) and in its repeats (R)."""

import msgspec

from hil_tests.faulty.rules import Breaking, FaultyLink
from protocol.link import State
from protocol.messages import Ack, Event, Hello, Lost, Message, Pong, Welcome
from protocol.store import Entry, LostRange, Position
from terminal.simulator import SimulatedTerminal


class Spoken(FaultyLink):
    """Says its events in another way."""

    def _send(self, message: Message) -> bool:
        if isinstance(message, Event):
            message = self.spoken(message)
        return super()._send(message)

    def spoken(self, event: Event) -> Event:
        """What it sends in place of an event."""
        raise NotImplementedError


class NumbersWithGaps(Spoken):
    """Every other number is left out (E2)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, n=2 * event.n + 1)


class RevisionLeftOut(Spoken):
    """Events name no display (E7)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, play=0, rev=0)


class PlayAssumed(Spoken):
    """An event before any display names play 1 (E7)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, play=event.play or 1)


class AgeOfZero(Spoken):
    """The age of an event is always 0 (E5)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, age_ms=0)


class HeldEmpty(FaultyLink):
    """HELLO says that nothing is kept (E4)."""

    def _make_hello(self) -> Hello:
        hello = super()._make_hello()
        running = msgspec.structs.replace(hello.held[-1], first=hello.held[-1].next)
        return msgspec.structs.replace(hello, held=(*hello.held[:-1], running))


class HeldFromZero(FaultyLink):
    """HELLO names in held what was acknowledged, too (E4)."""

    def _make_hello(self) -> Hello:
        hello = super()._make_hello()
        running = msgspec.structs.replace(hello.held[-1], first=0)
        return msgspec.structs.replace(hello, held=(*hello.held[:-1], running))


class HeldCut(FaultyLink):
    """HELLO names the last four boots alone (E4)."""

    def _make_hello(self) -> Hello:
        hello = super()._make_hello()
        return msgspec.structs.replace(hello, held=hello.held[-4:])


class EventsLate(FaultyLink):
    """PONG overtakes the event before it (S4)."""

    def _log(self, event: Event, pressed: float, now: float) -> None:
        self._store.append(event, pressed)
        if self._resend.due is None:
            self._resend.start(now)


class ForgetsAtRestart(SimulatedTerminal):
    """A restart wipes the memory, which is said to be kept (E2, E3)."""

    def _switch_on(self) -> None:
        self._memory.unlink(missing_ok=True)
        super()._switch_on()


class DropsOldest(SimulatedTerminal):
    """When the store is full the oldest event makes room (E2)."""

    def _switch_on(self) -> None:
        super()._switch_on()
        append = self._store.append

        def append_by_force(event: Event, pressed: float) -> None:
            if len(self._store.entries()) >= self.settings.capacity:
                self.lose_oldest()
            append(event, pressed)

        self._store.append = append_by_force  # type: ignore[method-assign]  # the fault


# -- repeats ------------------------------------------------------------------------


class SteadyRepeats(FaultyLink):
    """Repeats come every second (R1)."""

    def _repeat(self, now: float) -> None:
        was_due = self._resend.is_due(now)
        super()._repeat(now)
        if was_due:
            self._resend.start(now)


class AckKeepsWait(FaultyLink):
    """An ACK does not start the wait anew (R1)."""

    def _take_ack(self, ack: Ack, now: float) -> None:
        due = self._resend.due
        super()._take_ack(ack, now)
        if self._resend.due is not None and due is not None:
            self._resend.due = due


class NewestFirst(FaultyLink):
    """What waits is sent newest first (R1)."""

    def _window(self) -> list[Entry | LostRange]:
        return super()._window()[::-1]


class NoWindow(FaultyLink):
    """Any number of events is in flight (R2)."""

    def _window(self) -> list[Entry | LostRange]:
        return list(self._store.entries())


class AckIgnored(FaultyLink):
    """An ACK changes nothing (R3)."""

    def _take_ack(self, ack: Ack, now: float) -> None:
        pass


class AckOfNothingForgetsAll(FaultyLink):
    """ACK with n = -1 forgets the events of its boot (R3)."""

    def _take_ack(self, ack: Ack, now: float) -> None:
        super()._take_ack(ack, now)
        if ack.n == -1:
            self._store.forget(Position(ack.boot, self._store.next))


class RepeatedAckIgnored(FaultyLink):
    """The same ACK again changes nothing (R4)."""

    def _go_back(self, now: float) -> None:
        pass


class EveryAckRepeats(FaultyLink):
    """Each of several equal ACKs brings a repeat (R4)."""

    def _go_back(self, now: float) -> None:
        self._sent.clear()
        self._fill(now)


class FirstAckRepeats(FaultyLink):
    """The first ACK of a link is taken for a repeated one (R5)."""

    def _take_welcome(self, welcome: Welcome, now: float) -> None:
        super()._take_welcome(welcome, now)
        self._acked_here = self._acked is not None


class NewLinkWaits(FaultyLink):
    """When the link comes up nothing is sent before the first repeat (R1, R5)."""

    def _take_welcome(self, welcome: Welcome, now: float) -> None:
        was_up = self.state is State.UP
        sent = len(self._outbox)
        super()._take_welcome(welcome, now)
        if not was_up:
            del self._outbox[sent:]


class NoLost(FaultyLink):
    """What is no longer there is passed over in silence (R6)."""

    def _window(self) -> list[Entry | LostRange]:
        return [item for item in super()._window() if isinstance(item, Entry)]


class LostOnce(FaultyLink):
    """LOST is not repeated (R6)."""

    was_said = False

    def _send(self, message: Message) -> bool:
        if isinstance(message, Lost):
            if self.was_said:
                return True
            self.was_said = True
        return super()._send(message)


class AnyAckTaken(FaultyLink):
    """An ACK of a number not given yet forgets everything (R7)."""

    def _may_name(self, position: Position) -> bool:
        del position
        return True


class NextLeftOut(FaultyLink):
    """PONG says next 0 (S4)."""

    def _send(self, message: Message) -> bool:
        if isinstance(message, Pong):
            message = Pong(message.token, message.boot, 0)
        return super()._send(message)


LOG_FAULTS: tuple[Breaking, ...] = (
    NumbersWithGaps,
    RevisionLeftOut,
    PlayAssumed,
    AgeOfZero,
    HeldEmpty,
    HeldFromZero,
    HeldCut,
    EventsLate,
    ForgetsAtRestart,
    DropsOldest,
    SteadyRepeats,
    AckKeepsWait,
    NewestFirst,
    NoWindow,
    AckIgnored,
    AckOfNothingForgetsAll,
    RepeatedAckIgnored,
    EveryAckRepeats,
    FirstAckRepeats,
    NewLinkWaits,
    NoLost,
    LostOnce,
    AnyAckTaken,
    NextLeftOut,
)
