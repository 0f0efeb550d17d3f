"""A real browser for the tests: Debian's Chromium, driven by Playwright."""

import contextlib
import os
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Browser, Page, async_playwright

from tests.places import REPOSITORY

CHROMIUM = shutil.which("chromium")
NO_CHROMIUM = "Chromium is not installed: apt-get install chromium"

SCREENSHOTS = Path(os.environ.get("BIDWIRE_SCREENSHOTS") or REPOSITORY / ".screenshots")
"""Where the pictures of the pages are kept; Playwright makes the folder."""

WAIT_MS = 30_000
"""A test fails when nothing has come of it for so long."""

PHONE = {"width": 360, "height": 740}
TABLET = {"width": 1180, "height": 820}


@contextlib.asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    """A browser until the context closes; skips the test where there is none."""
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM,
            # The limit keeps it from starting a process for a page that may come.
            args=["--no-sandbox", "--renderer-process-limit=1"],
        )
        try:
            yield browser
        finally:
            await browser.close()


async def new_tablet(
    browser: Browser, size: dict[str, int] | None = None, *, dark: bool = False
) -> Page:
    """A page of a device of its own, with a memory of its own, that fails loudly."""
    context = await browser.new_context(
        viewport={**(size or PHONE)},  # type: ignore[arg-type]  # it has both keys
        color_scheme="dark" if dark else "light",
    )
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.on("pageerror", lambda error: pytest.fail(f"the page failed: {error}"))
    return page


async def complaints(page: Page) -> list[str]:
    """What axe finds wrong with a page as it is now."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(Axe().axe_script)
    found = await page.evaluate(
        "axe.run({resultTypes: ['violations']}).then(found => found.violations)"
    )
    return [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]


def picture_of(path: str) -> str:
    """What the picture of a page of the desk is called, by the page's path."""
    return "desk-" + re.sub(r"\W+", "-", path or "room")


async def keep(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep a picture of a page, under this name.

    Args:
        page: as it is now.
        name: of the file, without its end.
        whole: also what one would have to scroll to.
    """
    await page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)
