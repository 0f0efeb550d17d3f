"""Conversations as a daemon has them: for emulators, benches and other daemons."""

from typing import Any

import msgspec

from laws.seats import Seat
from protocol.daemon_link import DaemonLink
from protocol.frame import encode_frame
from protocol.messages import (
    Ack,
    Held,
    Hello,
    Ping,
    Pong,
    RefusalReason,
    Refused,
    Shown,
    Vitals,
)
from protocol.pairing import terminal_proof
from protocol.vectors.pieces import (
    BOGUS_EVENT,
    DISPLAY,
    EVENT,
    HELLO,
    KEY,
    LONG_DISPLAY,
)
from protocol.vectors.recorder import Nonces, Recorder

ANSWER = msgspec.structs.replace(HELLO, asked=bytes([1]) * 16)


def daemon_conversations() -> list[dict[str, Any]]:
    """All of them."""
    return [
        scene().vector()
        for scene in (
            _opening,
            _ask_repeated,
            _hello_again,
            _unasked,
            _refused,
            _malformed_hello,
            _paired,
            _silence,
            _displays,
            _displays_again,
            _polls,
            _malformed_event,
        )
    ]


def _recorder(
    name: str, *clauses: str, key: bytes | None = None, serial: str = HELLO.serial
) -> Recorder:
    def admit(hello: Hello) -> Refused | None:
        if hello.serial == serial:
            return None
        return Refused(RefusalReason.SERIAL, f"expected {serial}, got {hello.serial}")

    setup = {
        "end": "daemon",
        "serial": serial,
        "key": key.hex() if key else None,
        "nonces": "16 times 01, 16 times 02, and so on, in the order of use",
    }
    return Recorder(name, clauses, DaemonLink(Nonces(), admit, key), setup)


def _up(name: str, *clauses: str) -> Recorder:
    recorder = _recorder(name, *clauses)
    recorder.opened(0.0)
    recorder.receive(0.125, ANSWER)
    return recorder


def _opening() -> Recorder:
    recorder = _up("opening, a display, an event, its ACK", "O1", "O4", "D1", "A1")
    recorder.send(0.25, Ack(7, -1))
    recorder.send(0.25, DISPLAY)
    recorder.receive(0.375, Shown(1, 12, Seat.NORTH))
    recorder.receive(1.625, EVENT)
    recorder.send(1.75, Ack(7, 0))
    return recorder


def _ask_repeated() -> Recorder:
    recorder = _recorder("ASK is repeated every 2 s until HELLO", "O2")
    recorder.opened(0.0)
    recorder.run(2.0)
    recorder.receive(2.5, EVENT)
    recorder.run(4.0)
    recorder.receive(4.125, ANSWER)
    return recorder


def _hello_again() -> Recorder:
    recorder = _up("HELLO repeated, and HELLO after a restart", "O4", "O6")
    recorder.receive(0.25, ANSWER)
    recorder.receive(2.125, ANSWER)
    restarted = msgspec.structs.replace(
        HELLO, boot=8, held=(Held(8, 0, 0),), nonce=bytes(16), asked=b""
    )
    recorder.receive(4.0, restarted)
    recorder.receive(4.125, restarted)
    asked = msgspec.structs.replace(restarted, nonce=b"", asked=bytes([2]) * 16)
    recorder.receive(4.25, asked)
    return recorder


def _unasked() -> Recorder:
    recorder = _recorder("HELLO that answers no ASK opens nothing", "O4")
    recorder.opened(0.0)
    for now in (0.0, 2.0):
        recorder.receive(now, msgspec.structs.replace(HELLO, asked=b""))
    recorder.receive(2.125, msgspec.structs.replace(HELLO, asked=bytes(16)))
    recorder.receive(2.25, ANSWER)
    return recorder


def _refused() -> Recorder:
    recorder = _recorder("a terminal that is bound elsewhere", "O7", serial="BW-0043")
    recorder.opened(0.0)
    recorder.receive(0.125, ANSWER)
    recorder.receive(30.125, ANSWER)
    other = msgspec.structs.replace(ANSWER, version=2)
    recorder.receive(60.125, other)
    recorder.receive(90.125, msgspec.structs.replace(HELLO, asked=b""))
    return recorder


def _malformed_hello() -> Recorder:
    recorder = _recorder("HELLO that breaks a rule is refused", "O7", "M2")
    recorder.opened(0.0)
    later_version = msgspec.msgpack.encode([2, 2, "whatever follows"])
    recorder.receive_bytes(0.125, encode_frame(later_version))
    return recorder


def _paired() -> Recorder:
    recorder = _recorder("a paired link", "X2", "X3", "X5", key=KEY)
    recorder.opened(0.0)
    recorder.receive(0.125, msgspec.structs.replace(HELLO, asked=b""))
    recorder.run(2.0)
    args = (ANSWER.asked, ANSWER.nonce, ANSWER.serial)
    wrong = terminal_proof(KEY[::-1], *args)
    recorder.receive(2.125, msgspec.structs.replace(ANSWER, proof=wrong))
    proved = msgspec.structs.replace(ANSWER, proof=terminal_proof(KEY, *args))
    recorder.receive(32.125, proved)
    recorder.receive(33.0, msgspec.structs.replace(HELLO, asked=b""))
    recorder.receive(33.125, proved)
    return recorder


def _silence() -> Recorder:
    recorder = _up("silence: PING after 2 s, down after 6 s, ASK anew", "S1", "S2")
    recorder.run(2.125)
    recorder.receive(2.25, Pong(0, 7, 0))
    recorder.run(4.25)
    recorder.receive(4.5, Ping(0, Vitals(87, None, 64, "power")))
    recorder.run(12.5)
    return recorder


def _displays() -> Recorder:
    recorder = _up("a DISPLAY is repeated until SHOWN, the greatest wins", "D1", "D2")
    recorder.send(0.25, DISPLAY)
    recorder.run(1.25)
    recorder.send(2.0, LONG_DISPLAY)
    recorder.send(2.0, DISPLAY)
    recorder.receive(2.125, Shown(1, 12, Seat.NORTH))
    recorder.run(3.0)
    recorder.receive(3.125, Shown(1, 13, Seat.NORTH))
    recorder.run(5.125)
    return recorder


def _displays_again() -> Recorder:
    recorder = _recorder("a DISPLAY waits for HELLO, and is sent once", "D1")
    recorder.opened(0.0)
    recorder.send(0.0625, DISPLAY)
    recorder.receive(0.125, ANSWER)
    recorder.send(0.25, DISPLAY)
    recorder.send(0.25, DISPLAY)
    recorder.receive(0.375, Shown(1, 12, Seat.NORTH))
    recorder.send(0.5, DISPLAY)
    return recorder


def _malformed_event() -> Recorder:
    recorder = _up("an EVENT that breaks a rule of section M is passed up", "M6")
    recorder.receive_bytes(0.25, encode_frame(BOGUS_EVENT))
    recorder.send(0.375, Ack(7, 0))
    return recorder


def _polls() -> Recorder:
    recorder = _up("a poll is repeated until its PONG", "S4", "S5")
    recorder.send(0.25, Ping(17))
    recorder.run(1.25)
    recorder.receive(1.375, EVENT, Pong(17, 7, 1))
    recorder.receive(1.5, Pong(17, 7, 1))
    return recorder
