"""Records and scripts as boards to play: what the wire cannot carry is found here."""

from pathlib import Path

import msgspec
import pytest

from bidwire.records import Happening, Record, ScriptRecord, plan_board, read_text
from bidwire.records.inject import board_random
from bidwire.replay.plan import (
    MOST_BOARDS,
    BoardPlan,
    UnplayableError,
    plan_record,
    plan_script,
)
from bidwire.replay.room import Room
from laws.actions import Correct, MakeCall
from laws.board import Edition, Policies
from laws.script import parse_script
from protocol.limits import TEXT_MAX
from terminal.simulator.settings import SimulatorSettings

HEADER = "edition 2017\nboard 1\n"
LONG = "shows " + "x" * TEXT_MAX

PBN = f"""\
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"]
[Declarer "N"]
[Contract "4H"]
[Result "11"]
[Auction "N"]
1H =1= Pass 4H Pass
Pass Pass
[Note "1:{LONG}"]
[Play "E"]
CJ C2 C7 CA
"""


def of_script(text: str) -> BoardPlan:
    script = parse_script(HEADER + text)
    return plan_script(1, ScriptRecord("a.table", "a", 1, script))


def of_record(number: int = 1) -> BoardPlan:
    (record,) = read_text("a.pbn", PBN)
    assert isinstance(record, Record)
    plan = plan_board(record, Edition.LAWS_2017, (), board_random(0, 1))
    return plan_record(number, plan, Policies())


def explanations(happenings: tuple[Happening, ...]) -> list[str]:
    calls = [h.action for h in happenings if isinstance(h.action, MakeCall)]
    return [call.explanation for call in calls if call.explanation]


@pytest.mark.parametrize("plan", [of_record(), of_script(f"N 1H! {LONG}\n")])
def test_a_long_explanation_is_cut_to_what_a_terminal_can_send(
    plan: BoardPlan, tmp_path: Path
) -> None:
    assert explanations(plan.happenings) == [LONG[:TEXT_MAX]]
    room = Room(edition=Edition.LAWS_2017, policies=Policies(), tables={"t1": (plan,)})
    written = msgspec.json.encode(room.simulator(tmp_path))
    msgspec.json.decode(written, type=SimulatorSettings)  # as the terminals read it


def test_a_long_explanation_in_a_correction_is_cut_too() -> None:
    plan = of_script(f"N 1C\ndirector correct 3 N 1H! {LONG}\n")
    correction = plan.happenings[1].action
    assert isinstance(correction, Correct)
    assert isinstance(correction.by, MakeCall)
    assert correction.by.explanation == LONG[:TEXT_MAX]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("N forbid " + "H " * 70, "longer than the 120 characters"),
        ("director correct 3 N forbid " + "H " * 90, "longer than the 200 characters"),
    ],
)
def test_a_line_that_cannot_be_sent_is_named(line: str, told: str) -> None:
    with pytest.raises(UnplayableError, match=told) as raised:
        of_script(f"N 1C\n{line}\n")
    assert raised.value.line == 4


def test_a_card_that_nobody_holds_is_named_with_its_line() -> None:
    with pytest.raises(UnplayableError, match="SA") as raised:
        of_script("N 1C\nE P\nS P\nW P\nE SA\nS SA\n")
    assert raised.value.line == 8


def test_a_number_that_the_wire_has_not_is_an_error_of_its_record() -> None:
    assert of_record(MOST_BOARDS).number == MOST_BOARDS
    with pytest.raises(UnplayableError, match="at most 65535 boards"):
        of_record(MOST_BOARDS + 1)
