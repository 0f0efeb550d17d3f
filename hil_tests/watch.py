"""Watching a terminal: its carrier, the record of the wire, waiting for messages."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from hil_tests.carrier import Carrier
from hil_tests.wire import Seen, Wire
from protocol.messages import Message

AT_ONCE = 1.5
"""Seconds within which what must come at once has come over any carrier."""

REOPENING = 30.0
"""Seconds for a carrier that was lost to come back."""

_M = TypeVar("_M", bound=Message)


class Deviation(AssertionError):  # noqa: N818 - it is what the terminal did
    """The terminal did something else than its clause says."""

    def __init__(self, expected: str, came: str, seen: list[Seen]) -> None:
        """Keep both sides, and what went over the wire.

        Args:
            expected: what should have come.
            came: what came instead.
            seen: the wire since the check began.
        """
        super().__init__(f"expected {expected}; {came}")
        self.expected = expected
        self.came = came
        self.seen = seen


class Watch:
    """What goes over the wire to one terminal, check after check.

    Attributes:
        carrier: leads to the terminal.
        wire: what went over it.
    """

    def __init__(self, carrier: Carrier) -> None:
        self.carrier = carrier
        self.wire = Wire()
        self._loop = asyncio.get_running_loop()
        self._began = self._forgotten = 0
        self._cursors: dict[type, int] = {}

    # -- carrier --------------------------------------------------------------------

    async def open(self) -> None:
        """Open the carrier, if it is not open.

        Raises:
            OSError: it cannot be opened now.
        """
        if not self.wire.is_open:
            await self.carrier.open(self.wire)

    async def reopen(self) -> None:
        """Open the carrier again, as soon as the terminal is there."""
        deadline = self.now() + REOPENING
        while not self.wire.is_open:
            try:
                await self.open()
            except OSError:
                if self.now() >= deadline:
                    raise
                await asyncio.sleep(0.2)

    async def connect_again(self) -> Wire:
        """Open the carrier a second time and go on with that; returns the first."""
        first, self.wire = self.wire, Wire()
        await self.begin()
        return first

    async def begin(self) -> None:
        """Begin a check: what was before is no matter."""
        self._began = len(self.wire.seen)
        self.wire.answers_pings = True
        await self.reopen()
        self.forget()

    # -- time and record ------------------------------------------------------------

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return self._loop.time()

    async def sleep_until(self, t: float) -> None:
        """Let time pass."""
        await asyncio.sleep(max(0.0, t - self.now()))

    def mark(self) -> int:
        """The place in the record at which we are."""
        return len(self.wire.seen)

    def forget(self) -> None:
        """What has come up to now is not waited for any more."""
        self._cursors.clear()
        self._forgotten = self.mark()

    def heard(self, kind: type[_M], since: int | None = None) -> list[tuple[float, _M]]:
        """The messages of one kind that came, with their times."""
        begin = self._began if since is None else since
        return [
            (seen.t, seen.message)
            for seen in self.wire.seen[begin:]
            if not seen.is_ours and isinstance(seen.message, kind)
        ]

    def deviation(self, expected: str, came: str = "") -> Deviation:
        """What to raise when the terminal did not do as expected."""
        seen = self.wire.seen[self._began :]
        return Deviation(expected, came or "it did not come", seen)

    def require(self, condition: object, expected: str, came: str = "") -> None:
        """Raise a Deviation unless a condition holds."""
        if not condition:
            raise self.deviation(expected, came)

    # -- waiting --------------------------------------------------------------------

    async def expect(
        self,
        kind: type[_M],
        expected: str,
        where: Callable[[_M], bool] = lambda _: True,
        within: float = AT_ONCE,
    ) -> _M:
        """Wait for a message, each but once; Deviation when it does not come."""
        found: list[_M] = []

        def look() -> bool:
            begin = max(self._cursors.get(kind, 0), self._forgotten)
            for place in range(begin, len(self.wire.seen)):
                seen = self.wire.seen[place]
                self._cursors[kind] = place + 1
                if seen.is_ours or not isinstance(seen.message, kind):
                    continue
                if where(seen.message):
                    found.append(seen.message)
                    return True
            return False

        await self.wire.until(look, self.now() + within)
        if not found:
            raise self.deviation(f"{expected} within {within:g} s")
        return found[0]

    def expect_none_since(
        self,
        kind: type[_M],
        expected: str,
        since: int,
        where: Callable[[_M], bool] = lambda _: True,
    ) -> None:
        """Deviation if such a message came since a mark, up to now."""
        came = [m for _, m in self.heard(kind, since) if where(m)]
        name = kind.__name__.upper()
        self.require(not came, expected, f"{name} came {len(came)} times")
