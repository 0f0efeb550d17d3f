"""Texts fitted to a display of so many columns and rows; nothing is lost by it.

Words are wrapped, never cut, unless one alone is wider than the display. A display
takes at most 16 pages; ``paginate`` keeps every line as long as the wire allows.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from protocol.messages import Encoding

PAGES_MAX = 16
"""Pages of a DISPLAY."""

LINE_MAX = 64
"""Characters of a line of a DISPLAY."""

_ASCII = {
    "♣": "C",
    "♦": "D",
    "♥": "H",
    "♠": "S",
    "\N{EN DASH}": "-",
    "…": "...",
    "·": "-",
    "ß": "ss",
    "¿": "",
    "¡": "",
}


@dataclass(frozen=True, slots=True)
class Grid:
    """Lines laid out in columns, which must not be wrapped again."""

    lines: tuple[str, ...]


Block = str | Grid
"""A text to be wrapped, or lines that are laid out already."""


def plain(text: str, encoding: Encoding) -> str:
    """The text in characters that a display can show."""
    if encoding is Encoding.UTF_8:
        return text
    codec = "latin-1" if encoding is Encoding.LATIN_1 else "ascii"
    return "".join(_fitted(character, codec) for character in text)


def _fitted(character: str, codec: str) -> str:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        if character in _ASCII:
            return _ASCII[character]
        base = unicodedata.normalize("NFKD", character)
        kept = base.encode(codec, "ignore").decode(codec)
        return kept or "?"
    return character


def wrap(text: str, columns: int) -> list[str]:
    """The text in lines of at most ``columns`` characters, broken between words."""
    columns = min(columns, LINE_MAX)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            while len(word) > columns:  # wider than the display: it has to be cut
                if line:
                    lines.append(line)
                    line = ""
                lines.append(word[:columns])
                word = word[columns:]  # noqa: PLW2901 - the rest of the same word
            if line and len(line) + 1 + len(word) > columns:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        if line:
            lines.append(line)
    return lines


def paginate(
    blocks: Iterable[Block], columns: int, rows: int, encoding: Encoding
) -> tuple[tuple[str, ...], ...]:
    """Blocks of text as pages.

    A block begins on a new line; where it fits on one page but not on the rest of the
    present one, it begins a new page. What does not fit on ``PAGES_MAX`` pages is left
    out, so the most pressing comes first.

    Args:
        blocks: texts, most pressing first.
        columns: characters of a line.
        rows: lines of a page.
        encoding: characters that the display can show.
    """
    pages: list[list[str]] = [[]]
    for block in blocks:
        lines = _lines(block, columns, encoding)
        if len(lines) <= rows < len(pages[-1]) + len(lines):
            pages.append([])
        for line in lines:
            if len(pages[-1]) == rows:
                pages.append([])
            pages[-1].append(line)
    return tuple(tuple(page) for page in pages if page)[:PAGES_MAX]


@lru_cache(maxsize=1 << 12)
def _lines(block: Block, columns: int, encoding: Encoding) -> tuple[str, ...]:
    """The lines of a block; most are shown to four seats, and again."""
    if isinstance(block, Grid):
        return tuple(plain(line, encoding)[:columns] for line in block.lines)
    return tuple(wrap(plain(block, encoding), columns))
