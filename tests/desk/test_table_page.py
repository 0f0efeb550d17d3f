"""A table's page and the calls for the Director, live, at a real broker."""

import re
import sys
from typing import Any

import pytest

from laws.calls import Call
from laws.seats import Seat
from protocol.course import Course, CourseCall, CourseRuling
from protocol.payloads import (
    Alarm,
    HeldEvent,
    LogKind,
    LogLine,
    PublicCall,
    RulingPublished,
    SeatDisplay,
    Service,
    SilentCall,
    TableDisplays,
    TableLog,
    encode_payload,
)
from protocol.topics import Topic, TopicKind
from tests.desk.desks import Browser, RunningDesk
from tests.desk.rooms import Hall, desk, question, state
from tests.desk.test_room_page import answered, see, words

pytestmark = pytest.mark.broker


CALL = SilentCall(id=3, seat=Seat.SOUTH, silent=True, reason="<b>tempo</b>")

RULING = {
    "law": "31A2(b)",
    "laws": ["31A", "31A2(b)"],
    "irregularity": "call-out-of-turn",
    "offender": "E",
    "status": "in-force",
    "effects": [{"kind": "must_pass", "seat": "W", "scope": "next_turn"}],
    "assumptions": [],
    "line": 1,
}

COURSE = Course(
    dealer=Seat.NORTH,
    lines=("E 1C",),
    calls=(CourseCall(1, Seat.EAST, Call("1C"), withdrawn=True),),
    rulings=(
        CourseRuling(
            1,
            "East called out of turn. (Law 31A2(b), 2017)",
            {"es": "Este cantó fuera de turno."},
            {Seat.WEST: {"en": "You must pass", "es": "Debe pasar"}},
        ),
    ),
)


def knowing(**changes: Any) -> Any:  # noqa: ANN401 - a desk with a course
    judged = {"edition": "2017", "rulings": [RULING], "questions": []}
    fields = {"play": 3, "judged": judged, "course": COURSE}
    return desk("a1", **(fields | changes))


def hear(desk_there: RunningDesk, kind: TopicKind, *names: str, payload: Any) -> None:  # noqa: ANN401
    """Let the desk hear what the hall does not publish."""
    room = desk_there.context.room
    room.take(Topic(kind, "test", names), encode_payload(payload))
    room.wake()


