"""Messages that arrived and the application has not taken yet.

A message is acknowledged to the broker only when the application says so
(`Message.ack`), which it does after it has processed it: a broker then sends again
what a killed process had not finished. The inbox is bounded; when it is full the
client stops reading, so nothing is ever dropped and the broker holds the rest.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

INBOX_LIMIT = 8000
"""Messages held for the application before the client stops reading.

Twice the window of unacknowledged messages that the embedded broker is set to, so
that with it the limit is never met.
"""


class AckWindow:
    """The unacknowledged messages of one connection, acknowledged in order.

    MQTT 3.1.1 (section 4.6) wants PUBACKs in the order in which the messages came.
    """

    def __init__(self, send: Callable[[int], object]) -> None:
        """Open a window whose PUBACKs are sent by `send(message id)`."""
        self._send = send
        self._waiting: dict[int, bool] = {}
        self._open = True

    def admit(self, mid: int) -> bool:
        """Take in message id `mid`; False if it is still waiting here.

        NATS repeats within one connection what has not been acknowledged for a
        while; the application has the first copy already.
        """
        if mid in self._waiting:
            return False
        self._waiting[mid] = False
        return True

    def ack(self, mid: int) -> None:
        """Acknowledge `mid`, and those after it that only waited for it."""
        if not self._open or mid not in self._waiting:
            return
        self._waiting[mid] = True
        while self._waiting:
            first, done = next(iter(self._waiting.items()))
            if not done:
                return
            del self._waiting[first]
            self._send(first)

    def close(self) -> None:
        """The connection is gone: its message ids mean nothing any more."""
        self._open = False
        self._waiting.clear()


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """One message from the broker.

    Attributes:
        topic: Its topic.
        payload: Its payload.
        retained: The broker had kept it and sends it because we subscribed; False for
            a message that was published while we were subscribed.
        duplicate: The broker has sent it before and may do so again.
    """

    topic: str
    payload: bytes
    retained: bool = False
    duplicate: bool = False
    _mid: int = field(default=0, repr=False)
    _window: AckWindow | None = field(default=None, repr=False)

    def ack(self) -> None:
        """Tell the broker that this message has been processed.

        Call it when its effect is durable. A second call, and a call after the
        connection it came by has gone, do nothing; the broker then sends it again.
        """
        if self._window is not None:
            self._window.ack(self._mid)


class Inbox:
    """A bounded queue of messages between the connection and the application."""

    def __init__(self, limit: int, on_room: Callable[[], object]) -> None:
        """Open an inbox; `on_room` is called when a full one has room again.

        Args:
            limit: Messages at which it is full.
            on_room: Called without arguments, on the event loop.
        """
        if limit < 1:
            raise ValueError(f"limit: expected at least 1, got {limit}")
        self._limit = limit
        self._on_room = on_room
        self._messages: deque[Message] = deque()
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def full(self) -> bool:
        """Whether the client has to stop reading."""
        return not self._room.is_set()

    def put(self, message: Message) -> None:
        """Append a message; the caller stops reading once the inbox is `full`."""
        self._messages.append(message)
        self._arrived.set()
        if len(self._messages) >= self._limit:
            self._room.clear()

    def take(self, limit: int) -> list[Message]:
        """Remove and return up to `limit` messages, oldest first."""
        count = min(limit, len(self._messages))
        taken = [self._messages.popleft() for _ in range(count)]
        if not self._messages:
            self._arrived.clear()
        # Half empty, not one short of full: reading is not switched at every message.
        if self.full and len(self._messages) <= self._limit // 2:
            self._room.set()
            self._on_room()
        return taken

    async def wait(self) -> None:
        """Wait until there is a message, or until `interrupt`."""
        await self._arrived.wait()

    async def wait_for_room(self) -> None:
        """Wait until the inbox is not full."""
        await self._room.wait()

    def interrupt(self) -> None:
        """Wake whoever waits, for good: no message will come any more."""
        self._arrived.set()
