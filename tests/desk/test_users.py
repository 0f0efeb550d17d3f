"""Who may log in: the users file, and passwords."""

import os
from pathlib import Path

import pytest

from broker.settings_file import SettingsError
from desk.passwords import PasswordError, check_new_password, fits, hashed
from desk.role import Role
from desk.users import User, Users, encoded

HASH = hashed("correct horse")


def user(name: str = "Ana", role: Role = Role.DIRECTOR) -> User:
    return User(name=name, role=role, password=HASH)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "users.json"
    path.write_bytes(encoded([user()]))
    return path


def test_a_password_is_kept_as_an_argon2_hash_only(file: Path) -> None:
    assert b"correct horse" not in file.read_bytes()
    assert b"$argon2id$" in file.read_bytes()


def test_only_the_password_itself_fits() -> None:
    assert fits("correct horse", HASH)
    assert not fits("correct horses", HASH)
    assert not fits("correct horse", None)
    assert not fits("nobody's password", None)
    assert not fits("correct horse", "$argon2id$v=19$nonsense")
    assert not fits("x" * 1_000_000, HASH)


@pytest.mark.parametrize("password", ["", "seven77", "x" * 257])
def test_a_password_of_an_unfit_length_is_not_taken(password: str) -> None:
    with pytest.raises(PasswordError, match="8 to 256 characters"):
        check_new_password(password)


def test_a_name_is_found_however_it_is_capitalised(file: Path) -> None:
    users = Users(file)
    assert users.named("ana ") == users.named("ANA") == user()
    assert users.named("Bo") is None


def test_a_change_of_the_file_counts_at_once(file: Path) -> None:
    users = Users(file)
    file.write_bytes(encoded([user("Bo", Role.READONLY)]))
    assert users.named("Ana") is None
    assert users.named("Bo") == user("Bo", Role.READONLY)


def test_a_file_that_breaks_changes_nothing(file: Path) -> None:
    users = Users(file)
    file.write_text("{", encoding="utf-8")
    assert users.named("Ana") == user()


def test_a_file_that_is_away_for_a_moment_changes_nothing(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    users = Users(file)
    aside = file.rename(file.with_name("users.json~"))
    assert users.named("Ana") == users.named("ANA") == user()
    (record,) = caplog.records
    told = f"the users stay as they were: {file}: cannot be read: No such file"
    assert record.getMessage().startswith(told)
    aside.rename(file)
    assert users.named("Ana") == user()
    file.write_bytes(encoded([user("Bo")]))
    assert users.named("Ana") is None
    assert len(caplog.records) == 1


def test_the_last_user_may_be_removed(file: Path) -> None:
    users = Users(file)
    file.write_bytes(encoded([]))
    assert users.named("Ana") is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "expected a JSON object"),
        ('{"users": [{"name": "Ana"}]}', "users[0]: Object missing"),
        (
            '{"users": [{"name": "Ana", "role": "king", "password": "x"}]}',
            "users[0].role: expected director, assistant or readonly, got 'king'",
        ),
        (
            '{"users": [{"name": "Ana", "role": "director", "password": "plain"}]}',
            "users[0].password: expected an argon2id hash",
        ),
        (
            '{"users": [{"name": " ", "role": "director", "password": "$argon2id$"}]}',
            "users[0].name: expected a name of 1 to 64 characters, got ' '",
        ),
        ('{"users": []}', "expected users, got none: make one with"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_key(
    file: Path, content: str, told: str
) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        Users(file)
    assert str(raised.value).startswith(f"{file}: {told}")


def test_nobody_stands_there_twice() -> None:
    with pytest.raises(ValueError, match="ANA is given twice"):
        encoded([user(), user("ANA")])


def test_without_a_file_it_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="bidwire desk-user"):
        Users(tmp_path / "none.json")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_may_not_be_read_is_named(file: Path) -> None:
    file.chmod(0)
    with pytest.raises(SettingsError, match="cannot be read: Permission denied"):
        Users(file)
