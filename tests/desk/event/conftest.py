"""A desk that knows an event."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from bidwire.desk.tools import desk_tools
from protocol.topics import Role
from tests.brokers import RunningBroker
from tests.desk.desks import Browser, RunningDesk, running_desk
from tests.desk.event.events import write_event


@pytest_asyncio.fixture
async def desk_there(nats: RunningBroker, tmp_path: Path) -> AsyncIterator[RunningDesk]:
    """A desk at the broker of the hall, with the event's file."""
    folder = tmp_path / "desk"
    folder.mkdir()
    async with running_desk(
        folder, lambda: nats.settings(Role.DIRECTOR), desk_tools(write_event(folder))
    ) as desk:
        await desk.up()
        yield desk


@pytest_asyncio.fixture
async def reader(desk_there: RunningDesk) -> AsyncIterator[Browser]:
    """The browser of who may only look, logged in."""
    async with desk_there.browser() as browser:
        await browser.log_in("Cy")
        yield browser
