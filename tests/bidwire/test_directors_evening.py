"""An evening of a Director in a real browser, from the first call to the results.

Broker, referee and desk are real; players sit at web terminals, or where their pages
are not the point speak for their terminals over MQTT.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from laws.seats import SEATS, Seat
from protocol.payloads import Pairs
from protocol.topics import Role
from referee.settings import BoardSettings, Questions
from tests.bidwire.web_table import (
    WebTable,
    asked,
    call,
    card,
    web_table,
)
from tests.browser import CHROMIUM, NO_CHROMIUM, PHONE, complaints, keep, new_tablet
from tests.desk.desks import PASSWORD, RunningDesk, running_desk
from tests.desk.lines import Line
from tests.desk.test_whole_path import COMPARABLE, happened
from tests.desk.whole import WholeRoom, played_out, room_by_itself
from tests.referee.bench import DEAL
from tests.referee.situations import REVOKE

pytestmark = [
    pytest.mark.broker,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]

BOARDS = tuple(
    BoardSettings(number=n, deal=DEAL, round=1, pairs=Pairs(ns="7", ew="12"))
    for n in (1, 2)
)

LAPTOP = {"width": 1280, "height": 800}

COMPARABLE_ASKED = "comparable with the withdrawn call?"


async def log_in(page: Page, url: str, name: str = "Ana") -> None:
    await page.goto(url)
    await page.fill("#name", name)
    await page.fill("#password", PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("#tables > li")).to_have_count(1)


async def readable(page: Page) -> None:
    """Axe has no complaint."""
    assert await complaints(page) == []


@pytest_asyncio.fixture(loop_scope="session")
async def hall(tmp_path: Path, browser: Browser) -> AsyncIterator[WebTable]:
    """A table at which each seat has a tablet, and the deal is known."""
    terminals = {f"t1-{seat.lower()}": (seat,) for seat in SEATS}
    async with web_table(
        tmp_path,
        browser,
        terminals=terminals,
        boards=BOARDS,
        questions=Questions.WAIT,
    ) as table:
        yield table


@pytest_asyncio.fixture(loop_scope="session")
async def desk(hall: WebTable, tmp_path: Path) -> AsyncIterator[RunningDesk]:
    """The Director's desk at the same broker."""
    folder = tmp_path / "desk"
    folder.mkdir()
    settings = hall.broker.settings(Role.DIRECTOR)
    async with running_desk(folder, lambda: settings) as running:
        await running.up()
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def room(tmp_path: Path) -> AsyncIterator[WholeRoom]:
    """A room whose players speak for their terminals."""
    async with room_by_itself(tmp_path) as room:
        yield room


async def tablets(hall: WebTable) -> dict[Seat, Page]:
    """A tablet at each seat."""
    return {seat: await hall.join(f"t1-{seat.lower()}") for seat in SEATS}


async def test_a_bid_out_of_turn_from_the_alarm_to_the_closed_ruling(
    hall: WebTable, desk: RunningDesk, browser: Browser
) -> None:
    at = await tablets(hall)
    director = await new_tablet(browser, LAPTOP)
    await log_in(director, desk.url)
    await readable(director)

    await asked(at[Seat.NORTH], "N")
    await call(at[Seat.EAST], "1C")  # at North's turn
    decline = '.answer[data-kind="decline"]'
    await expect(at[Seat.SOUTH].locator(decline)).to_be_visible()
    await keep(at[Seat.SOUTH], "tablet-choice")
    await at[Seat.SOUTH].click(decline)
    await asked(at[Seat.NORTH], "N")
    await call(at[Seat.NORTH], "1S")
    await asked(at[Seat.EAST], "E")
    await call(at[Seat.EAST], "2C")

    row = director.locator("#table-t1")  # without a reload
    await expect(row).to_contain_text("Director")
    await expect(director).to_have_title("(1) Room - test")
    await keep(director, "room")
    await row.get_by_role("link").first.click()
    await expect(director.get_by_text(COMPARABLE_ASKED).first).to_be_visible()
    await keep(director, "table-question")
    await readable(director)
    await director.locator("button[value='director comparable E no']").click()
    await expect(director.locator(".notice.done")).to_contain_text("done")
    await expect(director.locator("#rulings")).to_contain_text("31A2(b)")
    await director.locator("#rulings").scroll_into_view_if_needed()
    await keep(director, "table-ruling")
    await director.locator("#waiting").get_by_role("button", name="No").first.click()
    await expect(director.locator("#waiting")).not_to_contain_text("?")

    # West must pass once: his other keys do nothing.
    await asked(at[Seat.SOUTH], "S")
    await call(at[Seat.SOUTH], "P")
    await asked(at[Seat.WEST], "W")
    await expect(at[Seat.WEST].locator('[data-call="3C"]')).to_be_disabled()
    await call(at[Seat.WEST], "P")
    await hall.until(lambda: hall.auction()[-1:] == ["W P"])


