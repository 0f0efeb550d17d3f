"""How the texts of ``bidwire rule`` are laid out: in lines, or in two columns."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

Key = TypeVar("Key")

BAR = " | "
"""Between two columns."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is told.

    Attributes:
        key: names the same thing of another board, to set the two side by side.
        text: what is told.
        under: what belongs to it, line by line; leading blanks indent.
    """

    key: tuple[object, ...]
    text: str
    under: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        return (self.text, *(f"   {line}" for line in self.under))


@dataclass(frozen=True, slots=True)
class Section:
    """Things of a kind, under a title if they have one.

    Attributes:
        name: names the same section of another board.
        title: what stands above the items.
        items: what is told.
    """

    name: str
    title: str
    items: tuple[Item, ...]

    @property
    def indent(self) -> str:
        return "  " if self.title else ""


def lines_of(told: Sequence[Section], width: int | None) -> Iterator[str]:
    """The sections one below the other, a blank line around those without a title."""
    blank = False
    for section in told:
        if not section.items:
            continue
        if blank and not section.title:
            yield ""
        blank = True
        if section.title:
            yield f"{section.title}:"
        for item in section.items:
            for line in item.lines:
                yield from wrapped(section.indent + line, width)


def columns_of(
    left: Sequence[Section], right: Sequence[Section], width: int
) -> Iterator[str]:
    """Two tellings side by side, the same things in the same rows."""
    each = (width - len(BAR)) // 2
    begun = False
    for one, other in _paired(left, right):
        title = one.title or other.title
        if not one.items and not other.items:
            continue
        if begun:
            yield _row("", "", each)
        begun = True
        if title:
            yield _row(f"{title}:", f"{title}:", each)
        here = {item.key: item for item in one.items}
        there = {item.key: item for item in other.items}
        for key in merged(list(here), list(there)):
            cells = [
                [cut for line in _lines_in(items, key) for cut in wrapped(line, each)]
                for items in (here, there)
            ]
            for i in range(max(len(cell) for cell in cells)):
                a, b = (cell[i] if i < len(cell) else "" for cell in cells)
                yield _row(a, b, each)


def _lines_in(
    items: dict[tuple[object, ...], Item], key: tuple[object, ...]
) -> tuple[str, ...]:
    return items[key].lines if key in items else ()


def _paired(
    left: Sequence[Section], right: Sequence[Section]
) -> Iterator[tuple[Section, Section]]:
    here = {section.name: section for section in left}
    there = {section.name: section for section in right}
    for name in merged(list(here), list(there)):
        nothing = Section(name, "", ())
        yield here.get(name, nothing), there.get(name, nothing)


def merged(left: list[Key], right: list[Key]) -> list[Key]:
    """Both lists in one, each in its order, what they share only once."""
    result = list(left)
    place = 0
    for key in right:
        if key in result:
            place = result.index(key) + 1
        else:
            result.insert(place, key)
            place += 1
    return result


def _row(left: str, right: str, each: int) -> str:
    return f"{left:<{each}}{BAR}{right}".rstrip()


def wrapped(line: str, width: int | None) -> list[str]:
    """A line cut between words, each part indented as the line is."""
    if width is None or len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )
