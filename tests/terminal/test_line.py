"""A line over real ptys and sockets: opening, hanging up, opening again."""

import asyncio
import contextlib
import logging
import random
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import serial
import serial.rfc2217

from broker.backoff import Backoff
from laws.seats import Seat
from terminal.line import Line, LineState
from terminal.ports import PortError, open_port
from terminal.settings import Level, Security, TerminalSettings
from tests.terminal.devices import Pty, Recorder


def settings(port: str, **changes: object) -> TerminalSettings:
    fields: dict[str, object] = {
        "id": "t1-n",
        "port": port,
        "table": "t1",
        "seats": (Seat.NORTH,),
        "security": Security.OPEN,
    }
    return TerminalSettings(**(fields | changes))  # type: ignore[arg-type]


def quick() -> Backoff:
    return Backoff(first=0.001, longest=0.01)


@contextlib.asynccontextmanager
async def running(line: Line) -> AsyncIterator[None]:
    task = asyncio.create_task(line.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
    assert line.state is LineState.CLOSED


@pytest.fixture
def plug(tmp_path: Path) -> Path:
    return tmp_path / "by-id-terminal"


async def test_bytes_go_both_ways(plug: Path) -> None:
    device, user = Pty(), Recorder()
    device.plug_into(plug)
    line = Line(settings(str(plug)), user, backoff=quick())
    async with running(line):
        await user.until(lambda: user.opened)
        assert line.state is LineState.OPEN
        device.write(b"\x00\x03\x11\x13\xff")
        await user.until(lambda: len(user.data) == 5)
        assert user.data == b"\x00\x03\x11\x13\xff"
        line.write(b"\x00\x11\x13\x00")
        assert await device.read() == b"\x00\x11\x13\x00"


async def test_what_the_device_said_before_is_flushed(plug: Path) -> None:
    device, user = Pty(), Recorder()
    device.plug_into(plug)
    device.write(b"left over")
    async with running(Line(settings(str(plug)), user, backoff=quick())):
        await user.until(lambda: user.opened)
        device.write(b"fresh")
        await user.until(lambda: user.data)
        assert user.data == b"fresh"


async def test_a_terminal_plugged_in_elsewhere_is_found_again(plug: Path) -> None:
    first, second, user = Pty(), Pty(), Recorder()
    first.plug_into(plug)
    line = Line(settings(str(plug)), user, backoff=quick())
    async with running(line):
        await user.until(lambda: user.opened == 1)
        first.unplug(plug)
        await user.until(lambda: user.lost)
        assert user.lost[0] == "the port hung up"
        second.plug_into(plug)
        await user.until(lambda: user.opened == 2)
        second.write(b"here again")
        await user.until(lambda: user.data)
        assert user.data == b"here again"


async def test_a_device_that_is_not_there_is_told_and_waited_for(
    plug: Path, caplog: pytest.LogCaptureFixture
) -> None:
    user = Recorder()
    async with running(Line(settings(str(plug)), user, backoff=quick())):
        await user.until(lambda: len(user.lost) >= 3)
        assert user.lost[0] == f"{plug}: no such device; is the terminal plugged in?"
        Pty().plug_into(plug)
        await user.until(lambda: user.opened)
    loud = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert len(loud) == 1, "the same reason again is no news"


async def test_a_port_that_is_slow_to_fail_is_not_taken_for_one_that_held(
    plug: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("terminal.line.STEADY_SECONDS", 0.01)

    async def slowly(_: TerminalSettings, __: asyncio.Protocol) -> asyncio.Transport:
        await asyncio.sleep(0.02)
        raise PortError("nobody answers")

    user, backoff = Recorder(), quick()
    async with running(Line(settings(str(plug)), user, opener=slowly, backoff=backoff)):
        await user.until(lambda: len(user.lost) >= 3)
        assert backoff.failures >= 3


async def test_a_port_serves_one_daemon(plug: Path) -> None:
    Pty().plug_into(plug)
    first, second = Recorder(), Recorder()
    line = Line(settings(str(plug)), first, backoff=quick())
    rival = Line(settings(str(plug)), second, backoff=quick())
    async with running(rival):
        async with running(line):
            await first.until(lambda: first.opened or second.opened)
            winner, loser = (first, second) if first.opened else (second, first)
            await loser.until(lambda: loser.lost)
            assert "in use by another process" in loser.lost[0]
            assert not loser.opened
            assert winner.opened == 1
        await second.until(lambda: second.opened)


async def test_a_port_that_is_let_go_is_opened_again(plug: Path) -> None:
    Pty().plug_into(plug)
    user = Recorder()
    line = Line(settings(str(plug)), user, backoff=quick())
    async with running(line):
        for count in range(1, 6):
            await user.until(lambda count=count: user.opened == count)  # type: ignore[misc]
            line.let_go("refused")


async def test_a_device_that_does_not_read_stops_the_writing(plug: Path) -> None:
    device, user = Pty(), Recorder()
    device.plug_into(plug)
    line = Line(settings(str(plug)), user, backoff=quick())
    async with running(line):
        await user.until(lambda: user.opened)
        written = 0
        while line.has_room:
            line.write(b"x" * 512)
            written += 512
            assert written < 100_000
        read = 0
        while not user.rooms:
            read += len(await device.read(65536))
        assert line.has_room


async def test_a_write_without_a_port_is_dropped(plug: Path) -> None:
    line = Line(settings(str(plug)), Recorder(), backoff=quick())
    assert not line.has_room
    line.write(b"nobody hears")


@pytest.mark.parametrize("level", Level)
async def test_control_lines_a_port_does_not_have_are_no_error(
    plug: Path, level: Level
) -> None:
    Pty().plug_into(plug)
    user = Recorder()
    async with running(
        Line(settings(str(plug), dtr=level, rts=level), user, backoff=quick())
    ):
        await user.until(lambda: user.opened)


async def test_delays_are_full_jitter_and_start_over_after_a_sound_opening(
    plug: Path,
) -> None:
    delays: list[float] = []
    enough = asyncio.Event()

    async def sleep(seconds: float) -> None:
        delays.append(seconds)
        if len(delays) >= 12:
            enough.set()
            await asyncio.Event().wait()

    backoff = Backoff(first=0.2, longest=5.0, source=random.Random(7))  # noqa: S311 - a test
    line = Line(settings(str(plug)), Recorder(), backoff=backoff, sleep=sleep)
    async with running(line):
        await enough.wait()
    ceilings = [min(5.0, 0.2 * 2**n) for n in range(12)]
    assert all(0 <= delay <= top for delay, top in zip(delays, ceilings, strict=True))
    assert max(delays) > 1.0
    assert len(set(delays)) == 12


async def test_a_folder_is_no_port(tmp_path: Path) -> None:
    with pytest.raises(PortError, match="cannot be opened"):
        await open_port(settings(str(tmp_path)), asyncio.Protocol())


async def test_opening_that_was_given_up_leaves_no_port_open(plug: Path) -> None:
    Pty().plug_into(plug)
    opening = asyncio.create_task(open_port(settings(str(plug)), asyncio.Protocol()))
    await asyncio.sleep(0)  # it has begun
    opening.cancel()
    await asyncio.wait({opening})
    user = Recorder()
    async with running(Line(settings(str(plug)), user, backoff=quick())):
        await user.until(lambda: user.opened)


# -- TCP ----------------------------------------------------------------------------


class Peer(asyncio.Protocol):
    """The far side of a connection."""

    def __init__(self) -> None:
        self.data = asyncio.Queue[bytes]()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.data.put_nowait(data)


async def test_a_socket_url_is_opened_and_opened_again() -> None:
    loop = asyncio.get_running_loop()
    peers: list[Peer] = []

    def meet() -> Peer:
        peers.append(Peer())
        return peers[-1]

    server = await loop.create_server(meet, "127.0.0.1", 0)
    number = server.sockets[0].getsockname()[1]
    user = Recorder()
    line = Line(settings(f"socket://127.0.0.1:{number}"), user, backoff=quick())
    async with server, running(line):
        await user.until(lambda: user.opened == 1)
        line.write(b"\x00over")
        assert await peers[0].data.get() == b"\x00over"
        peers[0].transport.write(b"back\x00")
        await user.until(lambda: user.data)
        assert user.data == b"back\x00"
        peers[0].transport.abort()
        await user.until(lambda: user.opened == 2)


class Rfc2217Server:
    """A network serial server in a thread, in front of a real pty."""

    def __init__(self, device: Pty) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.number = self._listener.getsockname()[1]
        self._device = device
        self._open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(
                target=self._relay, args=(connection,), daemon=True
            ).start()

    def _relay(self, connection: socket.socket) -> None:
        port = _WithModemLines(self._device.name, timeout=0.02)
        writer = _Writer(connection)
        manager = serial.rfc2217.PortManager(port, writer)  # type: ignore[arg-type]
        reader = threading.Thread(target=self._upward, args=(port, manager, writer))
        reader.start()
        with contextlib.suppress(OSError):
            while data := connection.recv(1024):
                port.write(b"".join(manager.filter(data)))
        writer.is_open = False
        reader.join()
        port.close()

    def _upward(
        self,
        port: serial.Serial,
        manager: serial.rfc2217.PortManager,
        writer: "_Writer",
    ) -> None:
        while writer.is_open:
            data = port.read(1024)
            if data:
                writer.write(b"".join(manager.escape(data)))

    def cut(self) -> None:
        """End the connections that there are."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open.clear()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


class _WithModemLines(serial.Serial):
    """A pty with the modem lines of a real port, which the server asks for."""

    cts = dsr = cd = True
    ri = False
    dtr = rts = True


class _Writer:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.is_open = True

    def write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            self._connection.sendall(data)


@pytest.fixture
def remote() -> Iterator[tuple[Rfc2217Server, Pty]]:
    device = Pty()
    server = Rfc2217Server(device)
    yield server, device
    server.close()
    device.hang_up()


@pytest.mark.filterwarnings("ignore:set(Daemon|Name).. is deprecated")
async def test_an_rfc2217_url_is_opened_and_opened_again(
    remote: tuple[Rfc2217Server, Pty],
) -> None:
    server, device = remote
    user = Recorder()
    line = Line(settings(f"rfc2217://127.0.0.1:{server.number}"), user, backoff=quick())
    async with running(line):
        await user.until(lambda: user.opened == 1)
        line.write(b"over\xff\x00")
        assert await device.read() == b"over\xff\x00"
        device.write(b"back\xff\x00")
        await user.until(lambda: len(user.data) == 6)
        assert user.data == b"back\xff\x00"
        server.cut()
        await user.until(lambda: user.lost)
        await user.until(lambda: user.opened == 2)
