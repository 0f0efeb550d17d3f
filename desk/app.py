"""The desk as a web application: its pages behind the gate."""

from collections.abc import Callable, Iterable
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from desk.catalogue import noted
from desk.context import Context
from desk.gate import FormExpiredError, Page, asked_of, guarded
from desk.middleware import Shield
from desk.pages import PAGES

Handler = Callable[[Request, Exception], Response]

ERRORS = {
    HTTPStatus.BAD_REQUEST: noted("The desk does not understand this request."),
    HTTPStatus.FORBIDDEN: noted("Your role may not do this."),
    HTTPStatus.NOT_FOUND: noted("There is no such page, or no such table."),
    HTTPStatus.METHOD_NOT_ALLOWED: noted("The desk does not understand this request."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: noted("That is more than the desk takes."),
    HTTPStatus.INTERNAL_SERVER_ERROR: noted(
        "Something went wrong in the desk. Its log has the reason; the referee and the"
        " tables go on."
    ),
}
FORM_EXPIRED = noted(
    "This form is out of date: the desk has restarted, or you have logged in again. "
    "Nothing was done."
)


def create_app(context: Context, pages: Iterable[Page] = PAGES) -> ASGIApp:
    """The application.

    Args:
        context: what the pages work with.
        pages: each is behind the gate, and stands in the navigation by its label.
    """
    pages = tuple(pages)
    app = Starlette(
        routes=[
            *(
                Route(page.path, guarded(context, page), methods=[page.method])
                for page in pages
            ),
            Mount("/static", StaticFiles(packages=[("desk", "static")])),
        ],
        exception_handlers={HTTPException: _wrong(context), 500: _wrong(context)},
    )
    app.state.pages = pages
    return Shield(app, context.options.hosts)


def _wrong(context: Context) -> Handler:
    """Answers what cannot be answered with a page that says why."""

    def answer(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        source = ERRORS.get(HTTPStatus(status), HTTPStatus(status).phrase)
        if isinstance(error, FormExpiredError):
            source = FORM_EXPIRED
        asked = asked_of(context, request)
        told = asked.words.text(source)
        response = asked.render("error.html", status, code=status, told=told)
        if isinstance(error, HTTPException):
            response.headers.update(error.headers or {})
        return response

    return answer
