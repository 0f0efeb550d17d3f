"""Questions that only the Director answers, in words."""

from laws.actions import Word
from laws.rulings import Question
from referee.catalogue import Catalogue, noted
from referee.names import claim_name, seat_name
from referee.playing import Playing
from referee.wording import cited

DIRECTORS_QUESTIONS: dict[Word, str] = {
    Word.ARTIFICIAL: noted("Was {what} of {seat} artificial?"),
    Word.COMPARABLE: noted(
        "Is the new call of {seat} ({what}) comparable with the withdrawn call?"
    ),
    Word.SAME_MEANING: noted(
        "Has the new call of {seat} ({what}) the same meaning as the withdrawn call,"
        " or one within it?"
    ),
    Word.DIFFERENT_MEANING: noted(
        "Has the repeated call of {seat} ({what}) a much different meaning?"
    ),
    Word.SHOWN: noted("Which suits did {what} of {seat} show?"),
    Word.UNINTENDED: noted("Did {seat} never intend to make it ({what})?"),
    Word.MISINFORMED: noted("Was {seat} misinformed when he made it ({what})?"),
    Word.MISLED: noted("Had an opponent told {seat} that it was his turn ({what})?"),
    Word.COULD_SEE: noted("Could {seat} have seen a card of dummy ({what})?"),
    Word.INTENDED: noted("Which card did {seat} mean beyond doubt ({what})?"),
    Word.ACCIDENTAL: noted("Was {what} of {seat} exposed by accident?"),
    Word.PENALTY: noted("Is {what} of {seat} a penalty card?"),
    Word.DUMMY_LOOKED: noted("Had dummy ({seat}) looked at another hand?"),
    Word.DUMMY_WARNED: noted("Does dummy ({seat}) warn declarer of the wrong hand?"),
    Word.AWARE: noted(
        "Could {seat} have known that it might well damage the other side ({what})?"
    ),
    Word.GAINED: noted("Did a side gain by an action in ignorance ({what})?"),
    Word.WRONG_BOARD: noted("Did {seat} call on cards from a wrong board?"),
    Word.DAMAGE: noted(
        "Is the other side insufficiently compensated for the revoke of {seat}"
        " ({what})?"
    ),
}
"""What each of the Director's words asks."""

CLAIM = noted("{seat} claims {what}: how do the tricks that remain go?")
"""A contested claim, which he adjudicates with an award."""


def directors_question(question: Question, words: Catalogue) -> str:
    """A question to the Director as a sentence, without its citation."""
    seat = seat_name(question.seat, words) if question.seat is not None else ""
    if question.question == "claim":
        return words.text(CLAIM, seat=seat, what=claim_name(question.about, words))
    source = DIRECTORS_QUESTIONS[Word(question.question)]
    return words.text(source, seat=seat, what=_about(question.about, words))


def judgement_told(playing: Playing, question: Question, words: Catalogue) -> str:
    """A question to the Director, with its citation."""
    asked = directors_question(question, words)
    return f"{asked} ({cited(question.law, playing, words)})"


def _about(about: str, words: Catalogue) -> str:
    """What a question is about: ``2C for 1S`` is a call in the place of another."""
    new, in_place_of, old = about.partition(" for ")
    if not in_place_of:
        return about
    return words.text("{new} for {old}", new=new, old=old)
