"""``bidwire up``: what the daemons are told, and a real start and stop."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bidwire.event_file import EventFileError, convert
from bidwire.up import daemon_settings, referee_settings
from broker import BrokerSettings
from laws.board import Edition
from laws.seats import Seat

ROOT = Path(__file__).resolve().parents[2]

DEAL = "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"

PBN = """\
[Event "Test"]
[Board "{board}"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{deal}"]

"""

EVENT = """\
[event]
id = "club"
edition = "2007"
questions = "assume"

[broker]
embedded = true

[[tables]]
id = "t1"

[[tables.rounds]]
boards = "1-2"
ns = "Pair 1"
ew = "Pair 2"

[[terminals]]
id = "console"
table = "t1"
seats = "NESW"
port = "/dev/serial/by-id/nowhere"
language = "es"
"""


def event(**changes: object) -> dict[str, object]:
    return {**tomllib.loads(EVENT), **changes}


def test_the_referee_is_told_boards_rounds_pairs_and_languages(tmp_path: Path) -> None:
    settings = referee_settings(convert(event()), tmp_path, BrokerSettings())
    assert settings.edition is Edition.LAWS_2007
    assert settings.journal == str(tmp_path / "bidwire.journal")
    (table,) = settings.tables
    assert [(b.number, b.round, b.pairs.ns) for b in table.boards] == [
        (1, 1, "Pair 1"),
        (2, 1, "Pair 1"),
    ]
    assert table.terminals[0].seats == tuple(Seat)
    assert table.terminals[0].language == "es"


def test_the_daemon_is_told_ports_and_seats(tmp_path: Path) -> None:
    settings = daemon_settings(convert(event()), tmp_path, BrokerSettings())
    (terminal,) = settings.terminals
    assert (terminal.port, terminal.table) == ("/dev/serial/by-id/nowhere", "t1")


def test_deals_come_by_board_number(tmp_path: Path) -> None:
    text = "".join(PBN.format(board=number, deal=DEAL) for number in (2, 1))
    (tmp_path / "deals.pbn").write_text(text, encoding="utf-8")
    told = convert(event(deals="deals.pbn"))
    settings = referee_settings(told, tmp_path, BrokerSettings())
    assert [board.deal for board in settings.tables[0].boards] == [DEAL, DEAL]


def test_a_board_without_a_deal_is_named(tmp_path: Path) -> None:
    text = PBN.format(board=1, deal=DEAL)
    (tmp_path / "deals.pbn").write_text(text, encoding="utf-8")
    told = convert(event(deals="deals.pbn"))
    with pytest.raises(EventFileError, match=r"deals: .*expected a deal for board 2"):
        referee_settings(told, tmp_path, BrokerSettings())


def test_a_deals_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    told = convert(event(deals="deals.pbn"))
    with pytest.raises(EventFileError, match=r"deals: .*deals\.pbn.*No such file"):
        referee_settings(told, tmp_path, BrokerSettings())


@pytest.mark.broker
def test_it_runs_until_it_is_told_to_stop(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    file.write_text(EVENT, encoding="utf-8")
    command = [sys.executable, "-m", "bidwire", "up", str(file)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "no such device" in line:  # the daemon is up and tries the port
                process.send_signal(signal.SIGTERM)
                break
        rest = process.stdout.read()
        assert process.wait(30) == 0
    assert f"club: stopped; the journal is {tmp_path / 'bidwire.journal'}" in rest


def test_a_wrong_event_file_exits_with_2(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    text = EVENT.replace('edition = "2007"', 'edition = "1997"')
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "bidwire", "up", str(file)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 2
    assert "event.edition: Invalid enum value '1997'" in done.stderr
