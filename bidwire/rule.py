"""``bidwire rule``: a table script judged by the engine alone."""

import json
import re
from collections.abc import Iterator

from bidwire.records.export import PBN_HEADER, write_pbn
from laws.actions import Word
from laws.board import Edition
from laws.engine import ImpossibleActionError, begin, decide
from laws.report import legal, report, turn_of
from laws.rulings import Question, Status
from laws.script import ScriptError, parse_script
from laws.seats import SIDES, Seat
from laws.state import State
from referee.catalogue import Catalogue, catalogue
from referee.directors_questions import directors_question
from referee.double_dummy import solved_at_once
from referee.evidence import evidence, evidence_in_words
from referee.names import contract_name, seat_name, side_name
from referee.playing import Playing
from referee.questions import question_in_words
from referee.settings import BoardSettings
from referee.wording import cited, effect_in_words, ruling_in_words


class InputError(ValueError):
    """The script is wrong; the text says in which line and what was expected."""


def judge_script(text: str) -> State:
    """The state of the board after all that the script tells.

    Raises:
        InputError: a line cannot be read, or tells what cannot have happened.
    """
    try:
        script = parse_script(text)
    except ScriptError as error:
        raise InputError(str(error)) from None
    state = begin(script.board)
    for step in script.steps:
        try:
            state = decide(state, step).state
        except ImpossibleActionError as error:
            raise InputError(f"line {step.line}: {error}") from None
    return state


def judged_json(state: State) -> str:
    """The JSON object of ``docs/table-script.md``, indented."""
    judged = report(state)
    told = [found.plain() for found in evidence(state, solved_at_once)]
    if told:
        judged["evidence"] = told
    return json.dumps(judged, ensure_ascii=False, indent=1)


def judged_pbn(state: State, script: str) -> str:
    """The same as a PBN file of one game; its number is the script's ``board`` line."""
    number = re.search(r"^\s*board\s+(\d+)", script, re.MULTILINE)
    return PBN_HEADER + write_pbn(state, tags={"Board": number[1]} if number else {})


def judged_words(state: State, language: str = "en") -> str:
    """The same told to a person: rulings, who must or may do what, what is open."""
    words = catalogue(language)
    playing = Playing(1, 0, BoardSettings(number=1), state)
    return "\n".join(_told(playing, words)) + "\n"


def _told(playing: Playing, words: Catalogue) -> Iterator[str]:
    state = playing.state
    board = state.board
    vulnerable = ", ".join(side_name(side, words) for side in sorted(board.vulnerable))
    yield words.text(
        "Laws of {edition}, dealer {seat}, vulnerable: {sides}",
        edition=Edition(board.edition),
        seat=seat_name(board.dealer, words),
        sides=vulnerable or words.text("none"),
    )
    yield ""
    yield from _rulings(playing, words)
    yield from _section(words.text("Binding now"), _bindings(playing, words))
    yield from _section(words.text("Options"), _options(playing, words))
    yield from _section(
        words.text("For the Director to judge"), _judgements(playing, words)
    )
    yield from _section(words.text("Not allowed"), _refusals(playing, words))
    yield from _standing(state, words)


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    listed = [f"  {line}" for line in lines]
    if listed:
        yield f"{title}:"
        yield from listed


def _rulings(playing: Playing, words: Catalogue) -> Iterator[str]:
    rulings = playing.state.rulings
    if not rulings:
        open_ = playing.state.questions
        yield words.text("No ruling yet.") if open_ else words.text("No irregularity.")
    for number, ruling in enumerate(rulings, 1):
        told = ruling_in_words(playing, ruling, words)
        line = words.text("line {line}", line=ruling.line)
        if ruling.status is Status.SUPERSEDED:
            told = f"{words.text('Undone')}: {told}"
        yield f"{number}. {line}: {told}"
        way = [law for law in ruling.laws if law != ruling.law]
        if way:
            yield "   " + words.text("by way of {laws}", laws=", ".join(way))


def _bindings(playing: Playing, words: Catalogue) -> Iterator[str]:
    for binding in playing.state.bindings:
        effect = effect_in_words(binding.effect, None, words)
        yield f"{effect}. ({cited(binding.law, playing, words)})"


def _options(playing: Playing, words: Catalogue) -> Iterator[str]:
    for question in playing.state.questions:
        if question.to is not None:
            told = question_in_words(playing, question, words)
            yield f"{seat_name(question.to, words)}: {told}{_choices(question)}"


def _judgements(playing: Playing, words: Catalogue) -> Iterator[str]:
    told = evidence(playing.state, solved_at_once)
    for question in playing.asked(None):
        asked = directors_question(question, words)
        law = cited(question.law, playing, words)
        yield f"{asked} ({law}){_choices(question)}"
        if question.question == Word.DAMAGE:
            for found in told:
                if (found.line, found.seat) == (question.line, question.seat):
                    yield f"  {evidence_in_words(found, words)}"


def _choices(question: Question) -> str:
    return f" [{', '.join(question.choices)}]" if question.choices else ""


def _refusals(playing: Playing, words: Catalogue) -> Iterator[str]:
    for refusal in playing.state.refused:
        line = words.text("line {line}", line=refusal.line)
        yield f"{line}: {refusal.reason} ({cited(refusal.law, playing, words)})"


def _standing(state: State, words: Catalogue) -> Iterator[str]:
    """Where the board stands: contract, turn, tricks, result."""
    yield ""
    if state.auction.ended and state.contract is None:
        yield words.text("Passed out.")
        return
    if state.contract is not None:
        yield contract_name(state.contract, words)
    judged = report(state)
    turn = turn_of(state)
    if turn is not None:
        yield _turn(state, turn, words)
    if state.play is not None:
        yield words.text("Tricks as played: {tricks}", tricks=_tricks(judged, words))
    if judged["result"] is not None and state.contract is not None:
        yield words.text(
            "Result: {tricks} tricks for declarer, {score} for North-South",
            tricks=judged["result"]["declarer_tricks"],
            score=f"{judged['result']['score_NS']:+d}",
        )


def _turn(state: State, turn: Seat, words: Catalogue) -> str:
    allowed = legal(state)
    seat = seat_name(turn, words)
    if 0 < len(allowed) <= MOST_LISTED:
        return words.text(
            "{seat} to act: {allowed}", seat=seat, allowed=" ".join(allowed)
        )
    return words.text("{seat} to act", seat=seat)


MOST_LISTED = 13
"""Calls or cards that are listed one by one: a hand's."""


def _tricks(judged: dict[str, dict[str, int]], words: Catalogue) -> str:
    return ", ".join(
        f"{side_name(side, words)} {judged['tricks'][side.value]}" for side in SIDES
    )
