"""A desk for a browser, which runs in the event loop of the session."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from desk.tools import Tools
from protocol.topics import Role
from tests.brokers import running_broker
from tests.desk.desks import RunningDesk, running_desk
from tests.desk.rooms import Hall


@contextlib.asynccontextmanager
async def hall_and_desk(
    folder: Path, tools: Tools | None = None
) -> AsyncIterator[tuple[Hall, RunningDesk]]:
    """A broker of their own, who publishes at it as referee and daemon, and the desk.

    Args:
        folder: for what they keep.
        tools: of the desk; those of an event.
    """
    store, place = folder / "nats", folder / "desk"
    store.mkdir(mode=0o700)
    place.mkdir()
    async with (
        running_broker("nats", store) as broker,
        Hall(broker) as hall,
        running_desk(place, lambda: broker.settings(Role.DIRECTOR), tools) as desk,
    ):
        await desk.up()
        yield hall, desk
