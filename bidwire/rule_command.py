"""What the command line makes of the options of ``bidwire rule``."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bidwire.rule import (
    InputError,
    as_json,
    judge_script,
    judged_json,
    judged_pbn,
    judged_words,
)
from bidwire.rule_editions import both_plain, both_words, judge_both
from bidwire.rule_interactive import Session, run
from laws.board import Edition
from referee.catalogue import catalogue

Tell = Callable[[str], None]


class Form(StrEnum):
    """What is made of a judged script."""

    WORDS = "words"
    EXPLAINED = "explained"
    JSON = "json"
    PBN = "pbn"


@dataclass(frozen=True, slots=True)
class Options:
    """How a script is to be told.

    Attributes:
        form: for whom.
        language: of the words.
        editions: the Laws to judge by: one, both, or none to leave it to the script.
    """

    form: Form
    language: str
    editions: tuple[Edition, ...] = ()


def tell_script(script: str, options: Options, tell: Tell) -> None:
    """Judge a script and tell of it.

    Raises:
        InputError: a line cannot be read, or tells what cannot have happened.
    """
    if len(options.editions) > 1:
        _tell_both(script, options, tell)
        return
    state = judge_script(script, next(iter(options.editions), None))
    match options.form:
        case Form.JSON:
            tell(judged_json(state))
        case Form.PBN:
            tell(judged_pbn(state, script).removesuffix("\n"))
        case Form.WORDS | Form.EXPLAINED:
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            explain = options.form is Form.EXPLAINED
            told = judged_words(state, options.language, explain=explain, width=width)
            tell(told.removesuffix("\n"))


def _tell_both(script: str, options: Options, tell: Tell) -> None:
    both = judge_both(script)
    if options.form is Form.JSON:
        tell(as_json(both_plain(both)))
        return
    explain = options.form is Form.EXPLAINED
    tell(both_words(both, options.language, explain=explain).removesuffix("\n"))


def take_script(script: str, file: Path | None, options: Options, tell: Tell) -> None:
    """Take a script line by line, after that of a file if one is given.

    Raises:
        InputError: the file's script is wrong.
    """
    words = catalogue(options.language)
    edition = next(iter(options.editions), None)
    session = Session(words, edition, asks=sys.stdin.isatty())
    if file is not None:
        session.load(script, file)
        for line in session.enter("show"):
            tell(line)
    run(session, words, tell)


def error_in_words(error: InputError, language: str) -> str:
    """What is wrong with a script, in the reader's language."""
    return error.in_words(catalogue(language))
