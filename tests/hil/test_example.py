"""The example for authors of firmware passes the checks: another hand wrote it."""

import asyncio
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hil_tests.checks import Check
from hil_tests.hands import CannotCauseError
from hil_tests.suite import Options, Suite
from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.messages import Display
from tests.hil.checks import CHECKS
from tests.places import REPOSITORY

PROGRAM = REPOSITORY / "docs" / "minimal_terminal.py"
ANSWERS_SECONDS = 10.0

FAST = [check for check in CHECKS.values() if not check.is_slow]

UNLIKE = {
    "a_full_store_refuses_keys_and_drops_nothing": "its store is as large as the disk",
    "a_long_event_comes_in_parts": "it refuses what does not fit one frame",
}
"""What the example leaves out, as its docstring says."""


class ExampleHands:
    """Types at the example, and starts it again."""

    are_quick = True

    def __init__(self, folder: Path) -> None:
        self._store = folder / "terminal.json"
        self._port = 0
        self._said: list[str] = []
        self._start()

    @property
    def url(self) -> str:
        return f"socket://127.0.0.1:{self._port}"

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(self._port), "BX-1", str(self._store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        found = re.match(r"port (\d+)", first)
        assert found is not None, first
        self._port = int(found[1])
        self._thread = threading.Thread(
            target=self._listen, args=[self._process.stdout]
        )
        self._thread.start()

    def _listen(self, said: Iterable[str]) -> None:
        for line in said:
            self._said.append(line)
            if "] event " in line or line[0] == "?":
                self._loop.call_soon_threadsafe(self._answered.set)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join()  # it has read all that was said
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    async def press(self, key: EventKey) -> None:
        hand = None if key.hand is None else key.hand.value
        await self._type(key.seat.value, key.kind, hand, list(key.data))

    async def choose(self, display: Display, number: int) -> None:
        await self._type(display.seat.value, number)

    async def _type(self, *key: object) -> None:
        """Type a key, and wait until it says that it took or refused it."""
        assert self._process.stdin is not None
        self._loop, self._answered = asyncio.get_running_loop(), asyncio.Event()
        self._process.stdin.write(f"{json.dumps(key)}\n")
        self._process.stdin.flush()
        async with asyncio.timeout(ANSWERS_SECONDS):
            await self._answered.wait()

    async def restart(self) -> None:
        self.stop()
        self._start()

    async def sees(self, seat: Seat, text: str) -> bool:
        shown = [line for line in self._said if line.startswith(f"[{seat.value}]")]
        return text in shown[-1]

    async def sees_unsent(self, seat: Seat, count: int) -> bool:
        return await self.sees(seat, f"sent ({count})")


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    hands = ExampleHands(tmp_path_factory.mktemp("example"))
    suite = Suite(Options(terminal=hands.url), hands)
    suite.start([])
    yield suite
    suite.stop()
    hands.stop()


@pytest.mark.parametrize("check", FAST, ids=[check.name for check in FAST])
def test_the_example_passes(check: Check, suite: Suite) -> None:
    if check.name in UNLIKE:
        pytest.skip(UNLIKE[check.name])
    try:
        suite.run(check)
    except CannotCauseError as reason:
        pytest.skip(str(reason))
