"""The web server of the desk, and all that runs beside it."""

import asyncio
import logging
import socket
from pathlib import Path

import uvicorn

from broker.settings_file import SettingsError
from broker.web_requests import TimedRequests
from broker.web_server import CappedServer
from desk.app import create_app
from desk.context import Context
from desk.linking import DirectorLink, Source
from desk.settings import DeskError, DeskOptions
from desk.tools import Tools
from desk.users import Users

LOG = logging.getLogger(__name__)

GRACE = 2
"""Seconds that requests have to end when the desk stops."""


def open_context(
    options: DeskOptions, source: Source, tools: Tools | None = None
) -> Context:
    """Check what the desk is told, before anything is started.

    Args:
        options: what it is told.
        source: where the Director's credentials come from.
        tools: what hangs on the event file, where there is one.

    Raises:
        DeskError: a file that the options name cannot be used.
    """
    options.check_files()
    try:
        users = Users(Path(options.users_file))
    except SettingsError as error:
        raise DeskError(f"users_file: {error}") from None
    return Context(options, users, DirectorLink(options.event, source), tools)


def listening(options: DeskOptions) -> socket.socket:
    """The socket that the desk listens at.

    Raises:
        DeskError: another program has it, or there is no such address.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM
        )[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        raise DeskError(f"listen: {options.listen}: {error.strerror}") from None


async def serve(context: Context, at: socket.socket) -> None:
    """Serve until cancelled.

    Args:
        context: what the pages work with.
        at: the socket, which is closed at the end.
    """
    options = context.options
    logging.getLogger("uvicorn.access").disabled = True  # desk.middleware has its own
    server = CappedServer(
        uvicorn.Config(
            create_app(context),
            lifespan="off",
            http=TimedRequests,
            log_config=None,
            log_level="warning",
            server_header=False,
            ws="none",
            ssl_certfile=options.tls_cert,
            ssl_keyfile=options.tls_key,
            timeout_graceful_shutdown=GRACE,
        )
    )
    link = asyncio.create_task(context.link.run(), name="link to the event")
    web = asyncio.create_task(server.serve(sockets=[at]), name="web server")
    try:
        await asyncio.wait({link, web}, return_when=asyncio.FIRST_COMPLETED)
        for task in (link, web):
            if task.done():
                task.result()
    finally:
        context.stop()
        server.should_exit = True
        link.cancel()
        await asyncio.wait({link, web})
        at.close()
