"""``bidwire rule``: words and JSON, and what it says of bad input."""

import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.rule import InputError, judge_script, judged_json, judged_words

OUT_OF_TURN = """\
# South bids at East's turn; West does not accept; South names another denomination
edition 2007
board 2
S 1S
W decline
E 2C
S X
"""


def test_the_example_of_the_notation_is_ruled_by_31a2b() -> None:
    judged = json.loads(judged_json(judge_script(OUT_OF_TURN)))
    last = judged["rulings"][-1]
    assert last["law"] == "31A2(b)"
    assert {"kind": "must_pass", "seat": "N", "scope": "rest_of_auction"} in last[
        "effects"
    ]
    assert judged["auction"] == [["E", "2C"], ["S", "X"]]
    assert judged["withdrawn"] == [["S", "1S"]]


def test_the_keys_are_those_of_the_interface() -> None:
    judged = json.loads(judged_json(judge_script(OUT_OF_TURN)))
    assert set(judged) == {
        "edition",
        "rulings",
        "bound",
        "questions",
        "refused",
        "turn",
        "legal",
        "auction",
        "withdrawn",
        "contract",
        "revokes",
        "tricks",
        "transfer",
        "result",
    }


def test_words_cite_the_paragraph_and_say_who_must_do_what() -> None:
    told = judged_words(judge_script(OUT_OF_TURN))
    assert "North must pass for the rest of the auction" in told
    assert "(Law 31A2(b), 2007)" in told
    assert "For the Director to judge:" in told


def test_a_legal_board_has_no_irregularity() -> None:
    told = judged_words(judge_script("edition 2017\nboard 1\nN P\nE P\nS P\nW P\n"))
    assert "No irregularity." in told
    assert "Passed out." in told


def test_an_open_option_is_told_to_its_seat() -> None:
    told = judged_words(judge_script("edition 2017\nboard 2\nS 1S\n"))
    assert "No ruling yet." in told
    assert "West: South called 1S out of turn." in told


def test_a_play_in_progress_lists_the_cards_that_follow_suit() -> None:
    script = (
        "edition 2017\nboard 1\n"
        "deal N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7\n"
        "N 1H\nE P\nS P\nW P\nE H6\n"
    )
    assert "South to act: H5 H8" in judged_words(judge_script(script))


def test_a_result_names_the_tricks_after_transfers() -> None:
    demo = (Path("bidwire") / "data" / "demo.table").read_text(encoding="utf-8")
    told = judged_words(judge_script("edition 2017\n" + demo))
    assert "2 tricks to East-West" in told
    assert "Result: 11 tricks for declarer, -450 for North-South" in told


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("board 1\nN P\n", "expected a line `edition 2007` or `edition 2017`"),
        ("edition 2017\nN P\n", "expected a line `board N` or `dealer N|E|S|W`"),
        ("edition 2017\nboard 1\nN 8C\n", "line 3: expected a call (P X XX 1C … 7NT)"),
        ("edition 2017\nboard 1\nQ P\n", "line 3: expected a seat (N E S W), got 'Q'"),
        (
            "edition 2017\nboard 1\nN 1C\nE P\nS P\nW P\nE SA\nS SA\n",
            "line 8: ",
        ),
        (
            f"edition 2017\nboard {'9' * 5000}\n",
            "line 2: expected a board number from 1, got '999",
        ),
        (
            f"edition 2017\nboard 1\n{'& ' * 3000}N P\n",
            "line 3: only a call or a card can be simultaneous (&)",
        ),
        (
            f"edition 2017\nboard 1\nN P\n{'director correct 3 ' * 3000}E P\n",
            "line 4: a correction puts a table happening in its place",
        ),
        (
            "edition 2017\nboard 1\n" + "N attention\n" * 1001,
            "line 1003: expected at most 1000 happenings",
        ),
    ],
)
def test_bad_input_names_the_line_and_what_was_expected(
    script: str, expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        judge_script(script)
    assert str(caught.value).startswith(expected)


def test_the_command_reads_a_file_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "a.table"
    file.write_text(OUT_OF_TURN, encoding="utf-8")
    runner = CliRunner()
    from_file = runner.invoke(app, ["rule", "--json", str(file)])
    from_input = runner.invoke(app, ["rule", "--json", "-"], input=OUT_OF_TURN)
    assert from_file.exit_code == from_input.exit_code == 0
    assert json.load(io.StringIO(from_file.output)) == json.loads(from_input.output)


def test_bad_input_exits_with_2(tmp_path: Path) -> None:
    runner = CliRunner()
    wrong = runner.invoke(app, ["rule", "-"], input="edition 2017\nboard 1\nN 1C P\n")
    assert wrong.exit_code == 2
    assert "line 3: expected nothing after the call 1C" in wrong.output
    missing = runner.invoke(app, ["rule", str(tmp_path / "nowhere.table")])
    assert missing.exit_code == 2
    assert "No such file" in missing.output


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.table"
    file.write_bytes(b"\xff\xfe\x00")
    refused = CliRunner().invoke(app, ["rule", str(file)])
    assert refused.exit_code == 2
    assert "not UTF-8 text" in refused.output
