"""The terminal's end of a pty, with a clock: no screen, no player, no process."""

import asyncio
import secrets
import time
from pathlib import Path

from bidwire.bench.chain_script import BOOT, COLUMNS, ROWS, SERIAL, ScriptedEvent, same
from laws.seats import SEATS
from protocol.limits import NONCE_BYTES
from protocol.link import Received
from protocol.messages import Ack, Display, Profile
from protocol.payloads import DisplayPrompt
from protocol.store import MemoryStore
from protocol.terminal_link import Identity, TerminalLink
from terminal.simulator.wire import PtyEnd


class ChainTerminal:
    """A terminal of four seats that presses when it is told to.

    All times are of the moment at which the bytes were read or written at the pty,
    before they are looked into.
    """

    def __init__(self, port: Path) -> None:
        identity = Identity(
            SERIAL, SEATS, "bench", COLUMNS, ROWS, profile=Profile.FOUR_SEATS
        )
        self._link = TerminalLink(
            identity, MemoryStore(BOOT), lambda: secrets.token_bytes(NONCE_BYTES)
        )
        self._end = PtyEnd(port)
        self._timer: asyncio.TimerHandle | None = None
        self._moved = asyncio.Event()
        self._wanted: DisplayPrompt | None = None
        self._prompted = 0.0
        self._acknowledged = 0.0

    async def open(self) -> None:
        """Make the port."""
        self._loop = asyncio.get_running_loop()
        await self._end.open(self)

    async def close(self) -> None:
        """Take the port away."""
        if self._timer is not None:
            self._timer.cancel()
        await self._end.close()

    async def shows(self, display: DisplayPrompt) -> None:
        """Wait until the seat of this display shows it."""
        self._want(display)
        while not self._prompted:
            await self._next()

    async def press(self, event: ScriptedEvent) -> tuple[float, float]:
        """Press a key; wait for the prompt that follows, and for the ACK.

        Returns:
            Seconds from just before its frame was written until the last frame of the
            prompt was read, and until the ACK was.
        """
        self._want(event.display)
        self._link.press(event.key, self._loop.time())
        frame = self._link.data_to_send()
        written = time.perf_counter()
        self._end.write(frame)
        while not self._prompted or self._link.unacknowledged:
            await self._next()
        return self._prompted - written, self._acknowledged - written

    def _want(self, display: DisplayPrompt) -> None:
        self._wanted, self._prompted = display, 0.0
        shown = self._link.displays.get(display.seat)
        if shown is not None and same(shown, display):
            self._prompted = time.perf_counter()

    async def _next(self) -> None:
        self._moved.clear()
        await self._moved.wait()

    # -- the pty calls these ------------------------------------------------------

    def wire_opened(self) -> None:
        """The port is there."""
        self._link.opened(self._loop.time())
        self._flush()

    def wire_received(self, data: bytes) -> None:
        """Bytes of the daemon were read."""
        read = time.perf_counter()
        self._link.receive_data(data, self._loop.time())
        for occurrence in self._link.events_received():
            match occurrence:
                case Received(Display() as display) if self._is_wanted(display):
                    self._prompted = read
                case Received(Ack()):
                    self._acknowledged = read
                case _:
                    pass
        self._flush()
        self._moved.set()

    def wire_closed(self) -> None:
        """The port is gone."""
        self._link.closed()

    def _is_wanted(self, display: Display) -> bool:
        wanted = self._wanted
        return wanted is not None and not self._prompted and same(display, wanted)

    def _tick(self) -> None:
        self._link.tick(self._loop.time())
        self._flush()

    def _flush(self) -> None:
        data = self._link.data_to_send()
        if data:
            self._end.write(data)
        if self._timer is not None:
            self._timer.cancel()
        due = self._link.deadline()
        self._timer = None if due is None else self._loop.call_at(due, self._tick)
