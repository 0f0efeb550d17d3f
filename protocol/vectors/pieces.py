"""Vectors of single frames, messages, parts and proofs."""

from typing import Any

import msgspec

from laws.seats import Seat
from protocol.frame import FrameDecoder, encode_frame
from protocol.limits import BLOCK_MAX, BODY_MAX
from protocol.messages import (
    Ack,
    Ask,
    Asked,
    Choice,
    Display,
    Encoding,
    Event,
    Held,
    Hello,
    Lost,
    Message,
    Part,
    Ping,
    Pong,
    Profile,
    RefusalReason,
    Refused,
    Shown,
    Vitals,
    Welcome,
    encode,
)
from protocol.pairing import daemon_proof, terminal_proof
from protocol.parts import Reassembler
from protocol.vectors.plain import plain

DAEMON_NONCE = bytes(range(0x10, 0x20))
TERMINAL_NONCE = bytes(range(0x20, 0x30))
KEY = bytes(range(0x40, 0x60))

HELLO = Hello(
    version=1,
    serial="BW-0042",
    boot=7,
    volatile=False,
    held=(Held(7, 0, 0),),
    firmware="1.2.0",
    seats=(Seat.NORTH,),
    columns=20,
    rows=4,
    encoding=Encoding.ASCII,
    profile=Profile.CALLS_AND_CARDS,
    nonce=TERMINAL_NONCE,
    asked=DAEMON_NONCE,
)
EVENT = Event(7, 0, Seat.NORTH, 3, 12, 40, "call", None, ("1S",))
DISPLAY = Display(
    epoch=1,
    rev=12,
    seat=Seat.NORTH,
    play=3,
    board=2,
    at=0,
    ask=Asked.CALL,
    hand=None,
    pages=(("Board 2  E deals", "Your call"),),
)
LONG_DISPLAY = msgspec.structs.replace(
    DISPLAY,
    rev=13,
    ask=Asked.CHOICE,
    pages=(
        ("South called 1S", "at East's turn.", "You may accept it", "or not."),
        ("If you accept it,", "the auction goes on", "from it. If not, it", "is"),
        ("cancelled and East", "calls; South then may", "have to pass.", ""),
    ),
    choices=(Choice("accept", (), "Accept"), Choice("decline", (), "Do not accept")),
    locks=("call", "claim", "concede"),
)

SAMPLES: dict[str, Message] = {
    "ASK": Ask(1, DAEMON_NONCE),
    "HELLO": HELLO,
    "HELLO before any ASK": msgspec.structs.replace(HELLO, asked=b""),
    "HELLO with a proof": msgspec.structs.replace(
        HELLO,
        proof=terminal_proof(KEY, DAEMON_NONCE, TERMINAL_NONCE, HELLO.serial),
    ),
    "HELLO after restarts, four seats": msgspec.structs.replace(
        HELLO,
        boot=9,
        held=(Held(7, 12, 14), Held(8, 0, 300), Held(9, 0, 0)),
        seats=tuple(Seat),
        profile=Profile.FOUR_SEATS,
        encoding=Encoding.UTF_8,
    ),
    "WELCOME": Welcome(1),
    "WELCOME with a proof": Welcome(
        1, daemon_proof(KEY, DAEMON_NONCE, TERMINAL_NONCE, HELLO.serial)
    ),
    "REFUSED": Refused(RefusalReason.SERIAL, "expected BW-0043, got BW-0042"),
    "PING from a daemon": Ping(0),
    "PING, a poll": Ping(70_000),
    "PING from a terminal": Ping(0, Vitals(87, -61, 3600, "power")),
    "PING from a terminal on a wire": Ping(0, Vitals(None, None, 12, "watchdog")),
    "PONG": Pong(70_000, 7, 3),
    "EVENT, a call": EVENT,
    "EVENT, an alerted call": msgspec.structs.replace(
        EVENT, n=1, data=("2D", True, "Multi: a major suit")
    ),
    "EVENT, a card": Event(7, 2, Seat.NORTH, 3, 13, 55, "card", Seat.NORTH, ("SA",)),
    "EVENT, declarer plays dummy's card": Event(
        7, 3, Seat.SOUTH, 3, 14, 55, "card", Seat.NORTH, ("HT",)
    ),
    "EVENT, a claim after a restart": Event(
        7, 128, Seat.EAST, 65_536, 300, 0xFFFF_FFFF, "claim", None, (13,)
    ),
    "EVENT, a silent Director call": Event(
        7, 4, Seat.EAST, 3, 14, 0, "director", None, (True, "tempo")
    ),
    "ACK": Ack(7, 0),
    "ACK of nothing yet": Ack(7, -1),
    "LOST": Lost(7, 1, 5),
    "DISPLAY": DISPLAY,
    "DISPLAY in parts": LONG_DISPLAY,
    "DISPLAY in Spanish": msgspec.structs.replace(
        DISPLAY, pages=(("¿Acepta 1♠?", "Sí / No"),)
    ),
    "SHOWN": Shown(1, 12, Seat.NORTH),
}

BAD_BODIES: dict[str, bytes] = {
    "nothing": b"",
    "not an array": bytes.fromhex("07"),
    "an empty array": bytes.fromhex("90"),
    "a negative tag": bytes.fromhex("91ff"),
    "a string for a tag": bytes.fromhex("91a137"),
    "ACK without its number": bytes.fromhex("920807"),
    "ACK with a number below -1": bytes.fromhex("930807fe"),
    "ACK with a floating point number": bytes.fromhex("930807cb3ff0000000000000"),
    "ACK cut short": bytes.fromhex("930807cd01"),
    "ACK with a byte after the array": bytes.fromhex("9308070000"),
    "SHOWN of a seat X": bytes.fromhex("940b010ca158"),
    "SHOWN with a seat that is no UTF-8": bytes.fromhex("940b010ca1ff"),
    "EVENT with a capital in its kind": encode(EVENT)[0].replace(b"call", b"Call"),
    "a byte that MessagePack does not use": bytes.fromhex("c1"),
}

