"""Rounds and deals at a real referee, given from the desk's pages."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from desk.director import Order
from desk.linking import LinkState
from laws.board import Edition
from laws.board import dealer_of as dealer
from laws.seats import SEATS
from protocol.payloads import Phase, Service
from protocol.topics import Role
from referee.settings import (
    BoardSettings,
    RefereeSettings,
    Rounds,
    TableSettings,
    TerminalSettings,
)
from tests.brokers import DAEMONS, EVENT, RunningBroker
from tests.desk.desks import Browser, RunningDesk
from tests.desk.event.events import TABLES, pbn
from tests.desk.event.test_deals import load
from tests.desk.event.test_event_page import send
from tests.desk.test_room_page import words
from tests.desk.whole import ruling
from tests.referee.bench import DEAL

pytestmark = [pytest.mark.broker, pytest.mark.usefixtures("referee")]


@pytest_asyncio.fixture
async def referee(
    nats: RunningBroker, tmp_path: Path, desk_there: RunningDesk
) -> AsyncIterator[None]:
    """Rules at both tables of the event, in which the Director opens the rounds.

    It starts after the desk: NATS may lose what comes while its reader subscribes.
    """
    assert desk_there.context.link.state is LinkState.UP
    settings = RefereeSettings(
        event=EVENT,
        broker=nats.settings(Role.REFEREE),
        journal=str(tmp_path / "journal.sqlite"),
        edition=Edition.LAWS_2017,
        rounds=Rounds.CALLED,
        tables=tuple(
            TableSettings(
                id=table,
                terminals=(
                    TerminalSettings(daemon=DAEMONS[0], id=f"{table}-box", seats=SEATS),
                ),
                boards=tuple(
                    BoardSettings(number=n, round=1 if n < 3 else 2)
                    for n in range(1, 5)
                ),
            )
            for table in TABLES
        ),
    )
    task = asyncio.create_task(ruling(settings))
    yield
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def until_all(desk: RunningDesk, waiting: str, board: int) -> None:
    """Wait until both tables have this board next, and wait for the round or not."""
    room = desk.context.room
    await desk.until(
        lambda: all(
            t in room.states
            and t in room.desks
            and (room.states[t].waiting, room.states[t].next_board) == (waiting, board)
            for t in TABLES
        )
    )


async def pass_out(desk: RunningDesk, table: str, board: int) -> None:
    """The Director enters four passes for the running board."""
    link, room = desk.context.link, desk.context.room
    await desk.until(lambda: room.states[table].board == board)
    seat = dealer(board)
    for _ in SEATS:
        order = Order(happening=f"{seat} P")
        number = room.desks[table].number
        reply = await link.give(table, order, by="Ana", expects=number)
        assert reply.done, reply
        seat = seat.lho


async def test_a_director_opens_a_round_deals_plays_and_ends_it(
    desk_there: RunningDesk, ana: Browser
) -> None:
    room = desk_there.context.room
    await until_all(desk_there, "round", 1)
    assert "Not open yet: 2 tables" in words((await ana.get("/event")).text)
    await send(ana, "/event/open", round="1")
    told = words((await ana.get("/event")).text)
    assert "Opening round 1 Done at 2 of 2 tables." in told

    # The first board has begun; hands come for one that has not, and are in use then.
    await until_all(desk_there, "", 2)
    await load(ana, pbn(1, 2))
    told = words((await ana.get("/event/deals")).text)
    assert "1 no table: it is refused a1, a2" in told
    assert "2 a1, a2 -" in told
    await send(ana, "/event/deals/send")
    told = words((await ana.get("/event")).text)
    assert "Sending the deals of friday.pbn Done at 2 of 2 tables." in told
    await pass_out(desk_there, "a1", 1)
    await desk_there.until(lambda: room.states["a1"].board == 2)
    hands = Order(service=Service.HANDS, play=2)
    assert (await desk_there.context.link.give("a1", hands, by="Ana", expects=0)).done
    await desk_there.until(lambda: bool(room.desks["a1"].deal))
    assert room.desks["a1"].deal == DEAL

    # One table is through with the round, the other is not: there it goes on.
    await pass_out(desk_there, "a1", 2)
    await desk_there.until(lambda: room.states["a1"].phase is Phase.ENDED)
    await desk_there.until(lambda: len(room.results) == 2)
    await send(ana, "/event/end", round="1")
    told = words((await ana.get("/event")).text)
    assert "Ending round 1 Done at 1 of 2 tables. Table a1: done." in told
    assert "Table a2 still has boards of this round to play" in told
    await desk_there.until(lambda: ended_plays(desk_there) == {1, 2})

    await send(ana, "/event/open", round="2", table="a1")
    told = words((await ana.get("/event")).text)
    assert "Opening round 2 Done at 1 of 1 table." in told
    await send(ana, "/event/open", round="2", table="a1")
    told = words((await ana.get("/event")).text)
    assert "Table a1: refused: round 2 is open already" in told


def ended_plays(desk: RunningDesk) -> set[int]:
    """The playings of table a1 in whose log the round has ended."""
    log = desk.context.room.log("a1", 2)
    lines = log.lines if log is not None else ()
    return {line.play for line in lines if "round ends" in line.text}
