"""The daemon's end once the link is up: events, displays, polls."""

from typing import Any

import msgspec
import pytest

from laws.seats import Seat
from protocol.daemon_link import DaemonLink
from protocol.limits import POLLS_MAX
from protocol.link import (
    LinkMisuseError,
    Received,
    State,
)
from protocol.messages import (
    Ack,
    Ask,
    Encoding,
    Hello,
    Message,
    MessageTooLongError,
    Ping,
    Pong,
    Shown,
    Vitals,
    Welcome,
)
from tests.protocol.daemon_links import (
    display,
    hello,
    opened,
    receive,
    sent,
    up,
)
from tests.protocol.samples import DISPLAY, EVENT
from tests.protocol.wires import is_in


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
