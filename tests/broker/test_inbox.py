"""The bounded inbox, the order of acknowledgements and the delays: no broker needed."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.backoff import Backoff
from broker.inbox import AckWindow, Inbox, Message


def message(number: int) -> Message:
    return Message("t", b"%d" % number)


def test_a_batch_is_what_waits_oldest_first() -> None:
    inbox = Inbox(10, lambda: None)
    for number in range(5):
        inbox.put(message(number))
    assert [m.payload for m in inbox.take(3)] == [b"0", b"1", b"2"]
    assert [m.payload for m in inbox.take(3)] == [b"3", b"4"]
    assert inbox.take(3) == []


def test_reading_goes_on_when_half_of_a_full_inbox_is_taken() -> None:
    resumed: list[bool] = []
    inbox = Inbox(4, lambda: resumed.append(inbox.full))
    for number in range(4):
        assert not inbox.full
        inbox.put(message(number))
    assert inbox.full
    inbox.take(1)
    assert inbox.full
    inbox.take(1)
    assert resumed == [False]


def test_a_limit_below_1_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Inbox(0, lambda: None)


async def test_whoever_waits_is_woken_by_a_message() -> None:
    inbox = Inbox(4, lambda: None)
    waiting = asyncio.create_task(inbox.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    inbox.put(message(1))
    await waiting


@given(st.permutations(range(1, 9)))
def test_pubacks_go_out_in_the_order_of_arrival(order: list[int]) -> None:
    sent: list[int] = []
    window = AckWindow(sent.append)
    for mid in range(1, 9):
        assert window.admit(mid)
    for mid in order:
        window.ack(mid)
        window.ack(mid)
        assert sent == sorted(sent)
    assert sent == list(range(1, 9))


def test_a_copy_of_what_still_waits_is_not_admitted_again() -> None:
    window = AckWindow(lambda _: None)
    assert window.admit(1)
    assert not window.admit(1)
    window.ack(1)
    assert window.admit(1)


def test_nothing_is_acknowledged_on_a_connection_that_is_gone() -> None:
    sent: list[int] = []
    window = AckWindow(sent.append)
    window.admit(1)
    window.close()
    window.ack(1)
    assert sent == []


def test_a_message_without_a_window_needs_no_acknowledgement() -> None:
    Message("t", b"").ack()


def test_delays_are_drawn_below_a_ceiling_that_doubles() -> None:
    class Highest(random.Random):
        def uniform(self, a: float, b: float) -> float:
            assert a == 0
            return b

    backoff = Backoff(first=1.0, longest=10.0, source=Highest())
    delays = [backoff.next_delay() for _ in range(6)]
    assert delays == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    backoff.failures = 100_000
    assert backoff.next_delay() == 10.0
    backoff.reset()
    assert backoff.next_delay() == 1.0
