"""What a line of a script has changed, and what may be said next, with numbers.

For ``bidwire rule -i``: after each line the Director reads the rulings it led to, what
binds now, and the answers that each open question takes; he enters an answer by its
number.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bidwire.rule_words import (
    as_playing,
    bindings_told,
    evidence_told,
    judgement_told,
    option_told,
    refusals_told,
    standing_told,
)
from laws.actions import Word
from laws.cards import Card
from laws.header import ScriptError
from laws.report import legal
from laws.rulings import Question, Ruling, Status
from laws.script import parse_line
from laws.seats import Seat
from laws.state import State, key_of
from referee.catalogue import Catalogue
from referee.choices import label_in_words
from referee.explanations import told_to_director
from referee.playing import Playing
from referee.wording import effect_in_words, ruling_in_words


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers that a question takes, as lines of the script.

    Attributes:
        question: what is asked.
        lines: whole lines, each an answer.
        pattern: how a line looks that has a call, a card or a number in it; empty when
            ``lines`` are all there are.
    """

    question: Question
    lines: tuple[str, ...]
    pattern: str = ""


def answers_of(state: State) -> list[Answers]:
    """The open questions with their answers, players' options first.

    Of two questions that the same line would answer only the older one has lines: the
    oldest is meant.
    """
    found: list[Answers] = []
    taken: set[str] = set()
    for question in sorted(state.questions, key=lambda q: q.to is None):
        lines, pattern = _lines(state, question)
        own = tuple(line for line in lines if line not in taken)
        taken |= set(lines)
        found.append(Answers(question, own, pattern))
    return found


def _lines(state: State, question: Question) -> tuple[tuple[str, ...], str]:
    if question.to is None:
        return _directors_lines(question)
    lines: list[str] = []
    pattern = ""
    for choice in question.choices:
        line = f"{_speaker(state, question, choice)} {choice}"
        if _is_whole(line):
            lines.append(line)
        elif choice == "names":
            pattern = f"{line} C2"
        else:  # a legal card or call in the place of another
            more = [f"{line} {token}" for token in _substitutes(state, question)]
            lines += more
            pattern = "" if more else f"{line} …"
    return tuple(lines), pattern


def _speaker(state: State, question: Question, choice: str) -> Seat | None:
    """Whose line an answer is: a card is told of its hand, by declarer for dummy's."""
    play, hand = state.play, question.seat
    of_hand = choice in {"keep", "replace"} or choice in _CARDS
    if of_hand and play is not None and hand is not None:
        return hand if play.player_of(hand) is question.to else question.to
    return question.to


_CARDS = frozenset(card.value for card in Card)


def _is_whole(line: str) -> bool:
    try:
        parse_line(line)
    except ScriptError:
        return False
    return True


def _substitutes(state: State, question: Question) -> tuple[str, ...]:
    """The cards that may take the place of a revoke, when the hand is known."""
    if question.question != "replace" or not question.holds:
        return ()
    return tuple(card.value for card in legal(state))


def _directors_lines(question: Question) -> tuple[tuple[str, ...], str]:
    about = f"{question.seat} " if question.seat is not None else ""
    if question.question == "claim":
        return (), f"director award {about}3"
    head = f"director {question.question} {about}"
    more = f"{head}HS" if question.question == Word.SHOWN else ""
    return tuple(f"{head}{choice}" for choice in question.choices), more


def numbered(state: State) -> list[str]:
    """All lines that can be chosen by number; the first has number 1."""
    return [line for answers in answers_of(state) for line in answers.lines]


# What is told ---------------------------------------------------------------------


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
    for binding, item in zip(
        after.bindings, bindings_told(playing, words), strict=True
    ):
        if binding not in before.bindings:
            yield f"{words.text('Binding now')}: {item.text}"
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
