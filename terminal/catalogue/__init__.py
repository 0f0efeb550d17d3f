"""The texts of the web terminal's page, in the language of the terminal."""

import json
from pathlib import Path

from broker.catalogue import Texts

TEXTS = Texts("terminal", Path(__file__).parents[1] / "locale")

ENGLISH = Path(__file__).parents[1] / "web" / "texts.json"
"""The page's texts in English, by the names that its modules know them by."""

LANGUAGES = TEXTS.languages()
"""Languages that there is a catalogue for."""


def page_texts(language: str) -> dict[str, str]:
    """The page's texts in a language, by name; English where there is no catalogue."""
    words = TEXTS.catalogue(language)
    english = json.loads(ENGLISH.read_text(encoding="utf-8"))
    return {name: words.text(text) for name, text in english.items()}
