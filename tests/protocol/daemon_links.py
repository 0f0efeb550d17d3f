"""The daemon's end of a link, driven by hand."""

import msgspec

from laws.seats import Seat
from protocol.daemon_link import DaemonLink
from protocol.decoding import Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.messages import (
    Ask,
    Display,
    Held,
    Hello,
    Message,
    encode,
)
from tests.protocol.samples import DISPLAY, HELLO
from tests.protocol.wires import nonces

KEY = b"k" * 16
NONCE = b"n" * 16
ASKED = bytes(16)
"""The first nonce that a daemon of these tests asks with."""


def sent(link: DaemonLink) -> list[Message]:
    messages = []
    for body in FrameDecoder().receive(link.data_to_send()):
        message = decode(body)
        assert not isinstance(message, Rejected | Unknown)
        messages.append(message)
    return messages


def receive(link: DaemonLink, message: Message, now: float = 0.0) -> None:
    for body in encode(message):
        link.receive_data(encode_frame(body), now)


def hello(
    nonce: bytes = NONCE, asked: bytes = ASKED, proof: bytes = b"", boot: int = 7
) -> Hello:
    return msgspec.structs.replace(
        HELLO,
        nonce=nonce,
        asked=asked,
        proof=proof,
        boot=boot,
        held=(Held(boot, 0, 0),),
    )


def opened(link: DaemonLink | None = None) -> tuple[DaemonLink, bytes]:
    link = link or DaemonLink(nonces())
    link.opened(0.0)
    (ask,) = sent(link)
    assert isinstance(ask, Ask)
    return link, ask.nonce


def up() -> DaemonLink:
    link, _ = opened()
    receive(link, hello())
    sent(link)
    link.events_received()
    return link


def display(rev: int, epoch: int = 1, seat: Seat = Seat.NORTH) -> Display:
    return msgspec.structs.replace(DISPLAY, epoch=epoch, rev=rev, seat=seat)
