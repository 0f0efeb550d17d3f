"""``bidwire results``: an event's journal, scored and written in each form."""

import csv
import io
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from endplay.parsers import pbn as endplay_pbn
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.event_file import read_event_file
from bidwire.records import MarkKind, Record, read_records
from bidwire.results.exports import EXPORTS
from bidwire.results.methods import Form, Scoring
from bidwire.results.session import Session, score
from bidwire.results.source import gather, read_material
from bidwire.results.to_csv import travellers_csv
from bidwire.results.to_json import results_json
from bidwire.results.to_pbn import results_pbn
from bidwire.results.to_usebio import results_usebio
from laws.seats import Side
from protocol.payloads import Service
from protocol.scores import Penalty, PenaltyUnit
from tests.bidwire.results.evening import INSUFFICIENT, claimed, table, write_journal
from tests.bidwire.results.samples import MINUS, PLUS, assigned, both, result, scored
from tests.referee.bench import DEAL

DAY = datetime.fromtimestamp(1_700_001_000, UTC).astimezone().date()
"""When the bench's clock begins."""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["results", *map(str, arguments)])


def written(event: Path, form: Form, *arguments: str) -> str:
    done = run(event, "--format", form.value, *arguments)
    assert done.exit_code == 0, done.output
    return done.stdout_bytes.decode()


# for people -----------------------------------------------------------------------


def test_the_table_has_ranking_and_travellers_with_names(event: Path) -> None:
    told = run(event)
    assert told.exit_code == 0
    lines = [re.sub(r"\s+", " ", line).strip() for line in told.output.splitlines()]
    assert "Friday pairs: matchpoints" in lines
    assert "North-South" in lines
    assert "1 1 Ana {Peña} - Bo <Li> 1 2 100.00" in lines
    assert "2 12 1 0 0.00" not in lines
    assert "Board 1" in lines
    (first,) = [line for line in lines if line.startswith("t1 1 Ana") and "1H" in line]
    assert first.endswith("1H S 9 140 2 0 100.00 0.00")


def test_one_board_has_no_ranking(event: Path) -> None:
    told = run(event, "--board", "2").output
    assert "North-South" not in told
    assert "Pass" in told
    assert "Board 1" not in told


# csv ------------------------------------------------------------------------------


def test_csv_has_a_line_for_each_playing(event: Path) -> None:
    first, second, passed = csv.DictReader(io.StringIO(written(event, Form.CSV)))
    assert (first["ns"], first["ns_players"]) == ("1", "Ana {Peña} - Bo <Li>")
    assert (first["contract"], first["declarer"], first["tricks"]) == ("1H", "S", "9")
    assert (first["score_ns"], first["ns_points"], first["ns_percent"]) == (
        *("140", "2"),
        "100.00",
    )
    assert (second["ew_players"], second["ew_points"]) == ("", "2")
    assert (passed["contract"], passed["score_ns"], passed["ns_points"]) == (
        *("Pass", "0"),
        "",
    )


def test_csv_has_no_text_that_a_spreadsheet_takes_for_a_formula(event: Path) -> None:
    names = event.with_name("friday.names.toml")
    names.write_text('[pairs.1]\nplayers = ["=cmd|x", "Bo"]\n', encoding="utf-8")
    rows = csv.DictReader(io.StringIO(written(event, Form.CSV_RANKING)))
    assert next(rows)["players"] == "'=cmd|x - Bo"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("@sum(a1)", "'@sum(a1)"),
        ("-2+3", "'-2+3"),
        ("-110", "-110"),
        ("A+", "A+"),
        ("=", "="),
    ],
)
def test_only_formulas_get_an_apostrophe(text: str, cell: str) -> None:
    given = result("t1", text, "2", -110)
    row = next(csv.DictReader(io.StringIO(travellers_csv(scored(given)).decode())))
    assert (row["ns"], row["score_ns"]) == (cell, "-110")


