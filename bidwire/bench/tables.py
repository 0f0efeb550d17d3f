"""Whole events against one referee process: what they cost it.

The broker is the embedded one, the referee a real ``python -m referee`` with its
journal in a file; the daemons' part is played by a process of its own
(``bidwire.bench.load``).
"""

import asyncio
import time
from dataclasses import dataclass
from typing import Self, TypeVar
from urllib.request import urlopen

import msgspec
from prometheus_client.parser import text_string_to_metric_families

from bidwire.bench.load_event import EVENT, SHORTEST_BOARD, LoadEvent
from bidwire.bench.load_words import (
    LoadSettings,
    Play,
    Played,
    Pressed,
    Ready,
    Resume,
    Resumed,
    Told,
    Word,
)
from bidwire.bench.usage import Usage, usage_of
from bidwire.children import Child, ChildError, RunFolder, run_until
from broker import EmbeddedBroker
from broker.embedded import free_port
from broker.exits import ExitCode
from protocol.topics import Role

FOLDED = "journal entries"
"""Words of the line that the referee logs when it has read its journal."""

BUSY = 0.9
"""Share of a core from which on the load itself may be what was too slow."""

_Answer = TypeVar("_Answer", bound=Told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How an event is measured.

    Attributes:
        seconds: of play that are measured.
        warm_up: seconds of play before that: as many terminals as come up at once
            keep the referee busy for a while.
        period: seconds between two events of a table.
        seed: of the boards.
        restart: kill the referee afterwards, and see how soon the next one serves.
    """

    seconds: float = 15.0
    warm_up: float = 15.0
    period: float = 3.0
    seed: int = 0
    restart: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took while the tables played.

    Attributes:
        cpu_share: shares of a core.
        memory: bytes in RAM afterwards.
    """

    cpu_share: float
    memory: int

    @classmethod
    def between(cls, before: Usage, after: Usage, seconds: float) -> Self:
        """What was taken between two readings."""
        return cls((after.cpu_s - before.cpu_s) / seconds, after.memory)


@dataclass(frozen=True, slots=True)
class Figures:
    """What the referee counts: messages, and what it wrote to its journal."""

    messages_in: float
    messages_out: float
    commits: float
    entries: float

    def since(self, before: "Figures") -> "Figures":
        """What was counted since earlier figures."""
        return Figures(
            self.messages_in - before.messages_in,
            self.messages_out - before.messages_out,
            self.commits - before.commits,
            self.entries - before.entries,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """Seconds from the start of the process that takes a killed referee's place.

    Attributes:
        entries: of the journal.
        folded: until it had read them.
        first_ack: until it acknowledged the first event.
        prompted: until every terminal had its display.
        acknowledged: until all was acknowledged that was pressed meanwhile.
    """

    entries: int
    folded: float
    first_ack: float
    prompted: float
    acknowledged: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """An event that was played.

    Attributes:
        tables: how many.
        played: what the terminals saw.
        figures: of the referee, while they played.
        referee, broker: what they took.
        restart: None when it was not asked for.
    """

    tables: int
    played: Played
    figures: Figures
    referee: Cost
    broker: Cost
    restart: Restart | None = None

    @property
    def load_was_busy(self) -> bool:
        """Whether the load itself may have been what was too slow."""
        return self.played.cpu_share > BUSY

    @property
    def is_complete(self) -> bool:
        """Whether every event was acknowledged and followed by a prompt."""
        played = self.played
        return played.events == played.acknowledged == played.prompted


async def measure(tables: int, options: Options) -> Measured:
    """Play an event with so many tables, and see what it costs.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
    """
    played = options.warm_up + options.seconds
    boards = 2 + int(played / options.period) // SHORTEST_BOARD
    event = LoadEvent(tables, boards, options.seed)
    with RunFolder() as run:
        journal = run.path / "journal.sqlite"
        entries = event.write_journal(journal)
        async with EmbeddedBroker(
            run.path / "broker", event=EVENT, daemons=event.daemons
        ) as broker:
            metrics = f"127.0.0.1:{free_port()}"
            settings = event.referee(broker.settings(Role.REFEREE), journal, metrics)
            load = LoadSettings(
                brokers={d: broker.settings(Role.DAEMON, d) for d in event.daemons},
                tables=tables,
                boards=boards,
                seed=options.seed,
                period=options.period,
            )
            bench = _Bench(
                broker,
                Child("referee", "referee", run.write_settings("referee", settings)),
                Child("load", "bidwire.bench.load", run.write_settings("load", load)),
                metrics,
                entries,
            )
            return await run_until(bench.run(tables, options), bench.children)


class _Bench:
    """The processes of an event, and what they say."""

    def __init__(
        self,
        broker: EmbeddedBroker,
        referee: Child,
        load: Child,
        metrics: str,
        entries: int,
    ) -> None:
        self._broker, self._referee, self._load = broker, referee, load
        self._metrics, self._entries = metrics, entries
        self._told: asyncio.Queue[Told | None] = asyncio.Queue()
        self._started = self._folded = 0.0
        load.on_line = self._hear
        load.on_start = self._load_starts
        referee.on_start = self._starts
        referee.on_error = self._logged

    @property
    def children(self) -> list[Child]:
        return [self._referee, self._load]

    def _hear(self, line: str) -> None:
        self._told.put_nowait(msgspec.json.decode(line, type=Told))

    def _load_starts(self) -> None:
        if self._load.restarts:
            self._told.put_nowait(None)

    def _starts(self) -> None:
        self._started = time.monotonic()

    def _logged(self, line: str) -> None:
        if FOLDED in line:
            self._folded = time.monotonic()

    def _say(self, word: Word) -> None:
        self._load.send_line(msgspec.json.encode(word).decode())

    async def _hears(self, expected: type[_Answer]) -> _Answer:
        told = await self._told.get()
        if told is None:
            raise ChildError("the load has ended before its time", ExitCode.FAILED)
        if not isinstance(told, expected):
            raise TypeError(told)
        return told

    async def _play(self, seconds: float) -> Played:
        self._say(Play(seconds))
        return await self._hears(Played)

    async def run(self, tables: int, options: Options) -> Measured:
        """Play, read the figures before and after, and restart where wanted."""
        await self._hears(Ready)
        await self._play(options.warm_up)
        pids = (await self._referee.pid_when_up(), self._broker.pid)
        before, usages = await self._figures(), [usage_of(pid) for pid in pids]
        played = await self._play(options.seconds)
        referee, broker = (
            Cost.between(usage, usage_of(pid), played.seconds)
            for pid, usage in zip(pids, usages, strict=True)
        )
        figures = (await self._figures()).since(before)
        return Measured(
            tables=tables,
            played=played,
            figures=figures,
            referee=referee,
            broker=broker,
            restart=await self._restart() if options.restart else None,
        )

    async def _restart(self) -> Restart:
        entries = self._entries + int((await self._figures()).entries)
        await self._referee.kill()
        self._say(Resume())
        await self._hears(Pressed)
        resumed = await self._hears(Resumed)
        started = self._started
        return Restart(
            entries=entries,
            folded=self._folded - started,
            first_ack=resumed.first_ack - started,
            prompted=resumed.prompted - started,
            acknowledged=resumed.acknowledged - started,
        )

    async def _figures(self) -> Figures:
        page = await asyncio.to_thread(_read, f"http://{self._metrics}/metrics")
        samples = {
            sample.name: sample.value
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        }
        return Figures(
            messages_in=samples["bidwire_messages_total"],
            messages_out=samples["bidwire_messages_sent_total"],
            commits=samples["bidwire_journal_commits_total"],
            entries=samples["bidwire_journal_entries_total"],
        )


def _read(url: str) -> str:
    with urlopen(url, timeout=10) as answer:  # noqa: S310 - of our own process
        return str(answer.read().decode())
