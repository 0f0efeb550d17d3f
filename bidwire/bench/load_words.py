"""What the load's process is told, and what it says: lines of JSON.

``bidwire bench tables`` starts ``python -m bidwire.bench.load SETTINGS.json``. It says
``ready`` when every table shows its prompt; after that it answers each word of its
parent with what came of it.
"""

from collections.abc import Sequence
from typing import Annotated, Self

import msgspec
from msgspec import Meta

from broker import BrokerSettings


class LoadSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings file of the load's process."""

    brokers: dict[str, BrokerSettings]
    """Address and credentials of each daemon."""
    tables: Annotated[int, Meta(ge=1)]
    boards: Annotated[int, Meta(ge=1)]
    seed: int
    period: Annotated[float, Meta(gt=0)]
    """Seconds between two events of a table."""


class Times(msgspec.Struct, frozen=True):
    """How long something took, in milliseconds; all 0 when it never happened."""

    median_ms: float = 0.0
    p99_ms: float = 0.0
    most_ms: float = 0.0

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Self:
        """The figures of so many times in seconds."""
        if not seconds:
            return cls()
        ordered = sorted(seconds)
        last = len(ordered) - 1
        return cls(*(ordered[round(share * last)] * 1000 for share in (0.5, 0.99, 1)))


# -- to the load's process ----------------------------------------------------------


class Play(msgspec.Struct, tag_field="word", tag="play", frozen=True):
    """Play at every table for so many seconds, and see what the referee answers."""

    seconds: float


class Resume(msgspec.Struct, tag_field="word", tag="resume", frozen=True):
    """Press one key at every table while no referee is there, and wait for the next."""


Word = Play | Resume


# -- from the load's process --------------------------------------------------------


class Ready(msgspec.Struct, tag_field="told", tag="ready", frozen=True):
    """Every table shows the prompt that its journal left it with."""


class Played(msgspec.Struct, tag_field="told", tag="played", frozen=True, kw_only=True):
    """What came of ``Play``. Times count from when a key was due."""

    events: int
    """Keys pressed."""
    acknowledged: int
    """Of them those that the referee has acknowledged."""
    prompted: int
    """Of them those after which the seat that acts next was prompted."""
    ack: Times
    prompt: Times
    late: Times
    """Until the load itself had published the event."""
    sent: int
    """Messages to the referee."""
    received: int
    """Messages of the referee to the terminals."""
    seconds: float
    """From the first key that was due until the last answer."""
    cpu_share: float
    """Processor time of the load meanwhile, in shares of a core."""


class Pressed(msgspec.Struct, tag_field="told", tag="pressed", frozen=True):
    """The keys of ``Resume`` are published."""


class Resumed(msgspec.Struct, tag_field="told", tag="resumed", frozen=True):
    """The next referee serves all tables; times by the machine's monotonic clock."""

    first_ack: float
    """Its first acknowledgement of one of the keys."""
    prompted: float
    """Every terminal has a display of it."""
    acknowledged: float
    """Every one of the keys is acknowledged."""


Told = Ready | Played | Pressed | Resumed