def test_csv_of_the_ranking(event: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(written(event, Form.CSV_RANKING))))
    assert [(r["direction"], r["place"], r["contestant"]) for r in rows] == [
        *(("NS", "1", "1"), ("NS", "2", "2")),
        *(("EW", "1", "12"), ("EW", "2", "11")),
    ]
    assert rows[0]["percent"] == "100.00"


# json -----------------------------------------------------------------------------


def test_json_has_its_schema_and_everything_else(event: Path) -> None:
    told = json.loads(written(event, Form.JSON))
    assert (told["schema"], told["event"]) == ("bidwire.results/1", "friday")
    assert told["played_on"] == f"{DAY:%Y-%m-%d}"
    board = told["boards"][0]
    assert (board["deal"], board["dealer"], board["top"]) == (DEAL, "N", 2)
    first = board["results"][0]
    assert first["points"] == {"NS": 2, "EW": 0}
    assert first["contract"]["denomination"] == "H"
    standing = told["rankings"][0]["standings"][0]
    assert standing["players"] == ["Ana {Peña}", "Bo <Li>"]
    assert standing["numbers"] == ["10234", ""]


# pbn ------------------------------------------------------------------------------


def test_pbn_is_read_again_with_its_marks_and_tables(
    event: Path, tmp_path: Path
) -> None:
    file = tmp_path / "friday.pbn"
    done = run(event, "--format", "pbn", "-o", file)
    assert (done.exit_code, done.output) == (0, "")
    text = file.read_text(encoding="utf-8")
    first, second, passed = read_records(file)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert isinstance(passed, Record)
    assert [mark.kind for mark in first.marks] == [MarkKind.INSUFFICIENT_BID]
    assert (second.board, passed.board) == ("1", "2")
    assert text.count("[TotalScoreTable") == 1
    assert text.count("[ScoreTable") == 2
    assert r"Contract\2L;Declarer\1R;Result\1R;Score_NS\3R;Score_EW\4R;MP_NS\1R" in text
    assert "t1 1 1 11 1H S 9 140 -140 2 0 100.00   0.00" in text
    assert '[ScoreMP "NS 2"]' in text
    assert '[North "Ana {Peña}"]' in text
    assert '[PairEW "12"]' in text


def test_endplay_reads_the_pbn(event: Path) -> None:
    # It takes neither the marks of irregularities nor comments in a section.
    text = re.sub(r"^{.*}\n|\^I ", "", written(event, Form.PBN), flags=re.MULTILINE)
    boards = endplay_pbn.loads(text)
    assert [board.board_num for board in boards] == [1, 1, 2]
    assert str(boards[1].contract).startswith("2♥S")
    assert boards[0].info.ScoreTable["rows"][0][0] == "t1"
    assert boards[0].info.TotalScoreTable["rows"][0][:3] == ["1", "1", "NS"]


def test_pbn_without_the_judged_board_has_contract_and_comment(tmp_path: Path) -> None:
    session = scored(
        result("t1", "1", "11", 420, adjustment=both(PLUS, MINUS)),
        result("t2", "2", "12", 420),
        deals={1: DEAL},
    )
    file = tmp_path / "desk.pbn"
    file.write_bytes(results_pbn(session))
    text = file.read_text(encoding="utf-8")
    assert "{Adjusted score: NS A+; EW A-, hesitation}" in text
    first, _ = read_records(file)
    assert isinstance(first, Record)
    assert str(first.contract) == "4H by S"
    assert first.hands is not None


# usebio ---------------------------------------------------------------------------

