"""Topics are checked before they reach the broker.

NATS throws a client out that publishes to a topic it cannot map to a subject, and the
client, connecting again, sends the same message again for ever. So a malformed topic
never leaves the process.
"""

import re

from protocol.topics import check_level

_CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def check_topic(topic: str) -> None:
    """Check that every level of `topic` is a plain name.

    Raises:
        TopicError: Says which level is not; it is a ValueError.
    """
    for level in topic.split("/"):
        check_level(level)


def check_filter(topic_filter: str) -> None:
    """Check that every level is a plain name, `+`, or a closing `#`.

    Raises:
        TopicError: Says which level is not; it is a ValueError.
    """
    levels = topic_filter.split("/")
    if levels[-1] == "#":
        levels.pop()
    for level in levels:
        if level != "+":
            check_level(level)


def check_client_id(client_id: str) -> None:
    """Check that every broker takes `client_id`.

    Raises:
        ValueError: It is too long, or has other characters.
    """
    if not _CLIENT_ID.fullmatch(client_id):
        raise ValueError(
            f"client id: expected 1 to 100 of A-Z a-z 0-9 _ -, got {client_id!r}"
        )
