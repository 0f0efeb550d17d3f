"""A seat's line is held up while the others act: no irregularity is invented.

People act on what they see at the table, whatever their displays say; so here the keys
are pressed in the true order, one after the other, without waiting for any display.
"""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from bidwire.records.happenings import Happening
from bidwire.records.record import ScriptRecord
from bidwire.replay.plan import BoardPlan, plan_script
from bidwire.replay.processes import Processes, run_processes
from bidwire.replay.room import DAEMON, EVENT, Room
from laws.board import Edition, Policies
from laws.script import parse_script
from laws.seats import Seat
from protocol.happenings import fields_of
from protocol.payloads import Desk, Payload
from terminal.simulator.reports import (
    HoldCommand,
    PressCommand,
    Report,
    ScreenReport,
)
from tests.brokers import MOSQUITTO, NO_MOSQUITTO, RunningBroker, running_broker
from tests.long import long

CALL, LEAD = 1, 8
"""The happenings from which on East's line is held up."""

HELD = {CALL: 3.0, LEAD: 5.0}
"""Seconds that it is: for longer than a silence or a gap between events may last, and
after the lead for longer than a referee takes to come back."""

KILLED = LEAD + 3
"""The happening after which the referee is killed."""

BOARD = """\
edition 2017
board 1
deal N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7
N 1H
E P
S 1NT
W P
N 4H
E P
S P
W P
E CJ
S C2
W C7
N CA
N HA
E H6
S H5
W H2
"""


def plan() -> BoardPlan:
    return plan_script(1, ScriptRecord("held.table", "1", 1, parse_script(BOARD)))


class Table:
    """The displays and the Director's desk of one table."""

    def __init__(self) -> None:
        self.at: dict[Seat, int] = {}
        self.desk: Desk | None = None
        self._news = asyncio.Event()

    def take(self, news: Report | Payload) -> None:
        match news:
            case ScreenReport(seat=seat, play=play, at=at) if play:
                self.at[seat] = at
            case Desk():
                self.desk = news
            case _:
                return
        self._news.set()

    async def until_all_show(self, at: int) -> None:
        async with asyncio.timeout(50):
            while len(self.at) < 4 or min(self.at.values()) < at:
                self._news.clear()
                await self._news.wait()


def press(happening: Happening) -> PressCommand:
    key = fields_of(happening.action, happening.actor)
    return PressCommand(
        terminal=f"t1-{key.seat.value.lower()}",
        seat=key.seat,
        kind=key.kind,
        hand=key.hand,
        data=key.data,
    )


@pytest.fixture(params=["nats", pytest.param("mosquitto", marks=long)])
def broker_kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    if kind == "mosquitto" and MOSQUITTO is None:
        pytest.skip(NO_MOSQUITTO)
    return kind


@pytest.mark.broker
async def test_nothing_irregular_is_seen_when_a_line_is_held_up(
    broker_kind: str, tmp_path: Path
) -> None:
    """East's is, from his call on and from his lead on; then the referee is killed."""
    board = plan()
    table = Table()

    async def play(processes: Processes) -> dict[str, Any]:
        await table.until_all_show(0)
        for number, happening in enumerate(board.happenings):
            if number in HELD:
                await table.until_all_show(number)
                processes.command(HoldCommand(terminal="t1-e", seconds=HELD[number]))
            processes.command(press(happening))
            if number == KILLED:
                await processes.referee.kill()
        await table.until_all_show(len(board.happenings))
        return await processes.director.judged_when_closed("t1")

    def open_broker(_: Path) -> contextlib.AbstractAsyncContextManager[RunningBroker]:
        return running_broker(broker_kind, tmp_path, event=EVENT, daemons=(DAEMON,))

    room = Room(edition=Edition.LAWS_2017, policies=Policies(), tables={"t1": (board,)})
    judged = await run_processes(
        room,
        play,
        on_report=table.take,
        on_payload=table.take,
        open_broker=open_broker,
    )
    assert judged["rulings"] == []
    assert judged["refused"] == []
    assert [tuple(call) for call in judged["auction"]] == [
        ("N", "1H"),
        ("E", "P"),
        ("S", "1NT"),
        ("W", "P"),
        ("N", "4H"),
        ("E", "P"),
        ("S", "P"),
        ("W", "P"),
    ]
    assert judged["tricks"] == {"NS": 2, "EW": 0}
