"""Where the broker is and who we are there: what every daemon needs to connect."""

import ssl
from typing import Any

import msgspec

from broker.errors import CertificateError


class BrokerSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """The address of an MQTT 3.1.1 broker and one client's credentials.

    Attributes:
        host: Host name or address of the broker.
        port: TCP port of its MQTT listener.
        username: User name, or None for a broker that admits anonymous clients.
        password: The user's password.
        tls: Speak TLS to the broker and check its certificate and host name.
        ca_file: PEM file of the authority that signed the broker's certificate;
            None takes the system's authorities.
        certificate_file: PEM file of the client's certificate, where the broker asks
            for one.
        key_file: PEM file of its private key; None when the certificate file holds it.
        keepalive: Seconds of silence after which the client pings. A ping that is not
            answered within as many seconds again ends the connection.
    """

    host: str = "127.0.0.1"
    port: int = 1883
    username: str | None = None
    password: str | None = None
    tls: bool = False
    ca_file: str | None = None
    certificate_file: str | None = None
    key_file: str | None = None
    keepalive: int = 5

    def __post_init__(self) -> None:
        """Check what the types cannot.

        Raises:
            ValueError: A value is out of its range, or two of them contradict.
        """
        if not self.host:
            raise ValueError("host: expected a host name or an address, got nothing")
        if not 0 < self.port < 65536:
            raise ValueError(f"port: expected 1 to 65535, got {self.port}")
        if not 0 < self.keepalive < 65536:
            raise ValueError(
                f"keepalive: expected 1 to 65535 seconds, got {self.keepalive}"
            )
        if self.password is not None and self.username is None:
            raise ValueError("password: needs a username")
        if self.key_file is not None and self.certificate_file is None:
            raise ValueError("key_file: needs a certificate_file")
        if not self.tls and (self.ca_file or self.certificate_file):
            raise ValueError("ca_file, certificate_file: need tls = true")

    def ssl_context(self) -> ssl.SSLContext | None:
        """The TLS context that these settings ask for, or None without TLS.

        Raises:
            CertificateError: A file cannot be read, or is no certificate or key.
        """
        if not self.tls:
            return None
        try:
            context = ssl.create_default_context(cafile=self.ca_file)
        except OSError as error:
            raise CertificateError(
                f"ca_file: {self.ca_file}: expected a PEM file of certificates, "
                f"got: {error.strerror}"
            ) from error
        if self.certificate_file is not None:
            try:
                context.load_cert_chain(self.certificate_file, self.key_file)
            except OSError as error:
                raise CertificateError(
                    f"certificate_file, key_file: {self.certificate_file}, "
                    f"{self.key_file}: expected PEM files of a certificate and its "
                    f"key, got: {error.strerror}"
                ) from error
        return context

    def __str__(self) -> str:
        """The address as people write it; never the password."""
        scheme = "mqtts" if self.tls else "mqtt"
        user = f"{self.username}@" if self.username else ""
        return f"{scheme}://{user}{self.host}:{self.port}"

    def __repr__(self) -> str:
        """The same, since a traceback or a log must not show the password either."""
        return f"BrokerSettings({str(self)!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for rich."""
        return [("address", str(self))]
