"""Every paragraph that the engine can cite has a sentence, in each edition."""

import ast
import dataclasses
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from laws.board import Edition
from laws.editions import rules_of
from laws.engine import begin, decide
from laws.header import ScriptError
from laws.judgement import ImpossibleActionError
from laws.report import report
from laws.script import parse_script
from referee.catalogue import catalogue
from referee.paragraphs import PARAGRAPHS, paragraph_in_words
from tests.places import REPOSITORY

WORDS = catalogue("en")

PARAGRAPH = re.compile(r"(9|[1-8]\d)([A-F]\d?(\([a-z]\)(\([iv]+\))?)?)?")
"""Laws 1 to 8 are never cited, so that a bid is no paragraph."""

NO_CITATION = frozenset({"10", "51"})
"""Numbers in the source that are none: the rank of a card, the Law of a duty."""

SHORT = 200
"""Characters of a sentence that can be read at a glance."""

CASEBOOK = REPOSITORY.parent / "shared"
"""The casebook, which is kept outside the repository."""


def cited_in_the_source() -> set[str]:
    """Every constant of the engine that looks like a paragraph."""
    return {
        node.value
        for file in (REPOSITORY / "laws").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and PARAGRAPH.fullmatch(node.value)
    } - NO_CITATION


def has_sentence(law: str, edition: Edition) -> bool:
    """Whether it has one of its own, not only that of the Law it belongs to."""
    sentences = PARAGRAPHS.get(law)
    if sentences is None or isinstance(sentences, str):
        return bool(sentences)
    return bool(sentences.get(edition))


def test_every_paragraph_of_the_source_has_a_sentence() -> None:
    assert cited_in_the_source() <= set(PARAGRAPHS)


def test_no_sentence_is_about_a_paragraph_that_the_engine_does_not_know() -> None:
    assert set(PARAGRAPHS) <= cited_in_the_source()


def paragraphs_in(value: object) -> Iterator[str]:
    """The paragraphs of a table of the engine, whatever its shape."""
    if isinstance(value, str):
        if PARAGRAPH.fullmatch(value):
            yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from paragraphs_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from paragraphs_in(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from paragraphs_in(part)


@pytest.mark.parametrize("edition", Edition)
def test_what_an_editions_table_names_has_a_sentence_in_that_edition(
    edition: Edition,
) -> None:
    named = set(paragraphs_in(rules_of(edition)))
    assert len(named) > 30
    assert {law for law in named if not has_sentence(law, edition)} == set()


def cited(plain: Any) -> Iterator[str]:  # noqa: ANN401 - any part of a report
    """Every paragraph that a report names."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key in {"law", "rule"} and value:
                yield value
            elif key == "laws":
                yield from filter(None, value)
            else:
                yield from cited(value)
    elif isinstance(plain, list):
        for value in plain:
            yield from cited(value)


def all_cited(script: str, edition: Edition) -> set[str]:
    """What the engine cites at any moment of a script; none of one that it refuses."""
    try:
        table = parse_script(script, edition)
    except ScriptError:
        return set()
    state = begin(table.board)
    found: set[str] = set()
    for step in table.steps:
        try:
            state = decide(state, step).state
        except ImpossibleActionError:
            break  # in this edition the card has gone back, or has not
        found |= set(cited(report(state)))
    return found


def without_a_sentence(scripts: list[str]) -> set[tuple[str, Edition]]:
    return {
        (law, edition)
        for script in scripts
        for edition in Edition
        for law in all_cited(script, edition)
        if not has_sentence(law, edition)
    }


def test_the_played_cases_cite_nothing_without_a_sentence() -> None:
    files = sorted((REPOSITORY / "tests" / "laws" / "cases").glob("*.table"))
    scripts = [file.read_text(encoding="utf-8") for file in files]
    assert len(scripts) > 20
    assert without_a_sentence(scripts) == set()


def test_the_casebook_cites_nothing_without_a_sentence(tmp_path: Path) -> None:
    converter = CASEBOOK / "check_cases.py"
    if not converter.exists():
        pytest.skip("the casebook is not here: lay it in shared beside the repository")
    subprocess.run(
        [sys.executable, str(converter), "--dump", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    files = sorted(tmp_path.glob("*.table"))
    scripts = [file.read_text(encoding="utf-8") for file in files]
    assert len(scripts) > 50
    assert without_a_sentence(scripts) == set()


@pytest.mark.parametrize("law", PARAGRAPHS)
def test_a_sentence_is_short_and_whole(law: str) -> None:
    for edition in Edition:
        sentence = paragraph_in_words(law, edition, WORDS)
        if has_sentence(law, edition):
            assert sentence.endswith(".")
            assert sentence[0].isupper()
            assert len(sentence) <= SHORT


def test_a_paragraph_without_its_own_is_told_by_the_law_it_belongs_to() -> None:
    told = paragraph_in_words("64A1(c)", Edition.LAWS_2017, WORDS)
    assert told == paragraph_in_words("64A1", Edition.LAWS_2017, WORDS)
    assert paragraph_in_words("13B", Edition.LAWS_2017, WORDS) == ""


def test_editions_differ_where_the_book_does() -> None:
    old, new = (paragraph_in_words("31A2(b)", edition, WORDS) for edition in Edition)
    assert "for the rest of the auction" in old
    assert "when it is next his turn" in new
