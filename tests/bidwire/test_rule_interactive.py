"""``bidwire rule -i``: a script typed line by line, by a person or through a pipe."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.rule import judge_script, judged_json
from bidwire.rule_interactive import Session
from laws.board import Edition
from referee.catalogue import catalogue

DEAL = "deal N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"

HAND = "deal N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"


def piped(text: str, *options: str) -> Result:
    return CliRunner().invoke(
        app, ["rule", "-i", *options], input=text, env={"LANG": "C.UTF-8"}
    )


def session(*lines: str, edition: Edition | None = Edition.LAWS_2007) -> Session:
    """A session after some lines, of a person."""
    made = Session(catalogue("en"), edition, asks=True)
    for line in lines:
        list(made.enter(line))
    return made


def entered(made: Session, line: str) -> str:
    return "\n".join(made.enter(line))


# What is told ---------------------------------------------------------------------


def test_each_line_tells_what_it_has_changed() -> None:
    made = session("2")
    assert "West: South called 1S out of turn." in entered(made, "S 1S")
    declined = entered(made, "W decline")
    assert declined.startswith("Ruling 1: South called out of turn. The call is")
    assert "(Law 29B, 2007)" in declined
    entered(made, "E 2C")
    replaced = entered(made, "S X")
    assert "Ruling 2: South called out of turn. RHO has acted" in replaced
    assert "Binding now: North must pass for the rest of the auction." in replaced
    assert "Director: Could South have known" in replaced
    assert replaced.endswith("West to act")
    assert "Ruling 1" not in replaced  # told already


def test_an_answer_is_chosen_by_its_number() -> None:
    made = session("2", "S 1S")
    assert "   2  W decline  (Do not accept 1S)" in "\n".join(
        session("2").enter("S 1S")
    )
    chosen = entered(made, "2")
    assert chosen.startswith("4> W decline\n")
    assert made.text.endswith("S 1S\nW decline\n")


def test_what_an_answer_would_lead_to_is_told_and_not_done() -> None:
    made = session("2", "S 1S")
    told = entered(made, "if 2")
    assert told.startswith("W decline:\n  The call is cancelled")
    assert "W decline" not in made.text
    assert "29B" in told
    assert entered(made, "if 3") == ("expected the number of an answer (1 to 2), got 3")
    assert entered(made, "if") == (
        "expected the number of an answer (1 to 2), got nothing"
    )


def test_the_directors_answers_have_numbers_too() -> None:
    made = session("2", "S 1S", "W decline", "E 2C", edition=Edition.LAWS_2017)
    told = entered(made, "S X")
    assert "   1  director comparable S yes" in told
    answered = entered(made, "1")
    assert "Ruling 2 is undone: South called out of turn. North must" in answered
    assert "Ruling 3: South called out of turn. The new call is comparable" in answered
    assert "No longer binding: North must pass at the next turn" in answered


def test_a_ruling_that_the_director_undoes_is_told() -> None:
    made = session("2", "S 1S", "W decline")
    assert "Ruling 1 is undone: South called out of turn" in entered(
        made, "director overrule 1"
    )


def test_legal_cards_in_place_of_a_revoke_have_numbers() -> None:
    made = session("1", HAND, "N 1H", "E P", "S P", "W P", "E H6", "S C2")
    told = entered(made, "N attention")
    assert "S replace H5" in told
    assert "S replace H8" in told
    number = re.search(r"(\d+)  S replace H8", told)
    assert number is not None
    assert "South revoked" in entered(made, number[1])
    assert made.text.endswith("S replace H8\n")


def test_an_answer_with_a_card_to_name_shows_how_it_looks() -> None:
    made = session("1", DEAL, "N 7NT", "E P", "S P", "W P", "E ST", "N claim 12")
    told = entered(made, "E object")
    assert "director award N 3" in told
    assert not re.search(r"\d+  director award", told)


def test_what_is_not_allowed_is_told_and_stays_in_the_script() -> None:
    made = session("1", "N 1C", "E P", "S P", "W P")
    assert "Not allowed: line 7: there is no claim to agree to (Law 69A, 2007)" in (
        entered(made, "N agree")
    )


def test_of_two_questions_that_one_line_answers_the_older_has_the_numbers() -> None:
    made = session("2", "S 1S", "W decline", "E 2C", "S X", edition=Edition.LAWS_2017)
    lines = [line for line in entered(made, "show").splitlines() if "director" in line]
    answers = [line.split("  ")[-1] for line in lines]
    assert len(answers) == len(set(answers))


# Bad input ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("foo", "expected a seat (N E S W), got 'foo'"),
        ("S 8C", "expected a call (P X XX 1C … 7NT), a card"),
        ("S 1C hello", "expected nothing after the call 1C"),
        ("director maybe yes", "expected one of artificial"),
        ("9", "expected the number of an answer (1 to 2), got 9"),
        ("0", "expected the number of an answer (1 to 2), got 0"),
        ("board 3", "a second board line"),
        ("vul NS", "expected either board, or dealer and vul"),
        ("policy revoke record", "a header line after the first happening"),
        ("undo 3", "expected nothing after undo, got 3"),
        ("quit now", "expected nothing after quit, got now"),
        ("save", "expected the name of a file after save"),
    ],
)
def test_bad_input_names_what_was_expected_and_changes_nothing(
    line: str, expected: str
) -> None:
    made = session("2", "S 1S")
    before = made.text
    assert entered(made, line).startswith(expected)
    assert made.text == before
    assert not made.ended


def test_an_impossible_card_changes_nothing() -> None:
    made = session("1", DEAL, "N 7NT", "E P", "S P", "W P")
    before = made.text
    assert "expected a card" in entered(made, "E SA")
    assert made.text == before


def test_a_number_without_an_open_answer_is_refused() -> None:
    assert "no answer is open, got 1" in entered(session("2"), "1")


def test_a_happening_before_the_header_is_complete_is_refused() -> None:
    made = Session(catalogue("en"))
    assert entered(made, "N 1C") == "expected a line `edition 2007` or `edition 2017`"
    entered(made, "edition 2017")
    assert entered(made, "N 1C") == "expected a line `board N` or `dealer N|E|S|W`"
    assert made.text == "edition 2017\n"


# Header ---------------------------------------------------------------------------


def test_the_header_is_asked_for_first() -> None:
    made = Session(catalogue("en"), asks=True)
    assert made.prompt() == "Edition (2007 or 2017): "
    assert entered(made, "1997") == "expected edition 2007 or 2017, got '1997'"
    entered(made, "2017")
    assert made.prompt() == "Board number, or dealer (N E S W): "
    entered(made, "E")
    assert made.prompt() == "Vulnerable (none NS EW all; Enter: none): "
    entered(made, "")
    assert made.prompt() == "4> "
    assert made.text == "edition 2017\ndealer E\nvul none\n"


def test_the_header_may_go_on_until_something_happens() -> None:
    made = session("2", "policy out_of_turn prevent", DEAL)
    assert "it is the turn of E" in entered(made, "S 1S")


def test_an_edition_of_the_command_line_is_not_asked_for() -> None:
    made = Session(catalogue("en"), Edition.LAWS_2017, asks=True)
    assert made.prompt() == "Board number, or dealer (N E S W): "


# Commands -------------------------------------------------------------------------


def test_undo_takes_the_last_line_back_with_what_it_led_to() -> None:
    made = session("2", "S 1S", "W decline", "E 2C", "S X")
    told = entered(made, "undo")
    assert told.startswith("Taken back: S X")
    assert "No longer a ruling: South called out of turn. North must pass" in told
    assert "No longer binding: North must pass for the rest of the auction" in told
    assert made.text.endswith("E 2C\n")
    for _ in range(5):
        entered(made, "undo")
    assert made.text == ""
    assert entered(made, "undo") == "There is no line to take back."


def test_show_tells_all_with_the_lines_and_the_numbers() -> None:
    told = entered(session("2", "S 1S"), "show")
    assert "  3  S 1S" in told
    assert "Laws of 2007, dealer East, vulnerable: North-South" in told
    assert "   1  W accept  (Accept 1S)" in told


def test_json_is_that_of_the_whole_script() -> None:
    made = session("2", "S 1S", "W decline")
    state = judge_script("edition 2007\nboard 2\nS 1S\nW decline\n")
    assert entered(made, "json") == judged_json(state)
    unfinished = Session(catalogue("en"))
    assert entered(unfinished, "json").startswith("expected a line `edition")


def test_save_writes_a_script_that_is_judged_alike(tmp_path: Path) -> None:
    made = session("2", "S 1S", "# said at the table", "W decline")
    file = tmp_path / "a.table"
    assert entered(made, f"save {file}") == f"Saved: {file}"
    text = file.read_text(encoding="utf-8")
    assert text == "edition 2007\nboard 2\nS 1S\n# said at the table\nW decline\n"
    assert judged_json(judge_script(text)) == entered(made, "json")
    entered(made, "E 2C")
    assert entered(made, f"save {file}") == f"Saved: {file}"  # his own file
    assert file.read_text(encoding="utf-8").endswith("E 2C\n")


def test_save_overwrites_no_file_of_somebody_else(tmp_path: Path) -> None:
    file = tmp_path / "mine.table"
    file.write_text("mine", encoding="utf-8")
    assert "is there already" in entered(session("2"), f"save {file}")
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    told = entered(session("2"), f"save {tmp_path / 'no' / 'a.table'}")
    assert "No such file or directory" in told


def test_help_names_every_command() -> None:
    told = entered(session(), "help")
    for command in ("undo", "show", "json", "save", "help", "quit"):
        assert command in told


def test_quit_ends() -> None:
    made = session("2")
    assert entered(made, "quit") == ""
    assert made.ended


# A pipe ---------------------------------------------------------------------------


def test_a_pipe_gets_no_prompts() -> None:
    told = piped("edition 2007\nboard 2\n\nS 1S\nW decline\nquit\nE 2C\n")
    assert told.exit_code == 0
    assert "> " not in told.output
    assert "Edition" not in told.output
    assert "Ruling 1: South called out of turn" in told.output
    assert "South to act" not in told.output  # it came after quit


def test_a_pipe_counts_lines_as_a_script_does() -> None:
    script = "# a story\nedition 2007\nboard 2\n\nS 1S\nW decline\n"
    told = piped(script + "json\n")
    plain = json.loads(told.output[told.output.index("{") :])
    assert plain == json.loads(judged_json(judge_script(script)))


def test_a_pipe_goes_on_after_a_bad_line() -> None:
    told = piped("edition 2017\nboard 1\nN 8C\nN 1C\n")
    assert told.exit_code == 0
    assert "expected a call" in told.output
    assert told.output.rstrip().endswith("East to act")


def test_a_session_goes_on_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.table"
    file.write_text("# b\nedition 2007\nboard 2\nS 1S\n", encoding="utf-8")
    told = piped("2\nshow\n", str(file), "--edition", "2017")
    assert "Laws of 2017" in told.output
    assert "5> W decline" in told.output
    assert "  2  edition 2017" in told.output
    assert "(Law 29B, 2017)" in told.output


def test_a_file_that_is_wrong_is_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "a.table"
    file.write_text("edition 2007\nboard 2\nS 9S\n", encoding="utf-8")
    refused = piped("show\n", str(file))
    assert refused.exit_code == 2
    assert "line 3: expected a call" in refused.output


def test_a_session_speaks_spanish() -> None:
    told = piped("edition 2007\nboard 2\nS 1S\nW decline\nfoo\n", "--language", "es")
    assert "Oeste: Sur cantó 1S fuera de turno." in told.output
    assert "2  W decline  (No aceptar 1S)" in told.output
    assert "Decisión 1: Sur cantó fuera de turno." in told.output
    assert "se esperaba un asiento (N E S W), se recibió 'foo'" in told.output


# A terminal -----------------------------------------------------------------------

PATIENCE_S = 30
"""How long a terminal may take to show what is awaited."""


AT_A_TERMINAL = """
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # the keys of the terminal are for this process
sys.argv[0] = "bidwire"
runpy.run_module("bidwire", run_name="__main__", alter_sys=False)
"""


class Terminal:
    """A person at a real terminal, in which the command runs."""

    def __init__(self, *options: str) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", AT_A_TERMINAL, "rule", "-i", *options],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            close_fds=True,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb", "LANG": "C.UTF-8", "COLUMNS": "80"},
        )
        os.close(slave)
        self.screen = ""

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def shows(self, text: str) -> str:
        """Wait until the text is on the screen; what has come since the last wait."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.screen:
            ready, _, _ = select.select([self._master], [], [], end - time.monotonic())
            assert ready, f"{text!r} never came: {self.screen!r}"
            self.screen += self._read()
        place = self.screen.index(text) + len(text)
        seen, self.screen = self.screen[:place], self.screen[place:]
        return seen

    def interrupt(self) -> None:
        """Press Ctrl-C when the command waits for a key.

        Earlier, in the moment between showing and waiting, the line editor would
        notice it with the next key only; no finger is that fast.
        """
        status = Path(f"/proc/{self._process.pid}/stat")
        end = time.monotonic() + PATIENCE_S
        while status.read_text().rpartition(")")[2].split()[0] != "S":
            assert time.monotonic() < end, "the command never waits"
            os.sched_yield()
        self.type("\x03")

    def _read(self) -> str:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the command has ended, and its end of the terminal is shut
            data = b""
        assert data, f"the command has ended: {self.screen!r}"
        return data.decode().replace("\r\n", "\n")

    def exit_code(self) -> int:
        return self._process.wait(PATIENCE_S)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    yield opened
    opened.close()


