"""paho-mqtt on the event loop: one connection at a time.

paho's own network thread is not used. Opening the socket blocks (name, TCP, TLS), so
that alone runs in a worker thread; from then on the event loop watches the socket and
every callback of paho runs on the loop.
"""

import asyncio
import logging
import select
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from broker.errors import RefusedError, SubscriptionRefusedError
from broker.paho_client import BufferedClient
from broker.settings import BrokerSettings

if TYPE_CHECKING:
    from paho.mqtt.client import SocketLike

_Answer = TypeVar("_Answer")

logger = logging.getLogger(__name__)

OPEN_SECONDS = 5.0
"""For the name look-up, TCP and TLS."""

HANDSHAKE_SECONDS = 10.0
"""For CONNACK; a broker takes milliseconds."""

SUBSCRIBE_SECONDS = 30.0
"""For SUBACK: while a cluster elects a leader each filter may take it seconds, and to
break off and begin anew would never come to an end."""

READS_AT_ONCE = 256
"""Packets read before other work on the event loop gets its turn."""

_REFUSED_FOR_GOOD = {
    "Unsupported protocol version",
    "Client identifier not valid",
    "Bad user name or password",
    "Not authorized",
}


class ConnectionLostError(Exception):
    """The connection is gone or did not come about; its text says why."""


