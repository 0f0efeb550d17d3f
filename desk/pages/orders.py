"""Commands that are given from several pages."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.responses import Response

from desk.director import Order
from desk.gate import Asked, Endpoint, Page
from desk.giving import give, number_of
from desk.rights import Right
from laws.cards import SUITS
from laws.seats import SEATS
from protocol.limits import LINE_MAX, TEXT_MAX
from protocol.one_line import one_line
from protocol.payloads import Service


async def attend(asked: Asked) -> Response:
    """The Director has seen to a call or an alarm."""
    order = Order(service=Service.ATTEND, subject=number_of(asked, "subject"))
    return await _give(asked, order)


async def happen(asked: Asked) -> Response:
    """An answer to a question, or another line of the table script."""
    line = text_of(asked, "line", LINE_MAX)
    if not line:
        raise HTTPException(HTTPStatus.BAD_REQUEST)
    return await _give(asked, Order(happening=line, play=number_of(asked, "play")))


async def award(asked: Asked) -> Response:
    """The Director adjudicates a claim (Law 70)."""
    line = f"director award {_seat(asked)} {number_of(asked, 'tricks')}"
    return await _give(asked, Order(happening=line, play=number_of(asked, "play")))


async def shown(asked: Asked) -> Response:
    """The suits that a call showed."""
    suits = "".join(suit for suit in SUITS if asked.field(f"suit-{suit}"))
    line = f"director shown {_seat(asked)} {suits or 'none'}"
    return await _give(asked, Order(happening=line, play=number_of(asked, "play")))


async def release(asked: Asked) -> Response:
    """An event that is held is judged now, or never."""
    order = Order(
        service=Service.RELEASE,
        terminal=text_of(asked, "terminal", TEXT_MAX),
        drop="drop" in asked.request.query_params,
    )
    return await _give(asked, order)


async def confirm(asked: Asked) -> Response:
    """A proposed ruling is put into effect."""
    return await _give(asked, _about_ruling(asked, Service.CONFIRM))


async def reject(asked: Asked) -> Response:
    """A proposed ruling is dropped."""
    return await _give(asked, _about_ruling(asked, Service.REJECT))


async def overrule(asked: Asked) -> Response:
    """A ruling is undone, with the reason (Law 82)."""
    order = Order(
        happening=f"director overrule {number_of(asked, 'ruling')}",
        play=play_number(asked),
        reason=text_of(asked, "reason", TEXT_MAX),
    )
    return await _give(asked, order)


async def _give(asked: Asked, order: Order) -> Response:
    table = asked.request.path_params["table"]
    return await give(asked, table, order, number_of(asked, "expects"))


def _about_ruling(asked: Asked, service: Service) -> Order:
    return Order(
        service=service,
        play=play_number(asked),
        ruling=number_of(asked, "ruling"),
        reason=text_of(asked, "reason", TEXT_MAX),
    )


def text_of(asked: Asked, name: str, most: int) -> str:
    """A line of text that a form carries, blanks at its ends taken off.

    Raises:
        HTTPException: it is longer than what the page lets one write.
    """
    text = one_line(asked.field(name))
    if len(text) > most:
        raise HTTPException(HTTPStatus.BAD_REQUEST)
    return text


def play_number(asked: Asked) -> int:
    """The playing that the address names; 404 where it names none."""
    typed = str(asked.request.path_params["play"])
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 10):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return int(typed)


def _seat(asked: Asked) -> str:
    seat = asked.field("seat")
    if seat not in set(SEATS):
        raise HTTPException(HTTPStatus.BAD_REQUEST)
    return seat


def _form(name: str, path: str, endpoint: Endpoint, right: Right) -> Page:
    path = f"/tables/{{table}}/{path}"
    return Page(path=path, name=name, endpoint=endpoint, right=right, method="POST")


PAGES = (
    _form("attend", "attend", attend, Right.DIRECT),
    _form("happen", "happen", happen, Right.DIRECT),
    _form("award", "award", award, Right.DIRECT),
    _form("shown", "shown", shown, Right.DIRECT),
    _form("release", "release", release, Right.DIRECT),
    _form("confirm", "plays/{play}/confirm", confirm, Right.DIRECT),
    _form("reject", "plays/{play}/reject", reject, Right.OVERRULE),
    _form("overrule", "plays/{play}/overrule", overrule, Right.OVERRULE),
)
