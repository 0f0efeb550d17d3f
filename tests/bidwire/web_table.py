"""A table with web terminals: real broker, referee, daemon and browser."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from broker.backoff import Backoff
from desk.director import DirectorClient
from laws.board import Edition
from laws.seats import SEATS, Seat
from protocol.payloads import TableState
from protocol.topics import Role
from referee.journal_store import open_journal
from referee.service import Referee
from referee.settings import BoardSettings, Questions, RefereeSettings, TableSettings
from referee.settings import TerminalSettings as RefereeTerminal
from terminal.daemon import Daemon
from terminal.settings import WEB, DaemonSettings, TerminalSettings
from terminal.web.settings import WebSettings
from tests.brokers import EVENT, RunningBroker, free_port, running_broker
from tests.browser import new_tablet

DAEMON = "d1"
CODE = "7ZK3Q0M1WX"
BOARDS = (BoardSettings(number=1), BoardSettings(number=2))
WAIT_SECONDS = 20.0


class WebTable:
    """One table, its terminals pages of a browser.

    Args:
        folder: for journal, broker and join codes.
        browser: shows the pages.
        broker: a running one.
        terminals: the seats of each terminal.
        language: of pages and prompts.
        boards: of the table.
        referee: other settings of the referee.
    """

    def __init__(  # noqa: PLR0913 - by keyword, and all but three have a default
        self,
        folder: Path,
        browser: Browser,
        broker: RunningBroker,
        *,
        terminals: dict[str, tuple[Seat, ...]] | None = None,
        language: str = "en",
        boards: tuple[BoardSettings, ...] = BOARDS,
        **referee: Any,  # noqa: ANN401 - any key of the referee's settings
    ) -> None:
        self.folder, self.browser, self.broker = folder, browser, broker
        self.terminals = terminals or {"console": SEATS}
        self.language = language
        self.port = free_port()
        self._event = referee
        self._boards = boards
        self._changed = asyncio.Event()
        self.director = DirectorClient(
            broker.settings(Role.DIRECTOR), EVENT, on_change=lambda _: self._notify()
        )
        self._daemon: asyncio.Task[None] | None = None
        self._referee: asyncio.Task[None] | None = None
        self._pages: list[Page] = []

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds; looked at whenever the Director hears news."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not holds():
                await self._changed.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["WebTable"]:
        """Switch everything on."""
        try:
            async with self.director:
                await self.director.connected()
                self.start_referee()
                self.start_daemon()
                yield self
        finally:
            for page in self._pages:
                await page.context.close()
            await self.stop_daemon()
            await self.stop_referee()

    def start_referee(self) -> None:
        settings = RefereeSettings(
            event=EVENT,
            broker=self.broker.settings(Role.REFEREE),
            journal=str(self.folder / "journal.sqlite"),
            edition=Edition.LAWS_2017,
            tables=(
                TableSettings(
                    id="t1",
                    terminals=tuple(
                        RefereeTerminal(
                            daemon=DAEMON, id=name, seats=seats, language=self.language
                        )
                        for name, seats in self.terminals.items()
                    ),
                    boards=self._boards,
                ),
            ),
            **({"questions": Questions.ASSUME} | self._event),
        )

        async def referee() -> None:
            async with open_journal(settings) as journal:
                await Referee(settings, journal).run()

        self._referee = asyncio.create_task(referee())

    async def stop_referee(self) -> None:
        task, self._referee = self._referee, None
        await _ended(task)

    def start_daemon(self) -> None:
        settings = DaemonSettings(
            event=EVENT,
            daemon=DAEMON,
            broker=self.broker.settings(Role.DAEMON, DAEMON),
            web=WebSettings(
                codes=str(self.folder / "codes.json"), listen=f"127.0.0.1:{self.port}"
            ),
            terminals=tuple(
                TerminalSettings(
                    id=name,
                    port=WEB,
                    table="t1",
                    seats=seats,
                    language=self.language,
                    key=CODE,
                )
                for name, seats in self.terminals.items()
            ),
        )
        # The door of a web terminal does not pause: no tablet would get through here.
        shut = Backoff(first=0.1, longest=3600, failures=16)
        daemon = Daemon(settings, backoff=lambda: shut)
        self._daemon = asyncio.create_task(daemon.run())

    async def stop_daemon(self) -> None:
        task, self._daemon = self._daemon, None
        await _ended(task)

    async def serves(self) -> None:
        """Wait until the daemon's server answers."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    await writer.wait_closed()
                    return
                await asyncio.sleep(0.01)

    async def join(
        self,
        terminal: str = "console",
        code: str = CODE,
        *,
        more: str = "",
        first: str = "",
        **device: Any,  # noqa: ANN401 - as `new_tablet` takes it
    ) -> Page:
        """A tablet of its own that opens a terminal's join address.

        Args:
            terminal: its id.
            code: to join by.
            more: what stands in the address behind them.
            first: a script that runs before the page's own.
            device: what kind of tablet.
        """
        await self.serves()
        page = await new_tablet(self.browser, **device)
        if first:
            await page.add_init_script(first)
        self._pages.append(page)
        await page.goto(f"{self.url}/#{terminal}-{code}{more}")
        return page

    def state(self) -> TableState | None:
        return self.director.room.states.get("t1")

    def auction(self) -> list[str]:
        """The calls that the referee has, as lines of the table script."""
        desk = self.director.room.desks.get("t1")
        judged = (desk.judged if desk is not None else None) or {}
        return [" ".join(made[:2]) for made in judged.get("auction", [])]

    def tricks(self) -> list[str]:
        """The cards that the referee has, hand and card each."""
        state = self.state()
        shown = (*state.last_trick, *state.trick) if state is not None else ()
        return [f"{played.hand} {played.card}" for played in shown]

    def alarms(self) -> list[str]:
        desk = self.director.room.desks.get("t1")
        return [alarm.text for alarm in desk.alarms] if desk is not None else []


@contextlib.asynccontextmanager
async def web_table(
    folder: Path,
    browser: Browser,
    **settings: Any,  # noqa: ANN401 - as `WebTable` takes it
) -> AsyncIterator[WebTable]:
    """A running table of web terminals at a broker of its own."""
    store = folder / "nats"
    store.mkdir(mode=0o700)
    async with (
        running_broker("nats", store) as broker,
        WebTable(folder, browser, broker, **settings).running() as table,
    ):
        yield table


async def select(page: Page, seat: str) -> None:
    """Put a seat of a terminal for all four to the front."""
    await page.click(f'.tab[data-seat="{seat}"]')


async def asked(page: Page, seat: str) -> None:
    """Wait until a seat's display asks for something."""
    await page.wait_for_selector(
        f'.display.asked[data-seat="{seat}"]', state="attached"
    )


async def call(page: Page, call: str) -> None:
    """Call for the seat at the front, when it may."""
    await page.click(f'[data-call="{call}"]')
    await page.click(".confirm")


async def card(page: Page, card: str) -> None:
    """Play a card for the seat at the front: touched twice."""
    await page.click(f'[data-card="{card}"]')
    await page.click(f'[data-card="{card}"]')


async def _ended(task: "asyncio.Task[None] | None") -> None:
    if task is None:
        return
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.result()
