r"""PBN 2.1 text into games of tags and sections (PBN 2.1 sections 2 and 3).

Read with tolerance: several tags on a line or a tag over several lines, comments
anywhere (also with blank lines in them), ``%`` lines between and inside games,
quotation marks inside a value that nobody escaped. Not tolerated, but reported: text
outside of any section, and a comment that is never closed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bidwire.records.scan import Lines


@dataclass(slots=True)
class Token:
    """A word of a section and its line."""

    text: str
    line: int


@dataclass(slots=True)
class Section:
    """An Auction or Play section: its tag value, words and notes."""

    value: str
    line: int
    tokens: list[Token] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Fault:
    """Text that is no PBN, and its line."""

    line: int
    message: str


@dataclass(slots=True)
class Game:
    """One game: where it begins, tags by lower-case name, the two sections."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    auction: Section | None = None
    play: Section | None = None
    faults: list[Fault] = field(default_factory=list)


_TAG = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
_LOOSE_TAG = re.compile(r'\[\s*(\w+)[ \t]*"(.*)"[ \t]*\]')
"""A value with unescaped quotation marks or a lone backslash, up to the line's end."""

_BLANK_LINE = re.compile(r"[ \t]*(?:\n|\Z)")
_SPACE = re.compile(r"\s")
_REST_OF_LINE = re.compile(r"[^\n]*")
_WORD = re.compile(r"[^\s\[{;]+")
_ESCAPED = re.compile(r'\\(["\\])')


def games_of(text: str) -> Iterator[Game]:
    """The games of a PBN text, in order; faults are kept with their game."""
    return _Scanner(text).games()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = Lines(text)
        self._last_brace = text.rfind("}")
        self._game: Game | None = None
        self._section: Section | None = None

    def games(self) -> Iterator[Game]:
        text, at, end = self._text, 0, len(self._text)
        while at < end:
            if at == 0 or text[at - 1] == "\n":
                if text[at] == "%":
                    at = self._skip(_REST_OF_LINE, at) + 1
                    continue
                blank = _BLANK_LINE.match(text, at)
                if blank:
                    if self._game is not None:
                        yield self._game
                    self._game = None
                    at = max(blank.end(), at + 1)
                    continue
            at = self._step(at)
        if self._game is not None:
            yield self._game

    def _step(self, at: int) -> int:
        """Read what stands at a place; the place after it."""
        first = self._text[at]
        if _SPACE.match(first):
            return at + 1
        if first == ";":
            return self._skip(_REST_OF_LINE, at)
        if first == "{":
            return self._comment(at)
        if first == "[":
            return self._tag(at)
        return self._word(at)

    def _skip(self, pattern: re.Pattern[str], at: int) -> int:
        match = pattern.match(self._text, at)
        return match.end() if match else at

    def _current(self, at: int) -> Game:
        if self._game is None:
            self._game = Game(self._lines.number(at))
            self._section = None
        return self._game

    def _fault(self, at: int, message: str) -> None:
        self._current(at).faults.append(Fault(self._lines.number(at), message))

    def _comment(self, at: int) -> int:
        if at < self._last_brace:
            return self._text.index("}", at) + 1
        self._fault(at, "expected the end, a brace, of the comment that begins here")
        return self._skip(_REST_OF_LINE, at)

    def _tag(self, at: int) -> int:
        match = _TAG.match(self._text, at) or _LOOSE_TAG.match(self._text, at)
        if match is None:
            rest = self._text[at : self._skip(_REST_OF_LINE, at)]
            self._fault(at, f'expected a tag as in [Board "1"], got {rest[:60]!r}')
            return at + max(len(rest), 1)
        game, line = self._current(at), self._lines.number(at)
        name, value = match[1].lower(), _ESCAPED.sub(r"\1", match[2])
        if name == "note":
            if self._section is not None:
                index, _, explanation = value.partition(":")
                self._section.notes.setdefault(index.strip(), explanation.strip())
            return match.end()
        self._section = None
        if name not in game.tags:
            game.tags[name], game.lines[name] = value, line
            if name == "auction":
                self._section = game.auction = Section(value, line)
            elif name == "play":
                self._section = game.play = Section(value, line)
        return match.end()

    def _word(self, at: int) -> int:
        end = self._skip(_WORD, at)
        word = self._text[at:end]
        if self._section is not None:
            self._section.tokens.append(Token(word, self._lines.number(at)))
        elif not self._current(at).tags:
            self._fault(at, f"expected a tag, got {word[:60]!r}")
        return end
