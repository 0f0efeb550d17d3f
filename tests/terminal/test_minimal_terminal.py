"""The example for authors of firmware: its codec, its link, itself as a process."""

import asyncio
import contextlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from broker.backoff import Backoff
from docs import minimal_terminal as minimal
from laws.seats import SEATS, Seat
from protocol.messages import Choice
from protocol.payloads import TerminalEvent
from protocol.topics import Role
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings, Security, TerminalSettings
from tests.brokers import EVENT, RunningBroker
from tests.places import REPOSITORY
from tests.terminal.chain import DAEMON
from tests.terminal.fake_referee import WAIT_SECONDS, FakeReferee

PROGRAM = REPOSITORY / "docs" / "minimal_terminal.py"
FILE = REPOSITORY / "protocol" / "vectors.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = (
    *("ASK", "HELLO", "WELCOME", "REFUSED", "PING", "PONG", "EVENT", "ACK", "LOST"),
    *("DISPLAY", "SHOWN", "PART"),
)
FROM_A_DAEMON = {"ASK", "WELCOME", "REFUSED", "PING", "ACK", "DISPLAY"}
CONSOLE = "console"


def named(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[c["name"] for c in cases])


def unhexed(field: str, value: object) -> object:
    binary = field in {"nonce", "asked", "proof", "content"}
    return bytes.fromhex(str(value)) if binary else value


def as_list(message: dict[str, Any]) -> list[Any]:
    """A vector's message as the array of M1."""
    tag = NAMES.index(message["message"]) + 1
    return [tag, *(unhexed(k, v) for k, v in message.items() if k != "message")]


def whole_of(parts: list[str], receiver: minimal.Receiver) -> list[bytes]:
    wholes = []
    for part in parts:
        fields = minimal.read_message(bytes.fromhex(part))
        assert fields is not None
        whole = receiver.whole(fields[1:])
        if whole is not None:
            wholes.append(whole)
    return wholes


class TestCodec:
    @named(VECTORS["frames"]["encode"])
    def test_bodies_become_frames_and_frames_bodies(self, case: dict[str, Any]) -> None:
        body, frame = bytes.fromhex(case["body"]), bytes.fromhex(case["frame"])
        assert minimal.frame(body) == frame
        assert list(minimal.Receiver().bodies(frame)) == [body]

    @named(VECTORS["frames"]["decode"])
    @pytest.mark.parametrize("step", [1, 7, 1000])
    def test_streams_give_their_bodies(self, case: dict[str, Any], step: int) -> None:
        stream, receiver = bytes.fromhex(case["stream"]), minimal.Receiver()
        bodies = [
            body.hex()
            for at in range(0, len(stream), step)
            for body in receiver.bodies(stream[at : at + step])
        ]
        assert bodies == case["bodies"]

    @named(VECTORS["messages"]["encode"])
    def test_messages_become_bodies_and_bodies_messages(
        self, case: dict[str, Any]
    ) -> None:
        message = as_list(case["message"])
        bodies = [bytes.fromhex(body) for body in case["bodies"]]
        whole = bodies[0]
        if len(bodies) > 1:
            (whole,) = whole_of(case["bodies"], minimal.Receiver())
        assert minimal.pack(message) == whole
        assert minimal.Reader(whole).value() == message
        if case["message"]["message"] in FROM_A_DAEMON:
            read = minimal.read_message(whole)
            assert read is not None
            assert read == message[: len(read)]

    @named(VECTORS["messages"]["decode"])
    def test_bodies_written_in_another_way_are_read(self, case: dict[str, Any]) -> None:
        message = as_list(case["message"])
        read = minimal.read_message(bytes.fromhex(case["body"]))
        if case["message"]["message"] in FROM_A_DAEMON:
            assert read is not None
            assert read == message[: len(read)]

    @named(VECTORS["messages"]["rejected"])
    def test_bad_bodies_are_rejected(self, case: dict[str, Any]) -> None:
        body = bytes.fromhex(case["body"])
        try:
            own = isinstance(value := minimal.Reader(body).value(), list) and value[0]
        except (ValueError, IndexError):
            own = False
        if own in {minimal.HELLO, minimal.EVENT, minimal.LOST, minimal.SHOWN}:
            assert minimal.read_message(body) is None  # M5: from the wrong side
        else:
            with pytest.raises(ValueError, match=r"."):
                minimal.read_message(body)

    @named(VECTORS["messages"]["unknown"])
    def test_unknown_tags_mean_nothing(self, case: dict[str, Any]) -> None:
        assert minimal.read_message(bytes.fromhex(case["body"])) is None

    @named(VECTORS["parts"])
    def test_parts_give_their_contents(self, case: dict[str, Any]) -> None:
        wholes = whole_of(case["parts"], minimal.Receiver())
        assert [whole.hex() for whole in wholes] == case["contents"]


