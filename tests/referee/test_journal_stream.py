"""The replicated journal, on a real JetStream: one writer, nothing lost or twice."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from referee import journal_nats
from referee.entries import Alarmed, Entry
from referee.journal import (
    DamagedJournalError,
    ForeignJournalError,
    JournalUnavailableError,
    Row,
    StaleWriterError,
    UnusableJournalError,
    row_of,
)
from referee.journal_batches import PART, batch_of, messages
from referee.journal_chain import chain, start_of, verify
from referee.journal_nats import bucket_name, stream_name, subject_of
from referee.journal_sqlite import SqliteJournal
from referee.journal_stream import StreamJournal, open_stream, read_stream
from tests.long import long
from tests.referee.cluster import Node, client_of, leader_of, running, stream_settings

pytestmark = pytest.mark.broker

EVENT = "friday"


def alarms(*texts: str) -> list[tuple[str, Entry]]:
    return [("t1", Alarmed(text=text)) for text in texts]


@pytest_asyncio.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[list[Node]]:
    async with running(tmp_path, 1) as nodes:
        yield nodes


class Writer:
    """A referee's journal, held or waited for."""

    def __init__(self, journal: StreamJournal) -> None:
        self.journal = journal
        self.rows: list[Row] = []
        self.epoch = 0

    async def begin(self) -> None:
        self.epoch = await self.journal.take_over(self.rows.append)


@contextlib.asynccontextmanager
async def writer(nodes: list[Node], *, keep: bool = True) -> AsyncIterator[Writer]:
    """A referee that rules, and keeps the lease until the context closes."""
    async with open_stream(stream_settings(nodes), EVENT) as journal:
        opened = Writer(journal)
        await opened.begin()
        keeping = asyncio.create_task(journal.keep())
        if not keep:
            keeping.cancel()
        try:
            yield opened
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


def texts_of(rows: list[Row]) -> list[str]:
    return [row.entry.text for row in rows if isinstance(row.entry, Alarmed)]


async def test_entries_come_back_in_order_with_the_chain_of_a_file(
    nodes: list[Node], tmp_path: Path
) -> None:
    async with writer(nodes) as first:
        assert first.epoch == 1
        assert await first.journal.append(1, 0, alarms("a", "b")) == 2
        assert await first.journal.append(1, 2, [("t2", Alarmed(text="c"))]) == 3
    async with writer(nodes) as second:
        assert second.epoch == 2
        assert second.rows == [
            Row(1, "t1", Alarmed(text="a")),
            Row(2, "t1", Alarmed(text="b")),
            Row(3, "t2", Alarmed(text="c")),
        ]
    with SqliteJournal(tmp_path / "journal.sqlite", EVENT) as file:
        file.append(
            file.take_epoch(), 0, [*alarms("a", "b"), ("t2", Alarmed(text="c"))]
        )
        links = await read_stream(stream_settings(nodes), EVENT)
        assert verify(EVENT, links) == file.head()


async def test_writer_that_missed_an_entry_is_refused(nodes: list[Node]) -> None:
    async with writer(nodes) as only:
        await only.journal.append(only.epoch, 0, alarms("a"))
        with pytest.raises(StaleWriterError, match="expected entry 0 to be the last"):
            await only.journal.append(only.epoch, 0, alarms("b"))


async def test_standby_follows_and_takes_over_when_the_holder_is_silent(
    nodes: list[Node],
) -> None:
    async with (
        writer(nodes, keep=False) as first,
        open_stream(stream_settings(nodes), EVENT) as journal,
    ):
        standby = Writer(journal)
        waiting = asyncio.create_task(standby.begin())
        await first.journal.append(first.epoch, 0, alarms("a", "b"))
        await waiting
        assert standby.epoch == first.epoch + 1
        assert texts_of(standby.rows) == ["a", "b"]


async def test_standby_need_not_wait_when_the_holder_stops_in_order(
    nodes: list[Node],
) -> None:
    async with open_stream(stream_settings(nodes), EVENT) as journal:
        journal._lease._clock = lambda: 0.0  # by its clock no lease ever runs out
        standby = Writer(journal)
        async with open_stream(stream_settings(nodes), EVENT) as first:
            assert await first.take_over(lambda _: None) == 1
            waiting = asyncio.create_task(standby.begin())
        await waiting
        assert standby.epoch == 2


async def test_standby_waits_as_long_as_the_holder_renews(nodes: list[Node]) -> None:
    async with (
        writer(nodes) as first,
        open_stream(stream_settings(nodes), EVENT) as journal,
    ):
        waiting = asyncio.create_task(Writer(journal).begin())
        for number in range(20):  # twice as long as the lease
            await first.journal.append(first.epoch, number, alarms("a"))
            await asyncio.wait({waiting}, timeout=0.1)
        assert not waiting.done()
        waiting.cancel()


