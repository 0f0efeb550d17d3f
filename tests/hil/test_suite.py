"""The conformance suite as a maker runs it: options, report, a person at the box."""

import asyncio
import contextlib
import os
import pty
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hil_tests.carrier import CarrierError
from hil_tests.hands import CannotCauseError
from hil_tests.person import entered
from hil_tests.simulated import Box, Reach, SimulatorHands, running
from hil_tests.suite import FIRST, Options, Suite
from laws.seats import Seat
from protocol.happenings import EventKey
from protocol.messages import Profile
from tests.hil.checks import CHECKS
from tests.long import long
from tests.places import REPOSITORY

KEY = bytes(range(16)).hex()
COMMAND = (sys.executable, "-m", "pytest", "hil_tests", "-q", "-p", "no:cacheprovider")
ENDS_SECONDS = 50.0


@contextlib.asynccontextmanager
async def started(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *arguments,
        cwd=REPOSITORY,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def run(*arguments: str) -> tuple[int, str]:
    """Run the suite; its exit code and what it printed."""
    async with started(*arguments) as process, asyncio.timeout(ENDS_SECONDS):
        output, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, output.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="pty"),
        pytest.param(("--terminal", "sim://tcp", "--key", KEY), id="tcp-paired"),
        pytest.param(("--terminal", "sim://ble"), id="ble", marks=long),
        pytest.param(("--terminal", "sim://ble", "--key", KEY), id="ble-paired"),
    ],
)
async def test_a_simulated_terminal_passes_the_fast_checks(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    report, junit = tmp_path / "report.md", tmp_path / "junit.xml"
    files = (f"--conformance-report={report}", f"--junitxml={junit}")
    code, output = await run("-m", "fast", *files, *arguments)
    assert code == 0, output
    assert ", 0 failed, " in report.read_text(encoding="utf-8")
    cases = ET.parse(junit).getroot().iter("testcase")  # noqa: S314 - our own file
    clauses = {
        prop.get("value")
        for case in cases
        for prop in case.iter("property")
        if prop.get("name") == "clause"
    }
    fast = {check.clause for check in CHECKS.values() if not check.is_slow}
    assert clauses == fast


async def test_a_failure_names_its_clause_and_shows_the_bytes(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    code, output = await run(
        *("-k", "wrong_crc", "--terminal", "sim://?fault=crc-not-checked"),
        f"--conformance-report={report}",
    )
    assert code == 1
    for text in (output, report.read_text(encoding="utf-8")):
        assert "A block with a wrong CRC is dropped" in text
        assert "expected: no PONG to a PING with a wrong CRC" in text
        assert "PONG came 4 times" in text
        assert "> PONG token=" in text
        assert "00 05 93 03 01 c4 05 4e 7d 65 ec 00" in text  # WELCOME, byte by byte
    assert "| F7 | fail |" in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ble://C0:FF:EE", "expected ble://"),
        ("sim://?fault=none", "expected a fault: crc-not-checked"),
        ("sim://?falt=crc-not-checked", "expected sim://"),
        ("sim://radio", "expected sim://, sim://tcp or sim://ble"),
        ("gopher://x:1", "expected a device, "),
    ],
)
def test_a_url_that_leads_nowhere_is_told(url: str, said: str) -> None:
    with pytest.raises(CarrierError, match=re.escape(said)):
        Options(terminal=url).check()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--terminal", "sim://radio"), "expected sim://, sim://tcp or sim://ble"),
        (("--key", "00"), "--key: expected 16 to 64 bytes"),
        (("--operator",), "sim:// has hands of its own"),
    ],
)
def test_an_option_that_cannot_be_is_told(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Faulthandler's plugin would end that of this run, too.
    quiet = ("-p", "no:cacheprovider", "-p", "no:faulthandler")
    code = pytest.main([str(REPOSITORY / "hil_tests"), *quiet, *arguments])
    assert code == pytest.ExitCode.USAGE_ERROR
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


async def test_a_port_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    code, output = await run("--terminal", str(tmp_path / "ttyNONE"))
    assert code == pytest.ExitCode.INTERRUPTED
    assert "no such device; is the terminal plugged in?" in output


def test_at_a_mute_terminal_nothing_but_the_opening_is_checked() -> None:
    suite = Suite(Options())  # no terminal was opened, so none has said HELLO
    with pytest.raises(CannotCauseError, match="no HELLO answered ASK"):
        suite.run(next(check for name, check in CHECKS.items() if name != FIRST))
    suite.stop()


# -- a box, and a person at it ------------------------------------------------------


async def test_without_a_person_what_needs_keys_is_skipped() -> None:
    async with running(Box(Profile.CALLS, reach=Reach.TCP)) as box:
        code, output = await run(
            *("--terminal", box.port, "-rs", "-k", "test_call or wrong_crc or restart")
        )
    assert code == 0, output
    assert "a key (call at S) must be pressed: run with --operator" in output
    assert "the terminal must be restarted: run with --operator" in output
    assert "F  Frames: 1 passed" in output


class Operator:
    """Reads the prompts on a console and does at the box what they say."""

    def __init__(self, console: int, hands: SimulatorHands) -> None:
        self._console = console
        self._hands = hands
        self._text = ""
        self.asked: list[str] = []
        asyncio.get_running_loop().add_reader(console, self._read)
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._console)

    def _read(self) -> None:
        self._text += os.read(self._console, 4096).decode()
        while "(s skips): " in self._text:
            prompt, _, self._text = self._text.partition("(s skips): ")
            self.asked.append(prompt.rpartition(">>> ")[2])
            self._tasks.add(asyncio.create_task(self._do(self.asked[-1])))

    async def _do(self, prompt: str) -> None:
        answer = "\n"
        if prompt.startswith("at South call 2D, alerted, explained as 'transfer',"):
            key = EventKey("call", Seat.SOUTH, None, ("2D", True, "transfer"))
            await self._hands.press(key)
        elif prompt.startswith("at South call P,"):
            await self._hands.press(EventKey("call", Seat.SOUTH, None, ("P",)))
        elif prompt.startswith("take the power"):
            await self._hands.restart()
        elif prompt.startswith("does South's display show 'BIDWIRE'?"):
            answer = "y\n" if await self._hands.sees(Seat.SOUTH, "BIDWIRE") else "n\n"
        else:
            answer = "s\n"
        os.write(self._console, answer.encode())


