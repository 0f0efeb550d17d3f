"""The room in a real browser: live, by keyboard, and when the line is cut."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from laws.seats import Seat
from protocol.payloads import Alarm, LinkState, SilentCall
from tests.browser import CHROMIUM, NO_CHROMIUM, complaints
from tests.desk.desks import PASSWORD, RunningDesk
from tests.desk.in_browser import hall_and_desk
from tests.desk.lines import Line
from tests.desk.rooms import Hall, desk, question, state, terminal

pytestmark = [
    pytest.mark.broker,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(120),
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]

FIRST = SilentCall(id=2, seat=Seat.NORTH, silent=False)
SECOND = SilentCall(id=3, seat=Seat.WEST, silent=False)


@pytest_asyncio.fixture(loop_scope="session")
async def there(tmp_path: Path) -> AsyncIterator[tuple[Hall, RunningDesk]]:
    async with hall_and_desk(tmp_path) as both:
        yield both


@pytest.fixture
def hall(there: tuple[Hall, RunningDesk]) -> Hall:
    return there[0]


@pytest_asyncio.fixture(loop_scope="session")
async def line(there: tuple[Hall, RunningDesk]) -> AsyncIterator[Line]:
    """The line to a desk with a room in which somewhat of everything waits."""
    hall, desk_there = there
    await hall.birth()
    for table in ("a1", "a2", "b1", "b2", "b3"):
        await hall.status(f"{table}-n", terminal(table, battery=50))
        await hall.tell(table, state(turn=Seat.EAST), desk(table))
    await hall.status("b3-n", terminal("b3", LinkState.OFFLINE, battery=9))
    await hall.tell("b1", desk("b1", calls=(FIRST,)))
    await hall.tell("b2", desk("b2", questions=(question(),), alarms=(Alarm(7, "x"),)))
    room = desk_there.context.room
    await desk_there.until(
        lambda: len(room.desks) == 5 and bool(room.desks["b2"].questions)
    )
    line = Line(desk_there.url)
    await line.mend()
    yield line
    line.cut()


async def logged_in(browser: Browser, url: str, **options: object) -> Page:
    """A page of its own, on which Ana has logged in by keyboard alone."""
    context = await browser.new_context(**options)  # type: ignore[arg-type]
    page = await context.new_page()
    await page.goto(url)
    await expect(page.locator("#name")).to_be_focused()
    await page.keyboard.type("Ana")
    await page.keyboard.press("Tab")
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("#tables > li")).to_have_count(5)
    if options.get("java_script_enabled", True):
        await page.locator("[data-state=live]").wait_for()
    return page


async def first_table(page: Page) -> str | None:
    return await page.locator("#tables > li").first.get_attribute("id")


async def test_a_change_comes_without_reload_and_the_focus_stays(
    browser: Browser, line: Line, hall: Hall
) -> None:
    page = await logged_in(browser, line.url)
    assert await first_table(page) == "table-b1"
    await page.focus("#attend-b1-2")
    more = desk("b1", number=9, calls=(FIRST, SECOND))
    await hall.tell("b1", more)
    await expect(page.locator("#attend-b1-3")).to_be_visible()
    await expect(page.locator("#attend-b1-2")).to_be_focused()
    await expect(page.locator("#announce")).to_have_text(
        "Table b1: West calls the Director"
    )
    await hall.tell("a1", desk("a1", number=9, calls=(FIRST,)))
    await expect(page.locator("#attend-a1-2")).to_be_visible()
    assert await first_table(page) == "table-a1"
    await expect(page.locator("#attend-b1-2")).to_be_focused()
    await expect(page).to_have_title("(3) Room - test")


async def test_the_search_works_while_one_types_and_stays_live(
    browser: Browser, line: Line, hall: Hall
) -> None:
    page = await logged_in(browser, line.url)
    await page.focus("#q")
    await page.keyboard.type("b1")
    await expect(page.locator("#tables > li")).to_have_count(1)
    await expect(page.locator("#q")).to_be_focused()
    assert page.url == f"{line.url}?q=b1"
    await hall.tell("b1", desk("b1", number=9, calls=(FIRST, SECOND)))
    await expect(page.locator("#attend-b1-3")).to_be_visible()
    await page.fill("#q", "")
    await expect(page.locator("#tables > li")).to_have_count(5)


async def test_a_line_that_is_cut_is_told_and_what_was_missed_comes(
    browser: Browser, line: Line, hall: Hall
) -> None:
    page = await logged_in(browser, line.url)
    await hall.tell("a1", state(turn=Seat.SOUTH))
    await expect(page.locator("#table-a1")).to_contain_text("South to act")
    line.cut()
    await expect(page.locator("#lost")).to_be_visible(timeout=30_000)
    await hall.tell("a2", desk("a2", number=9, calls=(SECOND,)))
    await line.mend()
    await expect(page.locator("#attend-a2-3")).to_be_visible(timeout=30_000)
    await expect(page.locator("#lost")).to_be_hidden()
    await expect(page.locator("#announce")).to_have_text(
        "Table a2: West calls the Director"
    )


async def test_whoever_is_logged_out_elsewhere_is_told(
    browser: Browser, line: Line, hall: Hall
) -> None:
    page = await logged_in(browser, line.url)
    other = await page.context.new_page()
    await other.goto(line.url)
    await other.get_by_role("button", name="Log out").click()
    await expect(other.locator("#password")).to_be_visible()
    await hall.tell("a1", state(turn=Seat.SOUTH))
    await expect(page.locator("#over")).to_be_visible()
    await page.get_by_role("link", name="Log in again").click()
    await expect(page.locator("#password")).to_be_visible()


async def test_without_javascript_it_is_a_plain_page(
    browser: Browser, line: Line
) -> None:
    page = await logged_in(browser, line.url, java_script_enabled=False)
    await page.fill("#q", "b1")
    await page.keyboard.press("Enter")
    await expect(page.locator("#tables > li")).to_have_count(1)
    await page.get_by_role("link", name=re.compile("^All")).click()
    await expect(page.locator("#tables > li")).to_have_count(1)
    await expect(page.locator("#q")).to_have_value("b1")


async def test_the_content_is_one_key_away(browser: Browser, line: Line) -> None:
    page = await logged_in(browser, line.url)
    await page.keyboard.press("Tab")
    await expect(page.get_by_text("Skip to the content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#main")).to_be_focused()


async def test_everyone_can_read_it(browser: Browser, line: Line) -> None:
    """No complaint of axe, nothing beyond the edge, and nothing that CSP stops."""
    page = await browser.new_page()
    stopped: list[str] = []
    page.on("console", lambda told: stopped.append(told.text))
    await page.goto(line.url)
    await readable(page)
    await page.fill("#name", "Ana")
    await page.fill("#password", PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("#tables > li")).to_have_count(5)
    await readable(page)
    assert stopped == []


async def readable(page: Page) -> None:
    """On a phone and a screen, light and dark."""
    for width in (360, 1280):
        await page.set_viewport_size({"width": width, "height": 800})
        edge = await page.evaluate("document.documentElement.scrollWidth")
        assert edge <= width
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            assert await complaints(page) == []
