"""What carries the bytes to the terminal that is tested, by its URL."""

import asyncio
from typing import Protocol
from urllib.parse import urlsplit

from laws.seats import Seat
from terminal.ble import SYSTEM, Backend, Radio
from terminal.ports import open_port
from terminal.settings import (
    Level,
    Security,
    TerminalSettings,
    bluetooth_address,
    is_bluetooth,
)


class CarrierError(Exception):
    """A URL that names no carrier: says what was expected."""


class Carrier(Protocol):
    """Opens the way to one terminal, as often as it is asked.

    One more carrier is one more class with these members, and its scheme in
    ``carrier_of``.
    """

    @property
    def is_tcp(self) -> bool:
        """Whether the terminal sees connections come and go, as F9 has it for TCP."""

    async def open(self, protocol: asyncio.Protocol) -> asyncio.Transport:
        """Open it, and hand what comes to ``protocol``.

        Raises:
            OSError: it cannot be opened now.
        """

    async def close(self) -> None:
        """Let go of what opening needs; its transports are closed before."""


class PortCarrier:
    """A serial device, or a pyserial URL."""

    def __init__(self, settings: TerminalSettings) -> None:
        """Open nothing yet.

        Args:
            settings: port, speed and control lines.
        """
        self._settings = settings

    @property
    def is_tcp(self) -> bool:
        """Whether it is a connection of its own; an RFC 2217 server stays between."""
        return urlsplit(self._settings.port).scheme == "socket"

    async def open(self, protocol: asyncio.Protocol) -> asyncio.Transport:
        """Open the port; raises PortError."""
        return await open_port(self._settings, protocol)

    async def close(self) -> None:
        """There is nothing but the transports."""


class RadioCarrier:
    """A terminal over Bluetooth LE."""

    is_tcp = False

    def __init__(
        self,
        address: str,
        adapter: str | None = None,
        backend: Backend = SYSTEM,
        *,
        paired: bool = False,
    ) -> None:
        """Open nothing yet.

        Args:
            address: the terminal's.
            adapter: the name of ours (``hci0``), None for the system's own choice.
            backend: whose Bluetooth is used.
            paired: whether connections are encrypted (F15).
        """
        self._address = address
        self._is_paired = paired
        self._radio = Radio([address], adapter, backend=backend)
        self._scanning: asyncio.Task[None] | None = None

    async def open(self, protocol: asyncio.Protocol) -> asyncio.Transport:
        """Find the terminal and connect; raises PortError."""
        if self._scanning is None:
            self._scanning = asyncio.create_task(self._radio.run(), name="radio")
        return await self._radio.open(self._address, protocol, paired=self._is_paired)

    async def close(self) -> None:
        """Scan no more."""
        if self._scanning is not None:
            self._scanning.cancel()
            await asyncio.wait({self._scanning})
            self._scanning = None


def carrier_of(
    url: str,
    baudrate: int | None = None,
    lines: Level = Level.LEAVE,
    adapter: str | None = None,
    *,
    paired: bool = False,
) -> Carrier:
    """The carrier that a URL names; ``sim://`` has none before it is running.

    Args:
        url: a device, ``socket://HOST:PORT``, ``rfc2217://HOST:PORT`` or
            ``ble://ADDRESS``.
        baudrate: of a serial port; None is the usual one.
        lines: what becomes of DTR and RTS.
        adapter: for ``ble://``.
        paired: the link has a key, so over ``ble://`` it is encrypted (F15).

    Raises:
        CarrierError: it is none of them.
    """
    try:
        settings = TerminalSettings(
            id="tested",
            port=url,
            table="bench",
            seats=tuple(Seat),
            baudrate=baudrate,
            dtr=lines,
            rts=lines,
            adapter=adapter,
            security=Security.OPEN,
        )
    except ValueError as error:
        raise CarrierError(f"--terminal: {error}") from error
    if is_bluetooth(url):
        return RadioCarrier(bluetooth_address(url), adapter, paired=paired)
    return PortCarrier(settings)
