"""The terminals: how each stands, which box is bound to it, how a tablet joins."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from desk.catalogue import noted
from desk.gate import Asked, Page
from desk.linking import PATIENCE, NoAnswerError
from desk.live import live, version
from desk.pages.event import plan_of
from desk.parts import Parts
from desk.qr import qr_svg
from desk.rights import Right
from desk.terminal_view import TerminalCard, terminal_cards, with_codes
from desk.told import told_reason

HERE = "/terminals"

SERIAL_MAX = 32
"""Characters of a serial number, as in ``protocol.messages``."""


def _cards(asked: Asked) -> list[TerminalCard]:
    seats = plan_of(asked).seats
    return terminal_cards(asked.context.room, seats, knows=asked.may(Right.KNOW))


def _rows(asked: Asked) -> dict[str, str]:
    token = asked.context.form_token(asked.cookie)
    return {
        f"terminal-{card.id}": asked.fragment(
            "terminal_card.html",
            card=card,
            form_token=token,
            here=HERE,
            serial_max=SERIAL_MAX,
        )
        for card in _cards(asked)
    }


def _fixed(asked: Asked) -> dict[str, str]:
    summary = asked.fragment("terminals_summary.html", cards=_cards(asked))
    return {"terminals-summary": summary}


async def show(asked: Asked) -> Response:
    """The page, as it is now."""
    return asked.render(
        "terminals.html",
        version=version(asked),
        cards=_cards(asked),
        rows=_rows(asked),
    )


async def follow(asked: Asked) -> Response:
    """Its changes, as they come."""
    parts = Parts(asked, lambda: _fixed(asked), lambda: _rows(asked))
    return live(asked, parts.update)


async def assign(asked: Asked) -> Response:
    """Bind another box to a terminal; the event file has it from then on."""
    terminal, words = _known(asked), asked.words
    serial = asked.field("serial").strip()
    if asked.user is None or not 1 <= len(serial) <= SERIAL_MAX:
        told = words.text(
            "{terminal}: expected the serial number of a box, 1 to {most} characters.",
            terminal=terminal,
            most=SERIAL_MAX,
        )
        asked.notice("wrong", told)
        return RedirectResponse(HERE, HTTPStatus.SEE_OTHER)
    try:
        reply = await asked.context.link.assign(
            terminal, serial, instead=asked.field("instead"), by=asked.user.name
        )
    except NoAnswerError:
        told = words.text(
            "{terminal}: no answer within {seconds} seconds. Look whether the box is "
            "bound before you try again.",
            terminal=terminal,
            seconds=round(PATIENCE),
        )
        asked.notice("look", told)
        return RedirectResponse(HERE, HTTPStatus.SEE_OTHER)
    if reply.done:
        told = words.text(
            "{terminal}: box {serial} takes its place.",
            terminal=terminal,
            serial=serial,
        )
        asked.notice("done", told)
    else:
        told = words.text(
            "{terminal}: refused: {reason}",
            terminal=terminal,
            reason=told_reason(reply, words.language),
        )
        asked.notice("wrong", told)
    return RedirectResponse(HERE, HTTPStatus.SEE_OTHER)


async def code(asked: Asked) -> Response:
    """The QR code of a web terminal."""
    join = asked.context.room.terminals[_known(asked)].join
    if not join:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return Response(qr_svg(join), media_type="image/svg+xml")


async def codes(asked: Asked) -> Response:
    """All codes by table, to be printed."""
    return asked.render("terminal_codes.html", cards=with_codes(_cards(asked)))


def _known(asked: Asked) -> str:
    """The terminal that the address names.

    Raises:
        HTTPException: nothing was heard of it.
    """
    terminal: str = asked.request.path_params["terminal"]
    if terminal not in asked.context.room.terminals:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return terminal


PAGES = (
    Page(
        path=HERE,
        name="terminals",
        endpoint=show,
        right=Right.LOOK,
        label=noted("Terminals"),
    ),
    Page(
        path="/terminals/live",
        name="terminals-live",
        endpoint=follow,
        right=Right.LOOK,
    ),
    Page(
        path="/terminals/codes", name="terminal-codes", endpoint=codes, right=Right.KNOW
    ),
    Page(
        path="/terminals/{terminal}/qr.svg",
        name="terminal-code",
        endpoint=code,
        right=Right.KNOW,
    ),
    Page(
        path="/terminals/{terminal}/assign",
        name="assign",
        endpoint=assign,
        right=Right.DIRECT,
        method="POST",
    ),
)
