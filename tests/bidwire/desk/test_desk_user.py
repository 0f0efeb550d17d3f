"""``bidwire desk-user``: the users of the desk, as a person makes them."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from desk.passwords import fits
from desk.role import Role
from desk.users import User, read_users
from tests.bidwire.ups import bidwire, called
from tests.places import REPOSITORY


@pytest.fixture
def password(tmp_path: Path) -> Path:
    """A file with a password."""
    path = tmp_path / "password"
    path.write_text("correct horse\n", encoding="utf-8")
    return path


def users(file: Path) -> dict[str, User]:
    path = file.parent / "bidwire.users.json"
    return {user.name: user for user in read_users(path)}


def test_a_user_is_made_changed_and_removed(file: Path, password: Path) -> None:
    options = ("--password-file", str(password))
    code, said = bidwire(
        "desk-user",
        str(file),
        "Ana",
        "--role",
        "assistant",
        "--language",
        "es",
        *options,
    )
    assert (code, said.startswith("Ana is a user of the desk now, as assistant")) == (
        0,
        True,
    )
    made = users(file)["Ana"]
    assert (made.role, made.language) == (Role.ASSISTANT, "es")
    assert fits("correct horse", made.password)
    kept = file.parent / "bidwire.users.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600

    password.write_text("another horse\n", encoding="utf-8")
    code, said = called("desk-user", str(file), "ana", "--role", "director", *options)
    assert (code, said.startswith("ana has another password, as director")) == (0, True)
    assert users(file).keys() == {"ana"}
    assert fits("another horse", users(file)["ana"].password)

    assert called("desk-user", str(file), "Bo", "--remove")[1] == (
        f"{kept}: expected one of its users (ana), got Bo\n"
    )
    assert called("desk-user", str(file), "ANA", "--remove")[0] == 0
    assert users(file) == {}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["Ana"], "expected either --role or --remove"),
        (["Ana", "--remove", "--role", "director"], "expected either --role or"),
        (["Ana", "--role", "king"], "'king' is not one of"),
        (["Ana", "--role", "director"], "expected a terminal to type the password at"),
        (["x" * 65, "--role", "director"], "expected a name of 1 to 64 characters"),
        (
            ["Ana", "--role", "director", "--password-file", "nowhere"],
            "--password-file: nowhere: No such file",
        ),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(
    file: Path, words: list[str], told: str
) -> None:
    code, said = called("desk-user", str(file), *words)
    assert code == 2
    assert told in said
    assert not (file.parent / "bidwire.users.json").exists()


def make_ana(file: Path, password: Path) -> tuple[int, str]:
    """Exit code and words of the command that makes her with this password."""
    options = ("--role", "director", "--password-file", str(password))
    return called("desk-user", str(file), "Ana", *options)


def test_a_short_password_is_not_taken(file: Path, password: Path) -> None:
    password.write_text("short\n", encoding="utf-8")
    code, said = make_ana(file, password)
    assert code == 2
    assert said == "expected a password of 8 to 256 characters, got 5\n"


def test_a_users_file_that_is_none_stays_as_it_is(file: Path, password: Path) -> None:
    kept = file.parent / "bidwire.users.json"
    kept.write_text("[]", encoding="utf-8")
    code, said = make_ana(file, password)
    assert code == 2
    assert said.startswith(f"{file}: desk.users_file: {kept}: ")
    assert kept.read_text(encoding="utf-8") == "[]"


AT_TERMINAL = """
import pty, sys
sys.exit(pty.spawn([sys.executable, "-m", "bidwire", *sys.argv[1:]]) >> 8)
"""


@pytest.mark.parametrize(
    ("second", "code", "told"),
    [
        ("correct horse", 0, "Ana is a user of the desk now"),
        ("correct house", 2, "expected the same password twice: nothing was changed"),
    ],
)
def test_a_password_is_typed_twice_and_never_shown(
    file: Path, second: str, code: int, told: str
) -> None:
    words = ["desk-user", str(file), "Ana", "--role", "director"]
    with subprocess.Popen(
        [sys.executable, "-c", AT_TERMINAL, *words],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said = b""
        for prompt, typed in ((b"Ana: ", "correct horse"), (b"more: ", second)):
            while prompt not in said:
                said += os.read(process.stdout.fileno(), 4096)
            process.stdin.write(typed.encode() + b"\n")
            process.stdin.flush()
        while more := os.read(process.stdout.fileno(), 4096):
            said += more
        assert process.wait() == code
    assert told in said.decode()
    assert "horse" not in said.decode()
