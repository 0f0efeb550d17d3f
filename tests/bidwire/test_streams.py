"""Commands whose standard streams are closed, full, broken, or know only ASCII."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = "edition 2017\nboard 1\nN 1S\nE 1H\nS P\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "a.table"
    file.write_text(SCRIPT, encoding="utf-8")
    return file


def ran(
    line: str, script: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which $BIDWIRE is the command and $SCRIPT the file."""
    return subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=ROOT,
        env={
            **os.environ,
            "BIDWIRE": f"{sys.executable} -m bidwire",
            "SCRIPT": str(script),
            **environment,
        },
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("command", ["rule -", "rule -i"])
def test_a_closed_input_is_told(command: str, script: Path) -> None:
    done = ran(f"$BIDWIRE {command} <&-", script)
    assert done.returncode == 2
    assert done.stderr.endswith("standard input is closed\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "command", ["rule $SCRIPT", "rule --json $SCRIPT", "up --example", "--help"]
)
def test_a_full_output_is_told_in_one_line(command: str, script: Path) -> None:
    done = ran(f"$BIDWIRE {command} > /dev/full", script)
    assert done.returncode == 1
    assert done.stderr == "standard output: No space left on device\n"


@pytest.mark.parametrize("pipe", ["| true", "2>&1 | true"])
def test_a_reader_that_has_gone_is_no_fault(pipe: str, script: Path) -> None:
    done = ran(f"$BIDWIRE rule --json $SCRIPT {pipe}", script)
    assert done.stderr == ""


def test_a_closed_output_takes_everything(script: Path) -> None:
    done = ran("$BIDWIRE rule $SCRIPT >&-", script)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.broker
def test_suits_are_letters_where_output_is_ascii(script: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    # The rest of the demo shows nothing that has not been seen by then.
    done = ran("$BIDWIRE demo --no-pause | sed '/Contract 4H/q'", script, **plain)
    assert done.returncode == 0, done.stderr
    assert "Contract 4H by West" in done.stdout
    assert done.stdout.isascii()


def test_a_script_from_standard_input_is_utf_8_whatever_the_locale(
    script: Path,
) -> None:
    script.write_text(SCRIPT + "W 2D! Multí\n", encoding="utf-8")
    line = "$BIDWIRE rule - < $SCRIPT"
    done = ran(line, script, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    script.write_bytes(b"edition 2017 # \xe9\n")
    wrong = ran(line, script, PYTHONIOENCODING="ascii")
    assert (wrong.returncode, wrong.stderr) == (2, "-: not UTF-8 text\n")
