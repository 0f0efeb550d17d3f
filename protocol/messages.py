"""The messages of the wire: one MessagePack array each, first a small integer tag.

Clauses M and the message tables of ``protocol/README.md``. Fields that also travel
in JSON payloads are declared once, in the ``…Fields`` classes, from which
``protocol.payloads`` derives its own.
"""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from laws.seats import Seat
from protocol.limits import (
    BODY_MAX,
    HELD_MAX,
    MESSAGE_MAX,
    NONCE_BYTES,
    PART_BYTES,
    PART_MAX,
    PROOF_BYTES,
    TEXT_MAX,
    UINT32_MAX,
    VERSION,
)

UInt32 = Annotated[int, Meta(ge=0, le=UINT32_MAX)]
"""A number from 0 to 4294967295."""

UInt16 = Annotated[int, Meta(ge=0, le=0xFFFF)]
"""A number from 0 to 65535."""

LastNumber = Annotated[int, Meta(ge=-1, le=UINT32_MAX)]
"""Number of the last event taken, -1 when none of its boot has been."""

Serial = Annotated[str, Meta(min_length=1, max_length=32)]
"""A terminal's serial number."""

Nonce = Annotated[bytes, Meta(max_length=NONCE_BYTES)]
"""16 random bytes, or none."""

Proof = Annotated[bytes, Meta(max_length=PROOF_BYTES)]
"""32 bytes of HMAC-SHA-256, or none on an open link."""

KindName = Annotated[str, Meta(pattern=r"^[a-z][a-z-]{0,23}\Z")]
"""Name of an EVENT kind (``protocol.kinds``)."""

KeyName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,23}\Z")]
"""Name of a key that DISPLAY locks."""

Datum = Annotated[str, Meta(max_length=TEXT_MAX)] | UInt32 | bool
"""One element of an event's data."""

Data = Annotated[tuple[Datum, ...], Meta(max_length=8)]
"""An event's data, as its kind has them."""


class Profile(StrEnum):
    """What a terminal can enter."""

    CALLS = "calls"
    CALLS_AND_CARDS = "calls-and-cards"
    FOUR_SEATS = "four-seats"


class Encoding(StrEnum):
    """Characters that a terminal's display can show; text is UTF-8 on the wire."""

    ASCII = "ascii"
    LATIN_1 = "latin-1"
    UTF_8 = "utf-8"


class RefusalReason(StrEnum):
    """Why a terminal is refused."""

    VERSION = "version"
    SERIAL = "serial"
    PROOF = "proof"
    SEATS = "seats"
    PROFILE = "profile"
    BUSY = "busy"
    MALFORMED = "malformed"
    """Its HELLO breaks a rule of its table; the text says which."""


class Asked(StrEnum):
    """What a display asks of its seat."""

    NONE = "none"
    CALL = "call"
    CARD = "card"
    CHOICE = "choice"
    WAIT = "wait"


class Held(msgspec.Struct, array_like=True, frozen=True):
    """Events of one boot that a terminal has still to have acknowledged.

    ``first`` to ``next - 1``; numbers below ``first`` that were never acknowledged
    are lost.
    """

    boot: UInt32
    first: UInt32
    next: UInt32


class Choice(msgspec.Struct, array_like=True, frozen=True):
    """An answer that a display offers: choosing it sends EVENT of this kind."""

    kind: KindName
    data: Data
    label: Annotated[str, Meta(max_length=40)]


class HelloFields(msgspec.Struct, frozen=True):
    """What a terminal says of itself."""

    version: UInt16
    """Protocol version it speaks."""
    serial: Serial
    boot: UInt32
    """Counter of restarts in non-volatile memory, else a random number."""
    volatile: bool
    """The boot is a random number and no event outlives a restart."""
    held: Annotated[tuple[Held, ...], Meta(max_length=HELD_MAX)]
    """In the order of the boots, the running one last."""
    firmware: Annotated[str, Meta(max_length=24)]
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=4)]
    columns: Annotated[int, Meta(ge=1, le=255)]
    rows: Annotated[int, Meta(ge=1, le=255)]
    encoding: Encoding
    profile: Profile

    def __post_init__(self) -> None:
        boots = [held.boot for held in self.held]
        if boots[-1:] != [self.boot]:
            raise ValueError("held: expected the running boot last")
        if len(set(boots)) < len(boots) or (boots != sorted(boots)):
            raise ValueError("held: expected the boots in order, each once")
        if self.volatile and len(boots) > 1:
            raise ValueError("held: expected no boot but the running one (volatile)")
        if any(held.first > held.next for held in self.held):
            raise ValueError("held: expected first not above next")


