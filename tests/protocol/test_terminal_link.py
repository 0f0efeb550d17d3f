"""The terminal's end: answering, logging, sending until acknowledged, showing."""

import msgspec
import pytest

from laws.seats import Seat
from protocol.decoding import Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.happenings import EventKey
from protocol.limits import WINDOW
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
    Event,
    Held,
    Hello,
    InvalidMessageError,
    Lost,
    Message,
    Part,
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
from protocol.parts import Reassembler
from protocol.store import MemoryStore, StoreFullError
from protocol.terminal_link import Identity, TerminalLink
from tests.protocol.samples import DISPLAY, EVENT
from tests.protocol.wires import is_in, nonces, passed

KEY = b"k" * 16
NONCE = b"n" * 16
IDENTITY = Identity("SN-1", (Seat.NORTH, Seat.SOUTH))


def sent(link: TerminalLink) -> list[Message]:
    messages: list[Message] = []
    parts = Reassembler()
    for body in FrameDecoder().receive(link.data_to_send()):
        message = decode(body)
        if isinstance(message, Part):
            whole = parts.receive(message)
            if whole is None:
                continue
            message = decode(whole)
        assert not isinstance(message, Rejected | Unknown)
        messages.append(message)
    return messages


def numbers(link: TerminalLink) -> list[tuple[int, ...]]:
    return [
        (m.boot, m.n) if isinstance(m, Event) else (m.boot, m.first, m.last)
        for m in sent(link)
        if isinstance(m, Event | Lost)
    ]


def receive(link: TerminalLink, message: Message, now: float = 0.0) -> None:
    for body in encode(message):
        link.receive_data(encode_frame(body), now)


def opened(
    store: MemoryStore | None = None, key: bytes | None = None
) -> tuple[TerminalLink, Hello]:
    link = TerminalLink(IDENTITY, store or MemoryStore(7), nonces(), key)
    link.opened(0.0)
    (hello,) = sent(link)
    assert isinstance(hello, Hello)
    return link, hello


def asked(
    store: MemoryStore | None = None, key: bytes | None = None
) -> tuple[TerminalLink, Hello]:
    """A terminal that has answered an ASK, and its answer."""
    link, _ = opened(store, key)
    receive(link, Ask(1, NONCE))
    (hello,) = sent(link)
    assert isinstance(hello, Hello)
    return link, hello


def up(store: MemoryStore | None = None) -> TerminalLink:
    link, _ = asked(store)
    receive(link, Welcome())
    link.events_received()
    return link


def display(rev: int, epoch: int = 1, seat: Seat = Seat.NORTH) -> Display:
    return msgspec.structs.replace(DISPLAY, epoch=epoch, rev=rev, seat=seat, play=5)


def test_hello_is_said_at_once_and_every_2_s_until_welcome() -> None:
    link, hello = opened()
    assert hello.held == (Held(7, 0, 0),)
    assert hello.nonce != b""
    assert (hello.asked, hello.proof) == (b"", b"")
    for now in (2.0, 4.0):
        assert link.deadline() == now
        link.tick(now)
        assert sent(link) == [hello]
    receive(link, Ask(1, NONCE), 4.5)
    (answer,) = sent(link)
    assert isinstance(answer, Hello)
    receive(link, Welcome(), 5.0)
    assert link.events_received() == [LinkUp(answer)]
    link.tick(6.0)
    assert sent(link) == []


def test_a_welcome_before_any_ask_is_of_an_opening_before() -> None:
    link, _ = opened()
    receive(link, Welcome())
    assert is_in(State.OPENING, link)
    assert link.counters.unexpected == 1


def test_an_ask_is_answered_at_once_with_a_nonce_of_its_own() -> None:
    link, unasked = opened()
    receive(link, Ask(1, NONCE))
    (hello,) = sent(link)
    assert isinstance(hello, Hello)
    assert hello.asked == NONCE
    assert hello.nonce != unasked.nonce
    receive(link, Ask(1, NONCE))
    assert sent(link) == [hello]


