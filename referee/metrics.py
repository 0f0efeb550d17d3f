"""What the referee tells Prometheus: how fast it judges, and what waits where."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from broker.metrics import Durations, MetricsError
from referee.record import Record
from referee.room import Room

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Meter:
    """What the service counts as it works.

    Attributes:
        messages: received from the broker.
        sent: messages handed to the broker.
        entries: written to the journal.
        commits: batches of entries made durable.
        failures: attempts to write the journal that failed.
        committed: how long a commit took.
        served: how long a batch of messages took, from its receipt until all that
            follows from it was sent.
    """

    messages: int = 0
    sent: int = 0
    entries: int = 0
    commits: int = 0
    failures: int = 0
    committed: Durations = field(default_factory=Durations)
    served: Durations = field(default_factory=Durations)


class RefereeMetrics(Collector):
    """Reads the meter and the tables at each request.

    Args:
        meter: of the service.
        rooms: the tables by name.
        epoch: the term of this referee, 0 while it stands by.
        inbox: how many messages wait to be judged.
    """

    def __init__(
        self,
        meter: Meter,
        rooms: Mapping[str, Room],
        *,
        epoch: Callable[[], int],
        inbox: Callable[[], int],
    ) -> None:
        self._meter = meter
        self._rooms = rooms
        self._epoch = epoch
        self._inbox = inbox

    def collect(self) -> Iterator[Metric]:
        """All figures as they are now."""
        meter = self._meter
        for name, text, value in (
            ("messages", "Messages received", meter.messages),
            ("messages_sent", "Messages sent", meter.sent),
            ("journal_entries", "Entries written to the journal", meter.entries),
            ("journal_commits", "Batches made durable", meter.commits),
            ("journal_failures", "Attempts to write that failed", meter.failures),
        ):
            family = CounterMetricFamily(f"bidwire_{name}", text)
            family.add_metric((), value)
            yield family
        epoch = self._epoch()
        yield GaugeMetricFamily(
            "bidwire_referee_ruling",
            "1 while this referee rules, 0 while it stands by",
            value=bool(epoch),
        )
        yield GaugeMetricFamily("bidwire_epoch", "Term of this referee", value=epoch)
        yield GaugeMetricFamily(
            "bidwire_inbox", "Messages that wait to be judged", value=self._inbox()
        )
        yield meter.committed.family(
            "bidwire_commit_seconds", "To make a batch of entries durable"
        )
        yield meter.served.family(
            "bidwire_batch_seconds",
            "From the receipt of a batch of messages until all that follows was sent",
        )
        yield from self._of_tables()

    def _of_tables(self) -> Iterator[Metric]:
        for name, text, value in _TABLES:
            family = GaugeMetricFamily(f"bidwire_table_{name}", text, labels=("table",))
            for table, room in self._rooms.items():
                family.add_metric((table,), value(room.table.record))
            yield family


async def served_from_standby(
    stack: ExitStack,
    serve: Callable[[], AbstractContextManager[None]],
    take_over: Callable[[], Awaitable[None]],
) -> None:
    """Serve the figures while a referee stands by, and until the stack closes.

    Raises:
        MetricsError: they cannot be served, also when the referee rules.
    """
    try:
        stack.enter_context(serve())
    except MetricsError as error:
        # One that rules on this machine has the address, until it makes way.
        logger.warning("%s; it is tried again when we rule", error)
        await take_over()
        stack.enter_context(serve())
    else:
        await take_over()


def _board(record: Record) -> int:
    playing = record.play
    return playing.board.number if playing is not None and not playing.closed else 0


def _waits(record: Record) -> int:
    playing = record.play
    if playing is None or playing.closed:
        return 0
    return sum(question.holds for question in playing.state.questions)


def _calls(record: Record) -> int:
    return sum(not call.attended for call in record.calls)


_TABLES: tuple[tuple[str, str, Callable[[Record], int]], ...] = (
    ("entries", "Entries in the journal of a table", lambda record: record.number),
    ("board", "Number of the board that is being played, 0 for none", _board),
    ("held", "Events taken in and not judged yet", lambda record: len(record.waiting)),
    ("questions", "Open questions that hold the table", _waits),
    ("calls", "Calls for the Director that nobody has attended to", _calls),
    ("alarms", "Alarms that nobody has attended to", lambda record: len(record.alarms)),
)
