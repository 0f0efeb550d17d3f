"""What a line of a script has changed, and what may be said next, with numbers.

For ``bidwire rule -i``: after each line the Director reads the rulings it led to, what
binds now, and the answers that each open question takes; he enters an answer by its
number.
"""

from collections.abc import Iterator

from bidwire.rule_words import (
    as_playing,
    evidence_told,
    refusals_told,
    standing_told,
)
from laws.rulings import Question, Ruling, Status
from laws.script import parse_line
from laws.state import State, key_of
from referee.answers import answers_of
from referee.catalogue import Catalogue
from referee.choices import label_in_words
from referee.directors_questions import judgement_told
from referee.explanations import told_to_director
from referee.playing import Playing
from referee.questions import option_told
from referee.wording import binding_in_words, effect_in_words, ruling_in_words


def changes_told(before: State, after: State, words: Catalogue) -> Iterator[str]:
    """What has changed from one state to the next, and what may be said now."""
    playing = as_playing(after)
    yield from _rulings(before, playing, words)
    known = set(before.refused)
    for refusal, item in zip(after.refused, refusals_told(playing, words), strict=True):
        if refusal not in known:
            yield f"{words.text('Not allowed')}: {item.text}"
    yield from _bindings(before, playing, words)
    yield from options_told(after, words)
    for item in standing_told(after, words):
        yield item.text


def _rulings(before: State, playing: Playing, words: Catalogue) -> Iterator[str]:
    old = {key_of(ruling): ruling for ruling in before.rulings}
    now = {key_of(ruling): ruling for ruling in playing.state.rulings}
    for number, ruling in enumerate(playing.state.rulings, 1):
        if ruling in before.rulings or now[key_of(ruling)] != ruling:
            continue
        earlier = old.get(key_of(ruling))
        if ruling.status is Status.SUPERSEDED:
            title = words.text("Ruling {number} is undone", number=number)
            yield f"{title}: {ruling_in_words(playing, ruling, words)}"
            continue
        if earlier is not None and earlier.status is Status.IN_FORCE:
            title = words.text("Ruling {number} is now", number=number)
        else:
            title = words.text("Ruling {number}", number=number)
        yield f"{title}: {told_to_director(playing, ruling, words)}"
    for key, ruling in old.items():
        if key not in now:
            gone = words.text("No longer a ruling")
            yield f"{gone}: {_in_words_before(before, ruling, words)}"


def _in_words_before(before: State, ruling: Ruling, words: Catalogue) -> str:
    return ruling_in_words(as_playing(before), ruling, words)


def _bindings(before: State, playing: Playing, words: Catalogue) -> Iterator[str]:
    after = playing.state
    for binding in after.bindings:
        if binding not in before.bindings:
            told = binding_in_words(binding, playing, words)
            yield f"{words.text('Binding now')}: {told}"
    for binding in before.bindings:
        if binding not in after.bindings:
            told = effect_in_words(binding.effect, None, words)
            yield f"{words.text('No longer binding')}: {told}"


def options_told(state: State, words: Catalogue) -> Iterator[str]:
    """The open questions, each answer with its number."""
    playing = as_playing(state)
    number = 0
    for answers in answers_of(state):
        question = answers.question
        if question.to is not None:
            yield option_told(playing, question, words)
        else:
            asked = judgement_told(playing, question, words)
            yield f"{words.text('Director')}: {asked}"
            yield from (f"  {line}" for line in evidence_told(playing, question, words))
        for line in answers.lines:
            number += 1
            label = _label(line, question, words)
            yield f"  {number:>2}  {line}{f'  ({label})' if label else ''}"
        if answers.pattern:
            yield f"   -  {answers.pattern}"


def _label(line: str, question: Question, words: Catalogue) -> str:
    """What a player's answer means; the Director's words speak for themselves."""
    if question.to is None:
        return ""
    return label_in_words(parse_line(line), question, words) or ""
