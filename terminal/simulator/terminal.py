"""A simulated terminal: keys, screens, memory and wire around ``TerminalLink``."""

import asyncio
import logging
import secrets
from pathlib import Path
from random import Random
from typing import Protocol

from laws.seats import Seat
from protocol.happenings import MOVES_CARD, EventKey, Kind, is_locked
from protocol.limits import LATE_S, NONCE_BYTES
from protocol.link import (
    BodyRejected,
    LinkDown,
    LinkRefused,
    LinkUp,
    Received,
    State,
)
from protocol.messages import Display, Event, Profile, Vitals
from protocol.store import Entry, StoreFullError
from protocol.terminal_link import Identity, TerminalLink
from terminal.simulator.screen import Screen
from terminal.simulator.settings import SimulatedSettings
from terminal.simulator.store import FileStore
from terminal.simulator.wire import FarEnd, PtyEnd, TcpEnd, Wire

logger = logging.getLogger(__name__)

FIRMWARE = "simulator 1"

UNSENT = ("saved, not yet sent", "saved, unsent", "unsent")
"""What the screen says before the number of events that wait, as far as it fits."""

FULL = "memory full"
"""What the screen says when keys do nothing because nothing more can be saved."""


class KeyRefusedError(Exception):
    """A key did nothing; the text says why."""


class KeyLockedError(KeyRefusedError):
    """The display that the seat sees locks the key."""


class NothingShownError(KeyRefusedError):
    """The seat has been shown nothing yet that its keys could answer."""


class NoSuchKeyError(KeyRefusedError):
    """A terminal of this profile has no such key."""


class MemoryFullError(KeyRefusedError):
    """Nothing more can be saved until the referee has acknowledged something."""


class TerminalWatcher(Protocol):
    """Who watches a terminal; called on the event loop."""

    def screen_changed(self, terminal: "SimulatedTerminal", seat: Seat) -> None:
        """A seat's screen shows something else."""

    def display_came(self, terminal: "SimulatedTerminal", display: Display) -> None:
        """A new display came over the wire, and is shown."""

    def acknowledged(self, terminal: "SimulatedTerminal") -> None:
        """The referee has acknowledged events: the memory has room again."""

    def link_changed(self, terminal: "SimulatedTerminal", text: str) -> None:
        """The link is up, or is no longer; ``text`` says why it was refused."""