class TokenFields(msgspec.Struct, frozen=True):
    """What a PONG repeats of its PING: 0 for a plain one, else the poll's number."""

    token: UInt32


class VitalsFields(msgspec.Struct, frozen=True):
    """How a terminal is."""

    battery: Annotated[int, Meta(ge=0, le=100)] | None = None
    """Percent, None without a battery."""
    signal: Annotated[int, Meta(ge=-200, le=50)] | None = None
    """Received signal strength in dBm, None on a wire."""
    uptime_s: UInt32 = 0
    """Seconds since the terminal restarted."""
    reset: Annotated[str, Meta(max_length=16)] = ""
    """Why it restarted, as its firmware names it: power, watchdog, brownout…"""


class EventFields(msgspec.Struct, frozen=True):
    """One entry of a terminal's log: what its user did."""

    boot: UInt32
    n: UInt32
    """Number within the boot, from 0 without gaps."""
    seat: Seat
    """Who acts."""
    play: UInt32
    """The playing of a board it belongs to, as DISPLAY gave it."""
    rev: UInt32
    """Revision of the display that the seat saw when the key was pressed."""
    age_ms: UInt32
    """Milliseconds since the key was pressed, when this was sent."""
    kind: KindName
    hand: Seat | None = None
    """The hand that a card comes from, None where no card moves."""
    data: Data = ()


class AckFields(msgspec.Struct, frozen=True):
    """The last entry of a terminal's log that the referee has taken."""

    boot: UInt32
    n: LastNumber


class LostFields(msgspec.Struct, frozen=True):
    """Events ``first`` to ``last`` of a boot, which the terminal no longer has."""

    boot: UInt32
    first: UInt32
    last: UInt32

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError("last: expected a number not below first")


class DisplayFields(msgspec.Struct, frozen=True):
    """The whole display of one seat; the greatest (epoch, rev) is valid."""

    epoch: UInt32
    """Term of the referee that rules."""
    rev: UInt32
    """Revision of this seat's display; it never falls, not even in a later term."""
    seat: Seat
    play: UInt32
    """The playing of a board that events must name, 0 when there is none."""
    board: UInt16
    """Number of the board, 0 when there is none."""
    at: UInt32
    """How many happenings of this play the display reflects."""
    ask: Asked
    hand: Seat | None
    """Whose card is asked for, None unless ``ask`` is card."""
    pages: Annotated[
        tuple[Annotated[tuple[str, ...], Meta(max_length=64)], ...],
        Meta(max_length=16),
    ]
    """Pages of lines, fitted to the terminal's columns and rows."""
    choices: Annotated[tuple[Choice, ...], Meta(max_length=16)] = ()
    locks: Annotated[tuple[KeyName, ...], Meta(max_length=64)] = ()
    """Keys that do nothing while this is shown (``protocol.happenings``)."""


class ShownFields(msgspec.Struct, frozen=True):
    """The display that a seat now shows."""

    epoch: UInt32
    rev: UInt32
    seat: Seat


class PositionFields(TokenFields, frozen=True):
    """The answer to a poll: which event the terminal will number next."""

    boot: UInt32
    next: UInt32


class Ask(msgspec.Struct, array_like=True, tag=1, frozen=True):
    """ASK: the daemon opens the link."""

    version: UInt16 = VERSION
    nonce: Nonce = b""


class Hello(HelloFields, array_like=True, tag=2, frozen=True):
    """HELLO: the terminal says what it is and what it holds."""

    nonce: Nonce = b""
    asked: Nonce = b""
    """The nonce of the ASK that it answers, empty before any."""
    proof: Proof = b""


class Welcome(msgspec.Struct, array_like=True, tag=3, frozen=True):
    """WELCOME: the daemon has taken the terminal; the link is up."""

    version: UInt16 = VERSION
    proof: Proof = b""


class Refused(msgspec.Struct, array_like=True, tag=4, frozen=True):
    """REFUSED: the daemon does not take the terminal."""

    reason: RefusalReason
    text: Annotated[str, Meta(max_length=TEXT_MAX)] = ""


class Vitals(VitalsFields, array_like=True, frozen=True):
    """How a terminal is, as it stands in PING."""


