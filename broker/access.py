"""Who may publish and subscribe what: the contract's matrix as broker accounts."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from protocol.topics import Access, Role, check_level, filters


@dataclass(frozen=True, slots=True)
class Account:
    """One user of the broker.

    Attributes:
        role: What it may do.
        daemon: The daemon's name in topics; "" for every other role.
    """

    role: Role
    daemon: str = ""

    def __post_init__(self) -> None:
        """Check that a daemon has a name that fits a topic, and nobody else has one.

        Raises:
            ValueError: It has not, or the name does not fit.
        """
        if self.role is Role.DAEMON:
            check_level(self.daemon)
        elif self.daemon:
            raise ValueError(f"{self.role} {self.daemon!r}: only a daemon has a name")

    @property
    def username(self) -> str:
        """The user name at the broker."""
        return f"{self.role}-{self.daemon}" if self.daemon else str(self.role)

    def granted(self, event: str, access: Access) -> list[str]:
        """The topic filters that this user may publish to, or subscribe to."""
        return filters(self.role, event, access, self.daemon or "+")


def new_passwords(daemons: Iterable[str]) -> dict[Account, str]:
    """Every account of an event with these terminal daemons, and a random password.

    Raises:
        ValueError: A daemon's name does not fit a topic level.
    """
    accounts = [
        *(Account(role) for role in Role if role is not Role.DAEMON),
        *(Account(Role.DAEMON, daemon) for daemon in daemons),
    ]
    return {account: secrets.token_urlsafe(24) for account in accounts}


def nats_permissions(account: Account, event: str) -> dict[str, dict[str, list[str]]]:
    """The account's permissions in the form of a NATS configuration.

    NATS maps MQTT topics to its subjects: `/` is `.`, `+` is `*` and `#` is `>`.
    """
    return {
        access.value: {
            "allow": [nats_subject(x) for x in account.granted(event, access)]
        }
        for access in Access
    }


def nats_subject(topic_filter: str) -> str:
    """The NATS subject of an MQTT topic filter whose levels hold no dots."""
    wildcards = {"+": "*", "#": ">"}
    levels = topic_filter.split("/")
    return ".".join(wildcards.get(level, level) for level in levels)
