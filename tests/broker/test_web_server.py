"""How many connections a web server has at once, and how many files it may open."""

import contextlib
import resource
import socket
from collections.abc import Iterator

import pytest

from broker.open_files import allow_all_files
from broker.web_server import CONNECTIONS_MAX, TELL_S, CappedListener
from tests.connections import ONE, OTHER

PROXY = "127.0.0.1"


class Listener(CappedListener):
    """One on loopback, whose clock the tests put forward."""

    def __init__(self) -> None:
        self.now = 0.0
        at = socket.create_server((PROXY, 0))
        super().__init__(at, {PROXY}.__contains__, lambda: self.now)
        self.clients: list[socket.socket] = []

    def client(self, address: str) -> socket.socket:
        """Somebody who connects from there."""
        self.clients.append(
            socket.create_connection(self.getsockname(), source_address=(address, 0))
        )
        return self.clients[-1]

    def is_full(self, address: str) -> bool:
        """Whether the next one from there is closed at once."""
        client = self.client(address)
        try:
            self.accept()[0].close()
        except BlockingIOError:  # it has looked at one, which it closed
            assert client.recv(1) == b""
            return True
        return False


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """One that takes a single connection of an address, and looks at one at a time."""
    monkeypatch.setattr("broker.web_server.ADDRESS_MAX", 1)
    monkeypatch.setattr("broker.web_server.BACKLOG", 1)
    with Listener() as it:
        yield it
        for each in it.clients:
            each.close()


def test_what_is_sent_does_not_wait_for_an_acknowledgement(
    listener: Listener,
) -> None:
    listener.client(ONE)
    with listener.accept()[0] as accepted:
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_address_has_so_many_and_another_its_own(listener: Listener) -> None:
    client = listener.client(ONE)
    accepted, address = listener.accept()
    with accepted:
        assert address == client.getsockname()
        assert listener.is_full(ONE)
        assert not listener.is_full(OTHER)


def test_who_is_too_many_keeps_nobody_waiting(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.web_server.BACKLOG", 2)
    listener.client(ONE)
    with listener.accept()[0]:
        listener.client(ONE)
        other = listener.client(OTHER)
        accepted, address = listener.accept()
        accepted.close()
    assert address == other.getsockname()


def test_after_one_has_left_another_may_come(listener: Listener) -> None:
    listener.client(ONE)
    accepted, _ = listener.accept()
    assert listener.is_full(ONE)
    accepted.close()
    accepted.close()  # twice is once
    listener.client(ONE)
    with listener.accept()[0]:
        assert listener.is_full(ONE)


def test_a_proxy_brings_the_connections_of_many(listener: Listener) -> None:
    listener.client(PROXY)
    with listener.accept()[0]:
        assert not listener.is_full(PROXY)


def test_half_of_the_files_are_kept_for_others(
    few_files: int, request: pytest.FixtureRequest
) -> None:
    listener: Listener = request.getfixturevalue("listener")
    allow_all_files()  # the clients have files of this process, too
    with contextlib.ExitStack() as stack:
        for _ in range(few_files // 2):
            assert not listener.is_full(OTHER)
            listener.client(PROXY)
            stack.enter_context(listener.accept()[0])
        assert listener.is_full(PROXY)
        assert listener.is_full(OTHER)


def test_with_few_files_one_address_has_a_third_of_the_connections(
    few_files: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener: Listener = request.getfixturevalue("listener")
    allow_all_files()  # the clients have files of this process, too
    monkeypatch.setattr("broker.web_server.ADDRESS_MAX", few_files)
    with contextlib.ExitStack() as stack:
        for _ in range(few_files // 2 // 3):
            listener.client(ONE)
            stack.enter_context(listener.accept()[0])
        assert listener.is_full(ONE)
        assert not listener.is_full(OTHER)


def test_who_is_closed_is_told_once_a_minute_with_how_many(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    listener.client(ONE)
    with listener.accept()[0]:
        for now in (0.0, 1.0, TELL_S - 1, TELL_S, TELL_S + 1):
            listener.now = now
            assert listener.is_full(ONE)
    assert [record.getMessage() for record in caplog.records] == [
        f"connections closed at once: {count}, the last from {ONE};"
        f" open: 1 of at most {CONNECTIONS_MAX}, from there 1 of at most 1"
        for count in (1, 3)
    ]


def test_the_limit_of_files_is_raised_as_far_as_it_may_be(few_files: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft == few_files < hard
    allow_all_files()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
