"""Virtual controllers that hear each other: the room."""

import asyncio

from bumble import hci
from bumble.controller import Controller
from bumble.device import Device
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink

ACL_BYTES = 251
"""Bytes of a packet between host and controller: as chips with data length extension
have it. The default of 27 makes everything four times as slow."""


class VirtualController(Controller):
    """bumble's controller, but a connection that is being made can be cancelled.

    Attributes:
        unreachable: peers to whom no connection comes about, though they are heard.
    """

    def __init__(self, name: str, link: LocalLink) -> None:
        super().__init__(name, link=link)
        self.unreachable: set[hci.Address] = set()

    def create_le_connection(self, peer_address: hci.Address) -> None:
        """Connect to an advertiser, unless it is out of reach."""
        if peer_address not in self.unreachable:
            super().create_le_connection(peer_address)

    def on_hci_le_create_connection_cancel_command(
        self, command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        """Cancel, and say so: without this bumble's host waits for ever."""
        pending = self.pending_le_connection
        self.pending_le_connection = None
        if pending is not None:
            cancelled = hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address.address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
            asyncio.get_running_loop().call_soon(self.send_hci_packet, cancelled)
        return super().on_hci_le_create_connection_cancel_command(command)


class Air:
    """A room in which virtual devices reach each other; belongs to one event loop."""

    def __init__(self) -> None:
        self._link = LocalLink()  # type: ignore[no-untyped-call]  # bumble
        self._controllers: dict[Device, VirtualController] = {}

    async def switch_on(self, device: Device) -> None:
        """Give a device a controller in this room, and power."""
        controller = VirtualController(device.name, self._link)
        controller.le_acl_data_packet_length = ACL_BYTES
        self._controllers[device] = controller
        device.host = Host(controller, AsyncPipeSink(controller))
        await device.power_on()

    async def switch_off(self, device: Device) -> None:
        """Take a device out of the room; its connections should have ended before."""
        self._link.remove_controller(self._controllers.pop(device))
        await device.power_off()

    def controller_of(self, device: Device) -> VirtualController:
        """The controller of a device that is switched on."""
        return self._controllers[device]

    def lose(self, device: Device) -> None:
        """Let the supervision timeouts of a device's connections pass.

        Both ends are told, as when the radio is out of reach for so long; what was
        under way is lost.
        """
        for controller in self._controllers.values():
            for connection in list(controller.le_connections.values()):
                ends = (connection.self_address, connection.peer_address)
                if device.random_address in ends:
                    controller.on_le_disconnected(
                        connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
                    )
