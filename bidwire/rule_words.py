"""What ``bidwire rule`` tells a person of a judged board, section by section."""

from collections.abc import Iterator

from bidwire.rule_explained import explained
from bidwire.rule_layout import Item, Section
from laws.actions import Word
from laws.board import Edition
from laws.report import legal, report, turn_of
from laws.rulings import Question, Ruling, Status
from laws.seats import SIDES, Seat
from laws.state import State
from referee.catalogue import Catalogue
from referee.directors_questions import judgement_told
from referee.double_dummy import solved_at_once
from referee.evidence import evidence, evidence_in_words
from referee.foresight import foreseen
from referee.names import contract_name, seat_name, side_name
from referee.paragraphs import paragraph_in_words
from referee.playing import Playing
from referee.questions import option_told
from referee.reasons import reason_in_words
from referee.settings import BoardSettings
from referee.wording import binding_in_words, cited, ruling_in_words

MOST_LISTED = 13
"""Calls or cards that are listed one by one: a hand's."""


def sections(state: State, words: Catalogue, *, explain: bool = False) -> list[Section]:
    """All that is told of a board, in order; sections may be empty."""
    playing = as_playing(state)
    return [
        Section("board", "", tuple(_board(state, words))),
        Section("rulings", "", tuple(_rulings(playing, words, explain=explain))),
        Section(
            "bound", words.text("Binding now"), tuple(bindings_told(playing, words))
        ),
        Section(
            "options",
            words.text("Options"),
            tuple(_options(playing, words, explain=explain)),
        ),
        Section(
            "director",
            words.text("For the Director to judge"),
            tuple(_judgements(playing, words, explain=explain)),
        ),
        Section(
            "refused",
            words.text("Not allowed"),
            tuple(refusals_told(playing, words, explain=explain)),
        ),
        Section("standing", "", tuple(standing_told(state, words))),
    ]


def as_playing(state: State) -> Playing:
    """The board as the referee's texts take it."""
    return Playing(1, 0, BoardSettings(number=1), state)


def _board(state: State, words: Catalogue) -> Iterator[Item]:
    board = state.board
    vulnerable = ", ".join(side_name(side, words) for side in sorted(board.vulnerable))
    told = words.text(
        "Laws of {edition}, dealer {seat}, vulnerable: {sides}",
        edition=Edition(board.edition),
        seat=seat_name(board.dealer, words),
        sides=vulnerable or words.text("none"),
    )
    yield Item(("board",), told)


def _rulings(playing: Playing, words: Catalogue, *, explain: bool) -> Iterator[Item]:
    rulings = playing.state.rulings
    if not rulings:
        open_ = playing.state.questions
        told = words.text("No ruling yet.") if open_ else words.text("No irregularity.")
        yield Item(("none",), told)
    seen: dict[tuple[int, Seat], int] = {}
    for number, ruling in enumerate(rulings, 1):
        about = (ruling.line, ruling.offender)
        seen[about] = seen.get(about, 0) + 1
        key = (ruling.line, ruling.offender, seen[about])
        text = f"{number}. {ruling_told(playing, ruling, words)}"
        if explain:
            yield Item(key, text, tuple(explained(playing, ruling, words)))
            continue
        way = [law for law in ruling.laws if law != ruling.law]
        under = words.text("by way of {laws}", laws=", ".join(way))
        yield Item(key, text, (under,) if way else ())


def ruling_told(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    """A ruling with its line, and whether it has been undone."""
    told = ruling_in_words(playing, ruling, words)
    if ruling.status is Status.SUPERSEDED:
        told = f"{words.text('Undone')}: {told}"
    return f"{words.text('line {line}', line=ruling.line)}: {told}"


def bindings_told(playing: Playing, words: Catalogue) -> Iterator[Item]:
    """What binds now."""
    for binding in playing.state.bindings:
        told = binding_in_words(binding, playing, words)
        yield Item((binding.line, binding.effect.kind, binding.effect.seat), told)


def _options(playing: Playing, words: Catalogue, *, explain: bool) -> Iterator[Item]:
    for question in playing.state.questions:
        if question.to is not None:
            told = option_told(playing, question, words)
            yield Item(
                (question.line, question.to, question.question),
                f"{told}{_choices(question)}",
                _why(playing, question, words) if explain else (),
            )


def _judgements(playing: Playing, words: Catalogue, *, explain: bool) -> Iterator[Item]:
    for question in playing.asked(None):
        why = _why(playing, question, words) if explain else ()
        yield Item(
            (question.line, question.seat, question.question),
            f"{judgement_told(playing, question, words)}{_choices(question)}",
            (*evidence_told(playing, question, words), *why),
        )


def evidence_told(
    playing: Playing, question: Question, words: Catalogue
) -> tuple[str, ...]:
    """What double dummy has to say to a question of 64C."""
    if question.question != Word.DAMAGE:
        return ()
    return tuple(
        evidence_in_words(found, words)
        for found in evidence(playing.state, solved_at_once)
        if (found.line, found.seat) == (question.line, question.seat)
    )


def _why(playing: Playing, question: Question, words: Catalogue) -> tuple[str, ...]:
    """The paragraph behind a question, and what each answer would lead to."""
    told = [
        f"{line}: {what}"
        for answers, each in foreseen(playing, words)
        if answers.question == question
        for line, what in each
    ]
    return (*_sentence(question.law, playing, words), *told)


def _sentence(law: str, playing: Playing, words: Catalogue) -> tuple[str, ...]:
    sentence = paragraph_in_words(law, playing.state.board.edition, words)
    return (f"{law}: {sentence}",) if sentence else ()


def _choices(question: Question) -> str:
    return f" [{', '.join(question.choices)}]" if question.choices else ""


def refusals_told(
    playing: Playing, words: Catalogue, *, explain: bool = False
) -> Iterator[Item]:
    """What the Laws did not allow at all."""
    for refusal in playing.state.refused:
        line = words.text("line {line}", line=refusal.line)
        reason = reason_in_words(refusal.reason, words)
        told = f"{line}: {reason} ({cited(refusal.law, playing, words)})"
        sentence = _sentence(refusal.law, playing, words) if explain else ()
        yield Item((refusal.line,), told, sentence)


def standing_told(state: State, words: Catalogue) -> Iterator[Item]:
    """Where the board stands: contract, turn, tricks, result."""
    if state.auction.ended and state.contract is None:
        yield Item(("contract",), words.text("Passed out."))
        return
    if state.contract is not None:
        yield Item(("contract",), contract_name(state.contract, words))
    turn = turn_of(state)
    if turn is not None:
        yield Item(("turn",), _turn(state, turn, words))
    if state.play is None:
        return
    judged = report(state)
    tricks = ", ".join(
        f"{side_name(side, words)} {judged['tricks'][side.value]}" for side in SIDES
    )
    yield Item(("tricks",), words.text("Tricks as played: {tricks}", tricks=tricks))
    if judged["result"] is not None:
        told = words.text(
            "Result: {tricks} tricks for declarer, {score} for North-South",
            tricks=judged["result"]["declarer_tricks"],
            score=f"{judged['result']['score_NS']:+d}",
        )
        yield Item(("result",), told)


def _turn(state: State, turn: Seat, words: Catalogue) -> str:
    allowed = legal(state)
    seat = seat_name(turn, words)
    if 0 < len(allowed) <= MOST_LISTED:
        return words.text(
            "{seat} to act: {allowed}", seat=seat, allowed=" ".join(allowed)
        )
    return words.text("{seat} to act", seat=seat)
