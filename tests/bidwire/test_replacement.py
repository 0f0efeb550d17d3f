"""A box breaks in mid-board, and another takes its seat over with nothing lost."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bidwire.bindings import Bindings, replace_box
from bidwire.event_file import EventFileError, read_event_file
from bidwire.event_settings import daemon_settings
from bidwire.pair import make_key
from broker import BrokerSettings
from laws.seats import SEATS, Seat
from terminal.settings import DaemonSettings
from tests.bidwire.club import Club, by_the_engine
from tests.bidwire.ups import EVENT, Up, bidwire
from tests.brokers import RunningBroker

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST


@pytest.mark.broker
async def test_a_replaced_box_takes_its_seat_over_in_the_middle_of_an_auction(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats)
    async with club.running():
        await club.play("N 1S", "E P", "S 2S")
        await club.until(lambda: club.ask(W) == "call")
        await club.stop_daemon()
        lost = club.say("W 3H")  # kept by the box that breaks now
        await club.plug_in(W, serial="BX-W2")
        await club.start_daemon()
        await club.until(lambda: club.alarms)
        assert (club.alarms[0].terminal, club.alarms[0].text) == (
            "t1-w",
            "refused: expected serial number BX-W, got BX-W2",
        )
        assert club.shown(W) is None

        club.bound[W] = {"serial": "BX-W2"}
        await club.stop_daemon()
        await club.start_daemon()
        await club.until(lambda: club.ask(W) == "call")
        assert "N:1S E:P S:2S" in club.text(W)
        await club.until(lambda: len(club.alarms) == 2)
        assert club.alarms[1].text == (
            "replaced: serial number BX-W2 instead of BX-W, of which nothing was taken"
        )
        await club.play("W P", "N P")

        await club.plug_in(W)  # the old one comes back
        await club.until(lambda: len(club.alarms) == 3)
        assert club.alarms[2].text == (
            "refused: expected serial number BX-W2, got BX-W; keeps events "
            f"{lost.boot}/0-0"
        )
        await club.play("E P")
        await club.plug_in(W, serial="BX-W2")
        await club.until(lambda: club.shown(W) is not None and club.shown(W).at == 6)  # type: ignore[union-attr]
        assert club.judged() == by_the_engine(
            "N 1S", "E P", "S 2S", "W P", "N P", "E P"
        )


@pytest.mark.broker
async def test_a_running_event_takes_another_box_over(
    up: Callable[[Path], Up], tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats)  # for its boxes alone: `up` has a broker of its own
    for seat in SEATS:
        await club.plug_in(seat)
    file = tmp_path / "event.toml"
    file.write_text(event_of(club), encoding="utf-8")
    running = up(file)
    try:
        await club.until(lambda: all(club.ask(seat) for seat in SEATS))
        club.say("N 1S")
        await club.until(lambda: club.ask(E) == "call")
        await club.plug_in(E, serial="BX-E2")
        await club.until(lambda: club.last_line(E) == "refused: serial")
        before = club.link_changes.copy()
        said = await asyncio.to_thread(bidwire, "replace", str(file), "t1-e", "BX-E2")
        assert said == (
            0,
            "t1-e is BX-E2, no longer BX-E; a running `bidwire up` takes it over\n",
        )
        line = await asyncio.to_thread(running.wait_for, "changed for")
        assert line.startswith("club: changed for t1-e; the daemon takes it up")
        await club.until(lambda: club.ask(E) == "call")
        club.say("E P")
        await club.until(lambda: club.ask(S) == "call")
        changed = {box for box, count in (club.link_changes - before).items() if count}
        assert changed == {"BX-E2"}, "the other links stay up"
    finally:
        for box in club.boxes.values():
            await box.close()


def event_of(club: Club) -> str:
    head = EVENT.partition("[[terminals]]")[0]
    entries = (
        f'[[terminals]]\nid = "t1-{seat.lower()}"\ntable = "t1"\nseats = "{seat}"\n'
        f'port = "{club.ends[seat].port}"\nserial = "BX-{seat}"  # bound\n'
        for seat in SEATS
    )
    return head + "\n".join(entries)


# -- the event file -----------------------------------------------------------------

TWO = """\
# Comments stay.
[event]
id = "club"
edition = "2017"
[broker]
embedded = true
[[tables]]
id = "t1"
boards = "1"

