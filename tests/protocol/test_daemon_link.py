"""The daemon's end: asking, admitting, displays, polls."""

from typing import Any

import msgspec
import pytest

from laws.seats import Seat
from protocol.daemon_link import DaemonLink
from protocol.decoding import Malformed, Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.limits import POLLS_MAX
from protocol.link import (
    BodyRejected,
    DownReason,
    LinkDown,
    LinkMisuseError,
    LinkRefused,
    LinkUp,
    Received,
    State,
)
from protocol.messages import (
    Ack,
    Ask,
    Display,
    Encoding,
    Held,
    Hello,
    Message,
    MessageTooLongError,
    Ping,
    Pong,
    RefusalReason,
    Refused,
    Shown,
    Vitals,
    Welcome,
    encode,
)
from protocol.pairing import daemon_proof, terminal_proof
from tests.protocol.samples import DISPLAY, EVENT, HELLO
from tests.protocol.wires import is_in, nonces

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


def test_ask_is_repeated_every_2_s_with_the_same_nonce() -> None:
    link, nonce = opened()
    for now in (2.0, 4.0, 6.0):
        assert link.deadline() == now
        link.tick(now)
        assert sent(link) == [Ask(1, nonce)]


def test_hello_is_welcomed() -> None:
    link, _ = opened()
    receive(link, hello())
    assert sent(link) == [Welcome(1, b"")]
    assert link.events_received() == [LinkUp(hello())]
    assert link.hello == hello()


@pytest.mark.parametrize("nonce", [NONCE, b""])
def test_a_repeated_hello_is_welcomed_again_and_tells_nothing_new(nonce: bytes) -> None:
    link, _ = opened()
    receive(link, hello(nonce))
    receive(link, hello(nonce), 1.0)
    assert sent(link) == [Welcome(1, b""), Welcome(1, b"")]
    assert link.events_received() == [LinkUp(hello(nonce))]


def test_hellos_that_crossed_the_welcome_are_not_answered() -> None:
    link = up()
    for _ in range(4):
        receive(link, hello(), 0.5)
    assert sent(link) == []
    receive(link, hello(), 2.0)
    assert sent(link) == [Welcome(1, b"")]


@pytest.mark.parametrize("again", [hello(b"m" * 16), hello(boot=8)])
def test_another_hello_opens_the_link_anew(again: Hello) -> None:
    link = up()
    receive(link, again)
    assert link.events_received() == [LinkDown(DownReason.REOPENED), LinkUp(again)]


@pytest.mark.parametrize("asked", [b"", b"old" * 5], ids=["none", "old"])
def test_an_opening_has_one_link_up_whatever_hellos_cross_its_ask(asked: bytes) -> None:
    link, _ = opened()
    receive(link, hello(asked=asked))
    assert is_in(State.OPENING, link)
    receive(link, hello())
    assert sent(link) == [Welcome(1, b"")]
    assert link.events_received() == [LinkUp(hello())]


def test_a_hello_that_answers_no_ask_reopens_a_link_that_is_up() -> None:
    link = up()
    receive(link, hello(b"m" * 16, asked=b""))
    (ask,) = sent(link)
    assert isinstance(ask, Ask)
    assert ask.nonce != ASKED
    assert link.events_received() == [LinkDown(DownReason.REOPENED)]
    receive(link, hello(asked=ask.nonce))
    assert is_in(State.UP, link)


def test_before_hello_nothing_else_is_heard() -> None:
    link, _ = opened()
    receive(link, EVENT)
    receive(link, Ping(0))
    assert link.counters.unexpected == 2
    assert sent(link) == []
    assert link.events_received() == []


def test_another_version_is_refused() -> None:
    link, _ = opened()
    receive(link, msgspec.structs.replace(hello(), version=2))
    assert sent(link) == [Refused(RefusalReason.VERSION, "this daemon speaks 1")]
    assert is_in(State.REFUSED, link)
    assert link.deadline() is None


def test_another_version_is_refused_whatever_else_its_hello_says() -> None:
    link, _ = opened()
    link.receive_data(encode_frame(b"\x93\x02\x09\x01"), 0.0)
    assert sent(link) == [Refused(RefusalReason.VERSION, "this daemon speaks 1")]


