"""Vectors of single frames, messages, parts and proofs."""

from typing import Any

import msgspec

from laws.seats import Seat
from protocol.decoding import Malformed, decode
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
from protocol.pairing import daemon_proof, key_of_code, read_code, terminal_proof
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

BOGUS_EVENT = encode(EVENT)[0].replace(b"\xa4call", b"\xa5Bogus")
DEEP = bytes.fromhex("940807009191919191919190")

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


def _without_boots() -> bytes:
    return encode(HELLO)[0].replace(b"\x91\x93\x07\x00\x00", b"\x90")


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
    "ACK with true for a number": bytes.fromhex("930807c3"),
    "ACK with an element nested nine deep": DEEP,
    "tag 300 with an element nested nine deep": bytes.fromhex(
        "92cd012c9191919191919190"
    ),
    "tag 300 cut short": bytes.fromhex("93cd012c07"),
    "tag 300 with a byte after the array": bytes.fromhex("92cd012c0700"),
    "LOST that ends before it begins": bytes.fromhex("9409070501"),
    "HELLO without the running boot": _without_boots(),
    "PART without content": bytes.fromhex("950c010202c400"),
    "PART with index 0": bytes.fromhex("950c010002c40161"),
    "PART of one": bytes.fromhex("950c010101c40161"),
    "SHOWN of a seat X": bytes.fromhex("940b010ca158"),
    "SHOWN with a seat that is no UTF-8": bytes.fromhex("940b010ca1ff"),
    "EVENT whose number cannot be read": bytes.fromhex("980707ffa14e030c28a463616c6c"),
    "a byte that MessagePack does not use": bytes.fromhex("c1"),
}

MALFORMED_BODIES: dict[str, bytes] = {
    "a capital in its kind": BOGUS_EVENT,
    "a seat X": encode(EVENT)[0].replace(b"\xa1N", b"\xa1X"),
    "a number below 0 among its data": encode(EVENT)[0].replace(b"\xa21S", b"\xff"),
    "a text of 121 characters": encode(EVENT)[0].replace(
        b"\xa21S", b"\xd9\x79" + b"x" * 121
    ),
    "without its kind": bytes.fromhex("97070700a14e030c28"),
}

LATER_BODIES: dict[str, tuple[bytes, Message]] = {
    "ACK with two elements more": (bytes.fromhex("9508070080c0"), Ack(7, 0)),
    "ACK with an element of every type that a receiver skips": (
        msgspec.msgpack.encode(
            [
                *(8, 7, 0, None, True, 1.5, 2**63, -(2**63), "x" * 300, b"x" * 300),
                *([[[[[[7]]]]]], {"a": {1: []}}, msgspec.msgpack.Ext(5, b"1234")),
            ]
        ),
        Ack(7, 0),
    ),
    "ACK in the longest forms": (
        bytes.fromhex("dd00000003d30000000000000008cf0000000000000007d200000000"),
        Ack(7, 0),
    ),
    "EVENT in the longest forms": (
        bytes.fromhex(
            "dd0000000a"
            "ce00000007"
            "ce00000007"
            "cf0000000000000000"
            "db000000014e"
            "d200000003"
            "cd000c"
            "cc28"
            "da000463616c6c"
            "c0"
            "dd00000001"
            "db000000023153"
        ),
        EVENT,
    ),
    "ASK in the longest forms": (
        bytes.fromhex("dc000301d30000000000000001c600000010") + DAEMON_NONCE,
        Ask(1, DAEMON_NONCE),
    ),
    "HELLO with an element more in what it holds": (
        encode(HELLO)[0].replace(b"\x93\x07\x00\x00", b"\x94\x07\x00\x00\xc0"),
        HELLO,
    ),
    "ACK with numbers longer than needed": (
        bytes.fromhex("9308cf0000000000000007d10000"),
        Ack(7, 0),
    ),
    "PING without what may be left out": (bytes.fromhex("920500"), Ping(0)),
}

UNKNOWN_BODIES: dict[str, bytes] = {
    "tag 13": bytes.fromhex("910d"),
    "tag 0": bytes.fromhex("9100"),
    "a tag of 64 bits": bytes.fromhex("91cf0000000100000000"),
    "tag 300 with a map": bytes.fromhex("92cd012c80"),
    "tag 300 with a string that is no UTF-8": bytes.fromhex("92cd012ca1ff"),
    "tag 300, nested eight deep": bytes.fromhex("92cd012c91919191919190"),
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
        "malformed": [
            {"name": name, "body": body.hex(), **_place(body)}
            for name, body in MALFORMED_BODIES.items()
        ],
        "unknown": _named(UNKNOWN_BODIES),
    }


def _place(body: bytes) -> dict[str, int]:
    malformed = decode(body)
    assert isinstance(malformed, Malformed)  # noqa: S101 - the vectors are wrong
    return {"boot": malformed.boot, "n": malformed.n}


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
        "one twice after the last": [b1, b2, b2],
        "the first of another message between": [a1, a2, b1, a3, b2],
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


def codes() -> list[dict[str, str]]:
    """Join codes as they are made and as they are typed in, and the keys of them."""
    return [
        {
            "typed": typed,
            "code": read_code(typed),
            "terminal": terminal,
            "key": key_of_code(read_code(typed), terminal).hex(),
        }
        for typed, terminal in (
            ("7ZK3Q0M1WX", "t1-n"),
            ("7zk3-qomi wx", "t1-n"),
            ("7ZK3Q0M1WX", "console"),
        )
    ]
