"""The texts of the desk's pages, in the language of the user."""

from pathlib import Path

from broker.catalogue import Catalogue, Texts, noted

__all__ = ["LANGUAGES", "TEXTS", "Catalogue", "catalogue", "noted"]

TEXTS = Texts("desk", Path(__file__).parents[1] / "locale")

LANGUAGES = TEXTS.languages()
"""Languages that there is a catalogue for."""

catalogue = TEXTS.catalogue
