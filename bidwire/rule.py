"""``bidwire rule``: a table script judged by the engine alone.

    state = judge_script(text)
    print(judged_words(state, "es"))

``rule_words`` says what is told of a board, ``rule_explained`` how each ruling came
about, ``rule_editions`` sets the two editions side by side, ``rule_interactive`` takes
a script line by line.
"""

import json
from typing import Any

from bidwire.records.export import PBN_HEADER, write_pbn
from bidwire.rule_layout import lines_of
from bidwire.rule_words import sections
from laws.board import Edition
from laws.engine import ImpossibleActionError, begin, decide
from laws.report import report
from laws.script import ScriptError, parse_script, script_lines
from laws.state import State
from laws.steps import Step
from referee.catalogue import Catalogue, catalogue
from referee.double_dummy import solved_at_once
from referee.evidence import evidence
from referee.reasons import reason_in_words


class InputError(ValueError):
    """The script is wrong; the text says in which line and what was expected.

    Attributes:
        reason: what was expected and what came.
        line: its number from 1, None when no single line is to blame.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line

    def in_words(self, words: Catalogue) -> str:
        """The text in the reader's language."""
        reason = reason_in_words(self.reason, words)
        if self.line is None:
            return reason
        return words.text("line {line}: {reason}", line=self.line, reason=reason)


def judge_script(text: str, edition: Edition | None = None) -> State:
    """The state of the board after all that the script tells.

    Args:
        text: the script.
        edition: the Laws to judge by, whatever the script says of them.

    Raises:
        InputError: a line cannot be read, or tells what cannot have happened.
    """
    try:
        script = parse_script(text, edition)
    except ScriptError as error:
        raise InputError(error.reason, error.line) from None
    state = begin(script.board)
    for step in script.steps:
        state = judge_step(state, step)
    return state


def judge_step(state: State, step: Step) -> State:
    """The state after one more happening.

    Raises:
        InputError: it cannot have happened.
    """
    try:
        return decide(state, step).state
    except ImpossibleActionError as error:
        raise InputError(str(error), step.line) from None


def judged_plain(state: State) -> dict[str, Any]:
    """The object of ``docs/table-script.md``."""
    judged = report(state)
    told = [found.plain() for found in evidence(state, solved_at_once)]
    if told:
        judged["evidence"] = told
    return judged


def as_json(plain: dict[str, Any]) -> str:
    """A plain object as the command prints it: indented."""
    return json.dumps(plain, ensure_ascii=False, indent=1)


def judged_json(state: State) -> str:
    """The JSON object of ``docs/table-script.md``, indented."""
    return as_json(judged_plain(state))


def judged_pbn(state: State, script: str) -> str:
    """The same as a PBN file of one game; its number is the script's ``board`` line."""
    read = (line.split("#", 1)[0].split() for line in script_lines(script))
    number = next((words[1] for words in read if words[:1] == ["board"]), None)
    return PBN_HEADER + write_pbn(state, tags={"Board": number} if number else {})


def judged_words(
    state: State,
    language: str = "en",
    *,
    explain: bool = False,
    width: int | None = None,
) -> str:
    """The same told to a person: rulings, who must or may do what, what is open.

    Args:
        state: the board.
        language: of the reader.
        explain: tell the way to each ruling, paragraph by paragraph.
        width: columns to wrap the lines to; None leaves them as long as they are.
    """
    told = sections(state, catalogue(language), explain=explain)
    return "\n".join(lines_of(told, width)) + "\n"
