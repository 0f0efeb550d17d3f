"""Files of any kind: formats, files that cannot be read, bytes that mean nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwire.records import Record, RecordError, ScriptRecord, read_records, read_text
from bidwire.records.files import find_files

DEAL = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
PBN = f'[Board "1"]\n[Deal "{DEAL}"]\n[Auction "N"]\nPass AP\n[Note "1:é"]\n'
LIN = "md|1S6543H876D876C876,S2H5432D5432C5432,SAKQJHAKQDAKQCAKQ,|sv|o|mb|p|"


@pytest.mark.parametrize(
    "data",
    [
        PBN.encode(),
        b"\xef\xbb\xbf" + PBN.encode(),
        PBN.encode("cp1252"),
        b"\xef\xbb\xbf" + PBN.encode("cp1252"),
        PBN.replace("\n", "\r\n").encode("latin-1") + b"\x1a",
    ],
)
def test_encodings_and_line_ends(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "evening.pbn"
    path.write_bytes(data)
    (record,) = read_records(path)
    assert isinstance(record, Record)
    assert record.file == str(path)
    assert record.is_playable


def test_a_file_without_a_known_suffix_is_told_by_its_content() -> None:
    for text in (PBN, LIN):
        (found,) = read_text("evening.txt", text)
        assert isinstance(found, Record)
    (neither,) = read_text("evening.txt", "dear all")
    assert str(neither) == (
        "evening.txt:1: expected records in PBN (.pbn), LIN (.lin) or a .table script"
    )


@pytest.mark.parametrize("name", ["empty.pbn", "empty.lin"])
def test_a_file_without_records_is_an_error(name: str) -> None:
    (found,) = read_text(name, "\n\n")
    assert found == RecordError(name, "", 1, "no record found")


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    (found,) = read_records(tmp_path / "none.pbn")
    assert isinstance(found, RecordError)
    assert found.message == "No such file or directory"


def test_a_table_script_is_kept_whole() -> None:
    (found,) = read_text("ruling.table", "edition 2017\nboard 2\nE 1S\n")
    assert isinstance(found, ScriptRecord)
    assert found.board == "ruling"
    assert len(found.script.steps) == 1


def test_a_wrong_line_of_a_table_script_is_reported() -> None:
    (found,) = read_text("ruling.table", "edition 2017\nboard 2\nE 8S\n")
    assert isinstance(found, RecordError)
    assert found.line == 3
    assert "expected a call" in found.message


def test_an_error_reads_as_file_line_board_and_message() -> None:
    error = RecordError("a.pbn", "o12", 7, "expected a call, got 'x'")
    assert str(error) == "a.pbn:7, board o12: expected a call, got 'x'"


PIECES = st.sampled_from(
    [
        *('[Board "1"]', '[Deal "', '"]', '[Auction "N"]', '[Play "E"]', "[", "]", "{"),
        *("}", ";", "%", '"', "\n", "\n\n", "\r", "1C", "AP", "^S", "^I", "=1=", "-"),
        *("SA", "H2", "*", "+", DEAL, "md|", "mb|", "pc|", "|", "mc|", "qx|o1|", LIN),
        *("\x1a", "\x00", "é", "\ud7ff", "##", "#", "10", '[Result "^8"]'),
    ]
)


@given(st.sampled_from([".pbn", ".lin", ".table", ""]), st.binary(max_size=400))
def test_any_bytes_give_records_or_errors_and_never_raise(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / f"noise{suffix}"
    path.write_bytes(data)
    assert_whole(list(read_records(path)), len(data))


@given(st.sampled_from([".pbn", ".lin"]), st.lists(PIECES, max_size=40))
def test_any_heap_of_pieces_gives_records_or_errors(
    suffix: str, pieces: list[str]
) -> None:
    for glue in ("", " ", "\n"):
        text = glue.join(pieces)
        assert_whole(list(read_text(f"heap{suffix}", text)), len(text))


@given(st.data(), st.text(max_size=3), st.sampled_from([".pbn", ".lin"]))
def test_a_torn_record_does_not_hide_the_next_one(
    data: st.DataObject, noise: str, suffix: str
) -> None:
    text = PBN if suffix == ".pbn" else LIN
    at = data.draw(st.integers(0, len(text)))
    noise = noise.replace("{", "")
    torn = text[:at] + noise + "\n\n"
    (whole,) = read_text(f"whole{suffix}", text)
    last = list(read_text(f"torn{suffix}", torn + text))[-1]
    assert isinstance(whole, Record)
    assert isinstance(last, Record)
    assert (last.board, last.auction, last.hands) == (
        whole.board,
        whole.auction,
        whole.hands,
    )


def assert_whole(found: list[Record | ScriptRecord | RecordError], size: int) -> None:
    assert found
    for item in found:
        assert 1 <= item.line <= size + 1


def test_files_are_found_in_folders(tmp_path: Path) -> None:
    for name in ("b.lin", "a.pbn", "c.txt", "d.table"):
        (tmp_path / name).touch()
    found = [file.name for file in find_files([tmp_path, tmp_path / "c.txt"])]
    assert found == ["a.pbn", "b.lin", "d.table", "c.txt"]
