"""Conversations as a terminal has them: what it hears, and what it must say."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec

from laws.seats import Seat
from protocol.frame import encode_frame
from protocol.happenings import EventKey
from protocol.limits import WINDOW
from protocol.messages import (
    Ack,
    Ask,
    Ping,
    Pong,
    RefusalReason,
    Refused,
    Vitals,
    Welcome,
)
from protocol.pairing import daemon_proof
from protocol.store import MemoryStore, Position
from protocol.terminal_link import Identity, TerminalLink
from protocol.vectors.pieces import (
    DAEMON_NONCE,
    DEEP,
    DISPLAY,
    EVENT,
    KEY,
    LONG_DISPLAY,
)
from protocol.vectors.recorder import Nonces, Recorder

IDENTITY = Identity(serial="BW-0042", seats=(Seat.NORTH,), firmware="1.2.0")
ASK = Ask(1, DAEMON_NONCE)
VITALS = Vitals(87, None, 60, "power")
SPADE = EventKey("call", Seat.NORTH, None, ("1S",))
PASS = EventKey("call", Seat.NORTH, None, ("P",))


def terminal_conversations() -> list[dict[str, Any]]:
    """All of them."""
    return [
        scene().vector()
        for scene in (
            _opening,
            _hello_repeated,
            _refused,
            _paired,
            _silence,
            _asked_anew,
            _repeats,
            _window,
            _repeated_ack,
            _acks_of_openings,
            _lost,
            _lost_boots,
            _restart,
            _volatile_restart,
            _displays,
            _parts,
            _poll,
            _noise,
        )
    ]


class TerminalRecorder(Recorder):
    """Records a terminal's end."""

    def __init__(
        self, name: str, clauses: Iterable[str], link: TerminalLink, **setup: object
    ) -> None:
        super().__init__(name, clauses, link, {"end": "terminal", **setup})
        self._terminal = link

    def press(self, now: float, key: EventKey) -> None:
        """A key is pressed."""
        self.step(
            now, "press", partial(self._terminal.press, key, now), press=key._asdict()
        )


def _recorder(
    name: str,
    *clauses: str,
    store: MemoryStore | None = None,
    key: bytes | None = None,
) -> TerminalRecorder:
    store = store or MemoryStore(7, volatile=False)
    link = TerminalLink(IDENTITY, store, Nonces(), key)
    link.vitals = VITALS
    return TerminalRecorder(
        name,
        clauses,
        link,
        identity=msgspec.to_builtins(IDENTITY),
        key=key.hex() if key else None,
        nonces="16 times 01, 16 times 02, and so on, in the order of use",
        boot=store.boot,
        volatile=store.volatile,
        held=msgspec.to_builtins(store.held()),
        log=[msgspec.to_builtins(entry.event) for entry in store.entries()],
        vitals=msgspec.to_builtins(VITALS),
    )


def _up(name: str, *clauses: str, store: MemoryStore | None = None) -> TerminalRecorder:
    recorder = _recorder(name, *clauses, store=store)
    recorder.opened(0.0)
    recorder.receive(0.125, ASK)
    recorder.receive(0.25, Welcome())
    return recorder


def _opening() -> TerminalRecorder:
    recorder = _up("opening, a prompt, a call, its ACK", "O2", "O3", "D1", "E1", "R1")
    recorder.receive(0.375, Ack(7, -1), DISPLAY)
    recorder.press(1.5, SPADE)
    recorder.receive(1.625, Ack(7, 0))
    recorder.closed(2.0)
    return recorder


def _hello_repeated() -> TerminalRecorder:
    recorder = _recorder("HELLO is repeated every 2 s until WELCOME", "O3")
    recorder.opened(0.0)
    recorder.run(2.0)
    recorder.receive(3.0, ASK)
    recorder.receive(3.5, ASK)
    recorder.run(5.5)
    recorder.receive(5.625, Welcome())
    recorder.receive(5.75, Welcome())
    return recorder


def _refused() -> TerminalRecorder:
    recorder = _recorder("REFUSED, HELLO again after 30 s", "O7")
    recorder.opened(0.0)
    recorder.receive(0.0625, ASK)
    recorder.receive(0.125, Refused(RefusalReason.SERIAL, "expected BW-0043"))
    recorder.run(30.125)
    recorder.receive(30.25, Refused(RefusalReason.SERIAL, "expected BW-0043"))
    recorder.run(60.25)
    recorder.receive(60.375, Welcome())
    return recorder


def _paired() -> TerminalRecorder:
    recorder = _recorder("a paired link", "X2", "X3", "X4", key=KEY)
    recorder.opened(0.0)
    recorder.receive(0.125, ASK)
    nonce = bytes([2]) * 16
    recorder.receive(0.25, Welcome())
    wrong = daemon_proof(KEY[::-1], DAEMON_NONCE, nonce, IDENTITY.serial)
    recorder.receive(0.375, Welcome(1, wrong))
    right = daemon_proof(KEY, DAEMON_NONCE, nonce, IDENTITY.serial)
    recorder.receive(0.5, Welcome(1, right))
    return recorder


def _silence() -> TerminalRecorder:
    recorder = _up("silence: PING after 2 s, down after 6 s", "S1", "S2", "S3")
    recorder.run(2.25)
    recorder.receive(2.5, Pong(0, 0, 0))
    recorder.run(8.5)
    recorder.receive(8.625, Welcome())
    recorder.receive(8.6875, Ask(1, bytes(16)))
    recorder.receive(8.75, Welcome())
    for second in range(9, 19):
        recorder.receive(float(second), Ping(0))
    recorder.run(18.75)
    return recorder


