"""A hall for the service: a broker, the referee, and a client in the daemon's place.

``Hall`` publishes what a daemon would publish for its terminals, keeps their logs
until the referee acknowledges, answers polls and says what is shown. Players act by
their displays: who is to act does so as soon as his own display has come so far.
"""

import asyncio
import contextlib
import json
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from broker import ConnectionState, MqttClient
from laws.actions import Action
from laws.seats import SEATS, Seat
from protocol.happenings import DIRECTOR_ONLY, Request, fields_of
from protocol.messages import Encoding, Held, Profile
from protocol.payloads import (
    Acknowledge,
    DaemonStatus,
    Desk,
    DirectorCommand,
    DisplayPrompt,
    HelloReport,
    LinkState,
    Payload,
    Poll,
    RulingPublished,
    TableResult,
    TerminalClear,
    TerminalEvent,
    TerminalShown,
    TerminalStatus,
    decode_payload,
    encode_payload,
)
from protocol.topics import Role, Topic, TopicKind, Topics, parse_topic
from referee.settings import RefereeSettings
from tests.brokers import RunningBroker
from tests.forking import Forked

TOPICS = Topics("test")
DAEMON = "d1"

REPORT_AGAIN_S = 1.0
"""Seconds after which what nobody has answered is reported again."""


@dataclass
class HallTerminal:
    """A terminal of one seat."""

    id: str
    seat: Seat
    next: int = 0
    log: list[TerminalEvent] = field(default_factory=list)
    display: DisplayPrompt | None = None