def conversations() -> list[dict[str, Any]]:
    return [
        case
        for case in VECTORS["conversations"]
        if case["end"] == "terminal" and case["key"] is None and not case["volatile"]
    ]


def played(case: dict[str, Any], file: Path) -> minimal.Terminal:
    """A terminal as a conversation has it."""
    me = case["identity"]
    log = minimal.Log(file)
    log.boot = case["boot"]
    log.next = {boot: following for boot, _, following in case["held"]}
    for _tag, boot, n, seat, play, rev, _age, *rest in case["log"]:
        log.events.append(minimal.Entry(boot, n, n, [seat, play, rev, *rest]))
    terminal = minimal.Terminal(me["serial"], log, lambda _text: None)
    about = ("firmware", "seats", "columns", "rows", "encoding", "profile")
    terminal.about = [me[name] for name in about]
    return terminal


def do(terminal: minimal.Terminal, step: dict[str, Any]) -> None:
    now = step["now"]
    match step["do"]:
        case "open":
            terminal.opened(now)
        case "close":
            terminal.state = "closed"
        case "receive":
            for frame in step["frames"]:
                for body in terminal.receiver.bodies(bytes.fromhex(frame)):
                    terminal.take_body(now, body)
        case "press":
            press = step["press"]
            terminal.press(
                now, press["seat"], press["kind"], press["hand"], press["data"]
            )
        case _:
            terminal.tick(now)


@named(conversations())
def test_conversations_go_as_written(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: Iterator[int] = iter(range(1, 256))
    monkeypatch.setattr(os, "urandom", lambda size: bytes([next(given)]) * size)
    terminal = played(case, tmp_path / "log")
    for step in case["steps"]:
        do(terminal, step)
        sent = bytes(terminal.out)
        terminal.out.clear()
        where = f"at {step['now']}: {step['do']}"
        assert without_vitals(sent) == without_vitals(bytes.fromhex(step["sends"])), (
            where
        )
        assert terminal.state == step["state"], where
        due = terminal.deadline()
        wanted = minimal.NEVER if step["deadline"] is None else step["deadline"]
        assert due == pytest.approx(wanted), where


def without_vitals(sent: bytes) -> list[Any]:
    """Messages, but for what a PING says of the terminal's battery and the like."""
    bodies = minimal.Receiver().bodies(sent)
    messages = [minimal.Reader(body).value() for body in bodies]
    return [m[:2] if m[0] == minimal.PING else m for m in messages]


def test_a_wiped_memory_draws_another_boot(tmp_path: Path) -> None:
    boots = {minimal.Log(tmp_path / str(n)).boot for n in range(5)}
    assert len(boots) > 1


def test_a_memory_counts_on_and_keeps_its_events(tmp_path: Path) -> None:
    terminal = minimal.Terminal("SN", minimal.Log(tmp_path / "log"), print)
    terminal.press(0.0, "N", "director", None, [])
    again = minimal.Log(tmp_path / "log")
    boot = terminal.log.boot
    assert again.held() == [[boot, 0, 1], [boot + 1, 0, 0]]
    again.forget((boot, 0))
    again.save()
    assert minimal.Log(tmp_path / "log").held() == [[boot + 2, 0, 0]]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'["N", "call", null, ["1H"]]', "shown nothing yet"),
        (b'["N", "director", null, ["' + b"x" * 121 + b'"]]', "section M"),
        (b'["X", "director", null, []]', "section M"),
    ],
)
def test_a_key_that_nobody_could_take_is_refused(
    tmp_path: Path, line: bytes, said: str
) -> None:
    terminal = minimal.Terminal("SN", minimal.Log(tmp_path / "log"), print)
    with pytest.raises(ValueError, match=said):
        minimal.type_key(terminal, 0.0, line)
    assert terminal.log.events == []


def test_a_full_memory_refuses_the_key_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minimal, "CAPACITY", 2)
    terminal = minimal.Terminal("SN", minimal.Log(tmp_path / "log"), print)
    for _ in range(2):
        minimal.type_key(terminal, 1.0, b'["N", "director", null, []]')
    with pytest.raises(ValueError, match="memory full"):
        minimal.type_key(terminal, 1.0, b'["N", "director", null, []]')
    assert [event.first for event in terminal.log.events] == [0, 1]


