"""Plays one end of a conversation and writes down what goes in and what comes out."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from protocol.decoding import Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.link import Link
from protocol.messages import Message, Part, Pong, encode
from protocol.parts import Reassembler
from protocol.vectors.plain import plain, plain_occurrence


class Nonces:
    """Nonces in a known order: 16 times 0x01, 16 times 0x02, and so on."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self) -> bytes:
        self.given += 1
        return bytes([self.given]) * 16


class Recorder:
    """Records the steps of one end.

    Args:
        name: of the conversation.
        clauses: of the specification that it shows.
        link: the end that is played.
        setup: what a reader needs to build the same end.
    """

    def __init__(
        self, name: str, clauses: Iterable[str], link: Link, setup: dict[str, Any]
    ) -> None:
        self.link = link
        self._parts = Reassembler()
        self._part_id = 0
        self._steps: list[dict[str, Any]] = []
        self._head = {"name": name, "clauses": list(clauses), **setup}

    def vector(self) -> dict[str, Any]:
        """The conversation as it stands in the file."""
        return {**self._head, "steps": self._steps}

    def opened(self, now: float) -> None:
        """The carrier opens."""
        self.step(now, "open", lambda: self.link.opened(now))

    def closed(self, now: float) -> None:
        """The carrier closes."""
        self.step(now, "close", self.link.closed)

    def run(self, until: float, *, answering: bool = False) -> None:
        """Time passes: whatever is due is done when it is due.

        Args:
            until: the time it ends.
            answering: every PING is answered at once, so that the link stays up.
        """
        while (due := self.link.deadline()) is not None and due <= until:
            self._note(due, "tick", partial(self.link.tick, due))
            for sent in self._steps[-1]["sent"] if answering else ():
                if sent["message"] == "PING":
                    self.receive(due, Pong(sent["token"], 0, 0))

    def receive(self, now: float, *messages: Message) -> None:
        """Messages arrive from the far side."""
        frames = [frame for message in messages for frame in self.frames(message)]
        self.step(
            now,
            "receive",
            lambda: self.link.receive_data(b"".join(frames), now),
            frames=[frame.hex() for frame in frames],
            messages=[plain(message) for message in messages],
        )

    def receive_bytes(self, now: float, data: bytes) -> None:
        """Bytes arrive that are not, or not all, messages."""
        self.step(
            now,
            "receive",
            lambda: self.link.receive_data(data, now),
            frames=[data.hex()],
            messages=[],
        )

    def send(self, now: float, message: Message) -> None:
        """The daemon's shell hands down a message."""
        self.step(
            now,
            "send",
            lambda: self.link.send(message, now),
            message=plain(message),
        )

    def frames(self, message: Message) -> list[bytes]:
        """The frames in which the far side sends a message."""
        bodies = encode(message, self._part_id)
        self._part_id += len(bodies) > 1
        return [encode_frame(body) for body in bodies]

    def step(
        self, now: float, do: str, act: Callable[[], object], **given: object
    ) -> None:
        """Do what is due before ``now``, then this; write down what comes out."""
        self.run(now)
        self._note(now, do, act, **given)

    def _note(
        self, now: float, do: str, act: Callable[[], object], **given: object
    ) -> None:
        act()
        data = self.link.data_to_send()
        occurrences = self.link.events_received()
        self._steps.append(
            {
                "now": now,
                "do": do,
                **given,
                "sends": data.hex(),
                "sent": [plain(message) for message in self._read(data)],
                "events": [plain_occurrence(occurrence) for occurrence in occurrences],
                "state": self.link.state.value,
                "deadline": self.link.deadline(),
            }
        )

    def _read(self, data: bytes) -> Iterable[Message]:
        for body in FrameDecoder().receive(data):
            message = decode(body)
            if isinstance(message, Part):
                whole = self._parts.receive(message)
                if whole is None:
                    continue
                message = decode(whole)
            assert not isinstance(message, Rejected | Unknown)  # noqa: S101 - our own
            yield message
