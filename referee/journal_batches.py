"""How a journal lies in a stream: one message a batch, larger ones in parts.

A batch is a JSON object: the writer's epoch, and the entries with the hashes that chain
them (``referee.journal_chain``). One without entries begins a term. A batch larger than
a message goes in parts, which count from 1; it is there as soon as its last part is,
and one that was broken off is as if it had never been.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from referee.journal import DamagedJournalError, StaleWriterError
from referee.journal_chain import Head, Link, start_of

PART = "Bidwire-Part"
"""Header of every message: ``2/3`` is the second part of three."""


class StoredLink(msgspec.Struct, frozen=True, array_like=True):
    """An entry in its batch; its number and epoch follow from its place."""

    table: str
    entry: msgspec.Raw
    """As it was encoded, byte for byte: its hash stands for it."""
    hash: str


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What is written at a time."""

    epoch: int
    first: int
    """Number of the first entry; of the next one when there is none."""
    entries: tuple[StoredLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the stream.

    Attributes:
        part: its place in its batch, from 1.
        of: how many parts the batch has.
        data: of the part.
    """

    part: int
    of: int
    data: bytes

    @property
    def header(self) -> str:
        """The value of the header ``PART``."""
        return f"{self.part}/{self.of}"


def messages(batch: Batch, size: int) -> list[Message]:
    """A batch as messages of at most so many bytes."""
    data = msgspec.json.encode(batch)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return [Message(n, len(pieces), piece) for n, piece in enumerate(pieces, 1)]


def batch_of(epoch: int, head: Head, links: list[Link]) -> Batch:
    """The batch that follows a head."""
    return Batch(
        epoch=epoch,
        first=head.number + 1,
        entries=tuple(
            StoredLink(link.table, msgspec.Raw(link.entry), link.hash.hex())
            for link in links
        ),
    )


def read_message(sequence: int, header: str, data: bytes) -> Message:
    """A message of the stream; DamagedJournalError when it is none of ours."""
    part, _, of = header.partition("/")
    if not (part.isdecimal() and of.isdecimal() and 0 < int(part) <= int(of)):
        raise DamagedJournalError(
            f"message {sequence}: expected the header {PART}, got {header!r}"
        )
    return Message(int(part), int(of), data)


@dataclass(slots=True)
class Tail:
    """What is known of a stream, message by message.

    Attributes:
        event: whose journal it is.
        sequence: of the last message seen.
        epoch: of the last batch.
        head: of the last entry.
    """

    event: str
    sequence: int = 0
    epoch: int = 0
    head: Head = field(init=False)
    _parts: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.head = start_of(self.event)

    def take(self, sequence: int, message: Message) -> Iterator[Link]:
        """The entries that a message completes, chained or not.

        Raises:
            DamagedJournalError: it is none, or does not follow.
        """
        self.sequence = sequence
        if message.part == 1:
            self._parts = []
        elif not self._parts or message.part != self._parts[-1].part + 1:
            raise DamagedJournalError(f"message {sequence}: its first part is missing")
        self._parts.append(message)
        if message.part < message.of:
            return
        batch = _decode(sequence, b"".join(part.data for part in self._parts))
        self._parts = []
        yield from self._links(sequence, batch)

    def _links(self, sequence: int, batch: Batch) -> Iterator[Link]:
        if batch.first != self.head.number + 1 or batch.epoch < self.epoch:
            raise DamagedJournalError(
                f"message {sequence}: expected entry {self.head.number + 1} of epoch "
                f"{self.epoch} or later, got {batch.first} of epoch {batch.epoch}"
            )
        self.epoch = batch.epoch
        for number, stored in enumerate(batch.entries, batch.first):
            link = Link(
                number,
                batch.epoch,
                stored.table,
                bytes(stored.entry),
                _hash(sequence, stored.hash),
            )
            self.head = Head(number, link.hash)
            yield link


def must_be_of(tail: Tail, epoch: int) -> None:
    """Raise StaleWriterError when another referee has begun a term since."""
    if tail.epoch != epoch:
        raise StaleWriterError(
            f"expected epoch {epoch}, got {tail.epoch}: another referee has taken the "
            "journal over"
        )


def _decode(sequence: int, data: bytes) -> Batch:
    try:
        return msgspec.json.decode(data, type=Batch)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedJournalError(f"message {sequence}: {error}") from error


def _hash(sequence: int, digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise DamagedJournalError(f"message {sequence}: {error}") from error
