"""Real ptys as serial devices, found under a link that can be moved like a plug."""

import asyncio
import os
import pty
import tty
from collections.abc import Callable
from pathlib import Path

WAIT_SECONDS = 10.0


class Pty:
    """The far side of a serial device."""

    def __init__(self) -> None:
        self.controller, self._device = pty.openpty()
        tty.setraw(self._device)
        self.name = os.ttyname(self._device)

    def plug_into(self, link: Path) -> None:
        """Let a link lead to this device, as udev does for a by-id path."""
        link.unlink(missing_ok=True)
        link.symlink_to(self.name)

    def write(self, data: bytes) -> None:
        os.write(self.controller, data)

    async def read(self, size: int = 4096) -> bytes:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(self.controller, readable.set)
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await readable.wait()
        finally:
            loop.remove_reader(self.controller)
        return os.read(self.controller, size)

    def unplug(self, link: Path) -> None:
        link.unlink()
        self.hang_up()

    def hang_up(self) -> None:
        os.close(self.controller)
        os.close(self._device)


class Recorder:
    """Uses a line, and keeps what it is told."""

    def __init__(self) -> None:
        self.opened = 0
        self.data = b""
        self.lost: list[str] = []
        self.refused: list[str] = []
        self.rooms = 0
        self._changed = asyncio.Condition()

    def line_opened(self) -> None:
        self.opened += 1
        self._notify()

    def line_received(self, data: bytes) -> None:
        self.data += data
        self._notify()

    def line_lost(self, reason: str) -> None:
        self.lost.append(reason)
        self._notify()

    def line_refused(self, reason: str) -> None:
        self.refused.append(reason)
        self._notify()

    def line_has_room(self) -> None:
        self.rooms += 1
        self._notify()

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT_SECONDS), self._changed:
            await self._changed.wait_for(condition)

    def _notify(self) -> None:
        async def wake() -> None:
            async with self._changed:
                self._changed.notify_all()

        self._waking = asyncio.get_running_loop().create_task(wake())
