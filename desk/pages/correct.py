"""Taking a mis-keyed call or card back: choose the line, then what really happened."""

from dataclasses import dataclass
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.responses import Response

from desk.director import Order
from desk.gate import Asked, Page
from desk.giving import give, number_of
from desk.pages.fragments import common
from desk.pages.orders import text_of
from desk.pages.play import PATH
from desk.pages.table import play_of
from desk.play_view import PlayView
from desk.rights import Right
from laws.actions import MakeCall, PlayCards
from laws.calls import Call
from laws.cards import Card
from laws.header import ScriptError
from laws.script import parse_line
from laws.seats import Seat
from protocol.limits import LINE_MAX, TEXT_MAX


@dataclass(frozen=True, slots=True)
class Chosen:
    """The line that is wrong.

    Attributes:
        line: its number.
        text: as it stands.
        kind: ``call`` or ``card``; empty for anything else.
        seat: who called, or the hand of the card.
        alert: the mark and the explanation of an alerted call.
    """

    line: int
    text: str
    kind: str = ""
    seat: Seat | None = None
    alert: str = ""


def chosen_of(playing: PlayView, line: int) -> Chosen:
    """A line of a board; 404 where it has none."""
    if not 1 <= line <= len(playing.course.lines):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    text = playing.course.lines[line - 1]
    try:
        action = parse_line(text)
    except ScriptError:  # of a referee that knows more
        return Chosen(line, text)
    match action:
        case MakeCall(seat=seat, alerted=alerted, explanation=explanation):
            alert = f"! {explanation}".rstrip() if alerted else ""
            return Chosen(line, text, "call", seat, alert)
        case PlayCards(hand=hand, cards=(_,)):
            return Chosen(line, text, "card", hand)
        case _:
            return Chosen(line, text)


async def show(asked: Asked) -> Response:
    """The lines; of the one chosen, what may have happened instead."""
    playing = play_of(asked)
    typed = asked.request.query_params.get("line", "")
    chosen = chosen_of(playing, number_of(asked, "line")) if typed else None
    return asked.render("correct.html", playing=playing, chosen=chosen, **common(asked))


async def correct(asked: Asked) -> Response:
    """The line was really another, or never happened (Law 85)."""
    playing = play_of(asked)
    chosen = chosen_of(playing, number_of(asked, "line"))
    instead = _instead(asked, chosen)
    order = Order(
        happening=f"director correct {chosen.line} {instead}".rstrip(),
        play=playing.play,
        reason=text_of(asked, "reason", TEXT_MAX),
    )
    return await give(asked, playing.table, order, number_of(asked, "expects"))


def _instead(asked: Asked, chosen: Chosen) -> str:
    """What really happened, as a line of the script; empty for nothing."""
    to = asked.field("to")
    if to == "never":
        return ""
    if to == "other":
        happened = text_of(asked, "happened", LINE_MAX - len("director correct 99999 "))
        if happened:
            return happened
    elif asked.field("seat") in set(Seat) and to in {*Call, *Card}:
        alert = text_of(asked, "alert", LINE_MAX) if chosen.kind == "call" else ""
        return f"{asked.field('seat')} {to}{alert}"
    raise HTTPException(HTTPStatus.BAD_REQUEST)


PAGES = (
    Page(path=f"{PATH}/correct", name="correct", endpoint=show, right=Right.DIRECT),
    Page(
        path=f"{PATH}/correct",
        name="correct-it",
        endpoint=correct,
        right=Right.DIRECT,
        method="POST",
    ),
)
