"""A check against a simulated terminal in time that jumps: hours pass in a moment."""

import asyncio
import selectors
from collections import deque
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from hil_tests.bench import Bench
from hil_tests.checks import Check
from hil_tests.faulty import Fault, made_with
from hil_tests.hands import Hands
from hil_tests.simulated import Box, switched_on
from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.messages import Display
from terminal.simulator import SimulatedTerminal
from terminal.simulator.wire import WireUser


class JumpingSelector(selectors.DefaultSelector):
    """Waits for nothing: time jumps to where the next timer is due."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "nothing can ever happen any more"
            self.now += max(0.0, timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while anything happens."""

    def __init__(self) -> None:
        self._virtual = JumpingSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now


def in_virtual_time(coroutine: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(coroutine)


class TerminalEnd:
    """The end that a simulated terminal writes to."""

    port = "memory"

    def __init__(self) -> None:
        self.user: WireUser | None = None
        self.connected: Connection | None = None

    async def open(self, user: WireUser) -> None:
        self.user = user

    def write(self, data: bytes) -> None:
        if self.connected is not None:
            self.connected.deliver(data)

    def hang_up(self) -> None:
        self.connected = None

    async def close(self) -> None:
        self.hang_up()

    def connect(self, connection: "Connection") -> None:
        assert self.user is not None
        self.connected = connection
        self.user.wire_opened()


class Connection(asyncio.Transport):
    """The bench's side of one connection; everything takes ``latency`` each way."""

    def __init__(
        self, end: TerminalEnd, protocol: asyncio.Protocol, latency: float
    ) -> None:
        super().__init__()
        self._end = end
        self._protocol = protocol
        self._latency = latency
        self._loop = asyncio.get_running_loop()
        self._down: deque[bytes] = deque()
        self._up: deque[bytes] = deque()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._down.append(bytes(data))
        self._loop.call_later(self._latency, self._write)

    def _write(self) -> None:
        data = self._down.popleft()
        if self._end.connected is self and self._end.user is not None:
            self._end.user.wire_received(data)

    def deliver(self, data: bytes) -> None:
        self._up.append(data)
        self._loop.call_later(self._latency, self._deliver)

    def _deliver(self) -> None:
        self._protocol.data_received(self._up.popleft())

    def close(self) -> None:
        self._end.connected = None
        self._loop.call_soon(self._protocol.connection_lost, None)


class MemoryCarrier:
    """Leads to a terminal's end."""

    is_tcp = False

    def __init__(self, end: TerminalEnd, latency: float) -> None:
        self._end = end
        self._latency = latency

    async def open(self, protocol: asyncio.Protocol) -> asyncio.Transport:
        connection = Connection(self._end, protocol, self._latency)
        protocol.connection_made(connection)
        self._end.connect(connection)
        return connection

    async def close(self) -> None:
        pass


class SlowHands:
    """A person: seconds before and after each action, and no dozens of keys."""

    are_quick = False

    def __init__(self, hands: Hands, seconds: float) -> None:
        self._hands = hands
        self._seconds = seconds

    async def _slowly(self, action: Coroutine[Any, Any, None]) -> None:
        await asyncio.sleep(self._seconds)
        await action
        await asyncio.sleep(self._seconds)

    async def press(self, key: EventKey) -> None:
        await self._slowly(self._hands.press(key))

    async def choose(self, display: Display, number: int) -> None:
        await self._slowly(self._hands.choose(display, number))

    async def restart(self) -> None:
        await self._slowly(self._hands.restart())

    async def sees(self, seat: Seat, text: str) -> bool:
        return await self._hands.sees(seat, text)

    async def sees_unsent(self, seat: Seat, count: int) -> bool:
        return await self._hands.sees_unsent(seat, count)


async def run_check(  # noqa: PLR0913 - each by name
    check: Check,
    box: Box,
    directory: Path,
    fault: Fault | None = None,
    *,
    slow: float | None = None,
    latency: float = 0.0,
) -> None:
    """Run a check on a terminal that is new; raises what it raises.

    Args:
        check: the check.
        box: what the terminal is like.
        directory: where its memory is kept.
        fault: what is wrong with it.
        slow: seconds that a person takes before and after each action; None for hands
            that are quick.
        latency: seconds that a message is on its way.
    """
    make: Callable[..., SimulatedTerminal] = SimulatedTerminal
    if fault is not None:
        make = made_with(fault)
    end = TerminalEnd()
    async with switched_on(box, directory, make, end) as hands:
        person = hands if slow is None else SlowHands(hands, slow)
        bench = Bench(MemoryCarrier(end, latency), person, box.key, profile=box.profile)
        await check.on(bench)
