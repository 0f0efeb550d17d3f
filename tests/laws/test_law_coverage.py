"""``docs/law-coverage.md``: every paragraph has a test, and each test named exists."""

import ast
import re

import pytest

from laws.board import Edition
from referee.paragraphs import PARAGRAPHS
from tests.law_coverage import RUN, Recorder, cited, ranked, watched
from tests.law_document import DOCUMENT, Row, paragraphs, read, written
from tests.laws.plays import told as played
from tests.laws.tables import judged
from tests.places import REPOSITORY
from tests.silent_paragraphs import SILENT

AGAIN = "run `make law-coverage`"


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(read(DOCUMENT.read_text(encoding="utf-8")))


def test_each_paragraph_of_each_edition_stands_in_it_once(rows: list[Row]) -> None:
    assert [(row.law, row.edition) for row in rows] == paragraphs(), AGAIN


def test_no_paragraph_is_without_a_test(rows: list[Row]) -> None:
    without = [(row.law, row.edition.value) for row in rows if not row.tests]
    assert without == [], f"write a test, then {AGAIN}"


def test_each_test_that_it_names_exists(rows: list[Row]) -> None:
    named = {test for row in rows for test in row.tests}
    assert len(named) > 100
    there = {
        (file, function)
        for file in {file for file, _ in named}
        if (REPOSITORY / file).is_file()
        for function in functions_of(file)
    }
    assert named - there == set(), AGAIN


def functions_of(file: str) -> list[str]:
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in ast.walk(tree) if isinstance(node, kinds)]


def test_a_paragraph_is_in_one_list_only() -> None:
    # 17D1 and 17D2 are another paragraph in each edition.
    silent = [(s.law, edition) for s in SILENT for edition in s.editions]
    explained = {
        (law, edition)
        for law, sentence in PARAGRAPHS.items()
        for edition in (Edition if isinstance(sentence, str) else sentence)
    }
    assert set(silent) & explained == set()
    assert len(set(silent)) == len(silent)


def test_the_tests_that_are_watched_are_there() -> None:
    assert [place for place in RUN if not (REPOSITORY / place).exists()] == []


@pytest.mark.parametrize("edition", Edition)
def test_what_the_engine_cites_is_noted_for_the_test_that_runs(
    edition: Edition,
) -> None:
    recorder = Recorder()
    with watched(recorder):
        recorder.pytest_runtest_logstart()
        judged(edition.value, "E 1H; S decline; N P; E 1H")
        recorder.pytest_runtest_logreport(report("tests/one.py::test_it[x]", "passed"))
        recorder.pytest_runtest_logstart()
        played(edition.value, "W H4, N D3")
        recorder.pytest_runtest_logreport(report("tests/two.py::test_it", "failed"))
    assert recorder.found["31A1", edition] == {"tests/one.py::test_it[x]"}
    assert recorder.found["29A", edition] == {"tests/one.py::test_it[x]"}
    assert {test for tests in recorder.found.values() for test in tests} == {
        "tests/one.py::test_it[x]"
    }


def report(test: str, outcome: str) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=test,
        location=("", None, ""),
        keywords={},
        outcome="passed" if outcome == "passed" else "failed",
        longrepr=None,
        when="call",
    )


def test_a_document_with_a_gap_says_so_and_is_read_as_one() -> None:
    (law, edition), *others = paragraphs()
    text = written({key: ["tests/x.py::test_y[1]"] for key in others})
    found = {(row.law, row.edition): row.tests for row in read(text)}
    assert found.pop((law, edition)) == ()
    assert set(found.values()) == {(("tests/x.py", "test_y"),)}
    assert re.search(rf"\| {law} \| {edition.value} \|.*\*\*none\*\*", text)


def test_the_test_named_by_the_paragraph_comes_first() -> None:
    key, other = ("31A2(b)", Edition.LAWS_2007), ("26B", Edition.LAWS_2007)
    broad, named = "tests/laws/a.py::test_all", "tests/laws/b.py::test_law_31_a_2_b_x"
    apart = "tests/referee/c.py::test_display"
    found = {key: {broad, named, apart}, other: {broad}}
    assert ranked(found)[key] == [named, broad, apart]


def test_only_what_a_decision_carries_is_cited() -> None:
    state = judged("2007", "E 1H; S decline; N P; E 1H")
    assert set(cited(state.rulings)) >= {"31A1", "29B"}
    assert list(cited(state.steps[0])) == []
