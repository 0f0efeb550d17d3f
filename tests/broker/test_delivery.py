"""What the client promises of messages, at real brokers."""

import asyncio
import signal
import sys
import threading

import msgspec
import pytest

from broker import BrokerSettings, ConnectionState, MqttClient
from protocol.topics import Role
from tests.broker.clients import (
    EVENTS_OF_D1,
    STATE,
    STATUS,
    TOPICS,
    StateLog,
    daemon,
    numbers,
    quick,
    receive,
    referee,
    take,
)
from tests.brokers import RunningBroker
from tests.long import any_broker
from tests.places import REPOSITORY

pytestmark = pytest.mark.broker


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let NATS send again soon what was not acknowledged."""
    monkeypatch.setattr("broker.embedded.ACK_WAIT", "200ms")


async def test_messages_arrive_in_the_order_sent(live_broker: RunningBroker) -> None:
    async with referee(live_broker) as reader, daemon(live_broker) as writer:
        await reader.wait_connected()
        await writer.wait_connected()
        for n in range(800):
            assert writer.send(EVENTS_OF_D1, b"%d" % n)
        assert numbers(await receive(reader, 800)) == list(range(800))


async def test_a_message_leaves_while_its_sender_is_busy(
    live_broker: RunningBroker,
) -> None:
    listening, came = threading.Event(), threading.Event()

    async def listen() -> None:
        async with referee(live_broker) as reader:
            await reader.wait_connected()
            listening.set()
            await receive(reader, 1)
            came.set()

    async with daemon(live_broker) as writer:
        await writer.wait_connected()
        reading = asyncio.create_task(asyncio.to_thread(asyncio.run, listen()))
        await asyncio.to_thread(listening.wait)
        assert writer.send(EVENTS_OF_D1, b"now")
        writer.flush()
        arrived = came.wait(5)  # the sender's event loop does nothing meanwhile
        await reading
    assert arrived


async def test_more_than_a_socket_takes_at_once_arrives_whole_and_in_order(
    live_broker: RunningBroker,
) -> None:
    async with referee(live_broker) as reader, daemon(live_broker) as writer:
        await reader.wait_connected()
        await writer.wait_connected()
        for n in range(200):
            assert writer.send(EVENTS_OF_D1, b"%d " % n + bytes(40_000))
        came = await receive(reader, 200)
        assert {len(m.payload) - len(b"%d " % n) for n, m in enumerate(came)} == {
            40_000
        }
        assert [int(m.payload.split()[0]) for m in came] == list(range(200))


async def test_room_is_what_the_broker_has_not_confirmed(
    live_broker: RunningBroker,
) -> None:
    async with daemon(live_broker) as writer:
        await writer.wait_connected()
        whole = writer.room
        live_broker.pause()
        for n in range(3):
            assert writer.send(EVENTS_OF_D1, b"%d" % n)
        assert writer.room == whole - 3
        live_broker.resume()
        await writer.publish(EVENTS_OF_D1, b"3")
        assert writer.room == whole


async def test_a_batch_holds_what_is_waiting_up_to_its_limit(
    live_broker: RunningBroker,
) -> None:
    async with referee(live_broker) as reader, daemon(live_broker) as writer:
        await reader.wait_connected()
        for n in range(15):
            await writer.publish(EVENTS_OF_D1, b"%d" % n)
        first = await reader.receive_batch(limit=1)
        rest = await take(reader, 14)
        assert numbers([*first, *rest]) == list(range(15))


async def test_publish_returns_when_the_broker_has_the_message(
    live_broker: RunningBroker,
) -> None:
    async with daemon(live_broker) as writer:
        await writer.publish(STATUS, b"here", retain=True)
    async with referee(live_broker, STATUS) as reader:
        (message,) = await receive(reader, 1)
    assert message.payload == b"here"
    assert message.retained


async def test_what_the_broker_keeps_comes_again_at_the_second_look(
    live_broker: RunningBroker,
) -> None:
    """But never after what was published since."""
    still, moving = TOPICS.table_state("1"), TOPICS.table_state("2")
    async with referee(live_broker) as writer:
        await writer.publish(still, b"1", retain=True)
        await writer.publish(moving, b"2", retain=True)
        async with MqttClient(
            live_broker.settings(Role.DIRECTOR),
            client_id="director",
            subscriptions=(moving, still),
            look_again=(0.5,),
        ) as reader:
            assert sorted(numbers(await receive(reader, 2))) == [1, 2]
            await writer.publish(moving, b"3", retain=True)
            assert numbers(await receive(reader, 1)) == [3]
            (again,) = await receive(reader, 1)
            assert (again.payload, again.retained) == (b"1", True)
            await writer.publish(moving, b"4", retain=True)
            assert numbers(await receive(reader, 1)) == [4]


async def test_what_comes_while_subscribed_is_not_marked_as_retained(
    live_broker: RunningBroker,
) -> None:
    async with daemon(live_broker, STATE) as reader, referee(live_broker) as writer:
        await reader.wait_connected()
        await writer.publish(STATE, b"1", retain=True)
        (message,) = await receive(reader, 1)
        assert not message.retained


async def test_quality_of_service_0_needs_no_confirmation(
    live_broker: RunningBroker,
) -> None:
    async with daemon(live_broker, STATE) as reader, referee(live_broker) as writer:
        await reader.wait_connected()
        await writer.publish(STATE, b"1", qos=0)
        assert numbers(await receive(reader, 1)) == [1]


async def let_arrive(reader: MqttClient) -> None:
    """Wait until the broker has read the acknowledgements so far.

    Otherwise the next connection under the same name may overtake them.
    """
    await reader.publish(STATE, b"after them")


@pytest.mark.usefixtures("impatient")
async def test_what_was_not_acknowledged_comes_again_after_a_reconnection(
    live_broker: RunningBroker,
) -> None:
    async with referee(live_broker, clean_session=False) as reader:
        async with daemon(live_broker) as writer:
            await reader.wait_connected()
            for n in range(5):
                await writer.publish(EVENTS_OF_D1, b"%d" % n)
        for message in (await take(reader, 5))[:3]:
            message.ack()
        await let_arrive(reader)
    async with referee(live_broker, clean_session=False) as again:
        assert sorted(numbers(await receive(again, 2))) == [3, 4]


@pytest.mark.usefixtures("impatient")
async def test_acknowledgements_go_out_in_the_order_of_arrival(
    live_broker: RunningBroker,
) -> None:
    async with referee(live_broker, clean_session=False) as reader:
        async with daemon(live_broker) as writer:
            await reader.wait_connected()
            for n in range(3):
                await writer.publish(EVENTS_OF_D1, b"%d" % n)
        taken = await take(reader, 3)
        taken[2].ack()
        taken[0].ack()
        await let_arrive(reader)
    async with referee(live_broker, clean_session=False) as again:
        # 2 waited for 1, which nobody acknowledged.
        assert sorted(numbers(await receive(again, 2))) == [1, 2]


@pytest.mark.usefixtures("impatient")
async def test_a_receiver_killed_before_it_acknowledged_gets_the_message_again(
    live_broker: RunningBroker,
) -> None:
    settings = live_broker.settings(Role.REFEREE)
    receiver = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.broker.forgetful_receiver",
        str(settings.port),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=REPOSITORY,
    )
    assert receiver.stdin is not None
    assert receiver.stdout is not None
    receiver.stdin.write(f"{settings.username} {settings.password}\n".encode())
    try:
        assert await receiver.stdout.readline() == b"connected\n"
        async with daemon(live_broker) as writer:
            for n in range(3):
                await writer.publish(EVENTS_OF_D1, b"%d" % n)
        assert [await receiver.stdout.readline() for _ in range(3)] == [
            b"0\n",
            b"1\n",
            b"2\n",
        ]
    finally:
        receiver.send_signal(signal.SIGKILL)
        await receiver.communicate()
    async with referee(live_broker, clean_session=False) as again:
        assert sorted(numbers(await receive(again, 3))) == [0, 1, 2]


async def test_a_full_inbox_holds_the_sender_back_and_drops_nothing(
    live_broker: RunningBroker,
) -> None:
    async with (
        referee(live_broker, inbox_limit=4) as reader,
        daemon(live_broker) as writer,
    ):
        await reader.wait_connected()
        for n in range(200):
            await writer.publish(EVENTS_OF_D1, b"%d" % n)
        received: list[int] = []
        while len(received) < 200:
            batch = await reader.receive_batch()
            assert len(batch) <= 4
            for message in batch:
                if int(message.payload) not in received:
                    received.append(int(message.payload))
                message.ack()
        assert received == list(range(200))


@any_broker
async def test_an_application_that_reads_nothing_for_long_loses_nothing(
    live_broker: RunningBroker,
) -> None:
    states = StateLog()
    settings = msgspec.structs.replace(live_broker.settings(Role.REFEREE), keepalive=1)
    async with (
        MqttClient(
            settings,
            client_id="referee",
            subscriptions=(EVENTS_OF_D1,),
            clean_session=False,
            inbox_limit=4,
            on_state=states,
            backoff=quick(),
        ) as reader,
        daemon(live_broker) as writer,
    ):
        await reader.wait_connected()
        for n in range(50):
            await writer.publish(EVENTS_OF_D1, b"%d" % n)
        # The answer to the ping stands behind what is not read.
        await states.wait_for(ConnectionState.BACKING_OFF)
        assert sorted(numbers(await receive(reader, 50))) == list(range(50))


async def test_a_message_without_connection_waits_or_is_not_taken(
    live_broker: RunningBroker,
) -> None:
    writer = daemon(live_broker)
    assert not writer.send(EVENTS_OF_D1, b"0")
    async with referee(live_broker) as reader:
        await reader.wait_connected()
        async with writer:
            assert not writer.send(EVENTS_OF_D1, b"0")
            await writer.publish(EVENTS_OF_D1, b"1")
        assert numbers(await receive(reader, 1)) == [1]


@pytest.mark.parametrize(
    "topic", ["bidwire/test/with space", "", "bidwire/+", "a//b", "bidwire/Upper", "é"]
)
async def test_a_malformed_topic_never_reaches_the_broker(topic: str) -> None:
    client = MqttClient(BrokerSettings(), client_id="d1")
    with pytest.raises(ValueError, match="topic level"):
        client.send(topic, b"poison")
    with pytest.raises(ValueError, match="topic level"):
        await client.publish(topic, b"poison")


def test_a_malformed_filter_or_client_id_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="topic level"):
        MqttClient(BrokerSettings(), client_id="d1", subscriptions=("bidwire/#/x",))
    with pytest.raises(ValueError, match="client id"):
        MqttClient(BrokerSettings(), client_id="d 1")
