"""The journal in a NATS JetStream stream, replicated, for referees that fail over.

An append is one publication with the sequence number that the stream must have had
before (compare-and-set in the store itself). A new holder of the lease begins its term
with a batch of its own; from then on no expectation of an earlier writer fits any more,
however late its messages come: it is fenced. An append whose answer was lost is looked
for in the stream before it is written again, so that nothing stands there twice.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Never, TypeVar

from nats.aio.client import Client
from nats.js.api import Header
from nats.js.client import JetStreamContext
from nats.js.errors import APIError, NotFoundError
from nats.js.kv import KeyValue

from referee.entries import Entry
from referee.journal import (
    DamagedJournalError,
    ForeignJournalError,
    JournalUnavailableError,
    Row,
    StaleWriterError,
    encode_entry,
    row_of,
)
from referee.journal_batches import (
    PART,
    Batch,
    Tail,
    batch_of,
    messages,
    must_be_of,
    read_message,
)
from referee.journal_chain import BrokenChainError, Head, Link, chain, follow
from referee.journal_lease import Lease
from referee.journal_nats import (
    PASSING,
    connected,
    make_bucket,
    make_stream,
    stream_name,
    subject_of,
)
from referee.settings import StreamSettings

Result = TypeVar("Result")

logger = logging.getLogger(__name__)

LOOK_S = 0.25
"""Seconds between two looks of a standby."""

REQUEST_S = 2.0
"""Seconds that an append may take; a cluster elects a new leader within ten."""

READ_AHEAD = 256
"""Messages asked for at a time."""

HEADERS_MAX = 512
"""Bytes of a message's headers, which count to its size."""

WRONG_SEQUENCE = frozenset({10071, 10164})
"""The server's codes for a last sequence number that is another than expected."""


async def whole(work: Coroutine[Any, Any, Result]) -> Result:
    """Let work come to its end; a cancellation counts afterwards.

    nats-py waits with `asyncio.wait_for`, which until Python 3.12 loses a cancellation
    that comes together with the answer.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise


class StreamReader:
    """A journal's stream, read as far as it goes, from where a tail ends."""

    def __init__(
        self, context: JetStreamContext, event: str, tail: Tail | None = None
    ) -> None:
        self.tail = tail or Tail(event)
        self._context = context
        self._name = stream_name(event)

    async def catch_up(self, take: Callable[[Link], None]) -> None:
        """Hand over the entries that have not been seen yet.

        Raises:
            DamagedJournalError: a message is missing, or none of ours.
            nats.errors.Error: the store does not answer.
        """
        info = await self._context.stream_info(self._name)
        while self.tail.sequence < info.state.last_seq:
            first = self.tail.sequence + 1
            last = min(first + READ_AHEAD - 1, info.state.last_seq)
            numbers = range(first, last + 1)
            for number, message in zip(
                numbers,
                await asyncio.gather(*(self._message(number) for number in numbers)),
                strict=True,
            ):
                header, data = message
                for link in self.tail.take(number, read_message(number, header, data)):
                    take(link)

    async def _message(self, number: int) -> tuple[str, bytes]:
        try:
            found = await self._context.get_msg(self._name, seq=number)
        except NotFoundError as error:
            raise DamagedJournalError(f"message {number} is missing") from error
        return (found.headers or {}).get(PART, ""), found.data or b""


