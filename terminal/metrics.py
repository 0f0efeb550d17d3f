"""What a terminal daemon tells Prometheus: each link, its faults and its queue."""

from collections.abc import Callable, Iterator

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from broker.metrics import Durations
from protocol.payloads import LinkState
from terminal.relayed import RelayedTerminal

LABELS = ("terminal", "table")

_Figures = tuple[tuple[str, str, Callable[[RelayedTerminal], float | None]], ...]
"""Of each: name, what it is, and its value, None where it is not known."""


class DaemonMetrics(Collector):
    """Reads the counters of the terminals at each request.

    Args:
        terminals: those of the daemon.
        acknowledged: how long the referee took to acknowledge each entry.
    """

    def __init__(
        self, terminals: tuple[RelayedTerminal, ...], acknowledged: Durations
    ) -> None:
        self._terminals = terminals
        self._acknowledged = acknowledged

    def collect(self) -> Iterator[Metric]:
        """All figures as they are now."""
        yield from self._families(CounterMetricFamily, _COUNTERS)
        yield from self._families(GaugeMetricFamily, _GAUGES)
        yield self._acknowledged.family(
            "bidwire_acknowledged_seconds",
            "From an event's arrival at the daemon to the referee's ACK of it",
        )

    def _families(
        self, kind: type[CounterMetricFamily | GaugeMetricFamily], figures: _Figures
    ) -> Iterator[Metric]:
        for name, text, value in figures:
            family = kind(f"bidwire_{name}", text, labels=LABELS)
            for terminal in self._terminals:
                known = value(terminal)
                if known is not None:
                    labels = (terminal.settings.id, terminal.settings.table)
                    family.add_metric(labels, known)
            yield family


def _battery(terminal: RelayedTerminal) -> float | None:
    return terminal.vitals.battery if terminal.vitals is not None else None


def _signal(terminal: RelayedTerminal) -> float | None:
    return terminal.vitals.signal if terminal.vitals is not None else None


def _uptime(terminal: RelayedTerminal) -> float | None:
    return terminal.vitals.uptime_s if terminal.vitals is not None else None


_COUNTERS: _Figures = (
    ("frames", "Good frames received", lambda t: t.link.decoder.counters.frames),
    (
        "crc_errors",
        "Frames whose CRC was wrong",
        lambda t: t.link.decoder.counters.crc_errors,
    ),
    (
        "cobs_errors",
        "Blocks that are no COBS",
        lambda t: t.link.decoder.counters.cobs_errors,
    ),
    (
        "oversize_blocks",
        "Blocks longer than any frame",
        lambda t: t.link.decoder.counters.oversize,
    ),
    (
        "noise_bytes",
        "Bytes that were no frame",
        lambda t: t.link.decoder.counters.noise_bytes,
    ),
    (
        "rejected_messages",
        "Bodies that are no message",
        lambda t: t.link.counters.rejected,
    ),
    (
        "unexpected_messages",
        "Messages out of place",
        lambda t: t.link.counters.unexpected,
    ),
    (
        "dropped_messages",
        "Messages dropped because a queue was full",
        lambda t: t.link.counters.dropped_in + t.link.counters.dropped_out,
    ),
    (
        "retransmits_down",
        "Messages sent again because the terminal had not answered",
        lambda t: t.link.counters.repeated,
    ),
    (
        "retransmits_up",
        "Entries of its log that the terminal sent again",
        lambda t: t.repeated,
    ),
    ("openings", "How often the link has come up", lambda t: t.openings),
)

_GAUGES: _Figures = (
    ("link_up", "Whether the link is up", lambda t: t.state is LinkState.ONLINE),
    (
        "refused",
        "Whether the terminal is refused",
        lambda t: t.state is LinkState.REFUSED,
    ),
    (
        "unacknowledged",
        "Entries that the referee has not acknowledged",
        lambda t: len(t.outlet),
    ),
    ("battery_percent", "Charge of its battery", _battery),
    ("signal_dbm", "Received signal strength", _signal),
    ("uptime_seconds", "Since the terminal started", _uptime),
)
