"""The texts that players and Directors read, in the language of their terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from broker.catalogue import Catalogue, Texts, noted

__all__ = ["LANGUAGES", "TEXTS", "Catalogue", "catalogue", "in_all_languages", "noted"]

TEXTS = Texts("referee", Path(__file__).parents[1] / "locale")

LANGUAGES = TEXTS.languages()
"""Languages that there is a catalogue for."""

catalogue = TEXTS.catalogue


def in_all_languages(told: Callable[[Catalogue], str]) -> dict[str, Any]:
    """``text`` in English, and ``texts`` in every other language."""
    texts = {language: told(catalogue(language)) for language in LANGUAGES}
    return {"text": texts.pop("en"), "texts": texts}
