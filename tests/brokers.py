"""Real brokers for the tests: the embedded nats-server, and Debian's Mosquitto.

Both are child processes on loopback, give each role its user and rights, and can be
killed and come back on the same port with the same store.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Protocol

from broker import BrokerSettings, EmbeddedBroker
from broker.access import Account, new_passwords
from broker.child import tied
from broker.mosquitto import CONFIGURATION, Certificate, files
from protocol.topics import Role

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
    """Debian's Mosquitto, set up as `bidwire provision` does it for a club."""

    def __init__(
        self,
        folder: Path,
        *,
        event: str,
        daemons: Sequence[str],
        certificate: Certificate | None = None,
    ) -> None:
        self._folder = folder
        self._event = event
        self._certificate = certificate
        self._passwords = new_passwords(daemons)
        self._port = 0
        self._process: MosquittoProcess | None = None

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
        contents = files(
            self._folder,
            event=self._event,
            port=self._port,
            certificate=self._certificate,
            passwords=self._passwords,
        )
        for name, text in contents.items():
            file = self._folder / name
            file.touch(mode=0o600)
            file.write_text(text)

    async def start(self) -> None:
        """Start it and wait until it listens."""
        if not self._port:
            self.prepare()
        self._process = MosquittoProcess(self._folder / CONFIGURATION, self._port)
        await self._process.start()

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        assert self._process is not None
        await self._process.stop(how)

    async def kill(self) -> None:
        await self.stop(signal.SIGKILL)
        await self.start()

    def pause(self) -> None:
        assert self._process is not None
        self._process.signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.signal(signal.SIGCONT)


class MosquittoProcess:
    """A Mosquitto that serves a configuration file."""

    def __init__(self, file: Path, port: int) -> None:
        """Prepare; `port` is that of the file's listener."""
        self._file = file
        self._port = port
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it listens."""
        assert MOSQUITTO is not None
        self._process = await asyncio.create_subprocess_exec(
            *tied([MOSQUITTO, "-c", str(self._file)]),
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
        """End it and wait until it has ended."""
        self.signal(how)
        assert self._process is not None
        await self._process.wait()

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


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


def free_port() -> int:
    """A TCP port of this machine that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
