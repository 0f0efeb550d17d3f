"""What the desk is told: the event, where it listens, who may log in."""

import ipaddress
import ssl
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from broker.settings import BrokerSettings
from broker.settings_file import SettingsError, check_log_level
from protocol.payloads import Name

LISTEN = "127.0.0.1:8470"
"""Where the desk listens unless it is told: this machine only."""

USERS_FILE = "bidwire.users.json"
"""The users file unless it is told."""

Listen = Annotated[
    str,
    Meta(
        pattern=r"^(\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):[1-9][0-9]{0,4}\Z",
        description=f"an address and a port, {LISTEN}",
    ),
]
"""Address and port, ``127.0.0.1:8470`` or ``[::1]:8470``."""


class Security(StrEnum):
    """How browsers reach the desk."""

    OPEN = "open"
    """Over HTTP: whoever is on the network reads passwords."""
    TLS = "tls"


class DeskError(SettingsError):
    """The desk cannot serve as it is told: names the key, and what was expected."""


class DeskOptions(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """All but the broker."""

    event: Name
    """The event, first level of every topic."""
    users_file: str
    listen: Listen = LISTEN
    hosts: tuple[str, ...] = ()
    """Names by which browsers reach the desk, beside addresses, ``localhost`` and
    this machine's own name."""
    tls_cert: str | None = None
    """PEM file of the certificate, with those that sign it."""
    tls_key: str | None = None
    """PEM file of its key; None when the certificate file holds it."""
    security: Security = Security.TLS
    """Beyond this machine the desk speaks TLS, unless ``open`` is written out."""
    log_level: str = "INFO"

    def __post_init__(self) -> None:
        check_log_level(self.log_level)
        if not 0 < self.port < 65536:
            raise ValueError(f"listen: expected a port up to 65535, got {self.port}")
        if self.tls_key is not None and self.tls_cert is None:
            raise ValueError("tls_key: needs a tls_cert")
        if self.tls_cert is not None and self.security is Security.OPEN:
            raise ValueError('security: expected either "open" or a tls_cert, got both')
        is_open = self.security is Security.OPEN
        if self.tls_cert is None and not is_open and not self.is_local:
            raise ValueError(
                f"tls_cert: expected a certificate to listen at {self.listen}, which"
                ' others reach (or security "open", written out)'
            )

    @property
    def host(self) -> str:
        """The address to listen at, without brackets."""
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port to listen at."""
        return int(self.listen.rpartition(":")[2])

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches the desk."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def url(self) -> str:
        """Where the desk is, for a browser on this machine."""
        everywhere = self.host in {"0.0.0.0", "::"}  # noqa: S104 - compared only
        address = f"127.0.0.1:{self.port}" if everywhere else self.listen
        return f"{'https' if self.tls_cert else 'http'}://{address}/"

    def check_files(self) -> None:
        """Raise DeskError when the certificate cannot be used."""
        if self.tls_cert is None:
            return
        try:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.tls_cert, self.tls_key)
        except OSError as error:
            raise DeskError(
                f"tls_cert, tls_key: {self.tls_cert}, {self.tls_key}: expected PEM"
                f" files of a certificate and its key, got: {error.strerror}"
            ) from None


class DeskSettings(DeskOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that ``python -m desk`` reads."""

    broker: BrokerSettings
    """The broker, and the Director's credentials there."""
