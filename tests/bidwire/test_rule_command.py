"""``bidwire rule``: language, editions, explanations, what goes together."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.languages import Language, preferred_language
from bidwire.rule import judge_script, judged_json
from laws.board import Edition
from referee.catalogue import LANGUAGES

SCRIPT = "board 2\nS 1S\nW decline\nE 2C\nS X\n"

DIFFERENT = (
    "board 1\ndeal N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 "
    "2.5432.5432.5432\n"
)


def rule(
    *options: str, script: str = SCRIPT, env: dict[str, str] | None = None
) -> Result:
    quiet = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "C.UTF-8"}
    return CliRunner().invoke(
        app, ["rule", *options, "-"], input=script, env={**quiet, **(env or {})}
    )


# Language -------------------------------------------------------------------------


def test_spanish_is_asked_for() -> None:
    told = rule("--edition", "2007", "--language", "es")
    assert told.exit_code == 0
    assert "Leyes de 2007, dador Este, vulnerable: Norte-Sur" in told.output
    assert "Norte tiene que pasar durante el resto del remate" in told.output
    assert "(Ley 31A2(b), 2007)" in told.output
    assert "Para que juzgue el Director:" in told.output


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "es_VE.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_ES"}, "es"),
    ],
)
def test_the_environment_chooses_the_language(
    environ: dict[str, str], language: str
) -> None:
    assert preferred_language(environ) == language


def test_the_command_line_is_stronger_than_the_environment() -> None:
    spanish = {"LANG": "es_ES.UTF-8"}
    assert "Leyes de" in rule("--edition", "2007", env=spanish).output
    english = rule("--edition", "2007", "--language", "en", env=spanish)
    assert "Laws of" in english.output


def test_every_language_with_a_catalogue_can_be_asked_for() -> None:
    assert {language.value for language in Language} == set(LANGUAGES)


def test_bad_input_is_told_in_the_readers_language() -> None:
    wrong = rule("--language", "es", script="edition 2017\nboard 1\nN 8C\n")
    assert wrong.exit_code == 2
    assert "línea 3: se esperaba un canto (P X XX 1C … 7NT)" in wrong.output
    assert "se recibió '8C'" in wrong.output


def test_a_refusal_is_told_in_the_readers_language() -> None:
    late = "edition 2017\nboard 1\nN agree\n"
    assert (
        "no hay ningún reclamo que aceptar"
        in rule(
            "--language", "es", script=late + "N 1C\nE P\nS P\nW P\nN agree\n"
        ).output
    )


# Edition --------------------------------------------------------------------------


def test_an_edition_that_is_asked_for_stands_before_the_scripts_own() -> None:
    told = rule("--json", "--edition", "2017", script="edition 2007\n" + SCRIPT)
    assert json.loads(told.output)["edition"] == "2017"


def test_a_script_without_an_edition_needs_one() -> None:
    assert rule("--edition", "2007").exit_code == 0
    wrong = rule()
    assert wrong.exit_code == 2
    assert "expected a line `edition 2007` or `edition 2017`" in wrong.output


def test_lines_keep_their_numbers_under_another_edition() -> None:
    told = rule("--edition", "2017", "--json", script="# a story\n" + SCRIPT)
    assert {ruling["line"] for ruling in json.loads(told.output)["rulings"]} == {3}


def test_json_is_the_same_whatever_else_is_said() -> None:
    plain = judged_json(judge_script(SCRIPT, Edition.LAWS_2007)) + "\n"
    assert rule("--json", "--edition", "2007", "--language", "es").output == plain


# Both editions --------------------------------------------------------------------


def test_both_editions_as_json_are_one_object_by_year() -> None:
    both = json.loads(rule("--json", "--edition", "both").output)
    assert list(both) == ["2007", "2017"]
    for year, judged in both.items():
        assert judged == json.loads(judged_json(judge_script(SCRIPT, Edition(year))))


def test_both_editions_stand_side_by_side_in_80_columns() -> None:
    lines = rule("--edition", "both").output.splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line.split(" | ") for line in lines if " | " in line]
    assert rows[0] == [
        "Laws of 2007, dealer East, vulnerable:",
        "Laws of 2017, dealer East, vulnerable:",
    ]
    assert {len(row) for row in rows} <= {1, 2}
    assert len({line.index(" | ") for line in lines if " | " in line}) == 1


def test_it_says_where_the_editions_part() -> None:
    told = rule("--edition", "both").output
    parting = told[told.index("Where the editions part:") :]
    assert "line 2: South called out of turn" in parting
    assert "2007: Law 31A2(b). North must pass for the rest of the auction" in parting
    assert "2017: Law 31A2(b). North must pass at the next turn" in parting
    assert "Law 29B" not in parting  # alike in both


def test_it_says_so_when_only_the_paragraph_is_another() -> None:
    told = rule(
        "--edition", "both", script="board 1\nN 1C\nS P\nW decline\nE P\n"
    ).output
    assert "30B1" in told
    assert "Law 30B1 in 2007, Law 30A in 2017, to the same effect" in " ".join(
        told.split()
    )


def test_it_says_so_when_they_agree() -> None:
    told = rule("--edition", "both", script="board 1\nN P\nE P\nS P\nW P\n").output
    assert told.rstrip().endswith("The editions agree.")
    assert "Where the editions part" not in told


def test_results_that_differ_are_told() -> None:
    case = Path("tests/laws/cases/R-REV-13-2007.table").read_text(encoding="utf-8")
    told = rule("--edition", "both", script=case).output
    parting = told[told.index("Where the editions part:") :]
    assert "2007: 9 tricks for declarer, -50 for North-South" in parting
    assert "2017: 10 tricks for declarer, +420 for North-South" in parting
    assert "2017: 1 trick to North-South" in parting


CLAIM = DIFFERENT + "N 7NT\nE P\nS P\nW P\nE ST\nN claim 13\nE play-on\n"


def test_what_one_edition_does_not_allow_is_told() -> None:
    told = rule("--edition", "both", script=CLAIM).output
    parting = told[told.index("Where the editions part:") :]
    assert "Not allowed:\n    2007: line 9\n    2017: none" in parting


def test_a_script_that_is_wrong_in_both_editions_is_bad_input() -> None:
    wrong = rule("--edition", "both", script=SCRIPT + "W 8C\n")
    assert wrong.exit_code == 2
    assert "line 6: expected a call" in wrong.output
    impossible = rule("--edition", "both", script=DIFFERENT + "N exposes C2\n")
    assert impossible.exit_code == 2
    assert "line 3: N does not hold C2" in impossible.output


# Explanations ---------------------------------------------------------------------


def test_the_way_to_a_ruling_is_told_paragraph_by_paragraph() -> None:
    told = rule("--explain", "--edition", "2017").output
    second = told[told.index("2. line 2:") :]
    lines = [line.strip() for line in second.splitlines()]
    assert "line 2 tells: S 1S" in lines
    assert "It was the turn of East, the RHO of the caller" in lines
    assert "Nobody had bid before" in lines
    assert "line 4: East then called 2C" in lines
    assert "line 5: South then called double" in lines
    assert any(line.startswith("29B: The call is cancelled") for line in lines)
    assert any(
        line.startswith("31A2(b) decides: The new call is not") for line in lines
    )
    assert (
        "Assumed until the Director answers: the new call of South is not comparable"
        in lines
    )
    assert any(line.startswith("North is told: South called") for line in lines)
    chooser = lines.index("Who chooses next:")
    assert lines[chooser + 1].startswith("The Director judges: Is the new call of")
    assert "North must pass at the next turn" in lines[chooser:]


def test_what_the_director_has_said_is_one_of_the_facts() -> None:
    told = rule(
        "--explain",
        "--edition",
        "2017",
        script=SCRIPT + "director comparable S yes\n",
    ).output
    assert "The Director has said: director comparable S yes" in told
    assert "31A2(a) decides: The new call is comparable" in told


def test_a_corrected_line_is_told_as_it_really_was() -> None:
    told = rule(
        "--explain",
        "--edition",
        "2007",
        script="board 2\nS 1S\nW decline\ndirector correct 2 S 1H\n",
    ).output
    assert "line 2 tells: S 1S" in told
    assert "it really was: S 1H" in told


def test_a_revoke_is_explained_by_its_tricks() -> None:
    case = Path("tests/laws/cases/R-REV-01-2007.table").read_text(encoding="utf-8")
    told = rule("--explain", script=case).output
    assert "Trick 2: East played C2 and had to play diamonds" in told
    assert "Trick 2 was won by North" in told
    assert "After it the side of East won 1 trick in play" in told
    assert "64A2 decides: The revoker did not win the trick of the revoke" in told
    assert "63A1: The revoker's side has led or played to a later trick" in told


def test_an_undone_ruling_is_told_to_nobody() -> None:
    told = rule(
        "--explain", "--edition", "2007", script=SCRIPT + "director overrule 2\n"
    ).output
    assert "2. line 2: Undone:" in told
    assert "Nobody: the ruling is undone" in told


def test_an_open_option_is_explained() -> None:
    told = rule("--explain", "--edition", "2017", script="board 2\nS 1S\n").output
    assert "29A: LHO may accept a call out of rotation" in told


def test_a_claim_that_was_settled_is_explained() -> None:
    script = DIFFERENT + "N 7NT\nE P\nS P\nW P\nE ST\nN claim 12\nE object\n"
    told = rule(
        "--explain", "--edition", "2017", script=script + "director award N 13\n"
    ).output
    assert "North had claimed 13 of 13 tricks" in told
    assert "70A decides: The Director settles a contested claim" in told


def test_a_contested_claim_is_put_to_the_director() -> None:
    script = DIFFERENT + "N 7NT\nE P\nS P\nW P\nE ST\nN claim 12\nE object\n"
    told = rule("--edition", "2017", script=script).output
    assert "North claims 12 of 13 tricks: how do the tricks that remain go?" in told


def test_both_editions_explained_stay_within_80_columns() -> None:
    for language in ("en", "es"):
        told = rule("--explain", "--edition", "both", "--language", language).output
        assert max(map(len, told.splitlines())) <= 80
        assert "31A2(b)" in told


# What goes together ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--json", "--pbn"], "--json or --pbn"),
        (["--json", "--explain"], "--json or --explain"),
        (["--pbn", "--edition", "both"], "2007 or 2017 with --pbn"),
        (["-i", "--json"], "-i without --json"),
        (["-i", "--edition", "both"], "-i without --edition both"),
        (["--edition", "1997"], "1997"),
        (["--language", "fr"], "fr"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    options: list[str], expected: str
) -> None:
    refused = rule(*options)
    assert refused.exit_code == 2
    assert expected in " ".join(refused.output.split())


def test_a_file_or_the_interactive_form_is_needed() -> None:
    refused = CliRunner().invoke(app, ["rule"])
    assert refused.exit_code == 2
    assert "a table script" in " ".join(refused.output.split())


def test_pbn_is_judged_by_the_edition_that_is_asked_for() -> None:
    told = rule("--pbn", "--edition", "2017").output
    assert "31A2(b), 2017" in " ".join(told.split())
    assert told.endswith("\n")
    assert not told.endswith("\n\n\n")


# What is written of it ------------------------------------------------------------


def examples() -> list[tuple[str, list[str]]]:
    """The examples of ``docs/rule.md``: a command, and what it shows."""
    text = Path("docs/rule.md").read_text(encoding="utf-8")
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
    return found


def test_both_editions_are_told_as_is_written() -> None:
    command, shown = examples()[0]
    script = command.split("'")[1].replace("\\n", "\n")
    told = rule("--edition", "both", script=script).output.splitlines()
    assert shown[0] == "…"
    place = told.index(shown[1])
    assert told[place : place + len(shown) - 1] == shown[1:]


def test_a_session_goes_as_is_written() -> None:
    command, shown = examples()[1]
    assert command == "bidwire rule -i"
    typed = [line.split(" ", 1) for line in shown if line[:2] in {"3>", "4>"}]
    lines = ["2007", "2", *(rest for _, rest in typed[:2])]
    told = CliRunner().invoke(
        app, ["rule", "-i"], input="\n".join(lines) + "\n", env={"LANG": "C.UTF-8"}
    )
    prompts = {"Edition", "Board n", "3> S 1S", "4> 2"}
    answers = [x for x in shown if x[:7] not in prompts and x not in prompts]
    assert told.output.splitlines()[1:] == answers
