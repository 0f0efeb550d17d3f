"""A club evening that was played."""

from pathlib import Path

import pytest

from tests.bidwire.results.evening import (
    EVENT,
    INSUFFICIENT,
    NAMES,
    PASSED_OUT,
    claimed,
    table,
    write_journal,
)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """Both tables have played board 1, one has passed out board 2."""
    tables = {
        "t1": table(1, *INSUFFICIENT, *claimed(9), *PASSED_OUT),
        "t2": table(2, "N 1S", "E P", "S 2H", "W P", "N P", "E P", *claimed(8)),
    }
    write_journal(tmp_path / "bidwire.journal", tables)
    (tmp_path / "friday.names.toml").write_text(NAMES, encoding="utf-8")
    file = tmp_path / "friday.toml"
    file.write_text(EVENT, encoding="utf-8")
    return file
