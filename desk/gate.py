"""The gate that every request passes: who is it, may he, is the form his own."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Message

from desk.catalogue import Catalogue, catalogue
from desk.context import Context, cookie_name, is_secure
from desk.languages import language_of
from desk.rights import Right, may
from desk.sessions import Session, new_id
from desk.templating import rendered
from desk.users import User

FORM_BYTES = 64 * 1024
"""Bytes of a form, unless its page takes more."""

OVER = "event: over\ndata: \n\n"
"""Tells a page that is kept open that its user is not logged in any more."""

FORM_FIELDS = 1000
"""Fields of a form at most: more than a room has tables."""

_SURROGATE = re.compile("[\ud800-\udfff]")

FORM_S = 30.0
"""Seconds in which a form must have come."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that has passed the gate."""

    context: Context
    request: Request
    page: "Page | None"
    session: Session | None
    user: User | None
    cookie: str
    """What the browser's cookie holds; a new visitor's is set by the answer."""
    words: Catalogue
    form: FormData

    def may(self, right: Right) -> bool:
        """Whether the user has a right; nobody has one before he has logged in."""
        return self.user is not None and may(self.user.role, right)

    def field(self, name: str) -> str:
        """A field of the form as text, empty where there is none."""
        value = self.form.get(name, "")
        return "" if isinstance(value, UploadFile) else value

    def render(
        self, template: str, status: int = HTTPStatus.OK, **values: object
    ) -> Response:
        """A page from its template, with what all pages show."""
        notices = list(self.session.notices) if self.session is not None else []
        if self.session is not None:
            self.session.notices.clear()
        page = self.fragment(
            template,
            event=self.context.options.event,
            user=self.user,
            here=_here(self.request),
            form_token=self.context.form_token(self.cookie),
            link=self.context.link.state,
            notices=notices,
            current=self.page.name if self.page is not None else "",
            pages=self._navigation(),
            **values,
        )
        response = HTMLResponse(page, status)
        if self.session is None:
            self.keep_cookie(response, self.cookie)
        return response

    def _navigation(self) -> list["Page"]:
        """The pages that the user may go to from any other."""
        pages: tuple[Page, ...] = self.request.app.state.pages
        return [p for p in pages if p.label and p.right and self.may(p.right)]

    def fragment(self, template: str, **values: object) -> str:
        """A part of a page from its template."""
        return rendered(
            template,
            self.words.language,
            may=lambda right: self.may(Right(right)),
            **values,
        )

    def keep_cookie(self, response: Response, value: str) -> None:
        """Give the browser its cookie."""
        response.set_cookie(
            cookie_name(self.request),
            value,
            path="/",
            secure=is_secure(self.request),
            httponly=True,
            samesite="strict",
        )

    def drop_cookie(self, response: Response) -> None:
        """Take the browser's cookie away."""
        response.delete_cookie(
            cookie_name(self.request),
            path="/",
            secure=is_secure(self.request),
            httponly=True,
            samesite="strict",
        )

    def notice(self, kind: str, text: str) -> None:
        """Tell the user something on the next page that he gets.

        Args:
            kind: ``done``, ``look`` (again) or ``wrong``.
            text: in his language.
        """
        if self.session is not None:
            self.session.notices.append((kind, text))

    def back(self) -> Response:
        """Send the browser back to the page that the form was on."""
        return RedirectResponse(local_path(self.field("back")), HTTPStatus.SEE_OTHER)


Endpoint = Callable[[Asked], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page, or what a form is sent to.

    Attributes:
        path: as Starlette writes it: ``/tables/{table}``.
        name: unique; the page's name in the navigation.
        endpoint: makes the answer.
        right: what it asks for; None is for everyone, logged in or not.
        method: ``GET`` or ``POST``.
        label: its text in the navigation; empty keeps it out.
        form_bytes: of a form at most.
    """

    path: str
    name: str
    endpoint: Endpoint
    right: Right | None
    method: str = "GET"
    label: str = ""
    form_bytes: int = FORM_BYTES


def asked_of(context: Context, request: Request, page: Page | None = None) -> Asked:
    """Who asks, before anything is decided."""
    cookie = request.cookies.get(cookie_name(request), "")
    known = context.login(cookie) if cookie else None
    session, user = known if known is not None else (None, None)
    request.state.user = user.name if user is not None else "-"
    language = language_of(user, request.headers.get("accept-language", ""))
    return Asked(
        context,
        request,
        page,
        session,
        user,
        cookie or new_id(),
        catalogue(language),
        FormData(),
    )


def guarded(context: Context, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """What Starlette calls for a page."""

    async def endpoint(request: Request) -> Response:
        asked = asked_of(context, request, page)
        if page.right is not None and asked.user is None:
            return _to_login(asked)
        if page.right is not None and not asked.may(page.right):
            raise HTTPException(HTTPStatus.FORBIDDEN)
        if page.method != "POST":
            return await page.endpoint(asked)
        limited = _limited(request, page.form_bytes)
        try:
            form = await _form(limited, page)
            if not context.is_form_token(form.get("form_token"), asked.cookie):
                raise FormExpiredError
            return await page.endpoint(_with_form(asked, form))
        finally:
            await limited.close()

    return endpoint


async def _form(request: Request, page: Page) -> FormData:
    """The form of a request: all of it, in time, and of characters that exist."""
    try:
        async with asyncio.timeout(FORM_S):
            form = await request.form(
                max_files=10, max_fields=FORM_FIELDS, max_part_size=page.form_bytes
            )
    except TimeoutError:
        # The rest of it is waited for no more (RFC 9110, 15.5.9).
        closing = {"connection": "close"}
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, headers=closing) from None
    except UnicodeError:  # in the charset that it names
        raise HTTPException(HTTPStatus.BAD_REQUEST) from None
    for name, value in form.multi_items():
        # A form may name a charset of Python's that decodes to half a character.
        text = value if isinstance(value, str) else value.filename or ""
        if _SURROGATE.search(name + text):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
    return form


class FormExpiredError(HTTPException):
    """A form that no page of this browser's sent, or one of before a restart."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.FORBIDDEN, "form")


def _with_form(asked: Asked, form: FormData) -> Asked:
    return Asked(
        asked.context,
        asked.request,
        asked.page,
        asked.session,
        asked.user,
        asked.cookie,
        asked.words,
        form,
    )


def _to_login(asked: Asked) -> Response:
    """Ask to log in, and then go on where the user wanted to."""
    request = asked.request
    if "text/event-stream" in request.headers.get("accept", ""):
        return Response(OVER, media_type="text/event-stream")
    there = _here(request) if request.method == "GET" else "/"
    url = f"/login?next={quote(there, safe='')}"
    return RedirectResponse(url, HTTPStatus.SEE_OTHER)


def _here(request: Request) -> str:
    url = request.url
    return f"{url.path}?{url.query}" if url.query else url.path


def local_path(path: str) -> str:
    """A path of the desk, as a form has it; the room instead of anything else.

    A browser takes two slashes, or a slash and a backslash, for another site.
    """
    try:
        url = urlsplit(path)
    except ValueError:
        return "/"
    local = path.startswith("/") and not url.scheme and not url.netloc
    plain = path.isprintable() and "\\" not in path and " " not in path
    return path if local and plain and not path.startswith("//") else "/"


def _limited(request: Request, limit: int) -> Request:
    """The request, of which no more than so many bytes are read."""
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    left = limit

    async def receive() -> Message:
        nonlocal left
        message: Any = await request.receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return dict(message)

    return Request(request.scope, receive)
