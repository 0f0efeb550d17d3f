"""Rulings in words, with their citation, in the language of the reader."""

from laws.rulings import Ruling
from referee.catalogue import Catalogue
from referee.playing import Playing


def citation(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    """The paragraph as people cite it: ``Law 31A2(b), 2007``."""
    return words.text(
        "Law {law}, {edition}", law=ruling.law, edition=playing.state.board.edition
    )


def ruling_in_words(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    return citation(playing, ruling, words)
