"""A command that a signal stops leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.long import long

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = "edition 2017\nboard 1\n" + "N 1C\nE P\nS P\nW P\n"


def until_it_runs(folder: Path) -> None:
    """Wait for the memory of a simulated terminal: then all processes are there."""
    deadline = time.monotonic() + 30
    while not list(folder.glob("bidwire-*/terminals/*.memory")):
        assert time.monotonic() < deadline, "nothing was started"
        time.sleep(0.01)


def processes_of(folder: Path) -> list[str]:
    """Command lines that name the folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has just ended
        if str(folder) in line:
            found.append(line)
    return found


@pytest.mark.broker
@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("demo", signal.SIGTERM),
        ("replay", signal.SIGHUP),
        ("demo", signal.SIGINT),
        pytest.param("replay", signal.SIGTERM, marks=long),
        pytest.param("demo", signal.SIGHUP, marks=long),
        pytest.param("replay", signal.SIGINT, marks=long),
    ],
)
def test_a_command_that_is_stopped_cleans_up_and_exits_by_the_signal(
    command: str, number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "scripts").mkdir()
    for name in range(8):
        (tmp_path / "scripts" / f"{name}.table").write_text(SCRIPT, encoding="utf-8")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    arguments = ["demo"] if command == "demo" else ["replay", str(tmp_path / "scripts")]
    with subprocess.Popen(
        [sys.executable, "-m", "bidwire", *arguments],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        until_it_runs(temporary)
        process.send_signal(number)
        told = process.communicate(timeout=30)[1]
    assert process.returncode == 128 + number
    assert "Traceback" not in told
    assert list(temporary.iterdir()) == []
    assert processes_of(temporary) == []
