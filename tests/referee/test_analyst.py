"""The analyst: asking never waits; what becomes known is told, to the desk too."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from laws.board import parse_deal
from laws.script import parse_line
from laws.seats import Seat
from protocol.topics import Role
from referee.analyst import Analyst
from referee.double_dummy import Position
from referee.settings import BoardSettings, Questions
from tests.brokers import RunningBroker
from tests.long import any_broker
from tests.referee.bench import DEAL, settings
from tests.referee.hall import Hall, RefereeProcess, open_hall

HANDS = parse_deal(DEAL)
EAST_LEADS = Position(None, Seat.EAST, (), HANDS)
UNSOUND = Position(None, Seat.EAST, (), (frozenset(), *HANDS[1:]))


class Waiting:
    """Waits until tables are told that something is known."""

    def __init__(self) -> None:
        self.told: list[frozenset[str]] = []
        self._told = asyncio.Event()
        self.analyst = Analyst(self._take)

    def _take(self, tables: frozenset[str]) -> None:
        self.told.append(tables)
        self._told.set()

    async def until_told(self) -> None:
        await self._told.wait()
        self._told.clear()


@pytest.fixture
async def waiting() -> AsyncIterator[Waiting]:
    waiting = Waiting()
    waiting.analyst.start()
    yield waiting
    waiting.analyst.close()


async def test_answer_is_told_to_every_table_that_asked(waiting: Waiting) -> None:
    assert waiting.analyst.ask("t1", EAST_LEADS) is None
    assert waiting.analyst.ask("t2", EAST_LEADS) is None
    await waiting.until_told()
    assert waiting.told == [frozenset({"t1", "t2"})]
    assert waiting.analyst.ask("t1", EAST_LEADS) == 8


async def test_position_that_cannot_be_solved_is_asked_once(
    waiting: Waiting, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        assert waiting.analyst.ask("t1", UNSOUND) is None
    await waiting.until_told()
    assert waiting.analyst.ask("t1", UNSOUND) is None
    assert len(waiting.told) == 1
    assert caplog.text.count("no double-dummy evidence for a revoke") == 1


@pytest_asyncio.fixture
async def hall(live_broker: RunningBroker) -> AsyncIterator[Hall]:
    async with open_hall(live_broker) as opened:
        yield opened


async def evidence_on_the_desk(hall: Hall) -> tuple[dict[str, Any], ...]:
    await hall.until(lambda: hall.desk is not None and hall.desk.evidence)
    assert hall.desk is not None
    return hall.desk.evidence


@pytest.mark.broker
@any_broker
async def test_desk_has_the_evidence_when_play_has_ended_and_after_a_restart(
    live_broker: RunningBroker, hall: Hall, tmp_path: Path
) -> None:
    event = settings(
        boards=[BoardSettings(number=1, deal=DEAL)],
        broker=live_broker.settings(Role.REFEREE),
        journal=str(tmp_path / "journal.sqlite"),
        questions=Questions.ASSUME,
    )
    process = RefereeProcess(event, tmp_path)
    await process.start()
    lines = (
        *("N P", "E P", "S 1NT", "W P", "N P", "E P"),
        *("W HA", "N H8", "E CJ", "S H2", "W HK", "N H9", "E H5", "S H3"),
        *("W claim 6", "S agree", "N agree"),
    )
    await hall.play(*(parse_line(line) for line in lines))
    (told,) = await evidence_on_the_desk(hall)
    assert (told["seat"], told["double_dummy"], told["actual"]) == ("E", 5, 6)
    await process.stop(signal.SIGKILL)
    hall.desk = None
    await process.start()
    assert await evidence_on_the_desk(hall) == (told,)
    assert await process.stop() in {0, -signal.SIGTERM}
