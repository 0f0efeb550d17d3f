"""Keeps one terminal's port open: opens it, sees it hang up, opens it again."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Protocol, cast

from broker.backoff import Backoff
from terminal.ports import PortError, PortRefusedError, open_port
from terminal.settings import TerminalSettings

logger = logging.getLogger(__name__)

STEADY_SECONDS = 5.0
"""A port that stayed open this long was sound: the backoff starts over."""

WRITE_HIGH_WATER = 4096
"""Bytes waiting to go out at which a line asks for a pause: at 115,200 bits per second
a third of a second, so that a newer display need not queue behind much."""

FIRST_DELAY = 0.2
LONGEST_DELAY = 5.0
"""Ceilings, in seconds, of the first and of any delay between attempts to open."""


Opener = Callable[[TerminalSettings, asyncio.Protocol], Awaitable[asyncio.Transport]]
"""Opens a port and ties it to a protocol; raises PortError when it cannot."""


class LineState(StrEnum):
    """Where a line is in its life."""

    CLOSED = "closed"
    OPENING = "opening"
    OPEN = "open"
    BACKING_OFF = "backing off"


class LineUser(Protocol):
    """Who uses a line; called on the event loop."""

    def line_opened(self) -> None:
        """The port is open and carries bytes."""

    def line_received(self, data: bytes) -> None:
        """Bytes came in."""

    def line_lost(self, reason: str) -> None:
        """The port is gone, or cannot be opened; the next attempt follows."""

    def line_refused(self, reason: str) -> None:
        """Whoever is at the port is not who belongs there: it is not open."""

    def line_has_room(self) -> None:
        """The port takes bytes again after ``Line.has_room`` was false."""


class Line:
    """One port over any number of openings."""

    def __init__(
        self,
        settings: TerminalSettings,
        user: LineUser,
        *,
        opener: Opener = open_port,
        backoff: Backoff | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Prepare a line; ``run`` opens it.

        Args:
            settings: which port, and how it is opened.
            user: is told what happens.
            opener: opens the port as a transport, whatever carries its bytes.
            backoff: delays between attempts to open.
            sleep: waits so many seconds.
        """
        self._settings = settings
        self._user = user
        self._open = opener
        self._backoff = backoff or Backoff(first=FIRST_DELAY, longest=LONGEST_DELAY)
        self._sleep = sleep
        self._state = LineState.CLOSED
        self._transport: asyncio.Transport | None = None
        self._has_room = True
        self._let_go = ""
        self._told = ""
        self._opened_at = math.inf

    @property
    def settings(self) -> TerminalSettings:
        """Which port it is, and how it is opened."""
        return self._settings

    @property
    def state(self) -> LineState:
        """Where the line is in its life."""
        return self._state

    @property
    def has_room(self) -> bool:
        """Whether the port is open and not behind with writing."""
        return self._transport is not None and self._has_room

    def write(self, data: bytes) -> None:
        """Send bytes; without an open port they are dropped."""
        if self._transport is not None:
            self._transport.write(data)

    def let_go(self, reason: str) -> None:
        """Close the port now, since whoever is there is refused.

        ``run`` opens it again after a while: where its name leads to by then.
        """
        if self._transport is not None and not self._transport.is_closing():
            self._let_go = reason
            self._transport.abort()

    async def run(self) -> None:
        """Keep the port open until cancelled; then it is closed."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._enter(LineState.OPENING)
                self._opened_at = math.inf
                reason, is_refused = await self._hold_open()
                # Measured from its opening: a slow failure to open is no success.
                if loop.time() - self._opened_at >= STEADY_SECONDS:
                    self._backoff.reset()
                delay = self._backoff.next_delay()
                if not self._let_go:  # else its user has told, and told us
                    self._tell(reason, delay)
                self._enter(LineState.BACKING_OFF)
                if is_refused:
                    self._user.line_refused(reason)
                else:
                    self._user.line_lost(reason)
                await self._sleep(delay)
        finally:
            self._enter(LineState.CLOSED)

    async def _hold_open(self) -> tuple[str, bool]:
        """Open the port and wait until it is lost; return why, and if it is refused."""
        protocol = _LineProtocol(self, self._user)
        self._let_go = ""
        try:
            transport = await self._open(self._settings, protocol)
        except PortError as error:
            return str(error), isinstance(error, PortRefusedError)
        try:
            reason = await asyncio.shield(protocol.lost)
            return self._let_go or reason, bool(self._let_go)
        finally:
            self._transport = None
            if not transport.is_closing():
                transport.abort()
            # Another opening, exclusive, would fail before this one is closed.
            await asyncio.wait({protocol.lost})

    def opened(self, transport: asyncio.Transport) -> None:
        """The transport is there; it says so before it brings any data."""
        transport.set_write_buffer_limits(high=WRITE_HIGH_WATER)
        self._transport = transport
        self._has_room = True
        self._told = ""
        self._opened_at = asyncio.get_running_loop().time()
        self._enter(LineState.OPEN)
        self._user.line_opened()

    def room_changed(self, has_room: bool) -> None:
        """The transport says whether it wants more."""
        self._has_room = has_room
        if has_room:
            self._user.line_has_room()

    def _enter(self, state: LineState) -> None:
        if state is not self._state:
            logger.debug("%s: line %s", self._settings.id, state)
        self._state = state

    def _tell(self, reason: str, delay: float) -> None:
        """Log a new reason once loudly; the same again only at DEBUG."""
        level = logging.DEBUG if reason == self._told else logging.WARNING
        self._told = reason
        logger.log(
            level, "%s: %s; next attempt in %.1f s", self._settings.id, reason, delay
        )


class _LineProtocol(asyncio.Protocol):
    """One opening of a port."""

    def __init__(self, line: Line, user: LineUser) -> None:
        self._line = line
        self._user = user
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line.opened(cast("asyncio.Transport", transport))

    def data_received(self, data: bytes) -> None:
        self._user.line_received(data)

    def pause_writing(self) -> None:
        self._line.room_changed(has_room=False)

    def resume_writing(self) -> None:
        self._line.room_changed(has_room=True)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            logger.debug("lost: %s", exc)
            # A carrier of ours says what it knows; an operating system's error tells
            # people no more than that the port is gone.
            known = isinstance(exc, PortError)
            self.lost.set_result(str(exc) if known else "the port hung up")