def test_a_hello_that_breaks_a_rule_is_refused_with_the_rule() -> None:
    link, _ = opened()
    values = [2, *msgspec.structs.astuple(hello())]
    values[2] = "S" * 34
    body = msgspec.msgpack.encode(values)
    for _ in range(2):
        link.receive_data(encode_frame(body), 0.0)
    text = "HELLO: serial: Expected `str` of length <= 32"
    refused = Refused(RefusalReason.MALFORMED, text)
    assert sent(link) == [refused, refused]
    assert link.events_received() == [LinkRefused(refused.reason, text, None)]
    assert link.counters.rejected == 2


def test_a_terminal_that_is_not_bound_here_is_refused_and_told_once() -> None:
    refused = Refused(RefusalReason.SERIAL, "expected SN-2, got SN-1")
    link, _ = opened(DaemonLink(nonces(), lambda _: refused))
    receive(link, hello())
    receive(link, hello())
    assert sent(link) == [refused, refused]
    assert link.events_received() == [
        LinkRefused(RefusalReason.SERIAL, refused.text, hello())
    ]


def test_a_terminal_may_be_refused_later_and_come_back() -> None:
    link = up()
    link.refuse(Refused(RefusalReason.BUSY))
    assert sent(link) == [Refused(RefusalReason.BUSY)]
    assert link.events_received() == [
        LinkDown(DownReason.REFUSED),
        LinkRefused(RefusalReason.BUSY, "", hello()),
    ]
    assert link.deadline() is None
    receive(link, hello())
    assert is_in(State.UP, link)


def test_what_a_refused_terminal_is_refused_for_next_is_told() -> None:
    link = up()
    link.refuse(Refused(RefusalReason.BUSY))
    receive(link, msgspec.structs.replace(hello(), version=2))
    told = [o for o in link.events_received() if isinstance(o, LinkRefused)]
    assert [o.reason for o in told] == [RefusalReason.BUSY, RefusalReason.VERSION]


def test_refusing_needs_a_carrier() -> None:
    with pytest.raises(LinkMisuseError):
        DaemonLink(nonces()).refuse(Refused(RefusalReason.BUSY))


def paired() -> tuple[DaemonLink, bytes, Hello]:
    link, nonce = opened(DaemonLink(nonces(), key=KEY))
    proof = terminal_proof(KEY, nonce, NONCE, "SN-1")
    return link, nonce, hello(asked=nonce, proof=proof)


def test_a_proved_hello_is_welcomed_with_a_proof() -> None:
    link, nonce, proved = paired()
    receive(link, proved)
    assert sent(link) == [Welcome(1, daemon_proof(KEY, nonce, NONCE, "SN-1"))]
    assert is_in(State.UP, link)


def test_a_wrong_proof_is_refused() -> None:
    link, nonce, _ = paired()
    wrong = terminal_proof(b"other", nonce, NONCE, "SN-1")
    receive(link, hello(asked=nonce, proof=wrong))
    assert sent(link) == [Refused(RefusalReason.PROOF, "the key is another")]


def test_a_proof_without_a_nonce_of_the_terminals_own_is_refused() -> None:
    link, nonce, _ = paired()
    proof = terminal_proof(KEY, nonce, b"", "SN-1")
    receive(link, hello(b"", nonce, proof))
    assert is_in(State.REFUSED, link)


def test_a_hello_that_answers_no_ask_or_an_old_one_waits_for_the_next() -> None:
    link, nonce, proved = paired()
    receive(link, hello(asked=b""))
    receive(link, hello(asked=b"old" * 5, proof=b"p" * 32))
    assert sent(link) == []
    assert is_in(State.OPENING, link)
    link.tick(2.0)
    assert sent(link) == [Ask(1, nonce)]
    receive(link, proved)
    assert is_in(State.UP, link)


def test_an_unasked_hello_on_a_link_that_was_up_is_asked_with_a_fresh_nonce() -> None:
    link, nonce, proved = paired()
    receive(link, proved)
    link.events_received()
    sent(link)
    receive(link, hello(b"m" * 16, asked=b""))
    (ask,) = sent(link)
    assert isinstance(ask, Ask)
    assert ask.nonce != nonce
    assert link.events_received() == [LinkDown(DownReason.REOPENED)]
    receive(link, proved)  # replayed: it answers the old ASK
    assert is_in(State.OPENING, link)


