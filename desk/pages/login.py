"""Logging in and out."""

import asyncio
import math
from http import HTTPStatus

from starlette.responses import RedirectResponse, Response

from desk.gate import Asked, Page, local_path
from desk.passwords import fits

_CHECKS = asyncio.Semaphore(2)
"""Passwords checked at once: each takes 64 MiB for a tenth of a second."""


async def show(asked: Asked) -> Response:
    """The form, or the room for who is logged in already."""
    there = local_path(asked.request.query_params.get("next", "/"))
    if asked.user is not None:
        return RedirectResponse(there, HTTPStatus.SEE_OTHER)
    return _form(asked, there, "")


def _form(
    asked: Asked, there: str, wrong: str, status: int = HTTPStatus.OK
) -> Response:
    return asked.render(
        "login.html", status, next=there, wrong=wrong, name=asked.field("name")
    )


async def log_in(asked: Asked) -> Response:
    """Check the password; the login gets an id that the browser did not have."""
    context, words = asked.context, asked.words
    name, there = asked.field("name"), local_path(asked.field("next"))
    client = asked.request.client
    address = client.host if client is not None else ""
    wait = context.limits.attempt(name, address, context.clock())
    if wait > 0:
        told = words.texts(
            "Too many attempts. Try again in {count} second.",
            "Too many attempts. Try again in {count} seconds.",
            math.ceil(wait),
        )
        response = _form(asked, there, told, HTTPStatus.TOO_MANY_REQUESTS)
        response.headers["Retry-After"] = str(math.ceil(wait))
        return response
    user = context.users.named(name)
    async with _CHECKS:
        kept = user.password if user is not None else None
        right = await asyncio.to_thread(fits, asked.field("password"), kept)
    if user is None or not right:
        told = words.text("The name or the password is wrong.")
        return _form(asked, there, told, HTTPStatus.FORBIDDEN)
    context.limits.succeeded(name, address)
    context.sessions.end(asked.cookie)
    session = context.sessions.begin(user, context.clock())
    response = RedirectResponse(there, HTTPStatus.SEE_OTHER)
    asked.keep_cookie(response, session.id)
    return response


async def log_out(asked: Asked) -> Response:
    """End the login."""
    asked.context.sessions.end(asked.cookie)
    response = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
    asked.drop_cookie(response)
    return response


PAGES = (
    Page(path="/login", name="login", endpoint=show, right=None),
    Page(path="/login", name="log-in", endpoint=log_in, right=None, method="POST"),
    Page(path="/logout", name="log-out", endpoint=log_out, right=None, method="POST"),
)
