"""What a daemon's web terminals hang on: the carrier that opens ``web://``.

The daemon serves the page and the WebSocket (F9). Who connects proves first that he
knows the terminal's join code (X8), by an opening of his own (O) with this gate; only
then does the connection become the terminal's port, in place of the one that was there:
a tablet that came back, or another one. So nobody who does not know the code disturbs
who is there.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from protocol.daemon_link import DaemonLink
from protocol.link import LinkRefused, LinkUp
from protocol.payloads import TableState
from protocol.topics import Topics
from terminal.settings import DaemonSettings, TerminalSettings, is_web
from terminal.web.connection import CloseCode, Connection, ConnectionEnded
from terminal.web.rate import JoinLimit

logger = logging.getLogger(__name__)

JOINING_S = 10.0
"""Seconds in which a connection must have proved that it knows the code."""

Intruder = Callable[[str, str], None]
"""Told of a terminal at which somebody was refused, and why."""


@dataclass
class _Place:
    """A web terminal: who waits to become its port, and who is."""

    settings: TerminalSettings
    joined: asyncio.Condition = field(default_factory=asyncio.Condition)
    waiting: Connection | None = None
    present: Connection | None = None


class WebCarrier:
    """Opens the ports of a daemon's web terminals.

    Args:
        settings: the daemon's; those of its terminals that are served here have a code.
        nonce: gives 16 fresh random bytes at each request.
        on_intruder: told when somebody is refused at a terminal.
    """

    def __init__(
        self,
        settings: DaemonSettings,
        nonce: Callable[[], bytes],
        on_intruder: Intruder,
    ) -> None:
        self._places = {t.id: _Place(t) for t in settings.terminals if is_web(t.port)}
        self._web = settings.web
        self._nonce = nonce
        self._on_intruder = on_intruder
        self._limit = JoinLimit()
        self._topics = Topics(settings.event)
        self._tables: dict[str, tuple[tuple[int, int], str]] = {}

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """The public facts of the tables at which web terminals lie."""
        tables = sorted({p.settings.table for p in self._places.values()})
        return tuple(map(self._topics.table_state, tables))

    def show(self, table: str, state: TableState) -> None:
        """Pass the public facts of a table on to the pages at it (F19)."""
        number = (state.epoch, state.number)
        before = self._tables.get(table)
        if before is not None and number < before[0]:
            return  # delivered out of order
        # The number also counts what the table may not know, such as a silent call.
        text = msgspec.json.encode(msgspec.structs.replace(state, number=0)).decode()
        self._tables[table] = number, text
        if before is not None and text == before[1]:
            return
        for place in self._places.values():
            if place.settings.table == table and place.present is not None:
                place.present.send(text)

    def take_up(self, settings: DaemonSettings) -> None:
        """Know the terminals by these settings; who proved another code has to go."""
        for terminal in settings.terminals:
            place = self._places.get(terminal.id)
            if place is None or terminal.key == place.settings.key:
                continue
            place.settings = terminal
            for connection in (place.waiting, place.present):
                if connection is not None:
                    connection.close(CloseCode.REFUSED, "the join code is another now")

    async def run(self) -> None:
        """Serve until cancelled.

        Raises:
            WebServerError: nothing can be served at the address.
        """
        if self._places and self._web is not None:
            # A room without tablets starts faster, and without a web server in memory.
            from terminal.web.server import WebServer  # noqa: PLC0415

            about = {
                terminal: {
                    "terminal": terminal,
                    "table": place.settings.table,
                    "seats": [str(seat) for seat in place.settings.seats],
                    "language": place.settings.language,
                }
                for terminal, place in self._places.items()
            }
            await WebServer(self._web, about, self._serve).run()

    async def open(
        self, settings: TerminalSettings, protocol: asyncio.Protocol
    ) -> asyncio.Transport:
        """Wait until a tablet has joined, and make it the terminal's port."""
        place = self._places[settings.id]
        async with place.joined:
            await place.joined.wait_for(lambda: place.waiting is not None)
            connection, place.waiting = place.waiting, None
        assert connection is not None  # noqa: S101 - waited for
        place.present = connection
        transport = connection.attach(protocol)
        if settings.table in self._tables:
            connection.send(self._tables[settings.table][1])
        return transport

    async def _serve(self, connection: Connection, terminal: str) -> None:
        """Serve a connection from its beginning to its end."""
        writing = asyncio.create_task(connection.write())
        try:
            place = self._places.get(terminal)
            now = asyncio.get_running_loop().time()
            if self._limit.must_wait(connection.address, now):
                connection.close(CloseCode.TOO_MANY_FAILURES, "too many failed joins")
            elif place is None:
                self._limit.failed(connection.address, now)
                connection.close(CloseCode.NO_SUCH_TERMINAL, "no such terminal")
            elif await self._proves(connection, place.settings):
                await self._join(connection, place)
        finally:
            connection.close(CloseCode.STOPPED, "the daemon has stopped")
            await writing

    async def _proves(self, connection: Connection, settings: TerminalSettings) -> bool:
        """Open a link with whoever has come, to see whether he knows the code."""
        loop = asyncio.get_running_loop()
        link = DaemonLink(self._nonce, key=settings.key_bytes)
        link.opened(loop.time())
        until = loop.time() + JOINING_S
        try:
            while True:
                for occurrence in link.events_received():
                    match occurrence:
                        case LinkUp():  # WELCOME is left to the port's own opening
                            return True
                        case LinkRefused(text=text):
                            connection.send(link.data_to_send())
                            self._refuse(connection, settings.id, text)
                            return False
                        case _:
                            pass  # noise, which the link has counted
                connection.send(link.data_to_send())
                due = min(until, link.deadline() or until)
                try:
                    async with asyncio.timeout_at(due):
                        link.receive_data(await connection.next_bytes(), loop.time())
                except TimeoutError:
                    if loop.time() >= until:
                        connection.close(CloseCode.SILENT, "it did not join")
                        return False
                    link.tick(loop.time())
        except ConnectionEnded:
            return False

    def _refuse(self, connection: Connection, terminal: str, text: str) -> None:
        self._limit.failed(connection.address, asyncio.get_running_loop().time())
        connection.close(CloseCode.REFUSED, "refused")
        told = f"a tablet at {connection.address} does not know the join code: {text}"
        logger.error("%s: refused: %s", terminal, told)
        self._on_intruder(terminal, told)

    async def _join(self, connection: Connection, place: _Place) -> None:
        async with place.joined:
            for other in (place.waiting, place.present):
                if other is not None:
                    other.close(CloseCode.REPLACED, "another tablet has joined")
            place.waiting = connection
            place.joined.notify_all()
        try:
            await connection.run()
        finally:
            if place.waiting is connection:
                place.waiting = None
            if place.present is connection:
                place.present = None