class SimulatedTerminal:
    """One terminal, for the whole life of its casing: it restarts within.

    Attributes:
        settings: what it is.
        screens: what each of its seats sees.
    """

    def __init__(  # noqa: PLR0913 - the last ones are for terminals of tests
        self,
        settings: SimulatedSettings,
        directory: Path,
        watcher: TerminalWatcher,
        random: Random | None = None,
        end: FarEnd | None = None,
        *,
        link_type: type[TerminalLink] = TerminalLink,
    ) -> None:
        """Build it; ``start`` switches it on.

        Args:
            settings: what it is.
            directory: where its memory and the link to its pty are kept.
            watcher: is told what it does.
            random: chooses the bytes that faults spoil.
            end: where the daemon reaches it, when that is no pty and no TCP port.
            link_type: its end of the link; another one for a terminal that breaks
                rules.
        """
        self.settings = settings
        self._link_type = link_type
        self._watcher = watcher
        self._memory = directory / f"{settings.id}.memory"
        if end is None:
            end = PtyEnd(directory / settings.id)
            if settings.tcp is not None:
                end = TcpEnd(settings.tcp)
        self.wire = Wire(end, self, random or Random(settings.id))  # noqa: S311 - faults, not secrets
        self.screens = {
            seat: Screen(settings.columns, settings.rows, settings.encoding)
            for seat in settings.seats
        }
        self._reset_reason = "power"
        self._carrier = False
        self._told = ""
        self._refusal = ""
        self._timer: asyncio.TimerHandle | None = None
        self._turning: dict[Seat, asyncio.TimerHandle] = {}
        self._replugging: asyncio.Task[None] | None = None

    @property
    def state(self) -> State:
        """The state of its link."""
        return self.link.state

    @property
    def unacknowledged(self) -> int:
        """Events in its memory that the referee has not acknowledged."""
        return self.link.unacknowledged

    @property
    def port(self) -> str:
        """Where the daemon finds it."""
        return self.wire.port

    @property
    def notice(self) -> str:
        """Its own message on the screen, empty when all is well."""
        if self.link.state is State.REFUSED:
            return f"refused: {self._refusal}"
        waiting = self._store.entries()
        if len(waiting) >= self.settings.capacity:
            return FULL
        if not waiting or not self._is_late(waiting[0]):
            return ""
        texts = (f"{text} ({len(waiting)})" for text in UNSENT)
        fitting = (text for text in texts if len(text) <= self.settings.columns)
        return next(fitting, f"{len(waiting)}!")

    def _is_late(self, entry: Entry) -> bool:
        """Whether a user ought to know that an event has not got through."""
        if self.link.state is not State.UP or entry.pressed is None:
            return True
        return self._loop.time() - entry.pressed >= LATE_S

    async def start(self) -> None:
        """Switch it on.

        Raises:
            OSError: its memory or its port cannot be made.
        """
        self._loop = asyncio.get_running_loop()
        self._switch_on()
        try:
            await self.wire.open()
        except OSError:
            self._switch_off()
            raise

    async def close(self) -> None:
        """Switch it off for good."""
        if self._replugging is not None:
            self._replugging.cancel()
            await asyncio.wait({self._replugging})
        await self.wire.close()
        self._switch_off()

    def press(self, key: EventKey) -> Event:
        """Press a key.

        Returns:
            The event that was saved.

        Raises:
            NoSuchKeyError: it moves a card, and only calls are entered here (K4).
            KeyLockedError: the display locks it.
            NothingShownError: there is no display yet, and it calls no Director.
            MemoryFullError: nothing more can be saved now.
        """
        if self.settings.entered is Profile.CALLS and key.kind in MOVES_CARD:
            raise NoSuchKeyError("no such key")
        display = self.screens[key.seat].shown
        if display is None:
            if key.kind != Kind.DIRECTOR:
                raise NothingShownError("no display yet")
        elif is_locked(display, key):
            raise KeyLockedError("locked")
        try:
            event = self.link.press(key, self._loop.time())
        except StoreFullError:
            self._refresh()
            raise MemoryFullError(FULL) from None
        self._flush()
        return event

    def restart(self, reason: str = "watchdog") -> None:
        """Lose everything but the memory, and start again."""
        self._reset_reason = reason
        self._switch_off()
        for screen in self.screens.values():
            screen.blank()
        self._switch_on()
        if self._carrier:
            self.link.opened(self._loop.time())
        self._watcher.link_changed(self, "")
        for seat in self.screens:
            self._watcher.screen_changed(self, seat)
        self._flush()

    def unplug(self, seconds: float) -> None:
        """Come off the port; be plugged in again, elsewhere, after so long."""
        self.wire.hang_up()
        if self._replugging is None or self._replugging.done():
            self._replugging = asyncio.create_task(
                self._plug_in(seconds), name=f"replug {self.settings.id}"
            )

    def lose_oldest(self) -> None:
        """Lose the oldest event that is not acknowledged, as a worn memory may."""
        self._store.lose()

    def turn_page(self, seat: Seat) -> None:
        """Turn to a seat's next page, as its key or its clock does."""
        screen = self.screens[seat]
        if screen.turn():
            self._watcher.screen_changed(self, seat)
        self._turn_later(seat)

    # -- the wire calls these -------------------------------------------------------

    def wire_opened(self) -> None:
        """There is a carrier."""
        self._carrier = True
        self.link.opened(self._loop.time())
        self._flush()

    def wire_received(self, data: bytes) -> None:
        """Bytes came from the daemon."""
        logger.debug("%s < %s", self.settings.id, data.hex(" "))
        self.link.receive_data(data, self._loop.time())
        self._flush()

    def wire_closed(self) -> None:
        """The carrier is gone."""
        self._carrier = False
        if self.link.state is not State.CLOSED:
            self.link.closed()
        self._flush()

    # -- inside ---------------------------------------------------------------------

    def _switch_on(self) -> None:
        settings = self.settings
        self._store = FileStore(self._memory, settings.capacity)
        self._started = self._loop.time()
        self.link = self._link_type(
            Identity(
                serial=settings.serial,
                seats=settings.seats,
                firmware=FIRMWARE,
                columns=settings.columns,
                rows=settings.rows,
                encoding=settings.encoding,
                profile=settings.entered,
            ),
            self._store,
            lambda: secrets.token_bytes(NONCE_BYTES),
            bytes.fromhex(settings.key) if settings.key else None,
        )

    def _switch_off(self) -> None:
        self._store.close()
        timers = [self._timer, *self._turning.values()]
        for timer in timers:
            if timer is not None:
                timer.cancel()
        self._timer = None
        self._turning.clear()

    async def _plug_in(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.wire.open()

    def _tick(self) -> None:
        self.link.vitals = Vitals(
            battery=self.settings.battery,
            uptime_s=int(self._loop.time() - self._started),
            reset=self._reset_reason,
        )
        self.link.tick(self._loop.time())
        self._flush()

    def _flush(self) -> None:
        """Act on what the link brought, send what it has, set the timer."""
        for occurrence in self.link.events_received():
            match occurrence:
                case LinkUp() | LinkDown():
                    self._watcher.link_changed(self, "")
                case LinkRefused(reason=reason, text=text):
                    self._refusal = reason.value
                    self._watcher.link_changed(self, text)
                case BodyRejected(reason=rejected):
                    logger.warning("%s: rejected: %s", self.settings.id, rejected)
                case Received(message=Display() as display):
                    self._show(display)
                case Received():
                    self._watcher.acknowledged(self)
        data = self.link.data_to_send()
        if data:
            logger.debug("%s > %s", self.settings.id, data.hex(" "))
            self.wire.write(data)
        if self._timer is not None:
            self._timer.cancel()
        due = self.link.deadline()
        self._timer = None if due is None else self._loop.call_at(due, self._tick)
        self._refresh()

    def _show(self, display: Display) -> None:
        self.screens[display.seat].show(display)
        self._watcher.screen_changed(self, display.seat)
        self._watcher.display_came(self, display)
        self._turn_later(display.seat)

    def _turn_later(self, seat: Seat) -> None:
        waiting = self._turning.pop(seat, None)
        if waiting is not None:
            waiting.cancel()
        if self.screens[seat].pages > 1 and self.settings.page_seconds:
            self._turning[seat] = self._loop.call_later(
                self.settings.page_seconds, self.turn_page, seat
            )

    def _refresh(self) -> None:
        """Show the terminal's own message, when it is another one than before."""
        told = self.notice
        if told != self._told:
            self._told = told
            for seat in self.screens:
                self._watcher.screen_changed(self, seat)
