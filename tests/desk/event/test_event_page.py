"""The event page: rounds as they go, opened and ended by the Director."""

import asyncio
import re

import httpx
import msgspec

from protocol.payloads import (
    CommandReply,
    DirectorCommand,
    Phase,
    Service,
    TableState,
)
from tests.desk.desks import Browser, RunningDesk, token_of
from tests.desk.event.events import TABLES, at, result
from tests.desk.rooms import Hall, desk
from tests.desk.test_room_page import words

OVER = at(phase=Phase.ENDED, waiting="round")


async def see(
    desk_there: RunningDesk, hall: Hall, states: dict[str, TableState]
) -> None:
    """Let the desk learn of these tables."""
    for table, state in states.items():
        await hall.tell(table, state, desk(table))
    room = desk_there.context.room
    await desk_there.until(lambda: states.keys() <= room.states.keys() & room.desks)


async def send(browser: Browser, path: str, **fields: object) -> httpx.Response:
    """Send the form of a round."""
    token = token_of(await browser.get("/event"))
    return await browser.client.post(path, data={"form_token": token} | fields)


async def answered(
    hall: Hall, task: "asyncio.Task[httpx.Response]", refused: str = ""
) -> list[tuple[str, DirectorCommand]]:
    """Answer commands as the referees of the tables would, until the form is done."""
    given = []
    numbers = dict.fromkeys(TABLES, 100)
    while not task.done():
        incoming = asyncio.create_task(hall.addressed())
        await asyncio.wait({task, incoming}, return_when=asyncio.FIRST_COMPLETED)
        if not incoming.done():
            incoming.cancel()
            break
        for table, payload in incoming.result():
            command = msgspec.json.decode(payload, type=DirectorCommand)
            given.append((table, command))
            done = table != refused
            reason = "" if done else "round 2 is open already"
            reply = CommandReply(command.id, command.by, done, reason)
            numbers[table] += 1
            told = desk(table, number=numbers[table], replies=(reply,))
            await hall.tell(table, told)
    return given


class TestProgress:
    async def test_before_anything_was_heard_the_plan_stands_there(
        self, ana: Browser
    ) -> None:
        told = words((await ana.get("/event")).text)
        assert "Round 1 Not heard of: 2 tables" in told
        assert "Rounds finished at every table: 0 of 2." in told

    async def test_each_table_shows_where_it_is_in_each_round(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": at(), "a2": OVER})
        told = words((await ana.get("/event")).text)
        assert "Table a1 Playing: board 2 boards played: 1 of 2" in told
        assert "Table a2 Finished boards played: 2 of 2" in told
        assert "Table a2 Not open yet: board 3 boards played: 0 of 2" in told

    async def test_it_is_live(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": at(), "a2": OVER})
        async with ana.live("/event/live") as live:
            whole = await live.update()
            assert whole["order"] == ["round-1", "round-2"]
            await hall.tell("a1", OVER)
            update = await live.until(lambda u: "round-1" in u["fragments"])
        assert update["fragments"].keys() == {"round-1", "round-2", "progress"}
        assert "every table: 1 of 2." in update["fragments"]["progress"]

    async def test_who_only_looks_sees_it_without_any_form(
        self, desk_there: RunningDesk, reader: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": at(), "a2": OVER})
        page = (await reader.get("/event")).text
        assert "Playing: board 2" in words(page)
        main = page[page.index("<main") : page.index("</main>")]
        for control in ("<button", "<input", 'type="file"'):
            assert control not in main
        assert (await send(reader, "/event/open", round="2")).status_code == 403


class TestOpening:
    async def test_a_round_is_opened_at_all_tables_where_it_is_to_come(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": at(), "a2": OVER})
        task = asyncio.create_task(send(ana, "/event/open", round="2"))
        given = await answered(hall, task, refused="a1")
        assert {(t, c.service, c.round, c.by) for t, c in given} == {
            (table, Service.ROUND, 2, "Ana") for table in TABLES
        }
        assert (await task).headers["location"] == "/event"
        told = words((await ana.get("/event")).text)
        assert "Opening round 2 Done at 1 of 2 tables." in told
        assert "Table a1: refused: round 2 is open already" in told
        assert "Table a2: done." in told
        assert "Opening round 2 Done" not in words((await ana.get("/event")).text)

    async def test_or_at_those_that_are_marked(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": OVER, "a2": OVER})
        task = asyncio.create_task(send(ana, "/event/open", round="2", table=["a2"]))
        given = await answered(hall, task)
        assert [table for table, _ in given] == ["a2"]

    async def test_a_table_that_has_begun_it_is_left_alone(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        playing = at(board=3, round=2, play=3, next_board=4)
        await see(desk_there, hall, {"a1": playing, "a2": playing})
        page = (await ana.get("/event")).text
        assert 'id="open-2"' not in page
        await send(ana, "/event/open", round="2")
        told = words((await ana.get("/event")).text)
        assert "There is no table where it could be done." in told

    async def test_a_round_that_is_none(self, ana: Browser) -> None:
        assert (await send(ana, "/event/open", round="7")).status_code == 404
        for bad in ("", "x", "-1"):
            assert (await send(ana, "/event/open", round=bad)).status_code == 400


class TestEnding:
    async def test_law_64_b_5_the_round_ends_on_each_board_of_it(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": OVER, "a2": OVER})
        for table in TABLES:
            for board in (1, 2, 3):
                await hall.played(result(table, board))
        await desk_there.until(lambda: len(desk_there.context.room.results) == 6)
        task = asyncio.create_task(send(ana, "/event/end", round="1", table=["a1"]))
        given = await answered(hall, task)
        assert [(t, c.happening, c.play) for t, c in given] == [
            ("a1", "round ends", 1),
            ("a1", "round ends", 2),
        ]

    async def test_law_8_b_it_goes_on_where_a_board_is_still_to_be_played(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, {"a1": at(), "a2": OVER})
        await hall.played(result("a1", 1))
        await desk_there.until(lambda: bool(desk_there.context.room.results))
        await send(ana, "/event/end", round="1")
        told = words((await ana.get("/event")).text)
        assert "Ending round 1 Done at 0 of 2 tables." in told
        assert "Table a1 still has boards of this round to play" in told
        assert "Table a2 has played nothing in this round." in told

    async def test_it_asks_before_it_ends(self, ana: Browser) -> None:
        page = (await ana.get("/event")).text
        found = re.search(r'<details id="end-1".*?</details>', page, re.DOTALL)
        assert found is not None
        assert "Laws 64B5, 69A" in found[0]
        assert 'formaction="/event/end"' in found[0]
