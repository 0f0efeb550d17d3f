"""EVENT.toml: the shipped example is right, and each mistake names its key."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bidwire.event_file import (
    EXAMPLE,
    EventFileError,
    board_numbers,
    convert,
    read_event_file,
)
from bidwire.event_settings import (
    broker_settings,
    referee_settings,
    terminal_settings,
)
from broker.settings import BrokerSettings
from laws.board import Edition
from laws.seats import Seat
from referee.settings import StreamSettings, parse_settings


def minimal() -> dict[str, Any]:
    return {
        "event": {"id": "club", "edition": "2017"},
        "broker": {"embedded": True},
        "tables": [{"id": "t1", "boards": "1-4, 9"}],
        "terminals": [{"id": "a", "table": "t1", "seats": "NESW", "port": "/dev/tty1"}],
    }


def changed(path: str, value: object) -> dict[str, Any]:
    """The minimal event with one key changed, or added; None takes it away."""
    plain = minimal()
    *way, last = [int(k) if k.isdigit() else k for k in path.split(".")]
    place: Any = plain
    for key in way:
        place = place.setdefault(key, {}) if isinstance(key, str) else place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return plain


def test_the_shipped_example_is_a_right_event() -> None:
    event = convert(tomllib.loads(EXAMPLE.read_text(encoding="utf-8")))
    assert event.event.edition is Edition.LAWS_2017
    assert [table.id for table in event.tables] == ["t1", "t2"]


def test_defaults_are_the_documented_ones() -> None:
    event = convert(minimal())
    assert event.event.publish == "after_board"
    assert event.event.questions == "wait"
    assert event.policies.revoke == "record"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("event.edition", None, "event: Object missing required field `edition`"),
        ("event.edition", "1997", "event.edition: expected 2007 or 2017, got '1997'"),
        ("event.id", "My Club", "event.id: expected 1 to 32 of the characters a-z,"),
        ("event.id", "club\n", "event.id: expected 1 to 32 of the characters a-z, 0-9"),
        ("event.journal", "", "event.journal: expected the name of a file, got"),
        ("event.colour", "red", "event: Object contains unknown field `colour`"),
        ("event.publish", "soon", "event.publish: expected after_board, live or delay"),
        ("event.publish", "delay 0", "event.publish: expected"),
        ("event.boards", "some", "event.boards: expected auto or placed"),
        ("event.questions", "never", "event.questions: expected wait or assume"),
        ("policies.revoke", "shout", "policies.revoke: expected record, immediate,"),
        ("policies.revoke", "prevent", "policies.revoke: expected deals"),
        ("policies.rulings", 1, "policies.rulings: "),
        (
            "journal.servers",
            ["nats://n1:4222"],
            "journal: expected a broker with a host",
        ),
        ("journal.servers", [], "journal.servers: Expected `array` of length >= 1"),
        (
            "journal.servers",
            ["n1:4222"],
            "journal.servers[0]: expected nats://HOST:PORT",
        ),
        (
            "journal.servers",
            ["nats://n1:4222\n"],
            "journal.servers[0]: expected nats://HOST:PORT",
        ),
        ("broker.embedded", None, "broker: expected embedded = true, or the host"),
        ("broker.host", "example.org", "broker: expected either embedded = true or"),
        ("broker.port", "mqtt", "broker.port: Expected `int`, got `str`"),
        ("broker.daemon_password_file", "p", "broker.daemon_user: expected the user"),
        ("broker.director_password_file", "p", "broker.director_user: expected the"),
        ("tables", [], "tables: Expected `array` of length >= 1"),
        ("tables.0.boards", "x", "tables[0].boards: expected boards from 1 to 9999"),
        ("tables.0.boards", "4-1", "tables[0].boards: expected boards from 1 to"),
        ("tables.0.boards", "1-3, 2", "tables[0].boards: board 2 is given twice"),
        ("tables.0.boards", "", "tables[0]: expected either boards or rounds"),
        ("terminals.0.table", "t9", "terminals[0].table: expected one of t1, got 't9'"),
        ("terminals.0.seats", "NX", "terminals[0].seats: expected seats of N, E, S, W"),
        ("terminals.0.seats", "NN", "terminals[0].seats: expected each seat once"),
        ("terminals.0.seats", "NE", "terminals: expected a terminal for S, W of table"),
        ("terminals.0.dtr", "up", "terminals[0].dtr: expected leave, on or off, got"),
        (
            "terminals.0.security",
            "no",
            "terminals[0].security: expected open or paired",
        ),
        (
            "terminals.0.serial",
            "",
            "terminals[0].serial: Expected `str` of length >= 1",
        ),
        (
            "terminals.0.serial",
            "s" * 33,
            "terminals[0].serial: Expected `str` of length",
        ),
        (
            "terminals.0.language",
            "tlh",
            "terminals[0].language: expected en or es, got",
        ),
        ("terminals.0.baudrate", 7, "terminals[0].baudrate: Expected `int` >= 50"),
    ],
)
def test_each_mistake_names_its_key(path: str, value: object, expected: str) -> None:
    with pytest.raises(EventFileError) as caught:
        convert(changed(path, value))
    assert str(caught.value).startswith(expected)


def test_a_board_stands_in_one_round_of_a_table() -> None:
    plain = changed("tables.0.boards", None)
    plain["tables"][0]["rounds"] = [{"boards": "1-3"}, {"boards": "3-4"}]
    with pytest.raises(
        EventFileError, match=r"rounds\[1\].boards: board 3 is given twi"
    ):
        convert(plain)


def test_pairs_that_are_to_confirm_their_seats_have_names() -> None:
    plain = changed("event.confirm_seats", True)
    plain["tables"][0]["ns"] = "Pair 1"
    with pytest.raises(EventFileError, match=r"tables\[0\].ew: expected the pair's"):
        convert(plain)
    del plain["tables"][0]["boards"]
    plain["tables"][0]["rounds"] = [{"boards": "1-3", "ew": "Pair 2"}]
    with pytest.raises(EventFileError, match=r"rounds\[0\].ns: expected the pair's"):
        convert(plain)


def test_a_seat_served_twice_is_a_mistake() -> None:
    plain = minimal()
    plain["terminals"].append(
        {"id": "b", "table": "t1", "seats": "S", "port": "/dev/x"}
    )
    with pytest.raises(EventFileError, match="seat S of table t1 is already served"):
        convert(plain)


def test_tables_and_terminals_have_names_of_their_own() -> None:
    plain = minimal()
    plain["tables"].append(plain["tables"][0])
    with pytest.raises(EventFileError, match="tables: t1 is given twice"):
        convert(plain)


def test_a_file_that_is_no_toml_says_where(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text('[event]\nid = "club\n', encoding="utf-8")
    with pytest.raises(EventFileError, match=r"event\.toml: no TOML: .*line 2"):
        read_event_file(path)


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert read_event_file(path).event.id == "monday-club"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EventFileError, match=r"nowhere\.toml: No such file"):
        read_event_file(tmp_path / "nowhere.toml")


def test_boards_are_listed_in_order() -> None:
    assert board_numbers("1-4, 9,12-13") == (1, 2, 3, 4, 9, 12, 13)


def test_a_terminal_beyond_this_machine_needs_a_key_or_open(tmp_path: Path) -> None:
    plain = changed("terminals.0.port", "socket://192.0.2.7:4000")
    with pytest.raises(
        EventFileError, match=r"^terminals\[0\]\.key_file: expected the"
    ):
        terminal_settings(convert(plain), 0, tmp_path)
    (tmp_path / "a.key").write_text("00" * 16 + "\n", encoding="utf-8")
    plain["terminals"][0]["key_file"] = "a.key"
    settings = terminal_settings(convert(plain), 0, tmp_path)
    assert settings.key_bytes == bytes(16)
    assert settings.seats == tuple(Seat)


def test_a_key_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    event = convert(changed("terminals.0.key_file", "a.key"))
    with pytest.raises(EventFileError, match=r"terminals\[0\]\.key_file: .*a\.key: No"):
        terminal_settings(event, 0, tmp_path)


def test_a_port_that_cannot_be_opened_is_named_by_its_place(tmp_path: Path) -> None:
    event = convert(changed("terminals.0.port", "https://192.0.2.7"))
    with pytest.raises(
        EventFileError, match=r"^terminals\[0\]\.port: expected a device"
    ):
        terminal_settings(event, 0, tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "carrier"),
    [
        ("baudrate", 115_200, "a serial port"),
        ("dtr", "off", "a serial port"),
        ("rts", "on", "a serial port"),
        ("adapter", "hci0", "ble://ADDRESS"),
    ],
)
def test_a_setting_of_another_carrier_is_named_by_its_place(
    tmp_path: Path, key: str, value: object, carrier: str
) -> None:
    plain = changed("terminals.0.port", "web://")
    plain["terminals"][0][key] = value
    with pytest.raises(EventFileError) as caught:
        terminal_settings(convert(plain), 0, tmp_path)
    expected = f"terminals[0].{key}: expected only with {carrier}"
    assert str(caught.value).startswith(expected)


def test_passwords_of_a_broker_come_from_files_of_their_own(tmp_path: Path) -> None:
    word = "open sesame"
    (tmp_path / "p").write_text(word + "\n", encoding="utf-8")
    plain = minimal()
    plain["broker"] = {
        "host": "mqtt.example.org",
        "referee_user": "referee",
        "referee_password_file": "p",
    }
    broker = convert(plain).broker
    settings = broker_settings(broker, "referee", tmp_path)
    assert (settings.host, settings.username) == ("mqtt.example.org", "referee")
    assert settings.password == word
    assert broker_settings(broker, "daemon", tmp_path).username is None


def test_an_empty_password_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "p").touch()
    plain = minimal()
    plain["broker"] = {
        "host": "mqtt.example.org",
        "daemon_user": "hall",
        "daemon_password_file": "p",
    }
    with pytest.raises(
        EventFileError, match=r"daemon_password_file: .*expected a line"
    ):
        broker_settings(convert(plain).broker, "daemon", tmp_path)


def test_a_missing_certificate_of_the_authority_is_named(tmp_path: Path) -> None:
    plain = minimal()
    plain["broker"] = {"host": "mqtt.example.org", "tls": True, "ca_file": "ca.pem"}
    with pytest.raises(EventFileError, match=r"^broker\.ca_file: .*ca\.pem: .*No such"):
        broker_settings(convert(plain).broker, "daemon", tmp_path)


def replicated(**journal: object) -> dict[str, Any]:
    """An event whose journal is in a cluster."""
    return {
        **changed("broker", {"host": "n1"}),
        "journal": {"servers": ["nats://n1:4222", "nats://n2:4222"], **journal},
    }


def test_journal_in_a_cluster_comes_to_the_referee(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("open sesame\n", encoding="utf-8")
    event = convert(replicated(user="referee", password_file="secret"))  # noqa: S106 - a file
    told = referee_settings(event, tmp_path, BrokerSettings(host="n1"))
    assert told.journal == StreamSettings(
        servers=("nats://n1:4222", "nats://n2:4222"),
        user="referee",
        password="open sesame",  # noqa: S106 - of no server
        replicas=3,
        lease_s=3.0,
    )
    assert parse_settings(msgspec.json.encode(told)) == told


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("replicas", 2, "journal.replicas: Invalid enum value 2"),
        ("lease_s", 60.0, "journal.lease_s: Expected `float` <= 10.0"),
        ("password_file", "p", "journal.user: expected the user of password_file"),
        ("topic", "x", "journal: Object contains unknown field `topic`"),
    ],
)
def test_mistake_in_the_journals_section_names_its_key(
    key: str, value: object, expected: str
) -> None:
    with pytest.raises(EventFileError) as error:
        convert(replicated(**{key: value}))
    assert str(error.value).startswith(expected)


def test_journal_is_either_a_file_or_in_a_cluster() -> None:
    plain = replicated()
    plain["event"]["journal"] = "club.journal"
    with pytest.raises(EventFileError, match=r"either event\.journal or a section"):
        convert(plain)


def test_authority_of_servers_without_tls_is_told(tmp_path: Path) -> None:
    event = convert(replicated(ca_file="ca.pem"))
    with pytest.raises(EventFileError, match=r"journal\.ca_file: needs tls:// servers"):
        referee_settings(event, tmp_path, BrokerSettings(host="n1"))
