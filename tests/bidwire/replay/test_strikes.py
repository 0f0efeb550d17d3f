"""Faults of processes really strike."""

import asyncio
from pathlib import Path

import pytest

from bidwire.children import Child
from bidwire.records.plan import Kind
from bidwire.replay.processes import embedded_broker
from bidwire.replay.strikes import ChainBroker, Victims, cut_off
from broker import MqttClient
from broker.client import ConnectionState
from protocol.topics import Role


def victims(broker: ChainBroker) -> Victims:
    child = Child("none", "none", Path("none"))
    return Victims(broker, referee=child, daemon=child)


@pytest.mark.broker
async def test_who_is_cut_off_from_the_broker_connects_again(tmp_path: Path) -> None:
    states: asyncio.Queue[ConnectionState] = asyncio.Queue()
    async with cut_off(embedded_broker)(tmp_path) as broker:
        settings = broker.settings(Role.DIRECTOR)
        async with MqttClient(
            settings, client_id="cut", on_state=states.put_nowait
        ) as client:
            await client.wait_connected()
            while await states.get() is not ConnectionState.CONNECTED:
                pass
            await victims(broker).strike(Kind.CUT_BROKER)
            assert await states.get() is not ConnectionState.CONNECTED
            await client.wait_connected()


@pytest.mark.broker
async def test_a_broker_that_cannot_be_cut_off_is_not_taken_for_one(
    tmp_path: Path,
) -> None:
    async with embedded_broker(tmp_path) as broker:
        with pytest.raises(AssertionError):
            await victims(broker).strike(Kind.CUT_BROKER)
