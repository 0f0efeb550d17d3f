"""The real command: a ``bidwire up``, an event file for it, and what others say."""

import signal
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from bidwire.cli import app
from tests.places import REPOSITORY

EVENT = """\
[event]
id = "club"
edition = "2007"
questions = "assume"

[broker]
embedded = true

[[tables]]
id = "t1"

[[tables.rounds]]
boards = "1-2"
ns = "Pair 1"
ew = "Pair 2"

[[terminals]]
id = "console"
table = "t1"
seats = "NESW"
port = "/dev/serial/by-id/nowhere"
language = "es"
"""


class Up:
    """A real ``bidwire up``, or another command that runs an event."""

    def __init__(self, file: Path, command: str = "up") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bidwire", command, str(file)],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def pid(self) -> int:
        """Of its process."""
        return self._process.pid

    def wait_for(self, words: str) -> str:
        """Read until a line has these words; returns the line."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if words in line:
                return line
        raise AssertionError(f"it ended without a word of {words!r}")

    def kill(self) -> None:
        """End it with SIGKILL; what it started dies with it."""
        self._process.kill()
        self._process.wait()

    def end(self, how: signal.Signals | None = None) -> tuple[int, str]:
        """Its exit code and what else it said, after a signal if one is given."""
        if how is not None:
            self._process.send_signal(how)
        said, _ = self._process.communicate(timeout=30)
        return self._process.returncode, said


def called(*arguments: str) -> tuple[int, str]:
    """The same as ``bidwire``, within this process: a start takes half a second.

    What is refused is told on standard error alone.
    """
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code != 2 or not done.stdout
    return done.exit_code, done.output


def bidwire(*arguments: str) -> tuple[int, str]:
    """Exit code of a ``bidwire`` command, and all that it said."""
    done = subprocess.run(
        [sys.executable, "-m", "bidwire", *arguments],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout
