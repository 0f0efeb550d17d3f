"""MQTT: the client that all daemons share, and the embedded broker."""

from broker.client import ConnectionState, MqttClient
from broker.embedded import EmbeddedBroker
from broker.errors import (
    BrokerError,
    BrokerStoreError,
    CertificateError,
    EmbeddedBrokerError,
    NotConnectedError,
    RefusedError,
    SubscriptionRefusedError,
    TakenOverError,
)
from broker.exits import ExitCode
from broker.inbox import Message
from broker.presence import Presence
from broker.settings import BrokerSettings

__all__ = [
    "BrokerError",
    "BrokerSettings",
    "BrokerStoreError",
    "CertificateError",
    "ConnectionState",
    "EmbeddedBroker",
    "EmbeddedBrokerError",
    "ExitCode",
    "Message",
    "MqttClient",
    "NotConnectedError",
    "Presence",
    "RefusedError",
    "SubscriptionRefusedError",
    "TakenOverError",
]
