"""Deals: a file from the Director, looked at, and sent to the tables."""

import asyncio
import logging
from dataclasses import dataclass

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from desk.director import Order
from desk.gate import Asked, Page
from desk.giving import give_each
from desk.pages import event
from desk.progress import place_of
from desk.rights import Right
from desk.room_view import natural
from desk.tools import BoardDeal, DealFile, Planned
from laws.board import parse_deal
from laws.cards import RANKS, Suit
from laws.seats import SEATS, Seat
from protocol.payloads import Service

LOG = logging.getLogger(__name__)

HERE = "/event/deals"

FILE_BYTES = 1024 * 1024
"""Of a file of deals at most: ten times what dealing programs write for 36 boards."""

KEPT = "deals"
"""The file that is looked at, among what a session keeps."""

NAME_MAX = 100
"""Characters of a file's name that are shown."""


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal of the file, and where it may go.

    Attributes:
        deal: the deal.
        fits: tables that have the board still to play.
        begun: tables that have begun it, or are through with it.
    """

    deal: BoardDeal
    fits: tuple[str, ...]
    begun: tuple[str, ...]


def _kept(asked: Asked) -> DealFile | None:
    return asked.session.kept.get(KEPT) if asked.session is not None else None


def _views(asked: Asked, file: DealFile) -> list[DealView]:
    """Where each deal may go; the referee decides on tables without a plan."""
    room, plan = asked.context.room, event.plan_of(asked)
    fits: dict[int, list[str]] = {}
    begun: dict[int, list[str]] = {}
    for table in sorted(room.desks.keys() & room.states.keys(), key=natural):
        planned, state = plan.tables.get(table, ()), room.states[table]
        place = place_of(state, planned)
        if place is None:
            planned = tuple(Planned(each.board, 0) for each in file.deals)
            place = 0
        for at, each in enumerate(planned):
            (fits if at >= place else begun).setdefault(each.board, []).append(table)
    return [
        DealView(
            deal, tuple(fits.get(deal.board, ())), tuple(begun.get(deal.board, ()))
        )
        for deal in file.deals
    ]


async def show(asked: Asked) -> Response:
    """The deals of the file, without their hands unless one is asked for."""
    file = _kept(asked)
    if file is None:
        return RedirectResponse(event.HERE, 303)
    wanted = asked.request.query_params.get("hands", "")
    deal = next((d for d in file.deals if str(d.board) == wanted), None)
    if deal is not None and asked.user is not None:
        LOG.info("%s looks at the hands of board %d", asked.user.name, deal.board)
    return asked.render(
        "deals.html",
        file=file,
        deals=_views(asked, file),
        shown=deal,
        hands=_hands(deal) if deal is not None else {},
        limit=FILE_BYTES // 1024,
    )


def _hands(deal: BoardDeal) -> dict[Seat, list[tuple[Suit, str]]]:
    """Each seat's suits from spades to clubs, the ranks from the highest."""
    return {
        seat: [
            (
                suit,
                "".join(
                    rank
                    for rank in reversed(RANKS)
                    if any(c.suit is suit and c.rank == rank for c in hand)
                ),
            )
            for suit in reversed(Suit)
        ]
        for seat, hand in zip(SEATS, parse_deal(deal.deal), strict=True)
    }


async def load(asked: Asked) -> Response:
    """Read a file, and keep it to be looked at."""
    tools, upload = asked.context.tools, asked.form.get("file")
    if tools is None or asked.session is None:
        raise HTTPException(404)
    name = upload.filename if isinstance(upload, UploadFile) else ""
    if not isinstance(upload, UploadFile) or not name:
        asked.notice("wrong", asked.words.text("Choose a file first."))
        return RedirectResponse(event.HERE, 303)
    data = await upload.read()
    told = name.replace("\\", "/").rpartition("/")[2][-NAME_MAX:]
    file = await asyncio.to_thread(tools.read_deals, told, data)
    asked.session.kept[KEPT] = file
    return RedirectResponse(HERE, 303)


async def send(asked: Asked) -> Response:
    """Send the deals of the boards that are marked, or of all, to the tables."""
    file = _kept(asked)
    if file is None:
        return RedirectResponse(event.HERE, 303)
    marked = {str(board) for board in asked.form.getlist("board")}
    orders: dict[str, list[Order]] = {}
    for view in _views(asked, file):
        deal = view.deal
        if marked and str(deal.board) not in marked:
            continue
        order = Order(service=Service.DEAL, board=deal.board, deal=deal.deal)
        for table in view.fits:
            orders.setdefault(table, []).append(order)
    outcomes = await give_each(asked, orders)
    if asked.session is not None and all(o.kind == "done" for o in outcomes):
        asked.session.kept.pop(KEPT, None)
    heading = asked.words.text("Sending the deals of {file}", file=file.name)
    return event.tell(asked, heading, outcomes)


async def drop(asked: Asked) -> Response:
    """Forget the file."""
    if asked.session is not None:
        asked.session.kept.pop(KEPT, None)
    return RedirectResponse(event.HERE, 303)


PAGES = (
    Page(path=HERE, name="deals", endpoint=show, right=Right.DIRECT),
    Page(
        path=HERE,
        name="load-deals",
        endpoint=load,
        right=Right.DIRECT,
        method="POST",
        form_bytes=FILE_BYTES,
    ),
    Page(
        path="/event/deals/send",
        name="send-deals",
        endpoint=send,
        right=Right.DIRECT,
        method="POST",
    ),
    Page(
        path="/event/deals/drop",
        name="drop-deals",
        endpoint=drop,
        right=Right.DIRECT,
        method="POST",
    ),
)
