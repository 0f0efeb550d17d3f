"""What holds for every answer: the host that was asked for, headers, the log."""

import ipaddress
import logging
import socket
import time
from collections.abc import Iterable
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("desk.requests")

CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
"""Only what the desk itself serves; nothing inline, no frames."""

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""Of every answer."""

STATIC = "/static/"


class Shield:
    """Refuses foreign hosts, adds the headers, and logs each request.

    A page of another site may have its name lead to this machine (DNS rebinding), and
    would then be taken for the desk itself: so a name has to be known. An address
    cannot be turned so.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        """Prepare.

        Args:
            app: what answers.
            hosts: names by which browsers reach the desk, beside this machine's own.
        """
        self._app = app
        own = socket.gethostname().lower()
        self._hosts = {"localhost", own, f"{own}.local", *(h.lower() for h in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as ASGI wants it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        scope.setdefault("state", {})
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                kept = scope["path"].startswith(STATIC) and status == 200
                age = "max-age=31536000, immutable" if kept else "no-store"
                headers["Cache-Control"] = age
            await send(message)

        try:
            if self._is_known(HTTPConnection(scope).headers.get("host", "")):
                await self._app(scope, receive, answer)
            else:
                await _UNKNOWN_HOST(scope, receive, answer)
        finally:
            _log(scope, status, time.monotonic() - began)

    def _is_known(self, host: str) -> bool:
        name = host.lower()
        if name.startswith("["):
            name = name[1:].partition("]")[0]
        else:
            name = name.partition(":")[0]
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._hosts
        return True


_UNKNOWN_HOST = PlainTextResponse(
    "The desk does not know itself by this name.\n"
    'Add it to hosts in the section [desk] of the event file: hosts = ["…"]\n',
    421,
)


def _log(scope: Scope, status: int, seconds: float) -> None:
    """Who asked for what, without what was asked about it or sent along."""
    client = scope.get("client")
    LOG.info(
        "%s %s %s %d %.0f ms %s",
        client[0] if client else "-",
        scope["method"],
        quote(scope["path"]),
        status,
        1000 * seconds,
        scope["state"].get("user", "-"),
    )