class Connection:
    """paho's client, connected, watched and closed by the event loop.

    Messages under way to the broker live in paho over any number of connections, and
    are sent again after each CONNACK until the broker confirms them.
    """

    def __init__(
        self,
        settings: BrokerSettings,
        *,
        client_id: str,
        clean_session: bool,
        on_message: Callable[[paho.MQTTMessage], object],
        on_puback: Callable[[int], object],
    ) -> None:
        """Prepare; nothing is sent before `open`.

        Args:
            settings: The broker and our credentials there.
            client_id: Our name at the broker.
            clean_session: Whether the broker forgets us when we leave.
            on_message: Called with each message; it says through `pause_reading` when
                it wants no more.
            on_puback: Called with the id of each message that the broker confirms.

        Raises:
            CertificateError: A certificate file cannot be used.
        """
        self._settings = settings
        self._on_message = on_message
        self._on_puback = on_puback
        self._socket: SocketLike | None = None
        self._reading = True
        self._going_on: asyncio.Handle | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._poll = select.poll()
        self._paho = self._build(client_id, clean_session)

    def _build(self, client_id: str, clean_session: bool) -> BufferedClient:
        client = BufferedClient(
            CallbackAPIVersion.VERSION2,
            client_id=client_id,
            clean_session=clean_session,
            protocol=paho.MQTTv311,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.on_log = _log
        # 0 is no limit: the caller bounds what is under way, and a message that paho
        # queues beyond its window would hold back those after it.
        client.max_inflight_messages_set(0)
        client.connect_timeout = OPEN_SECONDS
        if self._settings.username is not None:
            client.username_pw_set(self._settings.username, self._settings.password)
        context = self._settings.ssl_context()
        if context is not None:
            context.sslsocket_class = _TlsSocket
            client.tls_set_context(context)
        client.on_socket_open = _set_nodelay
        client.on_socket_close = self._socket_closes
        client.on_socket_register_write = self._watch_writable
        client.on_socket_unregister_write = self._unwatch_writable
        client.on_connect = self._connack_came
        client.on_subscribe = self._suback_came
        client.on_publish = self._puback_came
        client.on_message = self._message_came
        client.on_disconnect = self._connection_ended
        client.connect_async(
            self._settings.host, self._settings.port, self._settings.keepalive
        )
        return client

    async def open(self, will: tuple[str, bytes] | None) -> None:
        """Connect and wait for the broker's answer.

        Args:
            will: Topic and payload of what the broker publishes, retained at QoS 1,
                when this connection is lost.

        Raises:
            ConnectionLostError: There is no broker, or it is busy.
            RefusedError: The broker will not have us.
        """
        self._loop = asyncio.get_running_loop()
        self._lost: asyncio.Future[str] = self._loop.create_future()
        self._connack: asyncio.Future[ReasonCode] = self._loop.create_future()
        self._suback: asyncio.Future[list[ReasonCode]]
        if will is not None:
            self._paho.will_set(*will, qos=1, retain=True)
        await self._open_socket()
        reason = await self._before_loss(self._connack, HANDSHAKE_SECONDS)
        if reason.is_failure:
            if reason.getName() in _REFUSED_FOR_GOOD:
                raise RefusedError(f"{self._settings} refuses us: {reason}")
            raise ConnectionLostError(f"the broker cannot serve us now: {reason}")

    async def _open_socket(self) -> None:
        opening = asyncio.ensure_future(asyncio.to_thread(self._paho.reconnect))
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            # A thread cannot be cancelled: let it end, at most OPEN_SECONDS, so that
            # it does not leave a socket behind.
            await asyncio.wait({opening})
            opening.exception()
            raise
        except OSError as error:
            raise ConnectionLostError(f"cannot connect: {error}") from error
        self._socket = self._paho.socket()
        if self._socket is None:
            raise ConnectionLostError("cannot connect: the socket closed at once")
        self._poll.register(self._socket.fileno(), select.POLLIN)
        if self._reading:
            self._loop.add_reader(self._socket.fileno(), self._readable)
        if self._paho.want_write():
            self._loop.add_writer(self._socket.fileno(), self._paho.loop_write)

    def keep_alive(self) -> None:
        """Ping from now on, and end the connection when a ping is not answered.

        Not before the subscriptions hold: a broker that is slow to make them, as one of
        a cluster that elects a leader, answers no ping meanwhile, and would never get
        to an end if each attempt were broken off.
        """
        if self._socket is not None:
            self._ticking = asyncio.create_task(self._tick(), name="mqtt keepalive")

    async def _tick(self) -> None:
        """Let paho send pings and find the one that is not answered."""
        while True:
            await asyncio.sleep(min(1.0, self._settings.keepalive / 4))
            self._paho.loop_misc()

    async def _before_loss(
        self, answer: "asyncio.Future[_Answer]", seconds: float
    ) -> _Answer:
        """Wait for an answer of the broker, but no longer than the connection lasts."""
        either: set[asyncio.Future[Any]] = {answer, self._lost}
        await asyncio.wait(
            either,
            timeout=seconds,
            return_when=asyncio.FIRST_COMPLETED,
        )
        if answer.done():
            return answer.result()
        if self._lost.done():
            raise ConnectionLostError(self._lost.result())
        raise ConnectionLostError(f"no answer within {seconds:.0f} s")

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe at QoS 1 and check what the broker grants.

        Raises:
            ConnectionLostError: The connection went first.
            SubscriptionRefusedError: A filter was refused.
        """
        if not filters:
            return
        self._suback = self._loop.create_future()
        self._paho.subscribe([(topic_filter, 1) for topic_filter in filters])
        granted = await self._before_loss(self._suback, SUBSCRIBE_SECONDS)
        refused = tuple(
            topic_filter
            for topic_filter, code in zip(filters, granted, strict=True)
            if code.is_failure
        )
        if refused:
            raise SubscriptionRefusedError(refused)

    async def last_until(self, moment: float) -> None:
        """Wait until then, by the event loop's clock.

        Raises:
            ConnectionLostError: The connection has not lasted.
        """
        await asyncio.wait({self._lost}, timeout=moment - self._loop.time())
        if self._lost.done():
            raise ConnectionLostError(self._lost.result())

    async def wait_lost(self) -> str:
        """Wait until the connection is lost; return why."""
        return await self._lost

    def publish(self, topic: str, payload: bytes, qos: int, retain: bool) -> int:
        """Send a message and return its id, which `on_puback` names at QoS 1."""
        return self._paho.publish(topic, payload, qos, retain).mid

    def flush(self) -> None:
        """Write what waits now, not when the event loop comes round to it."""
        if self._socket is not None and self._paho.want_write():
            self._paho.loop_write()

    def send_puback(self, mid: int) -> None:
        """Acknowledge message `mid` of the broker's."""
        self._paho.ack(mid, qos=1)

    def pause_reading(self) -> None:
        """Read no more: TCP holds the sender back.

        A pause longer than two keepalives ends the connection, since the answer to a
        ping is not read either; what was not acknowledged is then sent again.
        """
        if self._reading and self._socket is not None:
            self._loop.remove_reader(self._socket.fileno())
        self._reading = False

    def resume_reading(self) -> None:
        """Read again."""
        if self._reading:
            return
        self._reading = True
        if self._socket is not None:
            self._loop.add_reader(self._socket.fileno(), self._readable)
            self._read_on()

    def close(self) -> None:
        """Say goodbye, so that the broker discards the will, and close the socket."""
        if self._socket is None:
            return
        self._paho.disconnect()
        self._paho.loop_write()
        left = self._socket
        if left is not None:
            # The goodbye did not fit into a socket that nobody empties.
            self._socket_closes(self._paho, None, left)
            left.close()

    # --- the event loop calls these ---

    def _readable(self) -> None:
        if self._going_on is not None:
            self._going_on.cancel()
            self._going_on = None
        for _ in range(READS_AT_ONCE):
            if self._socket is None or not self._reading:
                return
            try:
                self._paho.loop_read()
            except Exception:
                # Whatever paho trips over in a malformed packet ends this connection,
                # else the same bytes would be looked at for ever.
                logger.exception("cannot read what the broker sent")
                self.close()
                return
            if not self._more_to_read():
                return
        self._read_on()

    def _read_on(self) -> None:
        """Read when others had their turn, whatever the socket says.

        It shows nothing of what was read ahead, or what TLS has decrypted.
        """
        if self._going_on is None:
            self._going_on = self._loop.call_soon(self._readable)

    def _more_to_read(self) -> bool:
        if self._socket is None:
            return False
        if self._paho.has_read_ahead:
            return True
        if isinstance(self._socket, ssl.SSLSocket) and self._socket.pending():
            return True
        return bool(self._poll.poll(0))

    # --- paho calls these ---

    def _watch_writable(
        self, _client: paho.Client, _userdata: object, watched: "SocketLike"
    ) -> None:
        # While the socket is being opened this runs in the worker thread; the event
        # loop looks for itself once the socket is open.
        if self._socket is not None:
            self._loop.add_writer(watched.fileno(), self._paho.loop_write)

    def _unwatch_writable(
        self, _client: paho.Client, _userdata: object, watched: "SocketLike"
    ) -> None:
        if self._socket is not None:
            self._loop.remove_writer(watched.fileno())

    def _socket_closes(
        self, _client: paho.Client, _userdata: object, closing: "SocketLike"
    ) -> None:
        if self._socket is None:
            return
        self._socket = None
        self._loop.remove_reader(closing.fileno())
        self._loop.remove_writer(closing.fileno())
        self._poll.unregister(closing.fileno())
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        # paho calls `_connection_ended` with the reason next, in most cases.
        self._loop.call_soon(_settle, self._lost, "the connection is lost")

    def _connection_ended(
        self,
        _client: paho.Client,
        _userdata: object,
        _flags: paho.DisconnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        known = "" if str(reason) == "Unspecified error" else f": {reason}"
        _settle(self._lost, f"the connection is lost{known}")

    def _connack_came(
        self,
        _client: paho.Client,
        _userdata: object,
        _flags: paho.ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        _settle(self._connack, reason)

    def _suback_came(
        self,
        _client: paho.Client,
        _userdata: object,
        _mid: int,
        reasons: list[ReasonCode],
        _properties: Properties | None,
    ) -> None:
        _settle(self._suback, reasons)

    def _puback_came(
        self,
        _client: paho.Client,
        _userdata: object,
        mid: int,
        _reason: ReasonCode,
        _properties: Properties,
    ) -> None:
        self._on_puback(mid)

    def _message_came(
        self, _client: paho.Client, _userdata: object, message: paho.MQTTMessage
    ) -> None:
        self._on_message(message)


class _TlsSocket(ssl.SSLSocket):
    """Closes itself when the handshake fails, which paho leaves to chance."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _settle(future: "asyncio.Future[_Answer]", answer: _Answer) -> None:
    """Give a future its result, unless it has one or nobody waits any more."""
    if not future.done():
        future.set_result(answer)


def _log(_client: paho.Client, _userdata: object, _level: int, text: str) -> None:
    """Paho calls a lost connection an error; here it is daily life."""
    logger.debug("%s", text)


def _set_nodelay(_client: paho.Client, _userdata: object, opened: "SocketLike") -> None:
    """Send small packets at once: with Nagle's algorithm a round trip takes 44 ms."""
    if isinstance(opened, socket.socket):
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