[[terminals]]  # the pair's box
id = "ns"
table = "t1"
seats = "NS"
port = "/dev/a"
serial = 'OLD'   # since May

[[terminals]]
id = "ew"
table = "t1"
seats = "EW"
port = "/dev/b"
"""


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "event.toml"
    path.write_text(TWO, encoding="utf-8")
    return path


def test_the_serial_number_alone_is_changed_in_the_event_file(two: Path) -> None:
    two.chmod(0o640)
    assert replace_box(two, "ns", 'N"1') == "OLD"
    assert two.read_text(encoding="utf-8") == TWO.replace("'OLD'", r'"N\"1"')
    assert two.stat().st_mode & 0o777 == 0o640
    assert replace_box(two, "ew", "E1") is None
    assert [t.serial for t in read_event_file(two).terminals] == ['N"1', "E1"]
    assert replace_box(two, "ns", "N2") == 'N"1'
    assert replace_box(two, "ns", "N\u20283") == "N2"
    assert replace_box(two, "ns", "N2") == "N\u20283"
    assert two.read_text(encoding="utf-8").startswith(
        TWO.split("'OLD'", maxsplit=1)[0] + '"N2"'
    )


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_file_that_root_changes_stays_its_owners(two: Path) -> None:
    os.chown(two, 4242, 4343)
    replace_box(two, "ns", "NEW")
    key = two.with_name("ns.key")
    two.write_text(TWO.replace("serial", 'key_file = "ns.key"\nserial'))
    make_key(two, "ns", anew=False)
    assert {(f.stat().st_uid, f.stat().st_gid) for f in (two, key)} == {(4242, 4343)}


@pytest.mark.parametrize(
    ("terminal", "serial", "told"),
    [
        ("n", "B", "terminals: expected ns or ew, got 'n'"),
        ("ew", "OLD", "terminals: serial number: OLD is given twice"),
        ("ew", "", r"terminals[1].serial: Expected `str` of length >= 1"),
    ],
)
def test_what_cannot_be_bound_is_refused(
    two: Path, terminal: str, serial: str, told: str
) -> None:
    with pytest.raises(EventFileError) as caught:
        replace_box(two, terminal, serial)
    assert str(caught.value).startswith(f"{two}: {told}")
    assert two.read_text(encoding="utf-8") == TWO


def test_no_box_takes_the_place_of_a_tablet(two: Path) -> None:
    web = '[web]\nlisten = "127.0.0.1:8471"\n[broker]'
    text = TWO.replace("/dev/b", "web://").replace("[broker]", web)
    two.write_text(text, encoding="utf-8")
    with pytest.raises(EventFileError, match="ew is a tablet: another takes its place"):
        replace_box(two, "ew", "B")
    assert two.read_text(encoding="utf-8") == text


def test_a_file_written_in_another_way_is_for_its_owner_to_change(two: Path) -> None:
    head, _, _ = TWO.partition("[[terminals]]")
    entry = '{id = "a", table = "t1", seats = "NESW", port = "/dev/a"}'
    text = f"terminals = [{entry}]\n{head}"
    two.write_text(text, encoding="utf-8")
    with pytest.raises(EventFileError, match='write serial = "B" there by hand'):
        replace_box(two, "a", "B")
    assert two.read_text(encoding="utf-8") == text


# -- a running event looks at its file ----------------------------------------------


class Looking:
    """What a running event makes of its file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.said: list[str] = []
        event = read_event_file(file)
        started = daemon_settings(event, file.parent, BrokerSettings())
        self._bindings = Bindings(event, file, started, self.said.append)

    def after(self, text: str) -> DaemonSettings | None:
        self.file.with_suffix(".new").write_text(text, encoding="utf-8")
        self.file.with_suffix(".new").replace(self.file)
        return self._bindings.look()

    def look(self) -> DaemonSettings | None:
        return self._bindings.look()