CHILDREN = {
    "USEBIO": "CLUB EVENT",
    "CLUB": "CLUB_NAME CLUB_ID_NUMBER",
    "EVENT": (
        "PROGRAM_NAME PROGRAM_VERSION EVENT_DESCRIPTION DATE WINNER_TYPE"
        " BOARD_SCORING_METHOD MATCH_SCORING_METHOD? BOARDS_PLAYED PARTICIPANTS"
        " BOARD* MATCH*"
    ),
    "PARTICIPANTS": "PAIR* TEAM*",
    "PAIR": (
        "PAIR_NUMBER DIRECTION? BOARDS_PLAYED PLAYER* PLACE TOTAL_SCORE PERCENTAGE?"
    ),
    "TEAM": "PLAYER* PLACE TOTAL_SCORE",
    "PLAYER": "PLAYER_NAME NATIONAL_ID_NUMBER?",
    "BOARD": "BOARD_NUMBER IMPS? TRAVELLER_LINE*",
    "TRAVELLER_LINE": (
        "DIRECTION? NS_PAIR_NUMBER? EW_PAIR_NUMBER? CONTRACT PLAYED_BY LEAD TRICKS"
        " SCORE NS_MATCH_POINTS? EW_MATCH_POINTS? NS_CROSS_IMP_POINTS?"
        " EW_CROSS_IMP_POINTS?"
    ),
    "MATCH": (
        "ROUND_NUMBER TEAM OPPOSING_TEAM START_BOARD_NUMBER END_BOARD_NUMBER"
        " TEAM_SCORE OPPOSING_TEAM_SCORE BOARD*"
    ),
}
"""What stands in which element, in which order; leaves have text alone."""


def check(element: ET.Element, *, inside: str = "") -> None:
    """Whether an element holds what it may, in the right order."""
    children = "".join(f"{child.tag} " for child in element)
    if element.tag == "TEAM" and inside == "MATCH":
        assert not children
        return
    model = re.sub(r"(\w+)([?*]?) ?", r"(?:\1 )\2", CHILDREN.get(element.tag, ""))
    assert re.fullmatch(model, children), (element.tag, children)
    for child in element:
        check(child, inside=element.tag)


def usebio(session: Session) -> ET.Element:
    root = ET.fromstring(results_usebio(session))  # noqa: S314 - our own
    check(root)
    return root


def test_usebio_of_pairs(event: Path) -> None:
    root = usebio(score(read_material(event)))
    assert root.attrib == {"Version": "1.2"}
    assert root.findtext("CLUB/CLUB_NAME") == "Riverside & Co"
    assert root.findtext("EVENT/DATE") == f"{DAY:%d/%m/%Y}"
    assert root.findtext("EVENT/WINNER_TYPE") == "2"
    pair = root.find("EVENT/PARTICIPANTS/PAIR")
    assert pair is not None
    assert pair.findtext("PLAYER/PLAYER_NAME") == "Ana {Peña}"
    assert pair.findtext("PLAYER/NATIONAL_ID_NUMBER") == "10234"
    assert pair.findtext("PERCENTAGE") == "100.00"
    line = root.find("EVENT/BOARD/TRAVELLER_LINE")
    assert line is not None
    told = {child.tag: child.text for child in line}
    assert told == {
        "NS_PAIR_NUMBER": "1",
        "EW_PAIR_NUMBER": "11",
        "CONTRACT": "1H",
        "PLAYED_BY": "S",
        "LEAD": "HA",
        "TRICKS": "9",
        "SCORE": "140",
        "NS_MATCH_POINTS": "2",
        "EW_MATCH_POINTS": "0",
    }
    head = results_usebio(score(read_material(event))).splitlines()[1]
    assert head.startswith(b'<!DOCTYPE USEBIO PUBLIC "-//EBU//DTD USEBIO 1.2//EN"')


def test_usebio_of_adjusted_scores() -> None:
    weighted = both(assigned((60, 620), (40, -100)))
    root = usebio(
        scored(
            result("t1", "1", "11", 420, adjustment=both(PLUS, MINUS)),
            result("t2", "2", "12", 420, adjustment=both(assigned((100, 620)))),
            result("t3", "3", "13", 420, adjustment=weighted),
            result("t4", "4", "14", None),
        )
    )
    lines = root.findall("EVENT/BOARD/TRAVELLER_LINE")
    assert [line.findtext("SCORE") for line in lines] == ["A6040", "620", "", ""]
    assert lines[3].find("NS_MATCH_POINTS") is None


