"""Failover as the terminals see it: real daemon, terminals on ptys, two referees."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from broker.exits import ExitCode
from laws.seats import SEATS
from tests.bidwire.club import Club, by_the_engine
from tests.referee.cluster import Node, running, stream_settings
from tests.referee.hall import RefereeProcess

pytestmark = pytest.mark.broker

LINES = ("N 1S", "E P", "S 2S", "W P", "N P", "E P")


@pytest_asyncio.fixture
async def nodes(tmp_path: Path) -> AsyncIterator[list[Node]]:
    async with running(tmp_path, 1) as nodes:
        yield nodes


class ClubWithoutReferee(Club):
    """Its referees are processes that the test starts."""

    def _start_referee(self) -> None:
        pass


@pytest.mark.timeout(60)
async def test_the_terminals_heed_no_word_of_a_referee_that_thaws(
    nodes: list[Node], tmp_path: Path
) -> None:
    club = ClubWithoutReferee(tmp_path, nodes[0])
    event = msgspec.structs.replace(
        club.referee_settings(), journal=stream_settings(nodes)
    )
    referees = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        referees.append(RefereeProcess(event, tmp_path / name))
    first, second = referees
    await first.start()
    async with club.running():
        await club.play(*LINES[:1])
        await second.start()
        await second.says("standing by for referee")
        first.freeze()
        club.say(LINES[1])  # the frozen one has it waiting when it thaws
        await club.until(
            lambda: all(
                (shown := club.shown(seat)) is not None and shown.epoch == 2
                for seat in SEATS
            )
        )
        first.thaw()
        (code, log), _ = await asyncio.gather(first.ended(), club.play(*LINES[2:]))
        assert code == ExitCode.FAILED
        assert "another referee has taken" in log
        assert club.judged() == by_the_engine(*LINES)
        for seat in SEATS:
            epochs = [shown.epoch for shown in club.displays if shown.seat is seat]
            assert epochs == sorted(epochs)
    assert await second.stop() == 0
