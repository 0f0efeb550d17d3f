"""Faults in keys, locks and kinds of event (D, E, K)."""

import msgspec

from hil_tests.faulty.log import Spoken
from hil_tests.faulty.rules import Breaking
from laws.seats import Seat
from protocol.happenings import EventKey, Kind
from protocol.limits import TEXT_MAX
from protocol.link import State
from protocol.messages import Asked, Display, Event, Profile
from terminal.simulator import (
    KeyLockedError,
    KeyRefusedError,
    SimulatedTerminal,
)


class _Keys(SimulatedTerminal):
    """Has keys that work in another way."""

    def shown(self, seat: Seat) -> Display | None:
        """What a seat shows."""
        return self.screens[seat].shown

    def locked(self, seat: Seat, locks: tuple[str, ...]) -> None:
        """Show the same with other locks, without saying so."""
        screen = self.screens[seat]
        if screen.shown is not None:
            screen.shown = msgspec.structs.replace(screen.shown, locks=locks)


class LocksIgnored(_Keys):
    """Every key works, whatever the display locks (D9)."""

    def press(self, key: EventKey) -> Event:
        self.locked(key.seat, ())
        return super().press(key)


class LocksStay(_Keys):
    """What was locked once stays locked (D9)."""

    kept: tuple[str, ...] = ()

    def _show(self, display: Display) -> None:
        super()._show(display)
        self.kept += display.locks
        self.locked(display.seat, self.kept)


class LocksTooMuch(_Keys):
    """The lock of a call or a card locks all keys that name it (K3)."""

    def press(self, key: EventKey) -> Event:
        shown = self.shown(key.seat)
        if shown is not None and not shown.choices:
            if any(str(datum) in shown.locks for datum in key.data):
                raise KeyLockedError("locked")
            if key.kind == Kind.CARD and any(lock[0] == "S" for lock in shown.locks):
                raise KeyLockedError("locked")
        return super().press(key)


class AlertLockIgnored(_Keys):
    """The alert key works, whatever the display locks (K3)."""

    def press(self, key: EventKey) -> Event:
        shown = self.shown(key.seat)
        if shown is not None:
            kept = tuple(lock for lock in shown.locks if lock != "alert")
            self.locked(key.seat, kept)
        return super().press(key)


class ChoicesLocked(_Keys):
    """Locks hold for choices, too (D8)."""

    def press(self, key: EventKey) -> Event:
        shown = self.shown(key.seat)
        if shown is not None and key.kind in shown.locks:
            raise KeyLockedError("locked")
        return super().press(key)


class KeysOnTurnAlone(_Keys):
    """Keys work when the display asks for something (E1)."""

    def press(self, key: EventKey) -> Event:
        shown = self.shown(key.seat)
        if shown is not None and shown.ask is Asked.NONE:
            raise KeyRefusedError("not your turn")
        return super().press(key)


class KeysWhileUpAlone(_Keys):
    """Keys work while the link is up (E2)."""

    def press(self, key: EventKey) -> Event:
        if self.state is not State.UP:
            raise KeyRefusedError("no connection")
        return super().press(key)


class EqualKeysAreOne(_Keys):
    """A key that is equal to the one before is ignored (A8)."""

    last: EventKey | None = None

    def press(self, key: EventKey) -> Event:
        if key == self.last:
            raise KeyRefusedError("pressed already")
        self.last = key
        return super().press(key)


class DirectorNeedsDisplay(_Keys):
    """Before the first display no key works (E7)."""

    def press(self, key: EventKey) -> Event:
        if self.shown(key.seat) is None:
            raise KeyRefusedError("no display yet")
        return super().press(key)


class CardsAtCalls(_Keys):
    """A terminal for calls sends cards (K4)."""

    def press(self, key: EventKey) -> Event:
        profile = Profile.CALLS_AND_CARDS
        before, self.settings = (
            self.settings,
            msgspec.structs.replace(self.settings, profile=profile),
        )
        try:
            return super().press(key)
        finally:
            self.settings = before


class KindLeftOut(Spoken):
    """Every event is of kind ``key`` (K1)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, kind="key")


class DataLeftOut(Spoken):
    """Events come without their data (K1)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, data=())


class HandOfTheSeat(Spoken):
    """A card comes from the hand of whoever plays it (K1, D8)."""

    def spoken(self, event: Event) -> Event:
        hand = event.seat if event.hand is not None else None
        return msgspec.structs.replace(event, hand=hand)


class OneSeat(Spoken):
    """Every event names the first seat (K4)."""

    def spoken(self, event: Event) -> Event:
        return msgspec.structs.replace(event, seat=self._identity.seats[0])


class TextsCut(Spoken):
    """A text has 60 characters at most (E6)."""

    def spoken(self, event: Event) -> Event:
        data = tuple(
            d[: TEXT_MAX // 2] if isinstance(d, str) else d for d in event.data
        )
        return msgspec.structs.replace(event, data=data)


class UnsentNotTold(_Keys):
    """Its user never reads what waits to be sent (E8)."""

    @property
    def notice(self) -> str:
        return ""


class UnsentToldForEver(_Keys):
    """What was told of events that wait is told for ever (E8)."""

    kept = ""

    @property
    def notice(self) -> str:
        self.kept = self.kept or super().notice
        return self.kept


KEY_FAULTS: tuple[Breaking, ...] = (
    LocksIgnored,
    LocksStay,
    LocksTooMuch,
    AlertLockIgnored,
    ChoicesLocked,
    KeysOnTurnAlone,
    KeysWhileUpAlone,
    EqualKeysAreOne,
    DirectorNeedsDisplay,
    CardsAtCalls,
    KindLeftOut,
    DataLeftOut,
    HandOfTheSeat,
    OneSeat,
    TextsCut,
    UnsentNotTold,
    UnsentToldForEver,
)
