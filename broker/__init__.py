"""MQTT: the client that all daemons share, and the embedded broker."""

from broker.client import ConnectionState, MqttClient
from broker.embedded import EmbeddedBroker
from broker.errors import (
    BrokerError,
    EmbeddedBrokerError,
    NotConnectedError,
    RefusedError,
    SubscriptionRefusedError,
    TakenOverError,
)
from broker.inbox import Message
from broker.presence import Presence
from broker.settings import BrokerSettings

__all__ = [
    "BrokerError",
    "BrokerSettings",
    "ConnectionState",
    "EmbeddedBroker",
    "EmbeddedBrokerError",
    "Message",
    "MqttClient",
    "NotConnectedError",
    "Presence",
    "RefusedError",
    "SubscriptionRefusedError",
    "TakenOverError",
]
