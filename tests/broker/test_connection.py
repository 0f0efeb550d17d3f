"""How the client gets, keeps and loses its connection, at real brokers."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import trustme

from broker import (
    BrokerError,
    BrokerSettings,
    ConnectionState,
    MqttClient,
    NotConnectedError,
    RefusedError,
    SubscriptionRefusedError,
)
from broker.client import SHORT_LIVED_ALARM
from broker.connection import READS_AT_ONCE
from broker.mosquitto import Certificate
from protocol.topics import Role
from tests.broker.clients import (
    EVENTS_OF_D1,
    TOPICS,
    StateLog,
    daemon,
    numbers,
    quick,
    receive,
    referee,
)
from tests.broker.slow_broker import GRANTED, REFUSED, SlowBroker
from tests.brokers import (
    MOSQUITTO,
    NO_MOSQUITTO,
    Mosquitto,
    RunningBroker,
    running_broker,
)
from tests.long import any_broker

pytestmark = pytest.mark.broker


async def test_subscriptions_hold_again_after_the_broker_was_killed(
    live_broker: RunningBroker,
) -> None:
    states = StateLog()
    async with (
        referee(live_broker, states=states) as reader,
        daemon(live_broker) as writer,
    ):
        await reader.wait_connected()
        await live_broker.kill()
        await states.wait_for(ConnectionState.CONNECTED, times=2)
        await writer.publish(EVENTS_OF_D1, b"7")
        assert numbers(await receive(reader, 1)) == [7]
    assert states.seen[:3] == [
        ConnectionState.CONNECTING,
        ConnectionState.SUBSCRIBING,
        ConnectionState.CONNECTED,
    ]
    assert states.seen[3] is ConnectionState.BACKING_OFF
    assert states.seen[-1] is ConnectionState.CLOSED


async def test_what_is_under_way_when_the_broker_is_killed_arrives_later(
    live_broker: RunningBroker,
) -> None:
    async with daemon(live_broker) as writer:
        await writer.wait_connected()
        live_broker.pause()
        publishing = asyncio.create_task(
            writer.publish(EVENTS_OF_D1, b"1", retain=True)
        )
        await asyncio.sleep(0)
        await live_broker.kill()
        await publishing
        # It may have come before a reader was back: so it is retained, and read now.
        async with referee(live_broker) as reader:
            assert numbers(await receive(reader, 1)) == [1]


@any_broker
async def test_a_broker_that_says_nothing_any_more_is_left(
    live_broker: RunningBroker,
) -> None:
    states = StateLog()
    settings = msgspec.structs.replace(live_broker.settings(Role.DIRECTOR), keepalive=1)
    async with MqttClient(
        settings, client_id="director", on_state=states, backoff=quick()
    ) as client:
        await client.wait_connected()
        live_broker.pause()
        try:
            await states.wait_for(ConnectionState.BACKING_OFF)
        finally:
            live_broker.resume()
        await states.wait_for(ConnectionState.CONNECTED, times=2)


async def test_messages_that_the_broker_does_not_confirm_are_bounded(
    live_broker: RunningBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.client.OUTBOX_LIMIT", 200)
    async with referee(live_broker) as reader, daemon(live_broker) as writer:
        await reader.wait_connected()
        await writer.wait_connected()
        live_broker.pause()
        try:
            sent = 0
            while writer.send(EVENTS_OF_D1, b"%d" % sent):
                sent += 1
            assert sent == 200
            publishing = asyncio.create_task(writer.publish(EVENTS_OF_D1, b"-1"))
            await asyncio.sleep(0)
        finally:
            live_broker.resume()
        await publishing
        assert numbers(await receive(reader, sent + 1)) == [*range(sent), -1]


async def test_closing_does_not_wait_for_a_broker_that_reads_nothing(
    live_broker: RunningBroker,
) -> None:
    async with daemon(live_broker) as writer:
        await writer.wait_connected()
        live_broker.pause()
        try:
            for _ in range(200):
                writer.send(EVENTS_OF_D1, bytes(100_000))
            await writer.close()
            assert writer.state is ConnectionState.CLOSED
        finally:
            live_broker.resume()


async def test_the_broker_may_come_up_after_the_client(tmp_path: Path) -> None:
    if MOSQUITTO is None:
        pytest.skip(NO_MOSQUITTO)
    mosquitto = Mosquitto(tmp_path, event="test", daemons=())
    mosquitto.prepare()
    states = StateLog()
    async with MqttClient(
        mosquitto.settings(Role.DIRECTOR),
        client_id="director",
        on_state=states,
        backoff=quick(),
    ) as client:
        await states.wait_for(ConnectionState.BACKING_OFF)
        await mosquitto.start()
        await client.wait_connected()
    await mosquitto.stop()


async def test_a_refused_subscription_is_fatal_and_says_which(tmp_path: Path) -> None:
    # NATS answers 0x80; Mosquitto grants every subscription and filters on delivery.
    forbidden = TOPICS.table_desk("1")
    async with (
        running_broker("nats", tmp_path) as nats,
        daemon(nats, forbidden) as client,
    ):
        with pytest.raises(SubscriptionRefusedError, match=forbidden) as caught:
            await client.wait_connected()
        assert caught.value.filters == (forbidden,)
        assert client.state is ConnectionState.FAILED
        with pytest.raises(SubscriptionRefusedError):
            await client.receive_batch()
        with pytest.raises(SubscriptionRefusedError):
            await client.publish(EVENTS_OF_D1, b"1")
        assert not client.send(EVENTS_OF_D1, b"1")


@contextlib.asynccontextmanager
async def served_slowly(
    states: StateLog, *, keepalive: int
) -> AsyncIterator[tuple[SlowBroker, MqttClient]]:
    """A broker that takes its time, and a client of it that subscribes."""
    async with (
        SlowBroker().open() as broker,
        MqttClient(
            broker.settings(keepalive),
            client_id="d1",
            subscriptions=(EVENTS_OF_D1,),
            backoff=quick(),
            on_state=states,
        ) as client,
    ):
        yield broker, client


async def test_a_subscription_that_was_granted_before_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("broker.client.AGAIN_SECONDS", 0.01)
    states = StateLog()
    async with served_slowly(states, keepalive=5) as (broker, client):
        await client.wait_connected()
        for _ in range(2):
            broker.answer().set_result(REFUSED)
        broker.cut()
        await states.wait_for(ConnectionState.CONNECTED, times=2)
        assert broker.connections == 2, "what was granted meanwhile is kept"


async def test_no_ping_ends_the_wait_for_a_subscription(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("broker.connection.HANDSHAKE_SECONDS", 1.0)
    states = StateLog()
    async with served_slowly(states, keepalive=1) as (broker, client):
        answer = broker.answer()
        # Two keepalives and a look: then a ping that is not answered is found.
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2.5):
                await states.wait_for(ConnectionState.BACKING_OFF)
        answer.set_result(GRANTED)
        await client.wait_connected()
        assert broker.connections == 1


async def test_what_came_in_one_piece_is_read_to_its_end() -> None:
    async with served_slowly(StateLog(), keepalive=600) as (broker, client):
        await client.wait_connected()
        broker.publish(EVENTS_OF_D1, 2 * READS_AT_ONCE + 1)
        # No further word of the broker's, as to a ping, shows that there is more.
        came = await receive(client, 2 * READS_AT_ONCE + 1)
        assert numbers(came) == list(range(2 * READS_AT_ONCE + 1))


async def test_a_wrong_password_is_fatal(live_broker: RunningBroker) -> None:
    right = live_broker.settings(Role.REFEREE)
    settings = msgspec.structs.replace(right, password=f"{right.password}!")
    async with MqttClient(settings, client_id="referee") as client:
        with pytest.raises(RefusedError, match="Not authorized"):
            await client.wait_connected()


async def test_nobody_gets_in_without_a_password(live_broker: RunningBroker) -> None:
    address = live_broker.settings(Role.REFEREE)
    settings = BrokerSettings(host=address.host, port=address.port)
    async with MqttClient(settings, client_id="anyone") as client:
        with pytest.raises(RefusedError):
            await client.wait_connected()


async def test_whoever_waits_learns_that_the_client_was_closed(
    live_broker: RunningBroker,
) -> None:
    async with referee(live_broker) as client:
        await client.wait_connected()
        waiting = asyncio.create_task(client.receive_batch())
        await asyncio.sleep(0)
    with pytest.raises(NotConnectedError):
        await waiting
    with pytest.raises(NotConnectedError):
        await client.publish(EVENTS_OF_D1, b"1")
    await client.close()


async def test_a_mistake_in_the_application_fails_loudly(
    live_broker: RunningBroker,
) -> None:
    def stumble(state: ConnectionState) -> None:
        if state is ConnectionState.CONNECTED:
            raise KeyError("mistake")

    async with MqttClient(
        live_broker.settings(Role.REFEREE), client_id="referee", on_state=stumble
    ) as client:
        with pytest.raises(BrokerError, match="mistake"):
            await client.receive_batch()


async def test_two_clients_with_one_id_make_the_log_speak_of_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if MOSQUITTO is None:
        pytest.skip(NO_MOSQUITTO)
    states = StateLog()
    # NATS itself holds such a client off for a second each time.
    async with (
        running_broker("mosquitto", tmp_path) as mosquitto,
        referee(mosquitto, clean_session=False, states=states),
        referee(mosquitto, clean_session=False),
    ):
        await states.wait_for(ConnectionState.CONNECTED, SHORT_LIVED_ALARM + 1)
    assert "does another process use this client id?" in caplog.text


async def test_small_packets_leave_at_once(live_broker: RunningBroker) -> None:
    async with referee(live_broker) as client:
        await client.wait_connected()
        connected = client._connection._socket
        assert isinstance(connected, socket.socket)
        assert connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


class TestTls:
    """A club's broker: TLS with a certificate of the club's own authority."""

    @pytest.fixture
    def authority(self, tmp_path: Path) -> trustme.CA:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        return authority

    @pytest.fixture
    async def mosquitto(self, tmp_path: Path, authority: trustme.CA) -> Mosquitto:
        if MOSQUITTO is None:
            pytest.skip(NO_MOSQUITTO)
        ours = authority.issue_cert("127.0.0.1")
        ours.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
        ours.private_key_pem.write_to_path(tmp_path / "key.pem")
        certificate = Certificate(tmp_path / "cert.pem", tmp_path / "key.pem")
        return Mosquitto(
            tmp_path, event="test", daemons=("d1",), certificate=certificate
        )

    async def test_messages_travel_encrypted(
        self, mosquitto: Mosquitto, tmp_path: Path
    ) -> None:
        await mosquitto.start()
        ca_file = str(tmp_path / "ca.pem")
        secure = [
            msgspec.structs.replace(settings, tls=True, ca_file=ca_file)
            for settings in (
                mosquitto.settings(Role.REFEREE),
                mosquitto.settings(Role.DAEMON, "d1"),
            )
        ]
        async with (
            MqttClient(
                secure[0], client_id="referee", subscriptions=(EVENTS_OF_D1,)
            ) as reader,
            MqttClient(secure[1], client_id="d1") as writer,
        ):
            await reader.wait_connected()
            await writer.wait_connected()
            for n in range(300):
                assert writer.send(EVENTS_OF_D1, b"%d" % n)
            assert numbers(await receive(reader, 300)) == list(range(300))
        await mosquitto.stop()

    async def test_a_certificate_of_a_stranger_is_not_trusted(
        self, mosquitto: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        await mosquitto.start()
        trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
        settings = msgspec.structs.replace(
            mosquitto.settings(Role.REFEREE),
            tls=True,
            ca_file=str(tmp_path / "other.pem"),
        )
        states = StateLog()
        async with MqttClient(settings, client_id="referee", on_state=states):
            await states.wait_for(ConnectionState.BACKING_OFF)
        assert ConnectionState.CONNECTED not in states.seen
        assert "certificate verify failed" in caplog.text
        await mosquitto.stop()
