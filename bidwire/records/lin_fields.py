"""LIN text into fields, and fields into the entries that make a record each.

LIN is ``key|value|`` over and over, with line breaks anywhere. A record begins with
its deal (``md``); a label (``qx``) or the players' names (``pn``) just before the deal
belong to it. A vugraph file opens with ``vg`` (its first and last board) and ``rs``
(contract and result of each board in both rooms).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bidwire.records.scan import Lines


@dataclass(slots=True)
class Field:
    """A key in lower case, its value, and the line where it begins."""

    key: str
    value: str
    line: int


@dataclass(slots=True)
class Entry:
    """The fields of one record.

    ``line`` is where it begins, ``outcome`` what ``rs`` says of it (``4SWx-4``).
    """

    line: int
    label: str = ""
    outcome: str = ""
    dealt: bool = False
    fields: list[Field] = field(default_factory=list)


_PAIR = re.compile(r"([^|]+)\|([^|]*)(\||\Z)")


def fields_of(text: str) -> Iterator[Field]:
    """The fields of a LIN text; a key of "" holds text that is not closed by ``|``."""
    lines = Lines(text)
    at = 0
    while match := _PAIR.match(text, at):
        at = match.end()
        raw = match[1]
        key = "".join(raw.split()).lower()
        begin = match.start() + len(raw) - len(raw.lstrip())
        value = " ".join(match[2].replace("\n", "").split(" ")).strip()
        if not match[3]:
            key, value = "", f"{key}|{value}"
        yield Field(key, value, lines.number(begin))
    rest = text[at:]
    if rest.strip():
        begin = at + len(rest) - len(rest.lstrip())
        yield Field("", "".join(rest.split()), lines.number(begin))


def entries_of(text: str) -> Iterator[Entry]:
    """The entries of a LIN text, in order."""
    outcomes = _Outcomes()
    entry = Entry(1)
    opened = False
    for item in fields_of(text):
        outcomes.read(item)
        if item.key in {"qx", "pn", "md"}:
            if entry.dealt:
                yield entry
                entry, opened = Entry(item.line), True
            elif not opened or item.key == "qx":
                entry.line, opened = item.line, True
        if item.key == "qx":
            entry.label = item.value.split(",")[0]
            entry.outcome = outcomes.of(entry.label)
        elif item.key == "ah" and item.value:
            entry.label = item.value.removeprefix("Board").strip()
        entry.dealt = entry.dealt or item.key == "md"
        entry.fields.append(item)
    if entry.dealt or any(item.key in {"mb", ""} for item in entry.fields):
        yield entry


class _Outcomes:
    """What the head of a vugraph file says of its boards, two rooms each."""

    def __init__(self) -> None:
        self._first = 1
        self._outcomes: list[str] = []

    def read(self, item: Field) -> None:
        words = [word.strip() for word in item.value.split(",")]
        if item.key == "vg" and len(words) > 3 and words[3].isdecimal():
            self._first = int(words[3])
        elif item.key == "rs":
            self._outcomes = words

    def of(self, label: str) -> str:
        room, number = label[:1].lower(), label[1:]
        if room not in {"o", "c"} or not number.isdecimal():
            return ""
        place = 2 * (int(number) - self._first) + (room == "c")
        return self._outcomes[place] if 0 <= place < len(self._outcomes) else ""
