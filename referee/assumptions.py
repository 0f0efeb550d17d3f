"""What was assumed until the Director answers, in words.

The engine lists an assumption as ``comparable S: no``: a word of the Director's, the
seat that it is about, and the answer that stands in for his.
"""

import re

from laws.actions import Word
from laws.cards import SUITS
from laws.seats import Seat
from referee.catalogue import Catalogue, noted
from referee.names import seat_name, suit_names

YES, NO = "yes", "no"

ASSUMPTIONS: dict[tuple[str, str], str] = {
    ("accept", "yes, by calling"): noted("{seat} has accepted, by calling"),
    (Word.ACCIDENTAL, YES): noted("{seat} exposed the card by accident"),
    (Word.ARTIFICIAL, YES): noted("the call of {seat} was artificial"),
    (Word.ARTIFICIAL, NO): noted("the call of {seat} was not artificial"),
    (Word.COMPARABLE, YES): noted("the new call of {seat} is comparable"),
    (Word.COMPARABLE, NO): noted("the new call of {seat} is not comparable"),
    (Word.DIFFERENT_MEANING, NO): noted(
        "the repeated call of {seat} means much the same"
    ),
    (Word.DUMMY_LOOKED, NO): noted("dummy ({seat}) had not looked at another hand"),
    (Word.PENALTY, YES): noted("the exposed card of {seat} is a penalty card"),
    (Word.SAME_MEANING, YES): noted("the new call of {seat} has the same meaning"),
    (Word.SAME_MEANING, NO): noted("the new call of {seat} has another meaning"),
    (Word.UNINTENDED, NO): noted("{seat} had meant it"),
}

SHOWN = noted("the call of {seat} showed {suits}")
SHOWN_NONE = noted("the call of {seat} showed no suit")


def assumption_in_words(assumption: str, words: Catalogue) -> str:
    """An assumption as part of a sentence; as the engine lists it when unknown."""
    match = re.fullmatch(r"([\w-]+) ([NESW]): (.+)", assumption)
    if match is None:
        return assumption
    word, seat, answer = match.groups()
    name = seat_name(Seat(seat), words)
    if word == Word.SHOWN:
        suits = suit_names((suit for suit in SUITS if suit in answer), words)
        if answer == "none":
            return words.text(SHOWN_NONE, seat=name)
        return words.text(SHOWN, seat=name, suits=suits)
    source = ASSUMPTIONS.get((word, answer))
    return words.text(source, seat=name) if source is not None else assumption
