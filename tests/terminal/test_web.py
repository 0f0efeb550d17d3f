"""Web terminals at the daemon's server: who may join, and who may not."""

import asyncio
import contextlib
import json
import secrets
import ssl
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from broker.settings import BrokerSettings
from laws.board import Edition
from laws.seats import SEATS, Seat
from protocol.daemon_link import DaemonLink
from protocol.limits import NONCE_BYTES, OUTBOX_MAX
from protocol.link import State
from protocol.pairing import key_of_code
from protocol.payloads import Phase, TableState
from protocol.store import MemoryStore
from protocol.terminal_link import Identity, TerminalLink
from terminal.settings import WEB, DaemonSettings, Security, TerminalSettings
from terminal.web.carrier import WebCarrier
from terminal.web.codes import CodesError, join_codes
from terminal.web.connection import CloseCode
from terminal.web.joining import join_address, with_codes
from terminal.web.rate import FAILURES_MAX, WINDOW_S, JoinLimit
from terminal.web.server import WebServer
from terminal.web.settings import WebServerError, WebSettings
from tests.brokers import free_port
from tests.certificates import self_signed, trusting
from tests.connections import ONE, OTHER, Silent, answered

CODE = "7ZK3Q0M1WX"
SUBPROTOCOLS = [Subprotocol("bidwire.1")]


def nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def settings(folder: Path, number: int, /, **terminal: Any) -> DaemonSettings:  # noqa: ANN401 - any setting of a terminal
    one = {"id": "t1-n", "port": WEB, "table": "t1", "seats": SEATS, "key": CODE}
    return DaemonSettings(
        event="test",
        daemon="d1",
        broker=BrokerSettings(),
        web=WebSettings(codes=str(folder / "codes"), listen=f"127.0.0.1:{number}"),
        terminals=(TerminalSettings(**{**one, **terminal}),),
    )


def state(**facts: Any) -> TableState:  # noqa: ANN401 - any of the payload
    edition, phase = Edition.LAWS_2017, Phase.AUCTION
    return TableState(session="r1", epoch=1, edition=edition, phase=phase, **facts)


class Port(asyncio.Protocol):
    """The daemon's side of a terminal's port: a link that answers."""

    def __init__(self) -> None:
        self.link = DaemonLink(nonce, key=key_of_code(CODE, "t1-n"))
        self.lost = asyncio.Event()
        self.up = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.link.opened(0)
        transport.write(self.link.data_to_send())

    def data_received(self, data: bytes) -> None:
        self.link.receive_data(data, 0)
        self.transport.write(self.link.data_to_send())
        if self.link.state is State.UP:
            self.up.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        self.lost.set()


class Server:
    """A daemon's web carrier, served.

    Args:
        folder: for the join codes.
        files: of its certificate and key, where it has them.
    """

    def __init__(self, folder: Path, **files: str) -> None:
        self.port = free_port()
        self.scheme = "wss" if files else "ws"
        self.settings = settings(folder, self.port)
        assert self.settings.web is not None
        web = msgspec.structs.replace(self.settings.web, **files)
        self.settings = msgspec.structs.replace(self.settings, web=web)
        self.intruders: list[tuple[str, str]] = []
        self.carrier = WebCarrier(
            self.settings, nonce, lambda *told: self.intruders.append(told)
        )

    async def open(self) -> Port:
        port = Port()
        await self.carrier.open(self.settings.terminals[0], port)
        return port

    async def connect(
        self,
        query: str = "terminal=t1-n",
        **options: Any,  # noqa: ANN401 - of `connect`
    ) -> ClientConnection:
        options.setdefault("subprotocols", SUBPROTOCOLS)
        address = f"{self.scheme}://127.0.0.1:{self.port}/terminal?{query}"
        return await connect(address, compression=None, **options)


