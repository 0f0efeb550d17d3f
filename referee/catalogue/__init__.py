"""The texts that players and Directors read, in the language of their terminal."""

from pathlib import Path

from broker.catalogue import Catalogue, Texts, noted

__all__ = ["LANGUAGES", "TEXTS", "Catalogue", "catalogue", "noted"]

TEXTS = Texts("referee", Path(__file__).parents[1] / "locale")

LANGUAGES = TEXTS.languages()
"""Languages that there is a catalogue for."""

catalogue = TEXTS.catalogue
