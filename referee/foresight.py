"""What each answer to an open question would lead to, before anybody gives it.

The engine judges each answer as if it had been given; nothing of it is kept. Whoever
has to answer, and whoever explains the options (Law 10C1), reads what would
follow.
"""

from collections.abc import Iterator
from dataclasses import replace

from laws.engine import ImpossibleActionError, decide
from laws.report import turn_of
from laws.rulings import Ruling, Status
from laws.script import parse_line
from laws.state import State, key_of
from laws.steps import Step
from referee.answers import Answers, answers_of
from referee.catalogue import Catalogue
from referee.directors_questions import directors_question
from referee.names import seat_name
from referee.paragraphs import paragraph_in_words
from referee.playing import Playing
from referee.questions import question_in_words
from referee.wording import citation, effect_in_words


def foreseen(
    playing: Playing, words: Catalogue
) -> Iterator[tuple[Answers, list[tuple[str, str]]]]:
    """Each open question; each of its answers, and what it would lead to in words."""
    for answers in answers_of(playing.state):
        told = [(x, " ".join(leads_to(playing, x, words))) for x in answers.lines]
        yield answers, told


def leads_to(playing: Playing, line: str, words: Catalogue) -> tuple[str, ...]:
    """What a line of the table script would lead to, in sentences.

    Args:
        playing: the board as it stands.
        line: an answer of ``answers_of``, or any other line.
        words: in the reader's language.

    Raises:
        ScriptError: it is no line of a table script.
    """
    return in_words(playing, judged_as_if(playing, line), words)


Outcome = Playing | ImpossibleActionError
"""The board after an answer, or why it cannot be given."""


def judged_as_if(playing: Playing, line: str) -> Outcome:
    """The board as if a line of the table script had been said, in no language yet.

    Raises:
        ScriptError: it is no line of a table script.
    """
    before = playing.state
    number = before.steps[-1].line + 1 if before.steps else 1
    try:
        after = decide(before, Step(number, parse_line(line))).state
    except ImpossibleActionError as error:
        return error
    return replace(playing, state=after)


def in_words(playing: Playing, then: Outcome, words: Catalogue) -> tuple[str, ...]:
    """What has changed on a board since, in sentences."""
    if isinstance(then, ImpossibleActionError):
        return (words.text("Impossible: {why}", why=str(then)),)
    return tuple(_changes(playing.state, then, words)) or (
        words.text("Nothing changes."),
    )


def _changes(before: State, then: Playing, words: Catalogue) -> Iterator[str]:
    yield from _rulings(before, then, words)
    for question in then.state.questions:
        if question in before.questions:
            continue
        if question.to is None:
            asked, told = words.text("Director"), directors_question(question, words)
        else:
            asked = seat_name(question.to, words)
            told = question_in_words(then, question, words)
        yield f"{asked}: {told}"
    turn = turn_of(then.state)
    if turn is not None and turn is not turn_of(before):
        yield f"{words.text('{seat} to act', seat=seat_name(turn, words))}."


def _rulings(before: State, then: Playing, words: Catalogue) -> Iterator[str]:
    """Rulings by another paragraph or to another effect, in short, and those undone."""
    old = {_gist(ruling) for ruling in before.rulings}
    for number, ruling in enumerate(then.state.rulings, 1):
        if _gist(ruling) in old:
            continue
        if ruling.status is Status.SUPERSEDED:
            yield f"{words.text('Ruling {number} is undone', number=number)}."
        else:
            edition = then.state.board.edition
            parts = [paragraph_in_words(ruling.law, edition, words).removesuffix(".")]
            parts += [effect_in_words(effect, None, words) for effect in ruling.effects]
            told = ". ".join(part for part in parts if part)
            yield f"{told}. ({citation(then, ruling, words)})"


def _gist(ruling: Ruling) -> tuple[object, ...]:
    return (key_of(ruling), ruling.status, ruling.effects)