def test_an_ask_on_a_link_that_is_up_opens_it_anew() -> None:
    link = up()
    receive(link, Ask(1, NONCE))
    assert link.events_received() == [LinkDown(DownReason.ASKED)]
    assert is_in(State.OPENING, link)
    link.press(passed(), 0.0)
    assert [type(m) for m in sent(link)] == [Hello]
    receive(link, Welcome())
    assert numbers(link) == [(7, 0)]


def test_a_second_welcome_changes_nothing() -> None:
    link = up()
    receive(link, Welcome())
    assert link.events_received() == []
    assert link.counters.unexpected == 0


def test_a_welcome_of_another_version_is_not_believed() -> None:
    link, _ = asked()
    receive(link, Welcome(2))
    assert is_in(State.OPENING, link)
    assert link.counters.unexpected == 1


def test_a_paired_terminal_proves_its_key_and_wants_a_proof() -> None:
    link, unasked = opened(key=KEY)
    assert unasked.proof == b""
    receive(link, Welcome())
    assert is_in(State.OPENING, link)
    receive(link, Ask(1, NONCE))
    (hello,) = sent(link)
    assert isinstance(hello, Hello)
    assert hello.proof == terminal_proof(KEY, NONCE, hello.nonce, "SN-1")
    receive(link, Welcome(1, daemon_proof(b"other", NONCE, hello.nonce, "SN-1")))
    assert is_in(State.OPENING, link)
    receive(link, Welcome(1, daemon_proof(KEY, NONCE, hello.nonce, "SN-1")))
    assert is_in(State.UP, link)


def test_a_refused_terminal_says_hello_again_after_30_s() -> None:
    link, _ = asked()
    receive(link, Refused(RefusalReason.SERIAL, "expected SN-2"), 1.0)
    (refused,) = link.events_received()
    assert isinstance(refused, LinkRefused)
    assert (refused.reason, refused.text) == (RefusalReason.SERIAL, "expected SN-2")
    assert link.deadline() == 31.0
    link.tick(31.0)
    assert [type(m) for m in sent(link)] == [Hello]
    assert link.deadline() == 61.0
    receive(link, Welcome(), 32.0)
    assert is_in(State.UP, link)


def test_a_terminal_may_be_refused_while_it_is_up() -> None:
    link = up()
    receive(link, Refused(RefusalReason.BUSY))
    down, refused = link.events_received()
    assert down == LinkDown(DownReason.REFUSED)
    assert isinstance(refused, LinkRefused)


def test_before_welcome_nothing_but_the_opening_is_heard() -> None:
    link, _ = opened()
    receive(link, display(1))
    receive(link, Ack(7, -1))
    assert link.counters.unexpected == 2
    assert sent(link) == []


def test_a_press_answers_what_its_seat_shows() -> None:
    link = up()
    receive(link, display(3))
    event = link.press(passed(), 1.0)
    assert (event.boot, event.n, event.play, event.rev) == (7, 0, 5, 3)
    other = link.press(EventKey("claim", Seat.SOUTH, None, (3,)), 1.0)
    assert (other.n, other.play, other.rev) == (1, 0, 0)
    assert [m for m in sent(link) if isinstance(m, Event)] == [event, other]


def test_a_press_without_a_link_is_kept_and_its_age_told() -> None:
    link, _ = asked()
    link.press(passed(), 1.0)
    assert link.unacknowledged == 1
    receive(link, Welcome(), 3.5)
    (event,) = sent(link)
    assert isinstance(event, Event)
    assert event.age_ms == 2500


def test_an_event_made_by_the_shell_is_numbered_and_keeps_its_age() -> None:
    link = up()
    assert link.send(msgspec.structs.replace(EVENT, n=99, age_ms=250), 10.0)
    assert sent(link) == [msgspec.structs.replace(EVENT, n=0, age_ms=250)]


def test_what_a_terminals_shell_does_not_send_is_our_mistake() -> None:
    with pytest.raises(LinkMisuseError, match="a terminal sends Event, not Ping"):
        up().send(Ping(0), 0.0)