class Hall:
    """The daemon d1, its four terminals, and a Director who listens."""

    def __init__(self, daemon: MqttClient, director: MqttClient) -> None:
        self._daemon, self._director = daemon, director
        self.terminals = {s: HallTerminal(f"t1-{s.lower()}", s) for s in SEATS}
        self.session = "d1-1"
        self.opening = 0
        self.k = 0
        self.desk: Desk | None = None
        self.rulings: dict[int, RulingPublished] = {}
        self.results: dict[int, TableResult] = {}
        self.acknowledged: list[tuple[str, int, int]] = []
        self.unanswered: set[str] = set()
        self.cleared: list[str] = []
        self.received = 0
        self.epoch = 0
        self.refused = 0
        self._changed = asyncio.Condition()

    # -- what the daemon does -------------------------------------------------------

    async def open(self) -> None:
        """Report the daemon and its terminals, and send what is not acknowledged.

        Until the referee answers it is reported again, as a daemon does: NATS may lose
        what is published while its reader subscribes, retained or not.
        """
        self.opening += 1
        self.unanswered = {terminal.id for terminal in self.terminals.values()}
        while self.unanswered:
            await self._report()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REPORT_AGAIN_S):
                    await self.until(lambda: not self.unanswered)

    async def _report(self) -> None:
        await self._say(
            TOPICS.daemon_status(DAEMON),
            DaemonStatus(session=self.session, online=True),
            retain=True,
        )
        for terminal in self.terminals.values():
            if terminal.id in self.unanswered:
                await self._say(
                    TOPICS.terminal_status(DAEMON, terminal.id),
                    self._status(terminal),
                    retain=True,
                )
                await self._send_log(terminal)

    def _status(self, terminal: HallTerminal) -> TerminalStatus:
        first = terminal.log[0].n if terminal.log else terminal.next
        hello = HelloReport(
            version=1,
            serial=terminal.id.upper(),
            boot=1,
            volatile=False,
            held=(Held(1, first, terminal.next),),
            firmware="hall",
            seats=(terminal.seat,),
            columns=20,
            rows=4,
            encoding=Encoding.UTF_8,
            profile=Profile.CALLS_AND_CARDS,
        )
        return TerminalStatus(
            session=self.session,
            table="t1",
            link=LinkState.ONLINE,
            opening=self.opening,
            hello=hello,
        )

    async def _send_log(self, terminal: HallTerminal) -> None:
        for event in terminal.log:
            stamped = msgspec.structs.replace(
                event, k=self.k, session=self.session, opening=self.opening
            )
            self.k += 1
            topic = TOPICS.terminal_events(DAEMON, terminal.id)
            await self._say(topic, stamped)

    async def _say(self, topic: str, payload: Payload, *, retain: bool = False) -> None:
        await self._daemon.publish(topic, encode_payload(payload), retain=retain)

    async def press(self, action: Action | Request, seat: Seat) -> None:
        """A key is pressed at the display that the seat shows."""
        terminal = self.terminals[seat]
        key = fields_of(action, seat)
        display = terminal.display
        event = TerminalEvent(
            boot=1,
            n=terminal.next,
            seat=seat,
            play=display.play if display else 0,
            rev=display.rev if display else 0,
            age_ms=0,
            kind=key.kind,
            hand=key.hand,
            data=key.data,
            session=self.session,
            table="t1",
            k=0,
            opening=self.opening,
            serial=terminal.id.upper(),
        )
        terminal.next += 1
        terminal.log.append(event)
        await self._send_log(terminal)

    async def serve(self) -> None:
        """Take what the referee sends, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._serve_daemon())
            group.create_task(self._serve_director())

    async def _serve_daemon(self) -> None:
        while True:
            for message in await self._daemon.receive_batch():
                topic = parse_topic(message.topic)
                payload = decode_payload(topic.kind, message.payload)
                terminal = next(
                    t for t in self.terminals.values() if t.id == topic.names[1]
                )
                async with self._changed:
                    self.received += 1
                    if self._is_of_this_term(payload):
                        await self._take(terminal, payload)
                    self._changed.notify_all()
                message.ack()

    def _is_of_this_term(self, payload: Payload) -> bool:
        """A daemon acts on nothing of a referee whose term is over."""
        epoch = getattr(payload, "epoch", self.epoch)
        self.epoch = max(self.epoch, epoch)
        self.refused += epoch < self.epoch
        return bool(epoch == self.epoch)

    async def _take(self, terminal: HallTerminal, payload: Payload) -> None:
        match payload:
            case DisplayPrompt():
                shown = terminal.display
                if shown is None or _order(payload) > _order(shown):
                    terminal.display = shown = payload
                said = TerminalShown(
                    epoch=shown.epoch,
                    rev=shown.rev,
                    seat=terminal.seat,
                    session=self.session,
                )
                await self._say(TOPICS.terminal_shown(DAEMON, terminal.id), said)
            case Acknowledge(opening=opening) if opening != self.opening:
                pass  # the referee has not heard of this one yet
            case Acknowledge(boot=boot, n=n):
                self.acknowledged.append((terminal.id, boot, n))
                self.unanswered.discard(terminal.id)
                left = [event for event in terminal.log if event.n > n]
                repeated = len(left) == len(terminal.log)
                terminal.log = left
                if repeated and left:
                    await self._send_log(terminal)
            case Poll(token=token):
                clear = TerminalClear(
                    token=token, boot=1, next=terminal.next, session=self.session
                )
                await self._say(TOPICS.terminal_shown(DAEMON, terminal.id), clear)
            case _:
                raise AssertionError(payload)

    async def _serve_director(self) -> None:
        while True:
            for message in await self._director.receive_batch():
                topic = parse_topic(message.topic)
                async with self._changed:
                    match _read(topic, message.payload):
                        case None:
                            self.cleared.append(message.topic)
                        case Desk() as payload:
                            self.desk = payload
                        case RulingPublished() as payload:
                            self.rulings[payload.number] = payload
                        case TableResult() as payload:
                            self.results[payload.play] = payload
                        case _:
                            pass
                    self._changed.notify_all()
                message.ack()

    # -- what a test does -----------------------------------------------------------

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with self._changed:
            await self._changed.wait_for(holds)

    def auction(self) -> list[list[str]]:
        """The auction as the desk has it."""
        judged = self.desk.judged if self.desk is not None else None
        return judged["auction"] if judged is not None else []

    def shows(self, seat: Seat, at: int, play: int = 1) -> bool:
        """Whether a seat's display has come so far."""
        display = self.terminals[seat].display
        return display is not None and (display.play, display.at) >= (play, at)

    async def play(self, *actions: Action, start: int = 0) -> None:
        """Each player acts as soon as his own display has come so far."""
        for number, action in enumerate(actions, start):
            if isinstance(action, tuple(DIRECTOR_ONLY)):
                raise TypeError(action)
            seat = self.actor(action)
            await self.until(lambda n=number, s=seat: self.shows(s, n))  # type: ignore[misc]
            await self.press(action, seat)
        last = start + len(actions)
        await self.until(lambda: all(self.shows(seat, last) for seat in SEATS))

    def actor(self, action: Action) -> Seat:
        """Who presses the key: declarer for dummy's cards."""
        hand: Seat | None = getattr(action, "hand", None)
        if hand is None:
            return Seat(getattr(action, "seat"))  # noqa: B009 - not every action has one
        judged = self.desk.judged if self.desk is not None else None
        contract = judged["contract"] if judged else None
        declarer = Seat(contract["declarer"]) if isinstance(contract, dict) else None
        if declarer is not None and hand is declarer.partner:
            return declarer
        return hand

    async def command(self, *, retain: bool = False, **fields: Any) -> None:  # noqa: ANN401 - any field of the command
        """The Director gives a command."""
        expects = self.desk.number if self.desk is not None else 0
        command = DirectorCommand(**{"by": "TD", "expects": expects, **fields})
        await self.say_as_director(encode_payload(command), retain=retain)

    async def say_as_director(self, payload: bytes, *, retain: bool = False) -> None:
        """Publish on the topic of the Director's commands, whatever it is."""
        topic = TOPICS.table_director("t1")
        await self._director.publish(topic, payload, retain=retain)


