"""The answers that a question offers its seat, as choices of a display."""

from laws.actions import (
    Accept,
    Action,
    Agree,
    Decline,
    Extreme,
    Forbid,
    Keep,
    NameCard,
    Object,
    PlayCards,
    PlayOn,
    Require,
    Spread,
    Waive,
)
from laws.cards import Suit
from laws.header import ScriptError
from laws.rulings import Question
from laws.script import parse_line
from laws.seats import Seat
from protocol.happenings import fields_of
from protocol.messages import Choice
from referee.catalogue import Catalogue
from referee.names import suit_name, suit_names, thing_name

CHOICES_MAX = 16
"""Choices of a DISPLAY."""

LABEL_MAX = 40
"""Characters of a choice's label."""


def choices_of(question: Question, seat: Seat, words: Catalogue) -> list[Choice]:
    """The choices of a question; answers that name a card are not among them.

    A card, or a call, in the place of another is entered as such.
    """
    choices = []
    for said in question.choices:
        try:
            action = parse_line(f"{seat} {said}")
        except ScriptError:
            continue  # the answer has a card or a call in it
        label = label_in_words(action, question, words)
        if label is not None:
            key = fields_of(action)
            choices.append(Choice(key.kind, key.data, label[:LABEL_MAX]))
    return choices


def label_in_words(  # noqa: C901, PLR0911, PLR0912 - one line an answer
    action: Action, question: Question, words: Catalogue
) -> str | None:
    """What an answer means to the one who gives it; None for what is no answer."""
    about = thing_name(question.about, words)
    match action:
        case Accept():
            return words.text("Accept {what}", what=about)
        case Decline():
            return words.text("Do not accept {what}", what=about)
        case Spread():
            return words.text("Accept, spread my hand")
        case Require(_, Extreme.HIGHEST):
            return words.text("Require the highest")
        case Require(_, Extreme.LOWEST):
            return words.text("Require the lowest")
        case Require(_, Suit() as suit):
            return words.text("Require {suit}", suit=suit_name(suit, words))
        case Forbid(_, suits):
            return words.text("Forbid {suits}", suits=suit_names(suits, words))
        case Waive():
            return words.text("Any card")
        case Keep():
            return words.text("Keep {what}", what=about)
        case NameCard(_, named):
            return words.text("Play {what}", what=str(named))
        case PlayCards(_, (card,)):
            return words.text("Play {what}", what=card.value)
        case Agree():
            return words.text("Agree")
        case Object():
            return words.text("Object")
        case PlayOn():
            return words.text("Play on")
        case _:
            return None
