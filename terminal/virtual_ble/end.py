"""A simulated terminal's end of its wire as a Bluetooth LE peripheral."""

import asyncio
from collections.abc import Callable, Coroutine

from bumble.att import Attribute
from bumble.core import UUID, AdvertisingData
from bumble.device import Connection, Device
from bumble.gatt import (
    GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR as CCCD,
)
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.hci import Address
from bumble.keys import MemoryKeyStore, PairingKeys
from bumble.pairing import PairingConfig

from terminal.ble import nus
from terminal.settings import BLUETOOTH
from terminal.simulator.settings import MTU_MAX
from terminal.simulator.wire import PENDING_MAX, WireUser
from terminal.virtual_ble.air import Air

ADVERTISING_MS = 20
"""Milliseconds between advertisements: the fastest that Bluetooth allows."""

_FILLER = "6e40ff00-b5a3-f393-e0a9-e50e24dcca9e"
"""A service that nobody uses, and its characteristic, which takes what is written. They
only move the handles of what comes after them."""


class NusEnd:
    """A peripheral with the Nordic UART Service.

    Args:
        air: the room that it is in.
        address: its address, a static random one (``C0`` or above in the first byte).
        name: the name that it advertises.
        mtu: the greatest ATT MTU that it grants.
        services: how many services stand before it, so that a firmware with another
            number has other handles.
        paired: whether it takes only connections that are encrypted (F15).

    Attributes:
        keys: of the daemons that it is paired with; they outlive a restart.
        pairings: how often it has been paired.
    """

    def __init__(  # noqa: PLR0913 - each by name
        self,
        air: Air,
        address: str,
        *,
        name: str = "Bidwire",
        mtu: int = MTU_MAX,
        services: int = 0,
        paired: bool = False,
    ) -> None:
        self._air = air
        self._address = address
        self._name = name
        self._mtu = mtu
        self._services = services
        self._is_paired = paired
        self.keys = MemoryKeyStore()
        self.pairings = 0
        self._user: WireUser | None = None
        self._device: Device | None = None
        self._connection: Connection | None = None
        self._is_subscribed = False
        self._pending = bytearray()
        self._is_notifying = False
        self._wants_to_be_found = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> str:
        """What the daemon's settings call it."""
        return f"{BLUETOOTH}{self._address}"

    @property
    def device(self) -> Device:
        """The virtual device, once it has been opened."""
        assert self._device is not None, "not open yet"  # noqa: S101 - a test's misuse
        return self._device

    async def open(self, user: WireUser) -> None:
        """Advertise; the carrier is there while a daemon is subscribed."""
        self._user = user
        await self._settle()
        if self._device is None:
            self._device = self._build()
            await self._air.switch_on(self._device)
        self._wants_to_be_found = True
        await self._advertise()

    def write(self, data: bytes) -> None:
        """Notify bytes, if a daemon is subscribed."""
        if self._is_subscribed:
            self._pending += data[: PENDING_MAX - len(self._pending)]
            if not self._is_notifying:
                self._is_notifying = True
                self._start(self._notify())

    def hang_up(self) -> None:
        """End the connection and advertise no more."""
        self._wants_to_be_found = False
        if self._device is not None:
            self._start(self._vanish(self._device))

    async def close(self) -> None:
        """End the connection and switch off."""
        self.hang_up()
        await self._settle()
        if self._device is not None:
            device, self._device = self._device, None
            await self._air.switch_off(device)

    def pairing_config(self) -> PairingConfig:
        """How it pairs: LE Secure Connections, without anything to compare."""
        return PairingConfig(sc=True, mitm=False)

    # -- inside ---------------------------------------------------------------------

    def _build(self) -> Device:
        device = Device(name=self._name, address=Address(self._address))
        device.keystore = self.keys
        device.pairing_config_factory = lambda _: self.pairing_config()
        for _ in range(self._services):
            filler = _writable(_FILLER, lambda _connection, _value: None)
            device.add_service(Service(_FILLER, [filler]))
        down = _writable(nus.DOWN, self._written)
        readable = Attribute.Permissions.READABLE
        wanted = readable | Attribute.Permissions.WRITEABLE
        if self._is_paired:
            wanted |= Attribute.Permissions.WRITE_REQUIRES_ENCRYPTION
            down.permissions |= Attribute.Permissions.WRITE_REQUIRES_ENCRYPTION
        self._up: Characteristic[bytes] = Characteristic(
            nus.UP,
            Characteristic.Properties.NOTIFY,
            readable,
            b"",
        )
        subscription = device.gatt_server.make_descriptor_value(self._up)
        self._up.descriptors = (Descriptor(CCCD, wanted, subscription),)
        self._up.on(Characteristic.EVENT_SUBSCRIPTION, self._subscription_changed)
        device.add_service(Service(nus.SERVICE, [down, self._up]))
        device.gatt_server.max_mtu = self._mtu
        device.on(Device.EVENT_CONNECTION, self._connected)
        uuid = UUID(nus.SERVICE).to_bytes()
        ad = AdvertisingData
        device.advertising_data = bytes(
            ad(
                [
                    (ad.FLAGS, b"\x06"),  # general discoverable, no classic Bluetooth
                    (ad.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, uuid),
                    (ad.COMPLETE_LOCAL_NAME, self._name.encode()[:8]),
                ]
            )
        )
        return device

    async def _advertise(self) -> None:
        if self._wants_to_be_found and self._connection is None:
            await self.device.start_advertising(
                advertising_interval_min=ADVERTISING_MS,
                advertising_interval_max=ADVERTISING_MS,
            )

    async def _vanish(self, device: Device) -> None:
        await device.stop_advertising()
        if self._connection is not None:
            await self._connection.disconnect()

    def _connected(self, connection: Connection) -> None:
        self._connection = connection
        connection.on(Connection.EVENT_DISCONNECTION, self._disconnected)
        connection.on(Connection.EVENT_PAIRING, self._was_paired)

    def _was_paired(self, _keys: PairingKeys) -> None:
        self.pairings += 1

    def _disconnected(self, _reason: int) -> None:
        self._connection = None
        self._set_subscribed(yes=False)
        if self._wants_to_be_found:
            self._start(self._advertise())

    def _subscription_changed(
        self, _connection: Connection, notify: bool, _indicate: bool
    ) -> None:
        self._set_subscribed(yes=notify)

    def _set_subscribed(self, *, yes: bool) -> None:
        if yes is self._is_subscribed:
            return
        self._is_subscribed = yes
        self._pending.clear()
        if self._user is None:
            return
        if yes:
            self._user.wire_opened()
        else:
            self._user.wire_closed()

    def _written(self, _connection: Connection, value: bytes) -> None:
        if self._user is not None:
            self._user.wire_received(value)

    async def _notify(self) -> None:
        try:
            while self._pending and self._connection is not None:
                size = min(nus.VALUE_MAX, self._connection.att_mtu - nus.ATT_HEADER)
                piece = bytes(self._pending[:size])
                del self._pending[:size]
                await self.device.notify_subscriber(self._connection, self._up, piece)
        finally:
            self._is_notifying = False

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)


def _writable(
    uuid: str, written: Callable[[Connection, bytes], None]
) -> Characteristic[bytes]:
    properties = Characteristic.Properties
    return Characteristic(
        uuid,
        properties.WRITE | properties.WRITE_WITHOUT_RESPONSE,
        Attribute.Permissions.WRITEABLE,
        CharacteristicValue(write=written),
    )
