"""Effects of rulings on calls, and how such a ruling is given."""

from laws.actions import Word
from laws.auction import MadeCall
from laws.calls import Call
from laws.editions import Rules, rules_of
from laws.events import Released, Superseded
from laws.judgement import Judgement
from laws.rulings import (
    Effect,
    EffectKind,
    Question,
    Ruling,
    RulingKey,
    Scope,
)
from laws.seats import Seat

BARS = frozenset({EffectKind.MUST_PASS, EffectKind.MUST_REPEAT, EffectKind.MAY_NOT})
"""Effects that bind a seat's calls."""

DOUBLES = (Call.DOUBLE, Call.REDOUBLE)


def rules(judge: Judgement) -> Rules:
    """The rule parameters of the board's edition."""
    return rules_of(judge.state.board.edition)


def must_pass(seat: Seat, scope: Scope) -> Effect:
    return Effect(kind=EffectKind.MUST_PASS, seat=seat, scope=scope)


def must_repeat(seat: Seat, call: Call) -> Effect:
    return Effect(kind=EffectKind.MUST_REPEAT, seat=seat, call=call)


def may_not_double(seat: Seat) -> Effect:
    """He may neither double nor redouble at this turn."""
    return Effect(
        kind=EffectKind.MAY_NOT, seat=seat, calls=DOUBLES, scope=Scope.THIS_TURN
    )


def unauthorised(judge: Judgement, *seats: Seat) -> tuple[Effect, ...]:
    """What these seats learn from withdrawn calls is unauthorised (16D2, 16C2)."""
    law = rules(judge).withdrawn_information
    return tuple(
        Effect(kind=EffectKind.UNAUTHORISED_INFORMATION, seat=seat, law=law)
        for seat in seats
    )


def adjustable(law: str) -> Effect:
    """The Director may award an adjusted score by this Law."""
    return Effect(kind=EffectKind.ADJUST_POSSIBLE, law=law)


def aware(judge: Judgement, line: int, seat: Seat, about: str) -> tuple[Effect, ...]:
    """Laws 23 (2007) and 72C (2017): could he have known that it might damage?

    Asked of the Director; possible until he says no.
    """
    law = rules(judge).awareness
    given = judge.director(
        Word.AWARE,
        Question(
            to=None,
            question=Word.AWARE.value,
            law=law,
            line=line,
            seat=seat,
            about=about,
            choices=("yes", "no"),
        ),
    )
    return () if given is not None and given.answer is False else (adjustable(law),)


def aware_of_call(judge: Judgement, made: MadeCall) -> tuple[Effect, ...]:
    """The same of a call."""
    return aware(judge, made.line, made.seat, made.call.value)


def rule_on(  # noqa: PLR0913 - a ruling has these parts
    judge: Judgement,
    made: MadeCall,
    irregularity: str,
    law: str,
    *,
    laws: tuple[str, ...] = (),
    effects: tuple[Effect, ...] = (),
    assumptions: tuple[str, ...] = (),
) -> RulingKey | None:
    """Give a ruling on a call and bind what of it binds.

    Returns:
        The key of the ruling; None when the Director has overruled it.
    """
    ruling = Ruling(
        law=law,
        laws=tuple(dict.fromkeys((*laws, law))),
        irregularity=irregularity,
        offender=made.seat,
        line=made.line,
        effects=effects,
        assumptions=assumptions,
    )
    bars = tuple(effect for effect in effects if effect.kind in BARS)
    if not judge.rule(ruling, bars):
        return None
    return (made.line, law, made.seat)


def supersede(judge: Judgement, key: RulingKey) -> None:
    """Undo a ruling and what it bound."""
    line, law, _ = key
    judge.emit(Superseded(key))
    for binding in judge.state.bindings:
        if binding.line == line and binding.law == law:
            judge.emit(Released(binding))


def close_options(judge: Judgement, line: int) -> None:
    """Close the options that the happening at a line has given to players."""
    for question in judge.state.questions:
        if question.line == line and question.to is not None:
            judge.close(question)


def close_questions(judge: Judgement, line: int) -> None:
    """Close every question that the happening at a line has raised."""
    for question in judge.state.questions:
        if question.line == line:
            judge.close(question)