def test_usebio_of_teams() -> None:
    root = usebio(
        scored(
            result("t1", "1", "2", 620),
            result("t2", "4", "3", 170),
            scoring=Scoring.TEAMS,
            teams={"1": "Reds", "2": "Blues", "3": "Reds", "4": "Blues"},
        )
    )
    match = root.find("EVENT/MATCH")
    assert match is not None
    assert match.findtext("TEAM") == "Blues"
    assert match.findtext("BOARD/IMPS") == "-10"
    lines = match.findall("BOARD/TRAVELLER_LINE")
    assert [line.findtext("DIRECTION") for line in lines] == ["EW", "NS"]


def test_results_that_came_over_mqtt_are_scored_with_the_event_file(
    event: Path,
) -> None:
    published = read_material(event).results
    session = score(gather(read_event_file(event), event.parent, published))
    told = json.loads(results_json(session))
    assert told["title"] == "Friday pairs"
    assert told["rankings"][0]["standings"][0]["players"] == ["Ana {Peña}", "Bo <Li>"]
    assert [export.form for export in EXPORTS] == [f for f in Form if f != "table"]
    for export in EXPORTS:
        assert export.write(session)


# what the Director gave --------------------------------------------------------------


def test_an_adjusted_score_and_a_penalty_come_with_the_journal(event: Path) -> None:
    one, two = (
        table(1, *INSUFFICIENT, *claimed(9)),
        table(2, *INSUFFICIENT, *claimed(8)),
    )
    one.direct(service=Service.ADJUST, play=1, adjustment=both(PLUS, MINUS))
    late = Penalty(Side.NORTH_SOUTH, 10, PenaltyUnit.PERCENT, "late")
    two.direct(service=Service.PENALTY, play=1, penalty=late)
    event.with_name("bidwire.journal").unlink()
    write_journal(event.with_name("bidwire.journal"), {"t1": one, "t2": two})
    told = json.loads(written(event, Form.JSON))
    adjusted, other = told["boards"][0]["results"]
    assert adjusted["points"] == {"NS": 1.2, "EW": 0.8}
    assert adjusted["score_ns"] == 140
    assert other["points"] == {"NS": 1, "EW": 1}
    totals = {s["contestant"]: s["total"] for s in told["rankings"][0]["standings"]}
    assert totals == {"1": 1.2, "2": 0.8}
    assert "{Adjusted score: NS A+; EW A-, hesitation}" in written(event, Form.PBN)


# errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("edition", "editio"), "editio"),
        (('title = "Friday pairs"', 'scoring = "mp"'), "event.scoring: expected match"),
        (("friday.names.toml", "none.toml"), "none.toml: No such file"),
        (('ew = "11"', 'ew = "1"'), "rounds[0]: expected two pairs, got '1' in ns"),
        (
            ("[[terminals]]", "[[teams]]\nid = 'x'\npairs = ['9']\n[[terminals]]", 1),
            "teams[0].pairs: expected pairs of the tables, got '9'",
        ),
    ],
)
def test_a_wrong_event_file_is_told_by_its_key(
    event: Path, change: tuple[Any, ...], told: str
) -> None:
    text = event.read_text(encoding="utf-8")
    event.write_text(text.replace(*change), encoding="utf-8")
    done = run(event)
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.output


def test_a_names_file_with_a_stranger_is_told(event: Path) -> None:
    names = event.with_name("friday.names.toml")
    names.write_text('[pairs.7]\nplayers = ["Ed"]\n', encoding="utf-8")
    done = run(event)
    assert done.exit_code == 2
    assert "names: " in done.stderr
    assert "expected pairs of the tables, got '7'" in done.stderr


def test_there_is_no_journal_yet(event: Path) -> None:
    event.with_name("bidwire.journal").unlink()
    done = run(event)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "expected a journal, got no file" in done.stderr


def test_a_board_that_nobody_played_is_told(event: Path) -> None:
    done = run(event, "--board", "7")
    assert done.exit_code == 2
    assert "--board: expected one of 1, 2, got 7" in done.stderr


def test_a_file_that_cannot_be_written_is_told(event: Path, tmp_path: Path) -> None:
    done = run(event, "--format", "csv", "-o", tmp_path / "no" / "where.csv")
    assert done.exit_code == 2
    assert "cannot be written: No such file" in done.stderr
