"""Who cannot prove a terminal's key takes no part, and the Director is told."""

import asyncio
from pathlib import Path

import pytest

from bidwire.event_file import read_event_file
from bidwire.event_settings import terminal_settings
from bidwire.pair import make_key
from laws.seats import SEATS, Seat
from protocol.decoding import decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.link import State
from protocol.messages import Hello, encode
from terminal.settings import Security
from terminal.simulator.wire import PtyEnd
from terminal.virtual_ble import backend_of
from tests.bidwire.club import Club, by_the_engine, name_of
from tests.bidwire.ups import bidwire, called
from tests.brokers import RunningBroker
from tests.terminal.bluetooth import QUICK, Room, address_of
from tests.terminal.test_ble_pairing import Legacy

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

KEYS = {seat: f"{number:02x}" * 16 for number, seat in enumerate(SEATS, 1)}


async def paired_club(folder: Path, broker: RunningBroker) -> Club:
    """A table whose boxes and daemon know the keys."""
    club = Club(folder, broker)
    for seat in SEATS:
        club.bound[seat] = {"security": Security.PAIRED, "key": KEYS[seat]}
        await club.plug_in(seat, key=KEYS[seat])
    return club


@pytest.mark.broker
async def test_paired_terminals_play(tmp_path: Path, nats: RunningBroker) -> None:
    club = await paired_club(tmp_path, nats)
    async with club.running():
        await club.play("N 1S", "E P", "S P", "W P")
        assert club.judged() == by_the_engine("N 1S", "E P", "S P", "W P")
        assert club.alarms == ()


@pytest.mark.broker
@pytest.mark.parametrize(
    ("key", "told"),
    [(KEYS[S], "the key is another"), (None, "it proves no key")],
    ids=["another key", "no proof"],
)
async def test_a_terminal_without_the_key_is_refused_alarmed_once_and_shown_nothing(
    tmp_path: Path, nats: RunningBroker, key: str | None, told: str
) -> None:
    club = await paired_club(tmp_path, nats)
    await club.plug_in(E, key=key)
    async with club.running():
        await club.until(lambda: club.alarms and club.ask(N) == "call")
        await club.until(lambda: club.last_line(E) == "refused: proof")
        club.boxes[E].restart()  # it tries again
        await club.until(lambda: club.boxes[E].state is State.REFUSED)
        club.say("N 1S")
        await club.until(lambda: club.auction() == ["N 1S"])
        (alarm,) = club.alarms
        assert (alarm.terminal, alarm.text) == (name_of(E), f"refused: {told}")
        assert club.shown(E) is None
        await club.plug_in(E, key=KEYS[E])
        await club.play("E P")


