"""The texts that people read, in the language of their terminal.

English is the language of the source; the catalogues of other languages lie in
``locale`` as gettext has them, and ``locale/referee.pot`` lists every text.
``python -m referee.catalogue`` brings all of them up to the source.
"""

import gettext
from functools import cache
from pathlib import Path

LOCALE = Path(__file__).parents[1] / "locale"

DOMAIN = "referee"


def _languages() -> tuple[str, ...]:
    found = {path.parent.parent.name for path in LOCALE.glob(f"*/*/{DOMAIN}.mo")}
    return tuple(sorted(found | {"en"}))


LANGUAGES = _languages()
"""Languages that there is a catalogue for."""


def noted(source: str) -> str:
    """The text itself: marks one in a table for the catalogue."""
    return source


class Catalogue:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._translations = gettext.translation(
            DOMAIN, LOCALE, [language], fallback=True
        )

    def text(self, source: str, **values: object) -> str:
        """The text for an English one, with its ``{names}`` filled in."""
        translated = self._translations.gettext(source)
        return translated.format(**values) if values else translated

    def texts(self, one: str, many: str, count: int, **values: object) -> str:
        """The text for a number of things; ``{count}`` is filled in too."""
        translated = self._translations.ngettext(one, many, count)
        return translated.format(count=count, **values)


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language."""
    return Catalogue(language)
