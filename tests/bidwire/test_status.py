"""``bidwire status``: the room at a glance."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import convert
from rich.console import Console

from bidwire.event_file import EventFile, read_event_file
from bidwire.status import is_complete, troubles
from bidwire.status_table import drawn
from desk.room import Room
from laws.board import Edition
from laws.seats import Seat
from protocol.payloads import (
    Alarm,
    DaemonStatus,
    Desk,
    LinkState,
    Payload,
    Phase,
    SilentCall,
    TableState,
    TerminalStatus,
    VitalsReport,
    encode_payload,
)
from protocol.topics import Topics, parse_topic
from tests.bidwire.ups import Up, called
from tests.desk.rooms import HELLO
from tests.places import REPOSITORY

TOPICS = Topics("club")


@pytest.fixture
def event(file: Path) -> EventFile:
    return read_event_file(file)


def daemon(**changes: object) -> DaemonStatus:
    fields = {"session": "s1", "online": True, "terminals": ("console",)}
    return convert(fields | changes, DaemonStatus)


def terminal(**changes: object) -> TerminalStatus:
    fields: dict[str, object] = {
        "session": "s1",
        "table": "t1",
        "link": LinkState.ONLINE,
        "hello": HELLO,
        "vitals": VitalsReport(battery=87, signal=-61, uptime_s=3725),
        "at": 1000.0,
        "heard_s": 2.0,
    }
    return TerminalStatus(**(fields | changes))  # type: ignore[arg-type]


def state(**changes: object) -> TableState:
    fields: dict[str, object] = {
        "session": "r1",
        "epoch": 1,
        "number": 7,
        "edition": Edition.LAWS_2007,
        "phase": Phase.AUCTION,
        "round": 1,
        "play": 1,
        "board": 2,
        "turn": Seat.SOUTH,
    }
    return TableState(**(fields | changes))  # type: ignore[arg-type]


def desk(**changes: object) -> Desk:
    fields = {"session": "r1", "epoch": 1, "number": 7, "table": "t1"}
    return Desk(**(fields | changes))  # type: ignore[arg-type]


def room_of(*payloads: Payload) -> Room:
    """The room after these messages, each on its own topic."""
    room = Room()
    for payload in payloads:
        match payload:
            case DaemonStatus():
                topic = TOPICS.daemon_status("hall")
            case TerminalStatus():
                topic = TOPICS.terminal_status("hall", "console")
            case TableState():
                topic = TOPICS.table_state("t1")
            case _:
                topic = TOPICS.table_desk("t1")
        room.take(parse_topic(topic), encode_payload(payload))
    return room


def text(room: Room, event: EventFile, now: float = 1000.0) -> str:
    console = Console(width=100)
    with console.capture() as capture:
        console.print(drawn(room, event, now))
    return capture.get()


def test_a_room_in_order(event: EventFile) -> None:
    room = room_of(daemon(), terminal(), state(), desk())
    assert is_complete(room, event)
    assert list(troubles(room, event)) == []
    seen = text(room, event)
    assert "club, Laws of 2007: all is well" in seen
    (table,) = [line.split() for line in seen.splitlines() if line.startswith("t1")]
    assert table == ["t1", "1", "2", "auction", "South", "-", "-"]
    (console,) = [line for line in seen.splitlines() if line.startswith("console")]
    assert " ".join(console.split()) == (
        "console t1 NESW online 87 % -61 dBm TC-0001 1.2 1:02:05 now"
    )


def test_of_a_daemon_that_has_died_no_terminal_counts_as_online(
    event: EventFile,
) -> None:
    room = room_of(daemon(online=False), terminal(), state(), desk())
    assert list(troubles(room, event)) == [
        "daemon hall is not there",
        "terminal console: offline: its daemon hall is not there",
    ]
    assert "0:01:02 ago" in text(room, event, now=1060.0)


def test_a_status_of_an_earlier_run_of_the_daemon_is_not_believed() -> None:
    room = room_of(daemon(session="s2"), terminal(), state(), desk())
    assert room.link("console") == ("unknown", "its daemon hall has started anew")


def test_what_is_to_be_seen_to(event: EventFile) -> None:
    room = room_of(
        daemon(),
        terminal(
            link=LinkState.REFUSED,
            reason="expected serial number TC-0001, got TC-0002",
            vitals=VitalsReport(battery=9),
        ),
        state(waiting="director"),
        desk(
            calls=(
                SilentCall(1, Seat.EAST, True, ""),
                SilentCall(2, Seat.WEST, True, "", attended=True),
            ),
            alarms=(Alarm(3, "the clock jumped", ""),),
        ),
    )
    assert list(troubles(room, event)) == [
        "table t1: waits for the director",
        "table t1: E calls the Director",
        "table t1: the clock jumped",
        "terminal console: refused: expected serial number TC-0001, got TC-0002",
        "terminal console: battery at 9 %",
    ]


def test_what_was_not_heard_of_is_told(event: EventFile) -> None:
    room = room_of()
    assert not is_complete(room, event)
    assert list(troubles(room, event)) == [
        "no daemon was heard of",
        "table t1: no referee was heard of",
        "terminal console: unknown: nothing was heard of it",
    ]


def test_a_state_that_was_cleared_is_gone(event: EventFile) -> None:
    room = room_of(daemon(), terminal(), state(), desk())
    room.take(parse_topic(TOPICS.table_state("t1")), b"")
    assert not is_complete(room, event)


@pytest.mark.broker
def test_beside_a_real_event(file: Path, up: Callable[[Path], Up]) -> None:
    running = up(file)
    running.wait_for("no such device")
    command = [sys.executable, "-m", "bidwire", "status", str(file)]
    shown = subprocess.run(
        command, cwd=REPOSITORY, check=False, capture_output=True, text=True, timeout=60
    )
    assert shown.returncode == 1
    assert "terminal console: offline: " in shown.stdout
    _, told = called("status", str(file), "--json")
    plain = json.loads(told)
    assert plain["terminals"]["console"]["link"] == "offline"
    assert plain["tables"]["t1"]["board"] == 1
    assert plain["daemons"]["hall"]["started"] > 1.7e9


def test_an_event_that_does_not_run_is_told(file: Path) -> None:
    code, said = called("status", str(file))
    assert code == 2
    assert "is `bidwire up` of this event running?" in said
