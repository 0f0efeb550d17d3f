"""The room page, live, at a real broker."""

import asyncio
import itertools
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from desk.sessions import IDLE_S
from laws.calls import Call
from laws.seats import Seat, Side
from protocol.payloads import (
    Alarm,
    CommandReply,
    Contract,
    DirectorCommand,
    LinkState,
    Pairs,
    Phase,
    PublicCall,
    Service,
    SilentCall,
)
from tests.desk.desks import Browser, RunningDesk
from tests.desk.rooms import Hall, desk, question, state, terminal

CALL = SilentCall(id=3, seat=Seat.SOUTH, silent=True, reason="<b>tempo</b>")


def tables_on(page: str) -> list[str]:
    return re.findall(r'<li id="table-([^"]+)"', page)


def words(html: str) -> str:
    """What a screen reader would read: the text, without what is hidden from it."""
    shown = re.sub(
        r'<(\w+)[^>]*aria-hidden="true"[^>]*>.*?</\1>', "", html, flags=re.DOTALL
    )
    return " ".join(re.sub(r"<[^>]+>", "", shown).replace("&nbsp;", " ").split())


async def see(desk_there: RunningDesk, hall: Hall, *tables: str) -> None:
    """Let the desk learn of these tables, on which nothing waits."""
    for table in tables:
        await hall.tell(table, state(), desk(table))
    room = desk_there.context.room
    await desk_there.until(
        lambda: set(tables) <= room.states.keys() & room.desks.keys()
    )


