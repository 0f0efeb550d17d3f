"""Valid messages, by chance and by hand, for the tests of this folder."""

import string

import msgspec
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.happenings import KEYS, Kind
from protocol.limits import NONCE_BYTES, PART_BYTES, PROOF_BYTES, TEXT_MAX, UINT32_MAX
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
)

UINT32 = st.integers(0, UINT32_MAX)
UINT16 = st.integers(0, 0xFFFF)
SEATS = st.sampled_from(Seat)
TEXTS = st.text(max_size=20)
DATA = st.lists(st.one_of(TEXTS, st.booleans(), st.integers(0, 100)), max_size=4).map(
    tuple
)
NONCES = st.sampled_from([b"", bytes(range(NONCE_BYTES))])
PROOFS = st.sampled_from([b"", bytes(range(PROOF_BYTES))])
KINDS = st.sampled_from([kind.value for kind in Kind])


def _ordered(numbers: tuple[int, int]) -> tuple[int, int]:
    return (min(numbers), max(numbers))


RANGES = st.tuples(UINT32, UINT32).map(_ordered)


@st.composite
def hellos(draw: st.DrawFn) -> Hello:
    """A HELLO whose boots stand in order, the running one last."""
    hello = draw(_HELLOS)
    most = 1 if hello.volatile else 8
    boots = draw(st.lists(UINT32, min_size=1, max_size=most, unique=True))
    held = tuple(Held(boot, *draw(RANGES)) for boot in sorted(boots))
    return msgspec.structs.replace(hello, boot=held[-1].boot, held=held)


_HELLOS = st.builds(
    Hello,
    version=UINT16,
    serial=st.text(string.ascii_letters, min_size=1, max_size=32),
    boot=st.just(0),
    volatile=st.booleans(),
    held=st.just((Held(0, 0, 0),)),
    firmware=st.text(max_size=24),
    seats=st.lists(SEATS, min_size=1, max_size=4, unique=True).map(tuple),
    columns=st.integers(1, 255),
    rows=st.integers(1, 255),
    encoding=st.sampled_from(Encoding),
    profile=st.sampled_from(Profile),
    nonce=NONCES,
    asked=NONCES,
    proof=PROOFS,
)
EVENTS = st.builds(
    Event,
    boot=UINT32,
    n=UINT32,
    seat=SEATS,
    play=UINT32,
    rev=UINT32,
    age_ms=UINT32,
    kind=KINDS,
    hand=st.none() | SEATS,
    data=DATA,
)
DISPLAYS = st.builds(
    Display,
    epoch=UINT32,
    rev=UINT32,
    seat=SEATS,
    play=UINT32,
    board=UINT16,
    at=UINT32,
    ask=st.sampled_from(Asked),
    hand=st.none() | SEATS,
    pages=st.lists(st.lists(TEXTS, max_size=4).map(tuple), max_size=4).map(tuple),
    choices=st.lists(st.builds(Choice, KINDS, DATA, TEXTS), max_size=3).map(tuple),
    locks=st.lists(st.sampled_from(sorted(KEYS)), max_size=5).map(tuple),
)
PARTS = st.builds(
    Part,
    st.integers(0, 255),
    st.integers(1, 8),
    st.integers(2, 8),
    st.binary(min_size=1, max_size=PART_BYTES),
)
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(Ask, UINT16, NONCES),
    hellos(),
    st.builds(Welcome, UINT16, PROOFS),
    st.builds(Refused, st.sampled_from(RefusalReason), st.text(max_size=TEXT_MAX)),
    st.builds(
        Ping,
        UINT32,
        st.none()
        | st.builds(
            Vitals,
            st.none() | st.integers(0, 100),
            st.none() | st.integers(-200, 50),
            UINT32,
            st.text(max_size=16),
        ),
    ),
    st.builds(Pong, UINT32, UINT32, UINT32),
    EVENTS,
    st.builds(Ack, UINT32, st.integers(-1, UINT32_MAX)),
    st.builds(lambda boot, lost: Lost(boot, *lost), UINT32, RANGES),
    DISPLAYS,
    st.builds(Shown, UINT32, UINT32, SEATS),
    PARTS,
)

HELLO = Hello(
    1,
    "SN-1",
    7,
    False,
    (Held(7, 0, 0),),
    "t1",
    (Seat.NORTH,),
    20,
    4,
    Encoding.ASCII,
    Profile.CALLS_AND_CARDS,
)
EVENT = Event(7, 0, Seat.NORTH, 1, 3, 250, "call", None, ("1S",))
DISPLAY = Display(
    1, 3, Seat.NORTH, 1, 2, 0, Asked.CALL, None, (("Your call",),), (), ("7NT",)
)
