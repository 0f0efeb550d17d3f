"""Figures for Prometheus: what a daemon counts, at an address of its own.

    with serving_metrics("127.0.0.1:9464", collector):
        ...

A collector reads the counters that the code keeps anyway, at each request, so that
counting costs nothing while nobody asks. The figures name terminals and tables, never a
card; whoever may read them is decided by the address.
"""

import ipaddress
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

MetricsAddress = Annotated[
    str,
    Meta(
        pattern=r"^\S+:[1-9][0-9]{0,4}\Z",
        description="an IP address and a port, 127.0.0.1:9464",
    ),
]
"""Address and port, ``127.0.0.1:9464``."""

BOUNDS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 30.0)
"""Upper bounds of the buckets of every duration, in seconds."""


class MetricsError(OSError):
    """Nothing can be served at the address."""


class Durations:
    """How often something has taken how long."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_S) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(BOUNDS_S, seconds)] += 1
        self._sum += seconds

    def family(self, name: str, text: str) -> HistogramMetricFamily:
        """The histogram as Prometheus takes it."""
        buckets: list[tuple[str, float]] = []
        total = 0
        for bound, count in zip(
            (*map(str, BOUNDS_S), "+Inf"), self._counts, strict=True
        ):
            total += count
            buckets.append((bound, total))
        return HistogramMetricFamily(name, text, buckets=buckets, sum_value=self._sum)


def check_address(address: str) -> tuple[str, int]:
    """Host and port of a metrics address.

    Raises:
        ValueError: it is no IP address, or the port is too great.
    """
    host, _, port = address.rpartition(":")
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise ValueError(f"metrics: expected an IP address, got {host!r}") from None
    if int(port) > 65535:
        raise ValueError(f"metrics: expected a port up to 65535, got {port}")
    return host, int(port)


@contextmanager
def serving_metrics(address: str | None, collector: Collector) -> Iterator[None]:
    """Answer requests at ``http://ADDRESS/metrics`` meanwhile; None serves nothing.

    Raises:
        MetricsError: the address is in use, or is none of this machine.
    """
    if address is None:
        yield
        return
    host, port = check_address(address)
    registry = CollectorRegistry()
    registry.register(collector)
    try:
        server, thread = start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        raise MetricsError(f"metrics: {address}: {error.strerror}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