async def test_late_writer_is_refused_though_it_takes_the_lease_for_its_own(
    nodes: list[Node],
) -> None:
    async with writer(nodes, keep=False) as first:
        await first.journal.append(first.epoch, 0, alarms("a"))
        async with writer(nodes) as second:
            first.journal._lease._until = float("inf")
            with pytest.raises(StaleWriterError, match="another referee has taken"):
                await first.journal.append(first.epoch, 1, alarms("late"))
            await second.journal.append(second.epoch, 1, alarms("b"))
            with pytest.raises(StaleWriterError):
                await first.journal.append(first.epoch, 1, alarms("late"))
            with pytest.raises(StaleWriterError, match="has taken the lease"):
                await first.journal.keep()
            assert [Alarmed(text="a"), Alarmed(text="b")] == [
                row.entry for row in await rows(nodes)
            ]


async def rows(nodes: list[Node]) -> list[Row]:
    """What the journal holds, read by a referee that comes later."""
    links = await read_stream(stream_settings(nodes), EVENT)
    verify(EVENT, links)
    return [row_of(link) for link in links]


async def test_holder_whose_lease_ran_out_waits_and_goes_on_when_nobody_took_it(
    nodes: list[Node],
) -> None:
    async with writer(nodes) as only:
        await only.journal.append(only.epoch, 0, alarms("a"))
        nodes[0].pause()
        while only.journal._lease.is_held:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)
        with pytest.raises(JournalUnavailableError, match="could not be renewed"):
            await only.journal.append(only.epoch, 1, alarms("b"))
        nodes[0].resume()
        await only.journal.held()
        assert await only.journal.append(only.epoch, 1, alarms("b")) == 2
        assert texts_of(await rows(nodes)) == ["a", "b"]


async def test_append_whose_answer_was_lost_is_written_once(nodes: list[Node]) -> None:
    async with writer(nodes) as only:
        await only.journal.append(only.epoch, 0, alarms("a"))
        nodes[0].pause()
        with pytest.raises(JournalUnavailableError):
            await only.journal.append(only.epoch, 1, alarms("b", "c"))
        nodes[0].resume()
        await only.journal.held()
        assert await only.journal.append(only.epoch, 1, alarms("b", "c")) == 3
        assert await only.journal.append(only.epoch, 3, alarms("d")) == 4
        assert texts_of(await rows(nodes)) == ["a", "b", "c", "d"]


async def test_referee_stops_whatever_moment_it_is_told_at(nodes: list[Node]) -> None:
    for turns in range(27):
        async with writer(nodes) as only:
            assert only.epoch == turns + 1
            for _ in range(turns % 9):  # of the event loop: the lease is being renewed
                await asyncio.sleep(0)


async def test_batch_larger_than_a_message_is_whole(nodes: list[Node]) -> None:
    large = ["x" * 1_500_000, "y" * 1_500_000]
    async with writer(nodes) as only:
        assert await only.journal.append(only.epoch, 0, alarms(*large)) == 2
        assert await only.journal.append(only.epoch, 2, alarms("z")) == 3
    assert texts_of(await rows(nodes)) == [*large, "z"]


async def test_batch_that_was_broken_off_was_never_written(nodes: list[Node]) -> None:
    async with writer(nodes) as first, client_of(nodes) as client:
        await first.journal.append(first.epoch, 0, alarms("a"))
        tail = first.journal._tail
        links = list(chain(tail.head, first.epoch, [("t1", b'{"entry":"alarmed"}')]))
        parts = messages(batch_of(first.epoch, tail.head, links), 20)
        for part in parts[:-1]:
            await client.jetstream().publish(
                subject_of(EVENT), part.data, headers={PART: part.header}
            )
        first.journal._lease._until = 0.0  # it was killed in the middle
    async with writer(nodes) as second:
        assert texts_of(second.rows) == ["a"]
        assert await second.journal.append(second.epoch, 1, alarms("b")) == 2
    assert texts_of(await rows(nodes)) == ["a", "b"]


async def test_message_that_is_none_is_named(nodes: list[Node]) -> None:
    async with writer(nodes) as first:
        await first.journal.append(first.epoch, 0, alarms("a"))
    async with client_of(nodes) as client:
        await client.jetstream().publish(subject_of(EVENT), b"no journal")
    with pytest.raises(DamagedJournalError, match=f"message 3: expected .* {PART}"):
        await read_stream(stream_settings(nodes), EVENT)


