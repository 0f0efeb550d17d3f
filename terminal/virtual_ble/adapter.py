"""What a daemon has in place of the system's Bluetooth: a virtual central.

Like BlueZ it keeps connections that nobody uses any more, and remembers where a
terminal's attributes are until it is told to forget the terminal.
"""

import asyncio
import contextlib
from collections.abc import Callable

from bleak.backends.service import BleakGATTServiceCollection
from bumble.att import ATT_DEFAULT_MTU
from bumble.core import BaseBumbleError, InvalidStateError
from bumble.device import Advertisement, Connection, Device
from bumble.hci import Address, HCI_LE_Create_Connection_Cancel_Command
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig

from terminal.ble import nus
from terminal.virtual_ble.air import Air

Listener = Callable[[Advertisement], None]


class VirtualAdapter:
    """A central in the room.

    Args:
        air: the room.
        address: its own address.

    Attributes:
        device: the virtual device.
        connections: what it is connected to, by address.
        remembered: where attributes are, by address.
        keys: of the terminals that it is paired with.
    """

    def __init__(self, air: Air, address: str = "C0:00:00:00:00:01") -> None:
        self._air = air
        self.device = Device(name="central", address=Address(address))
        self.connections: dict[str, Connection] = {}
        self.remembered: dict[str, BleakGATTServiceCollection] = {}
        self.keys = self.device.keystore = MemoryKeyStore()
        self.device.pairing_config_factory = lambda _: PairingConfig(mitm=False)
        self._listeners: set[Listener] = set()
        self._connecting = asyncio.Lock()

    async def start(self) -> None:
        """Switch it on."""
        await self._air.switch_on(self.device)
        self.device.on(Device.EVENT_ADVERTISEMENT, self._heard)

    async def close(self) -> None:
        """End its connections and switch it off."""
        for connection in list(self.connections.values()):
            await connection.disconnect()
        await self._air.switch_off(self.device)

    @property
    def scans(self) -> int:
        """How many scans there are at this moment."""
        return len(self._listeners)

    async def listen(self, listener: Listener) -> None:
        """Pass advertisements to one more listener."""
        self._listeners.add(listener)
        if len(self._listeners) == 1:
            await self.device.start_scanning()

    async def ignore(self, listener: Listener) -> None:
        """Pass advertisements to one listener less."""
        self._listeners.discard(listener)
        if not self._listeners:
            await self.device.stop_scanning()

    async def connect(self, address: str) -> Connection:
        """Connect, or take hold of the connection that is there.

        Cancelling it cancels the attempt in the controller, too.
        """
        async with self._connecting:  # a central makes one at a time
            if address in self.connections:
                return self.connections[address]
            connecting = asyncio.ensure_future(self.device.connect(address))
            try:
                connection = await asyncio.shield(connecting)
            except asyncio.CancelledError:
                await self.device.send_sync_command(
                    HCI_LE_Create_Connection_Cancel_Command()
                )
                with contextlib.suppress(BaseBumbleError):
                    await (await connecting).disconnect()
                raise
            self.connections[address] = connection
            connection.on(
                Connection.EVENT_DISCONNECTION,
                lambda _reason: self.connections.pop(address, None),
            )
            return connection

    async def pair(self, connection: Connection) -> None:
        """Encrypt a connection, with new keys if there are none.

        Like BlueZ with ``SecureConnections = only`` it takes no keys of legacy pairing.

        Raises:
            BaseBumbleError: the terminal does not pair, or has other keys.
        """
        address = str(connection.peer_address)
        if await self.keys.get(address) is not None:
            await connection.encrypt()
            return
        await connection.pair()
        if not connection.sc:
            await self.forget(address)
            raise InvalidStateError("it has no Secure Connections")

    async def forget(self, address: str) -> None:
        """Drop the keys of a terminal."""
        await self.keys.delete(address)

    def value_size(self, address: str) -> int:
        """Bytes of a value that fit the MTU of the connection to a terminal."""
        connection = self.connections.get(address)
        mtu = ATT_DEFAULT_MTU if connection is None else connection.att_mtu
        return mtu - nus.ATT_HEADER

    def _heard(self, advertisement: Advertisement) -> None:
        for listener in list(self._listeners):
            listener(advertisement)
