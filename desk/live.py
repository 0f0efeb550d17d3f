"""Live pages: the server draws anew what has changed, and the browser puts it in place.

A page asks for ``…/live?since=NUMBER``, the change that it was drawn at, and keeps the
answer open (server-sent events). After a loss the browser asks again and names the last
change that it got, so that nothing is missed; after a restart of the desk all is drawn.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
from starlette.responses import StreamingResponse

from desk.context import Context
from desk.gate import OVER, Asked

PACE = 0.25
"""Seconds between two updates: what comes meanwhile goes together."""

HEARTBEAT = 10.0
"""Seconds after which something is sent in any case, so that a loss is noticed."""

AGAIN_MS = 2000
"""Milliseconds after which the browser asks again."""


class Update(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a page has to change; ``desk/static/live.js`` does it.

    Attributes:
        fragments: HTML by the id of the element that it replaces; one that is not
            there is added to the list of ``order``.
        order: ids of the elements of the list, all of them; others are removed.
        announce: texts that a screen reader says at once.
        title: of the window.
    """

    fragments: dict[str, str] = {}
    order: tuple[str, ...] | None = None
    announce: tuple[str, ...] = ()
    title: str = ""


Draw = Callable[[int], Update]
"""What has to be changed after the change of that number; all, after 0. It is called
first when the page is opened, so that it knows what the page has."""


def version(context: Context) -> str:
    """The change that a page is drawn at, for its ``since``."""
    return f"{context.run}-{context.room.number}"


def live(asked: Asked, draw: Draw) -> StreamingResponse:
    """The updates of a page, for as long as it is open and its user logged in."""
    return StreamingResponse(
        _updates(asked, draw),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


def _since(asked: Asked) -> int:
    """The last change that the page has; 0 when this run has not numbered it."""
    request = asked.request
    told = request.headers.get("last-event-id") or request.query_params.get("since", "")
    run, _, number = told.rpartition("-")
    is_ours = run == asked.context.run and number.isdecimal()
    return min(int(number), asked.context.room.number) if is_ours else 0


async def _updates(asked: Asked, draw: Draw) -> AsyncIterator[str]:
    context, room = asked.context, asked.context.room
    seen = _since(asked)
    yield f"retry: {AGAIN_MS}\n\n"
    number = room.number
    yield _event(context, draw(seen))
    seen = number
    while not context.is_stopping:
        if context.login(asked.cookie) is None:
            yield OVER
            return
        if room.number > seen:
            number = room.number
            update = draw(seen)
            seen = number
            if update != Update():
                yield _event(context, update)
            await asyncio.sleep(PACE)
            continue
        try:
            async with asyncio.timeout(HEARTBEAT):
                await room.changed()
        except TimeoutError:
            yield "event: beat\ndata: \n\n"


def _event(context: Context, update: Update) -> str:
    data = msgspec.json.encode(update).decode()
    return f"id: {version(context)}\ndata: {data}\n\n"