def test_another_port_or_box_is_handed_to_the_daemon_once(two: Path) -> None:
    looking = Looking(two)
    assert looking.look() is None
    changed = looking.after(TWO.replace("/dev/b", "/dev/c").replace("OLD", "NEW"))
    assert changed is not None
    assert [(t.port, t.serial) for t in changed.terminals] == [
        ("/dev/a", "NEW"),
        ("/dev/c", None),
    ]
    assert "changed for ns, ew" in looking.said[0]
    assert looking.look() is None


def test_a_mistake_in_the_file_changes_nothing_and_is_told_once(two: Path) -> None:
    looking = Looking(two)
    assert looking.after(TWO.replace('"EW"', '"EX"')) is None
    assert looking.look() is None
    (said,) = looking.said
    assert said.startswith(f"{two}: terminals[1].seats: expected seats")
    assert said.endswith("what was there before stays in force")
    assert looking.after(TWO.replace("OLD", "NEW")) is not None


def test_what_is_more_than_a_box_waits_for_the_next_start(two: Path) -> None:
    looking = Looking(two)
    more = TWO.replace('boards = "1"', 'boards = "1-2"').replace('"NS"', '"SN"')
    assert looking.after(more) is None
    (said,) = looking.said
    assert "that takes effect when `bidwire up` is started again" in said
    assert looking.after(more.replace("Comments", "Remarks")) is None
    assert looking.said == [said]


def test_a_box_does_not_wait_for_what_else_has_changed(two: Path) -> None:
    looking = Looking(two)
    more = TWO.replace('boards = "1"', 'boards = "1-2"')
    third = '\n[[terminals]]\nid = "x"\ntable = "t1"\nseats = "N"\nport = "/dev/x"\n'
    changed = looking.after(more.replace("OLD", "NEW").replace('"NS"', '"S"') + third)
    assert changed is not None
    assert [(t.id, t.serial) for t in changed.terminals] == [
        ("ns", "NEW"),
        ("ew", None),
    ]
    assert changed.terminals[0].seats == (N, S)
    assert "takes effect when `bidwire up` is started again" in looking.said[0]
    assert "changed for ns" in looking.said[1]


def test_no_box_is_at_two_terminals_of_the_event_that_runs(two: Path) -> None:
    looking = Looking(two)
    one = TWO[: TWO.rindex("[[terminals]]")].replace('"NS"', '"NESW"')
    both = TWO.replace('port = "/dev/b"', 'port = "/dev/b"\nserial = "B"')
    assert looking.after(both) is not None
    assert looking.after(one.replace("OLD", "B")) is None
    assert "B is given twice" in looking.said[-1]


def test_a_key_that_is_written_after_the_event_file_is_handed_over(two: Path) -> None:
    looking = Looking(two)
    paired = 'security = "paired"\nkey_file = "ns.key"\nserial'
    assert looking.after(TWO.replace("serial", paired, 1)) is None
    two.with_name("ns.key").write_text("00" * 16, encoding="utf-8")
    changed = looking.look()
    assert changed is not None
    assert changed.terminals[0].key == "00" * 16


def test_a_comment_changes_nothing(two: Path) -> None:
    looking = Looking(two)
    assert looking.after(TWO.replace("Comments", "Remarks")) is None
    assert looking.said == []


def test_a_key_that_is_written_anew_is_handed_to_the_daemon(two: Path) -> None:
    key = two.with_name("ns.key")
    key.write_text("00" * 16, encoding="utf-8")
    paired = 'security = "paired"\nkey_file = "ns.key"\nserial'
    two.write_text(TWO.replace("serial", paired), encoding="utf-8")
    looking = Looking(two)
    key.write_text("11" * 16 + "\n", encoding="utf-8")
    changed = looking.look()
    assert changed is not None
    assert changed.terminals[0].key == "11" * 16
