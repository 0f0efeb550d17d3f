"""The one scan of an adapter: who advertises, and whether anything is heard at all.

Nobody else scans: two scans at once hang some systems. It runs while a terminal is
missing, and pauses while one is being connected, which many adapters cannot do at the
same time.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import Any

from bleak import BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, AdvertisementDataCallback

from broker.backoff import Backoff
from terminal.ble.backend import BluetoothError, within
from terminal.ble.times import Times
from terminal.settings import BLUETOOTH

logger = logging.getLogger(__name__)

STRANGERS_MAX = 64
"""Terminals that the settings do not name, as far as told."""

FIRST_DELAY = 0.5
LONGEST_DELAY = 30.0
"""Ceilings, in seconds, of the delays between attempts to start a scan that fails."""


class Scanner:
    """Listens for the terminals of the settings, and for no others.

    Args:
        name: the adapter, for people.
        terminals: their addresses, in capital letters.
        make: makes bleak's scanner around a callback.
        times: all deadlines.
    """

    def __init__(
        self,
        name: str,
        terminals: Iterable[str],
        make: Callable[[AdvertisementDataCallback], BleakScanner],
        times: Times,
    ) -> None:
        self._name = name
        self._terminals = frozenset(terminals)
        self._make = make
        self._times = times
        self._missing = set(self._terminals)
        self._waiting: dict[str, asyncio.Future[BLEDevice]] = {}
        self._strangers: set[str] = set()
        self._pauses = 0
        self._is_scanning = False
        self._heard_at = 0.0
        self._silences = 0
        self._trouble = ""
        self._backoff = Backoff(first=FIRST_DELAY, longest=LONGEST_DELAY)
        self._news = asyncio.Event()

    @property
    def is_degraded(self) -> bool:
        """Whether nothing is heard although the scan was started again."""
        return self._silences > 1

    @property
    def _is_wanted(self) -> bool:
        return bool(self._missing) and not self._pauses

    # -- who is looked for ----------------------------------------------------------

    def look_for(self, terminals: Iterable[str]) -> None:
        """Look for these terminals from now on, instead of those before."""
        now = frozenset(terminals)
        self._missing = (self._missing & now) | (now - self._terminals)
        self._terminals = now
        self._tell()

    def connected(self, address: str) -> None:
        """A terminal is connected: it advertises no more."""
        self._missing.discard(address)
        self._tell()

    def disconnected(self, address: str) -> None:
        """A terminal has to be looked for, if it is still in the settings."""
        if address in self._terminals:
            self._missing.add(address)
            self._tell()

    async def find(self, address: str) -> BLEDevice:
        """Wait until a terminal advertises; at most one may wait for each.

        Raises:
            BluetoothError: it does not, or there is no scan.
        """
        if self._trouble:
            raise BluetoothError(self._trouble)
        loop = asyncio.get_running_loop()
        heard: asyncio.Future[BLEDevice] = loop.create_future()
        self._waiting[address] = heard
        left = self._times.find
        try:
            while not heard.done():
                await self._until(lambda: heard.done() or self._is_scanning)
                began = loop.time()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        await self._until(lambda: heard.done() or not self._is_scanning)
                left -= loop.time() - began
                if left <= 0 and not heard.done():
                    raise BluetoothError(self._unheard(address))
            return heard.result()
        finally:
            del self._waiting[address]

    def _unheard(self, address: str) -> str:
        port = f"{BLUETOOTH}{address}"
        if self.is_degraded:
            return f"{port}: not heard: {self._name} hears nothing at all any more"
        return f"{port}: not heard; is the terminal switched on and near?"

    @contextlib.asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Let nothing scan inside."""
        self._pauses += 1
        self._tell()
        try:
            await self._until(lambda: not self._is_scanning)
            yield
        finally:
            self._pauses -= 1
            self._tell()

    # -- the scan -------------------------------------------------------------------

    async def run(self) -> None:
        """Scan whenever it is wanted, until cancelled."""
        while True:
            await self._until(lambda: self._is_wanted)
            delay = 0.0
            self._is_scanning = True
            self._tell()
            try:
                await self._scan()
            except BluetoothError as error:
                delay = self._backoff.next_delay()
                self._fail(error, delay)
            finally:
                self._is_scanning = False
                self._tell()
            await asyncio.sleep(delay)

    async def _scan(self) -> None:
        scanner = self._make(self._heard)
        try:
            await self._call("starting a scan", scanner.start())
            self._trouble = ""
            self._backoff.reset()
            await self._listen()
        finally:
            try:
                await self._call("ending a scan", scanner.stop())
            except BluetoothError as error:
                logger.debug("%s", error)

    async def _call(self, what: str, request: Coroutine[Any, Any, None]) -> None:
        what = f"{self._name}: {what}"
        grace = self._times.disconnect
        await within(self._times.call, what, request, grace=grace)

    async def _listen(self) -> None:
        """Listen as long as it is wanted, or until nothing is heard for too long."""
        loop = asyncio.get_running_loop()
        self._heard_at = loop.time()
        while self._is_wanted:
            silent_at = self._heard_at + self._times.quiet
            if loop.time() >= silent_at:
                self._count_silence()
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(silent_at):
                    await self._news.wait()

    def _count_silence(self) -> None:
        self._silences += 1
        if self._silences == 1:
            logger.warning(
                "%s: no terminal heard for %.0f s; the scan is started again",
                self._name,
                self._times.quiet,
            )
        elif self._silences == 2:
            logger.error(
                "%s: degraded: no terminal heard for another %.0f s. If those that are "
                "missing are switched on, the adapter is stuck: plug it in again",
                self._name,
                self._times.quiet,
            )

    def _heard(self, device: BLEDevice, _advertisement: AdvertisementData) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        if self.is_degraded:
            logger.warning("%s: no longer degraded", self._name)
        self._silences = 0
        address = device.address.upper()
        waiting = self._waiting.get(address)
        if waiting is not None and not waiting.done():
            waiting.set_result(device)
            self._tell()
        elif address not in self._terminals:
            self._tell_stranger(address, device.name)

    def _tell_stranger(self, address: str, name: str | None) -> None:
        if address not in self._strangers and len(self._strangers) < STRANGERS_MAX:
            self._strangers.add(address)
            logger.info(
                "%s: %s%s (%s) is near and stands in no settings",
                self._name,
                BLUETOOTH,
                address,
                name or "no name",
            )

    def _fail(self, error: BluetoothError, delay: float) -> None:
        """There is no scan: tell those who wait for one."""
        cause = error.cause or error
        text = (
            f"{self._name} cannot scan: {cause}; "
            "are BlueZ and D-Bus running, and is the adapter on?"
        )
        level = logging.DEBUG if text == self._trouble else logging.ERROR
        logger.log(level, "%s; next attempt in %.1f s", text, delay)
        self._trouble = text
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(BluetoothError(text))
        self._tell()

    # -- news -----------------------------------------------------------------------

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._news.wait()
