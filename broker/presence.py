"""Whether a daemon is there, said on its retained status topic.

The client publishes the birth at every connect and leaves the will with the broker:
the same topic, QoS and retained flag, with the session id of the daemon's run. It also
listens to its own topic, for two reasons:

- A will of a connection long gone may arrive after the next birth. The birth is then
  repeated, so that the retained state is right again.
- The topic betrays a second process that runs under our name. The one whose run began
  earlier, as both say themselves, stops; the other says its birth again, so that it is
  heard. Each of the two judges so whatever came first, and so one of them stays, also
  where their lines are cut meanwhile. With clocks that differ it may be the older.
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

    def __init__(self, ours: DaemonStatus) -> None:
        """Start before the first connection of this run, with what it says of it."""
        self._ours = ours
        self._was_born = False
        self._is_first = True
        self._birth_follows = True
        self._predecessors: set[str] = set()

    def connecting(self) -> None:
        """Note a new connection, on which no birth of ours has gone out."""
        self._is_first = not self._was_born
        self._birth_follows = True

    def announced(self) -> None:
        """Note that a birth of ours went out."""
        self._was_born = True
        self._birth_follows = False

    def judge(self, payload: bytes, *, retained: bool) -> Verdict:
        """Judge a message on our own topic.

        Args:
            payload: What it says.
            retained: The broker had kept it from before we subscribed.
        """
        status = _read(payload)
        if status is not None and status.online:
            if status.session == self._ours.session:
                return Verdict.FINE
            if retained and self._is_first:
                # It was there before us, however late we are told. Killed together
                # with the broker, it has left no will; if it runs it will be heard,
                # whatever its clock says.
                self._predecessors.add(status.session)
            is_known = retained and status.session in self._predecessors
            if _begun(status) > _begun(self._ours) and not is_known:
                return Verdict.TAKEN_OVER
        follows = retained or self._birth_follows
        return Verdict.FINE if follows else Verdict.REPEAT_BIRTH


def _begun(status: DaemonStatus) -> tuple[float, str]:
    return status.started, status.session


def _read(payload: bytes) -> DaemonStatus | None:
    try:
        status = decode_payload(TopicKind.DAEMON_STATUS, payload)
    except PayloadError:
        return None
    return status if isinstance(status, DaemonStatus) else None
