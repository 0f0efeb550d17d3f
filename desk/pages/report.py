"""The incident report of a board, to read, to print, and as PDF."""

import asyncio
import time
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from desk.auction_grid import COLUMNS
from desk.gate import Asked, Page
from desk.incident import incident_of
from desk.pages.fragments import common
from desk.pages.play import PATH
from desk.pages.table import clock_time, play_of
from desk.printing import CannotPrintError, pdf
from desk.rights import Right

SHEET = "report.css"

_PRINTING = asyncio.Semaphore(1)
"""Reports made into PDF at once: each takes a second of the machine."""


def _values(asked: Asked) -> dict[str, Any]:
    playing = play_of(asked)
    return {
        "incident": incident_of(asked.context.room, playing),
        "playing": playing,
        "columns": COLUMNS,
        "clock_time": clock_time,
        "made_at": time.strftime("%Y-%m-%d %H:%M %Z", time.localtime()),
        "made_by": asked.user.name if asked.user is not None else "",
        "event": asked.context.options.event,
        **common(asked),
    }


async def show(asked: Asked) -> Response:
    """The report as a page."""
    values = _values(asked)
    del values["event"]  # every page has it
    return asked.render("report.html", **values)


async def show_pdf(asked: Asked) -> Response:
    """The report as PDF, or what has to be installed for it."""
    values = _values(asked)
    html = asked.fragment("report_print.html", **values)
    playing = values["playing"]
    try:
        async with _PRINTING:
            printed = await asyncio.to_thread(pdf, html, SHEET)
    except CannotPrintError as error:
        return asked.render(
            "no_pdf.html",
            HTTPStatus.NOT_IMPLEMENTED,
            why=str(error).splitlines()[0][:200],
            playing=playing,
        )
    name = f"{values['event']}-{playing.table}-board-{playing.board}.pdf"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return Response(printed, media_type="application/pdf", headers=headers)


PAGES = (
    Page(path=f"{PATH}/report", name="report", endpoint=show, right=Right.KNOW),
    Page(
        path=f"{PATH}/report.pdf",
        name="report-pdf",
        endpoint=show_pdf,
        right=Right.KNOW,
    ),
)
