"""The pen of a judge: it writes events and keeps the state that they lead to."""

from dataclasses import dataclass, field, replace

from laws.actions import Word
from laws.cards import Card, Suit
from laws.events import (
    Adopted,
    Asked,
    Bound,
    Closed,
    Event,
    Refused,
    Released,
    Ruled,
)
from laws.rulings import Effect, Given, Question, Refusal, Ruling, Status
from laws.state import Binding, State, key_of

DirectorsAnswer = bool | tuple[Suit, ...] | Card | None


class ImpossibleActionError(ValueError):
    """What is said to have happened cannot have: a card not held, or played before."""


@dataclass(slots=True)
class Judgement:
    """Collects the events of one decision; ``state`` is as they leave it."""

    state: State
    events: list[Event] = field(default_factory=list)

    def emit(self, event: Event) -> None:
        self.events.append(event)
        self.state = event.apply_to(self.state)

    def rule(self, ruling: Ruling, bind: tuple[Effect, ...] = ()) -> bool:
        """Give a ruling and bind those of its effects that bind.

        A ruling that the Director has overruled is listed as superseded, binds
        nothing, and False is returned.
        """
        if key_of(ruling) in self.state.overruled:
            self.emit(Ruled(replace(ruling, status=Status.SUPERSEDED)))
            return False
        self.emit(Ruled(ruling))
        for effect in bind:
            self.emit(Bound(Binding(effect, ruling.law, ruling.line)))
        return True

    def refuse(self, line: int, law: str, reason: str) -> None:
        self.emit(Refused(Refusal(line, law, reason)))

    def release(self, binding: Binding) -> None:
        self.emit(Released(binding))

    def ask(self, question: Question) -> None:
        if question not in self.state.questions:
            self.emit(Asked(question))

    def close(self, question: Question) -> None:
        self.emit(Closed(question))

    def director(self, word: Word, question: Question) -> Given | None:
        """The Director's answer to a question; asks it when there is none yet.

        The caller assumes the default of the word when None comes back, and lists the
        assumption with its ruling.
        """
        given = self.said(word, question)
        if given is None and not self._is_asked(question):
            self.ask(question)
        return given

    def _is_asked(self, question: Question) -> bool:
        """Whether the same is being asked already, perhaps by another Law."""
        return any(
            (q.to, q.question, q.line, q.seat, q.about)
            == (None, question.question, question.line, question.seat, question.about)
            for q in self.state.questions
        )

    def said(self, word: Word, question: Question) -> Given | None:
        """The Director's answer to a question, which is not asked if there is none."""
        for given in self.state.given:
            if given.word is not word or given.line not in (None, question.line):
                continue
            if given.seat not in (None, question.seat):
                continue
            if given.line is None:
                self.emit(Adopted(given, question.line))
            return given
        return None
