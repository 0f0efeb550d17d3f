"""What every page of the desk works with."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from starlette.requests import Request

from desk.linking import DirectorLink
from desk.login_limits import LoginLimits
from desk.room import Room
from desk.sessions import Session, Sessions
from desk.settings import DeskOptions
from desk.tools import Tools
from desk.users import User, Users

COOKIE = "bidwire-desk"


def _thread(name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix=name)


@dataclass
class Context:
    """The desk while it runs.

    Attributes:
        options: the event, and how browsers reach the desk.
        users: who may log in.
        link: to the event: the room, and the commands.
        tools: what hangs on the event file; None where there is none.
        clock: seconds, of which only differences count.
        run: names this run of the desk, since changes are numbered anew in each.
        scoring: the thread in which results are scored, one page's after the other's,
            so that no login waits for them.
        writing: the same for files of results, which take longer than any page.
        is_stopping: the pages that are kept open are to end.
    """

    options: DeskOptions
    users: Users
    link: DirectorLink
    tools: Tools | None = None
    clock: Callable[[], float] = time.monotonic
    sessions: Sessions = field(default_factory=Sessions)
    limits: LoginLimits = field(default_factory=LoginLimits)
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    scoring: ThreadPoolExecutor = field(default_factory=lambda: _thread("scoring"))
    writing: ThreadPoolExecutor = field(default_factory=lambda: _thread("writing"))
    is_stopping: bool = False
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    @property
    def room(self) -> Room:
        """What is known of the room."""
        return self.link.room

    def login(self, cookie: str) -> tuple[Session, User] | None:
        """The login of a browser's cookie, and the user as he is now.

        It ends when the user is removed, or gets another password.
        """
        session = self.sessions.get(cookie, self.clock())
        if session is None:
            return None
        user = self.users.named(session.user.name)
        if user is None or user.password != session.user.password:
            self.sessions.end(cookie)
            return None
        return session, user

    def form_token(self, cookie: str) -> str:
        """What every form of a browser carries, so that no other site can send it."""
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()

    def is_form_token(self, token: object, cookie: str) -> bool:
        """Whether a form comes from a page that this browser got."""
        if not cookie or not isinstance(token, str):
            return False
        return hmac.compare_digest(token.encode(), self.form_token(cookie).encode())

    def stop(self) -> None:
        """End the pages that are kept open."""
        self.is_stopping = True
        self.room.wake()


def is_secure(request: Request) -> bool:
    """Whether the browser came over TLS."""
    return request.url.scheme == "https"


def cookie_name(request: Request) -> str:
    """The cookie's name; under TLS one that no other host can set."""
    return f"__Host-{COOKIE}" if is_secure(request) else COOKIE