def _read(topic: Topic, payload: bytes) -> Payload | None:
    """The payload; None where the topic was cleared."""
    return decode_payload(topic.kind, payload) if payload else None


def _order(display: DisplayPrompt) -> tuple[int, int]:
    return (display.epoch, display.rev)


@contextlib.asynccontextmanager
async def open_hall(broker: RunningBroker) -> AsyncIterator[Hall]:
    """A hall whose daemon comes again after every loss of the connection."""
    connected = asyncio.Event()

    def on_state(state: ConnectionState) -> None:
        if state is ConnectionState.CONNECTED:
            connected.set()

    filters = (TopicKind.TERMINAL_DISPLAY, TopicKind.TERMINAL_ACK)
    seen = (TopicKind.TABLE_DESK, TopicKind.TABLE_RULING, TopicKind.TABLE_RESULT)
    async with (
        MqttClient(
            broker.settings(Role.DAEMON, DAEMON),
            client_id=DAEMON,
            subscriptions=[TOPICS.filter(kind, DAEMON) for kind in filters],
            on_state=on_state,
        ) as daemon,
        MqttClient(
            broker.settings(Role.DIRECTOR),
            client_id="director",
            subscriptions=[TOPICS.filter(kind) for kind in seen],
        ) as director,
    ):
        hall = Hall(daemon, director)
        await daemon.wait_connected()
        await director.wait_connected()

        async def reopen() -> None:
            while True:
                await connected.wait()
                connected.clear()
                await hall.open()

        tasks = [asyncio.create_task(c) for c in (hall.serve(), reopen())]
        try:
            yield hall
        finally:
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            failed = [o for o in outcomes if not isinstance(o, asyncio.CancelledError)]
            assert not failed


class RefereeProcess:
    """``python -m referee`` as a child process that may be killed."""

    def __init__(self, settings: RefereeSettings, folder: Path) -> None:
        self._path = folder / "referee.json"
        self._path.write_bytes(msgspec.json.encode(settings))
        self._journal = settings.journal
        self._process: Forked | None = None

    @property
    def journal(self) -> Path:
        """The file of its journal."""
        assert isinstance(self._journal, str)
        return Path(self._journal)

    async def start(self) -> None:
        self._process = await Forked.start("referee", str(self._path))

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait; the exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(how)
        return (await self.ended())[0]

    def freeze(self) -> None:
        """Stop it where it is: it keeps its connections and says nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on as if no time had passed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def ended(self) -> tuple[int, str]:
        """Wait until it ends: exit code, and what it wrote to its log."""
        assert self._process is not None
        log = await self._process.communicate()
        return await self._process.wait(), log

    async def says(self, words: str) -> None:
        """Wait until the words stand in its log."""
        assert self._process is not None
        while words not in (await self._process.stderr.readline()).decode():
            assert not self._process.stderr.at_eof()

    def limit_files(self, size: int | None) -> None:
        """Let no file that it writes grow beyond so many bytes; None lifts it."""
        assert self._process is not None
        pid = self._process.pid
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        soft = hard if size is None else size
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))

    def entries(self) -> list[dict[str, Any]]:
        """What the journal file holds now."""
        with sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True) as db:
            rows = db.execute("SELECT entry FROM entries ORDER BY number").fetchall()
        db.close()
        return [json.loads(entry) for (entry,) in rows]
