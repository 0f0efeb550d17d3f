"""What a club installs beside the package: systemd units and udev rules."""

import os
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path

import pytest

from broker.exits import ExitCode, is_final
from tests.places import REPOSITORY

UNITS = sorted((REPOSITORY / "docs" / "deploy").glob("*.service"))
RULES = REPOSITORY / "terminal" / "77-bidwire-terminals.rules"

UDEVADM = shutil.which("udevadm", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def read(name: str) -> RawConfigParser:
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # keys have capitals
    unit.read(REPOSITORY / "docs" / "deploy" / name, encoding="utf-8")
    return unit


@pytest.mark.parametrize("name", ["bidwire@.service", "bidwire-desk@.service"])
def test_the_service_stays_down_where_no_restart_helps(name: str) -> None:
    service = read(name)["Service"]
    assert service["Restart"] == "on-failure"
    prevented = {int(code) for code in service["RestartPreventExitStatus"].split()}
    assert prevented == {int(code) for code in ExitCode if is_final(code)}


def test_the_service_reaches_terminals_that_are_plugged_in_later() -> None:
    service = read("bidwire@.service")["Service"]
    assert service["SupplementaryGroups"] == "dialout"
    # Each of them hides devices: all, or those that were not there at the start.
    hiding = {"PrivateDevices", "DevicePolicy", "DeviceAllow", "ProtectClock"}
    assert hiding & set(service) == set()
    families = set(service["RestrictAddressFamilies"].split())
    assert {"AF_UNIX", "AF_INET", "AF_INET6"} <= families  # D-Bus, the network


def test_the_service_comes_up_after_its_broker() -> None:
    assert "bidwire-broker@%i.service" in read("bidwire@.service")["Unit"]["After"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_understands_every_line(unit: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    text = unit.read_text(encoding="utf-8")
    program = read(unit.name)["Service"]["ExecStart"].split()[0]
    installed = tmp_path / unit.name
    # It looks whether the program is there, which here it need not be.
    installed.write_text(text.replace(program, sys.executable), encoding="utf-8")
    instance = tmp_path / unit.name.replace("@", "@friday")
    result = subprocess.run(
        [analyze, "verify", "--man=no", str(instance)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_udev_understands_every_rule() -> None:
    if UDEVADM is None:
        pytest.skip("udevadm is not installed: apt-get install udev")
    told = subprocess.run(
        [UDEVADM, "verify", "--help"], capture_output=True, text=True, check=False
    )
    if told.returncode:
        pytest.skip("this udevadm has no verify: systemd 254 or newer has")
    result = subprocess.run(
        [UDEVADM, "verify", str(RULES)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
