"""The room: all tables at a glance, the most urgent first, live."""

from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from desk.catalogue import noted
from desk.gate import Asked, Page
from desk.live import Update, live, version
from desk.rights import Right
from desk.room_view import (
    Filter,
    Summary,
    TableView,
    Urgency,
    in_order,
    summary,
    table_view,
)
from desk.words import SEATS

ROW = "room_table.html"

WAITING = {Urgency.CALL, Urgency.HELD, Urgency.PROPOSED, Urgency.ALARM}
"""Why the Director is wanted himself; the window's title counts these tables."""


def _id(view: TableView) -> str:
    """Of the table's element on the page."""
    return f"table-{view.id}"


def _ids(views: list[TableView]) -> tuple[str, ...]:
    return tuple(_id(view) for view in views)


def _filter(asked: Asked) -> Filter:
    asked_for = asked.request.query_params
    words = asked_for.get("q", "")[:100].casefold().split()
    section = asked_for.get("section", "*")
    return Filter(None if section == "*" else section, tuple(words))


@dataclass
class Watched:
    """The tables as one page last saw them."""

    asked: Asked
    filter: Filter
    views: dict[str, TableView] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    parts: dict[str, str] = field(default_factory=dict)
    last_title: str = ""

    def look(self, tables: set[str] | None = None) -> list[TableView]:
        """See these tables as they are now, or all; returns those wanted, in order."""
        room = self.asked.context.room
        knows = self.asked.may(Right.KNOW)
        known = room.tables()
        for table in known:
            if tables is None or table in tables or table not in self.views:
                self.views[table] = table_view(room, table, knows=knows)
        for table in self.views.keys() - set(known):
            del self.views[table]
        return in_order(v for v in self.views.values() if self.filter.takes(v))

    def row(self, view: TableView) -> str:
        """A table, drawn."""
        return self.asked.fragment(ROW, table=view)

    def summary(self, shown: int) -> str:
        """The room in numbers, drawn."""
        return self.asked.fragment("room_summary.html", **self.counted(shown))

    def counted(self, shown: int) -> dict[str, Any]:
        """What the numbers are drawn from."""
        found: Summary = summary(self.views.values())
        return {"summary": found, "shown": shown, "filter": self.filter}

    def link(self) -> str:
        """How the desk stands to the event, drawn."""
        return self.asked.fragment("link.html", link=self.asked.context.link.state)

    def title(self) -> str:
        """The window's: how many tables need somebody."""
        waiting = sum(view.urgency in WAITING for view in self.views.values())
        event = self.asked.context.options.event
        told = self.asked.words.text("Room - {event}", event=event)
        return f"({waiting}) {told}" if waiting else told

    def update(self, since: int) -> Update:
        """What has changed on the page after a change, all after 0.

        Nothing is sent that looks as before: else who may only look could tell from
        what comes when a player has called the Director silently.
        """
        changed = self.asked.context.room.changed_since(since)
        is_first = not self.views
        if is_first:  # the page was drawn by another request, at the change ``since``
            self.order = _ids(self.look())
        missed = changed if is_first else set()
        before = {t: view for t, view in self.views.items() if t not in missed}
        shown = self.look(changed)
        order = _ids(shown)
        drawn = [v for v in shown if before.get(v.id) != v or _id(v) not in self.order]
        fragments = {_id(view): self.row(view) for view in drawn}
        fragments |= self._changed_parts(len(shown))
        is_moved = is_first or order != self.order
        self.order = order
        title = self.title()
        is_renamed, self.last_title = title != self.last_title, title
        return Update(
            fragments=fragments,
            order=order if is_moved else None,
            announce=tuple(self._news(before, shown)) if since else (),
            title=title if is_renamed else "",
        )

    def _changed_parts(self, shown: int) -> dict[str, str]:
        """The parts of the page beside the tables that look different by now."""
        now = {"summary": self.summary(shown), "link": self.link()}
        changed = {
            name: part for name, part in now.items() if part != self.parts.get(name)
        }
        self.parts = now
        return changed

    def _news(self, before: dict[str, TableView], shown: list[TableView]) -> list[str]:
        """What a Director must hear of: calls, and tables that wait for him."""
        words, news = self.asked.words, []
        for view in shown:
            old = before.get(view.id)
            known = {call.id for call in old.calls} if old is not None else set()
            for call in view.calls:
                if call.id not in known:
                    told = words.text(
                        "Table {table}: {seat} calls the Director",
                        table=view.id,
                        seat=words.text(SEATS[call.seat]),
                    )
                    news.append(told)
            if view.holds and (old is None or not old.holds):
                told = words.text("Table {table} waits for the Director", table=view.id)
                news.append(told)
        return news


async def show(asked: Asked) -> Response:
    """The page, as it is now."""
    watched = Watched(asked, _filter(asked))
    tables = watched.look()
    return asked.render(
        "room.html",
        tables=tables,
        title=watched.title(),
        version=version(asked),
        query=asked.request.query_params.get("q", ""),
        **watched.counted(len(tables)),
    )


async def follow(asked: Asked) -> Response:
    """Its changes, as they come."""
    return live(asked, Watched(asked, _filter(asked)).update)


PAGES = (
    Page(path="/", name="room", endpoint=show, right=Right.LOOK, label=noted("Room")),
    Page(path="/live", name="room-live", endpoint=follow, right=Right.LOOK),
)
