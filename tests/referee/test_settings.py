"""Settings: each mistake is told with its key and what was expected."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from laws.board import Edition, RevokePolicy
from laws.seats import Seat, Side
from referee.settings import (
    Boards,
    Questions,
    SettingsError,
    load_settings,
    parse_settings,
)
from tests.referee.bench import DEAL

TERMINALS = [{"daemon": "d1", "id": f"t1-{s.lower()}", "seats": [s]} for s in "NESW"]

GOOD: dict[str, Any] = {
    "event": "friday",
    "broker": {"port": 1883},
    "journal": "friday.sqlite",
    "edition": "2017",
    "tables": [
        {
            "id": "t1",
            "terminals": TERMINALS,
            "boards": [{"number": 2, "deal": DEAL}, {"number": 3, "vulnerable": []}],
        }
    ],
}


def parsed(**changes: object) -> Any:  # noqa: ANN401 - the tests read it freely
    return parse_settings(msgspec.json.encode({**GOOD, **changes}))


def table(**changes: object) -> list[dict[str, object]]:
    return [{**GOOD["tables"][0], **changes}]


def test_defaults() -> None:
    settings = parsed()
    assert settings.policies.revoke is RevokePolicy.RECORD
    assert settings.questions is Questions.WAIT
    assert settings.boards is Boards.AUTO
    assert settings.delay_s() is None


def test_board_is_that_of_its_number_unless_the_settings_say_otherwise() -> None:
    second, third = parsed().tables[0].boards
    policies = parsed().policies.policies()
    board = second.board(Edition.LAWS_2017, policies)
    assert (board.dealer, board.vulnerable) == (Seat.EAST, {Side.NORTH_SOUTH})
    assert third.board(Edition.LAWS_2017, policies).vulnerable == frozenset()
    assert third.board(Edition.LAWS_2017, policies).hands is None


@pytest.mark.parametrize(
    ("publish", "delay"), [("live", 0.0), ("after_board", None), ("delay 15", 900.0)]
)
def test_spectators_are_behind_by(publish: str, delay: float | None) -> None:
    assert parsed(publish=publish).delay_s() == delay


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edition": "1997"}, "edition: expected 2007 or 2017, got '1997'"),
        ({"edition": None}, "edition: Expected `str`, got `null`"),
        ({"publish": "delay"}, "publish: expected after_board, live, or delay N"),
        (
            {"event": "Friday night"},
            "event: expected 1 to 32 of the characters a-z, 0-9, _ and -, got",
        ),
        ({"tables": []}, "tables: expected at least one table, got none"),
        ({"moon": 1}, "Object contains unknown field `moon`"),
        (
            {"policies": {"revoke": "never"}},
            "policies.revoke: expected record, immediate, manual or prevent, got",
        ),
        (
            {"tables": table() + table()},
            "tables: expected each id once, got 't1' 2 times",
        ),
        (
            {"tables": table(terminals=TERMINALS[:3])},
            "tables[0].terminals: expected one terminal to serve W, got 0",
        ),
        (
            {"tables": table(terminals=[*TERMINALS, TERMINALS[0]])},
            "tables[…].terminals: expected each id once, got 't1-n' 2 times",
        ),
        (
            {"tables": table(terminals=[{**TERMINALS[0], "columns": 3}])},
            "tables[0].terminals[0].columns: Expected `int` >= 8",
        ),
        (
            {
                "tables": table(
                    terminals=[{**TERMINALS[0], "language": "xx"}, *TERMINALS[1:]]
                )
            },
            "tables[0].terminals[0].language: expected one of en",
        ),
        (
            {"tables": table(boards=[{"number": 1, "deal": "N:AK"}])},
            "tables[0].boards[0].deal: a deal has 4 hands, got 1",
        ),
        (
            {"tables": table(boards=[{"number": 0}])},
            "tables[0].boards[0].number: Expected `int` >= 1",
        ),
    ],
)
def test_mistake_is_told_with_its_key(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parsed(**changes)
    assert str(caught.value).startswith(message)


def test_missing_key_is_named() -> None:
    incomplete = {key: value for key, value in GOOD.items() if key != "edition"}
    with pytest.raises(SettingsError, match="missing required field `edition`"):
        parse_settings(msgspec.json.encode(incomplete))


def test_what_is_no_json_is_told() -> None:
    with pytest.raises(SettingsError, match="malformed"):
        parse_settings(b"edition = 2017")


def test_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"referee.json: No such file"):
        load_settings(tmp_path / "referee.json")
