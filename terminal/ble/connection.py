"""One connection to a terminal's Nordic UART Service, from request to release."""

import logging
from collections.abc import Callable

from bleak import BleakClient
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice
from bleak.exc import BleakCharacteristicNotFoundError, BleakGATTProtocolError

from terminal.ble import nus
from terminal.ble.backend import Backend, BluetoothError, OverdueError, within
from terminal.ble.times import Times
from terminal.ports import PortRefusedError
from terminal.settings import BLUETOOTH

logger = logging.getLogger(__name__)


class StaleCacheError(BluetoothError):
    """The terminal's attributes are not where the system remembers them."""


class NotPairedError(BluetoothError, PortRefusedError):
    """The two ends do not agree on keys: one wants encryption, the other has none."""


class Connection:
    """One bleak client, used once.

    Args:
        device: who advertised.
        paired: whether it has to be encrypted, with keys of LE Secure Connections.
        adapter: its name, None for the system's own choice.
        backend: whose Bluetooth is used.
        times: all deadlines.
        on_data: takes what the terminal notifies.
        on_lost: is told once, when the connection has ended.
    """

    def __init__(  # noqa: PLR0913 - each by name
        self,
        device: BLEDevice,
        *,
        paired: bool,
        adapter: str | None,
        backend: Backend,
        times: Times,
        on_data: Callable[[bytes], None],
        on_lost: Callable[[], None],
    ) -> None:
        self._port = f"{BLUETOOTH}{device.address.upper()}"
        self._is_paired = paired
        self._is_pairing = False
        self._times = times
        self._on_data = on_data
        self._on_lost = on_lost
        self._down: BleakGATTCharacteristic | None = None
        self._client = BleakClient(
            device,
            disconnected_callback=self._disconnected,
            timeout=times.connect,
            bluez={} if adapter is None else {"adapter": adapter},
            backend=backend.client,
        )

    async def open(self) -> None:
        """Connect, discover and subscribe, all of it within one deadline.

        Raises:
            NotPairedError: one end wants encryption, and the other has no keys for it.
            StaleCacheError: the service is not where it was, or not there.
            BluetoothError: there is no connection; nothing of it is left.
        """
        what = f"{self._port}: connecting"
        seconds = self._times.connect
        try:
            await within(seconds, what, self._open(), grace=self._times.disconnect)
        except BluetoothError as error:
            await self.close()
            if self._is_pairing and not isinstance(error, OverdueError):
                told = f"{self._port}: the terminal does not pair: {error.cause}"
                raise NotPairedError(told, error.cause) from error
            if _wants_pairing(error):
                told = f"{self._port}: the terminal takes paired daemons only"
                raise NotPairedError(told, error.cause) from error
            if _is_stale(error):
                raise StaleCacheError(str(error), error.cause) from error
            raise
        except BaseException:
            await self.close()
            raise

    async def _open(self) -> None:
        await self._client.connect()
        if self._is_paired:
            # The system keeps the keys: only the first time is a pairing.
            self._is_pairing = True
            await self._client.pair()
            self._is_pairing = False
        self._down = self._find(nus.DOWN)
        # No system restores a subscription by itself: it is made for each connection.
        await self._client.start_notify(self._find(nus.UP), self._notified)

    def _find(self, uuid: str) -> BleakGATTCharacteristic:
        service = self._client.services.get_service(nus.SERVICE)
        found = None if service is None else service.get_characteristic(uuid)
        if found is None:
            raise BleakCharacteristicNotFoundError(uuid)
        return found

    @property
    def size(self) -> int:
        """Bytes of a piece at most, as negotiated; it may grow soon after opening."""
        down = self._characteristic
        return min(nus.VALUE_MAX, down.max_write_without_response_size)

    @property
    def _characteristic(self) -> BleakGATTCharacteristic:
        assert self._down is not None, "not open"  # noqa: S101 - misuse of our own
        return self._down

    @property
    def is_open(self) -> bool:
        """Whether the terminal is still connected."""
        return self._client.is_connected

    async def write(self, piece: bytes) -> None:
        """Write up to ``size`` bytes.

        Raises:
            StaleCacheError: the characteristic is not where it was.
            BluetoothError: they were not taken.
        """
        down = self._characteristic
        request = self._client.write_gatt_char(
            down, piece, response="write-without-response" not in down.properties
        )
        what = f"{self._port}: writing"
        try:
            await within(self._times.write, what, request, grace=self._times.disconnect)
        except BluetoothError as error:
            if _is_stale(error):
                raise StaleCacheError(str(error), error.cause) from error
            raise

    async def close(self) -> None:
        """Disconnect; at the deadline the slot is given up."""
        what = f"{self._port}: disconnecting"
        try:
            await within(
                self._times.disconnect, what, self._client.disconnect(), grace=0
            )
        except OverdueError as error:
            logger.error("%s; its slot is given up", error)  # noqa: TRY400 - expected
        except BluetoothError as error:
            logger.debug("%s", error)

    async def forget(self) -> None:
        """Let the system forget the terminal: its attributes, and its keys, too.

        A terminal that must be paired is paired again when it is connected next.
        """
        what = f"{self._port}: forgetting its services"
        try:
            await within(self._times.call, what, self._client.unpair(), grace=0)
        except BluetoothError as error:
            logger.warning("%s", error)

    def _notified(self, _sender: BleakGATTCharacteristic, data: bytearray) -> None:
        self._on_data(bytes(data))

    def _disconnected(self, _client: BleakClient) -> None:
        self._on_lost()


_INSUFFICIENT = frozenset({0x05, 0x08, 0x0C, 0x0F})
"""ATT errors: authentication, authorization, key size, encryption (Core, F 3.4.1.1)."""


def _wants_pairing(error: BluetoothError) -> bool:
    cause = error.cause
    return isinstance(cause, BleakGATTProtocolError) and cause.code in _INSUFFICIENT


def _is_stale(error: BluetoothError) -> bool:
    cause = error.cause
    return isinstance(cause, BleakCharacteristicNotFoundError | BleakGATTProtocolError)
