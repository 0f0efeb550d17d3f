"""A table: auction and play as they happen, what waits, rulings, log and displays."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from desk.auction_grid import COLUMNS, rows_of
from desk.director import Order
from desk.gate import Asked, Page
from desk.giving import give, number_of
from desk.live import Update, is_current, live, version
from desk.pages.fragments import fragment
from desk.pages.orders import play_number
from desk.play_view import PlayView, log_of, play_view, plays_of
from desk.rights import Right
from desk.room import Room
from desk.room_view import table_view
from desk.waiting import waiting_at
from desk.words import SEATS
from protocol.payloads import RulingPublished, Service, TableState


def table_of(asked: Asked) -> str:
    """The table that the address names; 404 where the room has none."""
    table = str(asked.request.path_params["table"])
    if table not in asked.context.room.tables():
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return table


def play_of(asked: Asked) -> PlayView:
    """The playing that the address names; 404 where nothing was heard of it."""
    table = table_of(asked)
    found = play_view(asked.context.room, table, play_number(asked))
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return found


def clock_time(at: float | None) -> str:
    """Time of day, where the desk runs, of Unix seconds."""
    return time.strftime("%H:%M:%S", time.localtime(at)) if at is not None else ""


Part = tuple[str, object, str]
"""Id of a part of a page, what it hangs on, and its HTML."""


@dataclass
class WatchedTable:
    """A table as one page last saw it.

    Attributes:
        asked: by whom.
        table: which one.
        seen: what each part of the page hung on.
        calls: for the Director, by their ids.
        last_title: of the window.
    """

    asked: Asked
    table: str
    seen: dict[str, object] = field(default_factory=dict)
    calls: frozenset[int] = frozenset()
    last_title: str = ""

    def look(self) -> list[Part]:
        """The parts of the page as they are now."""
        return list(self._parts())

    def _parts(self) -> Iterator[Part]:
        room = self.asked.context.room
        knows = self.asked.may(Right.KNOW)
        view = table_view(room, self.table, knows=knows)
        playing = play_view(room, self.table) if knows else None
        values: dict[str, Any] = {"table": view, "state": view.state}
        values["playing"] = playing
        # The clock in it goes on by itself, so that it is no reason to draw it anew.
        still = self._drawn(
            "table_head.html", {**values, "table": replace(view, age=None)}
        )
        yield "head", still, self._drawn("table_head.html", values)
        if knows:
            waiting = waiting_at(room, self.table)
            yield self._part("waiting", "table_waiting.html", waiting=waiting, **values)
        yield self._part(
            "auction",
            "table_auction.html",
            rows=_rows(view.state, playing),
            columns=COLUMNS,
            **values,
        )
        yield self._part("play", "table_play.html", columns=COLUMNS, **values)
        if playing is not None:
            yield from self._known(playing, values)
        else:
            told = told_rulings(room, self.table, view.state)
            yield self._part("rulings", "table_told.html", rulings=told)
            for name in ("hands", "displays", "boards", "log") if knows else ():
                # Their places, for when the first board is opened.
                empty = f'<section id="{name}" hidden></section>'
                yield name, empty, empty
        yield self._link()

    def _known(self, playing: PlayView, values: dict[str, Any]) -> Iterator[Part]:
        """The parts that only those see who may know."""
        room = self.asked.context.room
        yield self._part("hands", "table_hands.html", **values)
        yield self._part("rulings", "table_rulings.html", **values)
        shown = room.displays.get(self.table)
        displays = shown.displays if shown is not None else ()
        yield self._part("displays", "table_displays.html", displays=displays)
        lines = log_of(room, self.table, playing.play)[::-1]
        yield self._part("log", "table_log.html", lines=lines, clock_time=clock_time)
        earlier = plays_of(room, self.table)
        yield self._part("boards", "table_boards.html", results=earlier, **values)

    def _link(self) -> Part:
        html = self.asked.fragment("link.html", link=self.asked.context.link.state)
        return "link", html, html

    def _part(self, name: str, template: str, **values: Any) -> Part:  # noqa: ANN401 - of the template
        html = self._drawn(template, values)
        return name, html, html

    def _drawn(self, template: str, values: dict[str, Any]) -> str:
        return fragment(self.asked, template, **values)

    def take(self, parts: list[Part]) -> dict[str, str]:
        """Remember the parts; returns those that look different by now."""
        changed = {
            name: html
            for name, hangs_on, html in parts
            if name not in self.seen or self.seen[name] != hangs_on
        }
        self.seen |= {name: hangs_on for name, hangs_on, _ in parts}
        return changed

    def news(self) -> list[str]:
        """The calls for the Director that were not there before."""
        room, words = self.asked.context.room, self.asked.words
        knows = self.asked.may(Right.KNOW)
        calls = waiting_at(room, self.table).calls if knows else ()
        known, self.calls = self.calls, frozenset(call.id for call in calls)
        return [
            words.text(
                "Table {table}: {seat} calls the Director",
                table=self.table,
                seat=words.text(SEATS[call.seat]),
            )
            for call in calls
            if call.id not in known
        ]

    def title(self) -> str:
        """The window's."""
        room = self.asked.context.room
        knows = self.asked.may(Right.KNOW)
        waits = knows and waiting_at(room, self.table).is_any
        told = self.asked.words.text("Table {table}", table=self.table)
        return f"(!) {told}" if waits else told

    def update(self, since: int) -> Update:
        """What has changed on the page after a change, all after 0.

        Nothing is sent that looks as before, for the same reason as in the room.
        """
        is_known = bool(self.seen)
        is_moved = self.table in self.asked.context.room.changed_since(since)
        changed = self.take(self.look() if is_moved or not is_known else [self._link()])
        news, title = self.news(), self.title()
        is_renamed, self.last_title = title != self.last_title, title
        return Update(
            fragments=changed,
            announce=tuple(news) if since and is_known else (),
            title=title if is_renamed else "",
        )


