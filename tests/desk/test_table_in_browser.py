"""A table's pages in a real browser: readable by everyone, live, and by the click."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browser import CHROMIUM, NO_CHROMIUM, complaints, keep, picture_of
from tests.desk.desks import PASSWORD
from tests.desk.test_whole_path import COMPARABLE, happened
from tests.desk.whole import WholeRoom, room_by_itself

pytestmark = [
    pytest.mark.broker,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]

PAGES = (
    "",
    "tables/t1",
    "calls",
    "tables/t1/plays/1",
    "tables/t1/plays/1/correct?line=1",
    "tables/t1/plays/1/report",
)


@pytest_asyncio.fixture(loop_scope="session")
async def room(tmp_path: Path) -> AsyncIterator[WholeRoom]:
    async with room_by_itself(tmp_path) as room:
        yield room


async def log_in(page: Page, url: str) -> None:
    await page.goto(url)
    await page.fill("#name", "Ana")
    await page.fill("#password", PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("#tables > li")).to_have_count(1)


async def test_everyone_can_read_each_page(room: WholeRoom, browser: Browser) -> None:
    """No complaint of axe, nothing beyond the edge, and nothing that CSP stops."""
    await happened(room, *COMPARABLE)
    page = await browser.new_page()
    stopped: list[str] = []
    page.on("console", lambda told: stopped.append(told.text))
    await log_in(page, room.desk.url)
    for path in PAGES:
        await page.goto(room.desk.url + path)
        for scheme, width in (("light", 1280), ("dark", 360)):
            await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            await page.set_viewport_size({"width": width, "height": 800})
            assert await complaints(page) == [], path
            edge = await page.evaluate("document.documentElement.scrollWidth")
            assert edge <= width, path
            await keep(page, f"{picture_of(path)}-{width}", whole=True)
    assert stopped == []


async def test_a_question_comes_by_itself_and_goes_with_the_click(
    room: WholeRoom, browser: Browser
) -> None:
    page = await browser.new_page()
    await log_in(page, room.desk.url)
    await page.goto(room.desk.url + "tables/t1")
    await happened(room, *COMPARABLE)
    asked = page.get_by_text("comparable with the withdrawn call?")
    await expect(asked.first).to_be_visible()
    await expect(page.locator("#auction del")).to_have_count(1)
    await page.locator("button[value='director comparable E no']").click()
    await expect(page.locator(".notice.done")).to_contain_text("done")
    await expect(page.locator("#waiting")).not_to_contain_text("comparable")
