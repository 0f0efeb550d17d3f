"""Clauses M: what is encoded is decoded, and nothing else ever raises."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.limits import BODY_MAX, MESSAGE_MAX
from protocol.messages import (
    MESSAGE_TYPES,
    Ack,
    Display,
    Event,
    Hello,
    InvalidMessageError,
    Message,
    MessageTooLongError,
    Part,
    Ping,
    Rejected,
    Unknown,
    decode,
    encode,
    encoded_size,
    name_of,
    tag_of,
)
from protocol.parts import Reassembler
from tests.protocol.samples import DISPLAY, EVENT, HELLO, MESSAGES


def whole_of(bodies: tuple[bytes, ...]) -> bytes:
    if len(bodies) == 1:
        return bodies[0]
    reassembler = Reassembler()
    wholes = []
    for body in bodies:
        part = decode(body)
        assert isinstance(part, Part)
        wholes.append(reassembler.receive(part))
    assert wholes[:-1] == [None] * (len(bodies) - 1)
    assert wholes[-1] is not None
    return wholes[-1]


@given(MESSAGES, st.integers(0, 1000))
def test_what_is_encoded_is_decoded(message: Message, part_id: int) -> None:
    bodies = encode(message, part_id)
    assert all(1 <= len(body) <= BODY_MAX for body in bodies)
    whole = whole_of(bodies)
    assert len(whole) == encoded_size(message)
    assert decode(whole) == message


@given(st.binary(max_size=BODY_MAX))
def test_any_bytes_never_raise(body: bytes) -> None:
    decode(body)


@given(MESSAGES, st.integers(0, 5000), st.binary(min_size=1, max_size=3))
def test_any_damage_never_raises(message: Message, at: int, damage: bytes) -> None:
    body = bytearray(encode(message)[0])
    body[at % len(body) : at % len(body) + len(damage)] = damage
    decode(bytes(body))
    decode(bytes(body[: at % len(body)]))


@given(MESSAGES)
def test_elements_at_the_end_that_a_later_version_adds_are_ignored(
    message: Message,
) -> None:
    elements = msgspec.msgpack.decode(msgspec.msgpack.encode(message))
    later = msgspec.msgpack.encode([*elements, {"later": 1}, None])
    assert decode(later) == message


@given(MESSAGES, st.binary(min_size=1, max_size=4))
def test_bytes_after_the_array_are_rejected(message: Message, extra: bytes) -> None:
    assert isinstance(decode(msgspec.msgpack.encode(message) + extra), Rejected)


def test_elements_that_may_be_left_out_take_their_defaults() -> None:
    assert decode(bytes.fromhex("9105")) == Rejected(
        "PING: Expected `array` of at least length 2, got 1"
    )
    assert decode(bytes.fromhex("920500")) == Ping(0)


@pytest.mark.parametrize("tag", [0, 13, 127, 200, 70_000, 2**40])
def test_an_unknown_tag_is_told_from_a_malformed_message(tag: int) -> None:
    assert decode(msgspec.msgpack.encode([tag, "whatever", {}])) == Unknown(tag)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc0",
        b"\x90",
        b"\x80",
        msgspec.msgpack.encode([]),
        msgspec.msgpack.encode(["7", 1]),
        msgspec.msgpack.encode([-1]),
        msgspec.msgpack.encode([None]),
        msgspec.msgpack.encode({"tag": 7}),
        b"\x91" * 200,
        b"\x91" * MESSAGE_MAX,
        b"\x92\x07" + b"\x91" * 1500,
        b"\x9a\x07\x00",
        b"\xc1",
    ],
    ids=lambda body: body[:6].hex() or "empty",
)
def test_a_body_without_a_tag_is_rejected(body: bytes) -> None:
    assert isinstance(decode(body), Rejected)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("boot", -1, "Expected `int` >= 0 - at `$[1]`"),
        ("n", 2**32, "Expected `int` <= 4294967295 - at `$[2]`"),
        ("seat", "X", "Invalid enum value 'X' - at `$[3]`"),
        ("age_ms", 1.5, "Expected `int`, got `float` - at `$[6]`"),
        ("kind", "Call", "Expected `str` matching regex"),
        ("data", (1.5,), "Expected `bool | int | str`, got `float`"),
        ("data", ("x",) * 9, "Expected `array` of length <= 8"),
    ],
)
def test_a_known_message_that_is_malformed_says_where(
    field: str, value: object, expected: str
) -> None:
    values = [*msgspec.structs.astuple(EVENT)]
    values[EVENT.__struct_fields__.index(field)] = value
    rejected = decode(msgspec.msgpack.encode([7, *values]))
    assert isinstance(rejected, Rejected)
    assert rejected.reason.startswith(f"EVENT: {expected}")


def test_a_string_that_is_no_utf_8_is_rejected() -> None:
    body = encode(EVENT)[0].replace(b"\xa21S", b"\xa2\xff\xfe")
    assert isinstance(decode(body), Rejected)


def test_tags_are_small_integers_from_1_in_the_order_of_the_types() -> None:
    assert [tag_of(t) for t in MESSAGE_TYPES] == list(range(1, 13))
    assert [name_of(t) for t in MESSAGE_TYPES][:3] == ["ASK", "HELLO", "WELCOME"]


def test_fields_stand_in_the_order_of_the_specification() -> None:
    assert Event.__struct_fields__ == (
        *("boot", "n", "seat", "play", "rev", "age_ms", "kind", "hand", "data"),
    )
    assert Hello.__struct_fields__[:4] == ("version", "serial", "boot", "volatile")
    assert Display.__struct_fields__[:7] == (
        *("epoch", "rev", "seat", "play", "board", "at", "ask"),
    )


def test_a_message_that_breaks_a_limit_is_our_mistake() -> None:
    with pytest.raises(InvalidMessageError, match=r"ACK: Expected `int` >= -1"):
        encode(Ack(1, -2))
    locked = msgspec.structs.replace(DISPLAY, locks=("not a key",))
    with pytest.raises(InvalidMessageError, match=r"DISPLAY: .* at `\$\[11\]"):
        encode(locked)


def test_a_message_too_long_for_its_parts_is_our_mistake() -> None:
    line = "x" * 40
    fits = msgspec.structs.replace(DISPLAY, pages=((line,) * 42,))
    assert encoded_size(fits) <= MESSAGE_MAX
    assert len(encode(fits)) == 8
    long = msgspec.structs.replace(DISPLAY, pages=((line,) * 50,))
    with pytest.raises(MessageTooLongError, match=f"at most {MESSAGE_MAX} bytes"):
        encode(long)


def test_a_hello_of_usual_size_is_one_body() -> None:
    hello = msgspec.structs.replace(
        HELLO, nonce=bytes(16), asked=bytes(16), proof=bytes(32), seats=tuple(Seat)
    )
    assert len(encode(hello)) == 1
