"""Each case that is told as a story is played out here, or it is said why not."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import REPOSITORY

CASES = REPOSITORY / "tests" / "laws" / "cases"
ROW = re.compile(r"\| ([MR]-[A-Z]+-\d\d) \| ([\d, ]+) \| [^|]+ \|([^|]*)\|")
ASSERTED_IN = ("test_play_cases.py", "test_auction_cases.py")

CASEBOOK = REPOSITORY.parent / "shared"
"""The casebook, which is kept outside the repository."""


def listed() -> dict[str, str]:
    """Each case by edition, as in ``R-REV-01-2007``, and why it has no file, if so."""
    rows = map(ROW.fullmatch, (CASES / "README.md").read_text("utf-8").splitlines())
    return {
        f"{row[1]}-{edition}": row[3].strip()
        for row in rows
        if row is not None
        for edition in row[2].split(", ")
    }


def test_each_case_has_a_file_or_a_reason() -> None:
    files = {file.stem for file in CASES.glob("*.table")}
    assert len(files) > 50
    assert {name for name, reason in listed().items() if not reason} == files


def test_a_file_is_of_its_edition() -> None:
    for file in CASES.glob("*.table"):
        lines = file.read_text(encoding="utf-8").splitlines()
        assert f"edition {file.stem[-4:]}" in lines
        assert lines[0].startswith("# ")


def test_each_file_is_asserted_by_a_test() -> None:
    text = "".join(
        (CASES.parent / name).read_text(encoding="utf-8") for name in ASSERTED_IN
    )
    named = set(re.findall(r'"([MR]-[A-Z]+-\d\d-\d{4})"', text))
    for case in re.findall(r'f"([MR]-[A-Z]+-\d\d)-\{edition\}"', text):
        named |= {f"{case}-2007", f"{case}-2017"}
    assert {file.stem for file in CASES.glob("*.table")} - named == set()


def test_the_casebook_tells_no_other_stories(tmp_path: Path) -> None:
    converter = CASEBOOK / "check_cases.py"
    if not converter.exists():
        pytest.skip("the casebook is not here: lay it in shared beside the repository")
    subprocess.run(
        [sys.executable, str(converter), "--dump", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    lines = (CASEBOOK / "cases" / "cases.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    names = {
        f"{case['id']}-{edition}"
        for case in cases
        for edition in (
            ["2007", "2017"] if case["edition"] == "both" else [case["edition"]]
        )
    }
    with_their_cards = {file.stem for file in tmp_path.glob("*.table")}
    assert names - with_their_cards == set(listed())
