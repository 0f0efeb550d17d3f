"""Real brokers for the tests: the embedded nats-server, and Debian's Mosquitto.

Both are child processes on loopback, give each role its user and rights, and can be
killed and come back on the same port with the same store.
"""

import asyncio
import base64
import contextlib
import hashlib
import os
import secrets
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Protocol

from broker import BrokerSettings, EmbeddedBroker
from broker.access import Account
from broker.child import tied
from protocol.topics import Access, Role

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NO_MOSQUITTO = "Mosquitto is not installed: apt-get install mosquitto"


EVENT = "test"
"""The event whose topics the users may use."""

DAEMONS = ("d1", "d2")
"""The terminal daemons that have a user."""


class RunningBroker(Protocol):
    """What a test may do with a broker."""

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        """Address and credentials of a user."""

    async def kill(self) -> None:
        """End it with SIGKILL and wait until it serves again."""

    def pause(self) -> None:
        """Stop the process, so that it keeps its connections and says nothing."""

    def resume(self) -> None:
        """Let it go on."""


class NatsServer:
    """The embedded broker."""

    def __init__(self, embedded: EmbeddedBroker) -> None:
        self._embedded = embedded

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        return self._embedded.settings(role, daemon)

    async def kill(self) -> None:
        await self._embedded.kill()

    def pause(self) -> None:
        os.kill(self._embedded.pid, signal.SIGSTOP)

    def resume(self) -> None:
        os.kill(self._embedded.pid, signal.SIGCONT)


class Mosquitto:
    """Debian's Mosquitto, set up as a club would: passwords, access list, store."""

    def __init__(
        self,
        folder: Path,
        *,
        event: str,
        daemons: Sequence[str],
        tls: Sequence[str] = (),
    ) -> None:
        """Prepare; `tls` are further lines for the listener."""
        self._folder = folder
        self._event = event
        self._tls = tls
        accounts = [
            *(Account(role) for role in Role if role is not Role.DAEMON),
            *(Account(Role.DAEMON, daemon) for daemon in daemons),
        ]
        self._passwords = {account: secrets.token_urlsafe(24) for account in accounts}
        self._port = 0
        self._process: asyncio.subprocess.Process | None = None

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        account = Account(role, daemon)
        return BrokerSettings(
            port=self._port,
            username=account.username,
            password=self._passwords[account],
        )

    def prepare(self) -> None:
        """Choose the port and write the configuration."""
        self._port = free_port()
        self._write_configuration()

    async def start(self) -> None:
        """Start it and wait until it listens."""
        if not self._port:
            self.prepare()
        assert MOSQUITTO is not None
        self._process = await asyncio.create_subprocess_exec(
            *tied([MOSQUITTO, "-c", str(self._folder / "mosquitto.conf")]),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.close()
                await writer.wait_closed()
                return
            assert self._process.returncode is None, "Mosquitto does not start"
            await asyncio.sleep(0.01)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        await self._process.wait()

    async def kill(self) -> None:
        await self.stop(signal.SIGKILL)
        await self.start()

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _write_configuration(self) -> None:
        lines = [
            f"listener {self._port} 127.0.0.1",
            *self._tls,
            "user root",  # else, started as root, it could not read this folder
            "allow_anonymous false",
            f"password_file {self._folder}/passwords",
            f"acl_file {self._folder}/access",
            "persistence true",
            f"persistence_location {self._folder}/",
            # Written at every change, so that nothing is lost by SIGKILL.
            "autosave_on_changes true",
            "autosave_interval 1",
            "set_tcp_nodelay true",
            "max_queued_messages 10000",
        ]
        if os.getuid() != 0:
            lines.remove("user root")
        access = []
        for account in self._passwords:
            access.append(f"user {account.username}")
            for word, right in (("write", Access.PUBLISH), ("read", Access.SUBSCRIBE)):
                granted = account.granted(self._event, right)
                access += [f"topic {word} {topic}" for topic in granted]
        passwords = [
            f"{account.username}:{_hashed(password)}"
            for account, password in self._passwords.items()
        ]
        for name, content in (
            ("mosquitto.conf", lines),
            ("access", access),
            ("passwords", passwords),
        ):
            file = self._folder / name
            file.touch(mode=0o600)
            file.write_text("\n".join(content) + "\n")


@contextlib.asynccontextmanager
async def running_broker(
    kind: str, folder: Path, *, event: str = EVENT, daemons: Sequence[str] = DAEMONS
) -> AsyncIterator[RunningBroker]:
    """A broker of the kind `nats` or `mosquitto`, until the context closes."""
    if kind == "nats":
        async with EmbeddedBroker(folder, event=event, daemons=daemons) as embedded:
            yield NatsServer(embedded)
    else:
        mosquitto = Mosquitto(folder, event=event, daemons=daemons)
        await mosquitto.start()
        try:
            yield mosquitto
        finally:
            await mosquitto.stop()


def _hashed(password: str) -> str:
    """The password as `mosquitto_passwd` writes it."""
    rounds = 101
    salt = secrets.token_bytes(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds, 64)
    encoded = [base64.b64encode(part).decode() for part in (salt, key)]
    return f"$7${rounds}${encoded[0]}${encoded[1]}"


def free_port() -> int:
    """A TCP port of this machine that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
