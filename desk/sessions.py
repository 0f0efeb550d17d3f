"""Who is logged in: kept by the server, known to the browser by a random id only."""

import secrets
from dataclasses import dataclass, field
from typing import Any

from desk.users import User

IDLE_S = 2 * 3600.0
"""Seconds without a request, and without an open page, after which a login ends."""

LONGEST_S = 16 * 3600.0
"""Seconds after which a login ends whatever happens: a long day of bridge."""

MOST = 1000
"""Logins at once; the one that was idle for longest gives way."""


@dataclass(slots=True)
class Session:
    """A login.

    Attributes:
        id: what the browser's cookie holds.
        user: as he was when he logged in.
        began: when, by the clock of the desk.
        used: when it was last used.
        notices: what the next page tells him; the first word is its kind.
        kept: what a page keeps for the next one, by the page's name.
    """

    id: str
    user: User
    began: float
    used: float
    notices: list[tuple[str, str]] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)

    def is_over(self, now: float) -> bool:
        """Whether it has ended by itself."""
        return now - self.used > IDLE_S or now - self.began > LONGEST_S


def new_id() -> str:
    """An id that nobody guesses."""
    return secrets.token_urlsafe(32)


@dataclass(slots=True)
class Sessions:
    """All logins."""

    _known: dict[str, Session] = field(default_factory=dict)

    def begin(self, user: User, now: float) -> Session:
        """Log a user in, under an id that no browser had before."""
        for identity in [i for i, s in self._known.items() if s.is_over(now)]:
            del self._known[identity]
        if len(self._known) >= MOST:
            del self._known[min(self._known, key=lambda i: self._known[i].used)]
        session = Session(new_id(), user, began=now, used=now)
        self._known[session.id] = session
        return session

    def get(self, identity: str, now: float) -> Session | None:
        """The login of an id, which is used by this; None when it has ended."""
        session = self._known.get(identity)
        if session is None:
            return None
        if session.is_over(now):
            del self._known[identity]
            return None
        session.used = now
        return session

    def end(self, identity: str) -> None:
        """Log out; harmless when it has ended."""
        self._known.pop(identity, None)
