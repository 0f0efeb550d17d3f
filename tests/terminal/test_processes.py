"""The daemon and the simulator as processes: settings, signals, reports, commands."""

import asyncio
import contextlib
import importlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import serial

from laws.seats import Seat
from terminal.simulator.reports import (
    Command,
    ErrorReport,
    HoldCommand,
    KeyReport,
    PaceCommand,
    PressCommand,
    ReadyReport,
    RefusedKeyReport,
    Report,
    RestartCommand,
    StartCommand,
    StopCommand,
    TurnCommand,
    UnplugCommand,
    decode_command,
    decode_report,
    encode_command,
)
from tests.places import REPOSITORY

WAIT_SECONDS = 20.0


class Process:
    """A module of ours as a process that reports lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.reports: list[Report] = []

    async def report(self, wanted: Callable[[Report], bool]) -> Report:
        """Read until a report is the wanted one."""
        assert self._process.stdout is not None
        async with asyncio.timeout(WAIT_SECONDS):
            while line := await self._process.stdout.readline():
                self.reports.append(decode_report(line))
                if wanted(self.reports[-1]):
                    return self.reports[-1]
        raise AssertionError(f"it ended after {self.reports}")

    def say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    async def close_output(self) -> None:
        """Stop listening, as a parent does that dies."""
        transport = self._process._transport  # type: ignore[attr-defined]
        transport.get_pipe_transport(1).close()
        await asyncio.sleep(0)  # the transport leaves that to the loop

    async def end(self) -> tuple[int, str]:
        """Wait for its end; its exit code and standard error."""
        assert self._process.stderr is not None
        async with asyncio.timeout(WAIT_SECONDS):
            said = await self._process.stderr.read()
            return await self._process.wait(), said.decode()


@contextlib.asynccontextmanager
async def started(module: str, *arguments: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *arguments,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Process(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def simulator_file(tmp_path: Path, **changes: object) -> str:
    content: dict[str, Any] = {
        "run_directory": str(tmp_path / "run"),
        "terminals": [
            {"id": "t1-n", "table": "t1", "seats": ["N"], "serial": "SN-N"},
            {"id": "t1-e", "table": "t1", "seats": ["E"], "serial": "SN-E", "tcp": 0},
        ],
    }
    file = tmp_path / "simulator.json"
    file.write_text(json.dumps(content | changes))
    return str(file)


def is_ready(report: Report) -> bool:
    return isinstance(report, ReadyReport)


async def test_the_simulator_says_its_ports_does_commands_and_reports_mistakes(
    tmp_path: Path,
) -> None:
    async with started("terminal.simulator", simulator_file(tmp_path)) as simulator:
        ready = await simulator.report(is_ready)
        assert isinstance(ready, ReadyReport)
        ports = {port.terminal: port.port for port in ready.ports}
        assert ports["t1-n"] == str(tmp_path / "run" / "t1-n")
        assert ports["t1-e"].startswith("socket://127.0.0.1:")
        serial.Serial(ports["t1-n"]).close()
        press = PressCommand("t1-n", Seat.NORTH, "director", None, (True,))
        simulator.say(encode_command(press))
        key = await simulator.report(lambda r: isinstance(r, KeyReport))
        assert isinstance(key, KeyReport)
        assert (key.terminal, key.data, key.n) == ("t1-n", (True,), 0)
        simulator.say(encode_command(PressCommand("t1-n", Seat.NORTH, "call")))
        refused = await simulator.report(lambda r: isinstance(r, RefusedKeyReport))
        assert isinstance(refused, RefusedKeyReport)
        assert refused.reason == "no display yet"
        for line, said in (
            (b'{"command":"fly"}', "Invalid value 'fly'"),
            (b"fly", "no command"),
            (encode_command(RestartCommand("t9-n")), "there is no t9-n"),
            (encode_command(TurnCommand("t1-n", Seat.EAST)), "there is no"),
        ):
            simulator.say(line)
            error = await simulator.report(lambda r: isinstance(r, ErrorReport))
            assert isinstance(error, ErrorReport)
            assert said in error.text
        simulator.say(encode_command(RestartCommand("t1-n")))
        simulator.say(encode_command(press))
        again = await simulator.report(
            lambda r: isinstance(r, KeyReport) and r.boot == key.boot + 1
        )
        assert isinstance(again, KeyReport)
        assert again.n == 0
        simulator.say(encode_command(StopCommand()))
        assert await simulator.end() == (0, "")
    assert not (tmp_path / "run" / "t1-n").is_symlink()


async def test_a_simulator_that_was_killed_has_its_events(tmp_path: Path) -> None:
    file = simulator_file(tmp_path)
    press = encode_command(PressCommand("t1-n", Seat.NORTH, "director"))
    async with started("terminal.simulator", file) as simulator:
        await simulator.report(is_ready)
        simulator.say(press)
        await simulator.report(lambda r: isinstance(r, KeyReport))
        simulator.signal(signal.SIGKILL)
        await simulator.end()
    content = json.loads(Path(file).read_text())  # noqa: ASYNC240 - a test
    content["terminals"][0]["capacity"] = 1
    Path(file).write_text(json.dumps(content))  # noqa: ASYNC240 - a test
    async with started("terminal.simulator", file) as simulator:
        await simulator.report(is_ready)
        simulator.say(press)
        refused = await simulator.report(lambda r: isinstance(r, RefusedKeyReport))
        assert isinstance(refused, RefusedKeyReport)
        assert refused.reason == "memory full"
        simulator.signal(signal.SIGTERM)
        assert await simulator.end() == (0, "")


async def test_a_simulator_nobody_listens_to_ends(tmp_path: Path) -> None:
    async with started("terminal.simulator", simulator_file(tmp_path)) as simulator:
        await simulator.report(is_ready)
        await simulator.close_output()
        simulator.say(encode_command(PressCommand("t1-n", Seat.NORTH, "call")))
        assert await simulator.end() == (0, "")


async def test_only_the_wanted_reports_are_written_until_sigint(tmp_path: Path) -> None:
    file = simulator_file(tmp_path, reports=["ready", "error"])
    async with started("terminal.simulator", file) as simulator:
        await simulator.report(is_ready)
        simulator.say(encode_command(PressCommand("t1-n", Seat.NORTH, "call")))
        simulator.say(b"?")
        await simulator.report(lambda r: isinstance(r, ErrorReport))
        assert len(simulator.reports) == 2
        simulator.signal(signal.SIGINT)
        assert await simulator.end() == (0, "")


@pytest.mark.parametrize("module", ["terminal", "terminal.simulator"])
async def test_mistakes_in_the_settings_end_with_code_2(
    tmp_path: Path, module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{}")
    async with started(module, str(file)) as process:
        code, said = await process.end()
        assert code == 2
        assert said.startswith(f"{file}: ")
        assert "missing required field" in said
    assert importlib.import_module(f"{module}.__main__").main([]) == 2
    assert capsys.readouterr().err == f"usage: python -m {module} SETTINGS.json\n"


async def test_a_port_that_cannot_be_made_ends_the_simulator(tmp_path: Path) -> None:
    (tmp_path / "run" / "t1-n.memory").mkdir(parents=True)
    async with started("terminal.simulator", simulator_file(tmp_path)) as simulator:
        code, said = await simulator.end()
        assert code == 1
        assert "t1-n.memory" in said
        assert "Traceback" not in said


async def test_the_daemon_ends_at_sigterm_without_a_broker(tmp_path: Path) -> None:
    content = {
        "event": "e",
        "daemon": "d",
        "broker": {"port": 1},
        "terminals": [
            {"id": "t", "table": "t", "seats": ["N"], "port": str(tmp_path / "none")}
        ],
    }
    file = tmp_path / "daemon.json"
    file.write_text(json.dumps(content))
    async with started("terminal", str(file)) as daemon:
        said = b""
        assert daemon._process.stderr is not None
        while b"no such device" not in said:
            async with asyncio.timeout(WAIT_SECONDS):
                said = await daemon._process.stderr.readline()
        daemon.signal(signal.SIGTERM)
        code, _ = await daemon.end()
        assert code == 0


@pytest.mark.parametrize(
    "command",
    [
        StartCommand(),
        StopCommand(),
        PaceCommand(1.5),
        HoldCommand("t1-n", 5.0),
        UnplugCommand("t1-n", 0.5),
        RestartCommand("t1-n"),
        TurnCommand("t1-n", Seat.NORTH),
        PressCommand("t1-n", Seat.NORTH, "card", Seat.SOUTH, ("SA",)),
    ],
)
def test_commands_are_read_as_they_are_written(command: Command) -> None:
    assert decode_command(encode_command(command)) == command
