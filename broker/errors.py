"""What can go wrong between a daemon and the broker.

    BrokerError
    ├── CertificateError           a certificate file cannot be used: fatal
    ├── NotConnectedError          the client is closed
    ├── RefusedError               the broker refuses the client (CONNACK): fatal
    ├── SubscriptionRefusedError   the broker refuses a subscription (SUBACK): fatal
    ├── TakenOverError             another process speaks under our name: fatal
    └── EmbeddedBrokerError        the child process cannot be started
        └── BrokerStoreError       its store cannot be used

Loss of the connection is no error: the client connects again by itself.
"""


class BrokerError(Exception):
    """Base of all errors of this package."""


class CertificateError(BrokerError):
    """A file of the broker's settings is no certificate or key; names key and file."""


class NotConnectedError(BrokerError):
    """The client is closed, so nothing can be sent or received."""


class RefusedError(BrokerError):
    """The broker will not have this client: wrong password, client id, protocol."""


class SubscriptionRefusedError(BrokerError):
    """The broker refused a subscription, so messages would be missed in silence.

    Attributes:
        filters: The topic filters refused.
    """

    def __init__(self, filters: tuple[str, ...]) -> None:
        """Keep the refused filters."""
        super().__init__(
            f"the broker refuses to subscribe us to {', '.join(filters)}: "
            "check its access list for this user, and the disk of its store"
        )
        self.filters = filters


class TakenOverError(BrokerError):
    """Another process connected later under the same name; the older one stops.

    Under MQTT 3.1.1 a client cannot tell a take-over from a lost connection, and two
    that reconnect at once throw each other out for ever.

    Attributes:
        topic: The status topic on which the other one reports itself.
    """

    def __init__(self, topic: str) -> None:
        """Keep the topic."""
        super().__init__(
            f"another process reports itself on {topic}: two daemons are set up "
            "under one name"
        )
        self.topic = topic


class EmbeddedBrokerError(BrokerError):
    """The embedded broker cannot be started, or does not stay up."""


class BrokerStoreError(EmbeddedBrokerError):
    """The embedded broker's store is no folder that it can use; names it."""
