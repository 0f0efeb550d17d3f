"""The page's codec and link in a real browser: the normative vectors, and ours."""

import json
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route

from tests.browser import new_tablet
from tests.places import REPOSITORY

pytestmark = pytest.mark.asyncio(loop_scope="session")

STATIC = Path(str(files("terminal.web") / "static"))
ORIGIN = "http://page.test"


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page that can load the terminal's modules, over plain HTTP."""
    page = await new_tablet(browser)

    async def serve(route: Route) -> None:
        name = route.request.url.removeprefix(f"{ORIGIN}/")
        if name == "vectors.js":
            await route.fulfill(path=Path(__file__).with_name("vectors.js"))
        elif name:
            await route.fulfill(path=STATIC / name)
        else:
            await route.fulfill(body="", content_type="text/html")

    await page.route(f"{ORIGIN}/**", serve)
    await page.goto(f"{ORIGIN}/")
    yield page
    await page.context.close()


async def test_the_page_keeps_to_the_normative_vectors(page: Page) -> None:
    vectors = json.loads((REPOSITORY / "protocol" / "vectors.json").read_text())
    result: dict[str, Any] = await page.evaluate(
        """async (vectors) => {
            const { differences } = await import("/vectors.js");
            return differences(location.origin, vectors);
        }""",
        vectors,
    )
    assert result["found"] == []
    assert result["count"] > 1000, "all of the terminal's side"


async def test_the_log_outlives_a_reload_and_refuses_keys_when_it_is_full(
    page: Page,
) -> None:
    told = await page.evaluate(
        """async () => {
            const log = await import("/log.js");
            const { StoredLog, LogFullError, LogTakenError } = log;
            const random = (below) => Math.floor(Math.random() * below);
            const size = { capacity: 3 };
            const open = () => new StoredLog(localStorage, "test", random, size);
            const key = { seat: "N", kind: "call", hand: null, data: ["P"] };
            const event = ({ boot, next }) =>
              ({ message: "EVENT", boot, n: next, play: 1, rev: 1, age_ms: 0, ...key });
            const first = open();
            first.append(event(first), 1);
            first.append(event(first), 2);
            const held = first.held();
            const second = open();
            second.append(event(second), 3);
            let refused = null;
            try { second.append(event(second), 4); } catch (error) { refused = error; }
            let taken = null;
            try { first.append(event(first), 5); } catch (error) { taken = error; }
            const before = second.held().map(([boot, low, next]) =>
              [boot - first.boot, low, next]);
            second.forget({ boot: first.boot, n: 1 });
            const third = open();
            return { boot: first.boot, held, before, count: third.boot - first.boot,
              left: third.entries.map(({ n, pressed }) => [n, pressed]),
              isFull: refused instanceof LogFullError,
              isTaken: taken instanceof LogTakenError };
        }"""
    )
    boot = told.pop("boot")
    assert told == {
        "held": [[boot, 0, 2]],
        "before": [[0, 0, 2], [1, 0, 1]],
        "count": 2,
        "left": [[0, None]],  # its age is not known after a restart (E5)
        "isFull": True,
        "isTaken": True,
    }