@contextlib.asynccontextmanager
async def serving(folder: Path, **files: str) -> AsyncIterator[Server]:
    """A server, until the context closes; as ``Server`` takes them."""
    running = Server(folder, **files)
    task = asyncio.create_task(running.carrier.run())
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.close()
            break
        assert not task.done(), "it does not serve"
        await asyncio.sleep(0)
    try:
        yield running
    finally:
        task.cancel()
        await asyncio.wait({task})


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(tmp_path) as running:
        yield running


def a_link(code: str = CODE) -> TerminalLink:
    identity = Identity(serial="web-1", seats=SEATS)
    return TerminalLink(identity, MemoryStore(7), nonce, key_of_code(code, "t1-n"))


async def join(socket: ClientConnection, link: TerminalLink) -> None:
    """Speak as a terminal until the link is up, refused, or the socket closed."""
    link.opened(0)
    with contextlib.suppress(ConnectionClosed):
        while link.state is State.OPENING:
            data = link.data_to_send()
            if data:
                await socket.send(data)
            received = await socket.recv()
            assert isinstance(received, bytes)
            link.receive_data(received, 0)


async def closed(socket: ClientConnection) -> int:
    """The code with which the daemon closes it."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.recv()
    assert socket.close_code is not None
    return socket.close_code


async def test_who_knows_the_code_becomes_the_port(server: Server) -> None:
    opening = asyncio.create_task(server.open())
    async with await server.connect() as socket:
        link = a_link()
        await join(socket, link)
        assert link.state is State.UP
        port = await opening
        await port.up.wait()
    await port.lost.wait()
    assert server.intruders == []


async def test_who_does_not_know_it_is_refused_and_disturbs_nobody(
    server: Server,
) -> None:
    opening = asyncio.create_task(server.open())
    async with await server.connect() as good, await server.connect() as bad:
        await join(good, a_link())
        port = await opening
        wrong = a_link("0000000000")
        await join(bad, wrong)
        assert wrong.state is State.REFUSED
        assert await closed(bad) == CloseCode.REFUSED
        assert not port.lost.is_set()
    [(terminal, told)] = server.intruders
    assert terminal == "t1-n"
    assert "127.0.0.1" in told


async def test_a_second_one_takes_the_place_of_the_first(server: Server) -> None:
    first = asyncio.create_task(server.open())
    async with await server.connect() as one, await server.connect() as other:
        await join(one, a_link())
        port = await first
        second = asyncio.create_task(server.open())
        link = a_link()
        await join(other, link)
        assert link.state is State.UP
        assert await closed(one) == CloseCode.REPLACED
        await port.lost.wait()
        await (await second).up.wait()


async def test_who_proved_the_code_of_before_has_to_prove_the_new_one(
    tmp_path: Path, server: Server
) -> None:
    opening = asyncio.create_task(server.open())
    async with await server.connect() as before:
        await join(before, a_link())
        port = await opening
        server.carrier.take_up(settings(tmp_path, server.port, key="0000000000"))
        assert await closed(before) == CloseCode.REFUSED
        await port.lost.wait()
    async with await server.connect() as again, await server.connect() as new:
        await join(again, a_link())
        assert await closed(again) == CloseCode.REFUSED
        second = asyncio.create_task(server.open())
        await join(new, a_link("0000000000"))
        await second


async def test_an_address_that_keeps_failing_is_not_heard(server: Server) -> None:
    for _ in range(FAILURES_MAX):
        async with await server.connect("terminal=nobody") as socket:
            assert await closed(socket) == CloseCode.NO_SUCH_TERMINAL
    async with await server.connect() as socket:
        assert await closed(socket) == CloseCode.TOO_MANY_FAILURES


def test_failures_are_forgotten_after_a_while() -> None:
    limit = JoinLimit()
    for _ in range(FAILURES_MAX):
        limit.failed("10.0.0.7", 1.0)
    assert limit.must_wait("10.0.0.7", 1.0 + WINDOW_S - 0.1)
    assert not limit.must_wait("10.0.0.8", 2.0)
    assert not limit.must_wait("10.0.0.7", 1.0 + WINDOW_S)


@pytest.mark.parametrize(
    "options",
    [
        {"origin": Origin("http://elsewhere.test")},
        {"origin": Origin("http://[")},
        {"subprotocols": None},
    ],
    ids=["a page of another server", "no address", "no subprotocol"],
)
async def test_who_is_no_terminal_is_not_let_in(
    server: Server, options: dict[str, Any]
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await server.connect(**options)
    assert refused.value.response.status_code == 403


async def test_behind_a_proxy_each_tablet_has_tries_of_its_own(server: Server) -> None:
    """Else one that mistypes its code would keep all others out."""
    mistaken = {"x-forwarded-for": "10.0.0.7"}
    for _ in range(FAILURES_MAX):
        async with await server.connect(
            "terminal=nobody", additional_headers=mistaken
        ) as socket:
            assert await closed(socket) == CloseCode.NO_SUCH_TERMINAL
    async with await server.connect(additional_headers=mistaken) as socket:
        assert await closed(socket) == CloseCode.TOO_MANY_FAILURES
    opening = asyncio.create_task(server.open())
    async with await server.connect(
        additional_headers={"x-forwarded-for": "10.0.0.8"}
    ) as socket:
        link = a_link()
        await join(socket, link)
        assert link.state is State.UP
        await opening


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slowly: ",
        b"GET /hash.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET",
    ],
    ids=["nothing", "the beginning of a head", "a request, and another's beginning"],
)
async def test_who_never_comes_to_the_end_of_a_request_has_to_go(
    server: Server, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr("broker.web_requests.REQUEST_S", 0.05)
    async with await server.connect() as connected:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(begun)
        await reader.read()
        writer.close()
        opening = asyncio.create_task(server.open())
        link = a_link()
        await join(connected, link)  # a WebSocket may be silent for longer
        assert link.state is State.UP
        await opening


async def test_who_opens_too_many_connections_takes_nothing_from_others(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.web_requests.REQUEST_S", 600)
    monkeypatch.setattr("broker.web_server.ADDRESS_MAX", 2)
    opening = asyncio.create_task(server.open())
    async with await server.connect(local_addr=(ONE, 0)) as socket:
        await join(socket, a_link())
        await opening
        async with Silent(server.port, ONE) as silent:
            assert await answered(server.port, ONE) == b""
            assert b"200 OK" in await answered(server.port, OTHER)
            server.carrier.show("t1", state(number=7, turn=Seat.NORTH))
            while not isinstance(await socket.recv(), str):
                pass  # what a terminal reads
            assert b"200 OK" in await silent.answer()
        while not await answered(server.port, ONE):
            pass  # the server has not noticed yet that one is gone


async def test_no_tablet_hears_of_what_the_table_may_not_know(server: Server) -> None:
    """A silent call for the Director counts in the journal, and changes nothing."""
    opening = asyncio.create_task(server.open())
    async with await server.connect() as socket:
        await join(socket, a_link())
        await opening
        for number, turn in ((7, Seat.NORTH), (8, Seat.NORTH), (9, Seat.EAST)):
            server.carrier.show("t1", state(number=number, turn=turn))
        told: list[dict[str, Any]] = []
        while len(told) < 2:
            received = await socket.recv()
            if isinstance(received, str):
                told.append(json.loads(received))
    assert [each["turn"] for each in told] == ["N", "E"]
    assert {each["number"] for each in told} == {0}


async def test_its_own_page_may_connect(server: Server) -> None:
    origin = Origin(f"http://127.0.0.1:{server.port}")
    async with await server.connect(origin=origin) as socket:
        assert socket.subprotocol == SUBPROTOCOLS[0]


async def test_a_message_that_is_too_long_ends_the_connection(server: Server) -> None:
    async with await server.connect() as socket:
        await socket.send(bytes(OUTBOX_MAX + 1))
        assert await closed(socket) == websockets.frames.CloseCode.MESSAGE_TOO_BIG


async def test_the_page_tells_the_browser_to_trust_nothing_else(
    server: Server,
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    host = f"127.0.0.1:{server.port}"
    writer.write(
        f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
    )
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    assert "default-src 'none'" in head
    assert "unsafe" not in head
    assert "<script>" not in body
    assert "style=" not in body


async def test_an_address_that_is_taken_is_told(tmp_path: Path, server: Server) -> None:
    web = WebSettings(codes=str(tmp_path / "c"), listen=f"127.0.0.1:{server.port}")

    async def nobody(_connection: object, _terminal: str) -> None:
        raise AssertionError

    with pytest.raises(WebServerError, match=r"web\.listen: 127.*in use"):
        await WebServer(web, {}, nobody).run()


async def test_files_that_are_no_certificate_are_told(tmp_path: Path) -> None:
    files = {"tls_cert": str(tmp_path / "chain"), "tls_key": str(tmp_path / "key")}
    server = Server(tmp_path, **files)
    with pytest.raises(WebServerError, match=r"tls_key: .*chain.*key: expected PEM"):
        await server.carrier.run()


async def test_a_tablet_joins_over_an_encrypted_connection(tmp_path: Path) -> None:
    files = self_signed(tmp_path)
    async with serving(tmp_path, **files) as server:
        opening = asyncio.create_task(server.open())
        with pytest.raises(ssl.SSLCertVerificationError):
            await server.connect()
        async with await server.connect(ssl=trusting(files)) as socket:
            link = a_link()
            await join(socket, link)
            assert link.state is State.UP
            await (await opening).up.wait()


def test_codes_are_made_once_and_kept_for_their_owner(tmp_path: Path) -> None:
    path = tmp_path / "codes.json"
    first = join_codes(path, ["t1-n"])
    both = join_codes(path, ["t1-n", "t1-s"])
    assert both["t1-n"] == first["t1-n"]
    assert both["t1-n"] != both["t1-s"]
    assert json.loads(path.read_text()) == both
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_holds_no_codes_is_told(tmp_path: Path) -> None:
    path = tmp_path / "codes.json"
    path.write_text('{"t1-n": "short"}')
    with pytest.raises(CodesError, match=r"codes\.json: join codes: expected"):
        join_codes(path, ["t1-n"])


def test_the_join_address_has_terminal_and_code(tmp_path: Path) -> None:
    given = settings(tmp_path, 8471)
    (terminal,) = given.terminals
    assert join_address(given, terminal) == f"http://127.0.0.1:8471/#t1-n-{CODE}"
    made = with_codes(settings(tmp_path, 8471, key=None))
    (terminal,) = made.terminals
    assert terminal.key is not None
    assert join_address(made, terminal).endswith(f"/#t1-n-{terminal.key}")


@pytest.mark.parametrize(
    ("terminal", "told"),
    [
        ({"key": "00" * 16}, "key: expected a join code of 10"),
        ({"security": Security.OPEN}, "security: expected paired"),
        ({"port": "web://here"}, "port: expected a device"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_web_terminal_that_cannot_be_one_is_told(
    tmp_path: Path, terminal: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        settings(tmp_path, 8471, **terminal)


@pytest.mark.parametrize(
    ("web", "told"),
    [
        ({"listen": "tablet.test:80"}, "listen: expected an IP address"),
        ({"listen": "127.0.0.1:99999"}, "listen: expected a port up to"),
        ({"url": "tablet.test"}, "url: expected http"),
        ({"url": "http://[tablet"}, "url: expected http"),
        ({"url": "http://tablet.test:x"}, "url: expected http"),
        ({"url": "http://my tablet"}, "url: expected http"),
        ({"url": "http://tablet.test/#x"}, "url: expected no"),
        ({"tls_cert": "c.pem"}, "tls_key: expected"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_server_that_cannot_be_is_told(web: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        WebSettings(codes="c", **web)


def test_a_web_terminal_needs_a_server(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="web: expected the server of t1-n"):
        DaemonSettings(
            event="test",
            daemon="d1",
            broker=BrokerSettings(),
            terminals=settings(tmp_path, 8471).terminals,
        )
