"""The figures of a terminal daemon, read as Prometheus reads them."""

from pathlib import Path

import msgspec
import pytest

from broker.metrics import MetricsError
from terminal.daemon import Daemon
from terminal.settings import DaemonSettings
from terminal.simulator.settings import Fault, FaultKind
from tests.brokers import RunningBroker, free_port
from tests.scraped import Figures, scraped
from tests.terminal.chain import NORTH, Chain, round_of_calls

pytestmark = pytest.mark.broker


async def figures_after(tmp_path: Path, nats: RunningBroker, *faults: Fault) -> Figures:
    """The figures when the four seats have called nine times."""
    address = f"127.0.0.1:{free_port()}"
    board = round_of_calls(9, faults=faults)
    chain = Chain(tmp_path, nats, board=board)
    async with chain.running(daemon="none"):
        settings = msgspec.structs.replace(chain.daemon_settings(), metrics=address)
        chain.start_daemon(settings)
        await chain.until_finished()
        return await scraped(address)


async def test_links_and_latencies_are_counted(
    tmp_path: Path, nats: RunningBroker
) -> None:
    figures = await figures_after(tmp_path, nats)
    assert figures["bidwire_link_up", NORTH] == 1
    assert figures["bidwire_openings_total", NORTH] == 1
    assert figures["bidwire_frames_total", NORTH] >= 4  # HELLO, its calls, SHOWN
    assert figures["bidwire_crc_errors_total", NORTH] == 0
    assert 6 <= figures["bidwire_acknowledged_seconds_count", ""] <= 9


async def test_a_frame_spoilt_on_the_wire_is_counted(
    tmp_path: Path, nats: RunningBroker
) -> None:
    fault = Fault(number=4, fault=FaultKind.CORRUPT)
    figures = await figures_after(tmp_path, nats, fault)
    spoilt = ("crc_errors", "cobs_errors")
    assert sum(figures[f"bidwire_{name}_total", NORTH] for name in spoilt) >= 1


async def test_a_frame_that_comes_twice_is_counted(
    tmp_path: Path, nats: RunningBroker
) -> None:
    fault = Fault(number=4, fault=FaultKind.DUPLICATE)
    figures = await figures_after(tmp_path, nats, fault)
    assert figures["bidwire_retransmits_up_total", NORTH] >= 1


async def test_an_address_in_use_ends_the_daemon_with_the_reason(
    tmp_path: Path, nats: RunningBroker
) -> None:
    settings = Chain(tmp_path, nats).daemon_settings()
    taken = f"127.0.0.1:{settings.broker.port}"
    settings = msgspec.structs.replace(settings, metrics=taken)
    with pytest.raises(MetricsError, match=f"metrics: {taken}: Address already in use"):
        await Daemon(settings).run()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("localhost:9464", "metrics: expected an IP address, got 'localhost'"),
        ("127.0.0.1:70000", "metrics: expected a port up to 65535, got 70000"),
        ("9464", "matching regex"),
    ],
)
def test_an_address_that_is_none_is_told(
    tmp_path: Path, nats: RunningBroker, address: str, expected: str
) -> None:
    plain = msgspec.to_builtins(Chain(tmp_path, nats).daemon_settings())
    with pytest.raises(msgspec.ValidationError, match=expected):
        msgspec.convert({**plain, "metrics": address}, DaemonSettings)
