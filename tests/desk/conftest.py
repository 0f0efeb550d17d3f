"""What the desk's tests share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from protocol.topics import Role
from tests.brokers import RunningBroker
from tests.desk.desks import Browser, RunningDesk, running_desk, users_file
from tests.desk.rooms import Hall


@pytest_asyncio.fixture
async def alone(tmp_path: Path) -> AsyncIterator[RunningDesk]:
    """A desk without an event: for what has nothing to do with the room."""
    async with running_desk(tmp_path) as desk:
        yield desk


@pytest_asyncio.fixture
async def visitor(alone: RunningDesk) -> AsyncIterator[Browser]:
    """A browser at that desk, not logged in."""
    async with alone.browser() as browser:
        yield browser


@pytest_asyncio.fixture
async def hall(nats: RunningBroker) -> AsyncIterator[Hall]:
    """Who publishes as referee and daemon."""
    async with Hall(nats) as hall:
        yield hall


@pytest.fixture
def language() -> str:
    """What the users read."""
    return "en"


@pytest_asyncio.fixture
async def desk_there(
    nats: RunningBroker, tmp_path: Path, language: str
) -> AsyncIterator[RunningDesk]:
    """A desk at the broker of the hall."""
    folder = tmp_path / "desk"
    folder.mkdir()
    users_file(folder, language=language)
    async with running_desk(folder, lambda: nats.settings(Role.DIRECTOR)) as desk:
        await desk.up()
        yield desk


@pytest_asyncio.fixture
async def ana(desk_there: RunningDesk) -> AsyncIterator[Browser]:
    """The Director's browser, logged in."""
    async with desk_there.browser() as browser:
        await browser.log_in("Ana")
        yield browser