async def test_an_operator_is_asked_and_may_skip() -> None:
    chosen = (
        "explained or test_kind[claim] or display_is_seen or outlives_a_restart "
        "or 16_events"
    )
    controller, device = pty.openpty()
    async with running(Box(Profile.CALLS, reach=Reach.TCP)) as box:
        operator = Operator(controller, box.hands)
        code, output = await run(
            *("--terminal", box.port, "--operator", "-rs", "-k", chosen),
            f"--operator-console={os.ttyname(device)}",
        )
        operator.close()
    for file in (controller, device):
        os.close(file)
    assert code == 0, output
    assert "3 passed, 2 skipped" in output
    assert "the operator skipped: at South enter 'claim'" in output
    assert "20 keys must be pressed in a moment" in output
    assert len(operator.asked) == 5, operator.asked


async def test_an_operator_who_does_not_come_is_not_waited_for() -> None:
    controller, device = pty.openpty()
    async with running(Box(Profile.CALLS, reach=Reach.TCP)) as box:
        code, output = await run(
            *("--terminal", box.port, "--operator", "-rs", "-k", "test_call[pass]"),
            *(f"--operator-console={os.ttyname(device)}", "--operator-timeout=0.1"),
        )
    for file in (controller, device):
        os.close(file)
    assert code == 0, output
    assert "nobody did within 0.1 s: at South call P" in output


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (("call", Seat.SOUTH, None, ("1H",)), "call 1H"),
        (("call", Seat.SOUTH, None, ("2D", True)), "call 2D, alerted"),
        (
            ("card", Seat.SOUTH, Seat.NORTH, ("SA",)),
            "enter 'card' (a card put to the trick): cards 'SA' from the hand of North",
        ),
        (
            ("spread", Seat.SOUTH, None, ()),
            "enter 'spread' (declarer spreads his hand)",
        ),
    ],
)
def test_a_person_is_told_what_to_enter(
    key: tuple[str, Seat, Seat | None, tuple[str | bool, ...]], text: str
) -> None:
    assert entered(EventKey(*key)) == text
