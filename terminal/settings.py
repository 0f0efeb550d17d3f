"""What one daemon is told: its broker, and which terminal hangs on which port."""

import ipaddress
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Meta

from broker.metrics import MetricsAddress, check_address
from broker.settings import BrokerSettings
from broker.settings_file import check_log_level
from laws.seats import Seat
from protocol.messages import Serial
from protocol.pairing import key_of_code, read_code
from protocol.payloads import Name
from terminal.web.settings import WebSettings

BAUDRATE = 115_200
"""Bits per second of a serial port, unless its settings say otherwise."""

Baudrate = Annotated[int, Meta(ge=50, le=4_000_000)]

KEY_BYTES = 16
"""Bytes of a pairing key, at least."""

RFC2217 = "rfc2217"
"""The scheme of a serial port that another machine serves."""

URL_SCHEMES = ("socket", RFC2217)
"""The pyserial URLs that a terminal can be reached by."""

BLUETOOTH = "ble://"
"""What a Bluetooth LE port begins with; the terminal's address follows."""

WEB = "web://"
"""The port of a terminal that is a browser's page, which the daemon serves."""

_ADDRESS = re.compile("[0-9A-F]{2}(?::[0-9A-F]{2}){5}")
_HEX = re.compile("(?:[0-9a-fA-F]{2})+")


Adapter = Annotated[
    str,
    Meta(pattern=r"^[a-z]+[0-9]+\Z", description="an adapter's name such as hci0"),
]
"""Name of a Bluetooth adapter: ``hci0``."""


class Level(StrEnum):
    """What becomes of a modem control line when the port is opened."""

    LEAVE = "leave"
    """As the operating system opens it; Linux raises it."""
    ON = "on"
    OFF = "off"
    """Lowered, for terminals that a raised DTR holds in reset."""


class Security(StrEnum):
    """Who may connect."""

    OPEN = "open"
    """Whoever speaks the protocol on that port."""
    PAIRED = "paired"
    """Who knows the terminal's key."""


class TerminalSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """One terminal: its port, its place in the room, and who it must be."""

    id: Name
    """Its name in topics and statuses."""
    port: str
    """A device (``/dev/ttyUSB0``, better ``/dev/serial/by-id/…``, which survives
    unplugging), ``socket://HOST:PORT``, ``rfc2217://HOST:PORT``, ``ble://ADDRESS`` or
    ``web://``."""
    table: Name
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=4)]
    """The seats that it serves: one, or all four."""
    baudrate: Baudrate | None = None
    """Of a serial port; None is ``BAUDRATE``."""
    dtr: Level = Level.LEAVE
    rts: Level = Level.LEAVE
    adapter: Adapter | None = None
    """The Bluetooth adapter (``hci0``) that reaches it; None is the system's own
    choice."""
    serial: Serial | None = None
    """The serial number that it must report; None takes any."""
    security: Security | None = None
    """None is ``open``, but ``paired`` for TCP beyond this machine and for Bluetooth
    LE: to leave such a link open it must be written out. A web terminal is always
    paired."""
    key: str | None = None
    """The pairing key in hex digits, when ``security`` is paired; of a web terminal its
    join code, which the daemon makes when there is none."""
    language: str = "en"
    """Of a web terminal's page."""

    def __post_init__(self) -> None:
        if len(set(self.seats)) != len(self.seats):
            raise ValueError(f"seats: a seat stands twice in {', '.join(self.seats)}")
        check_port(self.port)
        if not is_serial(self.port):
            self._check_no_serial_port()
        if self.adapter is not None and not is_bluetooth(self.port):
            raise ValueError(f"adapter: expected only with {BLUETOOTH}ADDRESS as port")
        if is_web(self.port):
            self._check_web()
            return
        if self.key is not None and not _is_key(self.key):
            raise ValueError(
                f"key: expected {KEY_BYTES} bytes or more as pairs of hex digits"
            )
        if self.is_paired and self.key is None:
            raise ValueError(
                f"key: expected the key of {self.id}, which is paired "
                '(or security "open", written out)'
            )
        if self.key is not None and not self.is_paired:
            raise ValueError('key: expected only with security "paired"')

    def _check_no_serial_port(self) -> None:
        for key, left_out in (
            ("baudrate", None),
            ("dtr", Level.LEAVE),
            ("rts", Level.LEAVE),
        ):
            if getattr(self, key) is not left_out:
                raise ValueError(
                    f"{key}: expected only with a serial port, got it with {self.port}"
                )

    def _check_web(self) -> None:
        if self.security is Security.OPEN:
            raise ValueError("security: expected paired for web://, got open")
        if self.key is not None:
            try:
                read_code(self.key)
            except ValueError as error:
                raise ValueError(f"key: {error}") from None

    @property
    def is_paired(self) -> bool:
        """Whether the terminal must prove that it knows its key."""
        if self.security is None:
            return is_beyond_this_machine(self.port)
        return self.security is Security.PAIRED

    @property
    def key_bytes(self) -> bytes | None:
        """The pairing key, None on an open link and of a terminal without a code."""
        if is_web(self.port):
            return key_of_code(read_code(self.key), self.id) if self.key else None
        return bytes.fromhex(self.key) if self.key is not None else None


class DaemonSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """All that ``python -m terminal`` reads."""

    event: Name
    """The event, first level of every topic."""
    daemon: Name
    """This daemon's name in topics; no other may have it."""
    broker: BrokerSettings
    terminals: Annotated[tuple[TerminalSettings, ...], Meta(min_length=1)]
    log_level: str = "INFO"
    """Name of a level of the logging module; DEBUG shows every frame in hex."""
    metrics: MetricsAddress | None = None
    """Address at which Prometheus may read figures; None serves none."""
    web: WebSettings | None = None
    """The server of the web terminals, when there are any."""

    def __post_init__(self) -> None:
        check_log_level(self.log_level)
        if self.metrics is not None:
            check_address(self.metrics)
        _check_unique("id", (terminal.id for terminal in self.terminals))
        _check_unique("port", map(_port_itself, self.terminals))
        for terminal in self.terminals:
            if is_web(terminal.port) and self.web is None:
                raise ValueError(f"web: expected the server of {terminal.id}, {WEB}")
        _check_unique(
            "seats",
            (
                f"{seat} of table {terminal.table}"
                for terminal in self.terminals
                for seat in terminal.seats
            ),
        )


def can_be_taken_up(before: DaemonSettings, now: DaemonSettings) -> bool:
    """Whether a running daemon can take up other settings.

    It can when nothing else differs than which box hangs on which port, by which key:
    tables, seats, broker, Bluetooth adapters and which terminals are web pages stay.
    """
    return msgspec.structs.replace(now, terminals=before.terminals) == before and [
        _place(terminal) for terminal in now.terminals
    ] == [_place(terminal) for terminal in before.terminals]


def _place(terminal: TerminalSettings) -> tuple[object, ...]:
    carrier = (is_bluetooth(terminal.port), terminal.adapter, is_web(terminal.port))
    return terminal.id, terminal.table, terminal.seats, terminal.language, carrier


def check_port(port: str) -> None:
    """Raise ValueError unless ``port`` is a device or a URL that can be opened."""
    if not port:
        raise ValueError("port: expected a device or a URL, got nothing")
    if port == WEB:
        return
    if "://" not in port:
        return
    if is_bluetooth(port):
        if not _ADDRESS.fullmatch(bluetooth_address(port)):
            raise ValueError(
                f"port: expected {BLUETOOTH} and an address such as "
                f"C0:FF:EE:00:12:34, got {port!r}"
            )
        return
    url = urlsplit(port)
    if url.scheme not in URL_SCHEMES:
        schemes = ", ".join(f"{scheme}://" for scheme in URL_SCHEMES)
        raise ValueError(
            f"port: expected a device, {schemes}, {BLUETOOTH} or {WEB}, got {port!r}"
        )
    try:
        complete = url.hostname and url.port
    except ValueError:
        complete = None
    if not complete:
        raise ValueError(f"port: expected {url.scheme}://HOST:PORT, got {port!r}")


def is_url(port: str) -> bool:
    """Whether a port is no device of this machine: TCP or Bluetooth LE."""
    return "://" in port


def is_serial(port: str) -> bool:
    """Whether a port is a serial one: of this machine, or of another (RFC 2217)."""
    return not is_url(port) or urlsplit(port).scheme == RFC2217


def is_bluetooth(port: str) -> bool:
    """Whether a port is reached over Bluetooth LE."""
    return port.startswith(BLUETOOTH)


def is_web(port: str) -> bool:
    """Whether a port is a browser's page that the daemon serves."""
    return port == WEB


def bluetooth_address(port: str) -> str:
    """The address in a Bluetooth LE port, in capital letters."""
    return port.removeprefix(BLUETOOTH).upper()


def is_beyond_this_machine(port: str) -> bool:
    """Whether a port leads over TCP or through the air to another machine."""
    return is_url(port) and not _is_loopback(urlsplit(port))


def _port_itself(terminal: TerminalSettings) -> str:
    """A port as it is the same however its address is written."""
    port = terminal.port
    if is_web(port):
        return f"{port}{terminal.id}"  # each has its own on the one server
    return BLUETOOTH + bluetooth_address(port) if is_bluetooth(port) else port


def _is_loopback(url: SplitResult) -> bool:
    host = url.hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_key(text: str) -> bool:
    return bool(_HEX.fullmatch(text)) and len(text) >= 2 * KEY_BYTES


def _check_unique(key: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"terminals: {key} {value} is given twice")
        seen.add(value)
