"""The document that ``python -m tests.law_coverage`` writes, and its reader."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from laws.board import Edition
from referee.catalogue import catalogue
from referee.paragraphs import PARAGRAPHS, paragraph_in_words
from tests.places import REPOSITORY
from tests.silent_paragraphs import SILENT

DOCUMENT = REPOSITORY / "docs" / "law-coverage.md"

SHOWN = 3
"""Tests named for a paragraph, of all that there are."""

LEFT_TO_PEOPLE = {
    "9B1, 10A, 81C": "The Director is called with a key, from any seat; his word goes "
    "before the referee's ruling.",
    "9A5": "Nobody need own up to what his side did, and no key asks him to.",
    "10B, 10C1, 10C3, 10C4": "The Director explains the options, and may allow or "
    "cancel what the players have arranged; which choice pays is the players' affair.",
    "9C, 11B, 43B1, 72B, 90": "Conduct and procedural penalties are for the Director.",
    "12A, 12B, 12C": "A ruling names the paragraph that lets the Director adjust the "
    "score; it computes no adjusted score.",
    "16B, 20F": "Remarks, hesitations and explanations do not reach a terminal.",
    "19A3, 19B3": "The key of a double names no bid, so it names no wrong one.",
    "35C, 38": "A bid above seven has no key and no notation.",
    "36C": "Every call is judged when it is made, so none stays unnoticed until the "
    "lead is faced.",
    "41B": "Reviews and explanations are asked for at the table.",
    "43A3": "That a defender shows dummy his hand, nobody keys in.",
    "45C1, 45C2, 45C3": "That a card held or touched counts as played is told by the "
    "card's own key or reader.",
    "58B1, 58B3, 58B4": "Which of several cards could be seen is the player's word; "
    "the table waits until he has named one, so nobody has played to it before.",
    "61C, 62C3 of 2007, 66": "Quitted tricks lie at the table, where only the players "
    "see them, and no claim of a revoke turns them up.",
    "67B2(a), 67B2(b)": "A second card of a hand is ruled on when it comes (45E, 58B), "
    "so no trick is found later to have a card too many.",
    "68 (head)": "A statement about the trick in progress only is heard at the table.",
    "68C, 70B to 70E": "The Director hears the claimer's statement and awards the "
    "tricks.",
    "72B3, 79A2": "What a side knows and keeps to itself, only it knows.",
    "79B, 79C": "Scores corrected after the round are for whoever scores the event.",
}
"""What the book has that no terminal and no referee can bring about, and why."""

_HEAD = """\
# Which paragraph is tested where

Every paragraph of the Laws of Duplicate Bridge that Bidwire answers for, what it makes
of it, and the tests in which the engine decided by it. The tests were watched while
they ran: a paragraph counts as tested when the engine cited it in a ruling, an effect,
a question, a refusal or the state of a revoke, or (marked °) when it decided by it
without citing it, as in a regular auction. The sentences are Bidwire's own and do not
quote the Laws. Where the book leaves a choice, [law-choices.md](law-choices.md) has it.

This page is generated: `make law-coverage`.
"""

_TABLE = """
| paragraph | edition | what it says | tests | among them |
|---|---|---|---|---|
"""

_ROW = re.compile(r"\| (\S+?)°? \| (20\d\d) \| .* \| (\d+) \| (.*) \|")
_NAMED = re.compile(r"\[`(\w+)`\]\(\.\./(\S+?)\)")

Key = tuple[str, Edition]


@dataclass(frozen=True, slots=True)
class Row:
    """A paragraph in the document, and the tests named for it: file and function."""

    law: str
    edition: Edition
    tests: tuple[tuple[str, str], ...]


def paragraphs() -> list[Key]:
    """Every paragraph that Bidwire answers for, by edition, in the book's order."""
    silent = {(s.law, edition) for s in SILENT for edition in s.editions}
    cited = {
        (law, edition)
        for law, says in PARAGRAPHS.items()
        for edition in (Edition if isinstance(says, str) else says)
    }
    return sorted(silent | cited, key=lambda key: (_order(key[0]), key[1]))


def _order(law: str) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdigit() else (0, part)
        for part in re.findall(r"\d+|[A-Za-z]+", law)
    ]


def written(tests: Mapping[Key, Sequence[str]]) -> str:
    """The document, from the tests of each paragraph, the most telling first."""
    parts = [_HEAD]
    for law, keys in groupby(paragraphs(), lambda key: _number(key[0])):
        parts.append(f"\n## Law {law}\n{_TABLE}")
        parts += [_row(key, tests.get(key, ())) for key in keys]
    parts.append("\n## Left to people\n\n| paragraphs | why |\n|---|---|\n")
    parts += [f"| {laws} | {why} |\n" for laws, why in LEFT_TO_PEOPLE.items()]
    return "".join(parts)


def _number(law: str) -> str:
    return re.match(r"\d+", law)[0]  # type: ignore[index] # every law has a number


def _row(key: Key, tests: Sequence[str]) -> str:
    law, edition = key
    silent = next((s for s in SILENT if s.law == law and edition in s.editions), None)
    words = paragraph_in_words(law, edition, catalogue("en"))
    says = silent.says if silent else words
    mark = "°" if silent else ""
    named = list(dict.fromkeys(test.partition("[")[0] for test in tests))[:SHOWN]
    links = " ".join(_link(test) for test in named) or "**none**"
    return f"| {law}{mark} | {edition.value} | {says} | {len(tests)} | {links} |\n"


def _link(test: str) -> str:
    file, _, function = test.partition("::")
    return f"[`{function.rpartition('::')[2]}`](../{file})"


def read(text: str) -> Iterator[Row]:
    """The paragraphs of the document."""
    for line in text.splitlines():
        row = _ROW.fullmatch(line)
        if row:
            named = tuple((file, name) for name, file in _NAMED.findall(row[4]))
            yield Row(row[1], Edition(row[2]), named)