class Ping(TokenFields, array_like=True, tag=5, frozen=True):
    """PING: a sign of life that asks for one; with a token from 1 it is a poll."""

    vitals: Vitals | None = None
    """From a terminal only."""


class Pong(PositionFields, array_like=True, tag=6, frozen=True):
    """PONG: the answer to a PING; boot and next are 0 from a daemon."""


class Event(EventFields, array_like=True, tag=7, frozen=True):
    """EVENT: one entry of the terminal's log."""


class Ack(AckFields, array_like=True, tag=8, frozen=True):
    """ACK: the referee's journal has everything up to and including this event."""


class Lost(LostFields, array_like=True, tag=9, frozen=True):
    """LOST: events that the terminal no longer has."""


class Display(DisplayFields, array_like=True, tag=10, frozen=True):
    """DISPLAY: the whole display of one seat."""


class Shown(ShownFields, array_like=True, tag=11, frozen=True):
    """SHOWN: the display that a seat now shows."""


class Part(msgspec.Struct, array_like=True, tag=12, frozen=True):
    """PART: part ``index`` of ``count`` of an encoded message (``protocol.parts``)."""

    id: Annotated[int, Meta(ge=0, le=255)]
    index: Annotated[int, Meta(ge=1, le=PART_MAX)]
    count: Annotated[int, Meta(ge=2, le=PART_MAX)]
    content: Annotated[bytes, Meta(min_length=1, max_length=PART_BYTES)]


Message = (
    Ask
    | Hello
    | Welcome
    | Refused
    | Ping
    | Pong
    | Event
    | Ack
    | Lost
    | Display
    | Shown
    | Part
)

MESSAGE_TYPES: tuple[type[Message], ...] = (
    Ask,
    Hello,
    Welcome,
    Refused,
    Ping,
    Pong,
    Event,
    Ack,
    Lost,
    Display,
    Shown,
    Part,
)


class InvalidMessageError(ValueError):
    """A message of ours breaks a limit of the wire; says which."""


class MessageTooLongError(InvalidMessageError):
    """A message of ours does not fit the wire.

    Attributes:
        size: bytes that it takes.
    """

    def __init__(self, size: int) -> None:
        super().__init__(
            f"a message has at most {MESSAGE_MAX} bytes, this one has {size}"
        )
        self.size = size


def tag_of(message_type: type[Message]) -> int:
    """The tag of a message type, 1 (ASK) to 12 (PART)."""
    tag = message_type.__struct_config__.tag
    assert isinstance(tag, int)  # noqa: S101 - all tags above are integers
    return tag


def name_of(message_type: type[Message]) -> str:
    """The name of a message type in the specification: ``ASK`` … ``PART``."""
    return message_type.__name__.upper()


_ENCODER = msgspec.msgpack.Encoder()
DECODERS = {tag_of(t): msgspec.msgpack.Decoder(t) for t in MESSAGE_TYPES}
"""Reads a body of each tag; ``protocol.decoding`` is what calls them."""

NOT_DECODED = (msgspec.MsgspecError, ValueError, RecursionError)
"""What a decoder raises for a body that it cannot read."""


def encoded_size(message: Message) -> int:
    """Bytes of a message as one MessagePack array; at most ``MESSAGE_MAX`` fit."""
    return len(_ENCODER.encode(message))


def encode(message: Message, part_id: int = 0) -> tuple[bytes, ...]:
    """The bodies that carry a message: one, or its parts when it is longer.

    Args:
        message: what is sent.
        part_id: number (taken modulo 256) that tells the parts of one message from
            those of the one before.

    Raises:
        InvalidMessageError: a field breaks its limit.
        MessageTooLongError: it does not fit ``PART_MAX`` parts.
    """
    whole = _ENCODER.encode(message)
    try:
        DECODERS[tag_of(type(message))].decode(whole)
    except NOT_DECODED as error:
        raise InvalidMessageError(f"{name_of(type(message))}: {error}") from error
    if len(whole) <= BODY_MAX:
        return (whole,)
    if len(whole) > MESSAGE_MAX:
        raise MessageTooLongError(len(whole))
    chunks = [whole[i : i + PART_BYTES] for i in range(0, len(whole), PART_BYTES)]
    return tuple(
        _ENCODER.encode(Part(part_id % 256, index, len(chunks), chunk))
        for index, chunk in enumerate(chunks, 1)
    )
