"""Events: what the engine has decided, one small fact each; their fold is the state.

``event.apply_to(state)`` is total and judges nothing, so that an old log replays to
the same state after the rules have been mended. Only ``decide`` judges. Events of the
auction are in ``auction_events``, those of the play in ``play_events``.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from laws.actions import Action
from laws.rulings import Given, Question, Refusal, Ruling, Status
from laws.state import (
    Binding,
    RulingKey,
    State,
    begin,
    key_of,
    with_steps,
)
from laws.steps import Step


class Event(Protocol):
    """Anything that moves the state on."""

    def apply_to(self, state: State) -> State:
        """The state after the event."""
        ...


@dataclass(frozen=True, slots=True)
class Happened:
    """Something happened at the table, or the Director spoke."""

    step: Step

    def apply_to(self, state: State) -> State:
        return with_steps(state, (*state.steps, self.step))


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling was given."""

    ruling: Ruling

    def apply_to(self, state: State) -> State:
        return replace(state, rulings=(*state.rulings, self.ruling))


@dataclass(frozen=True, slots=True)
class Amended:
    """The latest ruling of the same key was put in other words (effects, laws)."""

    ruling: Ruling

    def apply_to(self, state: State) -> State:
        rulings = list(state.rulings)
        for i in reversed(range(len(rulings))):
            if key_of(rulings[i]) == key_of(self.ruling):
                rulings[i] = self.ruling
                return replace(state, rulings=tuple(rulings))
        return state


@dataclass(frozen=True, slots=True)
class Superseded:
    """A later ruling undid this one."""

    key: RulingKey

    def apply_to(self, state: State) -> State:
        rulings = tuple(
            replace(r, status=Status.SUPERSEDED) if key_of(r) == self.key else r
            for r in state.rulings
        )
        return replace(state, rulings=rulings)


@dataclass(frozen=True, slots=True)
class Bound:
    """An effect binds from now on."""

    binding: Binding

    def apply_to(self, state: State) -> State:
        return replace(state, bindings=(*state.bindings, self.binding))


@dataclass(frozen=True, slots=True)
class Released:
    """An effect is used up, or was undone."""

    binding: Binding

    def apply_to(self, state: State) -> State:
        left = tuple(b for b in state.bindings if b != self.binding)
        return replace(state, bindings=left)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question was put to a player or the Director."""

    question: Question

    def apply_to(self, state: State) -> State:
        return replace(state, questions=(*state.questions, self.question))


@dataclass(frozen=True, slots=True)
class Closed:
    """A question is no longer open."""

    question: Question

    def apply_to(self, state: State) -> State:
        left = tuple(q for q in state.questions if q != self.question)
        return replace(state, questions=left)


@dataclass(frozen=True, slots=True)
class Refused:
    """The Laws do not allow the happening at all; it changes nothing else."""

    refusal: Refusal

    def apply_to(self, state: State) -> State:
        return replace(state, refused=(*state.refused, self.refusal))


@dataclass(frozen=True, slots=True)
class Noted:
    """The Director's word was kept, though nothing had been asked."""

    given: Given

    def apply_to(self, state: State) -> State:
        return replace(state, given=(*state.given, self.given))


@dataclass(frozen=True, slots=True)
class Adopted:
    """A word given before it was asked now answers a question raised by a line."""

    given: Given
    line: int

    def apply_to(self, state: State) -> State:
        adopted = tuple(
            replace(g, line=self.line) if g == self.given else g for g in state.given
        )
        return replace(state, given=adopted)


@dataclass(frozen=True, slots=True)
class Rejudged:
    """The board was judged again, from its first call, in the light of a late word.

    Answers may come late and apply from where they belong; a mis-keyed line is judged
    as what it really was; an overruled ruling is left out. Rulings that no longer come
    about stay in the list as superseded, each at its number.
    """

    given: tuple[Given, ...]
    overruled: tuple[RulingKey, ...]
    corrections: tuple[tuple[int, Action | None], ...]
    events: tuple[Event, ...]

    def apply_to(self, state: State) -> State:
        fresh = replace(
            begin(state.board),
            given=self.given,
            overruled=self.overruled,
            corrections=self.corrections,
        )
        for event in self.events:
            fresh = event.apply_to(fresh)
        rulings = _keeping_places(state.rulings, fresh.rulings)
        return replace(fresh, steps=state.steps, rulings=rulings)


def _keeping_places(
    before: tuple[Ruling, ...], now: tuple[Ruling, ...]
) -> tuple[Ruling, ...]:
    """Rulings given again in their old places, the others superseded, new ones last.

    So a ruling keeps its number in the list for good.
    """
    again: dict[RulingKey, list[Ruling]] = {}
    for ruling in now:
        again.setdefault(key_of(ruling), []).append(ruling)
    kept = []
    for ruling in before:
        same = again.get(key_of(ruling))
        kept.append(same.pop(0) if same else replace(ruling, status=Status.SUPERSEDED))
    left = [ruling for rulings in again.values() for ruling in rulings]
    new = [ruling for ruling in now if any(ruling is other for other in left)]
    return (*kept, *new)
