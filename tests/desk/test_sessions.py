"""How long a login holds, and how often a password may be tried."""

from desk.login_limits import (
    FORGET_S,
    FREE,
    FREE_OF_ADDRESS,
    LONGEST_S,
    LoginLimits,
)
from desk.role import Role
from desk.sessions import IDLE_S, MOST, Sessions
from desk.sessions import LONGEST_S as LONGEST_SESSION_S
from desk.users import User

ANA = User(name="Ana", role=Role.DIRECTOR, password="$argon2id$")  # noqa: S106 - none


class TestSession:
    def test_its_id_is_random_and_long(self) -> None:
        sessions = Sessions()
        first, second = sessions.begin(ANA, 0), sessions.begin(ANA, 0)
        assert first.id != second.id
        assert len(first.id) >= 43  # 256 bits

    def test_it_holds_as_long_as_it_is_used(self) -> None:
        sessions = Sessions()
        session = sessions.begin(ANA, 0)
        assert sessions.get(session.id, IDLE_S) is session
        assert sessions.get(session.id, 2 * IDLE_S) is session

    def test_it_ends_when_nobody_uses_it(self) -> None:
        sessions = Sessions()
        session = sessions.begin(ANA, 0)
        assert sessions.get(session.id, IDLE_S + 1) is None
        assert sessions.get(session.id, 1) is None

    def test_it_ends_after_a_day_however_it_is_used(self) -> None:
        sessions = Sessions()
        session = sessions.begin(ANA, 0)
        now = 0.0
        while now + IDLE_S < LONGEST_SESSION_S:
            now += IDLE_S
            assert sessions.get(session.id, now) is session
        assert sessions.get(session.id, LONGEST_SESSION_S + 1) is None

    def test_logging_out_ends_it(self) -> None:
        sessions = Sessions()
        session = sessions.begin(ANA, 0)
        sessions.end(session.id)
        assert sessions.get(session.id, 0) is None
        sessions.end(session.id)

    def test_there_are_only_so_many(self) -> None:
        sessions = Sessions()
        ids = [sessions.begin(ANA, now).id for now in range(MOST + 1)]
        assert sessions.get(ids[0], MOST) is None
        assert sessions.get(ids[1], MOST) is not None


class TestLoginLimits:
    def test_after_a_few_tries_one_waits_ever_longer(self) -> None:
        limits, now, waits = LoginLimits(), 0.0, []
        for _ in range(FREE + 12):
            wait = limits.attempt("Ana", "192.0.2.1", now)
            now += wait
            waits.append(wait)
            if wait:
                assert limits.attempt("Ana", "192.0.2.1", now) == 0
        assert waits[:FREE] == [0] * FREE
        assert waits[FREE : FREE + 4] == [2, 4, 8, 16]
        assert max(waits) == LONGEST_S

    def test_a_try_that_has_to_wait_does_not_count(self) -> None:
        limits = LoginLimits()
        for _ in range(FREE):
            limits.attempt("Ana", "192.0.2.1", 0)
        first = limits.attempt("Ana", "192.0.2.1", 0)
        assert [limits.attempt("Ana", "192.0.2.1", 0) for _ in range(9)] == [first] * 9

    def test_others_at_the_same_address_do_not_wait(self) -> None:
        limits = LoginLimits()
        for _ in range(FREE):
            limits.attempt("Ana", "192.0.2.1", 0)
        assert limits.attempt("Bo", "192.0.2.1", 0) == 0
        assert limits.attempt("Ana", "192.0.2.2", 0) == 0
        assert limits.attempt(" ana", "192.0.2.1", 0) > 0

    def test_many_names_from_one_address_wait_too(self) -> None:
        limits = LoginLimits()
        tried = [limits.attempt(f"u{n}", "192.0.2.1", 0) for n in range(100)]
        assert tried.count(0) == FREE_OF_ADDRESS

    def test_an_ipv6_network_is_one_address(self) -> None:
        limits = LoginLimits()
        for n in range(FREE):
            limits.attempt("Ana", f"2001:db8::{n}", 0)
        assert limits.attempt("Ana", "2001:db8::ff", 0) > 0
        assert limits.attempt("Ana", "2001:db8:0:1::1", 0) == 0

    def test_the_right_password_clears_the_user(self) -> None:
        limits = LoginLimits()
        for _ in range(40):  # many log in rightly from one hall
            assert limits.attempt("Ana", "192.0.2.1", 0) == 0
            limits.succeeded("Ana", "192.0.2.1")

    def test_after_an_hour_nothing_is_held_against_anybody(self) -> None:
        limits = LoginLimits()
        for _ in range(FREE):
            limits.attempt("Ana", "192.0.2.1", 0)
        assert limits.attempt("Ana", "192.0.2.1", FORGET_S + 1) == 0
