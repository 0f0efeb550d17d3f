"""The desk follows the event: to another broker, with other passwords."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from broker import BrokerSettings
from desk import linking
from desk.director import Order
from desk.linking import DirectorLink, LinkState, NoAnswerError
from protocol.payloads import Service
from protocol.topics import Role
from tests.brokers import EVENT, RunningBroker, running_broker
from tests.desk.rooms import Hall, desk, state

pytestmark = pytest.mark.broker


class Place:
    """Where the credentials lie, as ``bidwire up`` leaves them."""

    settings: BrokerSettings | None = None

    def __call__(self) -> BrokerSettings | None:
        return self.settings


async def reach(link: DirectorLink, wanted: LinkState) -> None:
    while link.state is not wanted:
        await link.room.changed()


async def test_it_waits_for_the_event_and_follows_it_to_another_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "LOOK", 0.01)
    place = Place()
    link = DirectorLink(EVENT, place)
    running = asyncio.create_task(link.run())
    try:
        for name, table in (("first", "a1"), ("second", "a2")):
            folder = tmp_path / name
            folder.mkdir()
            async with (
                running_broker("nats", folder) as broker,
                Hall(broker) as hall,
            ):
                await hall.tell(table, state())
                place.settings = broker.settings(Role.DIRECTOR)
                while link.room.tables() != [table]:
                    await link.room.changed()
                await reach(link, LinkState.UP)
            await reach(link, LinkState.LOST)
            place.settings = None
    finally:
        running.cancel()
        await asyncio.wait({running})


async def test_a_broker_that_refuses_is_tried_again_with_other_passwords(
    nats: RunningBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "AGAIN", 0.01)
    place = Place()
    good = nats.settings(Role.DIRECTOR)
    place.settings = msgspec.structs.replace(good, username="nobody")
    link = DirectorLink(EVENT, place)
    running = asyncio.create_task(link.run())
    try:
        await reach(link, LinkState.REFUSED)
        place.settings = good
        await reach(link, LinkState.UP)
    finally:
        running.cancel()
        await asyncio.wait({running})


async def test_a_command_without_an_answer_is_told_as_that(
    nats: RunningBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linking, "PATIENCE", 0.2)
    link = DirectorLink(EVENT, lambda: nats.settings(Role.DIRECTOR))
    order = Order(service=Service.CLOSE)
    with pytest.raises(NoAnswerError):
        await link.give("a1", order, by="Ana", expects=1)
    running = asyncio.create_task(link.run())
    try:
        async with Hall(nats) as hall:
            await hall.tell("a1", desk("a1"))
            await reach(link, LinkState.UP)
            with pytest.raises(NoAnswerError):
                await link.give("a1", order, by="Ana", expects=1)
    finally:
        running.cancel()
        await asyncio.wait({running})
