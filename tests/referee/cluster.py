"""Real NATS servers for the journal: one by itself, or a cluster of three."""

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Self

from nats.aio.client import Client
from nats.errors import Error as NatsError

from broker import BrokerSettings
from broker.child import tied
from broker.embedded import find_nats_server
from protocol.topics import Role
from referee.journal_nats import stream_name
from referee.settings import StreamSettings


class Node:
    """A server, with its MQTT gateway: a broker that a hall may use too."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.port, self.mqtt_port, self.route_port = _free_ports(3)
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def configure(self, routes: list[str], **more: object) -> None:
        """Write its configuration; without routes it stands by itself."""
        configuration: dict[str, object] = {
            "server_name": self.name,
            "host": "127.0.0.1",
            "port": self.port,
            "jetstream": {"store_dir": str(self._folder / self.name)},
            "mqtt": {
                "host": "127.0.0.1",
                "port": self.mqtt_port,
                "ack_wait": "1s",
                "js_api_timeout": "2s",
            },
            **more,
        }
        if routes:
            configuration["cluster"] = {
                "name": "hall",
                "host": "127.0.0.1",
                "port": self.route_port,
                "routes": routes,
            }
        path = self._folder / f"{self.name}.json"
        path.write_text(json.dumps(configuration), encoding="utf-8")

    async def start(self) -> None:
        program, path = str(find_nats_server()), self._folder / f"{self.name}.json"
        with (self._folder / f"{self.name}.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *tied([program, "-c", str(path)]),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(how)
            await self._process.wait()

    # -- as the broker of a hall ------------------------------------------------------

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        del role, daemon  # everybody may do everything here
        return BrokerSettings(port=self.mqtt_port)

    async def kill(self) -> None:
        await self.stop()
        await self.start()

    def pause(self) -> None:
        """Stop it; returns when all its threads stand still."""
        os.kill(self.pid, signal.SIGSTOP)
        while any(state != "T" for state in self._states()):
            os.sched_yield()

    def _states(self) -> list[str]:
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        told = ((task / "stat").read_text() for task in tasks)
        return [text.rpartition(")")[2].split()[0] for text in told]

    def resume(self) -> None:
        os.kill(self.pid, signal.SIGCONT)


@contextlib.asynccontextmanager
async def running(folder: Path, count: int) -> AsyncIterator[list[Node]]:
    """One server, or a cluster, that can keep a stream."""
    nodes = [Node(folder, f"n{number}") for number in range(1, count + 1)]
    routes = [f"nats-route://127.0.0.1:{node.route_port}" for node in nodes]
    for node in nodes:
        node.configure(routes if count > 1 else [])
    try:
        for node in nodes:
            await node.start()
        await _ready(nodes)
        yield nodes
    finally:
        for node in nodes:
            await node.stop()


def stream_settings(nodes: list[Node], **more: object) -> StreamSettings:
    """How a referee reaches them; a lease as short as the settings allow."""
    values = {
        "servers": tuple(node.url for node in nodes),
        "replicas": len(nodes),
        "lease_s": 1.0,
        **more,
    }
    return StreamSettings(**values)  # type: ignore[arg-type]


class Cable:
    """A way to a server that can be cut, and mended."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self.whole = True

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"nats://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        assert self._server is not None
        self._server.close()

    def cut(self) -> None:
        """What is under way is lost, and nobody comes through any more."""
        self.whole = False
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    def mend(self) -> None:
        self.whole = True

    async def _connect(
        self, near: asyncio.StreamReader, back: asyncio.StreamWriter
    ) -> None:
        if not self.whole:
            back.close()
            return
        far, there = await asyncio.open_connection("127.0.0.1", self._node.port)
        self._writers += [back, there]
        await asyncio.gather(_copy(near, there), _copy(far, back))


class Switch:
    """One address of the cluster's MQTT gateways: it leads to one that lives."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._server: asyncio.Server | None = None

    def settings(self, role: Role, daemon: str = "") -> BrokerSettings:
        del role, daemon  # everybody may do everything here
        assert self._server is not None
        return BrokerSettings(port=self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _connect(
        self, near: asyncio.StreamReader, back: asyncio.StreamWriter
    ) -> None:
        for node in self._nodes:
            with contextlib.suppress(OSError):
                far, there = await asyncio.open_connection("127.0.0.1", node.mqtt_port)
                await asyncio.gather(_copy(near, there), _copy(far, back))
                return
        back.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
    writer.close()


@contextlib.asynccontextmanager
async def client_of(nodes: list[Node]) -> AsyncIterator[Client]:
    """A client of our own."""
    client = Client()

    async def on_error(_error: Exception) -> None:
        pass

    await client.connect(
        [node.url for node in nodes],
        error_cb=on_error,
        reconnect_time_wait=0,
        max_reconnect_attempts=-1,
    )
    try:
        yield client
    finally:
        await client.close()


async def leader_of(client: Client, nodes: list[Node], event: str) -> Node:
    """The server that leads the journal's stream, as soon as one does."""
    while True:
        assert not client.is_closed
        with contextlib.suppress(NatsError):
            info = await client.jetstream(timeout=1).stream_info(stream_name(event))
            if info.cluster is not None and info.cluster.leader:
                return next(n for n in nodes if n.name == info.cluster.leader)
        await asyncio.sleep(0.05)


async def _ready(nodes: list[Node]) -> None:
    """Wait until a stream with a replica on each server can be made."""
    async with client_of(nodes) as client:
        context = client.jetstream(timeout=1)
        while True:
            try:
                await context.add_stream(
                    name="ready", subjects=["ready"], num_replicas=len(nodes)
                )
                await context.delete_stream("ready")
            except NatsError:
                await asyncio.sleep(0.05)
            else:
                return


def _free_ports(count: int) -> list[int]:
    """Ports that nobody has now; all at once, so that no two are the same."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
