"""Live pages: the server draws anew what has changed, and the browser puts it in place.

A page asks for ``…/live?since=NUMBER``, the change that it was drawn at, and keeps the
answer open (server-sent events). After a loss the browser asks again and names the last
change that it got, so that nothing is missed; after a restart of the desk all is drawn.
So it is at every opening for who may only look: the changes also count what he may not
know of.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import msgspec
from starlette.responses import StreamingResponse

from desk.gate import OVER, Asked
from desk.rights import Right

PACE = 0.25
"""Seconds from one look at what has changed to the next.

The looks of a page are at whole multiples of it, whatever wakes it: else the moment of
what is sent would tell of a change that is not."""

HEARTBEAT = 40
"""Looks, 10 s, after which something is sent in any case: so a loss is noticed."""

BEAT = "event: beat\ndata: \n\n"

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


def version(asked: Asked) -> str:
    """The change that a page is drawn at, for its ``since``."""
    context = asked.context
    number = context.room.number if asked.may(Right.KNOW) else 0
    return f"{context.run}-{number}"


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
    is_ours = run == asked.context.run and number.isdecimal() and len(number) <= 20
    if not is_ours or not asked.may(Right.KNOW):
        return 0
    return min(int(number), asked.context.room.number)


def is_current(asked: Asked) -> bool:
    """Whether the page was drawn at the last change; never of who may only look."""
    return 0 < _since(asked) == asked.context.room.number


async def _updates(asked: Asked, draw: Draw) -> AsyncIterator[str]:
    context, room = asked.context, asked.context.room
    loop = asyncio.get_running_loop()
    yield f"retry: {AGAIN_MS}\n\n"
    seen, number = room.number, _since(asked)
    yield _event(asked, draw(number))
    opened, look = loop.time(), 0
    beat = HEARTBEAT  # after what was sent, not after what was not
    while not context.is_stopping:
        known = context.login(asked.cookie)
        if known is None or known[1] != asked.user:  # who may see less from now on
            yield OVER
            return
        update = Update()
        if room.number > seen:
            seen, number = room.number, seen
            update = draw(number)
        if update != Update():
            yield _event(asked, update)
            beat = look + HEARTBEAT
        elif look >= beat:
            yield BEAT
            beat = look + HEARTBEAT
        if room.number == seen and not context.is_stopping:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(opened + beat * PACE):
                    await room.changed()
        look = next_look(look, beat, loop.time() - opened)
        await asyncio.sleep(opened + look * PACE - loop.time())


def next_look(last: int, beat: int, now: float) -> int:
    """The number of the next look at what has changed.

    Args:
        last: number of the last one.
        beat: number of the one at which something is sent in any case.
        now: seconds since the page was opened.
    """
    reached = int(now // PACE)
    # The beat is not put off by a sleeper whom the clock wakes a little late.
    return max(last + 1, beat if reached >= beat else reached + 1)


def _event(asked: Asked, update: Update) -> str:
    data = msgspec.json.encode(update).decode()
    return f"id: {version(asked)}\ndata: {data}\n\n"
