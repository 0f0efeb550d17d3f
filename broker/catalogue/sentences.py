"""Sentences of code that knows no catalogue, in the language of the reader.

What refuses a key, a command or a terminal says why in English, in whichever process it
runs, and the sentence is kept as it is: in journals, logs and statuses. Whoever tells
people of it recognises the sentence by its pattern.
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from broker.catalogue.texts import Catalogue

WITHIN = frozenset({"reason", "what"})
"""Names of parts that are sentences themselves.

What other braces hold is told as it is, unless it is a whole sentence without braces:
``nothing`` in the place of a number."""

NAMED = frozenset(
    {"box", "file", "pair", "serial", "table", "team", "terminal", "terminals"}
)
"""Parts that are names which people have given: told as they are, ``W`` say."""

KEPT = 4096
"""Sentences whose translation is kept, of one table."""

LENGTH_MAX = 500
"""Characters of a sentence that is looked for.

What is longer quotes somebody at length, and the search takes a time that grows with a
power of it."""

DEPTH_MAX = 4
"""Sentences within each other."""


class Sentences:
    """A table of sentences, with names in braces for what varies."""

    def __init__(
        self,
        sources: Sequence[str],
        elsewhere: Callable[[str, Catalogue], str] | None = None,
    ) -> None:
        """Take the table over; its patterns are made when the first is looked for.

        Args:
            sources: in English, in the order of the search: those with fixed words come
                before those that could take them in.
            elsewhere: tells what is in no pattern, as it is when it does not know it
                either.
        """
        self._sources = tuple(sources)
        self._fixed = frozenset(source for source in sources if "{" not in source)
        self._elsewhere = elsewhere
        self._told = lru_cache(KEPT)(self._tell)

    def in_words(self, sentence: str, words: Catalogue) -> str:
        """The sentence in the reader's language; as it is when it is unknown."""
        if not 0 < len(sentence) <= LENGTH_MAX:
            return sentence
        return self._told(sentence, words, 0)

    def knows(self, sentence: str) -> bool:
        """Whether it is one of the table, and so is every sentence within it."""
        found = self._find(sentence)
        if found is None:
            return False
        _, parts = found
        return all(self.knows(told) for name, told in parts.items() if name in WITHIN)

    def source_of(self, sentence: str) -> str | None:
        """The one of the table that it is taken for; None when it is none."""
        found = self._find(sentence)
        return found[0] if found is not None else None

    def _tell(self, sentence: str, words: Catalogue, depth: int) -> str:
        found = self._find(sentence) if depth < DEPTH_MAX else None
        if found is None:
            told = self._elsewhere
            return told(sentence, words) if told is not None else sentence
        source, parts = found
        for name, part in parts.items():
            if name in WITHIN or (part in self._fixed and name not in NAMED):
                parts[name] = self._tell(part, words, depth + 1)
        return words.text(source, **parts) if parts else words.text(source)

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(source, _pattern(source)) for source in self._sources]

    def _find(self, sentence: str) -> tuple[str, dict[str, str]] | None:
        for source, pattern in self._patterns:
            match = pattern.fullmatch(sentence)
            if match is not None:
                return source, match.groupdict()
        return None


def _pattern(source: str) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", source)
    fixed = [re.escape(part) for part in parts]
    fixed[1::2] = [f"(?P<{name}>.*?)" for name in parts[1::2]]
    return re.compile("".join(fixed), re.DOTALL)