def test_a_press_that_no_message_can_carry_is_not_logged() -> None:
    link = up()
    with pytest.raises(InvalidMessageError):
        link.press(EventKey("Call", Seat.NORTH, None, ()), 0.0)
    assert link.unacknowledged == 0


def test_a_full_store_refuses_the_key() -> None:
    link = up(MemoryStore(7, capacity=1))
    link.press(passed(), 0.0)
    with pytest.raises(StoreFullError):
        link.press(passed(), 0.0)


def test_events_are_repeated_after_1_2_4_s_until_their_ack() -> None:
    link = up()
    link.press(passed(), 0.0)
    link.press(passed(), 0.0)
    assert numbers(link) == [(7, 0), (7, 1)]
    for now in (1.0, 3.0):
        receive(link, Pong(0, 0, 0), now)
        assert link.deadline() == now
        link.tick(now)
        assert numbers(link) == [(7, 0), (7, 1)]
    receive(link, Ack(7, 1), 4.0)
    assert link.events_received() == [Received(Ack(7, 1))]
    assert link.unacknowledged == 0
    link.tick(7.0)
    assert numbers(link) == []


def test_an_ack_restarts_the_wait_for_what_follows() -> None:
    link = up()
    link.press(passed(), 0.0)
    link.press(passed(), 0.0)
    receive(link, Ack(7, 0), 0.9)
    sent(link)
    link.tick(1.0)
    assert numbers(link) == []
    link.tick(1.9)
    assert numbers(link) == [(7, 1)]


def test_an_ack_opens_the_window() -> None:
    link = up()
    for _ in range(WINDOW + 5):
        link.press(passed(), 0.0)
    assert len(numbers(link)) == WINDOW
    receive(link, Ack(7, 2), 0.1)
    assert numbers(link) == [(7, WINDOW), (7, WINDOW + 1), (7, WINDOW + 2)]


def test_a_repeated_ack_sends_again_from_the_next_at_once() -> None:
    link = up()
    for _ in range(3):
        link.press(passed(), 0.0)
    receive(link, Ack(7, 0), 0.1)
    sent(link)
    receive(link, Ack(7, 0), 0.5)
    assert numbers(link) == [(7, 1), (7, 2)]


def test_repeated_acks_in_a_row_send_again_once() -> None:
    link = up()
    link.press(passed(), 0.0)
    link.press(passed(), 0.0)
    receive(link, Ack(7, 0), 0.05)
    sent(link)
    for _ in range(5):
        receive(link, Ack(7, 0), 0.1)
    assert numbers(link) == []
    assert link.deadline() == 0.2
    link.tick(0.2)
    assert numbers(link) == [(7, 1)]


def test_the_first_ack_of_a_link_repeats_none_though_it_names_the_same() -> None:
    link = up()
    for _ in range(3):
        link.press(passed(), 0.0)
    receive(link, Ack(7, 0), 0.1)
    receive(link, Ask(1, b"m" * 16), 0.5)
    receive(link, Welcome(), 0.5)
    sent(link)
    receive(link, Ack(7, 0), 1.0)
    assert numbers(link) == []
    receive(link, Ack(7, 0), 1.1)
    assert numbers(link) == [(7, 1), (7, 2)]


def test_the_first_ack_of_a_link_may_be_older_than_the_last_one_before() -> None:
    link = up()
    for _ in range(3):
        link.press(passed(), 0.0)
    receive(link, Ack(7, 1), 0.1)
    receive(link, Ask(1, b"m" * 16), 0.5)
    receive(link, Welcome(), 0.5)
    sent(link)
    receive(link, Ack(7, 0), 1.0)
    assert numbers(link) == [(7, 1, 1), (7, 2)]


def test_a_repeated_ack_with_nothing_to_send_changes_nothing() -> None:
    link = up()
    link.press(passed(), 0.0)
    receive(link, Ack(7, 0))
    receive(link, Ack(7, 0), 5.0)
    assert numbers(link) == [(7, 0)]


