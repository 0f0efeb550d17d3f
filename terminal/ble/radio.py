"""One Bluetooth adapter: its scan, and the connections to its terminals."""

import asyncio
import logging
from collections.abc import Collection

from bleak import BleakAdapter, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementDataCallback

from terminal.ble import nus
from terminal.ble.backend import SYSTEM, Backend, BluetoothError, within
from terminal.ble.connection import Connection, NotPairedError, StaleCacheError
from terminal.ble.scanner import Scanner
from terminal.ble.times import TIMES, Times
from terminal.ble.transport import BleTransport

logger = logging.getLogger(__name__)


class Radio:
    """All that a daemon does with one adapter.

    Args:
        terminals: the addresses of the terminals of the settings that it reaches.
        adapter: its name (``hci0``), None for the system's own choice.
        backend: whose Bluetooth is used.
        times: all deadlines.
    """

    def __init__(
        self,
        terminals: Collection[str],
        adapter: str | None = None,
        *,
        backend: Backend = SYSTEM,
        times: Times = TIMES,
    ) -> None:
        self._adapter = adapter
        self._backend = backend
        self._times = times
        self._held: set[str] = set()
        self._count = len(terminals)
        # One at a time: most adapters can make only one connection at once.
        self._connecting = asyncio.Lock()
        self.scanner = Scanner(
            adapter or "Bluetooth", terminals, self._make_scanner, times
        )

    async def run(self) -> None:
        """Scan while a terminal is missing, until cancelled."""
        await self.scanner.run()

    async def open(
        self, address: str, protocol: asyncio.Protocol, *, paired: bool = False
    ) -> asyncio.Transport:
        """Find a terminal, connect, subscribe, and tie it to ``protocol``.

        Args:
            address: of a terminal of the settings, in capital letters.
            protocol: is told of data and of the loss of the connection.
            paired: whether the connection has to be encrypted (F15).

        Raises:
            PortRefusedError: whoever is there cannot be paired.
            PortError: it cannot be reached now; nothing of the attempt is left.
        """
        await self._end_leftover(address)
        device = await self.scanner.find(address)
        async with self._connecting, self.scanner.paused():
            return await self._connect(device, address, protocol, paired=paired)

    async def _connect(
        self,
        device: BLEDevice,
        address: str,
        protocol: asyncio.Protocol,
        *,
        paired: bool,
    ) -> asyncio.Transport:
        transport = BleTransport(protocol, self._times, lambda: self._released(address))
        connection = self._make_connection(device, transport, paired=paired)
        try:
            await connection.open()
        except StaleCacheError as error:
            logger.warning("%s; its services are discovered anew", error)
            await connection.forget()
            raise
        except NotPairedError:
            # One of the two may have lost its keys: the next attempt makes new ones.
            await connection.forget()
            raise
        self._held.add(address)
        self.scanner.connected(address)
        logger.info(
            "%s: connected, %d of %d terminals", address, len(self._held), self._count
        )
        transport.begin(connection)
        return transport

    def _make_connection(
        self, device: BLEDevice, transport: BleTransport, *, paired: bool = False
    ) -> Connection:
        return Connection(
            device,
            paired=paired,
            adapter=self._adapter,
            backend=self._backend,
            times=self._times,
            on_data=transport.received,
            on_lost=transport.lost,
        )

    def _released(self, address: str) -> None:
        self._held.discard(address)
        self.scanner.disconnected(address)

    async def _end_leftover(self, address: str) -> None:
        """End a connection that the system holds for nobody.

        A process that was killed leaves one behind, and so does a slot that was given
        up. The terminal does not advertise as long as it is there.
        """
        for device in await self._connected_devices():
            if device.address.upper() == address and address not in self._held:
                logger.warning("%s: ending a connection that was left behind", address)
                unused = BleTransport(asyncio.Protocol(), self._times, lambda: None)
                async with self._connecting, self.scanner.paused():
                    connection = self._make_connection(device, unused)
                    await connection.open()  # it takes hold of the one that is there
                    await connection.close()

    async def _connected_devices(self) -> list[BLEDevice]:
        what = "asking what is connected"
        seconds, grace = self._times.call, self._times.disconnect
        try:
            return await within(seconds, what, self._ask_connected(), grace=grace)
        except BluetoothError as error:
            # Not every system can tell; if there is no Bluetooth the scan says so.
            logger.debug("%s", error)
            return []

    async def _ask_connected(self) -> list[BLEDevice]:
        adapter = await BleakAdapter.get(
            bluez={} if self._adapter is None else {"adapter": self._adapter},
            backend=self._backend.adapter,
        )
        return await adapter.get_connected_devices([nus.SERVICE])

    def _make_scanner(self, heard: AdvertisementDataCallback) -> BleakScanner:
        return BleakScanner(
            heard,
            [nus.SERVICE],
            bluez={} if self._adapter is None else {"adapter": self._adapter},
            backend=self._backend.scanner,
        )
