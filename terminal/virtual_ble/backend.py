"""bleak's three backends on a virtual adapter."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Self, cast

from bleak.args import SizedBuffer
from bleak.assigned_numbers import (
    CharacteristicPropertyName,
    gatt_char_props_to_strs,
)
from bleak.backends.adapter import BaseBleakAdapter
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient, NotifyCallback
from bleak.backends.descriptor import BleakGATTDescriptor
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import (
    AdvertisementData,
    AdvertisementDataCallback,
    BaseBleakScanner,
)
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError, BleakGATTProtocolError
from bumble.att import ATT_Error
from bumble.core import UUID, AdvertisingData, BaseBumbleError
from bumble.device import Advertisement, Connection, Peer
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR as CCCD

from terminal.ble import Backend, nus
from terminal.simulator.settings import MTU_MAX
from terminal.virtual_ble.adapter import VirtualAdapter

_UUID_LISTS = (
    AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
)


def backend_of(adapter: VirtualAdapter) -> Backend:
    """The backends for one adapter: bleak takes classes and makes the objects."""
    bound = {"adapter": adapter}
    return Backend(
        scanner=type("VirtualScanner", (VirtualScanner,), bound),
        client=type("VirtualClient", (VirtualClient,), bound),
        adapter=type("VirtualConnected", (VirtualConnected,), bound),
    )


class VirtualScanner(BaseBleakScanner):
    """Hears what the virtual adapter hears."""

    adapter: ClassVar[VirtualAdapter]

    def __init__(
        self,
        callback: AdvertisementDataCallback | None,
        service_uuids: list[str] | None,
        *_: object,
        **__: object,
    ) -> None:
        super().__init__(callback, service_uuids)

    async def start(self) -> None:
        """Listen."""
        self.seen_devices = {}
        await self.adapter.listen(self._heard)

    async def stop(self) -> None:
        """Listen no more."""
        await self.adapter.ignore(self._heard)

    def _heard(self, advertisement: Advertisement) -> None:
        data = advertisement.data
        uuids = [
            _text(identifier)
            for kind in _UUID_LISTS
            for listed in data.get_all(kind)
            for identifier in cast("list[UUID]", listed)
        ]
        if not self.is_allowed_uuid(uuids):
            return
        name = data.get(AdvertisingData.COMPLETE_LOCAL_NAME)
        address = advertisement.address.to_string(with_type_qualifier=False)
        heard = AdvertisementData(
            local_name=name,
            manufacturer_data={},
            service_data={},
            service_uuids=uuids,
            tx_power=None,
            rssi=advertisement.rssi,
            platform_data=(),
        )
        device = self.create_or_update_device(
            address, address, heard.local_name, None, heard
        )
        self.call_detection_callbacks(device, heard)


class VirtualConnected(BaseBleakAdapter):
    """Tells what the virtual adapter is connected to."""

    adapter: ClassVar[VirtualAdapter]

    @classmethod
    async def get(cls, **_: object) -> Self:
        """Return it."""
        return cls()

    async def get_connected_devices(self, _: frozenset[str]) -> list[BLEDevice]:
        """All that is connected; terminals are all there is in this room."""
        return [BLEDevice(address, None, None) for address in self.adapter.connections]


class VirtualClient(BaseBleakClient):
    """One client's use of a connection."""

    adapter: ClassVar[VirtualAdapter]

    def __init__(
        self,
        address_or_ble_device: BLEDevice | str,
        *,
        disconnected_callback: Callable[[], None] | None,
        timeout: float,
        **_: object,
    ) -> None:
        super().__init__(
            address_or_ble_device,
            disconnected_callback=disconnected_callback,
            timeout=timeout,
        )
        self._connection: Connection | None = None
        self._peer: Peer | None = None

    @property
    def name(self) -> str:
        """The address: the virtual adapter asks nobody for his name."""
        return self.address

    @property
    def mtu_size(self) -> int:
        """The negotiated ATT MTU."""
        return self._open.gatt_client.mtu

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection."""
        return self._connection is not None

    @property
    def _open(self) -> Peer:
        if self._peer is None:
            raise BleakError("Not connected")
        return self._peer

    async def connect(self, pair: bool, **_: object) -> None:
        """Connect, negotiate the MTU, and discover what is not remembered."""
        del pair  # our own code pairs when it is connected
        self._connection = await self.adapter.connect(self.address)
        self._connection.on(Connection.EVENT_DISCONNECTION, self._disconnected)
        self._peer = Peer(self._connection)
        await self._peer.request_mtu(MTU_MAX)
        remembered = self.adapter.remembered
        if self.address not in remembered:
            remembered[self.address] = await self._discover(self._peer)
        self.services = remembered[self.address]

    async def disconnect(self) -> None:
        """End the connection."""
        if self._connection is not None:
            await self._connection.disconnect()

    async def pair(self, *_: object, **__: object) -> None:
        """Encrypt the connection, as BlueZ does: with the keys that it has, or new."""
        try:
            await self.adapter.pair(self._open.connection)
        except BaseBumbleError as error:
            raise BleakError(str(error)) from error

    async def unpair(self) -> None:
        """Forget the terminal, as BlueZ does, and the keys with it."""
        self.adapter.remembered.pop(self.address, None)
        await self.adapter.forget(self.address)

    def _disconnected(self, _reason: int) -> None:
        self._connection = None
        self._peer = None
        self.services = None
        if self._disconnected_callback is not None:
            self._disconnected_callback()

    async def _discover(self, peer: Peer) -> BleakGATTServiceCollection:
        found = BleakGATTServiceCollection()
        await peer.discover_all()  # type: ignore[no-untyped-call]  # bumble
        for service in peer.services:
            of = BleakGATTService(None, service.handle, _text(service.uuid))
            found.add_service(of)
            for characteristic in service.characteristics:
                properties = gatt_char_props_to_strs(characteristic.properties)
                at = BleakGATTCharacteristic(
                    None,
                    characteristic.handle,
                    _text(characteristic.uuid),
                    cast("list[CharacteristicPropertyName]", list(properties)),
                    partial(self.adapter.value_size, self.address),
                    of,
                )
                found.add_characteristic(at)
                for descriptor in characteristic.descriptors:
                    found.add_descriptor(
                        BleakGATTDescriptor(
                            None, descriptor.handle, _text(descriptor.type), at
                        )
                    )
        return found

    # -- attributes -----------------------------------------------------------------

    async def read_gatt_char(
        self, characteristic: BleakGATTCharacteristic, **_: object
    ) -> bytearray:
        """Read a characteristic."""
        return await self._read(characteristic.handle)

    async def read_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, **_: object
    ) -> bytearray:
        """Read a descriptor."""
        return await self._read(descriptor.handle)

    async def _read(self, handle: int) -> bytearray:
        try:
            return bytearray(await self._open.gatt_client.read_value(handle))
        except ATT_Error as error:
            raise BleakGATTProtocolError(error.error_code) from error

    async def write_gatt_char(
        self, characteristic: BleakGATTCharacteristic, data: SizedBuffer, response: bool
    ) -> None:
        """Write a characteristic; without response no more than fits."""
        size = min(nus.VALUE_MAX, self.adapter.value_size(self.address))
        if not response and len(data) > size:
            # Nothing else would tell: the far end drops or cuts it silently.
            raise BleakError(f"{len(data)} bytes written where {size} fit")
        await self._write(characteristic.handle, bytes(data), response=response)

    async def write_gatt_descriptor(
        self, descriptor: BleakGATTDescriptor, data: SizedBuffer
    ) -> None:
        """Write a descriptor."""
        await self._write(descriptor.handle, bytes(data), response=True)

    async def _write(self, handle: int, data: bytes, *, response: bool) -> None:
        try:
            await self._open.gatt_client.write_value(handle, data, response)
        except ATT_Error as error:
            raise BleakGATTProtocolError(error.error_code) from error

    async def start_notify(
        self,
        characteristic: BleakGATTCharacteristic,
        callback: NotifyCallback,
        **_: object,
    ) -> None:
        """Subscribe."""

        def notified(value: bytes) -> None:
            callback(bytearray(value))

        subscribers = self._open.gatt_client.notification_subscribers
        subscribers[characteristic.handle] = {notified}
        await self._write_cccd(characteristic, b"\x01\x00")

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        """End the subscription."""
        await self._write_cccd(characteristic, b"\x00\x00")
        self._open.gatt_client.notification_subscribers.pop(characteristic.handle)

    async def _write_cccd(
        self, characteristic: BleakGATTCharacteristic, value: bytes
    ) -> None:
        cccd = characteristic.get_descriptor(_text(CCCD))
        if cccd is None:
            raise BleakError(f"{characteristic.uuid} cannot notify")
        await self._write(cccd.handle, value, response=True)


def _text(identifier: UUID) -> str:
    """A UUID as bleak writes it: all 128 bits in small letters."""
    return str(uuid.UUID(bytes=identifier.to_bytes(force_128=True)[::-1]))