class StreamJournal:
    """A referee's place at the journal of an event: ruling, or standing by."""

    def __init__(
        self, client: Client, bucket: KeyValue, settings: StreamSettings, event: str
    ) -> None:
        self._client = client
        self._context = client.jetstream(timeout=REQUEST_S)
        self._reader = StreamReader(self._context, event)
        self._subject = subject_of(event)
        self._stream = stream_name(event)
        self._seconds = settings.lease_s
        self._lease = Lease(bucket, secrets.token_hex(8), settings.lease_s)
        self._renewed = asyncio.Event()
        self._in_doubt: Head | None = None
        """What the head is if an append has come through whose answer was lost."""
        self._told = ""

    @property
    def _tail(self) -> Tail:
        return self._reader.tail

    # -- standing by ----------------------------------------------------------------

    async def take_over(self, take: Callable[[Row], None]) -> int:
        """Follow the journal, and begin a new term as soon as the lease is free."""
        before, epoch = self._tail.head, 0

        def taken(link: Link) -> None:
            nonlocal before, epoch
            try:
                follow(before, epoch, link)
            except BrokenChainError as error:
                raise DamagedJournalError(str(error)) from error
            before, epoch = Head(link.number, link.hash), link.epoch
            take(row_of(link))

        while True:
            try:
                term = await whole(self._look(taken))
                if term is not None:
                    return term
                if self._lease.holder:
                    self._tell(f"standing by for referee {self._lease.holder}")
            except PASSING as error:
                self._lease.forget()
                self._must_be_open()
                self._tell(f"the journal's store does not answer: {error!r}")
            await asyncio.sleep(LOOK_S)

    async def _look(self, taken: Callable[[Link], None]) -> int | None:
        """Read what is new, and begin a term if the lease is free; its epoch."""
        await self._reader.catch_up(taken)
        term = await self._lease.take(self._tail.epoch)
        begun = term is not None and await self._begin(term, taken)
        return term if begun else None

    async def _begin(self, epoch: int, taken: Callable[[Link], None]) -> bool:
        """Write the batch that fences all earlier writers; False if we are late."""
        while self._lease.is_held:
            try:
                await self._publish(
                    Batch(epoch=epoch, first=self._tail.head.number + 1)
                )
            except APIError as error:
                if error.err_code not in WRONG_SEQUENCE:
                    raise
                # The earlier holder wrote a last batch, or ours came through.
                await self._reader.catch_up(taken)
                if self._tail.epoch >= epoch:
                    return self._tail.epoch == epoch
            else:
                return True
        return False

    def _tell(self, text: str) -> None:
        """Log what has not been logged last."""
        if text != self._told:
            self._told = text
            logger.warning("%s", text)

    def _must_be_open(self) -> None:
        if self._client.is_closed:
            raise JournalUnavailableError(
                f"the connection is closed: {self._client.last_error!r}"
            )

    # -- ruling ---------------------------------------------------------------------

    async def append(
        self, epoch: int, expected_number: int, entries: Sequence[tuple[str, Entry]]
    ) -> int:
        """Write a batch as one message, or as parts of which the last one counts."""
        if not self._lease.is_held:
            raise JournalUnavailableError("the lease could not be renewed in time")
        last = expected_number + len(entries)
        try:
            if self._in_doubt is not None:
                await self._catch_up(epoch)
                written, self._in_doubt = self._tail.head == self._in_doubt, None
                if written and self._tail.head.number == last:
                    return last
            if self._tail.head.number != expected_number:
                raise StaleWriterError(
                    f"expected entry {expected_number} to be the last, got "
                    f"{self._tail.head.number}"
                )
            encoded = [(table, encode_entry(entry)) for table, entry in entries]
            links = list(chain(self._tail.head, epoch, encoded))
            self._in_doubt = Head(last, links[-1].hash)
            await self._publish(batch_of(epoch, self._tail.head, links))
        except PASSING as error:
            if isinstance(error, APIError) and error.err_code in WRONG_SEQUENCE:
                await self._was_overtaken(epoch)
            raise JournalUnavailableError(f"{error!r}") from error
        self._in_doubt = None
        return last

    async def _was_overtaken(self, epoch: int) -> None:
        """Another referee wrote before us, or an append of ours that we gave up."""
        with contextlib.suppress(*PASSING):
            await self._catch_up(epoch)

    async def _catch_up(self, epoch: int) -> None:
        await self._reader.catch_up(lambda _link: None)
        must_be_of(self._tail, epoch)

    async def _publish(self, batch: Batch) -> None:
        """Publish a batch after the last message known."""
        for message in messages(batch, self._client.max_payload - HEADERS_MAX):
            answer = await self._context.publish(
                self._subject,
                message.data,
                stream=self._stream,
                headers={
                    Header.EXPECTED_LAST_SEQUENCE: str(self._tail.sequence),
                    PART: message.header,
                },
            )
            for _ in self._tail.take(answer.seq, message):
                pass

    async def held(self) -> None:
        """Wait until the lease is known to be ours."""
        while not self._lease.is_held:
            self._renewed.clear()
            await self._renewed.wait()

    async def keep(self) -> Never:
        """Renew the lease again and again."""
        while True:
            try:
                await whole(self._lease.renew())
                self._told = ""
            except PASSING as error:
                self._must_be_open()
                self._tell(f"the lease cannot be renewed, nothing is ruled: {error!r}")
            else:
                self._renewed.set()
            await asyncio.sleep(self._seconds / 4)

    async def release(self) -> None:
        """Let the lease go if it is held: the next referee need not wait."""
        if self._lease.is_held:
            with contextlib.suppress(*PASSING):
                await self._lease.release()


@contextlib.asynccontextmanager
async def open_stream(
    settings: StreamSettings, event: str
) -> AsyncIterator[StreamJournal]:
    """The journal of an event in a cluster, made where it is missing.

    Raises:
        UnusableJournalError: the cluster does not let us in, or cannot keep it.
        JournalUnavailableError: it cannot be opened now.
    """
    async with connected(settings) as client:
        try:
            await make_stream(client, settings, event)
            bucket = await make_bucket(client, settings, event)
        except PASSING as error:
            raise JournalUnavailableError(f"{settings}: {error!r}") from error
        journal = StreamJournal(client, bucket, settings, event)
        try:
            yield journal
        finally:
            await journal.release()


class StreamFollower:
    """Follows the journal of an event in a cluster, while referees may be writing.

    Attributes:
        pace: seconds from one look to the next; each connects anew.
    """

    pace = 10.0

    def __init__(self, settings: StreamSettings, event: str) -> None:
        """Follow it from its start; connects only when it is asked to catch up."""
        self._settings = settings
        self._event = event
        self._tail = Tail(event)

    async def catch_up(self, take: Callable[[Link], None]) -> None:
        """Hand over the entries that were not handed over before, chained or not.

        Raises:
            ForeignJournalError: the cluster has no journal of the event.
            DamagedJournalError: a message is none of a journal's.
            JournalError: the cluster does not let us in, or does not answer.
        """
        async with connected(self._settings) as client:
            context = client.jetstream(timeout=REQUEST_S)
            try:
                await StreamReader(context, self._event, self._tail).catch_up(take)
            except NotFoundError as error:
                raise ForeignJournalError(
                    f"{self._settings}: expected the journal of event"
                    f" {self._event!r}, got none"
                ) from error
            except PASSING as error:
                raise JournalUnavailableError(f"{self._settings}: {error!r}") from error


async def read_stream(settings: StreamSettings, event: str) -> list[Link]:
    """All entries of a journal; the errors are those of `StreamFollower.catch_up`."""
    links: list[Link] = []
    await StreamFollower(settings, event).catch_up(links.append)
    return links
