"""The daemon's end of the wire as the checks use it: says and keeps anything."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from protocol.decoding import Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.messages import Message, Part, Ping, Pong, encode, name_of
from protocol.parts import Reassembler

Heard = Message | Rejected | Unknown
"""What a body of the terminal turned out to be."""

CLOSES = 2.0
"""Seconds within which a carrier is closed."""

HEX_WIDTH = 32
"""Bytes in a line of hex."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that went over the wire."""

    t: float
    is_ours: bool
    content: bytes
    """The frame; of noise the bytes as they came."""
    message: Heard | None = None
    """What the frame carries; None for bytes that are no frame."""

    def told(self, start: float) -> str:
        """For people: time, direction, message, and the bytes below."""
        arrow = "<" if self.is_ours else ">"
        rows = [
            self.content[at : at + HEX_WIDTH].hex(" ")
            for at in range(0, len(self.content), HEX_WIDTH)
        ]
        head = f"{self.t - start:8.3f} {arrow} {described(self.message)}"
        return "\n".join([head, *(f"           {row}" for row in rows)])


def described(message: Heard | None) -> str:
    """A message in one line: its name and its fields."""
    if message is None:
        return "(no frame)"
    if isinstance(message, Rejected):
        return f"(rejected) {message.reason}"
    if isinstance(message, Unknown):
        return f"(unknown tag {message.tag})"
    names = message.__struct_fields__
    values = msgspec.structs.astuple(message)
    fields = (f"{n}={_value(v)}" for n, v in zip(names, values, strict=True))
    return " ".join([name_of(type(message)), *fields])


def _value(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex() or '""'
    return msgspec.json.encode(value).decode()


class Wire(asyncio.Protocol):
    """One way to a terminal, with everything that ever went over it.

    Attributes:
        seen: in the order of time.
        answers_pings: say PONG to each PING, so that the terminal does not take the
            link for down while a check waits.
    """

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.answers_pings = True
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._decoder = FrameDecoder()
        self._parts = Reassembler()
        self._part_id = 0
        self._waiting: list[asyncio.Future[None]] = []

    # -- asyncio calls these --------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The carrier is open."""
        self._transport = transport  # type: ignore[assignment]  # it is a full one
        self._decoder.reset()
        self._parts.reset()

    def data_received(self, data: bytes) -> None:
        """Keep what came; a message in parts counts when its last part is there."""
        noise = self._decoder.counters.noise_bytes
        for body in self._decoder.receive(data):
            self._take(body)
        if self._decoder.counters.noise_bytes > noise:
            self._keep(Seen(self._loop.time(), False, data))
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """The carrier is gone, as when a box on USB restarts."""
        del exc
        self._transport = None
        self._wake()

    # -- the bench calls these ------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether there is a carrier."""
        return self._transport is not None

    async def close(self) -> None:
        """Close the carrier."""
        if self._transport is not None:
            self._transport.close()
            await self.until(lambda: not self.is_open, self._loop.time() + CLOSES)

    def send(self, message: Message) -> None:
        """Send a message, in parts if it is long."""
        bodies = encode(message, self._part_id)
        if len(bodies) > 1:
            self._part_id = (self._part_id + 1) % 256
        for body in bodies:
            self.send_body(body)

    def send_body(self, body: bytes) -> None:
        """Send whatever body in a good frame."""
        self.send_bytes(encode_frame(body), decode(body))

    def send_bytes(self, content: bytes, message: Heard | None = None) -> None:
        """Send bytes as they are; ``message`` is what they carry, for the record."""
        self._keep(Seen(self._loop.time(), True, content, message))
        if self._transport is not None:
            self._transport.write(content)

    async def until(self, condition: Callable[[], bool], deadline: float) -> bool:
        """Wait until something that came makes a condition true.

        Returns:
            False when the deadline passed first.
        """
        while not condition():
            future: asyncio.Future[None] = self._loop.create_future()
            self._waiting.append(future)
            try:
                async with asyncio.timeout_at(deadline):
                    await future
            except TimeoutError:
                return condition()
        return True

    # -- inside ---------------------------------------------------------------------

    def _take(self, body: bytes) -> None:
        message, content = decode(body), encode_frame(body)
        self._keep(Seen(self._loop.time(), False, content, message))
        if isinstance(message, Part):
            whole = self._parts.receive(message)
            if whole is not None:
                self._keep(Seen(self._loop.time(), False, whole, decode(whole)))
        elif isinstance(message, Ping) and self.answers_pings:
            self.send(Pong(message.token, 0, 0))

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def _keep(self, seen: Seen) -> None:
        self.seen.append(seen)
