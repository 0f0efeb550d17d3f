"""Signing a journal by itself: its head, each time a round has ended.

A round has ended when every table is through with all its boards of the round: played,
closed by the Director, or passed over by him.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bidwire.event_file import EventFile, EventFileError
from bidwire.event_settings import heads_path, journal_told, rounds_of
from bidwire.journal.signing import (
    SigningError,
    append_head,
    read_heads,
    read_key,
    sign,
)
from bidwire.journal.sources import growing_journal
from referee.codec import CodecError
from referee.folding import Tables
from referee.journal import DamagedJournalError, JournalError, row_of
from referee.journal_chain import BrokenChainError, Head, Link, follow, start_of
from referee.record import Record

LOG = logging.getLogger(__name__)

LAST_LOOK = 5.0
"""Seconds that the last look may take, when the event is over."""

LATER = (
    "what has ended since the last head is not signed; `bidwire journal sign` does it"
    " later"
)


def signing_key(event: EventFile, folder: Path) -> Ed25519PrivateKey | None:
    """The key that the event signs with, if it has one.

    Raises:
        EventFileError: it cannot be used.
    """
    if event.event.signing_key is None:
        return None
    try:
        return read_key(folder / event.event.signing_key)
    except SigningError as error:
        raise EventFileError(f"event.signing_key: {error}") from None


class RoundSigner:
    """Follows a journal and signs its head whenever a round has ended.

    Args:
        event: the event file.
        folder: of the event file.
        key: to sign with.
        say: prints a line for people.
    """

    def __init__(
        self,
        event: EventFile,
        folder: Path,
        key: Ed25519PrivateKey,
        say: Callable[[str], None],
    ) -> None:
        self._event = event.event.id
        self._journal = growing_journal(event, folder)
        self._journal_told = journal_told(event, folder)
        self._heads = heads_path(event, folder)
        self._places = {t.id: rounds_of(t) for t in event.tables}
        self._key = key
        self._say = say
        self._tables = Tables(self._event)
        self._head = start_of(self._event)
        self._epoch = 0
        self._is_troubled = False
        self._is_broken = False
        self._signed = self._signed_before()

    def _signed_before(self) -> set[int]:
        """Rounds that an earlier run has signed."""
        if not self._heads.exists():
            return set()
        try:
            return {h.round for h in read_heads(self._heads) if h.event == self._event}
        except SigningError as error:
            raise EventFileError(f"event.signing_key: {error}") from None

    async def look(self) -> None:
        """Take what is new in the journal, and sign what has ended.

        What goes wrong is told once and tried again at the next look; a journal that
        was changed is never signed.
        """
        if self._is_broken:
            return
        try:
            await self._journal.catch_up(self._take)
            for number in sorted(self._ended() - self._signed):
                head = sign(self._event, number, self._head, self._key)
                append_head(self._heads, head)
                self._signed.add(number)
                self._say(
                    f"{self._event}: round {number} has ended: head {head.number} of"
                    f" the journal is signed in {self._heads}"
                )
            self._is_troubled = False
        except (BrokenChainError, CodecError, DamagedJournalError) as error:
            self._is_broken = True
            self._say(f"{self._journal_told}: {error}: it is not signed any more")
        except (JournalError, OSError) as error:
            if not self._is_troubled:
                self._is_troubled = True
                self._say(f"{self._event}: the journal is not signed yet: {error}")
        except Exception as error:
            self._is_broken = True
            LOG.exception("%s", self._event)
            self._say(f"{self._event}: {error!r}: the journal is not signed any more")

    @contextlib.asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Look now and then, and for the last time when the context closes."""
        over = asyncio.Event()
        looking = asyncio.create_task(self._look_until(over))
        try:
            yield
        finally:
            # Broken off only as a last resort: nats-py may lose a cancellation.
            over.set()
            await asyncio.wait({looking}, timeout=LAST_LOOK)
            if not looking.done():
                looking.cancel()
                self._say(f"{self._event}: the journal does not answer: {LATER}")
            elif self._is_troubled or self._ended() - self._signed:
                self._say(f"{self._event}: the journal is not signed: {LATER}")

    async def _look_until(self, over: asyncio.Event) -> None:
        is_last = False
        while not is_last:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._journal.pace):
                    await over.wait()
            is_last = over.is_set()
            await self.look()

    def _take(self, link: Link) -> None:
        follow(self._head, self._epoch, link)
        self._tables.take([row_of(link)])
        self._head = Head(link.number, link.hash)
        self._epoch = link.epoch

    def _ended(self) -> set[int]:
        """Rounds that are over at every table that has boards in them."""
        through: dict[int, list[bool]] = defaultdict(list)
        for table, rounds in self._places.items():
            done = _done(self._tables.records.get(table))
            for place, number in enumerate(rounds):
                through[number].append(place in done)
        return {number for number, places in through.items() if all(places)}


def _done(record: Record | None) -> set[int]:
    """Places of the boards that a table is through with."""
    if record is None or record.play is None:
        return set()
    over = {p.place for p in record.plays if p.is_over or p.closed}
    return over | set(range(record.play.place))