def test_an_ack_of_what_was_forgotten_is_answered_by_lost() -> None:
    link = up()
    for _ in range(3):
        link.press(passed(), 0.0)
    receive(link, Ack(7, 1), 0.1)
    sent(link)
    receive(link, Ack(7, -1), 1.0)
    assert numbers(link) == [(7, 0, 1), (7, 2)]
    receive(link, Ack(7, 1), 1.1)
    receive(link, Ack(7, 2), 1.2)
    assert link.unacknowledged == 0


@pytest.mark.parametrize("ack", [Ack(7, 1), Ack(8, 0), Ack(6, 3)])
def test_an_ack_of_what_never_was_is_not_believed(ack: Ack) -> None:
    link = up()
    link.press(passed(), 0.0)
    receive(link, ack)
    assert link.unacknowledged == 1
    assert link.counters.unexpected == 1


def test_events_of_earlier_boots_come_first_and_their_age_is_unknown() -> None:
    link = up(MemoryStore(7, volatile=False))
    link.press(passed(), 0.0)
    store = link._store
    assert isinstance(store, MemoryStore)
    link, hello = asked(store.restarted())
    assert hello.held == (Held(7, 0, 1), Held(8, 0, 0))
    link.press(passed(), 0.0)
    receive(link, Welcome())
    old, new = sent(link)
    assert isinstance(old, Event)
    assert isinstance(new, Event)
    assert (old.boot, old.n, old.age_ms) == (7, 0, 2**32 - 1)
    assert (new.boot, new.n, new.age_ms) == (8, 0, 0)
    receive(link, Ack(7, 0))
    assert link.unacknowledged == 1


def test_a_display_is_shown_and_said_to_be() -> None:
    link = up()
    receive(link, display(3))
    assert link.events_received() == [Received(display(3))]
    assert sent(link) == [Shown(1, 3, Seat.NORTH)]
    assert link.displays[Seat.NORTH] == display(3)


def test_the_same_or_an_older_display_is_answered_by_what_is_shown() -> None:
    link = up()
    receive(link, display(3, epoch=2))
    link.events_received()
    sent(link)
    for other in (display(3, epoch=2), display(2, epoch=2), display(9, epoch=1)):
        receive(link, other)
        assert sent(link) == [Shown(2, 3, Seat.NORTH)]
        assert link.events_received() == []
    receive(link, display(1, epoch=3))
    assert sent(link) == [Shown(3, 1, Seat.NORTH)]


def test_seats_have_displays_of_their_own() -> None:
    link = up()
    receive(link, display(3))
    receive(link, display(1, seat=Seat.SOUTH))
    assert sent(link) == [Shown(1, 3, Seat.NORTH), Shown(1, 1, Seat.SOUTH)]
    receive(link, display(1, seat=Seat.EAST))
    assert sent(link) == []
    assert link.counters.unexpected == 1


def test_after_a_new_opening_any_display_is_shown() -> None:
    link = up()
    receive(link, display(3, epoch=2))
    receive(link, Ask(1, NONCE))
    receive(link, Welcome())
    sent(link)
    assert link.displays[Seat.NORTH] == display(3, epoch=2)
    receive(link, display(1, epoch=1))
    assert sent(link) == [Shown(1, 1, Seat.NORTH)]


def test_an_event_is_none_that_a_terminal_takes_malformed_or_not() -> None:
    link = up()
    malformed = msgspec.msgpack.encode([7, 7, 0, "N", 1, 1, 0, "Bogus"])
    link.receive_data(encode_frame(malformed), 0.0)
    (rejected,) = link.events_received()
    assert isinstance(rejected, BodyRejected)


def test_a_poll_is_answered_after_the_events_on_their_way() -> None:
    link = up()
    link.press(passed(), 0.0)
    receive(link, Ping(9))
    event, pong = sent(link)
    assert isinstance(event, Event)
    assert pong == Pong(9, 7, 1)


def test_vitals_travel_at_least_every_10_s() -> None:
    link = up()
    link.vitals = Vitals(80, None, 12, "power")
    for now in range(1, 10):
        receive(link, Pong(0, 0, 0), float(now))
        link.tick(float(now))
    assert sent(link) == []
    assert link.deadline() == 10.0
    link.tick(10.0)
    assert sent(link) == [Ping(0, Vitals(80, None, 12, "power"))]
