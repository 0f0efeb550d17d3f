"""A table's pages in a real browser: readable by everyone, live, and by the click."""

from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page, expect

from tests.brokers import RunningBroker
from tests.browser import CHROMIUM, NO_CHROMIUM, browsing, keep, picture_of
from tests.desk.desks import PASSWORD
from tests.desk.test_whole_path import COMPARABLE, happened
from tests.desk.whole import whole_room

pytestmark = [
    pytest.mark.broker,
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


async def log_in(page: Page, url: str) -> None:
    await page.goto(url)
    await page.fill("#name", "Ana")
    await page.fill("#password", PASSWORD)
    await page.keyboard.press("Enter")
    await expect(page.locator("#tables > li")).to_have_count(1)


async def test_everyone_can_read_each_page(nats: RunningBroker, tmp_path: Path) -> None:
    """No complaint of axe, nothing beyond the edge, and nothing that CSP stops."""
    async with whole_room(nats, tmp_path) as room, browsing() as browser:
        await happened(room, *COMPARABLE)
        for scheme, width in (("light", 1280), ("dark", 360)):
            page = await browser.new_page(
                viewport={"width": width, "height": 800},
                color_scheme=scheme,  # type: ignore[arg-type]
            )
            await read_all(page, room.desk.url, width)


async def read_all(page: Page, url: str, width: int) -> None:
    """Load each page, and let axe look at it."""
    stopped: list[str] = []
    page.on("console", lambda told: stopped.append(told.text))
    await log_in(page, url)
    for path in PAGES:
        await page.goto(url + path)
        found = (await Axe().run(page)).response["violations"]
        told = [(c["id"], [n["target"] for n in c["nodes"]]) for c in found]
        assert told == [], path
        edge = await page.evaluate("document.documentElement.scrollWidth")
        assert edge <= width, path
        await keep(page, f"{picture_of(path)}-{width}", whole=True)
    assert stopped == []


async def test_a_question_comes_by_itself_and_goes_with_the_click(
    nats: RunningBroker, tmp_path: Path
) -> None:
    async with whole_room(nats, tmp_path) as room, browsing() as browser:
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
