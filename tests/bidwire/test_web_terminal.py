"""Tablets as table terminals: real broker, referee and daemon, a real browser."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from laws.seats import SEATS, Seat
from tests.bidwire.web_table import (
    CODE,
    WebTable,
    asked,
    call,
    card,
    select,
    web_table,
)
from tests.browser import PHONE, TABLET, complaints

pytestmark = [pytest.mark.broker, pytest.mark.asyncio(loop_scope="session")]

AUCTION = ("N 1S", "E P", "S P", "W P")


@pytest_asyncio.fixture(loop_scope="session")
async def table(tmp_path: Path, browser: Browser) -> AsyncIterator[WebTable]:
    """A table with one terminal for all four seats."""
    async with web_table(tmp_path, browser) as running:
        yield running


async def bid(page: Page, *lines: str) -> None:
    """Each seat calls as soon as its display asks it."""
    for line in lines:
        seat, said = line.split()
        await asked(page, seat)
        await select(page, seat)
        await call(page, said)


async def test_four_seats_at_one_page_bid_play_and_claim(table: WebTable) -> None:
    page = await table.join(size=TABLET)
    await asked(page, "N")
    await page.click("header .director")
    await page.check("#silent")
    await page.fill("#reason", "tempo")
    await page.click("dialog .director")
    desk = table.director.room.desks
    await table.until(lambda: "t1" in desk and desk["t1"].calls)
    silent = desk["t1"].calls[0]
    assert (silent.seat, silent.silent, silent.reason) == (Seat.NORTH, True, "tempo")

    await page.click(".alert")
    await page.fill(".explanation input", "majors")
    await bid(page, AUCTION[0])
    await expect(page.locator(".auction .alerted")).to_contain_text("majors")
    state = table.state()
    assert state is not None
    assert [(m.call, m.alerted, m.explanation) for m in state.auction] == [
        ("1S", True, "majors")
    ]
    assert await page.get_attribute(".alert", "aria-pressed") == "false"

    await bid(page, *AUCTION[1:])
    await asked(page, "E")
    await table.until(lambda: table.auction() == list(AUCTION))
    await expect(page.locator(".contract")).to_contain_text("by North")
    await card(page, "HK")  # the seat to act has come to the front, with the cards
    await asked(page, "N")  # declarer plays dummy's card
    await expect(page.locator('[data-hand="S"]')).to_have_attribute(
        "aria-pressed", "true"
    )
    await card(page, "H2")
    await asked(page, "W")
    await card(page, "H3")
    await asked(page, "N")
    await card(page, "HA")
    await table.until(lambda: table.tricks() == ["E HK", "S H2", "W H3", "N HA"])
    await expect(page.locator(".notice:visible")).to_have_count(0)

    await page.click('[data-pad="more"]')
    await page.click('dialog [data-kind="claim"]')
    await page.click('dialog [data-value="10"]')
    await page.click("dialog .primary")
    await table.until(lambda: (s := table.state()) is not None and s.phase == "claim")


async def test_what_is_keyed_while_the_daemon_is_away_comes_out_as_it_was_bid(
    table: WebTable,
) -> None:
    page = await table.join()
    await asked(page, "N")
    await table.stop_daemon()
    await call(page, "1S")
    await table.stop_referee()
    table.start_referee()
    table.start_daemon()
    await table.until(lambda: table.auction() == ["N 1S"])  # by itself
    await asked(page, "E")

    await table.stop_daemon()
    await expect(page.locator(".link")).to_have_attribute("data-state", "down")
    for line in ("E P", "S 2S", "W P"):
        seat, said = line.split()
        await select(page, seat)
        await call(page, said)
        await expect(page.get_by_text("saved, to be sent later")).to_be_visible()
    await expect(page.locator(".notice:visible")).to_contain_text("not yet sent (3)")
    await page.goto("about:blank")  # what the page keeps outlives it
    table.start_daemon()
    await table.serves()
    await page.goto(f"{table.url}/#console-{CODE}")
    await table.until(lambda: table.auction() == ["N 1S", "E P", "S 2S", "W P"])
    await asked(page, "N")
    await expect(page.locator(".notice:visible")).to_have_count(0)


async def test_a_connection_that_is_dead_without_a_word_is_left_for_another(
    table: WebTable,
) -> None:
    connections: list[WebSocketRoute] = []
    dead: list[WebSocketRoute] = []

    def pass_on(tablet: WebSocketRoute, to: WebSocketRoute, data: str | bytes) -> None:
        if tablet not in dead:
            to.send(data)

    async def between(tablet: WebSocketRoute) -> None:
        server = tablet.connect_to_server()
        connections.append(tablet)
        for one, other in ((tablet, server), (server, tablet)):
            one.on_message(partial(pass_on, tablet, other))
        server.on_close(lambda *_: None)  # the tablet does not hear of that either

    page = await table.join("nobody")
    await page.clock.install()
    await page.route_web_socket("**/terminal?*", between)
    await page.goto("about:blank")
    await page.goto(f"{table.url}/#console-{CODE}")
    await asked(page, "N")
    dead.append(connections[-1])
    await call(page, "1D")
    await page.clock.run_for(20_000)
    await table.until(lambda: table.auction() == ["N 1D"])
    assert connections[-1] not in dead
    await asked(page, "E")


async def test_a_wrong_code_is_refused_and_alarmed_and_disturbs_nobody(
    table: WebTable,
) -> None:
    page = await table.join(code="", terminal="%")  # who has no address types it in
    await page.fill("#terminal", "console")
    await page.fill("#code", "7zk3-qomi wx")
    await page.click("button.primary")
    await asked(page, "N")
    intruder = await table.join(code="0000000000")
    await expect(intruder.locator(".notice:visible")).to_contain_text("not the one")
    await table.until(lambda: any("join code" in text for text in table.alarms()))
    await bid(page, "N 1NT")
    await table.until(lambda: table.auction() == ["N 1NT"])
    await expect(page.locator(".link")).to_have_attribute("data-state", "up")


async def test_a_second_tab_or_tablet_takes_the_seat_and_the_first_is_told(
    table: WebTable,
) -> None:
    before = await table.join()
    await asked(before, "N")
    first = await before.context.new_page()
    await first.goto(before.url)
    await asked(first, "N")
    await expect(before.locator(".notice:visible")).to_contain_text("another tab")
    await bid(first, "N 1C")
    await asked(first, "E")
    second = await table.join()
    await expect(first.locator(".notice:visible")).to_contain_text("Another device")
    await bid(second, "E P")
    await table.until(lambda: table.auction() == ["N 1C", "E P"])
    await first.get_by_role("button", name="Use it here").click()
    await expect(second.locator(".notice:visible")).to_contain_text("Another device")
    await bid(first, "S 1H")
    await table.until(lambda: table.auction() == ["N 1C", "E P", "S 1H"])


NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {
    get() { throw new DOMException("denied", "SecurityError"); },
  });
}
"""


