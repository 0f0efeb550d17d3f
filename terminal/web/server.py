"""The HTTP server of web terminals: the page, what it must know, and the WebSocket."""

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from broker.web_requests import TimedRequests
from broker.web_server import CappedServer
from protocol.limits import OUTBOX_MAX
from terminal.catalogue import LANGUAGES, page_texts
from terminal.web.connection import Connection
from terminal.web.settings import WebServerError, WebSettings

SUBPROTOCOL = "bidwire.1"
"""The WebSocket subprotocol of the wire (F9)."""

CONNECTIONS_MAX = 512
"""Connections from which on requests are answered by 503, fewer than are accepted: a
page that is open already may still join."""

SHUTDOWN_S = 2
"""Seconds that the connections have to end when the daemon stops."""

_HOST = re.compile(
    r"[A-Za-z0-9.\-]+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?"
)

Serve = Callable[[Connection, str], Awaitable[None]]
"""Serves an accepted WebSocket that says it is this terminal, until it ends."""


class WebServer:
    """Serves web terminals.

    Args:
        settings: where.
        about: by terminal what its page must know before it can join; no secret.
        serve: serves each WebSocket.
    """

    def __init__(
        self,
        settings: WebSettings,
        about: Mapping[str, Mapping[str, Any]],
        serve: Serve,
    ) -> None:
        self._settings = settings
        self._about = about
        self._serve = serve

    async def run(self) -> None:
        """Serve until cancelled.

        Raises:
            WebServerError: nothing can be served at the address.
        """
        settings = self._settings
        with _listening(settings) as listener:
            try:
                config = uvicorn.Config(
                    _with_headers(self._app()),
                    lifespan="off",
                    http=TimedRequests,
                    ws="websockets-sansio",
                    ws_max_size=OUTBOX_MAX,
                    ws_ping_interval=None,  # the wire has its own (S)
                    ws_per_message_deflate=False,
                    ssl_certfile=settings.tls_cert,
                    ssl_keyfile=settings.tls_key,
                    server_header=False,
                    access_log=False,
                    log_config=None,
                    log_level=logging.WARNING,
                    limit_concurrency=CONNECTIONS_MAX,
                    timeout_graceful_shutdown=SHUTDOWN_S,
                )
                config.load()
            except OSError as error:  # SSLError is one
                raise WebServerError(
                    f"web: tls_cert, tls_key: {settings.tls_cert}, {settings.tls_key}:"
                    " expected PEM files of a certificate and its key, got:"
                    f" {error.strerror}"
                ) from None
            server = CappedServer(config)
            serving = asyncio.create_task(server.serve([listener]), name="web server")
            try:
                await asyncio.shield(serving)
            finally:
                server.should_exit = True
                await asyncio.wait({serving})

    def _app(self) -> ASGIApp:
        static = Path(str(files("terminal.web") / "static"))
        return Starlette(
            routes=[
                Route("/terminals/{terminal}", self._tell),
                Route("/texts/{language}.json", _texts),
                WebSocketRoute("/terminal", self._take),
                Mount("/", StaticFiles(directory=static, html=True)),
            ]
        )

    async def _tell(self, request: Request) -> Response:
        """What the page of a terminal must know."""
        about = self._about.get(request.path_params["terminal"])
        if about is None:
            return JSONResponse({"error": "no such terminal"}, status_code=404)
        return JSONResponse(about)

    async def _take(self, socket: WebSocket) -> None:
        if SUBPROTOCOL not in socket.scope.get("subprotocols", ()):
            await socket.close(reason=f"expected the subprotocol {SUBPROTOCOL}")
            return
        if not self._is_own_page(socket):
            await socket.close(reason="the page is not one of this server")
            return
        await socket.accept(SUBPROTOCOL)
        address = socket.client.host if socket.client is not None else "?"
        terminal = socket.query_params.get("terminal", "")
        await self._serve(Connection(socket, address), terminal)

    def _is_own_page(self, socket: WebSocket) -> bool:
        """Whether no page of another server speaks here; what is no page may."""
        origin = socket.headers.get("origin")
        if origin is None:
            return True
        hosts = {socket.headers.get("host", "")}
        if self._settings.url is not None:
            hosts.add(urlsplit(self._settings.url).netloc)
        try:
            return urlsplit(origin).netloc in hosts - {""}
        except ValueError:
            return False


async def _texts(request: Request) -> Response:
    """The page's texts; in English where there are none in the language asked for."""
    asked = request.path_params["language"]
    language = asked if asked in LANGUAGES else "en"
    headers = {"Content-Language": language}
    return JSONResponse(page_texts(language), headers=headers)


@contextlib.contextmanager
def _listening(settings: WebSettings) -> Iterator[socket.socket]:
    host, port = settings.place
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise WebServerError(
                f"web.listen: {settings.listen}: {error.strerror}"
            ) from None
        yield listener


def _with_headers(app: ASGIApp) -> ASGIApp:
    """Say to the browser what a page of ours may do, which is little."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        # Older browsers do not take 'self' for WebSockets of the same host.
        sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; "
            f"img-src 'self'; connect-src 'self'{sockets}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cache-control", b"no-cache"),
            (b"cross-origin-opener-policy", b"same-origin"),
        ]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await app(scope, receive, with_headers)

    return wrapped
