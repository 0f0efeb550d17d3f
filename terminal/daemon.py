"""The daemon: terminals' lines, the MQTT client and the clock around the relay."""

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from broker.backoff import Backoff
from broker.client import ConnectionState, MqttClient
from broker.errors import BrokerError
from broker.metrics import Durations, serving_metrics
from broker.presence import Presence
from protocol.limits import NONCE_BYTES
from terminal.ble import SYSTEM, TIMES, Backend, Times
from terminal.carriers import Carriers
from terminal.line import FIRST_DELAY, LONGEST_DELAY, Line
from terminal.metrics import DaemonMetrics
from terminal.relay import Publication, Relay
from terminal.settings import (
    DaemonSettings,
    TerminalSettings,
    can_be_taken_up,
    is_web,
)
from terminal.web.joining import with_codes
from terminal.web.settings import WebServerError

logger = logging.getLogger(__name__)

AGAIN_SECONDS = 0.05
"""How long to wait for a broker that is behind with confirming."""


class Daemon:
    """One daemon, from ``run`` until it is cancelled.

    Args:
        settings: its broker and terminals.
        backoff: makes the delays between attempts to open a port.
        bluetooth: whose Bluetooth is used.
        times: the deadlines of everything about Bluetooth.

    Raises:
        CodesError: the join codes of its web terminals cannot be kept.
    """

    def __init__(
        self,
        settings: DaemonSettings,
        *,
        backoff: Callable[[], Backoff] = lambda: Backoff(
            first=FIRST_DELAY, longest=LONGEST_DELAY
        ),
        bluetooth: Backend = SYSTEM,
        times: Times = TIMES,
    ) -> None:
        self.session = secrets.token_hex(8)
        """Id of this run, in every status and event."""
        settings = with_codes(settings)
        acknowledged = Durations()
        self._relay = Relay(
            settings, self.session, _nonce, wall=time.time, took=acknowledged.add
        )
        self._metrics = DaemonMetrics(self._relay.relayed, acknowledged)
        self._metrics_address = settings.metrics
        self._carriers = Carriers(
            settings,
            self.session,
            nonce=_nonce,
            on_intruder=self.intruded,
            backend=bluetooth,
            times=times,
        )
        self._settings = settings
        self._has_changed = asyncio.Event()
        self._backoff = backoff
        self._lines = {t.id: self._line(t) for t in settings.terminals}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._client = MqttClient(
            settings.broker,
            client_id=f"{settings.event}-{settings.daemon}",
            subscriptions=self._relay.subscriptions + self._carriers.subscriptions,
            presence=Presence(self._relay.status_topic, self._relay.status),
            on_state=self._broker_changed,
        )
        self._unsent: deque[Publication] = deque()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sending: asyncio.TimerHandle | None = None

    def _line(self, terminal: TerminalSettings) -> Line:
        backoff = self._backoff()
        if is_web(terminal.port):
            # What opens the port is somebody who joins: he must not wait for it because
            # tablets have come and gone before him.
            backoff.longest = backoff.first
        return Line(
            terminal,
            _LineUser(self, terminal),
            opener=self._carriers.open,
            backoff=backoff,
        )

    def take_up(self, settings: DaemonSettings) -> None:
        """Serve the terminals as these settings have them; the others notice nothing.

        Raises:
            CodesError: the join codes of its web terminals cannot be kept.
            ValueError: more differs than ports, boxes and keys (``can_be_taken_up``).
        """
        settings = with_codes(settings)
        if not can_be_taken_up(self._settings, settings):
            raise ValueError(
                "expected other ports, serial numbers and keys alone; what else is "
                "changed takes effect at the next start"
            )
        self._settings = settings
        self._has_changed.set()

    async def run(self) -> None:
        """Serve until cancelled; then report offline and close the ports.

        Raises:
            BrokerError: the broker refuses this daemon for good.
            MetricsError: its figures cannot be served at the address that they have.
            WebServerError: nor can its web terminals.
        """
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_quiet_about_lost_ports)
        try:
            async with self._client:
                try:
                    with serving_metrics(self._metrics_address, self._metrics):
                        await self._serve()
                finally:
                    for terminal in self._lines:
                        self.line_lost(terminal, "the daemon has stopped")
        except ExceptionGroup as group:
            # Not except*: before Python 3.11.4 it raises a group whatever is raised.
            refused, rest = group.split((BrokerError, WebServerError))
            if refused is None or rest is not None:
                raise
            raise _first(refused) from None
        finally:
            for timer in (*self._timers.values(), self._sending):
                if timer is not None:
                    timer.cancel()

    async def _serve(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for terminal in self._lines:
                self._run_line(terminal, tasks)
            tasks.create_task(self._follow_settings(tasks), name="settings")
            tasks.create_task(self._carriers.run(), name="carriers")
            tasks.create_task(self._receive(), name="messages")

    def _run_line(self, terminal: str, tasks: asyncio.TaskGroup) -> None:
        running = self._lines[terminal].run()
        self._running[terminal] = tasks.create_task(running, name=f"line {terminal}")

    async def _follow_settings(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            settings = self._settings
            changed = {
                terminal.id: terminal
                for terminal in settings.terminals
                if terminal != self._lines[terminal.id].settings
            }
            # All are closed before one is opened: two may have changed their ports.
            closing = [self._running[terminal] for terminal in changed]
            for task in closing:
                task.cancel()
            await asyncio.gather(*closing, return_exceptions=True)
            self._carriers.take_up(settings)
            self._relay.take_up(settings, self._loop.time())
            for name, terminal in changed.items():
                self._lines[name] = self._line(terminal)
                self._run_line(name, tasks)
                self._flush(name)
                logger.info("%s: bound anew, at %s", name, terminal.port)

    def line_opened(self, terminal: str) -> None:
        """A terminal's port is open."""
        self._relay.line_opened(terminal, self._loop.time())
        self._flush(terminal)

    def line_received(self, terminal: str, data: bytes) -> None:
        """Bytes came from a terminal."""
        logger.debug("%s > %s", terminal, data.hex(" "))
        self._relay.line_received(terminal, data, self._loop.time())
        self._flush(terminal)

    def line_lost(self, terminal: str, reason: str) -> None:
        """A terminal's port is gone, or does not open."""
        self._relay.line_lost(terminal, reason, self._loop.time())
        self._flush(terminal)

    def line_refused(self, terminal: str, reason: str) -> None:
        """Whoever is at a port is not the terminal that belongs there."""
        self._relay.line_refused(terminal, reason, self._loop.time())
        self._flush(terminal)

    def intruded(self, terminal: str, reason: str) -> None:
        """Somebody was refused at a terminal that goes on as it was."""
        self._relay.intruded(terminal, reason)
        self._flush(terminal)

    def line_has_room(self, terminal: str) -> None:
        """A port takes bytes again."""
        self._flush(terminal)

    async def _receive(self) -> None:
        while True:
            messages = await self._client.receive_batch()
            touched: set[str] = set()
            for message in messages:
                terminal = None
                if not self._carriers.take(message):
                    terminal = self._relay.message(
                        message.topic, message.payload, self._loop.time()
                    )
                message.ack()
                if terminal is not None:
                    touched.add(terminal)
            for terminal in touched:
                self._flush(terminal)

    def _broker_changed(self, state: ConnectionState) -> None:
        if state is ConnectionState.CONNECTED:
            self._relay.broker_connected(self._loop.time())
            self._publish()
        else:
            self._relay.broker_lost()

    def _tick(self, terminal: str) -> None:
        self._relay.tick(terminal, self._loop.time())
        self._flush(terminal)

    def _flush(self, terminal: str) -> None:
        """Pass on what the relay has after a call about a terminal, set its timer."""
        line = self._lines[terminal]
        if line.has_room:
            data = self._relay.data_to_send(terminal)
            if data:
                logger.debug("%s < %s", terminal, data.hex(" "))
                line.write(data)
        refused = self._relay.lets_go(terminal)
        if refused is not None:
            line.let_go(refused)
        self._publish()
        timer = self._timers.pop(terminal, None)
        if timer is not None:
            timer.cancel()
        due = self._relay.deadline(terminal)
        if due is not None:
            self._timers[terminal] = self._loop.call_at(due, self._tick, terminal)

    def _publish(self) -> None:
        """Publish what the relay has, as far as the broker takes it."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        while self._unsent or self._collect():
            first = self._unsent[0]
            if not self._client.send(first.topic, first.payload, retain=first.retain):
                break
            self._unsent.popleft()
        if self._unsent and self._client.state is ConnectionState.CONNECTED:
            self._sending = self._loop.call_later(AGAIN_SECONDS, self._publish)

    def _collect(self) -> bool:
        """Take over what the relay has; nothing more until all of it is sent."""
        self._unsent.extend(self._relay.publications(self._loop.time()))
        return bool(self._unsent)


class _LineUser:
    """Says to the daemon which terminal a line belongs to."""

    def __init__(self, daemon: Daemon, settings: TerminalSettings) -> None:
        self._daemon = daemon
        self._terminal = settings.id

    def line_opened(self) -> None:
        self._daemon.line_opened(self._terminal)

    def line_received(self, data: bytes) -> None:
        self._daemon.line_received(self._terminal, data)

    def line_lost(self, reason: str) -> None:
        self._daemon.line_lost(self._terminal, reason)

    def line_refused(self, reason: str) -> None:
        self._daemon.line_refused(self._terminal, reason)

    def line_has_room(self) -> None:
        self._daemon.line_has_room(self._terminal)


def _first(group: BaseExceptionGroup) -> BaseException:
    """The first error of a group, however deep it stands in it."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


def _nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def _quiet_about_lost_ports(
    loop: asyncio.AbstractEventLoop, context: dict[str, Any]
) -> None:
    """Log a port that broke while writing in one line; its line opens it again."""
    if "serial transport" in context["message"]:
        logger.debug("%s: %s", context["message"], context.get("exception"))
    else:
        loop.default_exception_handler(context)
