"""The one MQTT client that all daemons share.

- Messages come in the order of arrival and are acknowledged only by `Message.ack`.
- A full inbox stops the reading; nothing is dropped.
- After a loss it connects again, with full jitter, and subscribes again at every
  connect; one that is refused at first is fatal and raised to whoever uses the client.
- It reports birth and death (see `broker.presence`) and stops when another process
  has taken its name over, instead of fighting for it.
- A half-open connection is found by a ping that is not answered in time.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from enum import StrEnum
from types import TracebackType
from typing import Self

from paho.mqtt.client import MQTTMessage, topic_matches_sub

from broker.backoff import Backoff
from broker.connection import Connection, ConnectionLostError
from broker.errors import (
    BrokerError,
    NotConnectedError,
    RefusedError,
    SubscriptionRefusedError,
    TakenOverError,
)
from broker.inbox import INBOX_LIMIT, AckWindow, Inbox, Message
from broker.presence import Presence, StatusWatch, Verdict
from broker.settings import BrokerSettings
from broker.topics import check_client_id, check_filter, check_topic

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 2.0
"""How long closing waits for the broker to confirm the last status."""

STEADY_SECONDS = 10.0
"""A connection that held this long counts as sound: the backoff starts over."""

SHORT_LIVED_ALARM = 5
"""Connections in a row that broke young before the log speaks of a fight."""

AGAIN_SECONDS = 0.5
"""Before a subscription that was refused, and granted before, is asked for again."""

OUTBOX_LIMIT = 2000
"""Messages sent and not yet confirmed; a PUBACK takes about a millisecond."""


class ConnectionState(StrEnum):
    """Where the client is in its life."""

    IDLE = "idle"
    CONNECTING = "connecting"
    SUBSCRIBING = "subscribing"
    CONNECTED = "connected"
    BACKING_OFF = "backing off"
    CLOSED = "closed"
    FAILED = "failed"


class MqttClient:
    """A client that stays connected while its context is open.

    Example:
        async with MqttClient(settings, client_id="referee", ...) as client:
            while True:
                for message in await client.receive_batch():
                    ...
                    message.ack()
    """

    def __init__(  # noqa: PLR0913 - by keyword, and most have a default
        self,
        settings: BrokerSettings,
        *,
        client_id: str,
        subscriptions: Sequence[str] = (),
        presence: Presence | None = None,
        clean_session: bool = True,
        on_state: Callable[[ConnectionState], object] | None = None,
        inbox_limit: int = INBOX_LIMIT,
        backoff: Backoff | None = None,
        look_again: Sequence[float] = (),
    ) -> None:
        """Prepare a client; entering its context connects it.

        Args:
            settings: The broker's address and our credentials there.
            client_id: Our name at the broker. With a clean session a random part is
                added: two processes set up under one name then do not throw each
                other out for ever, and `presence` tells the older one to stop.
            subscriptions: Topic filters, each taken at QoS 1 at every connect.
            presence: The status topic to report on, if this daemon has one.
            clean_session: False lets the broker keep what arrives while we are away.
            on_state: Called on the event loop with each new state. At CONNECTED all
                subscriptions hold: the moment to publish retained state again.
            inbox_limit: Messages waiting for `receive_batch` at which reading stops.
            backoff: Delays between attempts to connect.
            look_again: Seconds after each connect at which the subscriptions are made
                once more, and what the broker keeps comes again: it may have lost what
                was published while we were subscribing. What it keeps of a topic is
                left out once something newer has come.

        Raises:
            ValueError: The client id, a topic filter or the status topic is malformed.
            CertificateError: A certificate file of the settings cannot be used.
        """
        check_client_id(client_id)
        for topic_filter in subscriptions:
            check_filter(topic_filter)
        if presence is not None:
            check_topic(presence.topic)
        self._settings = settings
        self._client_id = client_id
        if clean_session:
            self._client_id = f"{client_id}-{secrets.token_hex(4)}"
        self._subscriptions = tuple(subscriptions)
        self._on_state = on_state
        self._backoff = backoff if backoff is not None else Backoff()
        self._look_again = tuple(look_again)
        self._heard_live: set[str] = set()
        self._state = ConnectionState.IDLE
        self._error: BrokerError | None = None
        self._task: asyncio.Task[None] | None = None
        self._presence = presence
        self._status_watch: StatusWatch | None = None
        if presence is not None:
            self._status_watch = StatusWatch(presence.status)
        self._accepted = False
        self._subscribed = False
        self._short_lived = 0
        self._taken_over: TakenOverError | None = None
        self._connected = asyncio.Event()
        self._outbox: dict[int, asyncio.Future[None] | None] = {}
        self._outbox_room = asyncio.Event()
        self._outbox_room.set()
        self._connection = Connection(
            settings,
            client_id=self._client_id,
            clean_session=clean_session,
            on_message=self._message_came,
            on_puback=self._puback_came,
        )
        self._window = AckWindow(self._connection.send_puback)
        self._inbox = Inbox(inbox_limit, self._connection.resume_reading)

    # --- what the application uses ---

    @property
    def state(self) -> ConnectionState:
        """Where the client is in its life."""
        return self._state

    async def __aenter__(self) -> Self:
        """Start connecting, without waiting for it: the broker may come up later."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run(), name=f"mqtt {self._client_id}")
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Report offline, disconnect, and wait until the client has stopped."""
        await self.close()

    async def wait_connected(self) -> None:
        """Wait until the broker has accepted the client and its subscriptions.

        Raises:
            BrokerError: The broker refused for good, or the client is closed.
        """
        while self._state is not ConnectionState.CONNECTED:
            self._check_usable()
            await self._connected.wait()

    @property
    def waiting(self) -> int:
        """Messages that have come and have not been received."""
        return len(self._inbox)

    @property
    def room(self) -> int:
        """Messages that `send` takes now; 0 as long as the broker is far behind."""
        if not self._outbox_room.is_set():
            return 0
        return OUTBOX_LIMIT - len(self._outbox)

    async def receive_batch(self, limit: int = 500) -> list[Message]:
        """Wait for messages; return all that are waiting, oldest first.

        Args:
            limit: Return no more than this many.

        Raises:
            BrokerError: The broker refused for good, or the client is closed.
        """
        while not (messages := self._inbox.take(limit)):
            self._check_usable()
            await self._inbox.wait()
        return messages

    async def publish(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False
    ) -> None:
        """Send a message and, at QoS 1, wait until the broker has it.

        Waits for a connection where there is none; a message under way when the
        connection is lost is sent again after the next connect.

        Raises:
            ValueError: The topic is malformed.
            BrokerError: The broker refused for good, or the client is closed.
        """
        check_topic(topic)
        while True:
            await self.wait_connected()
            if self._outbox_room.is_set():
                break
            await self._outbox_room.wait()
        confirmed = self._loop.create_future() if qos else None
        self._publish(topic, payload, qos, retain, confirmed)
        if confirmed is not None:
            await confirmed

    def send(
        self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False
    ) -> bool:
        """Send a message without waiting; False if it cannot be sent now.

        False means that there is no connection, or that the broker is far behind with
        confirming: the message was not taken, and the caller repeats it in its own
        time. Messages are sent in the order of the calls.

        Raises:
            ValueError: The topic is malformed.
        """
        check_topic(topic)
        if self._state is not ConnectionState.CONNECTED:
            return False
        if not self._outbox_room.is_set():
            return False
        self._publish(topic, payload, qos, retain, None)
        return True

    def flush(self) -> None:
        """Let what was sent leave now: for who has much to do before he waits again.

        Without this it leaves together with what follows it, once the caller waits.
        """
        self._connection.flush()

    async def close(self) -> None:
        """Report offline, disconnect and stop; harmless when already closed."""
        task, self._task = self._task, None
        if task is None:
            return
        presence, self._status_watch = self._presence, None
        if self._state is ConnectionState.CONNECTED and presence is not None:
            offline = presence.payload(online=False)
            with contextlib.suppress(TimeoutError, BrokerError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self.publish(presence.topic, offline, retain=True)
        task.cancel()
        await asyncio.wait({task})

    def _check_usable(self) -> None:
        if self._error is not None:
            raise self._error
        if self._state is ConnectionState.CLOSED:
            raise NotConnectedError("the MQTT client is closed")

    def _publish(
        self,
        topic: str,
        payload: bytes,
        qos: int,
        retain: bool,
        confirmed: "asyncio.Future[None] | None",
    ) -> None:
        mid = self._connection.publish(topic, payload, qos, retain)
        if qos:
            self._outbox[mid] = confirmed
            if len(self._outbox) >= OUTBOX_LIMIT:
                self._outbox_room.clear()

    # --- the life of the client ---

    async def _run(self) -> None:
        final = ConnectionState.CLOSED
        try:
            while True:
                await self._inbox.wait_for_room()
                started = self._loop.time()
                try:
                    await self._hold_connection()
                except ConnectionLostError as lost:
                    await self._back_off(str(lost), self._loop.time() - started)
        except BrokerError as error:
            logger.critical("%s as %s: %s", self._settings, self._client_id, error)
            self._error = error
            final = ConnectionState.FAILED
        except Exception as error:
            logger.exception("%s as %s", self._settings, self._client_id)
            self._error = BrokerError(f"the MQTT client has failed: {error!r}")
            final = ConnectionState.FAILED
        finally:
            self._finish(final)

    async def _hold_connection(self) -> None:
        """One connection, from the attempt to its loss, which it raises."""
        self._enter(ConnectionState.CONNECTING)
        self._heard_live.clear()
        self._window = AckWindow(self._connection.send_puback)
        presence = self._presence
        will, filters = None, self._subscriptions
        if presence is not None:
            will = (presence.topic, presence.payload(online=False))
            filters = (*filters, presence.topic)
        if self._status_watch is not None:
            self._status_watch.connecting()
        try:
            await self._open(will)
            self._enter(ConnectionState.SUBSCRIBING)
            await self._subscribe(filters)
            self._connection.keep_alive()
            self._announce()
            self._enter(ConnectionState.CONNECTED)
            connected = self._loop.time()
            for seconds in self._look_again:
                await self._connection.last_until(connected + seconds)
                await self._subscribe(filters)
            raise ConnectionLostError(await self._connection.wait_lost())
        except ConnectionLostError:
            if self._taken_over is not None:
                raise self._taken_over from None
            raise
        finally:
            self._window.close()
            self._connection.close()

    async def _open(self, will: tuple[str, bytes] | None) -> None:
        try:
            await self._connection.open(will)
        except RefusedError as refused:
            # It has taken us before: a broker that comes up with half its set-up must
            # not end the daemons of a whole event.
            if not self._accepted:
                raise
            raise ConnectionLostError(str(refused)) from refused
        self._accepted = True

    async def _subscribe(self, filters: Sequence[str]) -> None:
        while filters:
            try:
                await self._connection.subscribe(filters)
                break
            except SubscriptionRefusedError as refused:
                # A cluster that has lost a server refuses some of what it has granted
                # before, others each time: what it grants now is kept.
                if not self._subscribed:
                    raise
                logger.warning("%s as %s: %s", self._settings, self._client_id, refused)
                filters = refused.filters
                await asyncio.sleep(AGAIN_SECONDS)
        self._subscribed = True

    async def _back_off(self, reason: str, lasted: float) -> None:
        was_connected = self._state is ConnectionState.CONNECTED
        if was_connected and lasted >= STEADY_SECONDS:
            self._backoff.reset()
            self._short_lived = 0
        elif was_connected:
            self._short_lived += 1
        delay = self._backoff.next_delay()
        self._enter(ConnectionState.BACKING_OFF)
        logger.warning(
            "%s as %s: %s; next attempt in %.1f s",
            self._settings,
            self._client_id,
            reason,
            delay,
        )
        if self._short_lived >= SHORT_LIVED_ALARM:
            logger.error(
                "%s: the last %d connections as %s broke young: does another process "
                "use this client id?",
                self._settings,
                self._short_lived,
                self._client_id,
            )
        await asyncio.sleep(delay)

    def _announce(self) -> None:
        """Publish the birth, after all subscriptions hold."""
        if self._presence is None or self._status_watch is None:
            return
        birth = self._presence.payload(online=True)
        self._publish(self._presence.topic, birth, 1, True, None)
        self._status_watch.announced()

    def _enter(self, state: ConnectionState) -> None:
        if state is self._state:
            return
        logger.info("%s as %s: %s", self._settings, self._client_id, state)
        self._state = state
        if state is ConnectionState.CONNECTED:
            self._connected.set()
        else:
            self._connected.clear()
        if self._on_state is not None:
            self._on_state(state)

    def _finish(self, final: ConnectionState) -> None:
        """Wake everybody who waits: nothing will come any more."""
        self._enter(final)
        self._connected.set()
        self._outbox_room.set()
        self._inbox.interrupt()
        error = self._error or NotConnectedError("the MQTT client is closed")
        for confirmed in self._outbox.values():
            if confirmed is not None and not confirmed.done():
                confirmed.set_exception(error)
        self._outbox.clear()

    # --- the connection calls these ---

    def _puback_came(self, mid: int) -> None:
        confirmed = self._outbox.pop(mid, None)
        if confirmed is not None and not confirmed.done():
            confirmed.set_result(None)
        if len(self._outbox) <= OUTBOX_LIMIT // 2:
            self._outbox_room.set()

    def _message_came(self, received: MQTTMessage) -> None:
        if received.qos and not self._window.admit(received.mid):
            return
        message = Message(
            received.topic,
            bytes(received.payload),
            retained=received.retain,
            duplicate=received.dup,
            _mid=received.mid,
            _window=self._window if received.qos else None,
        )
        if self._presence is not None and message.topic == self._presence.topic:
            self._own_status_came(message)
            if not self._subscribed_by_application(message.topic):
                message.ack()
                return
        if message.retained and message.topic in self._heard_live:
            message.ack()  # older than what has come since, of which nothing is missed
            return
        if self._look_again and not message.retained:
            self._heard_live.add(message.topic)
        self._inbox.put(message)
        if self._inbox.full:
            self._connection.pause_reading()

    def _subscribed_by_application(self, topic: str) -> bool:
        return any(
            topic_matches_sub(topic_filter, topic)
            for topic_filter in self._subscriptions
        )

    def _own_status_came(self, message: Message) -> None:
        if self._status_watch is None:
            return
        match self._status_watch.judge(message.payload, retained=message.retained):
            case Verdict.FINE:
                pass
            case Verdict.REPEAT_BIRTH:
                self._announce()
            case Verdict.TAKEN_OVER:
                self._taken_over = TakenOverError(message.topic)
                # Not from inside a callback of paho's, which holds its locks.
                self._loop.call_soon(self._connection.close)
