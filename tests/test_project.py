"""What must hold of the repository as a whole."""

import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.places import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|root|home)/\w")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
LONGEST_MODULE = 500


@pytest.fixture(scope="module")
def files() -> list[Path]:
    """The files that the repository consists of."""
    git = shutil.which("git")
    if git is None or not (REPOSITORY / ".git").exists():
        pytest.skip("this is no git working tree, so its files cannot be told apart")
    listed = subprocess.run(
        [git, "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True
    )
    names = listed.stdout.decode().split("\0")
    return [REPOSITORY / name for name in names if (REPOSITORY / name).is_file()]


def test_an_import_only_points_leftwards() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--no-cache"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_no_file_names_a_place_of_one_machine(files: list[Path]) -> None:
    found = [
        f"{file.relative_to(REPOSITORY)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(lines_of(file), 1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


def test_every_link_between_documents_leads_somewhere(files: list[Path]) -> None:
    broken = [
        f"{file.relative_to(REPOSITORY)}: {target}"
        for file in files
        if file.suffix == ".md"
        for target in LINK.findall(file.read_text(encoding="utf-8"))
        if not (file.parent / target).exists()
    ]
    assert broken == []


def test_no_module_is_too_long_to_read(files: list[Path]) -> None:
    long = {
        str(file.relative_to(REPOSITORY)): count
        for file in files
        if file.suffix == ".py" and (count := len(lines_of(file))) > LONGEST_MODULE
    }
    assert long == {}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_typed_and_says_what_is_public(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__doc__
    assert len(package.__doc__.splitlines()) == 1
    assert sorted(set(package.__all__)) == sorted(package.__all__)
    assert [public for public in package.__all__ if not hasattr(package, public)] == []
    assert (REPOSITORY / name / "py.typed").is_file()


def test_test_folders_mirror_the_packages(files: list[Path]) -> None:
    folders = {
        file.relative_to(REPOSITORY / "tests").parts[0]
        for file in files
        if file.is_relative_to(REPOSITORY / "tests") and file.suffix == ".py"
    }
    assert {folder for folder in folders if not folder.endswith(".py")} == {
        *PACKAGES,
        "hil",  # of hil_tests, which is no part of what is installed
    }


def test_the_command_starts_and_lists_what_it_can_do() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "bidwire", "--help"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    for command in ("demo", "up", "provision", "replay", "rule", "bench"):
        assert f" {command} " in result.stdout


def lines_of(file: Path) -> list[str]:
    """The lines of a text file; none of one that is no text."""
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []
