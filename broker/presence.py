"""Whether a daemon is there, said on its retained status topic.

The client publishes the birth at every connect and leaves the will with the broker:
the same topic, QoS and retained flag, with the session id of the daemon's run. It also
listens to its own topic, for two reasons:

- A will of a connection long gone may arrive after the next birth. The birth is then
  repeated, so that the retained state is right again.
- The topic betrays a second process that runs under our name. The one whose birth the
  broker takes later stays, and the older one stops. Everybody hears the births in the
  broker's order: what comes before our own birth comes back to us is older than we are,
  however late it is handed to us.
"""

from dataclasses import dataclass
from enum import Enum, auto

from msgspec.structs import replace

from protocol.payloads import (
    DaemonStatus,
    PayloadError,
    decode_payload,
    encode_payload,
)
from protocol.topics import TopicKind


@dataclass(frozen=True, slots=True)
class Presence:
    """How a daemon reports itself.

    Attributes:
        topic: Its status topic; it alone writes there.
        status: What it says there; `online` is filled in.
    """

    topic: str
    status: DaemonStatus

    def payload(self, *, online: bool) -> bytes:
        """The birth, or the will and last word."""
        return encode_payload(replace(self.status, online=online))


class Verdict(Enum):
    """What a message on our own status topic calls for."""

    FINE = auto()
    REPEAT_BIRTH = auto()
    TAKEN_OVER = auto()


class StatusWatch:
    """Judges what appears on our own status topic. Pure: it sends nothing."""

    def __init__(self, session: str) -> None:
        """Start before the first connection of this run, whose session id is given."""
        self._session = session
        self._announced = False
        self._heard = False
        self._predecessors: set[str] = set()

    def connecting(self) -> None:
        """Note a new connection: the birth of an earlier one may never come back."""
        self._heard = self._announced

    def announced(self) -> None:
        """Note that a birth of ours went out."""
        self._announced = True

    def judge(self, payload: bytes, *, retained: bool) -> Verdict:
        """Judge a message on our own topic.

        Args:
            payload: What it says.
            retained: The broker had kept it from before we subscribed; our birth
                follows anyway.
        """
        status = _read(payload)
        if status is None or not status.online:
            return Verdict.FINE if retained else Verdict.REPEAT_BIRTH
        if status.session == self._session:
            self._heard = True
            return Verdict.FINE
        if not self._heard:
            # Killed together with the broker, it has left no will; or it runs, hears of
            # us next and stops.
            self._predecessors.add(status.session)
            return Verdict.FINE
        if status.session in self._predecessors:
            return Verdict.FINE if retained else Verdict.REPEAT_BIRTH
        return Verdict.TAKEN_OVER


def _read(payload: bytes) -> DaemonStatus | None:
    try:
        status = decode_payload(TopicKind.DAEMON_STATUS, payload)
    except PayloadError:
        return None
    return status if isinstance(status, DaemonStatus) else None
