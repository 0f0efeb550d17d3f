"""What each paragraph that the engine cites says, in one sentence of our own.

    paragraph_in_words("31A2(b)", Edition.LAWS_2007, words)

The Laws themselves are copyrighted and are not reproduced: a sentence restates what a
paragraph means for the ruling, in the edition that is asked for.
"""

from collections.abc import Mapping

from laws.board import Edition
from referee.catalogue import Catalogue
from referee.paragraphs_of_auction import AUCTION
from referee.paragraphs_of_play import PLAY

Sentences = Mapping[Edition, str]
"""A sentence for each edition that has the paragraph."""

PARAGRAPHS: Mapping[str, str | Sentences] = {**AUCTION, **PLAY}
"""By paragraph: a sentence for both editions, or one for each that has it."""


def paragraph_in_words(law: str, edition: Edition, words: Catalogue) -> str:
    """What a paragraph says.

    A paragraph without a sentence of its own is told by the one that it belongs to,
    as 64C2(a) by 64C.

    Returns:
        The sentence; empty when there is none for any of them in the edition.
    """
    while law:
        sentence = _sentence(law, edition)
        if sentence:
            return words.text(sentence)
        law = law[: law.rindex("(")] if law.endswith(")") else law[:-1]
    return ""


def _sentence(law: str, edition: Edition) -> str:
    sentences = PARAGRAPHS.get(law, "")
    return sentences if isinstance(sentences, str) else sentences.get(edition, "")