class TestTable:
    async def test_a_ruling_shows_its_way_its_edition_and_what_each_seat_reads(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        await hall.tell("a1", knowing(number=9))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
        page = words((await ana.get("/tables/a1")).text)
        for expected in (
            "East called out of turn. (Law 31A2(b), 2017)",
            "Law 31A2(b), 2017",
            "31A → 31A2(b)",
            "must_pass",
            "West readsYou must pass",
        ):
            assert expected in page

    async def test_the_displays_and_the_log_are_drawn(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        await hall.tell("a1", knowing(number=9))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
        pages = (("Your call", "<wait>"), ("Board 5",))
        shown = SeatDisplay(
            "a1-n", Seat.NORTH, 4, pages, ("Accept",), ("P", "X"), shown=True
        )
        payload = TableDisplays("r1", "a1", (shown,))
        hear(desk_there, TopicKind.TABLE_DISPLAYS, "a1", payload=payload)
        line = LogLine(8, None, None, 3, 5, LogKind.KEY, "N 1S", {"es": "N 1S!"})
        log = TableLog("r1", "a1", 3, 5, 2, (line,))
        hear(desk_there, TopicKind.TABLE_LOG, "a1", "3", payload=log)
        page = (await ana.get("/tables/a1")).text
        assert "Your call\n&lt;wait&gt;</pre>" in page
        for expected in ("1 more page", "2 keys locked", "shown", "Accept", "N 1S"):
            assert expected in words(page)

    async def test_only_parts_that_look_different_are_sent(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with ana.live("/tables/a1/live") as live:
            whole = await live.update()
            assert {"head", "waiting", "auction", "log"} <= whole["fragments"].keys()
            await hall.tell("a2", state(turn=Seat.EAST))
            called = (PublicCall(Seat.NORTH, Call.PASS),)
            await hall.tell("a1", state(auction=called, turn=Seat.EAST))
            update = await live.update()
        assert "head" in update["fragments"]
        assert "log" not in update["fragments"]

    async def test_a_call_is_announced_once_and_stands_in_the_title(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        async with ana.live("/tables/a1/live") as live:
            await live.update()
            await hall.tell("a1", desk("a1", calls=(CALL,)))
            update = await live.update()
            assert update["announce"] == ["Table a1: South calls the Director"]
            assert update["title"] == "(!) Table a1"
            assert "&lt;b&gt;tempo" in update["fragments"]["waiting"]
            await hall.tell("a1", desk("a1", number=8, calls=(CALL,)))
            assert "announce" not in await live.update()

    async def test_a_page_as_it_was_loaded_gets_only_what_changes(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        page = (await ana.get("/tables/a1")).text
        found = re.search(r'data-since="([^"]+)"', page)
        assert found is not None
        async with ana.live(f"/tables/a1/live?since={found[1]}") as live:
            assert "fragments" not in await live.update()
            await hall.tell("a1", desk("a1", calls=(CALL,)))
            update = await live.update()
        assert set(update["fragments"]) == {"waiting"}

    @pytest.mark.parametrize(
        "path",
        [
            "/tables/zz",
            "/tables/zz/live",
            "/tables/a1/plays/9",
            "/tables/a1/plays/x",
            "/tables/a1/plays/9/report",
            "/tables/a1/plays/3/correct?line=2",
            "/tables/a1/plays/3/correct?line=0",
        ],
    )
    async def test_what_is_not_there_is_told(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall, path: str
    ) -> None:
        await see(desk_there, hall, "a1")
        await hall.tell("a1", knowing(number=9))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
        assert (await ana.get(path)).status_code == 404


class TestReadOnly:
    async def test_a_reader_sees_the_table_and_nothing_that_the_director_knows(
        self, desk_there: RunningDesk, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        told = RulingPublished("r1", 1, 3, 5, RULING, "Told to the table")
        hear(desk_there, TopicKind.TABLE_RULING, "a1", "1", payload=told)
        async with desk_there.browser() as browser:
            await browser.log_in("Cy")
            before = (await browser.get("/tables/a1")).text
            assert "Told to the table" in before
            await hall.tell(
                "a1",
                knowing(
                    number=9,
                    calls=(CALL,),
                    deal="N:… hidden",
                    proposed=({"number": 1, "text": "hidden"},),
                ),
            )
            await desk_there.until(
                lambda: desk_there.context.room.desks["a1"].number == 9
            )
            after = (await browser.get("/tables/a1")).text
        version = re.compile('data-since="[^"]+"')
        assert version.sub("", after) == version.sub("", before)

    async def test_nor_does_any_update_tell(
        self, desk_there: RunningDesk, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        async with desk_there.browser() as browser:
            await browser.log_in("Cy")
            page = (await browser.get("/tables/a1")).text
            found = re.search(r'data-since="([^"]+)"', page)
            assert found is not None
            async with browser.live(f"/tables/a1/live?since={found[1]}") as live:
                await live.update()  # the whole, at each opening
                await hall.tell("a1", knowing(number=9, calls=(CALL,)))
                await desk_there.until(
                    lambda: desk_there.context.room.desks["a1"].number == 9
                )
                await hall.tell("a1", state(turn=Seat.EAST))
                update = await live.update()
            async with browser.live(f"/tables/a1/live?since={update['id']}") as live:
                again = await live.update()
        assert update.keys() == {"fragments", "id"}
        assert update["fragments"].keys() == {"head"}
        assert again["fragments"]["head"] == update["fragments"]["head"]


class TestCalls:
    async def test_a_table_comes_when_it_waits_and_goes_when_it_does_not(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1", "a2")
        async with ana.live("/calls/live") as live:
            assert (await live.update())["order"] == []
            await hall.tell("a2", desk("a2", alarms=(Alarm(id=5, text="an alarm"),)))
            update = await live.until(lambda u: "order" in u)
            assert update["order"] == ["table-a2"]
            assert "an alarm" in words(update["fragments"]["table-a2"])
            assert update["title"] == "(1) Calls for the Director"
            await hall.tell("a1", desk("a1", calls=(CALL,)))
            update = await live.until(lambda u: "order" in u)
            assert update["order"] == ["table-a1", "table-a2"]
            assert update["announce"] == ["Table a1: South calls the Director"]
            await hall.tell("a1", desk("a1", number=8))
            update = await live.until(lambda u: "order" in u)
            assert update["order"] == ["table-a2"]

    async def test_a_key_that_was_not_applied_is_told_and_asks_for_nothing(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        late = HeldEvent("a1-n", 1, 4, Seat.NORTH, "N 1S", "older prompt")
        await hall.tell("a1", desk("a1", number=9, aside=(late,)))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
        table = (await ana.get("/tables/a1")).text
        assert "1 key press of this board was not applied" in words(table)
        assert "a1-n: N 1S" in words(table)
        assert "Judge it now" not in table
        assert "Nothing waits for you" in words((await ana.get("/calls")).text)

    async def test_a_call_to_the_room_with_javascript_off_is_all_there(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        held = HeldEvent("a1-n", 1, 4, Seat.NORTH, "N 1S", "waits for a1-w (offline)")
        secret = {"seat": "W", "trick": 2, "card": "D9"}
        await hall.tell(
            "a1",
            desk("a1", number=9, held=(held,), suspicions=(secret,), calls=(CALL,)),
        )
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
        page = words((await ana.get("/calls")).text)
        for expected in (
            "1 table needs you.",
            "South calls the Director silently: &lt;b&gt;tempo",
            "waits for a1-w (offline)",
            "The table does not know West may have revoked at trick 2",
        ):
            assert expected in page


COMMANDS: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("release?x", {"terminal": "a1-n"}, {"service": Service.RELEASE}),
    ("release?drop=1", {"terminal": "a1-n"}, {"drop": True}),
    (
        "plays/3/reject?x",
        {"ruling": "2", "reason": " not  at the table "},
        {"ruling": 2, "play": 3, "reason": "not at the table"},
    ),
    (
        "plays/3/overrule?x",
        {"ruling": "2", "reason": "why"},
        {"happening": "director overrule 2", "play": 3, "reason": "why"},
    ),
    (
        "award?play=3",
        {"seat": "E", "tricks": "3"},
        {"happening": "director award E 3", "play": 3},
    ),
    (
        "shown?play=3",
        {"seat": "S", "suit-H": "yes", "suit-S": "yes"},
        {"happening": "director shown S HS"},
    ),
    ("shown?play=3", {"seat": "S"}, {"happening": "director shown S none"}),
    (
        "happen?play=2",
        {"line": "director damage W yes"},
        {"happening": "director damage W yes", "play": 2},
    ),
    (
        "plays/3/correct?x",
        {"line": "1", "to": "never"},
        {"happening": "director correct 1"},
    ),
    (
        "plays/3/correct?x",
        {"line": "1", "to": "2D", "seat": "S", "alert": "! transfer"},
        {"happening": "director correct 1 S 2D! transfer"},
    ),
    (
        "plays/3/correct?x",
        {"line": "1", "to": "other", "happened": "E claim 3"},
        {"happening": "director correct 1 E claim 3"},
    ),
]
"""What a form is sent to, with what, and what it asks the referee for."""


class TestOrders:
    """What each form asks the referee for."""

    @pytest.mark.parametrize(
        ("form", "expected"),
        [((path, fields), expected) for path, fields, expected in COMMANDS],
    )
    async def test_command(
        self,
        desk_there: RunningDesk,
        ana: Browser,
        hall: Hall,
        form: tuple[str, dict[str, str]],
        expected: dict[str, Any],
    ) -> None:
        path, fields = form
        await see(desk_there, hall, "a1")
        await hall.tell("a1", knowing(number=31))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 31)
        path = f"/tables/a1/{path}".replace("?", "?expects=31&", 1)
        sent = ana.send(path, back="/tables/a1", **fields)
        answer, command = await answered(hall, sent, done=True)
        assert answer.headers["location"] == "/tables/a1"
        assert (command.by, command.expects) == ("Ana", 31)
        assert {name: getattr(command, name) for name in expected} == expected

    @pytest.mark.parametrize(
        ("path", "fields"),
        [
            ("happen?play=3", {"line": " "}),
            ("happen?play=3", {"line": "x" * 201}),
            ("award?play=3", {"seat": "X", "tricks": "3"}),
            ("award?play=3", {"seat": "E", "tricks": "three"}),
            ("plays/3/correct?x", {"line": "1", "to": "8C", "seat": "S"}),
            ("plays/3/correct?x", {"line": "1", "to": "1C", "seat": "X"}),
            ("plays/3/correct?x", {"line": "1", "to": "other"}),
            ("plays/3/reject?x", {"ruling": "2", "reason": "x" * 121}),
        ],
    )
    async def test_what_no_form_sends_is_refused(
        self,
        desk_there: RunningDesk,
        ana: Browser,
        hall: Hall,
        path: str,
        fields: dict[str, str],
    ) -> None:
        await see(desk_there, hall, "a1")
        await hall.tell("a1", knowing(number=31))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 31)
        path = f"/tables/a1/{path}".replace("?", "?expects=31&", 1)
        assert (await ana.send(path, **fields)).status_code == 400

    async def test_an_assistant_does_not_overrule_by_any_form(
        self, desk_there: RunningDesk, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        async with desk_there.browser() as browser:
            await browser.log_in("Bo")
            path = "/tables/a1/happen?expects=7&play=3"
            answer = await browser.send(path, line="director overrule 1")
            assert answer.status_code == 403

    async def test_a_question_of_suits_and_a_claim_have_forms(
        self, desk_there: RunningDesk, ana: Browser, hall: Hall
    ) -> None:
        await see(desk_there, hall, "a1")
        suits = question(question="shown", seat="S", choices=["C", "none"])
        claim = question(
            question="claim", seat="E", about="3 of 5 tricks", choices=["award"]
        )
        judged = {"rulings": [], "questions": [suits, claim]}
        await hall.tell("a1", desk("a1", number=9, play=3, judged=judged))
        await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
        page = (await ana.get("/calls")).text
        assert 'name="suit-H"' in page
        assert 'max="5" value="3"' in page


async def test_without_weasyprint_the_page_says_what_to_install(
    desk_there: RunningDesk,
    ana: Browser,
    hall: Hall,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    await see(desk_there, hall, "a1")
    await hall.tell("a1", knowing(number=9))
    await desk_there.until(lambda: desk_there.context.room.desks["a1"].number == 9)
    answer = await ana.get("/tables/a1/plays/3/report.pdf")
    assert answer.status_code == 501
    assert "pip install 'bidwire[pdf]'" in answer.text
    assert 'href="/tables/a1/plays/3/report"' in answer.text