def test_an_unasked_hello_of_a_refused_terminal_is_asked() -> None:
    link, nonce, _ = paired()
    receive(link, hello(asked=nonce, proof=b"p" * 32))
    sent(link)
    receive(link, hello(asked=b""))
    assert [type(m) for m in sent(link)] == [Ask]


def malformed_event() -> bytes:
    values = [7, *msgspec.structs.astuple(EVENT)]
    values[7] = "Bogus"
    return msgspec.msgpack.encode(values)


def test_a_malformed_event_that_says_which_it_is_goes_up() -> None:
    link = up()
    link.receive_data(encode_frame(malformed_event()), 5.0)
    (received,) = link.events_received()
    assert isinstance(received, Received)
    assert isinstance(received.message, Malformed)
    assert (received.message.boot, received.message.n) == (7, 0)
    assert received.message.body == malformed_event()
    assert received.message.reason.startswith("EVENT: kind: Expected `str` matching")
    assert link.counters.rejected == 1
    link.tick(8.0)
    assert is_in(State.UP, link)  # it was a sign of life


def test_a_malformed_event_before_the_link_is_up_is_none() -> None:
    link, _ = opened()
    link.receive_data(encode_frame(malformed_event()), 0.0)
    (rejected,) = link.events_received()
    assert isinstance(rejected, BodyRejected)


def test_a_body_that_is_no_message_is_told() -> None:
    link = up()
    link.receive_data(encode_frame(b"\x92\x07\x07"), 0.0)
    assert link.events_received() == [
        BodyRejected("EVENT: Expected `array` of at least length 8, got 2")
    ]


def test_events_go_up_as_they_come_and_are_not_acknowledged() -> None:
    link = up()
    receive(link, EVENT)
    receive(link, EVENT)
    assert link.events_received() == [Received(EVENT), Received(EVENT)]
    assert sent(link) == []


def test_an_ack_is_sent_while_the_link_is_up() -> None:
    link = up()
    assert link.send(Ack(7, 0), 0.0)
    assert sent(link) == [Ack(7, 0)]
    link.closed()
    assert not link.send(Ack(7, 0), 0.0)


def test_a_display_is_repeated_until_it_is_shown() -> None:
    link = up()
    assert link.send(display(3), 0.0)
    assert sent(link) == [display(3)]
    for now in (1.0, 3.0):
        receive(link, Ping(0), now)  # silence is no matter here
        sent(link)
        assert link.deadline() == now
        link.tick(now)
        assert sent(link) == [display(3)]
    receive(link, Shown(1, 3, Seat.NORTH), 3.0)
    assert link.events_received() == [Received(Shown(1, 3, Seat.NORTH))]
    link.tick(7.0)
    assert display(3) not in sent(link)


def test_each_display_has_its_own_wait() -> None:
    link, _ = opened()
    receive(link, msgspec.structs.replace(hello(), seats=tuple(Seat)))
    link.send(display(3), 0.0)
    link.send(display(3, seat=Seat.EAST), 0.5)
    sent(link)
    link.tick(1.0)
    assert sent(link) == [display(3)]
    link.tick(1.5)
    assert sent(link) == [display(3, seat=Seat.EAST)]


def test_an_older_shown_does_not_end_the_repeats() -> None:
    link = up()
    link.send(display(3), 0.0)
    sent(link)
    receive(link, Shown(1, 2, Seat.NORTH))
    receive(link, Shown(1, 9, Seat.EAST))
    link.tick(1.0)
    assert sent(link) == [display(3)]


def test_the_greatest_epoch_and_rev_wins() -> None:
    link = up()
    assert link.send(display(3, epoch=2), 0.0)
    assert not link.send(display(9, epoch=1), 0.0)
    assert not link.send(display(2, epoch=2), 0.0)
    assert link.send(display(1, epoch=3), 0.0)
    assert sent(link) == [display(3, epoch=2), display(1, epoch=3)]
    link.tick(1.0)
    assert sent(link) == [display(1, epoch=3)]


def reopen(link: DaemonLink, again: Hello) -> None:
    """The terminal is there again after its carrier was away."""
    link.closed()
    link.opened(0.0)
    (ask,) = sent(link)
    assert isinstance(ask, Ask)
    receive(link, msgspec.structs.replace(again, asked=ask.nonce))


