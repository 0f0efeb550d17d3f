"""``bidwire rule -i``: a table script typed line by line, judged as it grows."""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bidwire.rule import InputError, judge_step, judged_json
from bidwire.rule_changes import changes_told, options_told
from bidwire.rule_layout import lines_of, wrapped
from bidwire.rule_words import as_playing, sections
from laws.board import Board, Edition
from laws.engine import begin
from laws.header import Header, ScriptError, split_word, whole_number
from laws.script import parse_line, script_lines
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from referee.answers import numbered
from referee.catalogue import Catalogue, noted
from referee.foresight import leads_to

HELP = noted(
    "Type what happened, one happening a line, as in a table script:\n"
    "  S 1H   a call            W CT   a card          W decline   an answer\n"
    "  N attention   attention is drawn       director comparable yes   your word\n"
    "A number chooses the answer that has it. Else:\n"
    "  if 2   tells what answer 2 would lead to\n"
    "  undo   takes the last line back        show   all there is to tell\n"
    "  save FILE   keeps the script           json   the same for programs\n"
    "  quit   ends (Ctrl-D too)               help   this\n"
    "docs/table-script.md has the whole notation."
)

NUMBERED = frozenset({"options", "director"})
"""Sections that are told with numbers instead."""

VULNERABILITIES = ("none", "NS", "EW", "all", "both")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line as it was taken, and the board after it (None: a line of the header)."""

    text: str
    state: State | None = None


class Session:
    """A script that is being typed, and what is told of it.

    Args:
        words: texts in the reader's language.
        edition: the Laws to judge by, whatever the script says of them.
        asks: the lines come from a person who is asked for them; else they are those
            of a script, where an empty line counts.
    """

    def __init__(
        self, words: Catalogue, edition: Edition | None = None, *, asks: bool = False
    ) -> None:
        self._words = words
        self._edition = edition
        self._asks = asks
        self._entries: list[Entry] = []
        self._files: set[Path] = set()
        self.ended = False
        if edition is not None:
            self._entries.append(Entry(f"edition {edition}"))

    # The script ------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The script so far."""
        return "".join(f"{entry.text}\n" for entry in self._entries)

    @property
    def state(self) -> State | None:
        """The board as it stands; None while the header lacks something."""
        for entry in reversed(self._entries):
            if entry.state is not None:
                return entry.state
        try:
            return begin(self._board())
        except ScriptError:
            return None

    def load(self, text: str, file: Path) -> None:
        """Begin with the script of a file; its lines keep their numbers.

        Raises:
            InputError: it is wrong.
        """
        self._entries = []
        for number, line in enumerate(script_lines(text), 1):
            own = split_word(_bare(line))[0] == "edition"
            if own and self._edition is not None:
                self._take(f"edition {self._edition}", number)
            else:
                self._take(line, number)
        self._files.add(file.resolve())

    def _header(self) -> Header:
        header = Header()
        for entry in self._entries:
            if entry.state is None:
                header.read(_bare(entry.text))
        return header

    def _board(self) -> Board:
        return self._header().board(self._edition)

    def _take(self, line: str, number: int | None = None) -> None:
        """Take a line into the script.

        Raises:
            InputError: it is wrong; nothing is changed.
        """
        told = _bare(line)
        here = len(self._entries) + 1
        try:
            if not told or self._header().read(told):
                if told and self._begun:
                    raise ScriptError("a header line after the first happening")
                self._entries.append(Entry(line.rstrip()))
                return
            action = parse_line(told)
            before = self.state or begin(self._board())
        except ScriptError as error:
            raise InputError(error.reason, number) from None
        try:
            state = judge_step(before, Step(here, action))
        except InputError as error:
            raise InputError(error.reason, number) from None
        self._entries.append(Entry(line.rstrip(), state))

    @property
    def _begun(self) -> bool:
        return any(entry.state is not None for entry in self._entries)

    # What is asked for ------------------------------------------------------------

    @property
    def wanted(self) -> str:
        """What the header still lacks: ``edition``, ``board``, ``vul``, or nothing."""
        seen = {entry.text.split()[0] for entry in self._entries if entry.text.split()}
        if "edition" not in seen and self._edition is None:
            return "edition"
        if not seen & {"board", "dealer"}:
            return "board"
        if "dealer" in seen and "vul" not in seen and not self._begun:
            return "vul"
        return ""

    def prompt(self) -> str:
        """What a person is asked to type."""
        text = self._words.text
        match self.wanted:
            case "edition":
                return text("Edition (2007 or 2017): ")
            case "board":
                return text("Board number, or dealer (N E S W): ")
            case "vul":
                return text("Vulnerable (none NS EW all; Enter: none): ")
            case _:
                return f"{len(self._entries) + 1}> "

    def enter(self, typed: str) -> Iterator[str]:
        """Take a line or obey a command.

        Args:
            typed: a line of a script, an answer to ``prompt``, the number of an
                answer, or a command.

        Yields:
            Lines to show: what has changed, or what was expected.
        """
        line = typed.strip()
        word, rest = split_word(line)
        try:
            if word in {"save", "if"} or word in self._commands:
                yield from self._obey(word, rest)
            elif answer := self._as_header(line):
                yield from self._enter_line(answer)
            elif (number := whole_number(line)) is not None:
                yield from self._choose(number)
            elif line or not self._asks:
                yield from self._enter_line(line)
        except InputError as error:
            yield error.in_words(self._words)

    def _as_header(self, line: str) -> str:
        """A bare answer to ``prompt`` as a line of the header; else empty."""
        match self.wanted:
            case "edition" if line.isdigit():
                return f"edition {line}"
            case "board" if line.isdigit():
                return f"board {line}"
            case "board" if line in {seat.value for seat in Seat}:
                return f"dealer {line}"
            case "vul" if line in VULNERABILITIES or (self._asks and not line):
                return f"vul {line or VULNERABILITIES[0]}"
            case _:
                return ""

    def _enter_line(self, line: str) -> Iterator[str]:
        before = self.state
        self._take(line)
        after = self.state
        if after is None or after == before:
            return
        yield from changes_told(before or begin(after.board), after, self._words)

    def _choose(self, number: int) -> Iterator[str]:
        state = self.state
        lines = numbered(state) if state is not None else []
        if not 0 < number <= len(lines):
            yield (
                self._words.text(
                    "expected the number of an answer (1 to {last}), got {number}",
                    last=len(lines),
                    number=number,
                )
                if lines
                else self._words.text(
                    "expected a happening: no answer is open, got {number}",
                    number=number,
                )
            )
            return
        yield f"{len(self._entries) + 1}> {lines[number - 1]}"
        yield from self._enter_line(lines[number - 1])

    def _foresee(self, rest: str) -> Iterator[str]:
        """What an answer would lead to; it is not given."""
        state, number = self.state, whole_number(rest)
        lines = numbered(state) if state is not None else []
        if state is None or number is None or not 0 < number <= len(lines):
            yield self._words.text(
                "expected the number of an answer (1 to {last}), got {number}",
                last=len(lines),
                number=rest or self._words.text("nothing"),
            )
            return
        line = lines[number - 1]
        yield f"{line}:"
        for told in leads_to(as_playing(state), line, self._words):
            yield f"  {told}"

    # Commands ---------------------------------------------------------------------

    def _obey(self, command: str, rest: str) -> Iterator[str]:
        if command == "save":
            return self._save(rest)
        if command == "if":
            return self._foresee(rest)
        if rest:
            wrong = self._words.text(
                "expected nothing after {command}, got {rest}",
                command=command,
                rest=rest,
            )
            return iter([wrong])
        return self._commands[command]()

    @property
    def _commands(self) -> dict[str, Callable[[], Iterator[str]]]:
        return {
            "undo": self._undo,
            "show": self._show,
            "json": self._json,
            "help": self._help,
            "quit": self._quit,
        }

    def _undo(self) -> Iterator[str]:
        if not self._entries:
            yield self._words.text("There is no line to take back.")
            return
        before, gone = self.state, self._entries.pop()
        yield self._words.text("Taken back: {what}", what=gone.text)
        after = self.state
        if before is not None and after is not None:
            yield from changes_told(before, after, self._words)

    def _show(self) -> Iterator[str]:
        for number, entry in enumerate(self._entries, 1):
            yield f"{number:>3}  {entry.text}"
        state = self.state
        if state is None:
            return
        yield ""
        told = sections(state, self._words)
        yield from lines_of([s for s in told if s.name not in NUMBERED], None)
        yield from options_told(state, self._words)

    def _json(self) -> Iterator[str]:
        state = self.state
        if state is not None:
            yield judged_json(state)
            return
        try:
            self._board()
        except ScriptError as error:
            yield InputError(error.reason).in_words(self._words)

    def _help(self) -> Iterator[str]:
        yield self._words.text(HELP)

    def _quit(self) -> Iterator[str]:
        self.ended = True
        return iter(())

    def _save(self, rest: str) -> Iterator[str]:
        if not rest:
            yield self._words.text("expected the name of a file after save")
            return
        file = Path(rest).expanduser()
        if file.exists() and file.resolve() not in self._files:
            yield self._words.text(
                "{file} is there already: expected another name", file=rest
            )
            return
        try:
            file.write_text(self.text, encoding="utf-8")
        except OSError as error:
            yield f"{rest}: {error.strerror}"
            return
        self._files.add(file.resolve())
        yield self._words.text("Saved: {file}", file=rest)


def _bare(line: str) -> str:
    """A line without its comment."""
    return line.split("#", 1)[0].strip()


def run(session: Session, words: Catalogue, tell: Callable[[str], None]) -> None:
    """Take lines until they end: from a person with prompts, from a pipe without.

    Args:
        session: what takes them.
        words: texts in the reader's language.
        tell: shows a line.
    """
    asks = sys.stdin.isatty()
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    if asks:
        # Editing and a history of the lines, which a pipe has no use for.
        import readline  # noqa: F401, PLC0415

        tell(words.text("help tells what can be typed; quit or Ctrl-D ends."))
    while not session.ended:
        try:
            typed = _typed(session.prompt() if asks else None)
        except KeyboardInterrupt:
            tell("")  # the line is dropped, as a shell does
            continue
        if typed is None:
            if asks:
                tell("")
            return
        for line in session.enter(typed):
            # What is laid out already, as JSON is, stays as it is.
            for part in [line] if "\n" in line else wrapped(line, width):
                tell(part)


def _typed(prompt: str | None) -> str | None:
    """The next line; None at the end of input."""
    if prompt is None:
        return sys.stdin.readline() or None
    try:
        return input(prompt)
    except EOFError:
        return None
