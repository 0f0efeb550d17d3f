"""What waits for the Director at all tables, the most urgent first, live."""

from dataclasses import dataclass

from starlette.responses import Response

from desk.catalogue import noted
from desk.gate import Asked, Page
from desk.live import live, version
from desk.pages.fragments import fragment
from desk.pages.room import Watched
from desk.rights import Right
from desk.room import Room
from desk.room_view import Filter, TableView
from desk.waiting import waiting_at


@dataclass(frozen=True, slots=True)
class WhereWaited(Filter):
    """The tables at which something waits for the Director, or is his secret."""

    room: Room | None = None

    def takes(self, view: TableView) -> bool:
        """Whether a table is one of them."""
        if self.room is None:
            return False
        waiting = waiting_at(self.room, view.id)
        return waiting.is_any or bool(waiting.suspicions)


@dataclass
class WatchedCalls(Watched):
    """The tables that wait, as one page last saw them."""

    def row(self, view: TableView) -> str:
        """What waits at a table, drawn."""
        waiting = waiting_at(self.asked.context.room, view.id)
        return fragment(self.asked, "calls_table.html", table=view, waiting=waiting)

    def summary(self, shown: int) -> str:
        """How many there are, drawn."""
        return self.asked.fragment("calls_summary.html", shown=shown)

    def title(self) -> str:
        """The window's: how many tables wait."""
        room = self.asked.context.room
        waiting = sum(waiting_at(room, table).is_any for table in self.views)
        told = self.asked.words.text("Calls for the Director")
        return f"({waiting}) {told}" if waiting else told


def _watched(asked: Asked) -> WatchedCalls:
    return WatchedCalls(asked, WhereWaited(room=asked.context.room))


async def show(asked: Asked) -> Response:
    """The page, as it is now."""
    watched = _watched(asked)
    tables = watched.look()
    return asked.render(
        "calls.html",
        rows=[watched.row(view) for view in tables],
        shown=len(tables),
        title=watched.title(),
        version=version(asked),
    )


async def follow(asked: Asked) -> Response:
    """Its changes, as they come."""
    return live(asked, _watched(asked).update)


PAGES = (
    Page(
        path="/calls",
        name="calls",
        endpoint=show,
        right=Right.KNOW,
        label=noted("Calls"),
    ),
    Page(path="/calls/live", name="calls-live", endpoint=follow, right=Right.KNOW),
)