def _asked_anew() -> TerminalRecorder:
    recorder = _up("the daemon restarts: ASK on a link that is up", "O5", "R5", "D4")
    recorder.receive(0.375, DISPLAY)
    recorder.press(1.0, SPADE)
    recorder.receive(1.5, Ask(1, bytes(16)))
    recorder.press(1.625, PASS)
    recorder.receive(1.75, Welcome())
    recorder.receive(1.875, msgspec.structs.replace(DISPLAY, rev=11))
    return recorder


def _repeats() -> TerminalRecorder:
    recorder = _up("an event without an ACK is repeated", "R1", "E5")
    recorder.press(0.5, SPADE)
    recorder.run(61.5, answering=True)
    return recorder


def _window() -> TerminalRecorder:
    recorder = _up("no more than 16 events in flight", "R2", "R3")
    for _ in range(WINDOW + 3):
        recorder.press(0.5, PASS)
    recorder.receive(0.625, Ack(7, 1))
    recorder.receive(0.75, Ack(7, 18))
    return recorder


def _repeated_ack() -> TerminalRecorder:
    recorder = _up("ACK(last) repeated: send again from last + 1", "R4")
    for _ in range(3):
        recorder.press(0.5, PASS)
    recorder.receive(0.5625, Ack(7, 0))
    recorder.receive(0.625, Ack(7, 0))
    recorder.run(0.75)
    recorder.receive(1.25, Ack(7, 0))
    recorder.receive(1.375, Ack(7, 2))
    return recorder


def _acks_of_openings() -> TerminalRecorder:
    recorder = _up("the first ACK of a link repeats none", "R4", "R5")
    for _ in range(3):
        recorder.press(0.5, PASS)
    recorder.receive(0.625, Ack(7, 0))
    recorder.receive(1.0, Ask(1, bytes(16)))
    recorder.receive(1.125, Welcome())
    recorder.receive(1.25, Ack(7, 0))
    recorder.receive(1.375, Ack(7, 0))
    return recorder


def _lost() -> TerminalRecorder:
    recorder = _up("an ACK of what is no longer kept: LOST", "R6")
    for _ in range(3):
        recorder.press(0.5, PASS)
    recorder.receive(0.625, Ack(7, 1))
    recorder.receive(0.875, Ack(7, -1))
    recorder.receive(1.0, Ack(7, 1))
    recorder.receive(1.375, Ack(7, 2))
    return recorder


def _lost_boots() -> TerminalRecorder:
    store = MemoryStore(7, volatile=False)
    for boot, count in ((7, 5), (8, 4)):
        for n in range(count):
            passed = msgspec.structs.replace(EVENT, boot=boot, n=n, data=("P",))
            store.append(passed, 0.0)
        for n in range(count - 1):
            store.lose(Position(boot, n))
        store = store.restarted()
    recorder = _up(
        "what is missing in several boots is told at once",
        "R6",
        store=store,
    )
    recorder.receive(0.375, Ack(7, 1))
    recorder.receive(0.75, Ack(8, 3))
    return recorder


def _restart() -> TerminalRecorder:
    store = MemoryStore(7, volatile=False)
    for n in range(2):
        store.append(msgspec.structs.replace(EVENT, n=n, data=("P",)), 0.0)
    recorder = _up(
        "a restart: events of the boot before come first, their age unknown",
        *("E3", "E4", "E5"),
        store=store.restarted(),
    )
    recorder.press(0.5, SPADE)
    recorder.receive(0.5625, Ack(9, -1))
    recorder.receive(0.59375, Ack(7, 0))
    recorder.receive(0.625, Ack(8, -1))
    recorder.receive(0.75, Ack(8, 0))
    return recorder


def _volatile_restart() -> TerminalRecorder:
    recorder = _up(
        "a restart without memory: a random boot, nothing held",
        "E3",
        store=MemoryStore(2_864_434_397),
    )
    recorder.receive(0.375, Ack(7, 4))
    recorder.press(0.5, SPADE)
    recorder.receive(0.625, Ack(2_864_434_397, 0))
    return recorder


def _displays() -> TerminalRecorder:
    recorder = _up("the greatest (epoch, rev) is shown", "D2", "D3")
    for epoch, rev in ((1, 12), (1, 12), (1, 11), (1, 13), (2, 1), (1, 99)):
        display = msgspec.structs.replace(DISPLAY, epoch=epoch, rev=rev)
        recorder.receive(0.5, display)
    recorder.receive(0.625, msgspec.structs.replace(DISPLAY, seat=Seat.EAST))
    return recorder


def _parts() -> TerminalRecorder:
    recorder = _up("a DISPLAY in parts; one part lost, then repeated", "P2", "P3", "D5")
    frames = recorder.frames(LONG_DISPLAY)
    recorder.receive_bytes(0.5, b"".join(frames[:1] + frames[2:]))
    recorder.receive(1.5, LONG_DISPLAY)
    recorder.press(2.0, EventKey("decline", Seat.NORTH, None, ()))
    return recorder


def _poll() -> TerminalRecorder:
    recorder = _up("a poll is answered after the events before it", "S4")
    recorder.press(0.5, SPADE)
    recorder.receive(0.625, Ping(17))
    recorder.receive(0.75, Ping(17))
    return recorder


def _noise() -> TerminalRecorder:
    recorder = _up("noise, unknown and malformed messages change nothing", "F7", "M2")
    recorder.receive_bytes(0.5, b"rst:0x1 (POWERON)\r\n" + encode_frame(b"\x91\x63"))
    recorder.receive_bytes(0.625, encode_frame(b"\x92\x08\x07") + b"\x00\x00")
    recorder.receive_bytes(0.6875, encode_frame(DEEP))
    recorder.receive(0.75, Ping(0))
    return recorder
