"""``bidwire rule``: a table script judged by the engine alone."""

import json

from laws.engine import ImpossibleActionError, begin, decide
from laws.report import report
from laws.script import ScriptError, parse_script
from laws.state import State


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
    return json.dumps(report(state), ensure_ascii=False, indent=1)


def judged_words(state: State) -> str:
    return judged_json(state)