class TestPage:
    async def test_before_a_referee_is_heard_it_says_so(self, ana: Browser) -> None:
        assert "No table has been heard of yet." in (await ana.get("/")).text

    async def test_a_table_shows_where_it_stands(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await hall.birth()
        await hall.status("a1-n", terminal("a1", battery=15))
        contract = Contract(level=4, denomination="S", risk="X", declarer=Seat.EAST)
        played = state(
            phase=Phase.PLAY,
            turn=Seat.WEST,
            contract=contract,
            tricks={Side.NORTH_SOUTH: 2, Side.EAST_WEST: 5},
            pairs=Pairs(ns="Pair 1 & co", ew="Pair 2"),
        )
        await hall.tell("a1", played, desk("a1"))
        await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
        page = (await ana.get("/")).text
        told = words(page)
        for expected in (
            "Table a1",
            "Board 5 · Round 2",
            "Play 4 spades doubled East",
            "tricks North-South to East-West: 2\N{EN DASH}5",
            "West to act",
            "NS Pair 1 &amp; co",
            "a1-n: online, battery 15 %",
            "a1-n: battery at 15 %",
        ):
            assert expected in told
        assert "♠" in page

    async def test_what_players_type_is_never_taken_for_html(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await hall.tell("a1", state(), desk("a1", calls=(CALL,)))
        await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
        page = (await ana.get("/")).text
        assert "<b>tempo" not in page
        assert "(silently): &lt;b&gt;tempo" in page

    async def test_the_most_urgent_stands_first(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2", "a10", "b1", "b2")
        await hall.tell("b2", desk("b2", calls=(CALL,)))
        await hall.tell("a10", desk("a10", questions=(question(),)))
        room = desk_there.context.room
        await desk_there.until(lambda: bool(room.desks["a10"].questions))
        page = (await ana.get("/")).text
        assert tables_on(page) == ["b2", "a10", "a1", "a2", "b1"]
        assert "<title>(2) Room - test</title>" in page

    async def test_a_section_and_words_filter_it(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2", "b2", "7")
        assert tables_on((await ana.get("/?section=a")).text) == ["a1", "a2"]
        assert tables_on((await ana.get("/?section=")).text) == ["7"]
        both = await ana.get("/?section=*&q=2")
        assert tables_on(both.text) == ["a2", "b2"]
        assert "2 tables of 4" in both.text
        assert 'href="/?section=a&amp;q=2"' in both.text
        hostile = await ana.get('/?q="><script>x')
        assert "<script>x" not in hostile.text

    async def test_the_clock_tells_how_long_nobody_has_acted(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        desk_there.clock.now += 161
        page = (await ana.get("/")).text
        assert "Since the last call or card: more than 2:41" in words(page)
        called = (PublicCall(Seat.NORTH, Call.PASS),)
        await hall.tell("a1", state(auction=called))
        room = desk_there.context.room
        await desk_there.until(lambda: bool(room.states["a1"].auction))
        desk_there.clock.now += 3725
        page = (await ana.get("/")).text
        assert "Since the last call or card: 1:02:05" in words(page)

    async def test_it_says_when_the_event_is_not_there(
        self, alone: RunningDesk
    ) -> None:
        async with alone.browser() as browser:
            await browser.log_in()
            assert "The event is not running" in (await browser.get("/")).text


class TestReadOnly:
    async def test_nothing_tells_of_what_only_the_director_knows(
        self, desk_there: RunningDesk, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with desk_there.browser() as browser:
            await browser.log_in("Cy")
            before = (await browser.get("/")).text
            secret = desk(
                "a2",
                number=9,
                calls=(CALL,),
                questions=(question(),),
                suspicions=({"text": "a revoke"},),
                proposed=({"number": 1, "text": "a ruling"},),
                alarms=(Alarm(id=5, text="an alarm"),),
            )
            await hall.tell("a2", state(number=9), secret)
            room = desk_there.context.room
            await desk_there.until(lambda: bool(room.desks["a2"].calls))
            after = (await browser.get("/")).text
        assert after == before
        assert tables_on(after) == ["a1", "a2"]

    async def test_no_update_tells_of_it_either(
        self, desk_there: RunningDesk, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with desk_there.browser() as browser:
            await browser.log_in("Cy")
            async with browser.live() as live:
                first = await live.update()
                secret = desk("a2", number=8, calls=(CALL,))
                await hall.tell("a2", state(number=8), secret)
                room = desk_there.context.room
                await desk_there.until(lambda: bool(room.desks["a2"].calls))
                await hall.tell("a1", state(turn=Seat.EAST))
                update = await live.update()
            assert update.keys() == {"fragments", "id"}
            assert update["fragments"].keys() == {"table-a1"}
            assert update["id"] == first["id"]
            run, _, _ = first["id"].rpartition("-")
            guessed = f"/live?since={run}-{room.number - 1}"
            async with browser.live(guessed) as live:
                everything = await live.update()
        assert everything["fragments"].keys() >= {"table-a1", "table-a2"}

    async def test_the_beat_does_not_tell_of_it_by_its_time(
        self,
        desk_there: RunningDesk,
        hall: Hall,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """What is not shown neither puts it off nor keeps it from coming."""
        monkeypatch.setattr("desk.live.HEARTBEAT", 3)
        await see(desk_there, hall, "a1")

        async def go_on() -> None:
            for number in itertools.count(8):
                await hall.tell("a1", desk("a1", number=number, calls=(CALL,)))

        async with desk_there.browser() as browser:
            await browser.log_in("Cy")
            async with browser.live() as live:
                await live.update()
                calling = asyncio.create_task(go_on())
                assert (await live.event())["event"] == "beat"
                calling.cancel()
                await asyncio.wait({calling})

    async def test_who_may_see_less_from_now_on_does(
        self, desk_there: RunningDesk, hall: Hall, ana: Browser
    ) -> None:
        await see(desk_there, hall, "a1")
        async with ana.live() as live:
            await live.update()
            demote(Path(desk_there.context.options.users_file))
            await hall.tell("a1", desk("a1", calls=(CALL,)))
            assert (await live.event())["event"] == "over"


class TestLive:
    async def test_only_what_has_changed_is_sent(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with ana.live() as live:
            whole = await live.update()
            assert whole["order"] == ["table-a1", "table-a2"]
            await hall.tell("a2", state(turn=Seat.EAST))
            update = await live.update()
        assert set(update["fragments"]) == {"table-a2"}
        assert "East to act" in words(update["fragments"]["table-a2"])
        assert "order" not in update

    async def test_a_new_call_comes_to_the_top_and_is_announced_once(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with ana.live() as live:
            await live.update()
            await hall.tell("a2", desk("a2", calls=(CALL,)))
            update = await live.until(lambda u: "order" in u)
            assert update["order"] == ["table-a2", "table-a1"]
            assert update["announce"] == ["Table a2: South calls the Director"]
            assert update["title"] == "(1) Room - test"
            await hall.tell("a2", state(turn=Seat.EAST))
            assert "announce" not in await live.update()

    async def test_a_table_that_goes_and_one_that_comes(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with ana.live() as live:
            await live.update()
            await hall.clear("a1")
            update = await live.until(lambda u: u.get("order") == ["table-a2"])
            assert "table-a1" not in update["fragments"]
            await hall.tell("a3", state())
            update = await live.until(lambda u: "order" in u)
            assert update["order"] == ["table-a2", "table-a3"]
            assert "table-a3" in update["fragments"]

    async def test_a_filter_holds_for_the_updates_too(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "b1")
        async with ana.live("/live?section=b") as live:
            assert (await live.update())["order"] == ["table-b1"]
            await hall.tell("a1", desk("a1", calls=(CALL,)))
            update = await live.update()
        assert set(update["fragments"]) == {"summary"}
        assert "Calls" in words(update["fragments"]["summary"])

    async def test_after_a_loss_what_was_missed_comes(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with ana.live() as live:
            last = (await live.update())["id"]
        await hall.tell("a2", desk("a2", calls=(CALL,)))
        room = desk_there.context.room
        await desk_there.until(lambda: bool(room.desks["a2"].calls))
        async with ana.live(**{"last-event-id": last}) as live:
            update = await live.update()
        assert set(update["fragments"]) == {"table-a2", "summary", "link"}
        assert update["order"] == ["table-a2", "table-a1"]
        assert update["announce"] == ["Table a2: South calls the Director"]

    async def test_what_another_run_of_the_desk_numbered_means_nothing(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        for told in ("deadbeef-1", "1", "-", "x-y", f"{desk_there.context.run}-x"):
            async with ana.live(f"/live?since={told}") as live:
                assert "table-a1" in (await live.update())["fragments"]

    async def test_a_page_draws_nothing_twice_that_it_was_loaded_with(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        page = (await ana.get("/")).text
        found = re.search('data-since="([^"]+)"', page)
        assert found is not None
        async with ana.live(f"/live?since={found[1]}") as live:
            update = await live.update()
            assert set(update["fragments"]) == {"summary", "link"}
            await hall.tell("a2", state(turn=Seat.EAST))
            assert set((await live.update())["fragments"]) == {"table-a2"}

    async def test_a_terminal_that_drops_out_is_shown(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await hall.birth()
        await hall.status("a1-n", terminal("a1"))
        await see(desk_there, hall, "a1")
        async with ana.live() as live:
            await live.update()
            await hall.status("a1-n", terminal("a1", LinkState.OFFLINE))
            update = await live.until(lambda u: "table-a1" in u["fragments"])
            assert "a1-n: offline" in words(update["fragments"]["table-a1"])

    async def test_it_ends_with_the_login(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        async with ana.live() as live:
            await live.update()
            await ana.send("/logout")
            await see(desk_there, hall, "a1")
            assert (await live.event())["event"] == "over"
        async with ana.live() as live:
            assert (await live.event())["event"] == "over"

    async def test_an_open_page_keeps_the_login(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        async with ana.live() as live:
            await live.update()
            for table in ("a1", "a2", "a3"):
                desk_there.clock.now += IDLE_S - 1
                await hall.tell(table, state())
                await live.update()
        assert (await ana.get("/")).status_code == 200


class TestAttending:
    async def test_the_referee_hears_who_comes_and_by_which_desk(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await hall.tell("a1", state(), desk("a1", number=31, calls=(CALL,)))
        await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
        page = (await ana.get("/")).text
        found = re.search(r'name="subject" value="(\d+)"\s+formaction="([^"]+)"', page)
        assert found is not None
        sent = ana.send(found[2], subject=found[1], back="/?section=a")
        answer, command = await answered(hall, sent, done=True)
        assert answer.headers["location"] == "/?section=a"
        assert (command.by, command.expects) == ("Ana", 31)
        assert (command.service, command.subject) == (Service.ATTEND, 3)
        assert "Table a1: done." in (await ana.get("/")).text
        assert "Table a1: done." not in (await ana.get("/")).text

    async def test_who_was_not_quick_enough_is_told_to_look_again(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await hall.tell("a1", state(), desk("a1", number=31, calls=(CALL,)))
        await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
        sent = ana.send("/tables/a1/attend?expects=30", subject="3")
        _, command = await answered(hall, sent, done=False, outdated=True, reason="x")
        assert command.expects == 30
        page = (await ana.get("/")).text
        assert "Look again, and decide again." in page

    async def test_a_refusal_comes_with_its_reason(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await hall.tell("a1", state(), desk("a1"))
        await desk_there.until(lambda: "a1" in desk_there.context.room.desks)
        sent = ana.send("/tables/a1/attend?expects=7", subject="9")
        await answered(hall, sent, done=False, reason="expected <a call>")
        page = (await ana.get("/")).text
        assert "Table a1: refused: expected &lt;a call&gt;" in page

    async def test_without_an_event_there_is_no_answer(
        self, desk_there: RunningDesk, ana: Browser
    ) -> None:
        assert (
            await ana.send("/tables/a1/attend?expects=7", subject="9")
        ).status_code == 404
        for query in ("", "?expects=x", "?expects=-1", "?expects=99999999999"):
            answer = await ana.send(f"/tables/a1/attend{query}", subject="9")
            assert answer.status_code == 400
        assert desk_there.context.room.desks == {}


def demote(file: Path) -> None:
    """Let no user be more than a reader from now on."""
    text = file.read_text("utf-8")
    file.write_text(text.replace('"director"', '"readonly"'), "utf-8")


async def answered(
    hall: Hall,
    sending: Coroutine[Any, Any, httpx.Response],
    **reply: Any,  # noqa: ANN401 - of the payload
) -> tuple[httpx.Response, DirectorCommand]:
    """Answer the command that a form gives, as the referee would."""
    task = asyncio.create_task(sending)
    (payload,) = await hall.commands()
    command = msgspec.json.decode(payload, type=DirectorCommand)
    told = CommandReply(id=command.id, by=command.by, **reply)
    await hall.tell("a1", desk("a1", number=32, replies=(told,)))
    return await task, command
