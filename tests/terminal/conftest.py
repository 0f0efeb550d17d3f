"""What the tests of the terminal package share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.brokers import RunningBroker, running_broker


@pytest_asyncio.fixture
async def nats(tmp_path: Path) -> AsyncIterator[RunningBroker]:
    """The embedded broker, for tests to which its kind is all one."""
    folder = tmp_path / "nats"
    folder.mkdir(mode=0o700)
    async with running_broker("nats", folder) as running:
        yield running
