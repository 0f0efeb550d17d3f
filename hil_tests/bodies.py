"""Bodies that no link of ours would send."""

import msgspec

from protocol.messages import Message, Part, Ping, tag_of

PING = tag_of(Ping)
PART = tag_of(Part)


def body(*elements: object) -> bytes:
    """A body of any elements, in the shortest forms."""
    return msgspec.msgpack.encode(elements)


def whole(message: Message) -> bytes:
    """A message as one array, however long it is."""
    return msgspec.msgpack.encode(message)


def elements_of(message: Message) -> list[object]:
    """The tag and the fields of a message, to be spoilt."""
    elements: list[object] = msgspec.msgpack.decode(whole(message))
    return elements


def ping(token: object, *more: object) -> bytes:
    """A PING of a daemon, with further elements after its fields."""
    return body(PING, token, None, *more)


def ping_of_size(token: int, size: int) -> bytes:
    """A PING of so many bytes, by a binary that a receiver skips (M2)."""
    return ping(token, bytes(size - len(ping(token, b""))))


def parts_of(content: bytes, part_id: int, count: int) -> list[bytes]:
    """A content in so many bodies of PART."""
    size = -(-len(content) // count)
    chunks = [content[at : at + size] for at in range(0, len(content), size)]
    return [
        body(PART, part_id, index, len(chunks), chunk)
        for index, chunk in enumerate(chunks, 1)
    ]