LATER_BODIES: dict[str, tuple[bytes, Message]] = {
    "ACK with two elements more": (bytes.fromhex("9508070080c0"), Ack(7, 0)),
    "ACK with numbers longer than needed": (
        bytes.fromhex("9308cf0000000000000007d10000"),
        Ack(7, 0),
    ),
    "PING without what may be left out": (bytes.fromhex("920500"), Ping(0)),
}

UNKNOWN_BODIES: dict[str, bytes] = {
    "tag 13": bytes.fromhex("910d"),
    "tag 0": bytes.fromhex("9100"),
    "tag 300 with a map": bytes.fromhex("92cd012c80"),
}


def frames() -> dict[str, Any]:
    """Bodies and their frames, and streams of which only some is frames."""
    bodies = {
        "one byte": b"\x01",
        "a zero": b"\x00",
        "zeros": bytes(8),
        "ACK": encode(Ack(7, 0))[0],
        "EVENT": encode(EVENT)[0],
        "the longest with a delimiter before it": bytes(range(1, BODY_MAX)),
        "the longest": bytes(range(1, BODY_MAX + 1)),
        "the longest, all zeros": bytes(BODY_MAX),
    }
    ack = encode_frame(bodies["ACK"])
    event = encode_frame(bodies["EVENT"])
    spoilt = bytearray(ack)
    spoilt[2] ^= 0x10
    streams = {
        "two frames": ack + event,
        "without the delimiter before": ack[1:],
        "delimiters alone": bytes(5),
        "a boot log before a frame": b"rst:0x1 (POWERON)\r\n" + ack,
        "a boot log between frames": ack + b"AT\r\n" + event,
        "a frame cut off by the next": ack[:5] + event,
        "one bit wrong": bytes(spoilt) + event,
        "no COBS": b"\x05ab\x00" + event,
        "no room for a body": b"\x05\x01\x02\x03\x04\x00" + event,
        "longer than any frame": b"A" * (BLOCK_MAX + 1) + event,
        "an unfinished frame": ack + event[:-1],
    }
    return {
        "encode": [
            {"name": name, "body": body.hex(), "frame": encode_frame(body).hex()}
            for name, body in bodies.items()
        ],
        "decode": [_stream(name, stream) for name, stream in streams.items()],
    }


def _stream(name: str, stream: bytes) -> dict[str, Any]:
    decoder = FrameDecoder()
    received = decoder.receive(stream)
    counters = decoder.counters
    return {
        "name": name,
        "stream": stream.hex(),
        "bodies": [body.hex() for body in received],
        "crc_errors": counters.crc_errors,
        "cobs_errors": counters.cobs_errors,
        "oversize": counters.oversize,
        "noise_bytes": counters.noise_bytes,
    }


def messages() -> dict[str, Any]:
    """Messages and their bodies both ways, and bodies that are none."""
    return {
        "encode": [
            {
                "name": name,
                "message": plain(message),
                "part_id": 5,
                "bodies": [body.hex() for body in encode(message, 5)],
            }
            for name, message in SAMPLES.items()
        ],
        "decode": [
            {"name": name, "body": body.hex(), "message": plain(message)}
            for name, (body, message) in LATER_BODIES.items()
        ],
        "rejected": _named(BAD_BODIES),
        "unknown": _named(UNKNOWN_BODIES),
    }


def _named(bodies: dict[str, bytes]) -> list[dict[str, str]]:
    return [{"name": name, "body": body.hex()} for name, body in bodies.items()]


def parts() -> list[dict[str, Any]]:
    """Sequences of parts and the content that comes out of each."""
    a1, a2, a3 = (Part(1, i, 3, bytes([96 + i])) for i in (1, 2, 3))
    b1, b2 = (Part(2, i, 2, bytes([100 + i])) for i in (1, 2))
    cases = {
        "in order": [a1, a2, a3],
        "one twice": [a1, a2, a2, a3],
        "one missing": [a1, a3],
        "one missing, then all again": [a1, a3, a1, a2, a3],
        "the first missing": [a2, a3],
        "out of order": [a2, a1, a3],
        "another message between": [a1, b1, a2, a3],
        "another message, complete": [a1, a2, b1, b2],
        "another count": [a1, Part(1, 2, 2, b"b")],
        "an index above the count": [b1, Part(2, 3, 2, b"x"), b2],
    }
    return [_gathered(name, case) for name, case in cases.items()]


def _gathered(name: str, case: list[Part]) -> dict[str, Any]:
    reassembler = Reassembler()
    wholes = [whole for part in case if (whole := reassembler.receive(part))]
    return {
        "name": name,
        "parts": [encode(part)[0].hex() for part in case],
        "contents": [whole.hex() for whole in wholes],
    }


def proofs() -> list[dict[str, str]]:
    """Proofs of both ends."""
    args = (KEY, DAEMON_NONCE, TERMINAL_NONCE, HELLO.serial)
    return [
        {
            "key": KEY.hex(),
            "daemon_nonce": DAEMON_NONCE.hex(),
            "terminal_nonce": TERMINAL_NONCE.hex(),
            "serial": HELLO.serial,
            "terminal_proof": terminal_proof(*args).hex(),
            "daemon_proof": daemon_proof(*args).hex(),
        }
    ]
