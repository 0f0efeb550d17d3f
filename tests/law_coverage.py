"""Which tests make the engine decide which paragraph: ``docs/law-coverage.md``.

    python -m tests.law_coverage

runs the tests of the engine, of the referee and of ``bidwire rule``, records every
paragraph that the engine cites meanwhile in a ruling, an effect, a question, a refusal
or the state of a revoke (`tests.silent_paragraphs` has those that it decides by without
a citation), and writes the document. Nothing goes by the names of the tests, except
which of them are shown first.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest

from laws.actions import Word
from laws.board import Edition
from laws.events import Event, Happened, Rejudged
from laws.judgement import Judgement
from laws.rulings import Given, Question
from tests.law_document import DOCUMENT, paragraphs, written
from tests.places import REPOSITORY
from tests.silent_paragraphs import SILENT

RUN = [
    "tests/laws",
    "tests/referee",
    "tests/bidwire/test_rule.py",
    "tests/bidwire/test_rule_command.py",
]
"""The tests that judge boards in their own process."""

CHOSEN = "not records and not hypothesis"
"""Not those that need records, nor those that come upon a paragraph by chance."""

NO_EVIDENCE = ("tests/referee/test_paragraphs.py", "tests/laws/test_law_coverage.py")
"""They look at citations, not whether it was right to cite."""

_CITING = frozenset({"law", "rule", "established", "corrected"})
"""Fields that hold a paragraph, wherever they stand."""

Key = tuple[str, Edition]


class Recorder:
    """A pytest plugin that notes what each test that succeeds makes the engine say."""

    def __init__(self) -> None:
        self.found: defaultdict[Key, set[str]] = defaultdict(set)
        self._now: set[Key] = set()

    def pytest_runtest_logstart(self) -> None:
        self._now = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for key in self._now:
                self.found[key].add(report.nodeid)

    def note_answer(self, judge: Judgement, question: Question) -> None:
        """Note the paragraph by which a Director's answer was asked for."""
        self._now.add((question.law, judge.state.board.edition))

    def note(self, judge: Judgement, event: Event) -> None:
        """Note what an event, about to be emitted, cites or shows."""
        edition = judge.state.board.edition
        self._now |= {(law, edition) for law in cited(event)}
        self._now |= {
            (silent.law, edition)
            for silent in SILENT
            if edition in silent.editions and silent.seen(judge.state, event)
        }


def cited(value: Any) -> Iterator[str]:  # noqa: ANN401 - any part of an event
    """The paragraphs that an event names, in whatever it carries.

    What happened cites nothing, and what was judged again was noted when it was.
    """
    if isinstance(value, Happened | Rejudged):
        return
    for name in getattr(value, "__dataclass_fields__", ()):
        inner = getattr(value, name)
        if name in _CITING and isinstance(inner, str):
            yield from filter(None, [inner])
        elif name == "laws":
            yield from filter(None, inner)
        else:
            yield from cited(inner)
    if isinstance(value, tuple):
        for part in value:
            yield from cited(part)


def ranked(found: Mapping[Key, set[str]]) -> dict[Key, list[str]]:
    """The tests of each paragraph, the most telling first.

    That is a test named by the paragraph, or by its Law; then one of the engine; then
    one that has to do with few other paragraphs.
    """
    breadth: defaultdict[str, int] = defaultdict(int)
    for tests in found.values():
        for test in {_function(test) for test in tests}:
            breadth[test] += 1

    def rank(law: str, test: str) -> tuple[bool, bool, bool, int, str]:
        parts = re.findall(r"\d+|[A-Za-z]+", law.lower())
        name = f"{_function(test)}_"
        return (
            f"_{'_'.join(parts)}_" not in name,
            f"_{parts[0]}_" not in name,
            not test.startswith("tests/laws/"),
            breadth[_function(test)],
            test,
        )

    return {
        key: sorted(tests, key=lambda test, law=key[0]: rank(law, test))  # type: ignore[misc]
        for key, tests in found.items()
    }


def _function(test: str) -> str:
    return test.partition("[")[0]


@contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Let the recorder see every event and every answer of the engine."""
    emit, said = Judgement.emit, Judgement.said

    def seen_emit(judge: Judgement, event: Event) -> None:
        recorder.note(judge, event)
        emit(judge, event)

    def seen_said(judge: Judgement, word: Word, question: Question) -> Given | None:
        given = said(judge, word, question)
        if given is not None:
            recorder.note_answer(judge, question)
        return given

    with (
        mock.patch.object(Judgement, "emit", seen_emit),
        mock.patch.object(Judgement, "said", seen_said),
    ):
        yield


def main() -> int:
    """Run the tests, write the document and name the paragraphs without a test.

    Returns:
        The exit code: 0 only when every test succeeded and no paragraph is left out.
    """
    recorder = Recorder()
    ignored = [f"--ignore={file}" for file in NO_EVIDENCE]
    arguments = ["-q", "-m", CHOSEN, *ignored, *RUN]
    with watched(recorder):
        failed = pytest.main(arguments, plugins=[recorder])
    if failed:
        return int(failed)
    tests = ranked(recorder.found)
    DOCUMENT.write_text(written(tests), encoding="utf-8")
    missing = [key for key in paragraphs() if key not in tests]
    for law, edition in missing:
        sys.stdout.write(f"no test of Law {law}, {edition.value}\n")
    told = DOCUMENT.relative_to(REPOSITORY)
    sys.stdout.write(f"{told}: {len(paragraphs()) - len(missing)} paragraphs\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
