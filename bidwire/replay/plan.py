"""What is to be played: each board as happenings with their actors, in table order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bidwire.records import Record, ScriptRecord
from laws.actions import Action, Correct, PlayCards
from laws.board import Board
from laws.engine import ImpossibleActionError, begin, decide
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from protocol.happenings import DIRECTOR_ONLY

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One happening: what, who acts (None: the Director), its line in the file."""

    action: Action
    actor: Seat | None
    line: int


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """One board to play.

    Attributes:
        source: the record, or the script, that it comes from.
        board: as the engine takes it; the deal stays in it even when it is hidden
            from the referee.
        steps: every happening in table order.
        number: what the terminals call the board: its place in the replay.
        injected: what was synthesised into the record, as the report has it.
        faults: faults of terminals, wires and processes, by happening.
    """

    source: Record | ScriptRecord
    board: Board
    steps: tuple[PlannedStep, ...]
    number: int
    injected: tuple[Plain, ...] = ()
    faults: tuple["PlannedFault", ...] = ()

    @property
    def lines(self) -> tuple[int, ...]:
        """The line in the file of each happening."""
        return tuple(step.line for step in self.steps)


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """A fault that strikes with a happening, counted from 0."""

    kind: str
    at: int
    seconds: float = 0.0


@dataclass(slots=True)
class Unplayable:
    """A board that cannot be played, and why."""

    source: Record | ScriptRecord
    reason: str
    steps: tuple[Step, ...] = field(default=())


def plan_steps(board: Board, steps: Iterable[Step]) -> tuple[PlannedStep, ...]:
    """Find who presses the key of each happening: declarer for dummy's cards.

    Raises:
        ImpossibleActionError: a happening cannot have happened.
    """
    return tuple(_actors(board, steps))


def _actors(board: Board, steps: Iterable[Step]) -> Iterator[PlannedStep]:
    state = begin(board)
    numbers: dict[int, int] = {}
    for number, step in enumerate(steps, 1):
        numbers[step.line] = number
        action = step.action
        if isinstance(action, Correct):
            # The referee counts happenings where the file counts lines.
            action = Correct(numbers.get(action.line, action.line), action.by)
        yield PlannedStep(action, _actor(state, action), step.line)
        try:
            state = decide(state, Step(number, action)).state
        except ImpossibleActionError as error:
            raise ImpossibleActionError(f"line {step.line}: {error}") from None


def _actor(state: State, action: Action) -> Seat | None:
    if type(action) in DIRECTOR_ONLY:
        return None
    if isinstance(action, PlayCards):
        play = state.play
        if play is not None and action.hand is play.dummy:
            return play.declarer
        return action.hand
    actor: Seat = getattr(action, "seat", None) or getattr(action, "hand")  # noqa: B009
    return actor


def relabel(judged: Plain, lines: tuple[int, ...]) -> Plain:
    """A referee's report with the lines of the file in place of happening numbers."""

    def line(number: int) -> int:
        return lines[number - 1] if 0 < number <= len(lines) else number

    return {
        **judged,
        **{
            key: [
                {**entry, "line": line(entry["line"])} if "line" in entry else entry
                for entry in judged[key]
            ]
            for key in ("rulings", "refused", "questions")
        },
    }
