"""Deals of a file: looked at first, then sent to the tables that may have them."""

import asyncio
import logging

import httpx
import pytest

from desk.pages.deals import FILE_BYTES
from protocol.payloads import Service
from tests.desk.desks import Browser, RunningDesk, token_of
from tests.desk.event.events import TABLES, at, pbn
from tests.desk.event.test_event_page import answered, see, send
from tests.desk.rooms import Hall
from tests.desk.test_room_page import words
from tests.referee.bench import DEAL


async def load(
    browser: Browser, content: str | bytes, name: str = "friday.pbn"
) -> httpx.Response:
    """Send a file of deals."""
    token = token_of(await browser.get("/event"))
    return await browser.client.post(
        "/event/deals", data={"form_token": token}, files={"file": (name, content)}
    )


async def test_a_file_is_looked_at_before_anything_is_sent(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    later = at(board=3, round=2, play=3, next_board=4)
    await see(desk_there, hall, {"a1": at(), "a2": later})
    answer = await load(ana, pbn(2, 3, 9))
    assert answer.headers["location"] == "/event/deals"
    page = (await ana.get("/event/deals")).text
    told = words(page)
    assert "2 no table: it is refused a1, a2 1 Show" in told
    assert "3 a1 a2 4 Show" in told
    assert "9 no table plays it - 7 Show" in told
    assert "The file friday.pbn is loaded" in words((await ana.get("/event")).text)


async def test_the_hands_are_hidden_until_those_of_a_board_are_asked_for(
    desk_there: RunningDesk,
    ana: Browser,
    hall: Hall,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await see(desk_there, hall, {"a1": at()})
    await load(ana, pbn(3, 4))
    hidden = (await ana.get("/event/deals")).text
    assert "AKQJ" not in hidden
    assert DEAL not in hidden
    with caplog.at_level(logging.INFO, "desk"):
        shown = words((await ana.get("/event/deals?hands=4")).text)
    assert "Hands of board 4 North spades AKQJ hearts T98" in shown
    assert "Ana looks at the hands of board 4" in caplog.text
    assert "AKQJ" not in caplog.text


async def test_each_table_gets_the_boards_that_it_has_not_begun(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    later = at(board=3, round=2, play=3, next_board=4)
    await see(desk_there, hall, {"a1": at(), "a2": later})
    await load(ana, pbn(2, 3, 4))
    task = asyncio.create_task(send(ana, "/event/deals/send"))
    given = await answered(hall, task)
    assert sorted((t, c.board) for t, c in given) == [("a1", 3), ("a1", 4), ("a2", 4)]
    assert {(c.service, c.deal) for _, c in given} == {(Service.DEAL, DEAL)}
    told = words((await ana.get("/event")).text)
    assert "Sending the deals of friday.pbn Done at 2 of 2 tables." in told
    assert "is loaded" not in told


async def test_only_the_boards_that_are_marked_are_sent(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, dict.fromkeys(TABLES, at()))
    await load(ana, pbn(3, 4))
    task = asyncio.create_task(send(ana, "/event/deals/send", board=["4"]))
    given = await answered(hall, task, refused="a2")
    assert sorted((t, c.board) for t, c in given) == [("a1", 4), ("a2", 4)]
    told = words((await ana.get("/event")).text)
    assert "Table a2: refused: round 2 is open already" in told
    assert "The file friday.pbn is loaded" in told


async def test_where_nothing_can_be_sent_no_board_is_to_be_marked(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, dict.fromkeys(TABLES, at()))
    await load(ana, pbn(3))
    assert "Mark boards" in (await ana.get("/event/deals")).text
    await load(ana, pbn(1))
    page = (await ana.get("/event/deals")).text
    assert "No table has any of these boards still to play." in page
    assert "Mark boards" not in page


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "friday.pbn:1: no record found"),
        (b"\x00\xff\xfe", "friday.pbn:1: "),
        (pbn(3).replace("AKQJ.", "AKQ.", 1), "friday.pbn:2, board 3: Deal: hand of N"),
        ('[Board "3"]\n[Dealer "N"]\n', "friday.pbn:1: expected the four hands"),
        (
            '[Dealer "N"]\n' + pbn(3).replace('"3"', '"<b>"'),
            "expected the number of a board, got &#39;&lt;b&gt;&#39;",
        ),
        (
            pbn(3) + pbn(3).replace('"N:', '"E:'),
            "friday.pbn:4: expected one deal for board 3, got another than on line 1",
        ),
    ],
)
async def test_a_file_that_is_wrong_says_where_and_sends_nothing(
    ana: Browser, content: str | bytes, told: str
) -> None:
    await load(ana, content)
    page = (await ana.get("/event/deals")).text
    assert "The file cannot be used, and nothing was sent" in page
    assert told in page
    assert "/event/deals/send" not in page
    await send(ana, "/event/deals/drop")
    assert (await ana.get("/event/deals")).headers["location"] == "/event"


async def test_a_file_has_only_so_many_bytes(ana: Browser) -> None:
    answer = await load(ana, b"%" * FILE_BYTES)
    assert answer.status_code == 413


async def test_without_a_file_it_says_so(ana: Browser) -> None:
    assert (await send(ana, "/event/deals")).headers["location"] == "/event"
    assert "Choose a file first." in (await ana.get("/event")).text


async def test_a_files_name_is_only_a_name(ana: Browser) -> None:
    await load(ana, pbn(3), "../../etc/<x>.pbn")
    page = (await ana.get("/event/deals")).text
    assert "Deals of &lt;x&gt;.pbn" in page
    assert "etc" not in page


async def test_who_only_looks_has_no_deals(reader: Browser) -> None:
    for path in ("/event/deals", "/event/deals?hands=3"):
        assert (await reader.get(path)).status_code == 403
    assert (await load(reader, pbn(3))).status_code == 403


async def test_another_login_does_not_see_the_file(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, {"a1": at()})
    await load(ana, pbn(3))
    async with desk_there.browser() as other:
        await other.log_in("Bo")
        assert (await other.get("/event/deals")).headers["location"] == "/event"
