"""The answers that the open questions take, as lines of the table script.

A player's options are answered at his own seat, the rest by the Director.
"""

from dataclasses import dataclass

from laws.actions import Word
from laws.cards import Card
from laws.header import ScriptError
from laws.report import legal
from laws.rulings import Question
from laws.script import parse_line
from laws.seats import Seat
from laws.state import State


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