async def test_a_browser_that_keeps_nothing_plays_all_the_same(table: WebTable) -> None:
    page = await table.join(first=NO_STORAGE)
    await bid(page, "N 1C", "E P")
    await table.until(lambda: table.auction() == ["N 1C", "E P"])


FULL_STORAGE = """
() => {
  Storage.prototype.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
}
"""


async def test_a_storage_that_has_become_full_is_told_and_no_key_half_taken(
    table: WebTable,
) -> None:
    page = await table.join()
    await bid(page, "N 1C")
    await asked(page, "E")
    await page.evaluate(FULL_STORAGE)
    await select(page, "E")
    await call(page, "P")
    await expect(page.get_by_text("the key was not taken")).to_be_visible()
    await page.reload()
    await bid(page, "E X")
    await table.until(lambda: table.auction() == ["N 1C", "E X"])


async def test_a_call_out_of_turn_is_taken_and_a_key_that_the_ruling_locks_is_not(
    table: WebTable,
) -> None:
    page = await table.join()
    await asked(page, "N")
    await select(page, "E")
    await call(page, "P")  # out of turn, not accepted: East must pass at his turn
    await asked(page, "S")  # to the left of the offender (Law 29A)
    await select(page, "S")
    await page.click('.display[data-seat="S"] .answer[data-kind="decline"]')
    await asked(page, "N")
    state = table.state()
    assert state is not None
    assert [made.call for made in state.auction] == []
    await bid(page, "N 1C")
    await asked(page, "E")
    key = page.locator('[data-call="1S"]')
    await expect(key).to_have_attribute("aria-disabled", "true")
    await key.click(force=True)  # a locked key can be touched all the same
    await expect(page.locator(".toast")).to_contain_text("locked")
    assert await page.locator(".bar").is_hidden()
    await call(page, "P")
    await table.until(lambda: table.auction()[-1] == "E P")


async def test_one_seat_a_tablet_in_spanish_bids_around(
    tmp_path: Path, browser: Browser
) -> None:
    terminals = {f"t1-{seat.lower()}": (seat,) for seat in SEATS}
    async with web_table(
        tmp_path, browser, terminals=terminals, language="es"
    ) as table:
        pages = {str(seat): await table.join(f"t1-{seat.lower()}") for seat in SEATS}
        for line in AUCTION:
            seat, said = line.split()
            await asked(pages[seat], seat)
            await call(pages[seat], said)
        await table.until(lambda: table.auction() == list(AUCTION))
        await expect(pages["E"].locator(".badge")).to_have_text("Le toca jugar")
        assert await pages["E"].locator("html").get_attribute("lang") == "es"


async def test_the_page_is_accessible_and_fits_a_phone(table: WebTable) -> None:
    page = await table.join()
    await bid(page, *AUCTION[:2])
    await asked(page, "S")
    await page.click(".alert")
    problems = await complaints(page)
    await page.emulate_media(color_scheme="dark")
    problems += await complaints(page)
    await page.click('[data-pad="card"]')
    await page.click('[data-mode="named"]')
    problems += await complaints(page)
    await page.click('[data-pad="more"]')
    problems += await complaints(page)
    assert problems == []
    small = await page.evaluate(
        """() => [...document.querySelectorAll("button")].filter((key) => {
            const { width, height } = key.getBoundingClientRect();
            return width > 0 && Math.min(width, height) < 48;
        }).map((key) => key.outerHTML)"""
    )
    assert small == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
