"""The texts of a package, in the languages that there are catalogues for.

English is the language of the source; the catalogues of other languages lie in the
package's ``locale`` as gettext has them, and ``locale/DOMAIN.pot`` lists every text.
``python -m PACKAGE.catalogue`` brings all of them up to the source.
"""

import gettext
from dataclasses import dataclass, field
from pathlib import Path


def noted(source: str) -> str:
    """The text itself: marks one in a table for the catalogue."""
    return source


class Catalogue:
    """The texts of a package in one language.

    Attributes:
        language: its code, ``es``.
    """

    def __init__(
        self, language: str, translations: gettext.NullTranslations | None = None
    ) -> None:
        self.language = language
        self._translations = translations or gettext.NullTranslations()

    def text(self, source: str, **values: object) -> str:
        """The text for an English one, with its ``{names}`` filled in."""
        translated = self._translations.gettext(source)
        return translated.format(**values) if values else translated

    def texts(self, one: str, many: str, count: int, **values: object) -> str:
        """The text for a number of things; ``{count}`` is filled in too."""
        translated = self._translations.ngettext(one, many, count)
        return translated.format(count=count, **values)


@dataclass(frozen=True, slots=True)
class Texts:
    """The catalogues of a package.

    Attributes:
        domain: gettext's name for them: the package's.
        folder: its ``locale``.
    """

    domain: str
    folder: Path
    _known: dict[str, Catalogue] = field(default_factory=dict, compare=False)

    def languages(self) -> tuple[str, ...]:
        """Languages that there is a catalogue for; English always is one."""
        found = {
            p.parent.parent.name for p in self.folder.glob(f"*/*/{self.domain}.mo")
        }
        return tuple(sorted(found | {"en"}))

    def catalogue(self, language: str) -> Catalogue:
        """The catalogue of a language; English for one that has none."""
        if language not in self._known:
            translations = gettext.translation(
                self.domain, self.folder, [language], fallback=True
            )
            self._known[language] = Catalogue(language, translations)
        return self._known[language]
