"""The server of the desk and of the web terminals: uvicorn, with so many connections.

What is beyond is closed at once, before anything of it is read: else whoever opens
connections and says nothing on them takes all the files that the process may open, and
asyncio then logs each connection that it cannot accept, thousands a second. They are
counted where they are accepted: uvicorn hears of them only after their TLS handshake.
"""

import contextlib
import functools
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from broker.open_files import at_most_half

LOG = logging.getLogger(__name__)

CONNECTIONS_MAX = 768
"""Connections at once; half of the files that may be open, where that is less.

Four hundred tablets, with room for pages that load. With the serial ports of a daemon
all files stay below 1024: pyserial waits with ``select()``, which knows no others."""

ADDRESS_MAX = 256
"""Those of one address; a third of all, where that is less.

A hall of a hundred tablets may be behind one router, and a browser opens up to six to
load a page. An IPv6 address counts by itself, not with its network, which is that of
all tablets of the hall."""

BACKLOG = 128
"""Connections that wait to be accepted. In a longer queue those that may come would
stand behind more that may not; who finds no place tries again after a second."""

TELL_S = 60.0
"""Seconds from one line in the log about closed connections to the next."""


class CappedServer(uvicorn.Server):
    """Leaves signals to who runs it, and keeps few connections that say nothing."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        config.backlog = BACKLOG

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until ``should_exit``.

        Args:
            sockets: where; they are closed at the end.
        """
        config = self.config
        # As uvicorn itself finds out whose X-Forwarded-For counts; nothing is called.
        proxies = ProxyHeadersMiddleware(config.app, config.forwarded_allow_ips)  # type: ignore[arg-type]
        is_proxy = proxies.trusted_hosts.__contains__
        with contextlib.ExitStack() as stack:
            await super().serve(
                [
                    stack.enter_context(CappedListener(each, is_proxy))
                    for each in sockets or ()
                ]
            )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class CappedListener(socket.socket):
    """A listening socket that closes the connections which are too many."""

    def __init__(
        self,
        listener: socket.socket,
        is_proxy: Callable[[str], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take a socket over.

        Args:
            listener: the socket, which is detached.
            is_proxy: whether an address passes on the connections of others; these
                count among all, and not as those of one address.
            clock: seconds, of which only differences count.
        """
        family, kind, proto = listener.family, listener.type, listener.proto
        super().__init__(family, kind, proto, fileno=listener.detach())
        self._is_proxy = is_proxy
        self._clock = clock
        self._max = at_most_half(CONNECTIONS_MAX)
        self._open: Counter[str] = Counter()
        self._closed_at_once = 0
        self._told = float("-inf")

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection that is not too many.

        Raises:
            BlockingIOError: there is none now.
        """
        for _ in range(BACKLOG):
            accepted, address = super().accept()
            # Where the socket takes IPv6 and IPv4, this is how it tells of IPv4.
            host = str(address[0]).removeprefix("::ffff:")
            if self._has_room(host):
                self._open[host] += 1
                return _Counted(accepted, functools.partial(self._left, host)), address
            accepted.close()
            self._tell(host)
        raise BlockingIOError  # the others' turn

    def _max_of(self, host: str) -> int:
        if self._is_proxy(host):
            return self._max
        return min(ADDRESS_MAX, self._max // 3)

    def _has_room(self, host: str) -> bool:
        is_full = self._open.total() >= self._max
        return not is_full and self._open[host] < self._max_of(host)

    def _left(self, host: str) -> None:
        self._open[host] -= 1
        if not self._open[host]:
            del self._open[host]

    def _tell(self, host: str) -> None:
        self._closed_at_once += 1
        if self._clock() - self._told < TELL_S:
            return
        LOG.warning(
            "connections closed at once: %d, the last from %s;"
            " open: %d of at most %d, from there %d of at most %d",
            self._closed_at_once,
            host,
            self._open.total(),
            self._max,
            self._open[host],
            self._max_of(host),
        )
        self._told, self._closed_at_once = self._clock(), 0


class _Counted(socket.socket):
    """An accepted connection, which tells when it is closed."""

    def __init__(self, accepted: socket.socket, left: Callable[[], None]) -> None:
        family, kind, proto = accepted.family, accepted.type, accepted.proto
        super().__init__(family, kind, proto, fileno=accepted.detach())
        # asyncio does so only where a socket names its protocol, and ours do not: the
        # body of each answer would wait 40 ms for the browser to acknowledge its head.
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left: Callable[[], None] | None = left

    def close(self) -> None:
        super().close()
        left, self._left = self._left, None
        if left is not None:
            left()
