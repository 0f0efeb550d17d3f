"""The engine: ``decide`` judges, ``apply`` moves the state on, ``replay`` folds.

    state = begin(board)
    decision = decide(state, Step(1, MakeCall(Seat.NORTH, Call.PASS)))
    state = decision.state          # equals replay(board, decision.events)

``decide`` never raises for what players do: an infraction is a ruling or a refusal
among the events. It raises ``ImpossibleActionError`` for what cannot have happened.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from laws.actions import (
    Action,
    Answer,
    Correct,
    Overrule,
    Word,
)
from laws.auction_happenings import judge_in_auction
from laws.board import Board
from laws.designations import told_unasked
from laws.events import Event, Happened, Noted, Refused, Rejudged
from laws.ignorance import last_irregularity, rule_on_gain
from laws.judgement import ImpossibleActionError, Judgement
from laws.meanings import MEANINGS, call_explained
from laws.playing import judge_in_play
from laws.rulings import Given
from laws.seats import Seat
from laws.state import State, begin, key_of
from laws.steps import Step

__all__ = [
    "Decision",
    "ImpossibleActionError",
    "apply",
    "begin",
    "decide",
    "replay",
]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a happening led to: the events, and the state after them."""

    events: tuple[Event, ...]
    state: State


def apply(state: State, event: Event) -> State:
    """The state after an event; total, and judges nothing."""
    return event.apply_to(state)


def replay(board: Board, events: Iterable[Event]) -> State:
    """Fold a log of events from before the first call."""
    state = begin(board)
    for event in events:
        state = event.apply_to(state)
    return state


def is_directors_word(action: Action) -> bool:
    """Whether the board is judged again for it; it is no happening at the table itself.

    What he tells of the table is one: that cards came from a wrong board, which is
    found when he says so, and that dummy warns declarer.
    """
    if isinstance(action, Answer):
        return action.word not in {Word.WRONG_BOARD, Word.DUMMY_WARNED}
    return isinstance(action, Overrule | Correct)


def decide(state: State, step: Step) -> Decision:
    """Judge what happened.

    Args:
        state: the board so far.
        step: the happening and its number, greater than any before.

    Raises:
        ImpossibleActionError: it cannot have happened (a card that the hand does not
            hold, or that has been played).
    """
    judge = Judgement(state)
    judge.emit(Happened(step))
    if is_directors_word(step.action):
        _judge_again(judge, step)
    else:
        _judge(judge, step)
    return Decision(tuple(judge.events), judge.state)


def _judge(judge: Judgement, step: Step) -> None:
    """Judge a happening at the table, and what the Director has said of it (11A)."""
    if not judge_in_auction(judge, step.line, step.action):
        judge_in_play(judge, step.line, step.action)
    if judge.state.given:
        rule_on_gain(judge, step.line)


def _judge_again(judge: Judgement, step: Step) -> None:
    """Take the Director's word and judge the board again in its light."""
    state = judge.state
    given, overruled, corrections = state.given, state.overruled, state.corrections
    match step.action:
        case Answer(word, answer, seat):
            line, about = _what_is_answered(state, word, seat)
            # A second answer to the same question takes the place of the first.
            given = tuple(
                g for g in given if (g.word, g.seat, g.line) != (word, about, line)
            )
            said = Given(word, answer, about, line)
            if line is None:
                judge.emit(Noted(said))
                return
            given = (*given, said)
        case Overrule(number):
            if number > len(state.rulings):
                judge.refuse(step.line, "81C", f"there is no ruling {number}")
                return
            overruled = (*overruled, key_of(state.rulings[number - 1]))
        case Correct(line, by):
            reason = _why_not_corrected(state.steps[:-1], line)
            if reason:
                judge.refuse(step.line, "81C", reason)
                return
            others = tuple(pair for pair in corrections if pair[0] != line)
            corrections = (*others, (line, by))
        case _:
            raise AssertionError(step.action)
    blank = replace(
        begin(state.board), given=given, overruled=overruled, corrections=corrections
    )
    again = Judgement(blank)
    _judge_all(again, state)
    judge.emit(Rejudged(given, overruled, corrections, tuple(again.events)))


def _judge_all(again: Judgement, before: State) -> None:
    """Judge all that has happened, as it really was; the last word is in force already.

    What was refused of the Director's words stays refused.
    """
    really = dict(again.state.corrections)
    refused = {refusal.line: refusal for refusal in before.refused}
    for step in before.steps[:-1]:
        if is_directors_word(step.action):
            if step.line in refused:
                again.emit(Refused(refused[step.line]))
            continue
        action = really.get(step.line, step.action)
        if action is not None:
            again.emit(Happened(Step(step.line, action)))
            _judge(again, Step(step.line, action))


def _what_is_answered(
    state: State, word: Word, seat: Seat | None
) -> tuple[int | None, Seat | None]:
    """Which happening the Director's word is about, and whose it is.

    That is the oldest open question of the word (about the seat if one is named); then,
    for a seat that is named, what has been answered before; then the call or card whose
    meaning he tells without having been asked. None: it answers a question to come.
    """
    for question in state.questions:
        meant = question.to is None and question.question == word
        if meant and (seat is None or question.seat is seat):
            return question.line, question.seat
    for given in reversed(state.given):
        if seat is not None and (given.word, given.seat) == (word, seat):
            return given.line, seat
    if word is Word.GAINED:
        return last_irregularity(state, seat)
    made = call_explained(state.auction, seat) if word in MEANINGS else None
    if made is not None:
        return made.line, made.seat
    told = told_unasked(state.play, word) if state.play is not None else None
    return told if told is not None and seat in (None, told[1]) else (None, seat)


def _why_not_corrected(steps: tuple[Step, ...], line: int) -> str:
    """Why the Director cannot say what a line really was; empty when he can."""
    for step in steps:
        if step.line == line:
            word = is_directors_word(step.action)
            return f"line {line} is the Director's own word" if word else ""
    return f"nothing happened at line {line}"
