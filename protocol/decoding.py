"""Reading a body: a message, an unknown one, or what is wrong with it.

Clauses M of ``protocol/README.md``. Nothing here raises, whatever the bytes.
"""

import msgspec

from protocol.limits import NESTING_MAX
from protocol.messages import (
    DECODERS,
    MESSAGE_TYPES,
    NOT_DECODED,
    Event,
    Hello,
    Message,
    UInt32,
    name_of,
)
from protocol.nesting import depth_of


class Rejected(msgspec.Struct, frozen=True):
    """A body that is no message: what was wrong and where."""

    reason: str


class RejectedHello(Rejected, frozen=True):
    """A HELLO that breaks a rule of its table."""

    version: int | None
    """Its version, None when even that cannot be read."""


class Malformed(Rejected, frozen=True):
    """An EVENT that breaks a rule of its table, but says which one it is (M6)."""

    boot: int
    n: int
    body: bytes
    """All of it, as it came."""


class Unknown(msgspec.Struct, frozen=True):
    """A message of a tag that this version does not know; to be ignored."""

    tag: int


_ELEMENTS = msgspec.msgpack.Decoder(list[msgspec.Raw])
_TAG = msgspec.msgpack.Decoder(int)
_UINT32 = msgspec.msgpack.Decoder(UInt32)


def decode(body: bytes) -> Message | Rejected | Unknown:
    """Read one body; never raises, whatever the bytes.

    The tag is looked up first: an unknown one is ``Unknown``, a known one with
    malformed fields is ``Rejected``. Further elements at the end are ignored.
    """
    try:
        elements = _ELEMENTS.decode(body)
        tag = _TAG.decode(elements[0]) if elements else -1
    except NOT_DECODED as error:
        return Rejected(f"expected an array that begins with a tag: {error}")
    if tag < 0:
        return Rejected("expected an array that begins with a tag from 0")
    if depth_of(body) > NESTING_MAX:
        return Rejected(f"expected values nested at most {NESTING_MAX} deep")
    decoder = DECODERS.get(tag)
    if decoder is None:
        return Unknown(tag)
    try:
        return decoder.decode(body)
    except NOT_DECODED as error:
        return _rejected(body, elements, MESSAGE_TYPES[tag - 1], str(error))


def _rejected(
    body: bytes, elements: list[msgspec.Raw], kind: type[Message], error: str
) -> Rejected:
    reason = f"{name_of(kind)}: {_named(kind, error)}"
    first, second = (_number(elements, place) for place in (1, 2))
    if kind is Hello:
        return RejectedHello(reason, first)
    if kind is Event and first is not None and second is not None:
        return Malformed(reason, first, second, body)
    return Rejected(reason)


def _number(elements: list[msgspec.Raw], place: int) -> int | None:
    """A field that holds a number, if it can be read."""
    try:
        return _UINT32.decode(elements[place])
    except (IndexError, *NOT_DECODED):
        return None


def _named(kind: type[Message], error: str) -> str:
    """What msgspec says, with the field's name instead of its place."""
    text, _, where = error.partition(" - at `$[")
    place, _, within = where.rstrip("`").partition("]")
    if not place.isdecimal():
        return text.partition(" - at `$`")[0]
    return f"{kind.__struct_fields__[int(place) - 1]}{within}: {text}"
