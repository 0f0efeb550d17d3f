"""Runs the checks: on a box one by one, on simulated ones the slow ones at once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from hil_tests.bench import TOLERANCE, Bench
from hil_tests.carrier import Carrier, CarrierError, carrier_of
from hil_tests.checks import Check
from hil_tests.faulty import FAULTS, made_with
from hil_tests.hands import CannotCauseError, Hands, NoHands
from hil_tests.simulated import Box, Reach, running
from hil_tests.watch import Deviation
from protocol.messages import Hello, Profile
from terminal.settings import Level
from terminal.simulator import SimulatedTerminal

SIMULATED = "sim"
"""The scheme of the terminals that we bring along."""

FIRST = "hello_comes_in_a_good_frame"
"""The check without which all others are in vain."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the suite is told."""

    terminal: str = f"{SIMULATED}://"
    key: bytes | None = None
    profile: Profile | None = None
    baudrate: int | None = None
    lines: Level = Level.LEAVE
    adapter: str | None = None
    tolerance: float = TOLERANCE

    @property
    def is_simulated(self) -> bool:
        """Whether we bring the terminal along."""
        return urlsplit(self.terminal).scheme == SIMULATED

    def carrier(self) -> Carrier:
        """The way to a terminal that is not simulated; may raise CarrierError."""
        return carrier_of(
            self.terminal,
            self.baudrate,
            self.lines,
            self.adapter,
            paired=self.key is not None,
        )

    def check(self) -> None:
        """Raise CarrierError when no terminal can be at this URL."""
        if self.is_simulated:
            simulated_by(self.terminal)
        else:
            self.carrier()


def simulated_by(url: str) -> tuple[Reach, Callable[..., SimulatedTerminal]]:
    """What ``sim://``, ``sim://tcp`` or ``sim://?fault=NAME`` stands for.

    Returns:
        By what the terminal is reached, and what makes it.

    Raises:
        CarrierError: it stands for nothing.
    """
    parts = urlsplit(url)
    told = dict(parse_qsl(parts.query, keep_blank_values=True))
    name = told.pop("fault", None)
    if parts.netloc not in set(Reach) or parts.path or told:
        raise CarrierError(
            f"{url}: expected sim://, sim://tcp or sim://ble, and ?fault=NAME if it "
            "is to fail"
        )
    if name is not None and name not in FAULTS:
        raise CarrierError(f"{url}: expected a fault: {', '.join(FAULTS)}")
    make = SimulatedTerminal if name is None else made_with(FAULTS[name])
    return Reach(parts.netloc), make


class Suite:
    """One run of the checks.

    Attributes:
        hello: what the terminal said of itself, None when it is mute.
    """

    def __init__(self, options: Options, hands: Hands | None = None) -> None:
        """Open nothing yet.

        Args:
            options: what is tested.
            hands: who is at the terminal; a simulated one has hands of its own.
        """
        self.options = options
        self.hello: Hello | None = None
        self._hands = hands or NoHands()
        self._runner = asyncio.Runner()
        self._stack = contextlib.AsyncExitStack()
        self._bench: Bench | None = None
        self._ahead: dict[str, asyncio.Task[None]] = {}

    def start(self, checks: Iterable[Check]) -> None:
        """Open the terminal and hear what it says of itself.

        Of a simulated one there is one more for each slow check, all watched at once.

        Raises:
            OSError: it cannot be opened.
        """
        self._runner.run(self._start([check for check in checks if check.is_slow]))

    def run(self, check: Check) -> None:
        """Run one check to its end; raises Deviation or CannotCauseError."""
        self._runner.run(self._check(check))

    def stop(self) -> None:
        """Close everything."""
        with self._runner:
            self._runner.run(self._stop())

    async def _start(self, slow: list[Check]) -> None:
        self._bench = bench = await self._stack.enter_async_context(self._opened())
        await bench.begin()
        with contextlib.suppress(Deviation):
            self.hello = await bench.ask()
        if self.options.is_simulated and self.hello is not None:
            loop = asyncio.get_running_loop()
            self._ahead = {
                check.name: loop.create_task(self._apart(check), name=check.name)
                for check in slow
            }

    async def _check(self, check: Check) -> None:
        if check.name in self._ahead:
            await self._ahead.pop(check.name)
        elif self._bench is None or (self.hello is None and check.name != FIRST):
            raise CannotCauseError(
                "no HELLO answered ASK, so nothing else can be checked"
            )
        else:
            await check.on(self._bench)

    async def _stop(self) -> None:
        for task in self._ahead.values():
            task.cancel()
        await asyncio.gather(*self._ahead.values(), return_exceptions=True)
        await self._stack.aclose()

    async def _apart(self, check: Check) -> None:
        """Run a check on a simulated terminal of its own."""
        async with self._opened() as bench:
            await check.on(bench)

    @contextlib.asynccontextmanager
    async def _opened(self) -> AsyncIterator[Bench]:
        options = self.options
        async with contextlib.AsyncExitStack() as stack:
            if options.is_simulated:
                reach, make = simulated_by(options.terminal)
                box = Box(options.profile or Profile.FOUR_SEATS, options.key, reach)
                simulated = await stack.enter_async_context(running(box, make))
                carrier: Carrier = simulated.carrier
                hands: Hands = simulated.hands
            else:
                carrier, hands = options.carrier(), self._hands
            stack.push_async_callback(carrier.close)
            bench = Bench(
                carrier,
                hands,
                options.key,
                tolerance=options.tolerance,
                profile=options.profile,
            )
            await bench.open()
            try:
                yield bench
            finally:
                await bench.wire.close()
