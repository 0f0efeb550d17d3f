"""Players' names: apart from the journal, on displays and in exports, and erased."""

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.event_file import read_event_file
from bidwire.event_settings import referee_settings
from bidwire.results.names import (
    NAME_MAX,
    Names,
    NamesError,
    PairNames,
    read_names,
    write_names,
)
from broker import BrokerSettings
from referee.journal_file import JournalFile

TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=NAME_MAX
).filter(str.strip)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["erase-names", *map(str, arguments)])


def names_of(event: Path) -> dict[str, PairNames]:
    return dict(read_names(event.with_name("friday.names.toml")).pairs)


@given(st.dictionaries(TEXT, st.lists(TEXT, min_size=1, max_size=8), max_size=4))
def test_the_file_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, named: dict[str, list[str]]
) -> None:
    pairs = {pair: PairNames(tuple(each), ("1",)) for pair, each in named.items()}
    file = tmp_path_factory.mktemp("names") / "names.toml"
    file.write_bytes(write_names(pairs, ["a remark"]))
    assert read_names(file).pairs == pairs


def test_a_pair_without_names_is_told_by_its_id() -> None:
    names = Names({"1": PairNames(("Ana", "Bo"))})
    assert (names.told("1"), names.told("2")) == ("1 Ana - Bo", "2")
    assert names.of("2") == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[pairs.1]\nplayers = []", "length >= 1"),
        ("[pairs.1]\nplayers = ['a\\nb']\n[pairs.2]\nplayers = ['']", "pairs"),
        (
            '[pairs.1]\nplayers = ["a"]\n[pairs.2]\nplayers = ["a\\nb"]',
            r"pairs\.2: players\[0\]: expected a name on one line, got 'a\\nb'",
        ),
        ("[pairs]\n1 = 5", r"pairs\.1: Expected `object`, got `int`"),
        ("[pairs.1]\nplayer = ['Ana']", "player"),
        ("[pairs.1", "no TOML"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "names.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(NamesError, match=told):
        read_names(file)


def test_the_referee_is_told_the_names_for_its_displays(event: Path) -> None:
    settings = referee_settings(read_event_file(event), event.parent, BrokerSettings())
    assert settings.names["1"] == "1 Ana {Peña} - Bo <Li>"
    assert settings.tables[0].boards[0].pairs.ns == "1"


def test_no_name_stands_in_the_journal(event: Path) -> None:
    with JournalFile(event.with_name("bidwire.journal")) as journal:
        written = b"".join(link.entry for link in journal.links())
    for named in names_of(event).values():
        for player in named.players:
            assert player.encode() not in written


def test_the_names_of_a_pair_are_erased_and_what_else_may_have_them_is_told(
    event: Path,
) -> None:
    file = event.with_name("friday.names.toml")
    copy = file.with_name("friday.names.toml~")
    copy.write_text("", encoding="utf-8")
    before = file.stat().st_mode
    done = run(event, "--pair", "11")
    assert done.exit_code == 0
    assert list(names_of(event)) == ["1"]
    assert "O'Hara" not in file.read_text(encoding="utf-8")
    assert file.stat().st_mode == before
    assert "the names of 11 are erased" in done.output
    assert "exports written before" in done.output
    assert str(copy) in done.output
    assert not list(file.parent.glob(".*"))


def test_all_names_are_erased_and_results_have_ids(event: Path) -> None:
    assert run(event, "--all").exit_code == 0
    assert names_of(event) == {}
    told = CliRunner().invoke(app, ["results", str(event)])
    assert told.exit_code == 0
    assert "Ana" not in told.output
    assert run(event, "--all").exit_code == 0


def test_names_are_erased_when_they_are_due(event: Path) -> None:
    # The bench's clock stands in 2023, so the 30 days are long over.
    done = run(event, "--due")
    assert "all pairs are erased" in done.output
    assert "retained messages never had them" in " ".join(done.output.split())
    assert names_of(event) == {}


def test_names_that_are_not_due_are_kept(event: Path) -> None:
    played = datetime.fromtimestamp(1_700_001_000).astimezone().date()
    text = event.read_text(encoding="utf-8")
    event.write_text(
        text.replace("retention_days = 30", "retention_days = 36000"), encoding="utf-8"
    )
    done = run(event, "--due")
    assert done.exit_code == 0
    assert f"kept until {played + timedelta(days=36000)}" in done.output
    assert len(names_of(event)) == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "expected one of --pair ID, --all and --due"),
        (("--all", "--due"), "expected one of --pair ID, --all and --due"),
        (("--pair", "9"), "--pair: expected 1 or 11, got '9'"),
    ],
)
def test_what_is_to_be_erased_must_be_clear(
    event: Path, arguments: tuple[str, ...], told: str
) -> None:
    done = run(event, *arguments)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.replace("│", "").split())
    assert len(names_of(event)) == 2


def test_an_event_without_days_or_names_says_so(event: Path) -> None:
    text = event.read_text(encoding="utf-8")
    event.write_text(text.replace("retention_days = 30", ""), encoding="utf-8")
    assert "event.retention_days: expected" in run(event, "--due").stderr
    event.write_text(text.replace('names = "friday.names.toml"', ""), encoding="utf-8")
    done = run(event, "--all")
    assert done.exit_code == 2
    assert "names: expected a file of names" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_names_that_cannot_be_written_are_still_there(event: Path) -> None:
    event.parent.chmod(0o500)
    try:
        done = run(event, "--all")
    finally:
        event.parent.chmod(0o700)
    assert done.exit_code == 2
    assert len(names_of(event)) == 2
