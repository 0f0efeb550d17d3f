"""Whether a daemon is there, said on one retained topic.

The client publishes the birth at every connect and leaves the will with the broker:
the same topic, QoS and retained flag, told apart by a session id that is new for each
connection. So a will that arrives late, after the next birth, is recognised as that of
a connection long gone: by readers, and by the client itself, which listens to its own
topic and repeats its birth so that the retained state is right again.

The same topic betrays a second process that runs under our name: the one that
connected later reports itself there, and the older one stops.
"""

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

SESSIONS_REMEMBERED = 256
"""Own and earlier sessions whose late reports are recognised."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a status payload says.

    Attributes:
        session: The connection it speaks of.
        online: Whether that connection is up.
    """

    session: str
    online: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """How a daemon reports itself.

    Attributes:
        topic: The status topic; this daemon alone writes it.
        encode: Gives the payload of a status.
        decode: Reads such a payload; None when it is none.
    """

    topic: str
    encode: Callable[[Status], bytes]
    decode: Callable[[bytes], Status | None]


class Verdict(Enum):
    """What a message on our own status topic calls for."""

    FINE = auto()
    REPEAT_BIRTH = auto()
    TAKEN_OVER = auto()


class Reporter:
    """The sessions of one process on its status topic. Pure: it sends nothing."""

    def __init__(self, presence: Presence | None) -> None:
        """Start before the first connection; None reports nothing."""
        self.presence = presence
        self.session = ""
        self._known: deque[str] = deque(maxlen=SESSIONS_REMEMBERED)
        self._announced = False

    def begin_session(self) -> None:
        """Take a new session id for the next connection."""
        self.session = secrets.token_hex(8)
        self._known.append(self.session)

    def payload(self, *, online: bool) -> bytes:
        """The status of the present session: birth, or will and last word."""
        if self.presence is None:
            return b""
        return self.presence.encode(Status(self.session, online))

    def announced(self) -> None:
        """Note that a birth of ours went out."""
        self._announced = True

    def judge(self, payload: bytes, *, retained: bool) -> Verdict:
        """Judge a message on our own topic.

        Args:
            payload: What it says.
            retained: The broker had kept it from before we subscribed.
        """
        status = None if self.presence is None else self.presence.decode(payload)
        if status is not None and status.online and status.session not in self._known:
            if self._announced or not retained:
                return Verdict.TAKEN_OVER
            # What we find at our first connect is a predecessor's, dead without a will.
            self._known.append(status.session)
        if retained or (status is not None and status.session == self.session):
            return Verdict.FINE
        return Verdict.REPEAT_BIRTH
