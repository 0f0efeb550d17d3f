"""Commands whose standard streams are closed, full, broken, or know only ASCII."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bidwire.cli import app
from tests.long import long

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


def test_a_closed_input_is_told(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran("$BIDWIRE rule - <&-", script)
    assert (done.returncode, done.stderr) == (2, "-: standard input is closed\n")
    monkeypatch.setattr(sys, "stdin", None)  # what Python makes of a closed one
    with pytest.raises(SystemExit, match="2"):
        app(["rule", "-i"])
    assert capsys.readouterr().err == "-i: standard input is closed\n"


@pytest.mark.parametrize(
    "command",
    [
        "rule $SCRIPT",
        pytest.param("rule --json $SCRIPT", marks=long),
        pytest.param("up --example", marks=long),
        "--help",
    ],
)
def test_a_full_output_is_told_in_one_line(command: str, script: Path) -> None:
    done = ran(f"$BIDWIRE {command} > /dev/full", script)
    assert done.returncode == 1
    assert done.stderr == "standard output: No space left on device\n"


@pytest.mark.parametrize("command", ["--help", "rule --json $SCRIPT 2>&1"])
def test_a_reader_that_has_gone_is_no_fault(command: str, script: Path) -> None:
    done = ran(f"$BIDWIRE {command} | true", script)
    assert done.stderr == ""


def test_a_closed_output_takes_everything(script: Path) -> None:
    done = ran("$BIDWIRE rule $SCRIPT >&-", script)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.broker
def test_suits_are_letters_where_output_is_ascii(script: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    # By the first call in the picture of the table all kinds of signs have been seen.
    done = ran("$BIDWIRE demo --no-pause | sed '/E:1C.* 1C /q'", script, **plain)
    assert done.returncode == 0, done.stderr
    assert " 1C " in done.stdout.splitlines()[-1]
    assert done.stdout.isascii()


def test_a_script_from_standard_input_is_utf_8_whatever_the_locale(
    script: Path,
) -> None:
    script.write_text(SCRIPT + "W 2D! Multí\n", encoding="utf-8")
    done = ran("$BIDWIRE rule - < $SCRIPT", script, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    wrong = CliRunner().invoke(app, ["rule", "-"], input=b"edition 2017 # \xe9\n")
    assert (wrong.exit_code, wrong.stderr) == (2, "-: not UTF-8 text\n")
