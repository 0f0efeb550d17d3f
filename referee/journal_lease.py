"""The lease: at most one referee at a time may rule, and says so every second or so.

It is one key of a NATS key-value bucket, written only by compare-and-set. The holder
renews it; a standby takes it when it has stood unchanged for the lease's length, on the
standby's own clock, or when the holder has let it go. No two clocks are ever compared:
the holder counts from before its request, the standby from after the answer, so that
the holder's time is up first. Whatever goes wrong here, the journal itself refuses a
second writer (``referee.journal_stream``): the lease only keeps that from happening.
"""

import time
from collections.abc import Callable

import msgspec
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue

from referee.journal import StaleWriterError

KEY = "lease"

MARGIN = 1.1
"""How much longer than the lease a standby waits: clocks do not run alike."""


Clock = Callable[[], float]
"""Seconds that never go back."""


def boot_time() -> float:
    """Seconds since the machine was started; goes on while it is suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class LeaseValue(msgspec.Struct, frozen=True, kw_only=True):
    """What the key holds."""

    epoch: int
    holder: str
    """Names the run of a referee."""
    released: bool = False
    """The holder has stopped in order: the next one need not wait."""


class Lease:
    """One referee's view of the lease."""

    def __init__(
        self, bucket: KeyValue, holder: str, seconds: float, clock: Clock = boot_time
    ) -> None:
        """Prepare.

        Args:
            bucket: of the event.
            holder: a name that no other run of a referee has.
            seconds: the lease's length.
            clock: of this machine.
        """
        self._bucket = bucket
        self._holder = holder
        self._seconds = seconds
        self._clock = clock
        self._value = LeaseValue(epoch=0, holder="")
        self._revision = 0
        self._seen_at: float | None = None
        self._until = float("-inf")

    @property
    def holder(self) -> str:
        """Who holds it, as far as is known; empty when nobody does."""
        return "" if self._value.released else self._value.holder

    @property
    def is_held(self) -> bool:
        """Whether it is ours at this moment."""
        return self._clock() < self._until

    def forget(self) -> None:
        """The store could not be asked: the holder may have been kept from renewing."""
        self._seen_at = None

    async def take(self, least: int) -> int | None:
        """Take it if it is free; returns the new epoch, or None.

        Args:
            least: the epoch is greater than this.

        Raises:
            nats.errors.Error: the store does not answer.
        """
        asked_at = self._clock()
        try:
            entry = await self._bucket.get(KEY)
            revision, data = entry.revision or 0, entry.value or b""
            value = msgspec.json.decode(data, type=LeaseValue)
        except KeyNotFoundError:
            revision, value = 0, LeaseValue(epoch=0, holder="", released=True)
        now = self._clock()
        if self._seen_at is None or revision != self._revision:
            self._seen_at = now
        self._revision, self._value = revision, value
        ours = value.holder == self._holder  # an answer to us was lost
        waited = now - self._seen_at > MARGIN * self._seconds
        if not (value.released or ours or waited):
            return None
        epoch = max(value.epoch, least) + 1
        taken = LeaseValue(epoch=epoch, holder=self._holder)
        try:
            await self._write(taken, asked_at)
        except KeyWrongLastSequenceError:
            return None  # somebody else was faster
        return epoch

    async def renew(self) -> None:
        """Renew it.

        Raises:
            StaleWriterError: another referee has taken it.
            nats.errors.Error: the store does not answer.
        """
        try:
            await self._write(self._value, self._clock())
        except KeyWrongLastSequenceError:
            # It may have been an earlier renewal of ours whose answer was lost.
            entry = await self._bucket.get(KEY)
            value = msgspec.json.decode(entry.value or b"", type=LeaseValue)
            if value != self._value:
                self._until = float("-inf")
                raise StaleWriterError(
                    f"expected epoch {self._value.epoch}, got {value.epoch}: another "
                    "referee has taken the lease"
                ) from None
            self._revision = entry.revision or 0
            await self.renew()

    async def release(self) -> None:
        """Let it go, so that the next referee need not wait."""
        released = msgspec.structs.replace(self._value, released=True)
        await self._write(released, float("-inf"))

    async def _write(self, value: LeaseValue, asked_at: float) -> None:
        encoded = msgspec.json.encode(value)
        self._revision = await self._bucket.update(KEY, encoded, self._revision)
        self._value = value
        self._until = asked_at + self._seconds
