"""What an answer means, which the table script has only as a line."""

from laws.actions import Answer, Claim, Concede
from laws.header import ScriptError
from laws.script import parse_line
from protocol.happenings import HappeningError
from protocol.payloads import DirectorCommand
from referee.catalogue import Catalogue
from referee.choices import label_in_words
from referee.directors_questions import directors_question
from referee.entries import EventTaken
from referee.happened import happening_of
from referee.options import ANSWERS
from referee.playing import Playing


def meaning_of_key(taken: EventTaken, playing: Playing | None, words: Catalogue) -> str:
    """What a player's answer or claim means; empty for what its line says itself.

    Args:
        taken: the key press.
        playing: the board before it.
        words: of the reader.
    """
    try:
        action = happening_of(taken)
    except HappeningError:
        return ""
    match action:
        case Claim(tricks=tricks):
            return words.texts("claims {count} trick", "claims {count} tricks", tricks)
        case Concede(tricks=tricks):
            return words.texts(
                "concedes {count} trick", "concedes {count} tricks", tricks
            )
        case _ if playing is not None and isinstance(action, ANSWERS):
            asked = playing.asked(taken.seat)
            labels = (label_in_words(action, question, words) for question in asked)
            return next(filter(None, labels), "")
        case _:
            return ""


def meaning_of_command(
    command: DirectorCommand, playing: Playing | None, words: Catalogue
) -> str:
    """The Director's answer with its question; empty for another command.

    Args:
        command: his.
        playing: the board that it is about, before it.
        words: of the reader.
    """
    try:
        action = parse_line(command.happening) if command.happening else None
    except ScriptError:
        return ""
    if not isinstance(action, Answer) or playing is None:
        return ""
    for question in playing.asked(None):
        if question.question == action.word and action.seat in (None, question.seat):
            asked = directors_question(question, words)
            return f"{asked} {_answer(action, words)}"
    return ""


def _answer(answer: Answer, words: Catalogue) -> str:
    match answer.answer:
        case True:
            return words.text("Yes")
        case False:
            return words.text("No")
        case None:
            return words.text("None")
        case tuple(suits):
            return " ".join(suits)
        case card:
            return str(card)
