"""What the tests of several packages share."""

import resource
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import hypothesis
import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.brokers import MOSQUITTO, NO_MOSQUITTO, RunningBroker, running_broker
from tests.browser import browsing
from tests.long import LONG, examples
from tests.places import RECORDS

hypothesis.settings.register_profile(
    "bidwire", max_examples=examples(50), derandomize=not LONG, deadline=None
)
hypothesis.settings.load_profile("bidwire")


def pytest_configure() -> None:
    """Let the processes of the tests hear signals that ours was started deaf to.

    Under ``nohup`` and in the background of a script SIGHUP and SIGINT are ignored, and
    children inherit that.
    """
    for number in (signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def few_files() -> Iterator[int]:
    """How many files this process may open, and those it starts unless they ask."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    yield 256
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real tournament records, which is not part of the repository."""
    if not RECORDS.is_dir():
        pytest.skip(
            "the tournament records are not here: lay them in shared/data beside the "
            "repository"
        )
    return RECORDS


@pytest_asyncio.fixture(params=["nats", "mosquitto"])
async def live_broker(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[RunningBroker]:
    """A real broker, each kind in turn, with a user for each role (`tests.brokers`)."""
    kind: str = request.param
    if kind == "mosquitto" and MOSQUITTO is None:
        pytest.skip(NO_MOSQUITTO)
    folder = tmp_path / "broker"
    folder.mkdir(mode=0o700)
    async with running_broker(kind, folder) as running:
        yield running


@pytest_asyncio.fixture
async def nats(tmp_path: Path) -> AsyncIterator[RunningBroker]:
    """The embedded broker, for tests to which its kind is all one."""
    folder = tmp_path / "nats"
    folder.mkdir(mode=0o700)
    async with running_broker("nats", folder) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One real browser for all tests: to start it takes seconds."""
    async with browsing() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Browser) -> AsyncIterator[Browser]:
    """A browser that shows nothing yet; a test with it runs in the session's loop.

    That is, with ``pytestmark = pytest.mark.asyncio(loop_scope="session")``.
    """
    yield chromium
    for context in chromium.contexts:
        await context.close()
