"""What is to be played: each board as happenings with their actors, in table order.

A record may tell more than the wire carries. The text of an alert is cut to what a
terminal can send, for the engine alone and for the chain alike; anything else that is
too long makes this one record unplayable, before a process is told of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from bidwire.records import Record, ScriptRecord
from bidwire.records.happenings import Happening, actor_of
from bidwire.records.plan import Fault, Plan
from laws.actions import Action, Correct, MakeCall
from laws.board import Board, Policies
from laws.engine import ImpossibleActionError, begin, decide
from laws.script import Script, format_action
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from protocol.happenings import fields_of, is_named
from protocol.limits import LINE_MAX, TEXT_MAX
from referee.locks import locks_of

Report = dict[str, Any]

MOST_BOARDS = 0xFFFF
"""Boards of one replay: the number of a board has 16 bits on the wire."""


class UnplayableError(ValueError):
    """A board cannot be played through the chain; the text says why.

    Attributes:
        line: where in its file, from 1.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """One board to play.

    Attributes:
        number: what the terminals call it: its place in the replay, from 1.
        source: the record, or the script, that it comes from.
        board: as the engine takes it; the deal stands here even when it is hidden from
            the referee.
        happenings: all of them in table order, with their actors.
        lines: the line in the script of each happening; empty for a record.
        faults: faults of terminals and wires, by happening.
        planned: what must come of a record; None for a script.
        judged: what the engine alone makes of a script; None for a record.
    """

    number: int
    source: Record | ScriptRecord
    board: Board
    happenings: tuple[Happening, ...]
    lines: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
    planned: Plan | None = None
    judged: State | None = None


def plan_record(number: int, plan: Plan, policies: Policies) -> BoardPlan:
    """A record's plan as a board to play.

    Raises:
        UnplayableError: the wire cannot carry it.
    """
    line = plan.record.line
    _check_number(number, line)
    happenings = tuple(
        _carried(Happening(happening.actor, _shortened(happening.action)), line)
        for happening in plan.happenings
    )
    return BoardPlan(
        number,
        plan.record,
        plan.record.board_for(plan.edition, policies),
        happenings,
        faults=plan.faults,
        planned=plan,
    )


def plan_script(number: int, source: ScriptRecord) -> BoardPlan:
    """A table script as a board to play.

    Raises:
        UnplayableError: the script tells what cannot have happened, or what the wire
            cannot carry.
    """
    _check_number(number, source.line)
    script = source.script
    happenings = tuple(_happenings(script))
    return BoardPlan(
        number,
        source,
        script.board,
        happenings,
        lines=tuple(step.line for step in script.steps),
        judged=judge(script.board, happenings),
    )


def judge(board: Board, happenings: Iterable[Happening]) -> State:
    """What the engine alone makes of the happenings, counted as the referee does."""
    state = begin(board)
    for number, happening in enumerate(happenings, 1):
        state = decide(state, Step(number, happening.action)).state
    return state


def _happenings(script: Script) -> Iterator[Happening]:
    """The steps of a script with who acts: declarer once there is one.

    What the seat's terminal would refuse as locked was said aloud: the Director keys
    it in.
    """
    state = begin(script.board)
    numbers: dict[int, int] = {}
    for number, step in enumerate(script.steps, 1):
        numbers[step.line] = number
        action = _shortened(step.action)
        if isinstance(action, Correct):
            # The referee counts happenings where the file counts lines.
            action = Correct(numbers.get(action.line, action.line), action.by)
        contract = state.contract
        actor = actor_of(action, contract.declarer if contract else None)
        locked = _is_locked(state, actor, action)
        yield _carried(Happening(None if locked else actor, action), step.line)
        try:
            state = decide(state, Step(number, action)).state
        except ImpossibleActionError as error:
            raise UnplayableError(step.line, str(error)) from None


def _shortened(action: Action) -> Action:
    """The action with the text of an alert cut to what a terminal can send."""
    match action:
        case MakeCall(explanation=text) if len(text) > TEXT_MAX:
            return replace(action, explanation=text[:TEXT_MAX])
        case Correct(line=line, by=MakeCall() as call):
            return Correct(line, _shortened(call))
        case _:
            return action


def _check_number(number: int, line: int) -> None:
    if number > MOST_BOARDS:
        raise UnplayableError(
            line, f"not played: expected at most {MOST_BOARDS} boards in one replay"
        )


def _carried(happening: Happening, line: int) -> Happening:
    """The happening, as it is.

    Raises:
        UnplayableError: neither a terminal nor the Director could send it.
    """
    told = format_action(happening.action)
    if happening.actor is None:
        longest, most = len(told), LINE_MAX
    else:
        data = fields_of(happening.action, happening.actor).data
        longest = max((len(d) for d in data if isinstance(d, str)), default=0)
        most = TEXT_MAX
    if longest > most:
        raise UnplayableError(
            line,
            f"not played: {told[:40]} … is longer than the {most} characters that"
            " can be sent",
        )
    return happening


def _is_locked(state: State, actor: Seat | None, action: Action) -> bool:
    """Whether the seat's display locks the key, since a policy prevents it."""
    if actor is None:
        return False
    locks = locks_of(state, actor, alone=True, compelled=False)
    return is_named(fields_of(action, actor), locks)


def with_lines(judged: Report, lines: tuple[int, ...]) -> Report:
    """A referee's report with lines of the file in place of happening numbers."""

    def line_of(entry: Report) -> Report:
        number = entry.get("line", 0)
        if not 0 < number <= len(lines):
            return entry
        return {**entry, "line": lines[number - 1]}

    lists = ("rulings", "refused", "questions")
    return {**judged, **{key: [line_of(e) for e in judged[key]] for key in lists}}
