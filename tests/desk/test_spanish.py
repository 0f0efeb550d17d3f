"""What other programs say in English is on a Spanish page in Spanish."""

import asyncio
import re

import msgspec
import pytest

from laws.calls import Call
from laws.seats import Seat
from protocol.payloads import (
    Alarm,
    Assignments,
    AssignReply,
    HeldEvent,
    LinkState,
    Pairs,
    PublicCall,
    SilentCall,
)
from tests.desk.desks import Browser, RunningDesk
from tests.desk.rooms import Hall, desk, state, terminal
from tests.desk.test_room_page import answered, words


@pytest.fixture
def language() -> str:
    return "es"


async def test_calls_alarms_and_held_events_are_told_in_spanish(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    told = desk(
        "a1",
        calls=(
            SilentCall(3, Seat.EAST, True, "undo", texts={"es": "deshacer"}),
            SilentCall(4, Seat.WEST, False, "spilt coffee"),
        ),
        alarms=(Alarm(5, "wrong board", "a1-n", {"es": "tablilla equivocada"}),),
        held=(
            HeldEvent(
                "a1-n",
                1,
                4,
                Seat.NORTH,
                "N places board 3",
                "waits for a1-w",
                {"es": "espera a a1-w"},
                {"es": "N coloca la tablilla 3"},
            ),
        ),
    )
    await hall.tell("a1", state(), told)
    await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
    room = words((await ana.get("/")).text)
    calls = words((await ana.get("/calls")).text)
    for page in (room, calls):
        assert "deshacer" in page
        assert "spilt coffee" in page
        assert "tablilla equivocada" in page
        assert "wrong board" not in page
    assert "N coloca la tablilla 3" in calls
    assert "espera a a1-w" in calls


async def test_seats_and_sides_have_their_spanish_letters(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    told = state(
        turn=Seat.WEST,
        pairs=Pairs(ns="7", ew="2"),
        auction=(PublicCall(Seat.WEST, Call("1H")),),
    )
    await hall.tell("a1", told, desk("a1"))
    await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
    room = (await ana.get("/")).text
    table = (await ana.get("/tables/a1")).text
    for page in (room, table):
        assert '<span class="compass W" aria-hidden="true">O</span>' in page
        assert "NS 7 EO 2" in words(page)
    headings = re.findall(r'<th scope="col"><span aria-hidden="true">(.)<', table)
    assert "".join(headings) == "ONES"


async def test_why_a_command_is_refused_is_told_in_spanish(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await hall.tell("a1", state(), desk("a1"))
    await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
    _, command = await answered(
        hall,
        ana.send("/tables/a1/plays/1/confirm?expects=3", ruling="2"),
        done=False,
        reason="there is no ruling 2",
        texts={"es": "no hay ninguna decisión 2"},
    )
    assert command.ruling == 2
    page = words((await ana.get("/")).text)
    assert "Mesa a1: rechazado: no hay ninguna decisión 2" in page


async def test_why_a_box_is_not_bound_is_told_in_spanish(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await hall.birth()
    await hall.status("a1-n", terminal("a1"))
    await hall.bound(Assignments("s1", {"a1-n": "B-1"}))
    room = desk_there.context.room
    await desk_there.until(lambda: "a1-n" in room.terminals and bool(room.assignments))
    sending = asyncio.create_task(ana.send("/terminals/a1-n/assign", serial="B-2"))
    command = await hall.assigned()
    texts = {"es": "no se puede escribir"}
    no = AssignReply(command.id, command.by, False, "cannot be written", texts)
    await hall.bound(Assignments("s1", {"a1-n": "B-1"}, (no,)))
    await sending
    page = words((await ana.get("/terminals")).text)
    assert "a1-n: rechazado: no se puede escribir" in page


async def test_why_a_terminal_is_not_there_is_told_in_spanish(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    refused = terminal("a1", link=LinkState.REFUSED)
    other = msgspec.structs.replace(refused, reason="[Errno 5] Input/output error")
    refused = msgspec.structs.replace(
        refused, reason="expected serial number B-1, got B-2"
    )
    await hall.birth()
    await hall.status("a1-n", refused)
    await hall.status("a1-s", other)
    await desk_there.until(lambda: len(desk_there.context.room.terminals) == 2)
    page = (await ana.get("/terminals")).text
    assert "se esperaba el número de serie B-1, se recibió B-2" in words(page)
    assert '<span lang="en">[Errno 5] Input/output error</span>' in page
