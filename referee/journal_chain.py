"""The chain that shows whether a journal was changed after it was written.

Each entry carries the SHA-256 of what it holds and of the hash before it:

    SHA-256(previous ‖ number ‖ epoch ‖ length of the table id ‖ table id ‖ entry)

with number and epoch as 8 bytes, the length as 2, all big endian. Before the first
entry stands the SHA-256 of ``bidwire journal``, a zero byte and the event's id. So a
head, number and hash of the last entry, stands for all entries up to it: one that was
noted or signed tells later whether they are still the same.
"""

import hashlib
import re
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_PLACE = struct.Struct(">QQH")
_HEAD = re.compile("([0-9]{1,18}):([0-9a-f]{64})")


class Head(NamedTuple):
    """An entry's number and hash; 0 and the hash of the event before the first."""

    number: int
    hash: bytes

    def __str__(self) -> str:
        """``NUMBER:HASH``, the hash in hexadecimal digits."""
        return f"{self.number}:{self.hash.hex()}"


class Link(NamedTuple):
    """An entry as it is stored."""

    number: int
    epoch: int
    table: str
    entry: bytes
    hash: bytes


class BrokenChainError(Exception):
    """A journal is not what was written.

    Attributes:
        number: of the first entry that does not fit.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"entry {number} does not fit: {reason}")
        self.number = number


def read_head(text: str) -> Head:
    """The head of ``NUMBER:HASH``; ValueError says what was expected."""
    match = _HEAD.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError(f"expected NUMBER:HASH with 64 hex digits, got {text!r}")
    return Head(int(match[1]), bytes.fromhex(match[2]))


def start_of(event: str) -> Head:
    """The head of an empty journal."""
    return Head(0, hashlib.sha256(b"bidwire journal\0" + event.encode()).digest())


def link(head: Head, epoch: int, table: str, entry: bytes) -> Link:
    """The next entry after a head."""
    name, number = table.encode(), head.number + 1
    place = _PLACE.pack(number, epoch, len(name))
    digest = hashlib.sha256(head.hash + place + name + entry).digest()
    return Link(number, epoch, table, entry, digest)


def chain(
    head: Head, epoch: int, entries: Iterable[tuple[str, bytes]]
) -> Iterator[Link]:
    """Entries with their places after a head."""
    for table, entry in entries:
        linked = link(head, epoch, table, entry)
        yield linked
        head = Head(linked.number, linked.hash)


def verify(event: str, links: Iterable[Link], noted: Iterable[Head] = ()) -> Head:
    """Check a whole journal, as ``checked`` does; returns its head."""
    head = start_of(event)
    for found in checked(event, links, noted):
        head = Head(found.number, found.hash)
    return head


def checked(
    event: str, links: Iterable[Link], noted: Iterable[Head] = ()
) -> Iterator[Link]:
    """The entries of a whole journal, as long as they fit.

    Args:
        event: whose journal it is.
        links: all its entries, in order.
        noted: heads noted earlier, which it must have had.

    Raises:
        BrokenChainError: names the first entry that does not fit.
    """
    head, epoch = start_of(event), 0
    waiting = {each.number: each.hash for each in noted}
    _check_noted(head, waiting)
    for found in links:
        follow(head, epoch, found)
        head, epoch = Head(found.number, found.hash), found.epoch
        _check_noted(head, waiting)
        yield found
    for number in sorted(waiting):
        raise BrokenChainError(
            head.number + 1,
            f"it is missing: entry {number} was noted, and {head.number} is the last",
        )


def follow(head: Head, epoch: int, found: Link) -> None:
    """Raise BrokenChainError when an entry does not follow a head of an epoch."""
    following = head.number + 1
    if found.number != following:
        raise BrokenChainError(
            following, f"it is missing, the next one is {found.number}"
        )
    types = tuple(map(type, found))
    if types != (int, int, str, bytes, bytes):
        names = ", ".join(each.__name__ for each in types)
        raise BrokenChainError(following, f"no entry is stored as {names}")
    if found.epoch < epoch:
        raise BrokenChainError(
            following, f"it is of epoch {found.epoch}, after one of {epoch}"
        )
    if found.hash != link(head, found.epoch, found.table, found.entry).hash:
        raise BrokenChainError(
            following,
            "its hash is not that of what it holds and of the entries before it",
        )


def _check_noted(head: Head, waiting: dict[int, bytes]) -> None:
    noted = waiting.pop(head.number, head.hash)
    if noted != head.hash:
        raise BrokenChainError(
            head.number, f"{noted.hex()} was noted, now it has {head.hash.hex()}"
        )