async def test_changed_entry_stops_the_referee_that_reads_it(nodes: list[Node]) -> None:
    async with writer(nodes) as first:
        await first.journal.append(first.epoch, 0, alarms("a"))
    forged = next(chain(start_of("another"), 1, [("t1", b'{"entry":"alarmed"}')]))
    head = verify(EVENT, await read_stream(stream_settings(nodes), EVENT))
    (message,) = messages(batch_of(1, head, [forged]), 1000)
    async with client_of(nodes) as client:
        await client.jetstream().publish(
            subject_of(EVENT), message.data, headers={PART: message.header}
        )
    with pytest.raises(DamagedJournalError, match="entry 2 does not fit"):
        async with writer(nodes):
            pass


async def test_nobody_deletes_what_is_written(nodes: list[Node]) -> None:
    async with writer(nodes) as first, client_of(nodes) as client:
        await first.journal.append(first.epoch, 0, alarms("a"))
        manager, name = client.jetstream(), stream_name(EVENT)
        with pytest.raises(Exception, match="not permitted"):
            await manager.delete_msg(name, 2)
        with pytest.raises(Exception, match="not permitted"):
            await manager.purge_stream(name)


async def test_stream_of_another_kind_is_refused(nodes: list[Node]) -> None:
    async with client_of(nodes) as client:
        await client.jetstream().add_stream(
            name=stream_name(EVENT), subjects=["scores"]
        )
    with pytest.raises(ForeignJournalError, match="expected a journal"):
        async with open_stream(stream_settings(nodes), EVENT):
            pass


async def test_journal_that_the_cluster_has_lost_is_not_begun_anew(
    nodes: list[Node],
) -> None:
    async with writer(nodes) as first:
        await first.journal.append(first.epoch, 0, alarms("a"))
    async with client_of(nodes) as client:
        await client.jetstream().delete_stream(stream_name(EVENT))
    with pytest.raises(JournalUnavailableError, match="the cluster has lost it"):
        async with open_stream(stream_settings(nodes), EVENT):
            pass


async def test_replicas_without_a_cluster_are_refused(nodes: list[Node]) -> None:
    with pytest.raises(UnusableJournalError, match="replicas: expected 1"):
        async with open_stream(stream_settings(nodes, replicas=3), EVENT):
            pass


async def test_journal_that_is_not_there_is_told(nodes: list[Node]) -> None:
    with pytest.raises(
        ForeignJournalError, match="journal of event 'friday', got none"
    ):
        await read_stream(stream_settings(nodes), EVENT)


async def test_nobody_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_nats, "CONNECT_S", 0.5)
    silent = Node(tmp_path, "silent")
    with pytest.raises(JournalUnavailableError, match=silent.url):
        async with open_stream(stream_settings([silent]), EVENT):
            pass


async def test_rights_of_the_documentation_suffice_and_a_wrong_password_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish = [subject_of(EVENT), "$JS.API.>", f"$KV.{bucket_name(EVENT)}.>"]
    user = {
        "user": "referee",
        "password": "right",
        "permissions": {"publish": publish, "subscribe": ["_INBOX.>"]},
    }
    node = Node(tmp_path, "n1")
    node.configure([], authorization={"users": [user]})
    await node.start()
    try:
        known = stream_settings([node], user="referee", password="right")  # noqa: S106
        async with open_stream(known, EVENT) as journal:
            epoch = await journal.take_over(lambda _: None)
            assert await journal.append(epoch, 0, alarms("a")) == 1
        assert verify(EVENT, await read_stream(known, EVENT)).number == 1
        monkeypatch.setattr(journal_nats, "CONNECT_S", 2.0)
        wrong = stream_settings([node], user="referee", password="wrong")  # noqa: S106
        with pytest.raises(UnusableJournalError, match="Authorization Violation"):
            async with open_stream(wrong, EVENT):
                pass
    finally:
        await node.stop()


@long
@pytest.mark.timeout(120)
async def test_leader_of_a_cluster_killed_again_and_again_loses_nothing(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, 3) as nodes, client_of(nodes) as client:
        async with open_stream(stream_settings(nodes, lease_s=5.0), EVENT) as journal:
            epoch = await journal.take_over(lambda _: None)
            keeping = asyncio.create_task(journal.keep())
            number = 0
            for _ in range(2):
                leader = await leader_of(client, nodes, EVENT)
                await leader.stop()
                for _ in range(20):
                    number = await persistent(journal, epoch, number)
                await leader.start()
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
        assert texts_of(await rows(nodes)) == [str(n) for n in range(1, number + 1)]


async def persistent(journal: StreamJournal, epoch: int, number: int) -> int:
    """Append three entries as the service does: again until it is done."""
    batch = alarms(*(str(number + i) for i in (1, 2, 3)))
    while True:
        try:
            return await journal.append(epoch, number, batch)
        except JournalUnavailableError:
            await asyncio.sleep(0.1)