@pytest.mark.broker
async def test_a_box_of_another_serial_number_is_refused_though_it_has_the_key(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = await paired_club(tmp_path, nats)
    await club.plug_in(E, key=KEYS[E], serial="BX-9")
    async with club.running():
        await club.until(lambda: club.alarms)
        told = "refused: expected serial number BX-E, got BX-9"
        assert club.alarms[0].text == told
        assert club.shown(E) is None


@pytest.mark.broker
async def test_over_bluetooth_a_terminal_of_legacy_pairing_is_refused_and_alarmed_once(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club, room = Club(tmp_path, nats), Room(SEATS, paired=True)
    room.ends[name_of(W)] = Legacy(room.air, address_of(W), paired=True)
    for seat in SEATS:
        club.ends[seat] = room.ends[name_of(seat)]
        club.bound[seat] = {"security": None, "key": KEYS[seat]}  # the default
        await club.plug_in(seat, key=KEYS[seat])
    adapter = await room.adapter()
    club.bluetooth, club.times = backend_of(adapter), QUICK
    async with club.running():
        await club.play("N 1S", "E P", "S P")
        await club.until(lambda: club.alarms)
        refused = address_of(W)  # which may be trying again
        assert all(
            c.sc and c.encryption
            for c in adapter.connections.values()
            if not str(c.peer_address).startswith(refused)
        )
        (alarm,) = club.alarms
        assert alarm.terminal == name_of(W)
        told = "the terminal does not pair: it has no Secure Connections"
        assert alarm.text == f"refused: {room.ends[name_of(W)].port}: {told}"
        assert club.shown(W) is None
        assert club.director.room.states["t1"].terminals[name_of(W)] == "refused"


class Tapped(PtyEnd):
    """A port on which everything that the box says is recorded."""

    said = b""

    def write(self, data: bytes) -> None:
        self.said += data
        super().write(data)


class Recording:
    """Says one recorded HELLO to everything that it is told."""

    def __init__(self, end: PtyEnd, frame: bytes) -> None:
        self._end, self._frame = end, frame
        self.heard = b""

    def wire_opened(self) -> None:
        self._end.write(self._frame)

    def wire_received(self, data: bytes) -> None:
        self.heard += data
        self._end.write(self._frame)

    def wire_closed(self) -> None:
        pass


def last_hello(said: bytes) -> Hello:
    hellos = [m for m in map(decode, FrameDecoder().receive(said)) if type(m) is Hello]
    return hellos[-1]


@pytest.mark.broker
async def test_a_recorded_hello_that_is_said_again_opens_nothing_and_is_alarmed(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats)
    (tmp_path / "ports").mkdir()
    tap = club.ends[W] = Tapped(tmp_path / "ports" / "t1-w")
    for seat in SEATS:
        club.bound[seat] = {"security": Security.PAIRED, "key": KEYS[seat]}
        await club.plug_in(seat, key=KEYS[seat])
    async with club.running():
        await club.until(lambda: club.shown(W))
        hello = last_hello(tap.said)
        assert hello.proof
        assert hello.asked
        await club.boxes.pop(W).close()
        (body,) = encode(hello)
        recording = Recording(tap, encode_frame(body))
        await tap.open(recording)
        await club.until(lambda: club.alarms)
        assert club.alarms[0].terminal == name_of(W)
        assert club.alarms[0].text.startswith("refused: it goes on answering")
        bodies = FrameDecoder().receive(recording.heard)
        kinds = {type(message).__name__ for message in map(decode, bodies)}
        assert kinds == {"Ask", "Refused"}, "no WELCOME, and no prompt"
        await tap.close()
        await club.plug_in(W, key=KEYS[W])
        await club.play("N P", "E P", "S P", "W P")


@pytest.mark.broker
async def test_a_daemon_that_does_not_prove_the_key_is_told_nothing(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = await paired_club(tmp_path, nats)
    honest = club.bound[S]
    club.bound[S] = {"security": Security.OPEN}
    async with club.running():
        await club.play("N 1S", "E P")
        # The open daemon welcomes the box, which takes that for no welcome.
        status = club.director.room.states["t1"].terminals
        assert status[name_of(S)] == "online"
        assert club.boxes[S].state is State.OPENING
        assert club.shown(S) is None
        await club.stop_daemon()
        club.bound[S] = honest
        await club.start_daemon()
        await club.play("S P", "W P")


# -- bidwire pair -------------------------------------------------------------------

EVENT = """\
[event]
id = "club"
edition = "2017"
[broker]
embedded = true
[[tables]]
id = "t1"
boards = "1"
[[terminals]]
id = "console"
table = "t1"
seats = "NESW"
port = "ble://C0:FF:EE:00:12:34"
key_file = "console.key"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "event.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path


async def test_a_key_is_made_shown_and_kept_for_its_owner_alone(file: Path) -> None:
    code, said = await asyncio.to_thread(bidwire, "pair", str(file), "console")
    assert code == 0
    key = file.with_name("console.key")
    assert key.stat().st_mode & 0o777 == 0o600
    typed = said.split("nowhere else:")[1].replace(" ", "").strip()
    assert key.read_text(encoding="utf-8") == f"{typed}\n"
    settings = terminal_settings(read_event_file(file), 0, file.parent)
    assert settings.is_paired, "the default over Bluetooth LE"
    assert settings.key_bytes == bytes.fromhex(typed)
    assert len(typed) == 32


@pytest.mark.parametrize(
    ("terminal", "text", "told"),
    [
        ("t9", EVENT, "terminals: expected console, got 't9'"),
        (
            "console",
            EVENT.replace('key_file = "console.key"', ""),
            "terminals[0].key_file: expected the file that console's key is to be",
        ),
        (
            "console",
            EVENT.replace("console.key", "no/such/folder.key"),
            "the key cannot be written",
        ),
    ],
)
def test_where_no_key_can_be_kept_none_is_made(
    file: Path, terminal: str, text: str, told: str
) -> None:
    file.write_text(text, encoding="utf-8")
    code, said = called("pair", str(file), terminal)
    assert code == 2
    assert said.startswith(f"{file}: {told}")
    assert list(file.parent.glob("*.key")) == []


def test_a_key_that_is_there_is_replaced_only_on_demand(file: Path) -> None:
    _, first = make_key(file, "console", anew=False)
    code, said = called("pair", str(file), "console")
    assert code == 2
    assert "is there already; --new makes another key" in said
    kept = file.with_name("console.key").read_text(encoding="utf-8")
    assert kept == first.replace(" ", "") + "\n"
    _, second = make_key(file, "console", anew=True)
    assert second != first
