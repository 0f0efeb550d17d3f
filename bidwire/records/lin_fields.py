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
from laws.header import whole_number


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
    broken: bool = False
    fields: list[Field] = field(default_factory=list)


_PAIR = re.compile(r"([^|]*)\|([^|]*)(\||\Z)")
_KEY = re.compile(r"[a-z0-9]{2}")
_OPENER = re.compile(r"^(?:qx|pn|md)\|", re.MULTILINE | re.IGNORECASE)
_SWALLOWED = re.compile(r"\n(?:qx|pn|md)\Z", re.IGNORECASE)
"""A value that ends with the key of a new record on a line of its own."""


def fields_of(text: str) -> Iterator[Field]:
    """The fields of a LIN text.

    What is no field, since its key has not two letters or no ``|`` closes it, comes
    with the key "". Fields are then out of step, so reading goes on at the next line
    that begins a record.
    """
    lines = Lines(text)
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _PAIR.match(text, at)
        raw = match[1] if match else text[at:]
        key = "".join(raw.split()).lower()
        line = lines.number(at + len(raw) - len(raw.lstrip()))
        if match and match[3] and _KEY.fullmatch(key):
            swallowed = _SWALLOWED.search(match[2])
            if swallowed is None:
                yield Field(key, match[2].replace("\n", "").strip(), line)
                at = match.end()
                continue
        broken = match[0] if match else raw
        yield Field("", broken.strip().split("\n")[0], line)
        opener = _OPENER.search(text, at + 1)
        if opener is None:
            return
        at = opener.start()


def entries_of(text: str) -> Iterator[Entry]:
    """The entries of a LIN text, in order."""
    outcomes = _Outcomes()
    entry = Entry(1)
    opened = False
    for item in fields_of(text):
        outcomes.read(item)
        if item.key in {"qx", "pn", "md"}:
            if entry.dealt or entry.broken:
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
        entry.broken = entry.broken or not item.key
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
        first = whole_number(words[3]) if len(words) > 3 else None
        if item.key == "vg" and first is not None:
            self._first = first
        elif item.key == "rs":
            self._outcomes = words

    def of(self, label: str) -> str:
        room, number = label[:1].lower(), whole_number(label[1:])
        if room not in {"o", "c"} or number is None:
            return ""
        place = 2 * (number - self._first) + (room == "c")
        return self._outcomes[place] if 0 <= place < len(self._outcomes) else ""
