"""A board at a table: what stands, adjusted scores, penalties, its rulings."""

from http import HTTPStatus

from starlette.responses import Response

from desk.director import Order
from desk.gate import Asked, Page
from desk.giving import give, number_of
from desk.pages.fragments import common
from desk.pages.table import play_of
from desk.play_view import PlayView
from desk.rights import Right
from desk.score_forms import ROWS, ScoreForm
from desk.words import ARTIFICIAL
from protocol.payloads import Service

PATH = "/tables/{table}/plays/{play}"


async def show(asked: Asked) -> Response:
    """The page."""
    return _page(asked, play_of(asked), ScoreForm())


def _page(asked: Asked, playing: PlayView, form: ScoreForm) -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.wrong else HTTPStatus.OK
    values = common(asked) | {"back": _path(playing)}
    return asked.render(
        "play.html",
        status,
        playing=playing,
        typed=form.fields,
        wrong=form.wrong,
        artificial=ARTIFICIAL,
        score_rows=ROWS,
        **values,
    )


def _path(playing: PlayView) -> str:
    return f"/tables/{playing.table}/plays/{playing.play}"


def _typed(asked: Asked) -> ScoreForm:
    return ScoreForm({name: asked.field(name)[:200] for name in asked.form})


async def adjust(asked: Asked) -> Response:
    """An adjusted score, or taking one back (Law 12)."""
    playing, form = play_of(asked), _typed(asked)
    if asked.field("do") == "withdraw":
        given = form.withdrawal(asked.words)
    else:
        given = form.adjustment(playing.course.vulnerable, asked.words)
    if given is None:
        return _page(asked, playing, form)
    order = Order(service=Service.ADJUST, play=playing.play, adjustment=given)
    return await give(asked, playing.table, order, number_of(asked, "expects"))


async def penalize(asked: Asked) -> Response:
    """A procedural penalty, or taking one back (Laws 90, 91)."""
    playing, form = play_of(asked), _typed(asked)
    given = form.penalty(asked.words)
    if given is None:
        reason = form.fields.get("reason", "")
        form.fields = {**form.fields, "reason": "", "penalty_reason": reason}
        return _page(asked, playing, form)
    order = Order(service=Service.PENALTY, play=playing.play, penalty=given)
    return await give(asked, playing.table, order, number_of(asked, "expects"))


PAGES = (
    Page(path=PATH, name="play", endpoint=show, right=Right.KNOW),
    Page(
        path=f"{PATH}/adjust",
        name="adjust",
        endpoint=adjust,
        right=Right.ADJUST,
        method="POST",
    ),
    Page(
        path=f"{PATH}/penalty",
        name="penalty",
        endpoint=penalize,
        right=Right.ADJUST,
        method="POST",
    ),
)