def test_a_person_is_asked_and_told_at_a_terminal(terminal: Terminal) -> None:
    terminal.shows("Edition (2007 or 2017): ")
    terminal.type("2007\n")
    terminal.shows("Board number, or dealer (N E S W): ")
    terminal.type("2\n")
    terminal.shows("3> ")
    terminal.type("S 1S\n")
    options = terminal.shows("4> ")
    assert "   2  W decline  (Do not accept 1S)" in options
    terminal.type("W declin\n")
    assert "expected a call" in terminal.shows("4> ")
    terminal.type("2\n")
    terminal.shows("4> W decline\n")
    ruled = terminal.shows("5> ")
    assert "Ruling 1: South called out of turn." in ruled
    assert all(len(line) <= 80 for line in ruled.splitlines())
    terminal.type("undo\n")
    assert "Taken back: W decline" in terminal.shows("4> ")
    terminal.type("quit\n")
    assert terminal.exit_code() == 0


def test_ctrl_d_ends_and_ctrl_c_only_drops_the_line(terminal: Terminal) -> None:
    terminal.shows("Edition (2007 or 2017): ")
    terminal.type("20")
    terminal.shows("20")  # the line is being edited
    terminal.interrupt()
    terminal.shows("Edition (2007 or 2017): ")
    terminal.type("2017\n")
    terminal.shows("Board number, or dealer (N E S W): ")
    terminal.type("\x04")
    assert terminal.exit_code() == 0
