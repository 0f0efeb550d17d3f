"""Clauses M: what is encoded is decoded, and nothing else ever raises."""

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.decoding import Malformed, Rejected, RejectedHello, Unknown, decode
from protocol.limits import BODY_MAX, MESSAGE_MAX
from protocol.messages import (
    MESSAGE_TYPES,
    Ack,
    Display,
    Event,
    Held,
    Hello,
    InvalidMessageError,
    Message,
    MessageTooLongError,
    Part,
    Ping,
    encode,
    encoded_size,
    name_of,
    tag_of,
)
from protocol.nesting import depth_of
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
        ("boot", -1, "boot: Expected `int` >= 0"),
        ("n", 2**32, "n: Expected `int` <= 4294967295"),
        ("seat", "X", "seat: Invalid enum value 'X'"),
        ("age_ms", 1.5, "age_ms: Expected `int`, got `float`"),
        ("kind", "Call", "kind: Expected `str` matching regex"),
        ("data", (1.5,), "data[0]: Expected `bool | int | str`, got `float`"),
        ("data", ("x",) * 9, "data: Expected `array` of length <= 8"),
        ("data", ("x", "x" * 121), "data[1]: Expected `str` of length <= 120"),
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
    assert isinstance(rejected, Malformed) is (field not in {"boot", "n"})


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"held": ()}, "held: expected the running boot last"),
        ({"held": (Held(7, 0, 0), Held(8, 0, 0))}, "held: expected the running boot"),
        ({"held": (Held(9, 0, 0), Held(7, 0, 0))}, "held: expected the boots in order"),
        ({"held": (Held(7, 0, 1), Held(7, 1, 1))}, "held: expected the boots in order"),
        ({"held": (Held(7, 2, 1),)}, "held: expected first not above next"),
        (
            {"held": (Held(6, 0, 1), Held(7, 0, 0)), "volatile": True},
            "held: expected no boot but the running one",
        ),
        ({"seats": ()}, "seats: Expected `array` of length >= 1"),
        ({"serial": "x" * 33}, "serial: Expected `str` of length <= 32"),
    ],
)
def test_a_hello_that_breaks_a_rule_says_which(
    change: dict[str, object], expected: str
) -> None:
    elements = [2, *(msgspec.structs.asdict(HELLO) | change).values()]
    rejected = decode(msgspec.msgpack.encode(elements))
    assert isinstance(rejected, RejectedHello)
    assert rejected.reason.startswith(f"HELLO: {expected}")
    assert rejected.version == 1


def test_a_hello_of_another_version_says_so_whatever_follows() -> None:
    rejected = decode(msgspec.msgpack.encode([2, 9]))
    assert isinstance(rejected, RejectedHello)
    assert rejected.version == 9
    unreadable = decode(msgspec.msgpack.encode([2, "nine"]))
    assert isinstance(unreadable, RejectedHello)
    assert unreadable.version is None


def test_lost_ends_not_before_it_begins() -> None:
    assert decode(bytes.fromhex("9409070501")) == Rejected(
        "LOST: last: expected a number not below first"
    )


@pytest.mark.parametrize("deep", [8, 9])
@pytest.mark.parametrize("tag", [8, 99], ids=["known", "unknown"])
@pytest.mark.parametrize("maps", [False, True])
def test_values_are_nested_8_deep_at_most(deep: int, tag: int, *, maps: bool) -> None:
    value: object = 1.5
    for _ in range(deep - 1):
        value = {"a": value, "b": -70_000} if maps else [value, b"x" * 300]
    body = msgspec.msgpack.encode([tag, 7, 0, value])
    assert isinstance(decode(body), Rejected) is (deep > 8)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=300)
    | st.binary(max_size=300)
    | st.builds(msgspec.msgpack.Ext, st.integers(-128, 127), st.binary(max_size=300)),
    lambda inner: (
        st.lists(inner, max_size=20)
        | st.dictionaries(st.text(max_size=40), inner, max_size=20)
    ),
    max_leaves=30,
)


def depth(value: object) -> int:
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    else:
        return 0
    return 1 + max(map(depth, inner), default=0)


@given(VALUES)
def test_the_depth_of_any_value_is_found(value: object) -> None:
    assert depth_of(msgspec.msgpack.encode(value)) == depth(value)


LONG_FORMS = [
    "9308cf0000000000000007d10000",
    "9308cf0000000000000007d200000000",
    "9308ce00000007d30000000000000000",
    "dd00000003080700",
    "dc0003080700",
]


@pytest.mark.parametrize("body", LONG_FORMS)
def test_long_forms_of_numbers_and_arrays_are_read(body: str) -> None:
    assert decode(bytes.fromhex(body)) == Ack(7, 0)


@pytest.mark.parametrize("head", ["a25650", "d9025650", "da00025650", "db000000025650"])
def test_long_forms_of_strings_are_read(head: str) -> None:
    event = bytes.fromhex("9a070700a14e010100a463616c6cc091") + bytes.fromhex(head)
    read = decode(event)
    assert isinstance(read, Event)
    assert read.data == ("VP",)


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
