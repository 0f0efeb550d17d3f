"""`bidwire demo --play`: a person in a real browser among robots."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.demo.play import Play, deals, free_address, play_table
from laws.board import Edition
from laws.seats import SEATS, Seat
from tests.bidwire.web_table import asked, call, card, select
from tests.browser import new_tablet

pytestmark = [pytest.mark.broker]
N, E, S = Seat.NORTH, Seat.EAST, Seat.SOUTH
SEED = 1
in_browser = pytest.mark.asyncio(loop_scope="session")


class Demo:
    """A running demo, and what it says in the console."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._news = asyncio.Event()

    def say(self, text: str) -> None:
        self.said.extend(text.splitlines())
        self._news.set()

    async def told(self, words: str) -> str:
        """Wait for a line with these words."""
        async with asyncio.timeout(20):
            while True:
                self._news.clear()
                for line in self.said:
                    if words in line:
                        return line
                await self._news.wait()


@contextlib.asynccontextmanager
async def playing(*seats: Seat) -> AsyncIterator[Demo]:
    """A demo with the person at these seats."""
    running = Demo()
    play = Play(
        edition=Edition.LAWS_2017,
        seats=seats,
        listen=free_address(),
        speed=50,
        seed=SEED,
        opens=False,
    )
    task = asyncio.create_task(play_table(play, running.say))
    try:
        yield running
    finally:
        task.cancel()
        await asyncio.wait({task})


async def sit_down(browser: Browser, demo: Demo) -> Page:
    address = (await demo.told("http://")).strip()
    page = await new_tablet(browser)
    async with asyncio.timeout(20):
        while True:  # the daemon is a process of its own, which is starting
            with contextlib.suppress(Exception):
                await page.goto(address)
                return page


@in_browser
async def test_a_person_bids_out_of_turn_and_robots_follow_on(browser: Browser) -> None:
    async with playing(N, S) as demo:
        page = await sit_down(browser, demo)
        await asked(page, "N")
        await page.click(".help")
        await expect(page.locator("dialog")).to_contain_text("Bid out of turn")
        await page.click("dialog header button")
        await select(page, "S")
        await expect(page.locator(".held .holding")).to_have_count(4)
        await call(page, "1H")
        assert "South" in await demo.told("Law 31")
        await asked(page, "N")
        await select(page, "N")
        await call(page, "1C")
        await asked(page, "S")  # East, a robot, has called
        await page.context.close()


@in_browser
async def test_a_revoke_on_purpose_is_told_in_the_console(browser: Browser) -> None:
    async with playing(*SEATS) as demo:
        page = await sit_down(browser, demo)
        for seat, said in (("N", "1NT"), ("E", "P"), ("S", "P"), ("W", "P")):
            await asked(page, seat)
            await select(page, seat)
            await call(page, said)
        hands = deals(SEED)[1]
        await asked(page, "E")
        await select(page, "E")
        lead = next(c for c in hands[E] if any(d.suit is c.suit for d in hands[S]))
        assert await page.locator(".card:visible").count() == 13
        await card(page, lead)
        await asked(page, "N")  # declarer plays dummy's card
        await select(page, "N")
        revoke = next(c for c in hands[S] if c.suit is not lead.suit)
        await card(page, revoke)
        told = await demo.told("Director alone")
        assert "South revoked at trick 1" in told
        await page.context.close()


def test_a_seat_that_is_none_is_told() -> None:
    arguments = ["demo", "--play", "--seat", "Q", "--no-browser"]
    told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 2
    assert "expected seats of N, E, S, W" in told.output
