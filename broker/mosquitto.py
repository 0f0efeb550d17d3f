"""What the files of a club's Mosquitto contain; `bidwire provision` writes them."""

import base64
import contextlib
import hashlib
import os
import pwd
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from broker.access import Account
from protocol.topics import Access

CONFIGURATION = "mosquitto.conf"
"""What ``mosquitto -c`` is given."""

PASSWORD_LIST = "passwords"  # noqa: S105 - the name of a file
ACCESS_LIST = "access"

ROUNDS = 101
"""Of PBKDF2, as `mosquitto_passwd` has it. Our passwords are random and long, so that
more rounds would only keep a small computer busy at each connect."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """PEM files of the broker's certificate (and what it leads to) and of its key."""

    certificate: Path
    key: Path


def files(
    folder: Path,
    *,
    event: str,
    port: int,
    certificate: Certificate | None,
    passwords: Mapping[Account, str],
) -> dict[str, str]:
    """The files that Mosquitto reads, by name.

    Args:
        folder: Where they will be, and where Mosquitto keeps its messages.
        event: The event whose topics its users may use.
        port: TCP port of the listener.
        certificate: For TLS on every address of the machine; None for a listener
            without TLS, which is on loopback only.
        passwords: Of each account.
    """
    return {
        CONFIGURATION: _text(_configuration(folder, port, certificate)),
        ACCESS_LIST: _text(_access_list(passwords, event)),
        PASSWORD_LIST: _text(
            f"{a.username}:{_hashed(p)}" for a, p in passwords.items()
        ),
    }


def _configuration(
    folder: Path, port: int, certificate: Certificate | None
) -> Iterator[str]:
    if certificate is None:
        yield f"listener {port} 127.0.0.1"
    else:
        yield f"listener {port}"
        yield f"certfile {certificate.certificate}"
        yield f"keyfile {certificate.key}"
    # Whom it becomes when root starts it: who may read the folder.
    with contextlib.suppress(KeyError):  # a user whom the system does not know
        yield f"user {pwd.getpwuid(os.geteuid()).pw_name}"
    yield "allow_anonymous false"
    yield f"password_file {folder / PASSWORD_LIST}"
    yield f"acl_file {folder / ACCESS_LIST}"
    yield "persistence true"
    yield f"persistence_location {folder}/"
    # Written at every change, so that nothing is lost by SIGKILL.
    yield "autosave_on_changes true"
    yield "autosave_interval 1"
    yield "set_tcp_nodelay true"
    yield "max_queued_messages 10000"


def _access_list(accounts: Iterable[Account], event: str) -> Iterator[str]:
    """What the contract's matrix grants (T5), and nothing else."""
    for account in accounts:
        yield f"user {account.username}"
        for word, right in (("write", Access.PUBLISH), ("read", Access.SUBSCRIBE)):
            for topic in account.granted(event, right):
                yield f"topic {word} {topic}"


def _hashed(password: str) -> str:
    """The password as `mosquitto_passwd` writes it."""
    salt = secrets.token_bytes(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS, 64)
    encoded = [base64.b64encode(part).decode() for part in (salt, key)]
    return f"$7${ROUNDS}${encoded[0]}${encoded[1]}"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