def test_its_user_is_told_what_waits_while_there_is_no_link(tmp_path: Path) -> None:
    said: list[str] = []
    terminal = minimal.Terminal("SN", minimal.Log(tmp_path / "log"), said.append)
    terminal.press(1.0, "N", "director", None, [])
    terminal.tick(1.0)
    assert said[-1] == "saved, not yet sent (1)"
    terminal.state, terminal.heard = "up", 1.5
    terminal.tick(1.5)
    assert said[-1] == "all sent", "it may still be on its way"
    terminal.tick(3.0)
    assert said[-1] == "saved, not yet sent (1)"
    terminal.take_ack(3.1, (terminal.log.boot, 0))
    terminal.tick(3.1)
    assert said[-1] == "all sent"


class Process:
    """The example, as whoever tries it starts it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.said = ""

    async def until(self, pattern: str) -> re.Match[str]:
        """Read what it says until this is there."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WAIT_SECONDS):
            while not (found := re.search(pattern, self.said)):
                line = await self.process.stdout.readline()
                assert line, self.said
                self.said += line.decode()
        return found

    def type(self, *key: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(key).encode() + b"\n")


@contextlib.asynccontextmanager
async def started(store: Path, port: int = 0) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(PROGRAM),
        str(port),
        "BX-1",
        str(store),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Process(process)
    finally:
        process.kill()
        await process.communicate()


@contextlib.asynccontextmanager
async def served(
    broker: RunningBroker, port: int, referee: FakeReferee
) -> AsyncIterator[None]:
    """A daemon that connects to the terminal, and a referee."""
    console = TerminalSettings(
        id=CONSOLE,
        port=f"socket://127.0.0.1:{port}",
        table="t1",
        seats=tuple(SEATS),
        security=Security.OPEN,
    )
    settings = DaemonSettings(
        event=EVENT,
        daemon=DAEMON,
        broker=broker.settings(Role.DAEMON, DAEMON),
        terminals=(console,),
    )
    daemon = Daemon(settings, backoff=lambda: Backoff(first=0.01, longest=0.1))
    tasks = [
        asyncio.create_task(referee.run(broker.settings(Role.REFEREE))),
        asyncio.create_task(daemon.run()),
    ]
    try:
        yield
    finally:
        for task in reversed(tasks):
            task.cancel()
            await asyncio.wait({task})


def taken(referee: FakeReferee) -> list[tuple[Any, ...]]:
    return [
        (e.seat, e.kind, e.data) for e in referee.taken if isinstance(e, TerminalEvent)
    ]


@pytest.mark.broker
async def test_it_plays_at_a_daemon_and_survives_its_own_restart(
    tmp_path: Path, nats: RunningBroker
) -> None:
    referee = FakeReferee(EVENT, DAEMON)
    referee.choices = (Choice("accept", (), "Accept"),)
    referee.pages = (("Your call",),)
    store = tmp_path / "terminal.json"

    def has(count: int) -> Callable[[], bool]:
        return lambda: len(referee.taken) == count

    async with started(store) as terminal:
        port = int((await terminal.until(r"port (\d+)"))[1])
        terminal.type("N", "call", None, ["1C"])
        await terminal.until("shown nothing yet")
        async with served(nats, port, referee):
            await terminal.until(r"\[N\] 1\.\d+ play 1 board 1 <call None>.*Your c")
            terminal.type("N", "call", None, ["1S", True, "strong"])
            await referee.until(has(1))
            await terminal.until(r"acknowledged up to \(\d+, 0\), 0 kept")
            terminal.type("S", 1)
            await referee.until(has(2))
        await terminal.until("connection closed")
        terminal.type("W", "call", None, ["2H"])  # the daemon is away
        await terminal.until(r"event \d+\.2")
    async with (
        started(store, port) as terminal,
        served(nats, port, referee),
    ):
        await referee.until(has(3))
        await terminal.until(r"\[W\] 1\.\d+ play 1")
        terminal.type("W", "call", None, ["P"])
        await referee.until(has(4))
    assert taken(referee) == [
        (Seat.NORTH, "call", ("1S", True, "strong")),
        (Seat.SOUTH, "accept", ()),
        (Seat.WEST, "call", ("2H",)),
        (Seat.WEST, "call", ("P",)),
    ]
    boots = [entry.boot for entry in referee.taken]
    assert boots == [boots[0]] * 3 + [boots[0] + 1]