def test_displays_are_sent_when_the_link_comes_up_again() -> None:
    link = up()
    link.send(display(3), 0.0)
    sent(link)
    receive(link, Shown(1, 3, Seat.NORTH))
    link.closed()
    assert link.send(display(4), 0.0)
    assert sent(link) == []
    link.opened(0.0)
    link.closed()
    reopen(link, hello())
    assert sent(link) == [Welcome(1, b""), display(4)]


def test_a_display_before_the_first_hello_was_made_for_nobody() -> None:
    link, _ = opened()
    assert not link.send(display(3), 0.0)
    receive(link, hello())
    assert sent(link) == [Welcome(1, b"")]


@pytest.mark.parametrize(
    "change", [{"columns": 40}, {"rows": 8}, {"encoding": Encoding.UTF_8}]
)
def test_a_display_that_was_fitted_to_another_terminal_is_forgotten(
    change: dict[str, Any],
) -> None:
    link = up()
    link.send(display(3), 0.0)
    sent(link)
    reopen(link, msgspec.structs.replace(hello(), **change))
    assert sent(link) == [Welcome(1, b"")]


def test_the_same_display_again_is_answered_and_not_sent() -> None:
    link = up()
    link.send(display(3), 0.0)
    assert link.send(display(3), 0.5)
    assert sent(link) == [display(3)]
    assert link.events_received() == []
    shown = Received(Shown(1, 3, Seat.NORTH))
    receive(link, Shown(1, 3, Seat.NORTH))
    assert link.send(display(3), 1.0)
    assert sent(link) == []
    assert link.events_received() == [shown, shown]


def test_a_display_for_a_seat_that_the_terminal_does_not_serve_waits() -> None:
    link = up()
    assert link.send(display(3, seat=Seat.EAST), 0.0)
    assert sent(link) == []
    link.tick(1.0)
    assert sent(link) == []


def test_a_display_too_long_for_the_wire_is_our_mistake_and_is_not_kept() -> None:
    link = up()
    long = msgspec.structs.replace(DISPLAY, pages=(("x" * 100,) * 20,))
    with pytest.raises(MessageTooLongError):
        link.send(long, 0.0)
    link.tick(1.0)
    assert sent(link) == []


def test_a_poll_is_repeated_until_its_pong() -> None:
    link = up()
    assert link.send(Ping(9), 0.0)
    assert sent(link) == [Ping(9)]
    link.tick(1.0)
    assert sent(link) == [Ping(9)]
    receive(link, Pong(9, 7, 0), 1.0)
    receive(link, Pong(9, 7, 0), 1.0)
    assert link.events_received() == [Received(Pong(9, 7, 0))]
    link.tick(3.0)
    assert sent(link) == [Ping(0)]


def test_each_poll_has_its_own_wait() -> None:
    link = up()
    link.send(Ping(9), 0.0)
    link.send(Ping(10), 0.5)
    sent(link)
    link.tick(1.0)
    assert sent(link) == [Ping(9)]


def test_the_oldest_of_too_many_polls_gives_way() -> None:
    link = up()
    for token in range(1, POLLS_MAX + 2):
        link.send(Ping(token), 0.0)
    link.send(Ping(2), 0.0)
    sent(link)
    link.tick(1.0)
    tokens = [m.token for m in sent(link) if isinstance(m, Ping)]
    assert sorted(tokens) == list(range(2, POLLS_MAX + 2))


def test_polls_end_with_the_link() -> None:
    link = up()
    link.send(Ping(9), 0.0)
    receive(link, hello(b"m" * 16))
    assert is_in(State.UP, link)
    sent(link)
    link.tick(1.0)
    assert sent(link) == []
    link.closed()
    assert not link.send(Ping(9), 2.0)


def test_a_ping_is_answered_and_its_vitals_are_handed_up() -> None:
    link = up()
    receive(link, Ping(4))
    receive(link, Ping(0, Vitals(80)))
    assert sent(link) == [Pong(4, 0, 0), Pong(0, 0, 0)]
    assert link.events_received() == [Received(Ping(0, Vitals(80)))]


@pytest.mark.parametrize("message", [Ping(0), EVENT, Welcome()], ids=type)
def test_what_a_daemons_shell_does_not_send_is_our_mistake(message: Message) -> None:
    with pytest.raises(LinkMisuseError, match="a daemon sends"):
        up().send(message, 0.0)
