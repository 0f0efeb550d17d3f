"""The pages of the event in a real browser: for all, on any screen, with no script."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from bidwire.desk.tools import desk_tools
from protocol.payloads import LinkState, Phase
from tests.browser import CHROMIUM, NO_CHROMIUM, PHONE, complaints, keep, picture_of
from tests.desk.desks import PASSWORD, RunningDesk
from tests.desk.event.events import at, pbn, write_event
from tests.desk.event.test_event_page import see
from tests.desk.event.test_results_page import PLAYED
from tests.desk.event.test_terminals_page import JOIN
from tests.desk.in_browser import hall_and_desk
from tests.desk.rooms import Hall, terminal

pytestmark = [
    pytest.mark.broker,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(120),
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
]

PAGES = ("event", "event/deals?hands=3", "terminals", "terminals/codes", "results")


@pytest_asyncio.fixture(loop_scope="session")
async def there(tmp_path: Path) -> AsyncIterator[tuple[Hall, RunningDesk]]:
    async with hall_and_desk(tmp_path, desk_tools(write_event(tmp_path))) as both:
        yield both


@pytest.fixture
def hall(there: tuple[Hall, RunningDesk]) -> Hall:
    return there[0]


@pytest_asyncio.fixture(loop_scope="session")
async def url(there: tuple[Hall, RunningDesk]) -> str:
    """A desk with somewhat of everything."""
    hall, desk_there = there
    over = at(phase=Phase.ENDED, waiting="round")
    await see(desk_there, hall, {"a1": at(), "a2": over})
    await hall.birth()
    tablet = msgspec.structs.replace(terminal("a1"), join=JOIN)
    await hall.status("a1-web", tablet)
    await hall.status("a2-box", terminal("a2", LinkState.OFFLINE, battery=9))
    for each in PLAYED:
        await hall.played(each)
    room = desk_there.context.room
    await desk_there.until(
        lambda: len(room.results) == len(PLAYED) and len(room.terminals) == 2
    )
    return desk_there.url


async def logged_in(
    browser: Browser,
    url: str,
    folder: Path,
    **options: object,
) -> Page:
    """A page on which Ana has logged in, and loaded a file of deals."""
    context = await browser.new_context(**options)  # type: ignore[arg-type]
    page = await context.new_page()
    await page.goto(url)
    await page.fill("#name", "Ana")
    await page.fill("#password", PASSWORD)
    await page.click("form.card button")
    file = folder / "friday.pbn"
    file.write_text(pbn(2, 3, 4), encoding="utf-8")
    await page.goto(f"{url}event")
    await page.set_input_files("#file", file)
    await page.click("text=Look at it")
    await expect(page.locator("h1")).to_have_text("Deals of friday.pbn")
    return page


async def test_everybody_can_use_them(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    page = await logged_in(browser, url, tmp_path, viewport=PHONE)
    wrong: list[str] = []
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for path in PAGES:
        await page.goto(url + path)
        await page.evaluate(
            "document.querySelectorAll('details').forEach(d => d.open = true)"
        )
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not await page.evaluate(wide), path
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            assert await complaints(page) == [], path
            await keep(page, f"{picture_of(path)}-{scheme}", whole=True)
    assert wrong == []


async def test_they_work_without_a_script(
    browser: Browser, url: str, tmp_path: Path
) -> None:
    page = await logged_in(browser, url, tmp_path, java_script_enabled=False)
    await page.goto(f"{url}event")
    await page.click("summary:has-text('End round 2')")
    await page.click("#end-2 button")
    await expect(page.locator("#outcome")).to_have_text("Ending round 2")
    await expect(page.locator(".outcome li.look")).to_have_count(2)


async def test_marks_stay_when_a_table_moves_on(
    browser: Browser, url: str, tmp_path: Path, hall: Hall
) -> None:
    page = await logged_in(browser, url, tmp_path)
    await page.goto(f"{url}event")
    await page.locator("[data-state=live]").wait_for()
    await page.check("#at-2-a2")
    await page.focus("#at-2-a2")
    await hall.tell("a1", at(phase=Phase.ENDED, waiting="round"))
    await expect(page.locator("#round-1 .count.finished b")).to_have_text("2 tables")
    await expect(page.locator("#at-2-a2")).to_be_checked()
    await expect(page.locator("#at-2-a2")).to_be_focused()
