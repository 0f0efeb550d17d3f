"""How a board went, beyond the report: for Directors, as it happened and in words.

The script with its line numbers, which a correction names (85); every call and card,
withdrawn ones too; and each ruling as the Director and each seat read it.
"""

from collections.abc import Callable, Iterator
from functools import partial

from laws.play import PlayedCard, Trick
from laws.rulings import Binding, Question, Ruling
from laws.script import format_action
from laws.seats import SIDES, Seat
from laws.state import State
from protocol.course import (
    Course,
    CourseBinding,
    CourseCall,
    CourseCard,
    CourseRuling,
    CourseText,
    CourseTrick,
)
from referee.assumptions import assumption_in_words
from referee.catalogue import LANGUAGES, Catalogue, catalogue, in_all_languages
from referee.directors_questions import judgement_told
from referee.explanations import told_to_director, told_to_seats
from referee.playing import Playing
from referee.questions import option_told
from referee.wording import binding_in_words, effect_in_words


def course(playing: Playing) -> Course:
    """How a board has gone so far."""
    state = playing.state
    return Course(
        dealer=state.board.dealer,
        vulnerable=tuple(side for side in SIDES if side in state.board.vulnerable),
        lines=tuple(format_action(step.action) for step in state.steps),
        calls=tuple(_calls(playing)),
        tricks=tuple(_tricks(state)),
        withdrawn=_withdrawn(state),
        rulings=tuple(
            _ruling(playing, number, ruling)
            for number, ruling in enumerate(state.rulings, 1)
        ),
        questions=tuple(_question(playing, question) for question in state.questions),
        bound=tuple(_binding(playing, binding) for binding in state.bindings),
    )


def _calls(playing: Playing) -> Iterator[CourseCall]:
    explained = playing.explanations()
    for made in playing.state.auction.calls:
        yield CourseCall(
            line=made.line,
            seat=made.seat,
            call=made.call,
            withdrawn=made.withdrawn,
            alerted=made.alerted,
            explanation=explained.get(made.line, "") if made.alerted else "",
        )


def _tricks(state: State) -> Iterator[CourseTrick]:
    play = state.play
    if play is None:
        return
    for trick in (*play.tricks, play.current):
        if trick.cards or trick.absent:
            winner = trick.winner(play.trump) if trick.is_complete else None
            yield CourseTrick(trick.leader, _cards(trick), winner)


def _cards(trick: Trick) -> tuple[CourseCard, ...]:
    return tuple(_card(played) for played in (*trick.cards, *trick.added))


def _card(played: PlayedCard) -> CourseCard:
    return CourseCard(played.line, played.hand, played.card)


def _withdrawn(state: State) -> tuple[CourseCard, ...]:
    if state.play is None:
        return ()
    return tuple(
        CourseCard(gone.line, gone.hand, gone.card)
        for gone in state.play.incidents.withdrawn
    )


def _ruling(playing: Playing, number: int, ruling: Ruling) -> CourseRuling:
    seats: dict[Seat, dict[str, str]] = {}
    for language in LANGUAGES:
        told = told_to_seats(playing, ruling, catalogue(language))
        for seat, text in told.items():
            seats.setdefault(seat, {})[language] = text
    told_in = in_all_languages(partial(told_to_director, playing, ruling))
    return CourseRuling(
        number=number,
        seats=seats,
        effects=tuple(
            _told(partial(effect_in_words, effect, None)) for effect in ruling.effects
        ),
        assumptions=tuple(
            _told(partial(assumption_in_words, text)) for text in ruling.assumptions
        ),
        **told_in,
    )


def _told(told: Callable[[Catalogue], str]) -> CourseText:
    return CourseText(**in_all_languages(told))


def _question(playing: Playing, question: Question) -> CourseText:
    told = judgement_told if question.to is None else option_told
    return _told(partial(told, playing, question))


def _binding(playing: Playing, binding: Binding) -> CourseBinding:
    def told(words: Catalogue) -> str:
        return binding_in_words(binding, playing, words)

    return CourseBinding(seat=binding.effect.seat, **in_all_languages(told))
