"""HTTP requests of the desk's and the web terminals' servers: none may take forever."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

REQUEST_S = 10.0
"""Seconds that a connection has for a request's head; a tablet takes milliseconds."""


class TimedRequests(H11Protocol):
    """Ends a connection on which no request comes, or none to its end.

    Else whoever opens connections and says nothing on them, or ever so little, takes
    all that the server has. A request that is being answered, and a WebSocket, have
    limits of their own.
    """

    _look: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]  # as uvicorn has it
        self, transport: asyncio.Transport
    ) -> None:
        """Take a connection."""
        super().connection_made(transport)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        # None until there was a request, whatever uvicorn says of its type.
        last: Any = self.cycle
        self._look = self.loop.call_later(REQUEST_S, self._check, last)

    def _check(self, last: RequestResponseCycle | None) -> None:
        """End it if nothing is being answered, nor was anything asked meanwhile."""
        if self.transport.get_protocol() is not self:
            return  # it has become a WebSocket
        cycle: Any = self.cycle
        if cycle is last and (cycle is None or cycle.response_complete):
            self.transport.close()
        else:
            self._look_later()
