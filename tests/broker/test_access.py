"""The matrix role by topic, as real brokers enforce it."""

import asyncio
import contextlib

import pytest

from broker import Message, MqttClient, SubscriptionRefusedError
from broker.access import Account, nats_subject
from protocol.topics import MATRIX, Access, Role, TopicKind
from tests.broker.clients import TOPICS, receive
from tests.brokers import RunningBroker

ASK_AGAIN_S = 5.0
"""Seconds after which the broker is asked again for what it has kept."""

OWN = {"daemons": "d1", "tables": "1", "public": "1"}
ACCOUNTS = [Account(role, "d1" if role is Role.DAEMON else "") for role in Role]


def topic_of(kind: TopicKind) -> str:
    """A topic of this kind that belongs to daemon d1."""
    levels = kind.value.split("/")
    names = [OWN[levels[0]], "7"][: levels.count("+")]
    return TOPICS.of(kind, *names)


def client_of(
    broker: RunningBroker, account: Account, *subscriptions: str
) -> MqttClient:
    return MqttClient(
        broker.settings(account.role, account.daemon),
        client_id=account.username,
        subscriptions=subscriptions,
    )


@pytest.mark.broker
@pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.username)
async def test_a_role_reads_what_the_matrix_grants_and_nothing_else(
    live_broker: RunningBroker, account: Account
) -> None:
    granted = {kind for kind in TopicKind if may(account, kind, Access.SUBSCRIBE)}
    for writer in ACCOUNTS:
        async with client_of(live_broker, writer) as client:
            for kind in TopicKind:
                if may(writer, kind, Access.PUBLISH):
                    await client.publish(topic_of(kind), kind.encode(), retain=True)
    read = set()
    for kind in TopicKind:
        async with client_of(live_broker, account, topic_of(kind)) as client:
            try:
                await client.wait_connected()
            except SubscriptionRefusedError:
                assert kind not in granted
                continue
        if kind in granted:
            message = await kept(live_broker, account, topic_of(kind))
            read.add(TopicKind(message.payload.decode()))
        else:
            # Mosquitto grants the subscription and delivers nothing: what may
            # be read, read after it, is the first to arrive.
            await prove_silence(live_broker, account, kind)
    assert read == granted


async def prove_silence(
    broker: RunningBroker, account: Account, forbidden: TopicKind
) -> None:
    """See that a forbidden retained message does not come before a permitted one."""
    permitted = next(k for k in TopicKind if may(account, k, Access.SUBSCRIBE))
    message = await kept(broker, account, topic_of(forbidden), topic_of(permitted))
    assert message.topic == topic_of(permitted)


def may(account: Account, kind: TopicKind, access: Access) -> bool:
    return access in MATRIX[kind][account.role]


async def kept(broker: RunningBroker, reader: Account, *topics: str) -> Message:
    """What the broker has kept; asked again, for NATS may not hand it out at once."""
    while True:
        async with client_of(broker, reader, *topics) as client:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ASK_AGAIN_S):
                    (message,) = await receive(client, 1)
                    return message


@pytest.mark.broker
@pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.username)
async def test_what_a_role_must_not_publish_is_seen_by_nobody(
    live_broker: RunningBroker, account: Account
) -> None:
    async with client_of(live_broker, account) as client:
        for kind in TopicKind:
            if not may(account, kind, Access.PUBLISH):
                await client.publish(topic_of(kind), b"forged", retain=True)
    for reader in ACCOUNTS:
        kinds = [kind for kind in TopicKind if may(reader, kind, Access.SUBSCRIBE)]
        for kind in kinds:
            publisher = next(a for a in ACCOUNTS if may(a, kind, Access.PUBLISH))
            if publisher == account:
                continue
            async with client_of(live_broker, publisher) as client:
                await client.publish(topic_of(kind), b"genuine", retain=True)
            message = await kept(live_broker, reader, topic_of(kind))
            assert message.payload == b"genuine"


def test_only_a_daemon_has_a_name() -> None:
    assert Account(Role.DAEMON, "d1").username == "daemon-d1"
    assert Account(Role.REFEREE).username == "referee"
    with pytest.raises(ValueError, match="only a daemon"):
        Account(Role.REFEREE, "d1")
    with pytest.raises(ValueError, match="topic level"):
        Account(Role.DAEMON)


def test_mqtt_filters_become_nats_subjects() -> None:
    assert nats_subject("bidwire/e/tables/+/state") == "bidwire.e.tables.*.state"
    assert nats_subject("bidwire/#") == "bidwire.>"