def _rows(state: TableState | None, playing: PlayView | None) -> list[Any]:
    """The auction's rows: with withdrawn calls for who may know them."""
    if playing is not None:
        return list(rows_of(playing.course.calls, playing.course.dealer))
    if state is not None:
        return list(rows_of(state.auction, state.dealer))
    return []


def told_rulings(
    room: Room, table: str, state: TableState | None
) -> list[RulingPublished]:
    """The rulings on the running board that the table knows, in order."""
    if state is None:
        return []
    return [
        ruling
        for (of, _), ruling in sorted(room.rulings.items())
        if of == table and ruling.play == state.play
    ]


async def show(asked: Asked) -> Response:
    """The page, as it is now."""
    watched = WatchedTable(asked, table_of(asked))
    parts = {name: html for name, _, html in watched.look()}
    return asked.render(
        "table.html",
        name=watched.table,
        parts=parts,
        title=watched.title(),
        version=version(asked),
    )


async def follow(asked: Asked) -> Response:
    """Its changes, as they come."""
    watched = WatchedTable(asked, table_of(asked))
    if is_current(asked):
        # The page looks as the table does now, so that only what changes is sent.
        watched.take(watched.look())
        watched.news()
        watched.last_title = watched.title()
    return live(asked, watched.update)


async def ask_for_hands(asked: Asked) -> Response:
    """The Director asks for the hands of a playing; the log says so."""
    order = Order(service=Service.HANDS, play=number_of(asked, "play"))
    return await give(asked, table_of(asked), order, number_of(asked, "expects"))


PAGES = (
    Page(path="/tables/{table}", name="table", endpoint=show, right=Right.LOOK),
    Page(
        path="/tables/{table}/live",
        name="table-live",
        endpoint=follow,
        right=Right.LOOK,
    ),
    Page(
        path="/tables/{table}/hands",
        name="hands",
        endpoint=ask_for_hands,
        right=Right.KNOW,
        method="POST",
    ),
)
