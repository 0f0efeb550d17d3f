"""``bidwire provision``: the files of a Mosquitto for an event."""

import ipaddress
import json
import ssl
from dataclasses import dataclass
from pathlib import Path

from bidwire.children import write_private_bytes
from bidwire.event_file import BROKER_USERS, read_event_file
from bidwire.event_settings import DAEMON
from broker.access import Account, new_passwords
from broker.errors import CertificateError
from broker.mosquitto import Certificate, files
from broker.settings import BrokerSettings
from protocol.topics import Role

PRIVATE = 0o700
"""Mode of a folder that only its owner may enter."""


class ProvisionError(ValueError):
    """An option, or a file or folder that it names, is wrong: which, and what for."""


@dataclass(frozen=True, slots=True)
class Listener:
    """How the broker is to be reached, as the options say it.

    Attributes:
        host: name or address that the clients connect to.
        port: TCP port; None is MQTT's own.
        cert: PEM file of the broker's certificate.
        key: PEM file of its private key.
        ca: PEM file of the authority; None is one of the system's.
        tls: whether it speaks TLS.
    """

    host: str
    port: int | None
    cert: Path | None
    key: Path | None
    ca: Path | None
    tls: bool


def provision_broker(
    event_file: Path, folder: Path, listener: Listener, *, force: bool
) -> str:
    """Write the files; returns the ``[broker]`` section for the event file.

    Args:
        event_file: its event's topics are granted.
        folder: where the files go.
        listener: how the broker is to be reached.
        force: write over files that are there; every password is new.

    Raises:
        EventFileError: the event file is wrong.
        ProvisionError: something else is.
    """
    event = read_event_file(event_file).event.id
    port = listener.port or (8883 if listener.tls else 1883)
    ca_file = str(listener.ca) if listener.ca and listener.tls else None
    try:
        settings = BrokerSettings(
            host=listener.host, port=port, tls=listener.tls, ca_file=ca_file
        )
    except ValueError as error:
        raise ProvisionError(f"--{error}") from None
    certificate = _certificate(listener, settings)
    passwords = new_passwords((DAEMON,))
    folder = folder.absolute()
    contents = files(
        folder, event=event, port=port, certificate=certificate, passwords=passwords
    )
    for account, password in passwords.items():
        contents[_password_file(account)] = f"{password}\n"
    _write(folder, contents, force=force)
    return _section(event_file.absolute().parent, folder, listener, port)


def _password_file(account: Account) -> str:
    return f"{account.username}.password"


def _write(folder: Path, contents: dict[str, str], *, force: bool) -> None:
    """Write all files, or none when one is there that must stay."""
    try:
        folder.mkdir(mode=PRIVATE, exist_ok=True)
        mode = folder.stat().st_mode & 0o777
        if mode & ~PRIVATE:
            raise ProvisionError(
                f"{folder}: expected a folder that only its owner may enter"
                f" (chmod 700), got mode {mode:o}"
            )
        there = [name for name in contents if (folder / name).exists()]
        if there and not force:
            raise ProvisionError(
                f"{folder}: {', '.join(there)}: already there; --force writes over"
                " them, and then every password is new"
            )
        for name, text in contents.items():
            write_private_bytes(folder / name, text.encode())
    except OSError as error:
        raise ProvisionError(
            f"{error.filename or folder}: expected a folder that can be written, got:"
            f" {error.strerror}"
        ) from None


def _certificate(listener: Listener, settings: BrokerSettings) -> Certificate | None:
    """The certificate of a listener with TLS, tried out."""
    given = [
        name
        for name, file in (
            ("--cert", listener.cert),
            ("--key", listener.key),
            ("--ca", listener.ca),
        )
        if file is not None
    ]
    try:
        client = settings.ssl_context()
    except CertificateError as error:
        told = str(error).replace("ca_file: ", "--ca ", 1)
        raise ProvisionError(told) from None
    if client is None:
        if given:
            raise ProvisionError(f"expected {given[0]} or --no-tls, got both")
        if not _is_loopback(listener.host):
            raise ProvisionError(
                "--host: expected this machine (127.0.0.1 or localhost) with --no-tls,"
                f" got {listener.host!r}: without TLS passwords could be overheard"
            )
        return None
    if listener.cert is None or listener.key is None:
        raise ProvisionError(
            "expected --cert FILE and --key FILE, or --no-tls for this machine only"
        )
    certificate = Certificate(listener.cert.absolute(), listener.key.absolute())
    _try_out(certificate, client, settings)
    return certificate


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host) == ipaddress.ip_address("127.0.0.1")
    except ValueError:
        return host == "localhost"


def _try_out(
    certificate: Certificate, client: ssl.SSLContext, settings: BrokerSettings
) -> None:
    """Let broker and client shake hands in memory, as they will over the network."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        server.load_cert_chain(
            certificate.certificate,
            certificate.key,
            password=lambda: _raise_needs_passphrase(certificate.key),
        )
    except OSError as error:
        raise ProvisionError(
            f"--cert {certificate.certificate}, --key {certificate.key}: expected PEM"
            f" files of a certificate and its key, got: {error.strerror}"
        ) from None
    try:
        shake_hands(server, client, settings.host)
    except (ssl.SSLError, ValueError) as error:
        why = getattr(error, "verify_message", None) or error
        signer = settings.ca_file or "one of the system's authorities"
        raise ProvisionError(
            f"--cert {certificate.certificate}: expected a certificate for --host"
            f" {settings.host} that {signer} has signed, got: {why}"
        ) from None


def _raise_needs_passphrase(key: Path) -> str:
    raise ProvisionError(
        f"--key {key}: expected a key without a passphrase, which nobody could type"
        " when the broker starts by itself"
    )


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, host: str) -> None:
    """Open TLS between two ends in memory.

    Raises:
        ssl.SSLError: the client does not trust the server.
        ValueError: no certificate can be for this host.
    """
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_hostname=host),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    while ends:
        for end in tuple(ends):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            ends.remove(end)


def _section(near: Path, folder: Path, listener: Listener, port: int) -> str:
    """The ``[broker]`` section of an event file in the folder `near`."""

    def named(file: Path) -> str:
        short = file.relative_to(near) if file.is_relative_to(near) else file
        return _quoted(str(short))

    lines = ["[broker]", f"host = {_quoted(listener.host)}", f"port = {port}"]
    if listener.tls:
        lines.append("tls = true")
        if listener.ca is not None:
            lines.append(f"ca_file = {named(listener.ca.absolute())}")
    for role in BROKER_USERS:
        account = Account(Role(role), DAEMON if role == Role.DAEMON else "")
        lines.append(f"{role}_user = {_quoted(account.username)}")
        file = named(folder / _password_file(account))
        lines.append(f"{role}_password_file = {file}")
    return "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    """A TOML basic string, whose escapes are JSON's."""
    return json.dumps(text, ensure_ascii=False)
