"""Settings files of the daemon and of the simulator: errors name the key."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from broker.settings_file import SettingsError, read_settings
from laws.seats import Seat
from terminal.settings import (
    DaemonSettings,
    Level,
    Security,
    TerminalSettings,
    bluetooth_address,
    is_bluetooth,
)
from terminal.simulator.reports import Command, Report
from terminal.simulator.settings import SimulatorSettings, VirtualRoomSettings
from tests.places import REPOSITORY

KEY = "00112233445566778899aabbccddeeff"
ADDRESS = "C0:FF:EE:00:12:34"


def terminal(**changes: object) -> dict[str, Any]:
    return {
        "id": "t1-n",
        "port": "/dev/ttyUSB0",
        "table": "t1",
        "seats": ["N"],
    } | changes


def daemon(*terminals: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {
        "event": "friday",
        "daemon": "hall",
        "broker": {},
        "terminals": list(terminals) or [terminal()],
    } | changes


def read(tmp_path: Path, content: object) -> DaemonSettings:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(content))
    return read_settings(file, DaemonSettings)


def test_a_short_file_is_enough(tmp_path: Path) -> None:
    (read_terminal,) = read(tmp_path, daemon()).terminals
    assert read_terminal.seats == (Seat.NORTH,)
    assert (read_terminal.baudrate, read_terminal.dtr) == (None, Level.LEAVE)
    assert not read_terminal.is_paired


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (daemon(terminal(port="")), "terminals[0].port: expected a device or a URL"),
        (
            daemon(terminal(port="loop://")),
            "port: expected a device, socket://, rfc2217://, ble:// or web://, got",
        ),
        (
            daemon(terminal(port="socket://table1")),
            "terminals[0].port: expected socket://HOST:PORT",
        ),
        (
            daemon(terminal(port="socket://table1:99999")),
            "terminals[0].port: expected socket://HOST:PORT",
        ),
        (
            daemon(terminal(port="ble://t1-n", security="open")),
            "terminals[0].port: expected ble:// and an address such as C0:FF:EE",
        ),
        (
            daemon(terminal(port=f"ble://{ADDRESS}")),
            "terminals[0].key: expected the key of t1-n, which is paired",
        ),
        (
            daemon(
                terminal(port=f"ble://{ADDRESS}", security="open"),
                terminal(id="o", port=f"ble://{ADDRESS.lower()}", security="open"),
            ),
            f"terminals: port ble://{ADDRESS} is given twice",
        ),
        (
            daemon(terminal(adapter="hci0")),
            "terminals[0].adapter: expected only with ble://ADDRESS as port",
        ),
        (
            daemon(
                terminal(port=f"ble://{ADDRESS}", security="open", adapter="../hci0")
            ),
            "terminals[0].adapter: expected an adapter's name such as hci0, got '../",
        ),
        (
            daemon(
                terminal(port=f"ble://{ADDRESS}", security="open", adapter="hci0\n")
            ),
            "terminals[0].adapter: expected an adapter's name such as hci0, got 'hci0",
        ),
        (daemon(terminal(baudrate="fast")), "terminals[0].baudrate: Expected `int"),
        (
            daemon(terminal(port="web://", baudrate=115_200)),
            "terminals[0].baudrate: expected only with a serial port, got it with web:",
        ),
        (
            daemon(terminal(port="socket://127.0.0.1:4001", dtr="off")),
            "terminals[0].dtr: expected only with a serial port, got it with socket:",
        ),
        (
            daemon(terminal(port=f"ble://{ADDRESS}", security="open", rts="on")),
            "terminals[0].rts: expected only with a serial port, got it with ble:",
        ),
        (daemon(terminal(seats=[])), "terminals[0].seats: "),
        (daemon(terminal(seats=["N", "N"])), "terminals[0].seats: a seat stands twice"),
        (
            daemon(terminal(seats=["north"])),
            "terminals[0].seats[0]: expected N, E, S or W",
        ),
        (daemon(terminal(dtr="up")), "terminals[0].dtr: expected leave, on or off"),
        (daemon(terminal(id="T 1")), "terminals[0].id: "),
        (daemon(terminal(colour="red")), "colour"),
        (
            daemon(terminal(port="socket://10.0.0.7:4001")),
            "terminals[0].key: expected the key of t1-n, which is paired",
        ),
        (daemon(terminal(security="paired")), "terminals[0].key: expected the key"),
        (daemon(terminal(key=KEY)), "terminals[0].key: expected only with security"),
        (
            daemon(terminal(security="paired", key="secret")),
            "terminals[0].key: expected 16 bytes",
        ),
        (daemon(terminal(), terminal()), "terminals: id t1-n is given twice"),
        (
            daemon(terminal(), terminal(id="other")),
            "terminals: port /dev/ttyUSB0 is given twice",
        ),
        (
            daemon(terminal(), terminal(id="other", port="/dev/ttyUSB1")),
            "terminals: seats N of table t1 is given twice",
        ),
        (daemon(log_level="LOUD"), "log_level: expected DEBUG"),
        (daemon(broker={"port": 0}), "broker.port: expected 1 to 65535"),
        (daemon(terminals=[]), "terminals: "),
    ],
)
def test_a_mistake_is_told_with_its_key(
    tmp_path: Path, content: object, said: str
) -> None:
    with pytest.raises(SettingsError) as error:
        read(tmp_path, content)
    assert str(tmp_path / "settings.json") in str(error.value)
    assert said in str(error.value)


def test_a_terminal_over_bluetooth_is_told_by_its_address(tmp_path: Path) -> None:
    entry = terminal(port=f"ble://{ADDRESS.lower()}", security="open", adapter="hci1")
    (read_terminal,) = read(tmp_path, daemon(entry)).terminals
    assert is_bluetooth(read_terminal.port)
    assert bluetooth_address(read_terminal.port) == ADDRESS
    assert read_terminal.adapter == "hci1"
    assert not read_terminal.is_paired


@pytest.mark.parametrize(
    ("port", "simulated", "said"),
    [
        ("/dev/ttyUSB0", "t1-n", "expected ble://ADDRESS as port of t1-n"),
        (f"ble://{ADDRESS}", "t1-e", "expected each terminal on both sides, not t1-e"),
    ],
)
def test_a_virtual_room_has_each_terminal_on_both_sides_of_the_air(
    tmp_path: Path, port: str, simulated: str, said: str
) -> None:
    far = {"id": simulated, "table": "t1", "seats": ["N"], "serial": "SN"}
    file = tmp_path / "room.json"
    file.write_text(
        json.dumps(
            {
                "daemon": daemon(terminal(port=port, security="open")),
                "simulator": {"run_directory": "run", "terminals": [far]},
            }
        )
    )
    with pytest.raises(SettingsError, match=said):
        read_settings(file, VirtualRoomSettings)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        read_settings(tmp_path / "none.json", DaemonSettings)


def test_what_is_no_json_is_told(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("event = 'friday'")
    with pytest.raises(SettingsError, match="expected a JSON object"):
        read_settings(file, DaemonSettings)


@pytest.mark.parametrize(
    ("port", "paired"),
    [
        ("/dev/ttyUSB0", False),
        ("socket://127.0.0.1:4001", False),
        ("socket://localhost:4001", False),
        ("socket://[::1]:4001", False),
        ("rfc2217://10.0.0.7:4001", True),
        ("socket://table1.club.example:4001", True),
        (f"ble://{ADDRESS}", True),
    ],
)
def test_beyond_this_machine_a_link_is_paired_unless_written_out(
    port: str, paired: bool
) -> None:
    fields: dict[str, Any] = {
        "id": "t",
        "table": "t",
        "seats": (Seat.NORTH,),
        "port": port,
    }
    key: dict[str, Any] = {"key": KEY} if paired else {}
    assert TerminalSettings(**fields, **key).is_paired is paired
    assert not TerminalSettings(**fields, security=Security.OPEN).is_paired


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (
            {
                "board": 1,
                "happenings": [
                    {"number": 1, "seat": "N", "kind": "call", "data": ["P"]},
                    {"number": 1, "seat": "E", "kind": "call", "data": ["P"]},
                ],
            },
            "tables[0].boards[0].happenings: expected ascending numbers",
        ),
        (
            {
                "board": 1,
                "count": 1,
                "happenings": [
                    {"number": 1, "seat": "N", "kind": "call", "data": ["P"]}
                ],
            },
            "tables[0].boards[0].count: expected more than 1",
        ),
    ],
)
def test_a_script_that_cannot_be_is_told(
    tmp_path: Path, board: object, said: str
) -> None:
    simulated = {"id": "t1-n", "table": "t1", "seats": ["N"], "serial": "SN-1"}
    content = {
        "run_directory": str(tmp_path),
        "terminals": [simulated],
        "tables": [{"table": "t1", "boards": [board]}],
    }
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(content))
    with pytest.raises(SettingsError) as error:
        read_settings(file, SimulatorSettings)
    assert said in str(error.value)


def test_the_examples_of_the_readme_are_read(tmp_path: Path) -> None:
    text = (REPOSITORY / "terminal" / "README.md").read_text()
    daemon_text, simulator_text, room_text = re.findall(
        r"```json\n(.*?)```", text, re.DOTALL
    )
    file = tmp_path / "settings.json"
    file.write_text(room_text)
    assert read_settings(file, VirtualRoomSettings).mtu == 247
    file.write_text(daemon_text)
    assert len(read_settings(file, DaemonSettings).terminals) == 3
    file.write_text(simulator_text)
    assert read_settings(file, SimulatorSettings).terminals[0].columns == 20


def test_the_readme_has_every_report_and_command() -> None:
    text = (REPOSITORY / "terminal" / "README.md").read_text()
    for kind in (*get_args(Report), *get_args(Command)):
        assert f"`{kind.__struct_config__.tag}`" in text
