"""The daemon's end: asking, admitting, refusing."""

import msgspec
import pytest

from protocol.daemon_link import DaemonLink
from protocol.decoding import Malformed
from protocol.frame import encode_frame
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
    Ask,
    Hello,
    Ping,
    RefusalReason,
    Refused,
    Welcome,
)
from protocol.pairing import daemon_proof, terminal_proof
from tests.protocol.daemon_links import (
    ASKED,
    KEY,
    NONCE,
    hello,
    opened,
    receive,
    sent,
    up,
)
from tests.protocol.samples import EVENT
from tests.protocol.wires import is_in, nonces


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


def test_a_terminal_that_skips_the_proof_is_refused() -> None:
    link, nonce, _ = paired()
    receive(link, hello(asked=nonce))
    assert sent(link) == [Refused(RefusalReason.PROOF, "it proves no key")]


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


def test_who_goes_on_answering_an_earlier_opening_is_refused() -> None:
    link, _, _ = paired()
    recorded = hello(asked=b"old" * 5, proof=b"p" * 32)
    for now in (0.0, 0.1, 0.2, 2.0, 2.1):  # the ASK is repeated at 2 s and 4 s
        link.tick(now)
        receive(link, recorded, now)
        assert is_in(State.OPENING, link), "its answer may still be on its way"
    link.tick(4.0)
    receive(link, recorded, 4.0)
    assert is_in(State.REFUSED, link)
    (refused,) = [r for r in link.events_received() if isinstance(r, LinkRefused)]
    assert refused.reason is RefusalReason.PROOF
    assert "replay" in refused.text


def test_on_an_open_link_nobody_can_be_taken_for_a_recording() -> None:
    link, _ = opened()
    for now in (0.0, 2.0, 4.0, 6.0, 8.0):
        link.tick(now)
        receive(link, hello(asked=b"old" * 5), now)
    assert is_in(State.OPENING, link)


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
