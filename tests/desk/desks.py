"""A real desk for tests: its web server at a real broker, and browsers."""

import asyncio
import contextlib
import json
import re
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx
from argon2 import PasswordHasher

from broker import BrokerSettings
from desk.context import Context
from desk.linking import LinkState
from desk.role import Role
from desk.serving import listening, open_context, serve
from desk.settings import DeskOptions
from desk.tools import Tools
from desk.users import User, encoded
from tests.brokers import EVENT, free_port

PASSWORD = "correct horse"  # noqa: S105 - of the tests
HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
"""Of little work: a login of the tests need not take a tenth of a second."""

USERS = {Role.DIRECTOR: "Ana", Role.ASSISTANT: "Bo", Role.READONLY: "Cy"}
"""A user of each role."""

NO_AUTHORITY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts no certificate: for HTTP, where it takes long to load those to trust."""

TOKEN = re.compile('name="form_token" value="([0-9a-f]+)"')


class Clock:
    """The desk's clock, which tests put forward."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def users_file(folder: Path, *, language: str = "en") -> Path:
    """A users file with a user of each role."""
    path = folder / "users.json"
    path.write_bytes(
        encoded(
            User(name=name, role=role, password=HASH, language=language)
            for role, name in USERS.items()
        )
    )
    return path


@dataclass
class Browser:
    """A client that keeps cookies, and sends forms as they stand on a page."""

    url: str
    headers: dict[str, str] = field(default_factory=dict)
    verify: ssl.SSLContext = NO_AUTHORITY
    address: str | None = None
    """Where it connects from."""

    async def __aenter__(self) -> Self:
        self.client = httpx.AsyncClient(
            base_url=self.url,
            headers=self.headers,
            timeout=20,
            transport=httpx.AsyncHTTPTransport(
                verify=self.verify, local_address=self.address
            ),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def get(self, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401
        return await self.client.get(path, **more)

    async def send(self, path: str, page: str = "/", **fields: str) -> httpx.Response:
        """Send a form, with the token that a page of ours carries."""
        token = token_of(await self.get(page))
        return await self.client.post(path, data={"form_token": token} | fields)

    async def log_in(
        self, name: str = "Ana", password: str = PASSWORD, there: str = "/"
    ) -> httpx.Response:
        fields = {"name": name, "password": password, "next": there}
        return await self.send("/login", "/login", **fields)

    @contextlib.asynccontextmanager
    async def live(
        self, path: str = "/live", **headers: str
    ) -> AsyncIterator["Stream"]:
        """Keep a page open."""
        accept = {"accept": "text/event-stream"} | headers
        async with self.client.stream("GET", path, headers=accept) as response:
            yield Stream(response)


class Stream:
    """What the server sends to a page that is kept open."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def event(self) -> dict[str, str]:
        """The next event, by field."""
        fields: dict[str, str] = {}
        async for line in self._lines:
            if not line and fields.keys() - {"retry"}:
                return fields
            name, _, value = line.partition(": ")
            if name:
                fields[name] = value
        return fields

    async def update(self) -> dict[str, Any]:
        """The next update of the page."""
        while True:
            event = await self.event()
            assert event, "the stream has ended"
            if "event" not in event:
                update: dict[str, Any] = json.loads(event["data"])
                return update | {"id": event["id"]}

    async def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next update of which something is true."""
        while not true(update := await self.update()):
            pass
        return update


def token_of(response: httpx.Response) -> str:
    """The token of the forms on a page."""
    found = TOKEN.search(response.text)
    assert found is not None, response.text
    return found[1]


@dataclass
class RunningDesk:
    """A desk that serves."""

    context: Context
    clock: Clock
    url: str

    def browser(self, **headers: str) -> Browser:
        """Another browser; used as a context."""
        return Browser(self.url, headers)

    async def up(self) -> None:
        """Wait until the desk is connected to the broker."""
        while self.context.link.state is not LinkState.UP:
            await self.context.room.changed()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true of the room."""
        while not true():
            await self.context.room.changed()


@contextlib.asynccontextmanager
async def running_desk(
    folder: Path,
    source: Callable[[], BrokerSettings | None] = lambda: None,
    tools: Tools | None = None,
    **options: Any,  # noqa: ANN401 - of the desk
) -> AsyncIterator[RunningDesk]:
    """A desk, until the context closes."""
    port = free_port()
    file = folder / "users.json"
    settings = DeskOptions(
        event=EVENT,
        users_file=str(file if file.exists() else users_file(folder)),
        listen=f"127.0.0.1:{port}",
        **options,
    )
    context = open_context(settings, source, tools)
    context.clock = context.room.clock = clock = Clock()
    task = asyncio.create_task(serve(context, listening(settings)))
    try:
        yield RunningDesk(context, clock, settings.url)
    finally:
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled():
            task.result()
