"""Where web terminals are served, and at which address a tablet finds that."""

import ipaddress
import socket
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from broker.settings_file import SettingsError

LISTEN = "0.0.0.0:8471"
"""Every network of this machine: a tablet has to reach it."""

Address = Annotated[
    str,
    Meta(
        pattern=r"^\S+:[1-9][0-9]{0,4}\Z",
        description=f"an IP address and a port, {LISTEN}",
    ),
]
"""Address and port, ``0.0.0.0:8471`` or ``[::]:8471``."""


class WebServerError(SettingsError):
    """Nothing can be served at the address."""


class WebSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """The server of a daemon's web terminals."""

    codes: str
    """File of the join codes that the daemon has made, for its owner's eyes only."""
    listen: Address = LISTEN
    url: str | None = None
    """How tablets reach it, without a path's last slash; None is this machine's own
    address in its network."""
    tls_cert: str | None = None
    """Certificate chain, PEM; without one the pages come over plain HTTP."""
    tls_key: str | None = None

    def __post_init__(self) -> None:
        check_web(self.listen, self.url, self.tls_cert, self.tls_key)

    @property
    def place(self) -> tuple[str, int]:
        """Host and port to listen at."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def base(self) -> str:
        """What a join address begins with."""
        if self.url is not None:
            return self.url.rstrip("/")
        host, port = self.place
        if ipaddress.ip_address(host).is_unspecified:
            host = _own_address()
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self.tls_cert else 'http'}://{shown}:{port}"


def check_web(
    listen: str, url: str | None, tls_cert: str | None, tls_key: str | None
) -> None:
    """Raise ValueError, which begins with the key, unless these go together."""
    host, _, port = listen.rpartition(":")
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        raise ValueError(f"listen: expected an IP address, got {host!r}") from None
    if int(port) > 65535:
        raise ValueError(f"listen: expected a port up to 65535, got {port}")
    if url is not None:
        _check_url(url)
    if (tls_cert is None) != (tls_key is None):
        missing = "tls_key" if tls_key is None else "tls_cert"
        raise ValueError(f"{missing}: expected beside the other of tls_cert, tls_key")


def _check_url(url: str) -> None:
    expected = f"url: expected http:// or https:// and a host, got {url!r}"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ValueError(expected) from None
    is_plain = url.isprintable() and " " not in url
    if parts.scheme not in {"http", "https"} or not parts.hostname or not is_plain:
        raise ValueError(expected)
    if parts.query or parts.fragment:
        raise ValueError(f"url: expected no ? and no #, got {url!r}")


def _own_address() -> str:
    """The address by which this machine goes out; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        own: str = probe.getsockname()[0]
        return own