async def test_four_tablets_play_a_board(hall: WebTable) -> None:
    at = await tablets(hall)
    lines = played_out("N 1S", "E P", "S P", "W P")
    for line in lines:
        seat, said = line.split()
        if len(said) == 2 and said[0] in "CDHS":
            # Declarer, North, plays the cards of South, who is dummy.
            player = Seat.NORTH if seat == "S" else Seat(seat)
            await asked(at[player], player)
            await card(at[player], said)
        else:
            await asked(at[Seat(seat)], seat)
            await call(at[Seat(seat)], said)
    results = hall.director.room.results
    await hall.until(lambda: ("t1", 1) in results)
    assert results["t1", 1].declarer_tricks is not None
    assert results["t1", 1].adjustment is None
    await expect(at[Seat.WEST].locator(".display").first).to_contain_text("Board 2")
    await keep(at[Seat.EAST], "tablet-next-board")


async def test_law_64c_is_judged_with_the_evidence_and_the_score_adjusted(
    room: WholeRoom, browser: Browser
) -> None:
    page = await browser.new_page(viewport=LAPTOP)  # type: ignore[arg-type]
    await log_in(page, room.desk.url)
    await room.play(*played_out(*REVOKE))
    await page.goto(room.desk.url + "calls")
    await expect(page.locator("table.evidence").first).to_be_visible()
    await keep(page, "revoke-evidence", whole=True)
    await readable(page)
    await page.locator("button[value='director damage W yes']").click()
    await expect(page.locator(".notice.done")).to_contain_text("done")
    await expect(page.locator("table.evidence")).to_have_count(0)

    await page.goto(room.desk.url + "tables/t1/plays/1")
    await page.select_option("#ns-kind", "assigned")
    await page.fill("[name='ns-outcome-1']", "1S+2 N")
    await page.select_option("#ew-kind", "same")
    await page.fill("#adjust-reason", "Law 64C")
    await keep(page, "adjust", whole=True)
    await readable(page)
    await page.locator("button[name='do'][value='adjust']").click()
    await expect(page.locator(".notice.done")).to_contain_text("done")
    results = room.desk.context.room.results
    await room.desk.until(lambda: results["t1", 1].adjustment is not None)

    await page.goto(room.desk.url + "tables/t1/plays/1/report")
    await expect(page.locator("main")).to_contain_text("Law 64C")
    await keep(page, "report")
    await readable(page)


async def test_of_two_directors_the_second_is_told_to_look_again(
    room: WholeRoom, browser: Browser
) -> None:
    first = await browser.new_page()
    await log_in(first, room.desk.url)
    # Without JavaScript his page stays as it was when he loaded it.
    plain = await browser.new_context(java_script_enabled=False)
    second = await plain.new_page()
    await log_in(second, room.desk.url, "Bo")
    await happened(room, *COMPARABLE)
    answer = "button[value='director comparable E no']"
    for page in (first, second):
        await page.goto(room.desk.url + "tables/t1")
        await expect(page.locator(answer)).to_be_visible()
    await first.locator(answer).click()
    await expect(first.locator(".notice.done")).to_contain_text("done")
    await second.locator(answer).click()
    await expect(second.locator(".notice")).to_contain_text("Look again")
    await expect(second.locator(".notice.done")).to_have_count(0)
    desk = room.desk.context.room.desks["t1"]
    assert [(reply.by, reply.done) for reply in desk.replies] == [
        ("Ana", True),
        ("Bo", False),
    ]


async def test_a_line_lost_in_mid_ruling_loses_and_doubles_nothing(
    room: WholeRoom, browser: Browser
) -> None:
    line = Line(room.desk.url)
    await line.mend()
    page = await browser.new_page(viewport=PHONE)  # type: ignore[arg-type]
    await log_in(page, line.url)
    await page.goto(line.url + "tables/t1")
    await happened(room, *COMPARABLE[:1])
    await expect(page.locator("#auction del")).to_have_count(0)
    line.cut()
    await expect(page.locator("#lost")).to_be_visible()
    await happened(room, *COMPARABLE[1:])  # it goes on at the table
    await line.mend()
    await expect(page.get_by_text(COMPARABLE_ASKED).first).to_be_visible()
    await expect(page.locator("#lost")).to_be_hidden()
    await page.reload()
    answer = page.locator("button[value='director comparable E no']")
    await expect(answer).to_be_visible()
    await keep(page, "phone-question")
    await answer.click()
    await expect(page.locator(".notice.done")).to_contain_text("done")
    await page.reload()
    desk = room.desk.context.room.desks["t1"]
    assert [reply.done for reply in desk.replies] == [True]
    line.cut()
